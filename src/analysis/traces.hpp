// src/analysis/traces.hpp
//
// Peer traces (validation/ode23): the rows of a trace, and the truth it is judged by.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/reference_file.hpp"

namespace hstar::validation {

/// States at increasing times.
struct Samples {
  std::vector<double> t;
  std::vector<std::vector<double>> y;
};

struct Trace {
  Samples rows;           ///< accepted steps; rows that the peer marks as interpolated events are left out
  std::size_t steps = 0;  ///< as the peer counted them
  std::size_t event_rows = 0;
  [[nodiscard]] double mean_step() const {
    return steps > 0 ? (rows.t.back() - rows.t.front()) / static_cast<double>(steps) : 0.0;
  }
};

/// Reads a trace with `states` state columns. @throws InputError.
[[nodiscard]] Trace read_trace(const std::string& path, std::size_t states);

/// The rows of `trace` at which the truth is known, and the truth there: closed forms everywhere, a truth
/// file at its own times. @throws InputError for an unknown truth.
struct Judged {
  Samples peer, truth;
};
[[nodiscard]] Judged judge(const TraceEntry& entry, const std::string& folder, const Trace& trace,
                           const std::vector<std::pair<std::string, double>>& parameters);

}  // namespace hstar::validation

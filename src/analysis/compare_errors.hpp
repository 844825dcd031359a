// src/analysis/compare_errors.hpp
//
// How far a run of a comparison is from the truth. Errors are measured in the size of the reference, never in that of
// the run: a run that has blown up is large itself, and would look exact.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hstar/run.hpp"

namespace hstar::analysis {

/// Largest entries of q, v and the other states on the way.
class StateSizes {
 public:
  StateSizes() = default;
  StateSizes(std::size_t nq, std::size_t nv) : nq_(nq), nv_(nv) {}

  void include(std::size_t i, double value);
  void include(std::span<const double> y) {
    for (std::size_t i = 0; i < y.size(); ++i) include(i, y[i]);
  }
  [[nodiscard]] std::size_t group(std::size_t i) const { return i < nq_ ? 0 : i < nq_ + nv_ ? 1 : 2; }
  /// What an error of each group is measured in. A group that stays at zero, up to the round-off of the motion that
  /// lasts `duration`, has no size of its own: q then takes |v| duration, and v takes |q| / duration.
  [[nodiscard]] std::array<double, 3> scales(double duration) const;
  /// How many times larger than the reference this run has been, at most over the groups.
  [[nodiscard]] double times(const StateSizes& reference, double duration) const;

 private:
  std::size_t nq_ = 0, nv_ = 0;
  std::array<double, 3> largest_{};
};

/// Largest difference of a state from the truth in units of its group's scale; entries that the truth does not know
/// (NaN) do not count.
[[nodiscard]] double end_error(std::span<const double> ours, std::span<const double> truth, const StateSizes& sizes,
                               double duration);

/// Events are the same if they have the same kind and element (corners of one contact count as one), and are the same
/// in number: the k-th of ours belongs to the k-th of the reference, whatever happens elsewhere in between. How many
/// impacts are seen before an accumulation ("zeno") is recognised does not count, only its limit does; nor do touches
/// without crossing ("graze").
struct EventComparison {
  std::optional<double> worst;  ///< largest |dt| [s]; none without events, or if they differ
  std::string difference;       ///< what differs, in words; "" = nothing
};
[[nodiscard]] EventComparison compare_events(std::span<const EventRecord> ours, std::span<const EventRecord> reference);

}  // namespace hstar::analysis

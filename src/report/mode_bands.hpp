// src/report/mode_bands.hpp
//
// The modes of a run as intervals of time, one row of intervals an element.
#pragma once

#include <string>
#include <vector>

#include "hstar/run.hpp"

namespace hstar::report {

struct ModeInterval {
  double from, to;  ///< [s]
  std::string mode;
};

struct ModeBand {
  std::string element;
  std::vector<ModeInterval> intervals;
};

/// Elements whose mode changed at least once, in order of their first event.
[[nodiscard]] std::vector<ModeBand> mode_bands(const RunResult& result, double t_start, double t_end);

}  // namespace hstar::report

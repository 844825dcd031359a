// src/simulate/kept.hpp
#pragma once

#include <deque>
#include <limits>
#include <span>

#include "hstar/thinned_run.hpp"

namespace hstar {

inline constexpr KeepLimits keep_all{std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::size_t>::max()};

/// Puts the rows and events of a run into its result, as many as there is room for.
class Kept {
 public:
  Kept(ThinnedRun& run, const KeepLimits& limits) : run_(run), limits_(limits) {}
  void row(double t, std::span<const double> values);
  void event(const EventRecord& event);
  /// The run is over: its last row and events are there, and a notice says what is not.
  void finish();

 private:
  void thin();

  ThinnedRun& run_;
  KeepLimits limits_;
  std::size_t item_ = 0, stride_ = 1;  ///< rows with one t are one item; every stride_-th is kept
  double last_t_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> last_row_;  ///< if it was not kept
  std::deque<EventRecord> last_events_;
};

}  // namespace hstar

// events/include/hstar/events/accumulation.hpp
//
// Recognises geometric accumulation (Zeno behaviour) in a sequence of events of one guard, from the
// event times and a positive strength (impact speed) that shrinks with them.
#pragma once

#include <cstddef>

namespace hstar::events {

/// Prediction of the accumulation point of a sequence of events.
/// Recognised if all kept ratios of intervals lie below one, the last two differ by less than a tenth
/// of the square of their distance from one (intervals like 1/k, whose sum diverges, have the whole
/// square), and the strengths shrink at the same rate within half that distance.
struct AccumulationLimit {
  bool recognised = false;  ///< ratios of intervals and of strengths agree and are below one
  double t_limit = 0.0;     ///< predicted accumulation time [s]
  double remaining = 0.0;   ///< t_limit - time of the last event [s]
  double ratio = 0.0;       ///< limit ratio of successive intervals, 0 < ratio < 1
  double error = 0.0;       ///< error estimate of t_limit [s]
};

/// Keeps the last few events of one guard; constant memory and cost.
class Accumulation {
 public:
  void reset();
  /// Adds an event at time t with the given strength (impact speed, > 0).
  void add(double t, double strength);
  [[nodiscard]] std::size_t count() const { return count_; }  ///< events since reset
  [[nodiscard]] double first_time() const { return first_; }  ///< time of the first event since reset
  /// Time between the last two events; 0 with fewer.
  [[nodiscard]] double last_interval() const;
  /// Needs at least four events. Aitken's extrapolation of the event times (A. C. Aitken, 1926);
  /// the error estimate is how far the last event has moved it.
  [[nodiscard]] AccumulationLimit limit() const;

 private:
  static constexpr std::size_t kept = 5;
  double t_[kept] = {}, s_[kept] = {};
  std::size_t count_ = 0;
  double first_ = 0.0;
};

}  // namespace hstar::events

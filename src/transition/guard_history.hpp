// src/transition/guard_history.hpp
//
// Events of a [[guard]] with ever shorter intervals: the model does not say how an infinity of them goes on.
#pragma once

#include <limits>

#include "hstar/events/accumulation.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

class GuardHistory {
 public:
  /// An event at t. True: intervals that shrink geometrically have a limit so near that beyond round-off the guard can
  /// soon not be told from zero any more: the run must not slip through.
  bool add(double t);
  [[nodiscard]] const events::AccumulationLimit& limit() const { return limit_; }
  /// Since the event before the last.
  [[nodiscard]] double last_interval() const { return last_interval_; }

 private:
  events::Accumulation events_;
  events::AccumulationLimit limit_;
  double t_last_ = 0, last_interval_ = 0, interval_ = std::numeric_limits<double>::infinity();
};

inline bool GuardHistory::add(double t) {
  constexpr double never = std::numeric_limits<double>::infinity();
  last_interval_ = events_.count() == 0 ? never : t - t_last_;
  if (!(last_interval_ < interval_)) events_.reset();
  events_.add(t, last_interval_);
  t_last_ = t;
  interval_ = events_.count() == 1 ? never : last_interval_;
  limit_ = events_.limit();
  return limit_.recognised && limit_.remaining <= tolerances::most_left_guard * (t - events_.first_time());
}

}  // namespace hstar

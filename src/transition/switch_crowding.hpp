// src/transition/switch_crowding.hpp
//
// Switches of one condition that come ever faster towards a pole: those of sin(1/x) > 0 have no last one.
#pragma once

#include <limits>

#include "transition/tolerances.hpp"

namespace hstar {

class SwitchCrowding {
 public:
  /// The switch fires at t, where the divisor of its condition has this size.
  void fire(double t, double divisor) {
    const double interval = t - last_;
    if (interval < interval_ && divisor < nearest_) {
      ++fired_;
    } else {
      fired_ = 1;
      farthest_ = divisor;
    }
    last_ = t;
    interval_ = interval;
    nearest_ = divisor;
  }
  /// A dozen do not crowd, nor do those that are about as far from the pole as the first one.
  [[nodiscard]] bool endless() const { return fired_ > 16 && nearest_ < tolerances::beside_pole * farthest_; }

 private:
  double last_ = -std::numeric_limits<double>::infinity(), interval_ = 0, nearest_ = 0, farthest_ = 0;
  int fired_ = 0;
};

}  // namespace hstar

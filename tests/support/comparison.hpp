// tests/support/comparison.hpp
//
// Analytic derivatives beside differences: the largest disagreement relative to the largest entry of all, checked when
// the comparison goes out of scope.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

namespace support {

class Comparison {
 public:
  static constexpr double allowed = 1e-6;

  void entry(double analytic, double difference) {
    worst_ = std::max(worst_, std::abs(analytic - difference));
    largest_ = std::max({largest_, std::abs(analytic), std::abs(difference)});
  }
  ~Comparison() { CHECK(worst_ <= allowed * std::max(largest_, 1e-3)); }
  Comparison() = default;
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

 private:
  double worst_ = 0, largest_ = 0;
};

}  // namespace support

// tests/oracle/cases/draw.hpp: random decimals, the same on every machine.
#pragma once

#include <cstdint>
#include <string>

#include "solver/model.hpp"

namespace oracle {

class Draw {
 public:
  Draw(std::uint64_t seed, std::uint64_t index)
      : state_(seed * 0x9e3779b97f4a7c15ull ^ (index + 1) * 0xd1342543de82ef95ull) {}

  /// In [lo, hi], with so many decimal places; has a knob of its own.
  Decimal number(double lo, double hi, int places = 3);
  /// The same with a random sign.
  Decimal either_sign(double lo, double hi, int places = 3);
  /// 0, 1, ..., n - 1
  int below(int n);
  bool chance(double p);
  /// Not rounded, without a knob: for sizes that become numbers later.
  double uniform(double lo, double hi);

 private:
  std::uint64_t next();
  std::uint64_t state_;
  int knobs_ = 0;
};

}  // namespace oracle

// tests/oracle/cases/draw.cpp
#include "cases/draw.hpp"

#include <cmath>

namespace oracle {

std::uint64_t Draw::next() {
  // splitmix64 (Steele, Lea & Flood 2014).
  std::uint64_t x = state_ += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

double Draw::uniform(double lo, double hi) { return lo + (hi - lo) * (static_cast<double>(next() >> 11) * 0x1p-53); }

Decimal Draw::number(double lo, double hi, int places) {
  const double scale = std::pow(10.0, places);
  return {static_cast<std::int64_t>(std::llround(uniform(lo, hi) * scale)), places, knobs_++};
}

Decimal Draw::either_sign(double lo, double hi, int places) {
  const Decimal d = number(lo, hi, places);
  return chance(0.5) ? d : d.negative();
}

int Draw::below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }

bool Draw::chance(double p) { return uniform(0, 1) < p; }

}  // namespace oracle

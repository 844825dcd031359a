// tests/support/random.hpp
//
// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea & Flood 2014). The
// standard library's distributions may differ from one implementation to the next.
#pragma once

#include <cstdint>

namespace support {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// Uniform in [a, b).
  double uniform(double a, double b) { return a + (b - a) * static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// 0 .. n - 1.
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }

 private:
  std::uint64_t state_;
};

}  // namespace support

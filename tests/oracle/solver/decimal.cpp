// tests/oracle/solver/decimal.cpp
#include "solver/decimal.hpp"

#include <cmath>
#include <cstdlib>

namespace oracle {

double Decimal::rounded() const { return std::stod(text()); }

std::string Decimal::text() const {
  std::string all = std::to_string(std::llabs(digits));
  const std::size_t behind = static_cast<std::size_t>(places);
  if (all.size() <= behind) all = std::string(behind + 1 - all.size(), '0') + all;
  const std::string whole = all.substr(0, all.size() - behind), rest = all.substr(all.size() - behind);
  return std::string(digits < 0 ? "-" : "") + whole + '.' + (rest.empty() ? "0" : rest);
}

double Turned::of(int knob) const {
  if (knob < 0 || amount == 0) return 0;
  // splitmix64 (Steele, Lea & Flood 2014): one well mixed number for each pair of seed and knob.
  std::uint64_t x = seed * 0x9e3779b97f4a7c15ull + static_cast<std::uint64_t>(knob + 1) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  x ^= x >> 31;
  return (x & 1u) != 0 ? amount : -amount;
}

}  // namespace oracle

// src/simulate/crowd/roots.cpp
#include "simulate/crowd/roots.hpp"

#include <cmath>
#include <limits>

#include "transition/tolerances.hpp"

namespace hstar::crowd {
namespace {
constexpr double never = std::numeric_limits<double>::infinity();
}

double first_fall(double c, double b, double a) {
  if (c <= 0) {
    if (b < 0) return 0;
    return a < 0 ? 2 * b / -a : never;
  }
  if (a >= 0 && b >= 0) return never;
  const double square = b * b - 2 * a * c;
  if (square < 0) return never;
  const double root = std::sqrt(square);
  return b <= 0 ? 2 * c / (root - b) : (b + root) / -a;
}

double first_touch(const Approach& a) {
  const double b = a.d[0] * a.w[0] + a.d[1] * a.w[1];
  if (!(b < 0)) return never;
  const double distance = std::sqrt(a.d[0] * a.d[0] + a.d[1] * a.d[1]);
  const double speed = std::sqrt(a.w[0] * a.w[0] + a.w[1] * a.w[1]);
  const double gap = distance - a.reach;
  if (gap <= tolerances::zero_gap * a.size && -b <= tolerances::zero_velocity * a.speed * distance) return never;
  // (As a difference of b^2 and w^2 c it would have lost its digits where the discs are far apart.)
  const double across = std::abs(a.d[0] * a.w[1] - a.d[1] * a.w[0]), along = a.reach * speed;
  if (gap > 0 && !(along - across > tolerances::zero_gap * a.size * speed)) return never;
  if (gap <= 0) return 0;
  const double root = std::sqrt((along - across) * (along + across));
  return gap * (distance + a.reach) / (root - b);
}

}  // namespace hstar::crowd

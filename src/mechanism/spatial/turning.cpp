// src/mechanism/spatial/turning.cpp
#include "mechanism/spatial/turning.hpp"

#include <cmath>

namespace hstar {

Mat3 turned_slope(const Vec3& theta) {
  const double a2 = dot(theta, theta), a = std::sqrt(a2);
  // By their series where the quotients lose digits: the next terms are a^4/720 and a^4/5040.
  const bool small = a < 1e-2;
  const double first = small ? 0.5 - a2 / 24 : (1 - std::cos(a)) / a2;
  const double second = small ? 1.0 / 6 - a2 / 120 : (a - std::sin(a)) / (a2 * a);
  const Mat3 turn = skew(theta);
  return identity3 - first * turn + second * (turn * turn);
}

EulerParameters settled(const EulerParameters& past, double c0, const Vec3& omega_bar) {
  const EulerParameters rate = parameter_rate(past, omega_bar);
  return normalised(
      {-c0 * past[0] - rate[0], -c0 * past[1] - rate[1], -c0 * past[2] - rate[2], -c0 * past[3] - rate[3]});
}

Mat3 settled_slope(double c0, const Vec3& omega_bar) {
  return (c0 / (c0 * c0 + 0.25 * dot(omega_bar, omega_bar))) * (c0 * identity3 - 0.5 * skew(omega_bar));
}

}  // namespace hstar

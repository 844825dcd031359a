// src/mechanism/spatial/relative_rotation.cpp
#include "mechanism/spatial/relative_rotation.hpp"

#include <cmath>

namespace hstar {
namespace {

/// T = I + theta~ / 2 + c theta~^2, c = (1 - (phi/2) cot(phi/2)) / phi^2, and c' / phi.
struct Coefficients {
  double c, slope;
  explicit Coefficients(double phi) {
    const double x = phi * phi;
    if (phi < 0.5) {  // by Bernoulli numbers: the quotients lose digits
      constexpr double k[6] = {1.0 / 12,      1.0 / 720,      1.0 / 30240,
                               1.0 / 1209600, 1.0 / 47900160, 691.0 / 1307674368000.0};
      c = slope = 0;
      for (int i = 5; i >= 0; --i) c = c * x + k[i];
      for (int i = 5; i >= 1; --i) slope = slope * x + 2 * i * k[i];
    } else {
      const double s = std::sin(0.5 * phi), cot = std::cos(0.5 * phi) / s;
      c = (1 - 0.5 * phi * cot) / x;
      slope = (-2 / x + 0.5 * cot / phi + 0.25 / (s * s)) / x;
    }
  }
};

Vec3 unit(std::size_t i) {
  Vec3 e{0, 0, 0};
  e[i] = 1;
  return e;
}

}  // namespace

Vec3 rotation_vector(const EulerParameters& p) {
  const double sign = p[0] < 0 ? -1 : 1;
  const Vec3 e{sign * p[1], sign * p[2], sign * p[3]};
  const double s = norm(e);
  return (s > 0 ? 2 * std::atan2(s, sign * p[0]) / s : 0.0) * e;
}

RelativeRotation::RelativeRotation(const Triad& axes1, const Triad& axes2)
    : axes1_{axes1.f, axes1.g, axes1.h},
      axes2_{axes2.f, axes2.g, axes2.h},
      p1_(parameters_of(transposed(axes1_))),
      p2_(parameters_of(transposed(axes2_))) {}

Vec3 RelativeRotation::value(const SpatialMotion& b1, const SpatialMotion& b2) const {
  const EulerParameters frame1 = compose(b1.p, p1_), frame2 = compose(b2.p, p2_);
  return rotation_vector(compose({frame1[0], -frame1[1], -frame1[2], -frame1[3]}, frame2));
}

void RelativeRotation::rows(const SpatialMotion& b1, const SpatialMotion& b2, SpatialRow out[3]) const {
  const Vec3 theta = value(b1, b2);
  const Mat3 cross_theta = skew(theta);
  const Mat3 T = identity3 + 0.5 * cross_theta + Coefficients(norm(theta)).c * (cross_theta * cross_theta);
  const Mat3 by1 = transposed(T) * axes1_, by2 = T * axes2_;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      out[i].J[0][j] = out[i].J[1][j] = 0;
      out[i].J[0][3 + j] = -by1[i][j];
      out[i].J[1][3 + j] = by2[i][j];
      out[i].nu = out[i].gamma = 0;
    }
}

void RelativeRotation::slopes(const SpatialMotion& b1, const SpatialMotion& b2, SpatialRowSlope out[3]) const {
  const Vec3 theta = value(b1, b2);
  const Mat3 cross_theta = skew(theta), square = cross_theta * cross_theta;
  const Coefficients k(norm(theta));
  SpatialRow row[3];
  rows(b1, b2, row);
  for (int i = 0; i < 3; ++i) out[i] = SpatialRowSlope{};
  for (std::size_t m = 0; m < 3; ++m) {
    const Mat3 e = skew(unit(m));
    const Mat3 dT = 0.5 * e + (k.slope * theta[m]) * square + k.c * (e * cross_theta + cross_theta * e);
    const Mat3 by1 = transposed(dT) * axes1_, by2 = dT * axes2_;
    for (std::size_t i = 0; i < 3; ++i)
      for (int b = 0; b < 12; ++b)
        for (std::size_t j = 0; j < 3; ++j) {
          out[i].J[3 + j][b] -= by1[i][j] * row[m].J[b / 6][b % 6];
          out[i].J[9 + j][b] += by2[i][j] * row[m].J[b / 6][b % 6];
        }
  }
}

}  // namespace hstar

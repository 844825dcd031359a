// src/mechanism/spatial/euler_parameters.cpp
#include "mechanism/spatial/euler_parameters.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace hstar {
namespace {

double squared(const EulerParameters& p) { return p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]; }

}  // namespace

Mat3 rotation_matrix(const EulerParameters& p) {
  const double s = 2 / squared(p), e0 = p[0], e1 = p[1], e2 = p[2], e3 = p[3];
  const double w1 = s * e0 * e1, w2 = s * e0 * e2, w3 = s * e0 * e3;
  const double a11 = s * e1 * e1, a22 = s * e2 * e2, a33 = s * e3 * e3;
  const double a12 = s * e1 * e2, a13 = s * e1 * e3, a23 = s * e2 * e3;
  return {Vec3{1 - (a22 + a33), a12 - w3, a13 + w2}, Vec3{a12 + w3, 1 - (a11 + a33), a23 - w1},
          Vec3{a13 - w2, a23 + w1, 1 - (a11 + a22)}};
}

Mat34 matrix_E(const EulerParameters& p) {
  return {EulerParameters{-p[1], p[0], -p[3], p[2]}, EulerParameters{-p[2], p[3], p[0], -p[1]},
          EulerParameters{-p[3], -p[2], p[1], p[0]}};
}

Mat34 matrix_G(const EulerParameters& p) {
  return {EulerParameters{-p[1], p[0], p[3], -p[2]}, EulerParameters{-p[2], -p[3], p[0], p[1]},
          EulerParameters{-p[3], p[2], -p[1], p[0]}};
}

EulerParameters parameter_rate(const EulerParameters& p, const Vec3& w) {
  return {-0.5 * (p[1] * w[0] + p[2] * w[1] + p[3] * w[2]), 0.5 * (p[0] * w[0] - p[3] * w[1] + p[2] * w[2]),
          0.5 * (p[3] * w[0] + p[0] * w[1] - p[1] * w[2]), 0.5 * (-p[2] * w[0] + p[1] * w[1] + p[0] * w[2])};
}

EulerParameters compose(const EulerParameters& p, const EulerParameters& q) {
  const Vec3 e{p[1], p[2], p[3]}, d{q[1], q[2], q[3]};
  const Vec3 u = p[0] * d + q[0] * e + cross(e, d);
  return {p[0] * q[0] - dot(e, d), u[0], u[1], u[2]};
}

EulerParameters turned(const EulerParameters& p, const Vec3& theta) {
  const double angle = norm(theta), half = 0.5 * angle;
  // sin(half) / angle, by its series where the quotient loses digits.
  const double s = angle > 1e-4 ? std::sin(half) / angle : 0.5 - half * half / 12;
  return compose(p, {std::cos(half), s * theta[0], s * theta[1], s * theta[2]});
}

EulerParameters normalised(const EulerParameters& p) {
  const double scale = 1 / std::sqrt(squared(p));
  return {scale * p[0], scale * p[1], scale * p[2], scale * p[3]};
}

EulerParameters parameters_from(const EulerParameters& written, const Location& where, std::string_view owner) {
  const double length = std::sqrt(squared(written));
  if (!(std::abs(length - 1) <= orientation_tolerance))
    throw InputError(where,
                     fmt::format("{}: euler_parameters = [{}, {}, {}, {}] have length {:.6g}, it must be 1 within "
                                 "{}; write cos(angle/2), axis * sin(angle/2), or give axis and angle",
                                 owner, written[0], written[1], written[2], written[3], length, orientation_tolerance));
  return normalised(written);
}

EulerParameters parameters_from_axis(const Vec3& axis, double angle, const Location& where, std::string_view owner) {
  const double length = norm(axis);
  if (!(length > 0) || !std::isfinite(length))
    throw InputError(where, fmt::format("{}: axis = [{}, {}, {}] has no direction; give a vector that is not zero",
                                        owner, axis[0], axis[1], axis[2]));
  if (!std::isfinite(angle))
    throw InputError(where, fmt::format("{}: angle = {} must be a finite number", owner, angle));
  const double s = std::sin(0.5 * angle) / length;
  return normalised({std::cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]});
}

EulerParameters parameters_from_matrix(const Mat3& written, const Location& where, std::string_view owner) {
  const Mat3 defect = transposed(written) * written - identity3;
  double off = 0;
  for (const Vec3& row : defect)
    for (double x : row) off = std::isfinite(x) ? std::max(off, std::abs(x)) : INFINITY;
  if (!(off <= 2 * orientation_tolerance))
    throw InputError(where,
                     fmt::format("{}: matrix is not a rotation: its columns are off unit length or a right angle "
                                 "by {:.3g}, at most {} is allowed; give more digits or axis and angle",
                                 owner, 0.5 * off, orientation_tolerance));
  if (determinant(written) < 0)
    throw InputError(where,
                     fmt::format("{}: matrix is a reflection, its determinant is {:.6g}, it must be +1; exchange "
                                 "two columns or change the sign of one",
                                 owner, determinant(written)));
  // The nearest rotation: Newton on A = polar factor, A <- A (3 I - A^T A) / 2 (Higham 1986), quadratic from 1e-3.
  Mat3 A = written;
  for (int i = 0; i < 4; ++i) A = A * (0.5 * (3 * identity3 - transposed(A) * A));
  return parameters_of(A);
}

EulerParameters parameters_from_angles(const Vec3& angles, std::string_view sequence, const Location& where,
                                       std::string_view owner) {
  EulerParameters p{1, 0, 0, 0};
  const auto axis_of = [](char c) {
    const auto at = std::string_view("xyz123").find(c);
    return at == std::string_view::npos ? -1 : static_cast<int>(at % 3);
  };
  bool good = sequence.size() == 3;
  for (std::size_t i = 0; good && i < 3; ++i)
    good = axis_of(sequence[i]) >= 0 && (i == 0 || axis_of(sequence[i]) != axis_of(sequence[i - 1]));
  if (!good)
    throw InputError(where,
                     fmt::format("{}: sequence = \"{}\" must be three of x, y, z, no two neighbours alike, such as "
                                 "\"zxz\" or \"xyz\"",
                                 owner, sequence));
  for (std::size_t i = 0; i < 3; ++i) {
    if (!std::isfinite(angles[i]))
      throw InputError(where, fmt::format("{}: angles[{}] = {} must be a finite number", owner, i, angles[i]));
    EulerParameters turn{std::cos(0.5 * angles[i]), 0, 0, 0};
    turn[axis_of(sequence[i]) + 1] = std::sin(0.5 * angles[i]);
    p = compose(p, turn);
  }
  return normalised(p);
}

EulerParameters parameters_of(const Mat3& A) {
  const double trace = A[0][0] + A[1][1] + A[2][2];
  // 4 e_k^2 - 1 of each parameter.
  const double size[4] = {trace, 2 * A[0][0] - trace, 2 * A[1][1] - trace, 2 * A[2][2] - trace};
  const auto k = static_cast<std::size_t>(std::max_element(size, size + 4) - size);
  EulerParameters p;
  p[k] = 0.5 * std::sqrt(1 + size[k]);
  const double quarter = 0.25 / p[k];
  if (k == 0) {
    p[1] = quarter * (A[2][1] - A[1][2]);
    p[2] = quarter * (A[0][2] - A[2][0]);
    p[3] = quarter * (A[1][0] - A[0][1]);
  } else {
    const std::size_t i = k - 1, j = k % 3, l = (k + 1) % 3;
    p[0] = quarter * (A[l][j] - A[j][l]);
    p[j + 1] = quarter * (A[j][i] + A[i][j]);
    p[l + 1] = quarter * (A[l][i] + A[i][l]);
  }
  if (p[0] < 0)
    for (double& x : p) x = -x;
  return normalised(p);
}

}  // namespace hstar

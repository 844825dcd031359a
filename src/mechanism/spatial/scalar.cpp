// src/mechanism/spatial/scalar.cpp: the chain rule. With Phi = F(x_1..x_n), x_i dot products with rows J_i and
// slopes S_i, the row is F_i J_i, J_dot v = F_i (J_i_dot v) + F_ij x_i_dot x_j_dot, its slope F_i S_i + F_ij J_i J_j^T.
#include "mechanism/spatial/scalar.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace hstar {
namespace {

/// Columns of (r_dot, omega_bar) or (r_dot, p_dot) of both bodies as one array, and velocities with them.
template <class R>
constexpr int columns = 12;
template <>
constexpr int columns<ParameterRow> = 14;

template <class R>
const double* flat(const R& row) {
  return &row.J[0][0];
}
template <class R>
double* flat(R& row) {
  return &row.J[0][0];
}

void velocities(const SpatialMotion& b, double* out) {
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = b.v[i];
    out[3 + i] = b.omega_bar[i];
  }
}
void velocities(const ParameterMotion& b, double* out) {
  for (std::size_t i = 0; i < 3; ++i) out[i] = b.v[i];
  for (std::size_t i = 0; i < 4; ++i) out[3 + i] = b.p_dot[i];
}

}  // namespace

/// Derivatives of F: first, second, third.
struct SpatialScalar::Derivatives {
  double first[4] = {}, second[4][4] = {}, third[4][4][4] = {};

  /// Adds factor * atan2(x[at + 1], x[at]). It is the imaginary part of log z, z = x + i y, whose derivatives are
  /// powers of 1 / z: each y brings a factor i.
  void add_angle(const double* x, int at, double factor) {
    const double c = x[at], s = x[at + 1], r2 = c * c + s * s;
    const double a = c / r2, b = -s / r2;             // 1/z
    const double a2 = a * a - b * b, b2 = 2 * a * b;  // 1/z^2
    const double a3 = a2 * a - b2 * b, b3 = a2 * b + b2 * a;
    const double by_first[2] = {b, a};           // Im(i^k / z)
    const double by_second[3] = {-b2, -a2, b2};  // Im(-i^k / z^2)
    const double by_third[4] = {2 * b3, 2 * a3, -2 * b3, -2 * a3};
    for (int i = 0; i < 2; ++i) {
      first[at + i] += factor * by_first[i];
      for (int j = 0; j < 2; ++j) {
        second[at + i][at + j] += factor * by_second[i + j];
        for (int k = 0; k < 2; ++k) third[at + i][at + j][at + k] += factor * by_third[i + j + k];
      }
    }
  }
};

double unwrapped(double angle, double near) { return near + std::remainder(angle - near, 2 * std::numbers::pi); }

SpatialScalar SpatialScalar::dot_product(const VectorField& u, const VectorField& w, TimeFunction f) {
  SpatialScalar s;
  s.inner_[0] = {u, w};
  s.count_ = 1;
  s.f_ = std::move(f);
  return s;
}

SpatialScalar SpatialScalar::distance(const Vec3& s1, const Vec3& s2, TimeFunction f) {
  SpatialScalar s = dot_product(VectorField::between(s1, s2), VectorField::between(s1, s2), std::move(f));
  s.outer_ = Outer::root;
  return s;
}

/// cos and sin of the angle from frame1.f to frame2.f about h, times the length of frame2.f's projection. Body -1: the
/// frame's axes are global.
void SpatialScalar::add_angle(const Triad& frame1, const Triad& frame2, int body1, int body2) {
  const auto field = [](int body, const Vec3& a) {
    return body < 0 ? VectorField::fixed(a) : VectorField::direction(body, a);
  };
  const VectorField pointer = field(body2, frame2.f);
  inner_[count_++] = {field(body1, frame1.f), pointer};
  inner_[count_++] = {field(body1, frame1.g), pointer};
}

SpatialScalar SpatialScalar::angle(const Triad& frame1, const Triad& frame2, TimeFunction f) {
  SpatialScalar s;
  s.add_angle(frame1, frame2, 0, 1);
  s.outer_ = Outer::angle;
  s.f_ = std::move(f);
  return s;
}

SpatialScalar SpatialScalar::turn_about_second(const Vec3& axis, const Triad& frame2) {
  // The axis turns the other way about h, seen from the body: about -h.
  SpatialScalar s;
  s.add_angle({frame2.f, -1.0 * frame2.g, -1.0 * frame2.h}, {axis, {}, {}}, 1, 0);
  s.outer_ = Outer::angle;
  return s;
}

SpatialScalar SpatialScalar::screw(const Vec3& s1, const Vec3& s2, const Triad& frame1, const Triad& frame2,
                                   double lead, TimeFunction f) {
  SpatialScalar s;
  s.add_angle(frame1, frame2, 0, 1);
  s.inner_[2] = {VectorField::direction(0, frame1.h), VectorField::between(s1, s2)};
  s.count_ = 3;
  s.outer_ = Outer::screw;
  s.factor_[0] = lead;
  s.f_ = std::move(f);
  return s;
}

SpatialScalar SpatialScalar::gear(int teeth_1, const Triad& ground_1, const Triad& body_1, int teeth_2,
                                  const Triad& ground_2, const Triad& body_2, TimeFunction f) {
  SpatialScalar s;
  s.add_angle(ground_1, body_1, -1, 0);
  s.add_angle(ground_2, body_2, -1, 1);
  s.outer_ = Outer::gear;
  s.factor_[0] = teeth_1;
  s.factor_[1] = teeth_2;
  s.f_ = std::move(f);
  return s;
}

SpatialScalar SpatialScalar::wheel(const Triad& ground, const Triad& axes, int body) {
  SpatialScalar s;
  s.add_angle(ground, axes, -1, body);
  s.outer_ = Outer::angle;
  return s;
}

void SpatialScalar::count_from(const SpatialMotion& b1, const SpatialMotion& b2, const Moment& now) {
  const double angles[2] = {0, 0};  // turns are counted from those in [-pi, pi]
  thread_ = 0;
  thread_ = value(b1, b2, now, angles) - value(b1, b2, now);
}

double SpatialScalar::combine(const double* x, double f, const double* turns) const {
  constexpr double turn = 2 * std::numbers::pi;
  // The nearest thread or tooth to full accuracy, however often it has turned, and how many lie between it and the one
  // that holds.
  const auto left = [&](double phi, double period, auto counted) {
    const double nearest = std::remainder(phi, period);
    return turns ? nearest + period * std::round((counted() - thread_ - nearest) / period) : nearest;
  };
  switch (outer_) {
    case Outer::root:
      return std::sqrt(x[0]) - f;
    case Outer::angle:
      // (Whole turns are taken off f first, which is exact: their difference would have the round-off of f.)
      return std::remainder(std::atan2(x[1], x[0]) - std::remainder(f, turn), turn);
    case Outer::screw: {
      const double angle = std::atan2(x[1], x[0]), way = x[2] - f;
      return left(way - factor_[0] * angle, turn * std::abs(factor_[0]),
                  [&] { return way - factor_[0] * unwrapped(angle, turns[0]); });
    }
    case Outer::gear: {
      const double angle_1 = std::atan2(x[1], x[0]), angle_2 = std::atan2(x[3], x[2]);
      return left(factor_[0] * angle_1 + factor_[1] * angle_2 - f, turn, [&] {
        return factor_[0] * unwrapped(angle_1, turns[0]) + factor_[1] * unwrapped(angle_2, turns[1]) - f;
      });
    }
    default:
      return x[0] - f;
  }
}

void SpatialScalar::derivatives(const double* x, Derivatives& d) const {
  switch (outer_) {
    case Outer::root: {
      const double root = std::sqrt(x[0]);
      d.first[0] = 0.5 / root;
      d.second[0][0] = -0.25 / (root * x[0]);
      d.third[0][0][0] = 0.375 / (root * x[0] * x[0]);
      return;
    }
    case Outer::angle:
      return d.add_angle(x, 0, 1);
    case Outer::screw:
      d.add_angle(x, 0, -factor_[0]);
      d.first[2] = 1;
      return;
    case Outer::gear:
      d.add_angle(x, 0, factor_[0]);
      return d.add_angle(x, 2, factor_[1]);
    default:
      d.first[0] = 1;
  }
}

template <class B>
double SpatialScalar::value_of(const B& b1, const B& b2, const Moment& now, const double* turns) const {
  double x[4];
  for (std::size_t i = 0; i < static_cast<std::size_t>(count_); ++i) x[i] = hstar::value(inner_[i], b1, b2);
  return combine(x, f_.at(now).value, turns);
}

template <class B, class R>
void SpatialScalar::row_of(const B& b1, const B& b2, const Moment& now, R& row) const {
  constexpr int n = columns<R>;
  if (outer_ == Outer::identity) {
    fill_row(inner_[0], b1, b2, row);
  } else {
    R part[4];
    double x[4], rate[4], v[n];
    velocities(b1, v);
    velocities(b2, v + n / 2);
    for (int i = 0; i < count_; ++i) {
      const auto& inner = inner_[i];
      x[i] = hstar::value(inner, b1, b2);
      fill_row(inner, b1, b2, part[i]);
      rate[i] = 0;
      for (int c = 0; c < n; ++c) rate[i] += flat(part[i])[c] * v[c];
    }
    Derivatives d;
    derivatives(x, d);
    double* J = flat(row);
    for (int c = 0; c < n; ++c) J[c] = 0;
    row.gamma = 0;
    for (int i = 0; i < count_; ++i) {
      for (int c = 0; c < n; ++c) J[c] += d.first[i] * flat(part[i])[c];
      row.gamma += d.first[i] * part[i].gamma;
      for (int j = 0; j < count_; ++j) row.gamma -= d.second[i][j] * rate[i] * rate[j];
    }
  }
  const Expression::Jet f = f_.at(now);
  row.nu = f.rate;
  row.gamma += f.acceleration;
}

template <class R, class B, class S>
void SpatialScalar::slope_of(const B& b1, const B& b2, S& slope) const {
  constexpr int n = columns<R>;
  if (outer_ == Outer::identity) return fill_slope(inner_[0], b1, b2, slope);
  R part[4];
  S of[4];
  double x[4], rate[4], v[n], rate_by[4][n];
  velocities(b1, v);
  velocities(b2, v + n / 2);
  for (int i = 0; i < count_; ++i) {
    const auto& inner = inner_[i];
    x[i] = hstar::value(inner, b1, b2);
    fill_row(inner, b1, b2, part[i]);
    fill_slope(inner, b1, b2, of[i]);
    rate[i] = 0;
    for (int c = 0; c < n; ++c) rate[i] += flat(part[i])[c] * v[c];
    for (int b = 0; b < n; ++b) {
      rate_by[i][b] = 0;
      for (int a = 0; a < n; ++a) rate_by[i][b] += v[a] * of[i].J[a][b];
    }
  }
  Derivatives d;
  derivatives(x, d);
  slope = S{};
  for (int i = 0; i < count_; ++i) {
    const double* Ji = flat(part[i]);
    for (int b = 0; b < n; ++b) {
      for (int a = 0; a < n; ++a) slope.J[a][b] += d.first[i] * of[i].J[a][b];
      slope.gamma[b] += d.first[i] * of[i].gamma[b];
    }
    for (int j = 0; j < count_; ++j) {
      if (d.second[i][j] == 0) continue;
      const double* Jj = flat(part[j]);
      const double bend = d.second[i][j];
      for (int b = 0; b < n; ++b) {
        for (int a = 0; a < n; ++a) slope.J[a][b] += bend * Ji[a] * Jj[b];
        slope.gamma[b] += bend * (Jj[b] * part[i].gamma - 2 * rate[i] * rate_by[j][b]);
        for (int k = 0; k < count_; ++k) slope.gamma[b] -= d.third[i][j][k] * flat(part[k])[b] * rate[i] * rate[j];
      }
    }
  }
}

double SpatialScalar::value(const SpatialMotion& b1, const SpatialMotion& b2, const Moment& now,
                            const double* turns) const {
  return value_of(b1, b2, now, turns);
}
double SpatialScalar::value(const ParameterMotion& b1, const ParameterMotion& b2, const Moment& now) const {
  return value_of(b1, b2, now, nullptr);
}
void SpatialScalar::row(const SpatialMotion& b1, const SpatialMotion& b2, const Moment& now, SpatialRow& row) const {
  row_of(b1, b2, now, row);
}
void SpatialScalar::row(const ParameterMotion& b1, const ParameterMotion& b2, const Moment& now,
                        ParameterRow& row) const {
  row_of(b1, b2, now, row);
}
void SpatialScalar::slope(const SpatialMotion& b1, const SpatialMotion& b2, SpatialRowSlope& slope) const {
  slope_of<SpatialRow>(b1, b2, slope);
}
void SpatialScalar::slope(const ParameterMotion& b1, const ParameterMotion& b2, ParameterRowSlope& slope) const {
  slope_of<ParameterRow>(b1, b2, slope);
}

}  // namespace hstar

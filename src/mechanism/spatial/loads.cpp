// src/mechanism/spatial/loads.cpp
#include "mechanism/spatial/loads.hpp"

#include <algorithm>

namespace hstar {
namespace {

/// Adds block m at rows `a`, columns `b`.
void add_block(const Mat3& m, int a, int b, double (*out)[12]) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      out[static_cast<std::size_t>(a) + i][static_cast<std::size_t>(b) + j] += m[i][j];
}

void add_vector(const Vec3& x, int at, SpatialLoad& out) {
  for (std::size_t i = 0; i < 3; ++i) out.f[static_cast<std::size_t>(at) + i] += x[i];
}

}  // namespace

void add_load(std::span<const SpatialRow> rows, const double* w, SpatialLoad& out) {
  for (const SpatialRow& row : rows) {
    for (int a = 0; a < 12; ++a) out.f[a] -= *w * row.J[a / 6][a % 6];
    ++w;
  }
}

void add_slope(std::span<const SpatialRow> rows, std::span<const SpatialRowSlope> slopes, const Effort& effort,
               const SpatialMotion& b1, const SpatialMotion& b2, SpatialLoadSlope& out) {
  const std::size_t n = rows.size();
  double v[12], rate_by[6][12];
  for (std::size_t i = 0; i < 3; ++i) {
    v[i] = b1.v[i];
    v[3 + i] = b1.omega_bar[i];
    v[6 + i] = b2.v[i];
    v[9 + i] = b2.omega_bar[i];
  }
  for (std::size_t j = 0; j < n; ++j)
    for (int b = 0; b < 12; ++b) {
      rate_by[j][b] = 0;
      for (int a = 0; a < 12; ++a) rate_by[j][b] += v[a] * slopes[j].J[a][b];
    }
  for (std::size_t i = 0; i < n; ++i)
    for (int b = 0; b < 12; ++b) {
      double by_position = 0, by_velocity = 0;  // of w_i
      for (std::size_t j = 0; j < n; ++j) {
        const double J = rows[j].J[b / 6][b % 6];
        by_position += effort.by_x[n * i + j] * J + effort.by_rate[n * i + j] * rate_by[j][b];
        by_velocity += effort.by_rate[n * i + j] * J;
      }
      for (int a = 0; a < 12; ++a) {
        const double J = rows[i].J[a / 6][a % 6];
        out.by_position[a][b] -= J * by_position + effort.w[i] * slopes[i].J[a][b];
        out.by_velocity[a][b] -= J * by_velocity;
      }
    }
}

void add_point_force(int k, const Vec3& point, const Vec3& force, bool turns, const SpatialMotion& b,
                     SpatialLoad& out) {
  add_vector(turns ? b.global(force) : force, 6 * k, out);
  add_vector(cross(point, turns ? force : b.bar(force)), 6 * k + 3, out);
}

void add_point_force_slope(int k, const Vec3& point, const Vec3& force, bool turns, const SpatialMotion& b,
                           SpatialLoadSlope& out) {
  // delta(A F) = -A F~ delta pi_bar; delta(A^T F) = (A^T F)~ delta pi_bar.
  if (turns)
    add_block(-1.0 * (b.A * skew(force)), 6 * k, 6 * k + 3, out.by_position);
  else
    add_block(skew(point) * skew(b.bar(force)), 6 * k + 3, 6 * k + 3, out.by_position);
}

void add_torque(const Vec3& torque, bool turns, const SpatialMotion& b1, const SpatialMotion& b2, SpatialLoad& out) {
  const Vec3 global = turns ? b2.global(torque) : torque;
  add_vector(-1.0 * b1.bar(global), 3, out);
  add_vector(turns ? torque : b2.bar(torque), 9, out);
}

void add_torque_slope(const Vec3& torque, bool turns, const SpatialMotion& b1, const SpatialMotion& b2,
                      SpatialLoadSlope& out) {
  const Vec3 global = turns ? b2.global(torque) : torque;
  add_block(-1.0 * skew(b1.bar(global)), 3, 3, out.by_position);
  if (turns)
    add_block(transposed(b1.A) * (b2.A * skew(torque)), 3, 9, out.by_position);
  else
    add_block(skew(b2.bar(torque)), 9, 9, out.by_position);
}

Bushing::Bushing(const Vec3& point1, const Vec3& point2, const Triad& axes1, const Triad& axes2, const double* K,
                 const double* C)
    : twist_(axes1, axes2) {
  const VectorField d = VectorField::between(point1, point2);
  std::size_t i = 0;
  for (const Vec3* axis : {&axes1.f, &axes1.g, &axes1.h})
    offset_[i++] = SpatialScalar::dot_product(VectorField::direction(0, *axis), d);
  std::copy(K, K + 36, K_);
  std::copy(C, C + 36, C_);
}

void Bushing::rows(const SpatialMotion& b1, const SpatialMotion& b2, SpatialRow out[6]) const {
  for (int i = 0; i < 3; ++i) offset_[i].row(b1, b2, 0, out[i]);
  twist_.rows(b1, b2, out + 3);
}

void Bushing::measure(const SpatialMotion& b1, const SpatialMotion& b2, double x[6], double x_dot[6]) const {
  SpatialRow row[6];
  rows(b1, b2, row);
  for (int i = 0; i < 3; ++i) x[i] = offset_[i].value(b1, b2, 0);
  const Vec3 theta = twist_.value(b1, b2);
  std::copy(theta.begin(), theta.end(), x + 3);
  for (int i = 0; i < 6; ++i) x_dot[i] = row[i].speed(b1, b2);
}

void Bushing::load(const SpatialMotion& b1, const SpatialMotion& b2, SpatialLoad& out) const {
  SpatialRow row[6];
  rows(b1, b2, row);
  double x[6], x_dot[6], w[6];
  measure(b1, b2, x, x_dot);
  for (int i = 0; i < 6; ++i) {
    w[i] = 0;
    for (int j = 0; j < 6; ++j) w[i] += K_[6 * i + j] * x[j] + C_[6 * i + j] * x_dot[j];
  }
  add_load({row, 6}, w, out);
}

void Bushing::slope(const SpatialMotion& b1, const SpatialMotion& b2, SpatialLoadSlope& out) const {
  SpatialRow row[6];
  SpatialRowSlope of[6];
  rows(b1, b2, row);
  for (int i = 0; i < 3; ++i) offset_[i].slope(b1, b2, of[i]);
  twist_.slopes(b1, b2, of + 3);
  double x[6], x_dot[6];
  measure(b1, b2, x, x_dot);
  Effort effort;
  std::copy(K_, K_ + 36, effort.by_x);
  std::copy(C_, C_ + 36, effort.by_rate);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) effort.w[i] += K_[6 * i + j] * x[j] + C_[6 * i + j] * x_dot[j];
  add_slope({row, 6}, {of, 6}, effort, b1, b2, out);
}

double Bushing::energy(const SpatialMotion& b1, const SpatialMotion& b2) const {
  double x[6], x_dot[6], sum = 0;
  measure(b1, b2, x, x_dot);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) sum += 0.5 * x[i] * K_[6 * i + j] * x[j];
  return sum;
}

}  // namespace hstar

// src/mechanism/spatial/dot_product.cpp: derivatives by virtual displacements. With delta A = A skew(delta pi_bar),
//   delta(A c) = A (delta pi_bar x c),   (A c)_dot = A (omega_bar x c),   bias = A (omega_bar x (omega_bar x c)).
#include "mechanism/spatial/dot_product.hpp"

namespace hstar {
namespace {

/// A vector at an instant: u, u_dot, and u_ddot without accelerations.
struct Carried {
  Vec3 value, rate{0, 0, 0}, bias{0, 0, 0};
  Vec3 arm_rate[2] = {{0, 0, 0}, {0, 0, 0}}, arm_bias[2] = {{0, 0, 0}, {0, 0, 0}};  ///< of A_k c_k, body axes

  Carried(const VectorField& field, const SpatialMotion* const body[2]) : value(field.constant) {
    for (int k = 0; k < 2; ++k) {
      const SpatialMotion& b = *body[k];
      if (field.m[k] != 0) {
        value = value + field.m[k] * b.r;
        rate = rate + field.m[k] * b.v;
      }
      if (!field.turns[k]) continue;
      arm_rate[k] = cross(b.omega_bar, field.c[k]);
      arm_bias[k] = cross(b.omega_bar, arm_rate[k]);
      value = value + b.A * field.c[k];
      rate = rate + b.A * arm_rate[k];
      bias = bias + b.A * arm_bias[k];
    }
  }
};

/// Adds (d u . w) by displacements: m_k w, and c_k x (A_k^T w).
void add_columns(const VectorField& u, const Vec3& w, const SpatialMotion* const body[2], double J[2][6]) {
  for (int k = 0; k < 2; ++k) {
    if (u.m[k] != 0)
      for (std::size_t i = 0; i < 3; ++i) J[k][i] += u.m[k] * w[i];
    if (!u.turns[k]) continue;
    const Vec3 turn = cross(u.c[k], body[k]->bar(w));
    for (std::size_t i = 0; i < 3; ++i) J[k][3 + i] += turn[i];
  }
}

/// Columns of du, 12 global vectors.
void columns_of(const VectorField& u, const SpatialMotion* const body[2], Vec3 out[12]) {
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t i = 0; i < 3; ++i) {
      out[6 * k + i] = {0, 0, 0};
      out[6 * k + i][i] = u.m[k];
      Vec3 e{0, 0, 0};
      e[i] = 1;
      out[6 * k + 3 + i] = u.turns[k] ? body[k]->A * cross(e, u.c[k]) : Vec3{0, 0, 0};
    }
}

/// Adds what turning body k does to A_k x . w, x in body axes: x cross (A_k^T w).
void add_turned(const Vec3& x, const Vec3& w, const SpatialMotion& b, double factor, double* out) {
  const Vec3 turn = cross(x, b.bar(w));
  for (std::size_t i = 0; i < 3; ++i) out[i] += factor * turn[i];
}

/// Adds the part of the slopes in which u is differentiated twice (J) or its bias and rate once (gamma).
void add_curvature(const VectorField& u, const Carried& at, const Carried& w, const SpatialMotion* const body[2],
                   SpatialRowSlope& slope) {
  for (int k = 0; k < 2; ++k) {
    if (!u.turns[k]) continue;
    const Vec3 local = body[k]->bar(w.value);
    const double along = dot(local, u.c[k]);
    // w . A (e_b x (e_a x c)) = (A^T w)_a c_b - delta_ab (A^T w . c).
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b)
        slope.J[6 * k + 3 + static_cast<int>(a)][6 * k + 3 + static_cast<int>(b)] +=
            local[a] * u.c[k][b] - (a == b ? along : 0);
    add_turned(at.arm_bias[k], w.value, *body[k], -1, slope.gamma + 6 * k + 3);
    add_turned(at.arm_rate[k], w.rate, *body[k], -2, slope.gamma + 6 * k + 3);
  }
}

}  // namespace

VectorField VectorField::fixed(const Vec3& global) {
  VectorField field;
  field.constant = global;
  return field;
}

VectorField VectorField::direction(int k, const Vec3& a) {
  VectorField field;
  field.c[k] = a;
  field.turns[k] = true;
  return field;
}

VectorField VectorField::between(const Vec3& s1, const Vec3& s2) {
  VectorField field;
  field.m[0] = -1;
  field.m[1] = 1;
  field.c[0] = -1.0 * s1;
  field.c[1] = s2;
  field.turns[0] = norm(s1) > 0;
  field.turns[1] = norm(s2) > 0;
  return field;
}

double value(const DotProduct& x, const SpatialMotion& b1, const SpatialMotion& b2) {
  const auto at = [&](const VectorField& field) {
    Vec3 sum = field.constant + field.m[0] * b1.r + field.m[1] * b2.r;
    if (field.turns[0]) sum = sum + b1.A * field.c[0];
    if (field.turns[1]) sum = sum + b2.A * field.c[1];
    return sum;
  };
  return dot(at(x.u), at(x.w));
}

void fill_row(const DotProduct& x, const SpatialMotion& b1, const SpatialMotion& b2, SpatialRow& row) {
  const SpatialMotion* const body[2] = {&b1, &b2};
  const Carried u(x.u, body), w(x.w, body);
  for (auto& side : row.J)
    for (double& entry : side) entry = 0;
  add_columns(x.u, w.value, body, row.J);
  add_columns(x.w, u.value, body, row.J);
  row.nu = 0;
  row.gamma = -(dot(u.bias, w.value) + dot(u.value, w.bias) + 2 * dot(u.rate, w.rate));
}

void fill_slope(const DotProduct& x, const SpatialMotion& b1, const SpatialMotion& b2, SpatialRowSlope& slope) {
  const SpatialMotion* const body[2] = {&b1, &b2};
  const Carried u(x.u, body), w(x.w, body);
  Vec3 du[12], dw[12];
  columns_of(x.u, body, du);
  columns_of(x.w, body, dw);
  for (int b = 0; b < 12; ++b) {
    for (int a = 0; a < 12; ++a) slope.J[a][b] = dot(du[a], dw[b]) + dot(dw[a], du[b]);
    slope.gamma[b] = -dot(dw[b], u.bias) - dot(du[b], w.bias);
  }
  add_curvature(x.u, u, w, body, slope);
  add_curvature(x.w, w, u, body, slope);
}

}  // namespace hstar

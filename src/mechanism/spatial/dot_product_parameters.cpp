// src/mechanism/spatial/dot_product_parameters.cpp: u . w in the r-p description. A(p) c is quadratic in p, so that
// B is linear in p, (A c)_dot = B(p, c) p_dot and the term of (A c)_ddot without p_ddot is B(p_dot, c) p_dot.
#include "mechanism/spatial/dot_product.hpp"

namespace hstar {
namespace {

Vec3 times(const Mat34& m, const EulerParameters& x) {
  Vec3 out;
  for (std::size_t i = 0; i < 3; ++i) out[i] = m[i][0] * x[0] + m[i][1] * x[1] + m[i][2] * x[2] + m[i][3] * x[3];
  return out;
}

/// A vector and its derivatives by (r, p) of both bodies.
struct Carried {
  Vec3 value, rate{0, 0, 0}, bias{0, 0, 0};
  Vec3 by[14], rate_by[14];

  Carried(const VectorField& field, const ParameterMotion* const body[2]) : value(field.constant) {
    for (std::size_t k = 0; k < 2; ++k) {
      const ParameterMotion& b = *body[k];
      for (std::size_t i = 0; i < 7; ++i) by[7 * k + i] = rate_by[7 * k + i] = {0, 0, 0};
      value = value + field.m[k] * b.r;
      rate = rate + field.m[k] * b.v;
      for (std::size_t i = 0; i < 3; ++i) by[7 * k + i][i] = field.m[k];
      if (!field.turns[k]) continue;
      const Mat34 B = matrix_B(b.p, field.c[k]), B_dot = matrix_B(b.p_dot, field.c[k]);
      value = value + quadratic_rotation(b.p) * field.c[k];
      rate = rate + times(B, b.p_dot);
      bias = bias + times(B_dot, b.p_dot);
      for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t i = 0; i < 3; ++i) {
          by[7 * k + 3 + j][i] = B[i][j];
          rate_by[7 * k + 3 + j][i] = B_dot[i][j];
        }
    }
  }
};

/// Adds K(c, w) = d(B(p, c)^T w)/dp, which p does not enter:
///   2 [c . w, (c x w)^T; c x w, c w^T + w c^T - (c . w) I].
void add_second(const VectorField& u, const Vec3& w, ParameterRowSlope& slope) {
  for (int k = 0; k < 2; ++k) {
    if (!u.turns[k]) continue;
    const Vec3 &c = u.c[k], across = cross(c, w);
    const double along = dot(c, w);
    const int at = 7 * k + 3;
    slope.J[at][at] += 2 * along;
    for (int i = 0; i < 3; ++i) {
      const auto a = static_cast<std::size_t>(i);
      slope.J[at][at + 1 + i] += 2 * across[a];
      slope.J[at + 1 + i][at] += 2 * across[a];
      for (int j = 0; j < 3; ++j) {
        const auto b = static_cast<std::size_t>(j);
        slope.J[at + 1 + i][at + 1 + j] += 2 * (c[a] * w[b] + w[a] * c[b] - (i == j ? along : 0));
      }
    }
  }
}

}  // namespace

Mat3 quadratic_rotation(const EulerParameters& p) {
  const Vec3 e{p[1], p[2], p[3]};
  return (p[0] * p[0] - dot(e, e)) * identity3 + 2 * (outer(e, e) + p[0] * skew(e));
}

Mat34 matrix_B(const EulerParameters& p, const Vec3& c) {
  // 2 [(e0 I + e~) c, e c^T - (e0 I + e~) c~].
  const Vec3 e{p[1], p[2], p[3]}, first = p[0] * c + cross(e, c);
  const Mat3 rest = outer(e, c) - (p[0] * identity3 + skew(e)) * skew(c);
  Mat34 B;
  for (std::size_t i = 0; i < 3; ++i) B[i] = {2 * first[i], 2 * rest[i][0], 2 * rest[i][1], 2 * rest[i][2]};
  return B;
}

double value(const DotProduct& x, const ParameterMotion& b1, const ParameterMotion& b2) {
  const ParameterMotion* const body[2] = {&b1, &b2};
  return dot(Carried(x.u, body).value, Carried(x.w, body).value);
}

void fill_row(const DotProduct& x, const ParameterMotion& b1, const ParameterMotion& b2, ParameterRow& row) {
  const ParameterMotion* const body[2] = {&b1, &b2};
  const Carried u(x.u, body), w(x.w, body);
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 7; ++i) row.J[k][i] = dot(u.by[7 * k + i], w.value) + dot(w.by[7 * k + i], u.value);
  row.nu = 0;
  row.gamma = -(dot(u.bias, w.value) + dot(u.value, w.bias) + 2 * dot(u.rate, w.rate));
}

void fill_slope(const DotProduct& x, const ParameterMotion& b1, const ParameterMotion& b2, ParameterRowSlope& slope) {
  const ParameterMotion* const body[2] = {&b1, &b2};
  const Carried u(x.u, body), w(x.w, body);
  for (int b = 0; b < 14; ++b) {
    for (int a = 0; a < 14; ++a) slope.J[a][b] = dot(u.by[a], w.by[b]) + dot(w.by[a], u.by[b]);
    slope.gamma[b] =
        -(dot(w.by[b], u.bias) + dot(u.by[b], w.bias) + 2 * dot(u.rate_by[b], w.rate) + 2 * dot(w.rate_by[b], u.rate));
  }
  add_second(x.u, w.value, slope);
  add_second(x.w, u.value, slope);
}

}  // namespace hstar

// src/math/soc.hpp
//
// Second-order cones K = { (u_0, u): |u| <= u_0 } of 1 to 4 entries: how far a line stays inside, and the scaling of
// Nesterov & Todd, W y = W^-1 s, of two points inside (Vandenberghe 2010).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar::math::soc {

inline double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}
inline double tail(const double* u, int n) { return std::sqrt(dot(u + 1, u + 1, n - 1)); }

/// u_0^2 - |u|^2, without cancellation of squares.
inline double determinant(const double* u, int n) {
  const double t = tail(u, n);
  return (u[0] - t) * (u[0] + t);
}

/// Largest a with u + a d in the cone; infinite if always.
inline double reach(const double* u, const double* d, int n) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (n == 1) return d[0] < 0 ? -u[0] / d[0] : infinite;
  // (u_0 + a d_0)^2 = |u + a d|^2
  const double A = d[0] * d[0] - dot(d + 1, d + 1, n - 1), B = u[0] * d[0] - dot(u + 1, d + 1, n - 1);
  if (A >= 0 && B >= 0) return infinite;
  // (B^2 >= A C for u inside: less is the round-off of a line that leaves through the apex.)
  const double C = determinant(u, n), root = std::max(0.0, B * B - A * C);
  return B <= 0 ? C / (std::sqrt(root) - B) : -(B + std::sqrt(root)) / A;
}

/// W = eta (2 v v^T - J) with v = sqrt of w: kept as w and eta. False at the boundary.
inline bool scaling(const double* s, const double* y, int n, double* w, double& eta) {
  const double ds = determinant(s, n), dy = determinant(y, n);
  if (!(ds > 0 && dy > 0 && s[0] > 0 && y[0] > 0)) return false;
  const double ns = std::sqrt(ds), ny = std::sqrt(dy);
  const double g = std::sqrt((1 + dot(s, y, n) / (ns * ny)) / 2);
  for (int k = 0; k < n; ++k) w[k] = (s[k] / ns + (k == 0 ? y[k] : -y[k]) / ny) / (2 * g);
  eta = std::sqrt(ns / ny);
  return true;
}

/// W u
inline void scaled(const double* w, double eta, const double* u, double* out, int n) {
  const double along = dot(w + 1, u + 1, n - 1), first = u[0];
  out[0] = eta * (w[0] * first + along);
  for (int k = 1; k < n; ++k) out[k] = eta * (u[k] + w[k] * (first + along / (1 + w[0])));
}

/// W^-1 u
inline void unscaled(const double* w, double eta, const double* u, double* out, int n) {
  const double along = dot(w + 1, u + 1, n - 1), first = u[0];
  out[0] = (w[0] * first - along) / eta;
  for (int k = 1; k < n; ++k) out[k] = (u[k] + w[k] * (along / (1 + w[0]) - first)) / eta;
}

/// x with lambda o x = r (Jordan product).
inline void divide(const double* lambda, const double* r, double* x, int n) {
  const double first = (lambda[0] * r[0] - dot(lambda + 1, r + 1, n - 1)) / determinant(lambda, n);
  for (int k = 1; k < n; ++k) x[k] = (r[k] - first * lambda[k]) / lambda[0];
  x[0] = first;
}

}  // namespace hstar::math::soc

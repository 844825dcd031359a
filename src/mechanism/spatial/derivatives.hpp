// src/mechanism/spatial/derivatives.hpp
//
// Numbers that carry derivatives, so that the geometry of a contact is written once and its rows and their slopes are
// exact (forward differentiation; Griewank & Walther 2008, ch. 3 and 13). A number of type S is one of
//   double,
//   Timed<double>: value and rate along the motion at (r_dot, omega_bar), accelerations left out,
//   Timed<Slope>: both, with their derivatives by the virtual displacements of two bodies, (delta r, delta pi_bar) of
//   the first, then of the second, r_dot and omega_bar held.
#pragma once

#include <array>
#include <cmath>

#include "mechanism/spatial/motion.hpp"

namespace hstar::geometry {

using hstar::cross;
using hstar::dot;
using hstar::operator+;
using hstar::operator-;
using hstar::operator*;

/// A value and its derivatives by 12 virtual displacements.
struct Slope {
  double v = 0;
  std::array<double, 12> by{};
  Slope() = default;
  Slope(double value) : v(value) {}  // NOLINT: constants mix with numbers
};

/// Value, and derivative f * a_by + g * b_by.
inline Slope combined(double value, double f, const Slope& a, double g, const Slope& b) {
  Slope c(value);
  for (std::size_t i = 0; i < 12; ++i) c.by[i] = f * a.by[i] + g * b.by[i];
  return c;
}
inline Slope scaled(double value, double f, const Slope& a) {
  Slope c(value);
  for (std::size_t i = 0; i < 12; ++i) c.by[i] = f * a.by[i];
  return c;
}
inline Slope operator+(const Slope& a, const Slope& b) { return combined(a.v + b.v, 1, a, 1, b); }
inline Slope operator-(const Slope& a, const Slope& b) { return combined(a.v - b.v, 1, a, -1, b); }
inline Slope operator*(const Slope& a, const Slope& b) { return combined(a.v * b.v, b.v, a, a.v, b); }
inline Slope operator*(double f, const Slope& a) { return scaled(f * a.v, f, a); }
inline Slope inverse(const Slope& a) { return scaled(1 / a.v, -1 / (a.v * a.v), a); }
inline double inverse(double a) { return 1 / a; }
inline Slope root(const Slope& a) { return scaled(std::sqrt(a.v), 0.5 / std::sqrt(a.v), a); }
inline double root(double a) { return std::sqrt(a); }

/// A value and its time derivative.
template <class T>
struct Timed {
  T v{}, rate{};
  Timed() = default;
  Timed(double value) : v(value) {}  // NOLINT: constants mix with numbers
  Timed(const T& value, const T& time_rate) : v(value), rate(time_rate) {}
};
template <class T>
Timed<T> operator+(const Timed<T>& a, const Timed<T>& b) {
  return {a.v + b.v, a.rate + b.rate};
}
template <class T>
Timed<T> operator-(const Timed<T>& a, const Timed<T>& b) {
  return {a.v - b.v, a.rate - b.rate};
}
template <class T>
Timed<T> operator*(const Timed<T>& a, const Timed<T>& b) {
  return {a.v * b.v, a.v * b.rate + a.rate * b.v};
}
template <class T>
Timed<T> operator*(double f, const Timed<T>& a) {
  return {f * a.v, f * a.rate};
}
template <class T>
Timed<T> inverse(const Timed<T>& a) {
  const T v = inverse(a.v);
  return {v, -1.0 * (v * v * a.rate)};
}
template <class T>
Timed<T> root(const Timed<T>& a) {
  const T v = root(a.v);
  return {v, 0.5 * (inverse(v) * a.rate)};
}

inline double plain(double x) { return x; }
inline double plain(const Slope& x) { return x.v; }
template <class T>
double plain(const Timed<T>& x) {
  return plain(x.v);
}

/// A vector of numbers of type S.
template <class S>
struct Vector {
  S x{}, y{}, z{};
};
template <class S>
Vector<S> constant(const Vec3& a) {
  return {S(a[0]), S(a[1]), S(a[2])};
}
template <class S>
Vector<S> operator+(const Vector<S>& a, const Vector<S>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S>
Vector<S> operator-(const Vector<S>& a, const Vector<S>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S>
Vector<S> operator*(const S& f, const Vector<S>& a) {
  return {f * a.x, f * a.y, f * a.z};
}
template <class S>
Vector<S> times(double f, const Vector<S>& a) {
  return {f * a.x, f * a.y, f * a.z};
}
template <class S>
S dot(const Vector<S>& a, const Vector<S>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S>
Vector<S> cross(const Vector<S>& a, const Vector<S>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class S>
Vec3 plain(const Vector<S>& a) {
  return {plain(a.x), plain(a.y), plain(a.z)};
}
template <class T>
Vector<T> values(const Vector<Timed<T>>& a) {
  return {a.x.v, a.y.v, a.z.v};
}
template <class T>
Vector<T> rates(const Vector<Timed<T>>& a) {
  return {a.x.rate, a.y.rate, a.z.rate};
}

/// What a body carries, as numbers of type S. `which`: 0 first, 1 second body of the contact.
template <class S>
class Carrier;

template <>
class Carrier<double> {
 public:
  Carrier(const SpatialMotion& body, int /*which*/) : b_(body) {}
  [[nodiscard]] Vector<double> direction(const Vec3& bar) const { return constant<double>(b_.A * bar); }
  [[nodiscard]] Vector<double> point(const Vec3& local) const { return constant<double>(b_.point(local)); }

 private:
  const SpatialMotion& b_;
};

template <>
class Carrier<Timed<double>> {
 public:
  Carrier(const SpatialMotion& body, int /*which*/) : b_(body) {}
  [[nodiscard]] Vector<Timed<double>> direction(const Vec3& bar) const {
    return timed(b_.A * bar, b_.A * cross(b_.omega_bar, bar));
  }
  [[nodiscard]] Vector<Timed<double>> point(const Vec3& local) const {
    return timed(b_.point(local), b_.velocity(local));
  }

 private:
  static Vector<Timed<double>> timed(const Vec3& u, const Vec3& rate) {
    return {{u[0], rate[0]}, {u[1], rate[1]}, {u[2], rate[2]}};
  }
  const SpatialMotion& b_;
};

template <>
class Carrier<Timed<Slope>> {
 public:
  Carrier(const SpatialMotion& body, int which) : b_(body), at_(6 * static_cast<std::size_t>(which)) {}
  [[nodiscard]] Vector<Timed<Slope>> direction(const Vec3& bar) const {
    const Vec3 rate = cross(b_.omega_bar, bar);
    return {{component(bar, 0), component(rate, 0)},
            {component(bar, 1), component(rate, 1)},
            {component(bar, 2), component(rate, 2)}};
  }
  [[nodiscard]] Vector<Timed<Slope>> point(const Vec3& local) const {
    Vector<Timed<Slope>> p = direction(local);
    std::size_t i = 0;
    for (Timed<Slope>* x : {&p.x, &p.y, &p.z}) {
      x->v.v += b_.r[i];
      x->v.by[at_ + i] += 1;
      x->rate.v += b_.v[i];
      ++i;
    }
    return p;
  }

 private:
  /// Component i of A u: by turns, row i of A times (e_j x u), which is (u x row_i)_j.
  [[nodiscard]] Slope component(const Vec3& u, std::size_t i) const {
    Slope s(dot(b_.A[i], u));
    const Vec3 turn = cross(u, b_.A[i]);
    for (std::size_t j = 0; j < 3; ++j) s.by[at_ + 3 + j] = turn[j];
    return s;
  }
  const SpatialMotion& b_;
  std::size_t at_;
};

}  // namespace hstar::geometry

// events/src/bernstein.cpp
//
// Tables and elementary operations of bernstein.hpp.
#include "bernstein.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "hstar/events/newton_root.hpp"

namespace hstar::events::detail {
namespace {

using Real = long double;

Real node_at(int n, int j) {
  // sin^2 is exact at both ends and does not cancel near 0
  const Real s = std::sin(std::numbers::pi_v<Real> * j / (2 * n));
  return s * s;
}

Real binomial(int n, int k) {
  Real c = 1;
  for (int i = 1; i <= k; ++i) c = c * (n - k + i) / i;
  return c;
}

/// Inverse of the collocation matrix B_k(x_j) of degree n by elimination with row pivoting.
void fill_to_bernstein(int n, double* out) {
  Real a[kNodes][2 * kNodes] = {};
  const int m = n + 1;
  for (int j = 0; j < m; ++j) {
    const Real x = node_at(n, j);
    for (int k = 0; k < m; ++k) a[j][k] = binomial(n, k) * std::pow(x, Real(k)) * std::pow(1 - x, Real(n - k));
    a[j][m + j] = 1;
  }
  for (int c = 0; c < m; ++c) {
    int pivot = c;
    for (int r = c + 1; r < m; ++r)
      if (std::fabs(a[r][c]) > std::fabs(a[pivot][c])) pivot = r;
    for (int k = 0; k < 2 * m; ++k) std::swap(a[c][k], a[pivot][k]);
    for (int r = 0; r < m; ++r) {
      if (r == c) continue;
      const Real f = a[r][c] / a[c][c];
      for (int k = c; k < 2 * m; ++k) a[r][k] -= f * a[c][k];
    }
  }
  for (int r = 0; r < m; ++r)
    for (int k = 0; k < m; ++k) out[r * m + k] = static_cast<double>(a[r][m + k] / a[r][r]);
  // the end coefficients are the end values, exactly
  for (int k = 0; k < m; ++k) {
    out[k] = k == 0 ? 1.0 : 0.0;
    out[n * m + k] = k == n ? 1.0 : 0.0;
  }
}

/// Lagrange basis of the n/2 + 1 even nodes at the odd nodes of degree n.
void fill_to_odd(int n, double* out) {
  const int coarse = n / 2;
  for (int i = 0; i < coarse; ++i) {
    const Real x = node_at(n, 2 * i + 1);
    for (int k = 0; k <= coarse; ++k) {
      Real l = 1;
      for (int j = 0; j <= coarse; ++j)
        if (j != k) l *= (x - node_at(coarse, j)) / (node_at(coarse, k) - node_at(coarse, j));
      out[i * (coarse + 1) + k] = static_cast<double>(l);
    }
  }
}

ProxyTables make_tables() {
  ProxyTables t{};
  for (int j = 0; j < kNodes; ++j) t.node[j] = static_cast<double>(node_at(kMaxDegree, j));
  t.node[0] = 0.0;
  t.node[kMaxDegree] = 1.0;
  for (int level = 0; level < kLevels; ++level) {
    const int n = level_degree(level);
    fill_to_bernstein(n, t.to_bernstein[level].data());
    fill_to_odd(n, t.to_odd[level].data());
    double growth = 0.0;
    for (int r = 0; r <= n; ++r) {
      double sum = 0.0;
      for (int k = 0; k <= n; ++k) sum += std::fabs(t.to_bernstein[level][r * (n + 1) + k]);
      growth = std::max(growth, sum);
    }
    t.growth[level] = growth;
  }
  return t;
}

}  // namespace

const ProxyTables& proxy_tables() {
  static const ProxyTables tables = make_tables();
  return tables;
}

double Piece::value(double x, double* slope) const {
  // Horner's rule in x/(1-x), or from the other end in (1-x)/x: as stable as de Casteljau's triangle, at the cost of
  // one row of it (Schumaker & Volk, Comput. Aided Geom. Des. 3, 1986)
  const bool back = x > 0.5;
  const double y = 1.0 - x, u = back ? y / x : x / y, base = back ? x : y;
  const auto& of_value = kBinomials[n];
  const auto& of_slope = kBinomials[std::max(n - 1, 0)];
  double sum = of_value[0] * b[back ? 0 : n], rise = 0.0, power = 1.0;
  for (int k = n - 1; k >= 0; --k) {
    const int i = back ? n - 1 - k : k;
    rise = rise * u + of_slope[k] * (b[i + 1] - b[i]);
    sum = sum * u + of_value[k] * b[back ? n - k : k];
    if (k > 0) power *= base;
  }
  if (slope) *slope = n * rise * power;
  return n > 0 ? sum * power * base : sum;
}

void Piece::split(Piece& left, Piece& right) const {
  std::array<double, kNodes> c = b;
  const double half = 0.5 * w, start = a;
  const int degree = n;
  for (int m = degree; m >= 0; --m) {
    left.b[degree - m] = c[0];
    right.b[m] = c[m];
    for (int k = 0; k < m; ++k) c[k] = 0.5 * (c[k] + c[k + 1]);
  }
  left.n = right.n = degree;
  left.a = start;
  right.a = start + half;
  left.w = right.w = half;
}

int turns(const Piece& p, double noise, int& first) {
  int count = 0, last = 0;
  first = 0;
  for (int k = 0; k < p.n; ++k) {
    const double d = p.b[k + 1] - p.b[k];
    const int s = d > noise ? 1 : d < -noise ? -1 : 0;
    if (s == 0) continue;
    if (last == 0) first = s;
    if (last != 0 && s != last) ++count;
    last = s;
  }
  return count;
}

double root_in(const Piece& p, int order, int sign_lo, double lo, double hi) {
  Piece derived;
  const Piece* f = &p;
  if (order == 1) {
    derived.n = p.n - 1;
    for (int k = 0; k < p.n; ++k) derived.b[k] = p.b[k + 1] - p.b[k];
    f = &derived;
  }
  const double f_lo = f->value(lo), f_hi = f->value(hi);
  double x = lo + (hi - lo) * (f_lo / (f_lo - f_hi)), slope = 0.0;
  if (!(x > lo && x < hi)) x = 0.5 * (lo + hi);
  return newton_root([f](double at, double& rise) { return f->value(at, &rise); }, sign_lo,
                     {.lo = lo, .hi = hi, .x = x, .step_before = hi - lo}, slope);
}

}  // namespace hstar::events::detail

// events/src/bernstein.hpp
//
// Polynomials in Bernstein form on [0, 1] and the tables that take samples at nested Chebyshev-Lobatto
// nodes there. Bernstein form because its coefficients bound the polynomial: if all have one sign there
// is no root, if their differences have one sign it is monotone (Farouki, "The Bernstein polynomial
// basis: a centennial retrospective", 2012).
#pragma once

#include <array>
#include <cstddef>

namespace hstar::events::detail {

inline constexpr int kMaxDegree = 16;          ///< of the finest sampled polynomial
inline constexpr int kNodes = kMaxDegree + 1;  ///< nodes of the finest level
inline constexpr int kLevels = 3;              ///< degrees 4, 8, 16
inline constexpr double kRoundOff = 0x1p-52;

/// Binomial coefficients: Pascal's triangle up to the largest degree.
inline constexpr auto kBinomials = [] {
  std::array<std::array<double, kNodes>, kNodes> c{};
  for (int n = 0; n < kNodes; ++n) {
    c[n][0] = 1.0;
    for (int k = 1; k <= n; ++k) c[n][k] = c[n - 1][k - 1] + (k < n ? c[n - 1][k] : 0.0);
  }
  return c;
}();

/// Degree sampled at a level.
constexpr int level_degree(int level) { return 4 << level; }
/// Distance of the level's nodes in the finest list of nodes.
constexpr int level_stride(int level) { return 4 >> level; }

/// Constants, computed once: a function of nothing.
struct ProxyTables {
  std::array<double, kNodes> node;  ///< (1 - cos(pi j/16))/2, rising from exactly 0 to exactly 1
  /// values at the level's nodes -> Bernstein coefficients, row after row, n + 1 each
  std::array<std::array<double, kNodes * kNodes>, kLevels> to_bernstein;
  /// values at the even nodes -> the coarser polynomial at the level's odd nodes, n/2 rows of n/2 + 1
  std::array<std::array<double, kNodes * kNodes>, kLevels> to_odd;
  std::array<double, kLevels> growth;  ///< largest row sum of |to_bernstein|: how round-off grows
};
const ProxyTables& proxy_tables();

/// A polynomial on [a, a + w] of the step's own time tau in [0, 1].
struct Piece {
  int n = 0;
  double a = 0.0, w = 1.0;
  std::array<double, kNodes> b;

  /// Value and derivative by x in [0, 1], the piece's own coordinate (de Casteljau).
  double value(double x, double* slope = nullptr) const;
  /// Halves at x = 1/2; `right` may not be *this.
  void split(Piece& left, Piece& right) const;
};

/// Changes of sign in the differences of the coefficients, those below `noise` left out: 0 means
/// monotone, 1 one extremum. `first` is the sign of the first that counts (0: all are noise).
int turns(const Piece& p, double noise, int& first);

/// The root of p (order 0) or of p' (order 1) in [lo, hi], where it changes sign from `sign_lo` to the
/// other; at the ends themselves it may be round-off of either sign.
double root_in(const Piece& p, int order, int sign_lo, double lo, double hi);

}  // namespace hstar::events::detail

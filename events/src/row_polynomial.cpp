// events/src/row_polynomial.cpp
#include "row_polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "hstar/events/newton_root.hpp"

namespace hstar::events::detail {
namespace {

/// Row r is multiplied by s, then by 1-s, s, ... (dense_step.hpp); this says by what the rows after it are.
bool next_by_rest(int r) { return r % 2 == 0; }

double value(const LinearBound& g, double s, double& slope) {
  const double rest = 1.0 - s;
  double sum = g.row(g.rows() - 1), rise = 0.0;
  for (int r = g.rows() - 2; r >= 0; --r) {
    rise = next_by_rest(r) ? rest * rise - sum : s * rise + sum;
    sum = g.row(r) + (next_by_rest(r) ? rest : s) * sum;
  }
  slope = sum + s * rise;
  return g.start() + s * sum;
}

}  // namespace

/// P(s) = P(1) + (1-s) Q(s) and P(s) = P(0) + s Q(s) in turn: the coefficients of Q are those of P without the lowest,
/// in the first case each summed up with all after it and with the other sign, which is kept aside.
void add_rows_of(std::span<double> powers, LinearBound& guard) {
  const std::size_t count = std::min<std::size_t>(powers.size(), LinearBound::max_rows);
  double sign = 1.0;
  for (std::size_t r = 0; r < count; ++r) {
    const bool sums = r % 2 == 0;
    if (sums)
      for (std::size_t k = powers.size() - 1; k-- > r;) powers[k] += powers[k + 1];
    if (r > 0) guard.add_row(static_cast<int>(r), sign * powers[r]);
    if (sums) sign = -sign;
  }
}

void piece_of(const LinearBound& g, Piece& p) {
  // Coefficients times binomials, c_k s^k (1-s)^(m-k): a factor 1-s appends a zero, a factor s shifts, a constant adds
  // itself times a binomial.
  const int n = g.rows();
  auto& c = p.b;
  c[0] = g.row(n - 1);
  for (int m = 1; m <= n; ++m) {
    const int r = n - 1 - m;
    if (r >= 0 && next_by_rest(r)) {
      c[m] = 0.0;
    } else {
      for (int k = m; k > 0; --k) c[k] = c[k - 1];
      c[0] = 0.0;
    }
    const double constant = r >= 0 ? g.row(r) : g.start();
    for (int k = 0; k <= m; ++k) c[k] += constant * kBinomials[m][k];
  }
  for (int k = 1; k < n; ++k) c[k] /= kBinomials[n][k];
  c[0] = g.start();
  c[n] = g.end();
  p.n = n;
  p.a = 0.0;
  p.w = 1.0;
}

double root_of(const LinearBound& g, int sign, double& slope) {
  return newton_root([&](double s, double& rise) { return value(g, s, rise); }, sign, {}, slope);
}

}  // namespace hstar::events::detail

// tests/oracle/solver/flight.cpp
#include "solver/flight.hpp"

#include <algorithm>
#include <cmath>

#include "solver/first_root.hpp"

namespace oracle {

using std::sqrt;

namespace {

/// The norm of A in scaled coordinates: rows and columns are balanced (Osborne 1960), so that it is near the largest
/// frequency and does not hang on units. Equations without a cycle can be scaled to nothing; `floor` ends that.
template <class R>
R balanced_norm(std::vector<Vector<R>> a) {
  const std::size_t n = a.size();
  const R floor = R(1) / 1000;
  for (int round = 0; round < 6; ++round)
    for (std::size_t i = 0; i < n; ++i) {
      R row = floor, column = floor;
      for (std::size_t j = 0; j < n; ++j) {
        if (j == i) continue;
        row += absolute(a[i][j]);
        column += absolute(a[j][i]);
      }
      const R scale = sqrt(R(row / column));
      for (std::size_t j = 0; j < n; ++j) {
        if (j == i) continue;
        a[i][j] /= scale;
        a[j][i] *= scale;
      }
    }
  R norm = 0;
  for (const Vector<R>& row : a) {
    R sum = 0;
    for (const R& x : row) sum += absolute(x);
    norm = sum > norm ? sum : norm;
  }
  return norm;
}

}  // namespace

template <class R>
Flight<R>::Flight(const Motion<R>& motion, std::vector<Guard> guards) : guards_(std::move(guards)) {
  for (const Vector<R>& row : motion.rate) {
    rate_.emplace_back();
    for (std::size_t j = 0; j < row.size(); ++j)
      if (row[j] != 0) rate_.back().emplace_back(j, row[j]);
  }
  longest_ = Precision<R>::reach() / balanced_norm(motion.rate);
}

template <class R>
Vector<R> Flight<R>::rate(const Vector<R>& z) const {
  Vector<R> result(z.size(), R(0));
  for (std::size_t i = 0; i < z.size(); ++i)
    for (const auto& [j, x] : rate_[i]) result[i] += x * z[j];
  return result;
}

template <class R>
std::size_t Flight<R>::degree(const R& h) const {
  // What is left out shrinks like x^k / k!: no less of it than of the longest step at the highest degree.
  const auto log_rest = [](const R& x, std::size_t k) {
    const auto n = static_cast<double>(k + 1);
    return n * std::log(static_cast<double>(x)) - std::lgamma(n + 1);
  };
  const double wanted = log_rest(Precision<R>::reach(), Precision<R>::degree);
  const R x = Precision<R>::reach() * h / longest_;
  std::size_t k = 12;  // (above the order of a guard's first derivative that is not zero)
  while (k < Precision<R>::degree && log_rest(x, k) > wanted) ++k;
  return k;
}

template <class R>
auto Flight<R>::go(const R& start, const Vector<R>& from, const R& last, const R& guess) const -> End {
  End end{start, from, std::vector<char>(guards_.size(), 0)};
  R longest = guess > 0 && guess < longest_ ? guess : longest_;
  for (bool first = true; end.t < last; first = false) {
    const bool arrives = last - end.t <= longest;
    const R h = arrives ? R(last - end.t) : longest;
    const std::size_t degree = this->degree(h);
    longest = std::min(longest_, R(longest * 1000));
    std::vector<Vector<R>> series{end.z};
    for (std::size_t k = 1; k <= degree; ++k) {
      series.push_back(rate(series.back()));
      for (R& x : series.back()) x /= R(static_cast<long>(k));
    }
    std::vector<std::optional<R>> roots(guards_.size());
    std::optional<R> nearest;
    for (std::size_t g = 0; g < guards_.size(); ++g) {
      Vector<R> c;
      for (const Vector<R>& term : series) c.push_back(dot(guards_[g].row, term));
      const FirstRoot<R> root = first_root(c, first ? guards_[g].order : 0, h);
      end.unresolved = end.unresolved || root.unresolved;
      roots[g] = root.s;
      if (root.s && (!nearest || *root.s < *nearest)) nearest = root.s;
    }
    const R s = nearest ? *nearest : h;
    Vector<R> z(series.back());
    for (std::size_t k = degree; k-- > 0;)
      for (std::size_t i = 0; i < z.size(); ++i) z[i] = z[i] * s + series[k][i];
    end.z = std::move(z);
    end.t = arrives && !nearest ? last : R(end.t + s);
    if (end.unresolved) return end;
    if (!nearest) continue;
    for (std::size_t g = 0; g < guards_.size(); ++g)
      end.fired[g] = roots[g] && *roots[g] - *nearest <= Precision<R>::zero() * (1 + end.t);
    return end;
  }
  return end;
}

template class Flight<Fast>;
template class Flight<Exact>;

}  // namespace oracle

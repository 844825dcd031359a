// tests/oracle/solver/first_root.cpp
//
// Bernstein coefficients bound a polynomial on an interval; where they do not decide, the interval is halved. A part on
// which they fall all the way from above zero to below has one root.
#include "solver/first_root.hpp"

namespace oracle {

namespace {

template <class R>
R at(const Vector<R>& a, const R& u) {
  R sum = 0;
  for (std::size_t k = a.size(); k-- > 0;) sum = sum * u + a[k];
  return sum;
}

template <class R>
R slope_at(const Vector<R>& a, const R& u) {
  R sum = 0;
  for (std::size_t k = a.size(); k-- > 1;) sum = sum * u + R(static_cast<long>(k)) * a[k];
  return sum;
}

template <class R>
Vector<R> bernstein(const Vector<R>& a) {
  // b_i = sum_j C(i, j) / C(n, j) a_j, by differences: repeated sums of the scaled coefficients.
  const std::size_t n = a.size() - 1;
  Vector<R> b(a);
  R binomial = 1;
  for (std::size_t j = 1; j <= n; ++j) {
    binomial = binomial * R(static_cast<long>(n - j + 1)) / R(static_cast<long>(j));
    b[j] /= binomial;
  }
  for (std::size_t round = 0; round < n; ++round)
    for (std::size_t i = n; i > round; --i) b[i] += b[i - 1];
  return b;
}

/// The root of a, which falls from above to below zero between lo and hi.
template <class R>
R polish(const Vector<R>& a, R lo, R hi) {
  R u = (lo + hi) / 2;
  for (int i = 0; i < 400 && hi - lo > 0; ++i) {
    const R f = at(a, u);
    if (f == 0) return u;
    (f > 0 ? lo : hi) = u;
    const R slope = slope_at(a, u);
    R next = slope < 0 ? R(u - f / slope) : lo;
    if (!(next > lo && next < hi)) next = (lo + hi) / 2;
    if (next == u || next == lo || next == hi) return next;
    u = next;
  }
  return u;
}

template <class R>
FirstRoot<R> search(const Vector<R>& a, const Vector<R>& b, const R& lo, const R& hi, int depth) {
  bool positive = true, falls = true;
  for (std::size_t i = 0; i < b.size(); ++i) {
    positive = positive && b[i] > 0;
    falls = falls && (i == 0 || b[i] <= b[i - 1]);
  }
  if (positive) return {};
  if (b.front() <= 0) return {lo, false};
  if (falls) return {b.back() < 0 ? polish(a, lo, hi) : hi, false};
  if (depth == 0) return {std::nullopt, true};
  // de Casteljau's rule at the middle: the left part's coefficients are the first of each round, the right part's the
  // last.
  const std::size_t n = b.size() - 1;
  Vector<R> left(b), work(b);
  for (std::size_t round = 1; round <= n; ++round) {
    for (std::size_t i = 0; i + round <= n; ++i) work[i] = (work[i] + work[i + 1]) / 2;
    left[round] = work[0];
  }
  const R middle = (lo + hi) / 2;
  const FirstRoot<R> first = search(a, left, lo, middle, depth - 1);
  return first.s || first.unresolved ? first : search(a, work, middle, hi, depth - 1);
}

}  // namespace

template <class R>
FirstRoot<R> first_root(const Vector<R>& c, std::size_t order, const R& h) {
  Vector<R> a;  // of u = s / h, divided by u^order
  R power = 1, others = 0;
  for (std::size_t k = 0; k < c.size(); ++k, power *= h)
    if (k >= order) a.push_back(c[k] * power);
  for (std::size_t k = 1; k < a.size(); ++k) others += absolute(a[k]);
  if (a[0] > others) return {};
  FirstRoot<R> root = search(a, bernstein(a), R(0), R(1), Precision<R>::halvings);
  if (root.s) root.s = *root.s * h;
  return root;
}

template FirstRoot<Fast> first_root(const Vector<Fast>&, std::size_t, const Fast&);
template FirstRoot<Exact> first_root(const Vector<Exact>&, std::size_t, const Exact&);

}  // namespace oracle

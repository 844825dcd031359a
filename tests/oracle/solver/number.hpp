// tests/oracle/solver/number.hpp: the two kinds of numbers the oracle computes in, and what is zero in them.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

namespace oracle {

using Fast = long double;
using Exact = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;

/// `zero`: what a sum of terms of size 1 may leave when the true value is zero; the exact states at events are known to
/// about a hundred units in the last place. `doubtful`: what is nearer to zero than this without being zero is decided
/// again in more digits. `degree` and `reach`: a Taylor polynomial of this degree, over a step that is `reach` times
/// the inverse norm of the equations, leaves a remainder below the last place. `halvings`: of a step, before what looks
/// like a double root in it is one; flights are as short as the last burst is, and less.
/// `last_interval`: impacts of one contact that follow each other as fast [s] are taken to their limit. `last_burst`:
/// so are those of several contacts in turn, whose speeds may shrink much more slowly than the times between them; in
/// few digits, where gaps have round-off by then, what different contacts do within this time is decided again.
/// `faded`: until their speeds are this part of the largest; `negligible`: a change of velocity by this part of the
/// largest is a hundredth of the least bound of the tightest tolerance (100 rtol, rtol = 1e-11). In Exact numbers
/// speeds that fade are judged by their own size: zero() faded() = 1e-95 is above the round-off of the states (1e-98).
/// Gaps between the impacts of a burst are true ones, as small as last_burst() faded() = 1e-42: above doubtful().
/// `unseen`: a gap in double numbers is known to this part of the terms that it is the sum of: a flight that is lower
/// is not told from rest.
template <class R>
struct Precision;
template <>
struct Precision<Fast> {
  static Fast zero() { return 1e-15L; }
  static Fast doubtful() { return 1e-12L; }
  static Fast last_interval() { return 3e-6L; }
  static Fast last_burst() { return 3e-6L; }
  static Fast faded() { return 1e-15L; }
  static Fast negligible() { return 1e-12L; }
  static Fast unseen() { return 2.2e-16L; }
  static Fast reach() { return 2; }
  static constexpr std::size_t degree = 28;
  static constexpr int halvings = 48;
};
template <>
struct Precision<Exact> {
  static Exact zero() { return Exact("1e-75"); }
  static Exact doubtful() { return Exact("1e-70"); }
  static Exact last_interval() { return Exact("1e-20"); }
  static Exact last_burst() { return Exact("1e-22"); }
  static Exact faded() { return Exact("1e-20"); }
  static Exact negligible() { return Exact("1e-12"); }
  static Exact unseen() { return Exact("2.2e-16"); }
  static Exact reach() { return 4; }
  static constexpr std::size_t degree = 104;
  static constexpr int halvings = 250;
};

template <class R>
using Vector = std::vector<R>;

template <class R>
R absolute(const R& x) {
  return x < 0 ? R(-x) : x;
}

template <class R>
R dot(const Vector<R>& a, const Vector<R>& b) {
  R sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The sum of the sizes of the terms of dot(a, b).
template <class R>
R size_of_terms(const Vector<R>& a, const Vector<R>& b) {
  R sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += absolute(R(a[i] * b[i]));
  return sum;
}

/// y += factor x
template <class R>
void add(Vector<R>& y, const R& factor, const Vector<R>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += factor * x[i];
}

}  // namespace oracle

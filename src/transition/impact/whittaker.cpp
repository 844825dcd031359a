// src/transition/impact/whittaker.cpp: Newton's restitution with kinematic friction, in Whittaker's form.
#include <algorithm>
#include <cmath>

#include "math/dense.hpp"
#include "math/dense_eigen.hpp"
#include "transition/impact/impact_law.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {

/// |x| of the tangential part of a contact.
double size(const double* x, int directions) { return directions == 1 ? std::abs(*x) : std::hypot(x[0], x[1]); }

void by_moreau(const ImpactProblem& p, ImpactSolution& s) {
  ImpactLawEntry moreau;
  moreau.restores = ImpactLawEntry::Restores::velocity;
  moreau.solve(p, s);
}

/// Solves by elimination where no pivot is round-off of the others.
bool eliminate(std::vector<double> A, std::vector<double>& x) {
  const int n = static_cast<int>(x.size());
  std::vector<int> pivot(x.size());
  if (!math::lu(A.data(), n, pivot.data())) return false;
  double least = HUGE_VAL, largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    least = std::min(least, std::abs(A[i * x.size() + i]));
    largest = std::max(largest, std::abs(A[i * x.size() + i]));
  }
  if (!(least > n * tolerances::eps * largest)) return false;
  math::lu_solve(A.data(), n, pivot.data(), x.data());
  return true;
}

/// A x = b, x in place of b. Contacts that depend on each other, and in space one that cannot move in some tangential
/// direction, make the equations singular, with the smallest x of all. False if there is none.
bool solve(const std::vector<double>& A, std::vector<double>& x, bool may_be_singular) {
  const auto n = static_cast<Eigen::Index>(x.size());
  if (!may_be_singular && eliminate(A, x)) return true;
  const Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> matrix(A.data(), n, n);
  Eigen::Map<Eigen::VectorXd> right(x.data(), n);
  const Eigen::VectorXd answer = math::least_norm(matrix, right, 0);
  const double terms = (matrix.cwiseAbs() * answer.cwiseAbs() + right.cwiseAbs()).maxCoeff();
  if ((matrix * answer - right).cwiseAbs().maxCoeff() > tolerances::impact_residual * terms) return false;
  right = answer;
  return true;
}

}  // namespace

void whittaker(const ImpactProblem& p, ImpactSolution& s) {
  // Contacts that approach take part; each first sticks; those whose impulse leaves the cone slip in their
  // first direction, until nothing changes.
  const int k = p.contacts, n = p.rows(), directions = p.directions;
  enum Kind : char { out, stick, slip };
  std::vector<Kind> kind(static_cast<std::size_t>(k));
  for (int i = 0; i < k; ++i) kind[i] = p.c[p.block() * i] < 0 ? stick : out;
  s.impulse.assign(static_cast<std::size_t>(n), 0.0);
  std::vector<double> A(static_cast<std::size_t>(n * n)), x(static_cast<std::size_t>(n));
  for (int round = 0; round <= 2 * k; ++round) {
    std::fill(A.begin(), A.end(), 0.0);
    std::fill(x.begin(), x.end(), 0.0);
    for (int i = 0; i < k; ++i) {
      const auto u = static_cast<std::size_t>(i);
      const int at = p.block() * i;
      const double* before = p.c.data() + at;
      for (int r = at; r < at + p.block(); ++r) {
        double* row = A.data() + r * n;
        if (kind[u] == out || (kind[u] == slip && r > at)) {
          row[r] = 1;
          if (kind[u] == slip) {
            const double speed = size(before + 1, directions);
            row[at] = p.mu[u] * (speed == 0 ? 1.0 : before[r - at] / speed);
          }
          continue;
        }
        for (int j = 0; j < n; ++j) row[j] = p.g(r, j);
        x[r] = r == at ? -(1 + p.e[u]) * *before : -before[r - at];
      }
    }
    // Contacts that depend on each other may ask for what contradicts itself: each its own restitution, each its own
    // direction. Then all share what they can.
    if (!solve(A, x, directions > 1)) {
      by_moreau(p, s);
      return;
    }
    bool changed = false;
    // (Those that take no part have none, not even round-off.)
    for (int i = 0; i < k; ++i)
      if (kind[i] == out) std::fill_n(x.begin() + p.block() * i, p.block(), 0.0);
    // One that would have to pull leaves faster than its restitution asks, struck by the others.
    int pulls = -1;
    for (int i = 0; i < k; ++i)
      if (const double impulse = x[p.block() * i]; impulse < 0 && (pulls < 0 || impulse < x[p.block() * pulls]))
        pulls = i;
    if (pulls >= 0) {
      kind[pulls] = out;
      continue;
    }
    for (int i = 0; i < k; ++i) {
      const auto u = static_cast<std::size_t>(i);
      const double* impulse = x.data() + p.block() * i;
      const double* before = p.c.data() + p.block() * i;
      if (kind[u] != stick || !(size(impulse + 1, directions) > p.mu[u] * *impulse * (1 + tolerances::restored)))
        continue;
      // From rest the slip opposes the impulse that would be needed to stick: Moreau's answer is the consistent one.
      if (size(before + 1, directions) == 0) {
        by_moreau(p, s);
        return;
      }
      kind[u] = slip;
      changed = true;
    }
    if (!changed) break;
  }
  s.impulse = x;
  s.solved = true;
  complete(p, s);
  // Who keeps the direction in which it slid may find no answer in which nothing pulls and all that approached are
  // restored; who turns it round does.
  for (int i = 0; i < k; ++i) {
    const auto normal = static_cast<std::size_t>(p.block() * i);
    const double restored = -p.e[i] * p.c[normal];
    if (x[normal] < 0 ||
        (p.c[normal] < 0 && s.velocity[normal] < restored - tolerances::restored * std::abs(p.c[normal]))) {
      s.clear();
      by_moreau(p, s);
      return;
    }
  }
  for (int i = 0; i < k; ++i)
    if (kind[i] == stick) s.slide[i] = 0;
}

}  // namespace hstar

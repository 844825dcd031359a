// src/transition/impact/newton.cpp: Newton's restitution in Moreau's and in Whittaker's form.
#include <algorithm>
#include <cmath>

#include "math/dense.hpp"
#include "transition/impact/friction_lcp.hpp"

namespace hstar {
ImpactSolution newton_moreau(const ImpactProblem& p) {
  // gamma_N+ + e gamma_N- >= 0 instead of gamma_N+ >= 0.
  ImpactSolution s;
  s.impulse.assign(static_cast<std::size_t>(2 * p.contacts), 0.0);
  std::vector<double> v = p.c;
  const std::vector<double> none(p.e.size(), 0.0);
  for (std::size_t i = 0; i < p.e.size(); ++i) v[2 * i] *= 1 + p.e[i];
  for (std::size_t i = 0; i < p.e_t.size(); ++i) v[2 * i + 1] *= 1 + p.e_t[i];
  s.solved = friction_lcp(p, v, none, s.impulse);
  if (s.solved)
    complete(p, s);
  else
    s.why = "no impulses satisfy Newton's law of restitution and Coulomb's law of friction together";
  return s;
}

ImpactSolution newton_whittaker(const ImpactProblem& p) {
  // Contacts that approach take part; each first sticks; those whose impulse leaves the cone slip in their
  // first direction, until nothing changes.
  const int k = p.contacts;
  enum Kind : char { out, stick, slip };
  std::vector<Kind> kind(static_cast<std::size_t>(k));
  for (int i = 0; i < k; ++i)
    kind[static_cast<std::size_t>(i)] = p.c[static_cast<std::size_t>(2 * i)] < 0 ? stick : out;
  ImpactSolution s;
  s.impulse.assign(static_cast<std::size_t>(2 * k), 0.0);
  std::vector<double> A(static_cast<std::size_t>(4 * k * k)), x(static_cast<std::size_t>(2 * k));
  std::vector<int> pivot(static_cast<std::size_t>(2 * k));
  for (int round = 0; round <= k; ++round) {
    const int n = 2 * k;
    for (int i = 0; i < k; ++i) {
      const auto u = static_cast<std::size_t>(i);
      double* rn = A.data() + 2 * i * n;
      double* rt = rn + n;
      std::fill(rn, rn + 2 * n, 0.0);
      if (kind[u] == out) {
        rn[2 * i] = rt[2 * i + 1] = 1;
        x[2 * u] = x[2 * u + 1] = 0;
        continue;
      }
      for (int j = 0; j < n; ++j) rn[j] = p.g(2 * i, j);
      x[2 * u] = -(1 + p.e[u]) * p.c[2 * u];
      if (kind[u] == stick) {
        for (int j = 0; j < n; ++j) rt[j] = p.g(2 * i + 1, j);
        x[2 * u + 1] = -p.c[2 * u + 1];
      } else {
        const double direction = p.c[2 * u + 1] < 0 ? -1.0 : 1.0;
        rt[2 * i] = direction * p.mu[u];
        rt[2 * i + 1] = 1;
        x[2 * u + 1] = 0;
      }
    }
    if (!math::lu(A.data(), n, pivot.data())) {
      s.why = "the impact equations are singular";
      return s;
    }
    math::lu_solve(A.data(), n, pivot.data(), x.data());
    bool changed = false;
    for (int i = 0; i < k; ++i) {
      const auto u = static_cast<std::size_t>(i);
      // A contact that sticks at rest cannot say in which direction it would slip: it keeps sticking.
      if (kind[u] == stick && std::abs(x[2 * u + 1]) > p.mu[u] * x[2 * u] * (1 + 1e-12) && p.c[2 * u + 1] != 0) {
        kind[u] = slip;
        changed = true;
      } else if (kind[u] == stick && p.c[2 * u + 1] == 0 && std::abs(x[2 * u + 1]) > p.mu[u] * x[2 * u] * (1 + 1e-12)) {
        // From rest the slip opposes the impulse that would be needed to stick: Moreau's answer is the consistent one.
        return newton_moreau(p);
      }
    }
    if (!changed) break;
  }
  s.impulse = x;
  s.solved = true;
  for (int i = 0; i < k; ++i)
    if (x[static_cast<std::size_t>(2 * i)] < 0) {
      s.solved = false;
      s.why = "a normal impulse is negative: Newton's law with kinematic slip has no solution here";
    }
  complete(p, s);
  for (int i = 0; i < k; ++i)
    if (kind[static_cast<std::size_t>(i)] == stick) s.slide[static_cast<std::size_t>(i)] = 0;
  return s;
}

}  // namespace hstar

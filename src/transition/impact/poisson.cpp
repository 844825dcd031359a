// src/transition/impact/poisson.cpp: Poisson's restitution. One contact is followed along its impulse
// (Routh 1891); several are solved as two complementarity problems, compression and expansion (Glocker & Pfeiffer
// 1995).
#include <algorithm>

#include "math/lcp.hpp"
#include "transition/impact/incremental.hpp"

namespace hstar {
namespace {

/// Frictional LCP over all contacts from velocities v with normal impulses Lambda_N = least + x, x >= 0,
/// complementary to gamma_N+ >= 0. Adds the impulses of this phase to `impulse` and updates v.
bool phase(const ImpactProblem& p, std::vector<double>& v, const std::vector<double>& least,
           std::vector<double>& impulse) {
  const int k = p.contacts, n = 4 * k;
  std::vector<double> M(static_cast<std::size_t>(n * n), 0.0), q(static_cast<std::size_t>(n)),
      z(static_cast<std::size_t>(n));
  const auto m = [&](int i, int j) -> double& { return M[static_cast<std::size_t>(i * n + j)]; };
  for (int i = 0; i < k; ++i) {
    const auto u = static_cast<std::size_t>(i);
    double shift_n = 0, shift_t = 0;
    for (int j = 0; j < k; ++j) {
      const double nt = p.g(2 * i, 2 * j + 1), tn = p.g(2 * i + 1, 2 * j), tt = p.g(2 * i + 1, 2 * j + 1);
      m(4 * i, 4 * j) = p.g(2 * i, 2 * j);
      m(4 * i, 4 * j + 1) = nt, m(4 * i, 4 * j + 2) = -nt;
      m(4 * i + 1, 4 * j) = tn, m(4 * i + 2, 4 * j) = -tn;
      m(4 * i + 1, 4 * j + 1) = m(4 * i + 2, 4 * j + 2) = tt;
      m(4 * i + 1, 4 * j + 2) = m(4 * i + 2, 4 * j + 1) = -tt;
      shift_n += p.g(2 * i, 2 * j) * least[static_cast<std::size_t>(j)];
      shift_t += tn * least[static_cast<std::size_t>(j)];
    }
    m(4 * i + 1, 4 * i + 3) = m(4 * i + 2, 4 * i + 3) = 1;
    m(4 * i + 3, 4 * i) = p.mu[u];
    m(4 * i + 3, 4 * i + 1) = m(4 * i + 3, 4 * i + 2) = -1;
    q[4 * u] = v[2 * u] + shift_n;
    q[4 * u + 1] = v[2 * u + 1] + shift_t;
    q[4 * u + 2] = -q[4 * u + 1];
    q[4 * u + 3] = p.mu[u] * least[u];
  }
  math::Lemke lemke(n);
  if (lemke.solve(M.data(), q.data(), n, z.data()) != math::LcpStatus::solved) return false;
  std::vector<double> step(static_cast<std::size_t>(2 * k));
  for (std::size_t i = 0; i < least.size(); ++i) {
    step[2 * i] = least[i] + z[4 * i];
    step[2 * i + 1] = z[4 * i + 1] - z[4 * i + 2];
  }
  for (int i = 0; i < 2 * k; ++i) {
    impulse[static_cast<std::size_t>(i)] += step[static_cast<std::size_t>(i)];
    for (int j = 0; j < 2 * k; ++j) v[static_cast<std::size_t>(i)] += p.g(i, j) * step[static_cast<std::size_t>(j)];
  }
  return true;
}

}  // namespace

ImpactSolution poisson(const ImpactProblem& p) {
  ImpactSolution s;
  s.impulse.assign(static_cast<std::size_t>(2 * p.contacts), 0.0);
  if (p.contacts == 1) {
    IncrementalImpact impact(p);
    if (!impact.compress()) {
      s.why = "the compression never ends: the normal velocity does not grow while the contact slips";
      return s;
    }
    impact.restore_impulse(p.e[0] * impact.normal());
    s.impulse = {impact.normal(), impact.tangential()};
    s.sequence = impact.sequence();
  } else {
    std::vector<double> v = p.c, least(p.e.size(), 0.0);
    if (!phase(p, v, least, s.impulse)) {
      s.why = "the complementarity problem of compression has no solution";
      return s;
    }
    for (std::size_t i = 0; i < least.size(); ++i) least[i] = p.e[i] * s.impulse[2 * i];
    if (!phase(p, v, least, s.impulse)) {
      s.why = "the complementarity problem of expansion has no solution";
      return s;
    }
  }
  s.solved = true;
  complete(p, s);
  return s;
}

}  // namespace hstar

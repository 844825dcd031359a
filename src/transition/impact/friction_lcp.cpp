// src/transition/impact/friction_lcp.cpp
#include "transition/impact/friction_lcp.hpp"

#include <algorithm>
#include <cmath>

#include "math/coulomb.hpp"
#include "math/lcp.hpp"

namespace hstar {
namespace {
/// Lemke's path depends on its covering vector, that is on the scale of the rows. On redundant contacts, where pivots
/// vanish, round-off may end it on a ray; another path then arrives.
constexpr int paths = 40;
constexpr double good = 1e-10;  // residual of a solution, relative
constexpr double held = 1e-13;  // a direction that answers impulses by less, relative to the others, cannot move

/// What is left where strong friction ends every path on a ray: all combinations of open, stick and slip, which tells
/// also that none will do. Friction that `least` carries is an element of its own with a given normal force.
bool by_combinations(const ImpactProblem& p, const std::vector<double>& v, const std::vector<double>& least,
                     std::vector<double>& step) {
  using Element = math::CoulombElement;
  const int k = p.contacts;
  std::vector<int> from;  // contact of an element
  for (int i = 0; i < k; ++i) from.push_back(i);
  for (int i = 0; i < k; ++i)
    if (p.mu[static_cast<std::size_t>(i)] * least[static_cast<std::size_t>(i)] > 0) from.push_back(i);
  math::CoulombProblem all;
  const int n = static_cast<int>(from.size());
  all.resize(n);
  double speed = 0;
  for (const double x : v) speed = std::max(speed, std::abs(x));
  for (int i = 0; i < n; ++i) {
    const auto u = static_cast<std::size_t>(i), contact = static_cast<std::size_t>(from[u]);
    Element& e = all.element[u];
    e.tangent = Element::Tangent::undecided;
    e.mu_static = e.mu_kinetic = p.mu[contact];
    if (i >= k) {
      e.normal = Element::Normal::given;
      e.normal_0 = least[contact];
    }
    for (int r = i < k ? 0 : 1; r < 2; ++r) {
      double start = v[2 * contact + static_cast<std::size_t>(r)];
      for (int j = 0; j < k; ++j) start += p.g(2 * from[u] + r, 2 * j) * least[static_cast<std::size_t>(j)];
      all.c[2 * u + static_cast<std::size_t>(r)] = start;
      all.scale[2 * u + static_cast<std::size_t>(r)] = speed;
      for (int j = 0; j < n; ++j)
        for (int q = j < k ? 0 : 1; q < 2; ++q)
          all.G[static_cast<std::size_t>((2 * i + r) * 2 * n + 2 * j + q)] =
              p.g(2 * from[u] + r, 2 * from[static_cast<std::size_t>(j)] + q);
    }
  }
  math::CoulombSolver solver(n);
  if (!solver.solve(all, false).found) return false;
  step.assign(static_cast<std::size_t>(2 * k), 0.0);
  for (std::size_t i = 0; i < least.size(); ++i) step[2 * i] = least[i];
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto contact = static_cast<std::size_t>(from[i]);
    if (i < least.size()) step[2 * contact] += solver.force()[2 * i];
    step[2 * contact + 1] += solver.force()[2 * i + 1];
  }
  return true;
}
}  // namespace

bool friction_lcp(const ImpactProblem& p, const std::vector<double>& v, const std::vector<double>& least,
                  std::vector<double>& step) {
  // Unknowns by contact x, beta+ and beta- (Lambda_T = beta+ - beta-), and s = |gamma_T+|:
  //   gamma_N+ >= 0  _|_  x >= 0,    s + gamma_T+ >= 0  _|_  beta+ >= 0,    s - gamma_T+ >= 0  _|_  beta- >= 0
  //   mu (least + x) - beta+ - beta- >= 0  _|_  s >= 0
  // each direction in units in which G has a unit diagonal.
  const int k = p.contacts, n = 4 * k;
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> M(size * size, 0.0), q(size), z(size), scaled(size * size), right(size), unit(size / 2);
  double softest = 0;
  for (int i = 0; i < 2 * k; ++i) softest = std::max(softest, p.g(i, i));
  for (int i = 0; i < 2 * k; ++i) {
    const bool moves = p.g(i, i) > held * softest;
    unit[static_cast<std::size_t>(i)] = moves ? 1 / std::sqrt(p.g(i, i)) : 0.0;
  }
  const auto m = [&](int i, int j) -> double& { return M[static_cast<std::size_t>(i * n + j)]; };
  for (int i = 0; i < k; ++i) {
    const auto u = static_cast<std::size_t>(i);
    double shift_n = 0, shift_t = 0;
    for (int j = 0; j < k; ++j) {
      const auto w = static_cast<std::size_t>(j);
      const double nn = p.g(2 * i, 2 * j), nt = p.g(2 * i, 2 * j + 1), tn = p.g(2 * i + 1, 2 * j),
                   tt = p.g(2 * i + 1, 2 * j + 1);
      m(4 * i, 4 * j) = nn * unit[2 * u] * unit[2 * w];
      m(4 * i, 4 * j + 1) = nt * unit[2 * u] * unit[2 * w + 1];
      m(4 * i + 1, 4 * j) = tn * unit[2 * u + 1] * unit[2 * w];
      m(4 * i + 1, 4 * j + 1) = tt * unit[2 * u + 1] * unit[2 * w + 1];
      m(4 * i, 4 * j + 2) = -m(4 * i, 4 * j + 1);
      m(4 * i + 1, 4 * j + 2) = -m(4 * i + 1, 4 * j + 1);
      m(4 * i + 2, 4 * j) = -m(4 * i + 1, 4 * j);
      m(4 * i + 2, 4 * j + 1) = -m(4 * i + 1, 4 * j + 1);
      m(4 * i + 2, 4 * j + 2) = m(4 * i + 1, 4 * j + 1);
      shift_n += nn * least[w];
      shift_t += tn * least[w];
    }
    m(4 * i + 1, 4 * i + 3) = m(4 * i + 2, 4 * i + 3) = 1;
    // (A direction that cannot move takes no impulse and keeps its velocity.)
    const double slack = unit[2 * u + 1] > 0 ? p.mu[u] / unit[2 * u + 1] : 0.0;
    m(4 * i + 3, 4 * i) = slack * unit[2 * u];
    m(4 * i + 3, 4 * i + 1) = m(4 * i + 3, 4 * i + 2) = -1;
    q[4 * u] = (v[2 * u] + shift_n) * unit[2 * u];
    q[4 * u + 1] = (v[2 * u + 1] + shift_t) * unit[2 * u + 1];
    q[4 * u + 2] = -q[4 * u + 1];
    q[4 * u + 3] = slack * least[u];
  }
  math::Lemke lemke(n);
  bool found = false;
  for (int path = 0; path < paths && !found; ++path) {
    // Factors between 1 and 2 without a pattern: multiples of the golden section.
    for (std::size_t i = 0; i < size; ++i) {
      const double turn = 0.6180339887498949 * static_cast<double>(path) * static_cast<double>(i + 1),
                   factor = 1 + turn - std::floor(turn);
      for (std::size_t j = 0; j < size; ++j) scaled[i * size + j] = factor * M[i * size + j];
      right[i] = factor * q[i];
    }
    found = lemke.solve(scaled.data(), right.data(), n, z.data()) == math::LcpStatus::solved &&
            math::Lemke::residual(M.data(), q.data(), n, z.data()) <= good;
  }
  if (!found) return by_combinations(p, v, least, step);
  step.resize(size / 2);
  for (std::size_t i = 0; i < least.size(); ++i) {
    step[2 * i] = least[i] + z[4 * i] * unit[2 * i];
    step[2 * i + 1] = (z[4 * i + 1] - z[4 * i + 2]) * unit[2 * i + 1];
  }
  return true;
}

}  // namespace hstar

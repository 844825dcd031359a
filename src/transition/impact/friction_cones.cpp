// src/transition/impact/friction_cones.cpp: one phase of an impact with friction in space.
#include <algorithm>
#include <cmath>

#include "math/cone_friction.hpp"
#include "transition/impact/friction_phase.hpp"

namespace hstar {
bool friction_phase(const ImpactProblem& p, const std::vector<double>& v, const std::vector<double>& least,
                    std::vector<double>& step) {
  return p.directions == 1 ? friction_lcp(p, v, least, step) : friction_cones(p, v, least, step);
}

bool friction_cones(const ImpactProblem& p, const std::vector<double>& v, const std::vector<double>& least,
                    std::vector<double>& step) {
  const int k = p.contacts, n = p.rows();
  const auto size = static_cast<std::size_t>(n);
  math::ConeProblem cones;
  // Friction that `least` carries has the normal force |least + x|: a unit by parts.
  const int loaded = static_cast<int>(std::count_if(least.begin(), least.end(), [](double x) { return x > 0; }));
  cones.resize(k, k, n, loaded, loaded);
  cones.spread = false;
  cones.G = p.G;
  double speed = 0;
  for (const double x : v) speed = std::max(speed, std::abs(x));
  for (int i = 0; i < n; ++i) {
    const auto u = static_cast<std::size_t>(i);
    cones.c[u] = v[u];
    cones.scale[u] = speed;
    for (int j = 0; j < k; ++j) cones.c[u] += p.g(i, p.block() * j) * least[static_cast<std::size_t>(j)];
  }
  int part = 0;
  for (int i = 0; i < k; ++i) {
    const auto u = static_cast<std::size_t>(i);
    cones.contact[u].row = p.block() * i;
    math::ConeUnit& unit = cones.unit[u];
    unit.contact = i;
    unit.row = p.block() * i + 1;
    unit.directions = p.directions;
    unit.mu_static = unit.mu_kinetic = p.mu[u];
    cones.force_scale = std::max(cones.force_scale, least[u]);
    if (!(least[u] > 0)) continue;
    unit.normal = math::ConeUnit::Normal::parts;
    unit.part = part;
    cones.part[static_cast<std::size_t>(part)].row = part;
    cones.reaction_0[static_cast<std::size_t>(part)] = least[u];
    cones.reaction[static_cast<std::size_t>(part) * size + static_cast<std::size_t>(cones.contact[u].row)] = 1;
    ++part;
  }
  math::ConeSolver solver(k, k, n);
  if (!solver.solve(cones).found) return false;
  step.assign(solver.force().begin(), solver.force().begin() + n);
  for (int i = 0; i < k; ++i) step[static_cast<std::size_t>(p.block() * i)] += least[static_cast<std::size_t>(i)];
  return true;
}

}  // namespace hstar

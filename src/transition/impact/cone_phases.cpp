// src/transition/impact/cone_phases.cpp
#include "transition/impact/cone_phases.hpp"

#include <algorithm>
#include <cmath>

namespace hstar {
namespace {
constexpr double round_off = 1e-13;  // relative
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

ConePhases& cone_phases() {
  thread_local ConePhases phases;
  return phases;
}

void ConePhases::reserve(int contacts, int units, int rows, int parts, int reactions) {
  // (The expansion has a part for every contact that was compressed.)
  cones.resize(contacts, units, rows, parts + contacts, reactions + contacts);
  solver_.reserve(contacts, units, rows);
  for (auto* v : {&impulse_, &least_}) v->reserve(at(rows));
  closed_.reserve(at(contacts));
  loaded_.reserve(at(contacts));
  sticks_.reserve(at(units));
}

void ConePhases::take(const ImpactProblem& p, bool restored) {
  const int k = p.contacts, n = p.rows();
  cones.resize(k, k, n);
  cones.spread = false;
  std::copy(p.G.begin(), p.G.end(), cones.G.begin());
  double speed = 0;
  for (const double x : p.c) speed = std::max(speed, std::abs(x));
  std::fill(cones.scale.begin(), cones.scale.end(), speed);
  for (int i = 0; i < k; ++i) {
    const int row = p.block() * i;
    cones.contact[at(i)].row = row;
    math::ConeUnit& unit = cones.unit[at(i)];
    unit.contact = i;
    unit.row = row + 1;
    unit.directions = p.directions;
    unit.mu_static = unit.mu_kinetic = p.mu[at(i)];
    const double e = restored ? p.e[at(i)] : 0, e_t = restored && !p.e_t.empty() ? p.e_t[at(i)] : 0;
    for (int r = row; r < row + p.block(); ++r) cones.c[at(r)] = (1 + (r == row ? e : e_t)) * p.c[at(r)];
  }
}

bool ConePhases::solve() {
  if (!solver_.solve(cones).found) return false;
  for (std::size_t i = 0; i < cones.c.size(); ++i) impulse_[i] += solver_.force()[i];
  for (std::size_t i = 0; i < cones.contact.size(); ++i)
    if (solver_.contact_hold()[i] != math::ConeHold::open) closed_[i] = 1;
  // (A contact that lets go after a first phase may have been brought to rest in it.)
  const auto rests = [&](const math::ConeUnit& unit) {
    for (int r = unit.row; r < unit.row + unit.directions; ++r)
      if (std::abs(solver_.rate()[at(r)]) > 1e-10 * cones.scale[at(r)]) return false;
    return true;
  };
  for (std::size_t j = 0; j < cones.unit.size(); ++j) {
    const math::ConeHold hold = solver_.unit_hold()[j];
    sticks_[j] = hold == math::ConeHold::stick || (hold == math::ConeHold::open && rests(cones.unit[j]));
  }
  return true;
}

bool ConePhases::newton() {
  impulse_.assign(cones.c.size(), 0.0);
  closed_.assign(cones.contact.size(), 0);
  sticks_.assign(cones.unit.size(), 0);
  return solve();
}

const char* ConePhases::poisson(const double* e) {
  if (!newton()) return "no impulses of compression were found";
  begin_expansion(e);
  if (!solve()) return "no impulses of expansion were found";
  for (std::size_t i = 0; i < cones.contact.size(); ++i) impulse_[at(cones.contact[i].row)] += least_[i];
  return nullptr;
}

void ConePhases::begin_expansion(const double* e) {
  const int n = cones.rows(), contacts = static_cast<int>(cones.contact.size());
  least_.assign(at(contacts), 0.0);
  loaded_.assign(at(contacts), -1);
  for (int i = 0; i < contacts; ++i) {
    least_[at(i)] = e[i] * std::max(0.0, impulse_[at(cones.contact[at(i)].row)]);
    cones.force_scale = std::max(cones.force_scale, least_[at(i)]);
  }
  for (int r = 0; r < n; ++r) {
    double v = cones.c[at(r)], size = std::abs(v), more = 0;
    for (int j = 0; j < n; ++j) {
      const double jump = cones.G[at(r * n + j)] * impulse_[at(j)];
      v += jump;
      size += std::abs(jump);
    }
    if (std::abs(v) <= round_off * size) v = 0;  // must not be mistaken for a motion
    for (int i = 0; i < contacts; ++i) more += cones.G[at(r * n + cones.contact[at(i)].row)] * least_[at(i)];
    cones.c[at(r)] = v + more;
  }
  // Reactions of joints are this phase's.
  for (std::size_t m = 0; m < cones.reaction_0.size(); ++m) {
    cones.reaction_0[m] = 0;
    for (int i = 0; i < contacts; ++i)
      cones.reaction_0[m] += cones.reaction[m * at(n) + at(cones.contact[at(i)].row)] * least_[at(i)];
  }
  // Friction of a contact that is pressed in any case has the normal impulse least + x: a part.
  for (math::ConeUnit& unit : cones.unit) {
    if (unit.normal != math::ConeUnit::Normal::contact || !(least_[at(unit.contact)] > 0)) continue;
    int& part = loaded_[at(unit.contact)];
    if (part < 0) {
      part = static_cast<int>(cones.part.size());
      cones.part.push_back({1, 1, static_cast<int>(cones.reaction_0.size())});
      cones.reaction_0.push_back(least_[at(unit.contact)]);
      cones.reaction.resize(cones.reaction.size() + at(n), 0.0);
      cones.reaction[cones.reaction.size() - at(n) + at(cones.contact[at(unit.contact)].row)] = 1;
    }
    unit.normal = math::ConeUnit::Normal::parts;
    unit.part = part;
    unit.parts = 1;
  }
}

}  // namespace hstar

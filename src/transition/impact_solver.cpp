// src/transition/impact_solver.cpp
#include "transition/impact_solver.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "transition/impact/sequential.hpp"

namespace hstar {
namespace {
/// Up to so many contacts Newton's law is solved by trying all combinations, with proof of the one taken; beyond by
/// Lemke's method.
constexpr std::size_t most_enumerated = 3;
constexpr int most_in_sequence = 1000;
}  // namespace

ImpactSolver::ImpactSolver(ModeEquations& equations, ModeSolver& solver, const ImpactOptions& options)
    : equations_(equations), solver_(solver), options_(options) {
  const System& s = equations.system();
  for (const auto& contact : s.contacts) {
    const ImpactLawEntry* law = find_impact_law(contact->impact_law);
    if (!law) {
      std::string known;
      for (const auto& l : impact_laws()) known += (known.empty() ? "" : ", ") + std::string(l.name);
      throw InputError(contact->where, "contact \"" + contact->name + "\": impact_law = \"" + contact->impact_law +
                                           "\" is not known; known: " + known);
    }
    if (!law_.empty() && law != law_.front() && options.order == ImpactOptions::Order::together)
      throw InputError(contact->where, "contact \"" + contact->name + "\": impact_law = \"" + contact->impact_law +
                                           "\" differs from \"" + s.contacts.front()->impact_law + "\" of contact \"" +
                                           s.contacts.front()->name +
                                           "\"; contacts that may collide together need one law, or set "
                                           "multiple_impact = \"sequential\"");
    law_.push_back(law);
    tangential_.push_back(contact->restitution_tangential);
  }
  for (const FrictionUnit& unit : s.frictions)
    joint_friction_ |= unit.joint >= 0 && unit.law.dry() && !unit.normal_force;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const Contact& contact = *s.contacts[c];
    if (contact.restitution_tangential == 0) continue;
    std::string why;
    if (s.contact_friction[c] < 0)
      why = "acts through friction, and the contact has none; give it `friction`";
    else if (contact.impact_law == "whittaker" || contact.impact_law == "poisson" || contact.impact_law == "stronge")
      why = "is not used by impact_law = \"" + contact.impact_law + "\"; take \"newton\"";
    else if (joint_friction_)
      why = "cannot be combined with joints whose friction follows their reaction";
    if (!why.empty())
      throw InputError(contact.where, fmt::format("contact \"{}\": restitution_tangential = {} {}, or leave it out",
                                                  contact.name, contact.restitution_tangential, why));
  }
  const auto contacts = s.contacts.size(), n = s.slots();
  outcome_.closed.resize(contacts);
  outcome_.sticks.resize(contacts);
  outcome_.impulse_n.resize(contacts);
  outcome_.impulse_t.resize(contacts);
  outcome_.stuck_joint.resize(s.frictions.size());
  outcome_.impulse_joint.resize(s.frictions.size());
  outcome_.v_plus.resize(n);
  mode_.closed.resize(contacts);
  mode_.friction.resize(s.frictions.size());
  contacts_.reserve(contacts);
  momentum_.resize(n);
  load_.resize(n);
  const auto rows = static_cast<std::size_t>(s.rows + s.sliding_rows()) + contacts;
  target_.resize(rows);
  lambda_.resize(rows);
}

const ImpactOutcome& ImpactSolver::solve(const std::vector<char>& active, const double* gap_velocity,
                                         const double* restitution) {
  contacts_.clear();
  for (std::size_t c = 0; c < active.size(); ++c)
    if (active[c]) contacts_.push_back(static_cast<int>(c));
  std::fill(outcome_.stuck_joint.begin(), outcome_.stuck_joint.end(), 0);
  std::fill(outcome_.impulse_joint.begin(), outcome_.impulse_joint.end(), 0.0);
  outcome_.found = false;
  if (equations_.system().is_spatial()) {
    outcome_.why = "impacts in space cannot be computed yet";
    return outcome_;
  }
  const ImpactLawEntry& law = *law_[static_cast<std::size_t>(contacts_.front())];
  const bool newton =
      law.name == "newton" && (options_.order == ImpactOptions::Order::together || contacts_.size() == 1);
  const bool throws_back = std::any_of(contacts_.begin(), contacts_.end(),
                                       [&](int c) { return tangential_[static_cast<std::size_t>(c)] > 0; });
  if (newton && !throws_back && (joint_friction_ || contacts_.size() <= most_enumerated))
    by_enumeration(active, gap_velocity, restitution);
  else
    by_law(law, gap_velocity, restitution);
  return outcome_;
}

const ImpactOutcome& ImpactSolver::jam(int contact) {
  const System& s = equations_.system();
  const auto c = static_cast<std::size_t>(contact);
  const ImpactLawEntry& law = *law_[c];
  // Newton's laws restore a part of the approach velocity, which is zero.
  const bool by_velocity = law.name == "newton" || law.name == "whittaker";
  contacts_.assign(1, contact);
  std::fill(outcome_.stuck_joint.begin(), outcome_.stuck_joint.end(), 0);
  std::fill(outcome_.impulse_joint.begin(), outcome_.impulse_joint.end(), 0.0);
  outcome_.found = false;
  jam_restitution_.assign(s.contacts.size(), by_velocity ? 0.0 : s.contacts[c]->restitution);
  zero_.assign(s.contacts.size(), 0.0);
  by_law(*find_impact_law(by_velocity ? "poisson" : law.name), zero_.data(), jam_restitution_.data());
  return outcome_;
}

void ImpactSolver::by_enumeration(const std::vector<char>& active, const double* gap_velocity,
                                  const double* restitution) {
  const System& s = equations_.system();
  const ModeChoice choice = solver_.impact(active, gap_velocity, restitution, mode_, outcome_.v_plus);
  outcome_.found = choice.found;
  outcome_.sequence.clear();
  if (!choice.found) {
    outcome_.why = choice.why;
    return;
  }
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const int unit = s.contact_friction[c];
    outcome_.closed[c] = mode_.closed[c];
    outcome_.impulse_n[c] = equations_.contact_force(static_cast<int>(c));
    outcome_.impulse_t[c] = unit < 0 ? 0.0 : equations_.friction_force(unit);
    outcome_.sticks[c] = unit >= 0 && mode_.closed[c] && outcome_.impulse_n[c] > 0 &&
                         mode_.friction[static_cast<std::size_t>(unit)].slide == Slide::stick;
  }
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    if (s.frictions[u].joint < 0) continue;
    outcome_.stuck_joint[u] =
        mode_.friction[u].slide == Slide::stick && equations_.normal_force(static_cast<int>(u)) > 0;
    if (s.frictions[u].law.dry() && !s.frictions[u].normal_force)
      outcome_.impulse_joint[u] = equations_.friction_force(static_cast<int>(u));
  }
}

void ImpactSolver::by_law(const ImpactLawEntry& law, const double* gap_velocity, const double* restitution) {
  const System& s = equations_.system();
  const auto n = momentum_.size(), k = contacts_.size();
  // The constraints alone; their impulses are part of every response.
  std::fill(mode_.closed.begin(), mode_.closed.end(), 0);
  std::fill(mode_.friction.begin(), mode_.friction.end(), FrictionMode{});
  equations_.choose_rows(mode_);
  equations_.fill_rows(mode_);
  equations_.find_redundant();
  auto& saddle = equations_.saddle();
  if (!equations_.factor_rows()) {
    outcome_.why = "the constraints are singular at the impact";
    return;
  }
  equations_.momentum(momentum_.data());
  for (int i = 0; i < equations_.row_count(); ++i) target_[static_cast<std::size_t>(i)] = equations_.row(i).nu;
  saddle.solve(momentum_.data(), target_.data(), outcome_.v_plus.data(), lambda_.data());

  problem_.contacts = static_cast<int>(k);
  problem_.G.assign(4 * k * k, 0.0);
  problem_.c.assign(2 * k, 0.0);
  problem_.e.assign(k, 0.0);
  problem_.e_t.assign(k, 0.0);
  problem_.mu.assign(k, 0.0);
  response_.assign(2 * k * n, 0.0);
  std::fill(target_.begin(), target_.end(), 0.0);
  std::vector<Row> rows(2 * k);
  for (std::size_t i = 0; i < k; ++i) {
    const int contact = contacts_[i], unit = s.contact_friction[static_cast<std::size_t>(contact)];
    equations_.normal_row(contact, rows[2 * i]);
    if (unit >= 0) equations_.tangent_row(unit, rows[2 * i + 1]);
    problem_.c[2 * i] = gap_velocity[contact];
    problem_.c[2 * i + 1] = unit >= 0 ? equations_.slide_velocity(unit) : 0.0;
    problem_.e[i] = restitution[contact];
    problem_.e_t[i] = tangential_[static_cast<std::size_t>(contact)];
    if (unit >= 0) {
      const FrictionLaw& friction = s.frictions[static_cast<std::size_t>(unit)].law;
      const double speed = std::abs(problem_.c[2 * i + 1]);
      problem_.mu[i] = friction.dry() ? friction.mu_kinetic(speed, friction.piece_of(speed, 1)) : 0.0;
    }
  }
  for (std::size_t j = 0; j < 2 * k; ++j) {
    std::fill(load_.begin(), load_.end(), 0.0);
    equations_.add_row(rows[j], 1.0, load_.data());
    saddle.solve(load_.data(), target_.data(), response_.data() + j * n, lambda_.data());
  }
  for (std::size_t i = 0; i < 2 * k; ++i) {
    for (std::size_t j = 0; j < 2 * k; ++j) {
      problem_.G[i * 2 * k + j] = equations_.row_times(rows[i], response_.data() + j * n);
    }
    // A frictionless contact has no tangential direction: any inertia keeps the problem regular.
    if (problem_.G[i * 2 * k + i] == 0) problem_.G[i * 2 * k + i] = 1;
  }

  double fastest = 0;
  for (const double v : outcome_.v_plus) fastest = std::max(fastest, std::abs(v));
  const double tiny = 64 * std::numeric_limits<double>::epsilon() * fastest;
  const ImpactSolution solution =
      options_.order != ImpactOptions::Order::together && k > 1
          ? sequential_impact(problem_, law,
                              options_.order == ImpactOptions::Order::fastest
                                  ? fastest_first(tiny)
                                  : in_order(tiny, options_.order == ImpactOptions::Order::forward),
                              most_in_sequence)
          : law.solve(problem_);
  outcome_.found = solution.solved;
  outcome_.sequence = solution.sequence;
  if (!solution.solved) {
    outcome_.why = "impact_law \"" + std::string(law.name) + "\": " + solution.why;
    return;
  }
  std::fill(outcome_.closed.begin(), outcome_.closed.end(), 0);
  std::fill(outcome_.sticks.begin(), outcome_.sticks.end(), 0);
  std::fill(outcome_.impulse_n.begin(), outcome_.impulse_n.end(), 0.0);
  std::fill(outcome_.impulse_t.begin(), outcome_.impulse_t.end(), 0.0);
  for (std::size_t i = 0; i < k; ++i) {
    const auto c = static_cast<std::size_t>(contacts_[i]);
    outcome_.impulse_n[c] = solution.impulse[2 * i];
    outcome_.impulse_t[c] = solution.impulse[2 * i + 1];
    outcome_.closed[c] = solution.impulse[2 * i] > 0;
    outcome_.sticks[c] = solution.slide[i] == 0 && s.contact_friction[c] >= 0;
  }
  for (std::size_t j = 0; j < 2 * k; ++j)
    for (std::size_t i = 0; i < n; ++i) outcome_.v_plus[i] += response_[j * n + i] * solution.impulse[j];
}

}  // namespace hstar

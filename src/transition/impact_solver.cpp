// src/transition/impact_solver.cpp
#include "transition/impact_solver.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

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
    refuse_unknown(*contact, *law);
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
    else if (joint_friction_ && !s.is_spatial())
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
  outcome_.friction_impulse.resize(contacts);
  outcome_.stuck_unit.resize(s.frictions.size());
  outcome_.impulse_unit.resize(s.frictions.size());
  outcome_.v_plus.resize(n);
  outcome_.constraint_impulse.resize(static_cast<std::size_t>(s.rows));
  mode_.closed.resize(contacts);
  mode_.friction.resize(s.frictions.size());
  contacts_.reserve(contacts);
  momentum_.resize(n);
  load_.resize(n);
  const auto rows = static_cast<std::size_t>(s.rows + s.sliding_rows()) + contacts;
  target_.resize(rows);
  lambda_.resize(rows);
  if (!s.is_spatial()) return;
  directions_ = 2;
  lambda_before_.resize(rows);
  units_.reserve(s.frictions.size());
  reserve_cones();
}

void ImpactSolver::refuse_unknown(const Contact& contact, const ImpactLawEntry& law) const {
  const System& s = equations_.system();
  if (!s.is_spatial()) return;
  if (law.most_directions < 2)
    throw InputError(contact.where, fmt::format("contact \"{}\": impact_law = \"{}\" knows contacts in the plane only "
                                                "(ImpactLawEntry::most_directions); take \"newton\"",
                                                contact.name, law.name));
  if ((law.name == "newton" || law.name == "poisson") &&
      (options_.order == ImpactOptions::Order::together || s.contacts.size() == 1))
    return;
  for (const FrictionUnit& unit : s.frictions)
    if (unit.contact >= 0 && unit.part != FrictionPart::sliding &&
        s.contacts[static_cast<std::size_t>(unit.contact)].get() == &contact)
      throw InputError(
          contact.where,
          fmt::format(
              "contact \"{}\": rolling and spinning friction take part in impacts under impact_law = "
              "\"newton\" or \"poisson\" and multiple_impact = \"simultaneous\" only; take these, or leave them out",
              contact.name));
}

std::string ImpactSolver::notice() const {
  const System& s = equations_.system();
  const auto omits = [&](const ImpactLawEntry* law) {
    const bool has_it = law->name == "newton" || (law->name == "poisson" && s.is_spatial());
    return !has_it || (options_.order != ImpactOptions::Order::together && s.contacts.size() > 1);
  };
  const auto law = std::find_if(law_.begin(), law_.end(), omits);
  if (!joint_friction_ || law == law_.end()) return {};
  std::string joints;
  for (const FrictionUnit& unit : s.frictions)
    if (unit.joint >= 0 && unit.law.dry() && !unit.normal_force) {
      const std::string& name = s.joints[static_cast<std::size_t>(unit.joint)]->name;
      if (joints.find("\"" + name + "\"") == std::string::npos)
        joints += (joints.empty() ? "\"" : ", \"") + name + "\"";
    }
  return fmt::format(
      "friction of joints ({}) takes no part in impacts under impact_law = \"{}\"{}; it does under \"newton\"{} with "
      "multiple_impact = \"simultaneous\"",
      joints, (*law)->name, options_.order == ImpactOptions::Order::together ? "" : " one after the other",
      s.is_spatial() ? " and \"poisson\"" : "");
}

void ImpactSolver::clear() {
  std::fill(outcome_.stuck_unit.begin(), outcome_.stuck_unit.end(), 0);
  std::fill(outcome_.impulse_unit.begin(), outcome_.impulse_unit.end(), std::array<double, most_directions>{});
  outcome_.found = false;
}

const ImpactOutcome& ImpactSolver::solve(const std::vector<char>& active, const double* gap_velocity,
                                         const double* restitution) {
  contacts_.clear();
  for (std::size_t c = 0; c < active.size(); ++c)
    if (active[c]) contacts_.push_back(static_cast<int>(c));
  clear();
  const ImpactLawEntry& law = *law_[static_cast<std::size_t>(contacts_.front())];
  const bool together = options_.order == ImpactOptions::Order::together || contacts_.size() == 1,
             newton = law.name == "newton" && together;
  const bool throws_back = std::any_of(contacts_.begin(), contacts_.end(),
                                       [&](int c) { return tangential_[static_cast<std::size_t>(c)] > 0; });
  const bool cones = directions_ == 2 && (newton || (law.name == "poisson" && together));
  if (cones) collect_units();
  // (One contact that slides alone is followed by Poisson's law along its impulse.)
  if (cones && (newton || contacts_.size() > 1 || !slides_alone()))
    by_cones(law, gap_velocity, restitution);
  else if (newton && !throws_back && (joint_friction_ || contacts_.size() <= most_enumerated))
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
  clear();
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
  std::copy_n(equations_.multipliers().begin(), outcome_.constraint_impulse.size(),
              outcome_.constraint_impulse.begin());
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    if (s.frictions[u].joint < 0) continue;
    outcome_.stuck_unit[u] =
        mode_.friction[u].slide == Slide::stick && equations_.normal_force(static_cast<int>(u)) > 0;
    if (s.frictions[u].law.dry() && !s.frictions[u].normal_force)
      outcome_.impulse_unit[u][0] = equations_.friction_force(static_cast<int>(u));
  }
}

bool ImpactSolver::hold_constraints() {
  // The constraints alone; their impulses are part of every response.
  std::fill(mode_.closed.begin(), mode_.closed.end(), 0);
  std::fill(mode_.friction.begin(), mode_.friction.end(), FrictionMode{});
  equations_.choose_rows(mode_);
  equations_.fill_rows(mode_);
  equations_.find_redundant();
  if (!equations_.factor_rows()) {
    outcome_.why = "the constraints are singular at the impact";
    return false;
  }
  equations_.momentum(momentum_.data());
  for (int i = 0; i < equations_.row_count(); ++i) target_[static_cast<std::size_t>(i)] = equations_.row(i).nu;
  equations_.saddle().solve(momentum_.data(), target_.data(), outcome_.v_plus.data(), lambda_.data());
  std::fill(target_.begin(), target_.end(), 0.0);
  return true;
}

void ImpactSolver::respond(const Row& row, double* velocities) {
  std::fill(load_.begin(), load_.end(), 0.0);
  equations_.add_row(row, 1.0, load_.data());
  equations_.saddle().solve(load_.data(), target_.data(), velocities, lambda_.data());
}

Vec3 ImpactSolver::on_second_body(int contact, const double* tangential) const {
  const Contact& c = *equations_.system().contacts[static_cast<std::size_t>(contact)];
  std::array<Row, 3> rows;
  for (Row& row : rows) row.body = {c.first, c.second};
  c.all_rows_at(equations_.kinematics(), rows[0], &rows[1]);
  Vec3 sum{0, 0, 0};
  for (std::size_t i = 0; i < 3; ++i) sum[i] = rows[1].J[1][i] * tangential[0] + rows[2].J[1][i] * tangential[1];
  return sum;
}

void ImpactSolver::by_law(const ImpactLawEntry& law, const double* gap_velocity, const double* restitution) {
  const System& s = equations_.system();
  const auto n = momentum_.size(), k = contacts_.size();
  if (!hold_constraints()) return;
  const auto block = static_cast<std::size_t>(1 + directions_), size = block * k;
  problem_.contacts = static_cast<int>(k);
  problem_.directions = directions_;
  problem_.G.assign(size * size, 0.0);
  problem_.c.assign(size, 0.0);
  problem_.e.assign(k, 0.0);
  problem_.e_t.assign(k, 0.0);
  problem_.mu.assign(k, 0.0);
  response_.assign(size * n, 0.0);
  if (rows_.size() < size) rows_.resize(size);
  for (std::size_t i = 0; i < size; ++i) rows_[i] = Row{};
  for (std::size_t i = 0; i < k; ++i) {
    const int contact = contacts_[i], unit = s.contact_friction[static_cast<std::size_t>(contact)];
    equations_.normal_row(contact, rows_[block * i]);
    problem_.c[block * i] = gap_velocity[contact];
    problem_.e[i] = restitution[contact];
    problem_.e_t[i] = tangential_[static_cast<std::size_t>(contact)];
    if (unit < 0) continue;
    equations_.tangent_rows(unit, &rows_[block * i + 1]);
    const double speed = equations_.slide_velocities(unit, &problem_.c[block * i + 1]);
    problem_.mu[i] = impact_friction(unit, speed);
  }
  for (std::size_t j = 0; j < size; ++j) respond(rows_[j], response_.data() + j * n);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      problem_.G[i * size + j] = equations_.row_times(rows_[i], response_.data() + j * n);
    }
    // A frictionless contact has no tangential direction: any inertia keeps the problem regular.
    if (problem_.G[i * size + i] == 0) problem_.G[i * size + i] = 1;
  }

  double fastest = 0;
  for (const double v : outcome_.v_plus) fastest = std::max(fastest, std::abs(v));
  const double tiny = 64 * std::numeric_limits<double>::epsilon() * fastest;
  ImpactSolution& solution = solution_;
  solution.clear();
  const bool in_sequence = options_.order != ImpactOptions::Order::together && k > 1;
  if (in_sequence)
    sequential_impact(problem_, law,
                      options_.order == ImpactOptions::Order::fastest
                          ? fastest_first(tiny)
                          : in_order(tiny, options_.order == ImpactOptions::Order::forward),
                      most_in_sequence, sequence_, solution);
  else
    law.answer(problem_, solution);
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
    const double* impulse = &solution.impulse[block * i];
    outcome_.impulse_n[c] = impulse[0];
    outcome_.impulse_t[c] = impulse[1];
    // (What approaches when a sequence has ended does so by round-off.)
    outcome_.closed[c] = impulse[0] > 0 || (in_sequence && solution.velocity[block * i] <= 0);
    outcome_.sticks[c] = solution.slide[i] == 0 && s.contact_friction[c] >= 0;
    if (directions_ == 1 || s.contact_friction[c] < 0) continue;
    const auto unit = static_cast<std::size_t>(s.contact_friction[c]);
    outcome_.impulse_t[c] = std::hypot(impulse[1], impulse[2]);
    outcome_.impulse_unit[unit] = {impulse[1], impulse[2], 0};
    outcome_.friction_impulse[c] = on_second_body(contacts_[i], impulse + 1);
  }
  load_ = momentum_;
  for (std::size_t j = 0; j < size; ++j) equations_.add_row(rows_[j], solution.impulse[j], load_.data());
  carry_out();
}

void ImpactSolver::carry_out() {
  // One solution with all impulses, so that M (v+ - v-) is what they say however ill-conditioned their sum is.
  for (int i = 0; i < equations_.row_count(); ++i) target_[static_cast<std::size_t>(i)] = equations_.row(i).nu;
  equations_.saddle().solve(load_.data(), target_.data(), outcome_.v_plus.data(), lambda_.data());
  std::copy_n(lambda_.begin(), outcome_.constraint_impulse.size(), outcome_.constraint_impulse.begin());
}

double ImpactSolver::impact_friction(int unit, double speed) const {
  const FrictionLaw& friction = equations_.system().frictions[static_cast<std::size_t>(unit)].law;
  return friction.dry() ? friction.mu_kinetic(speed, friction.piece_of(speed, 1)) : 0.0;
}

}  // namespace hstar

// src/transition/impact_solver.cpp
#include "transition/impact_solver.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "transition/tolerances.hpp"

namespace hstar {
namespace {
using Restores = ImpactLawEntry::Restores;
using Elements = ImpactLawEntry::Elements;
constexpr int most_in_sequence = 1000;
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The names of the laws that `has` says something of: "newton" or "poisson".
template <class Has>
std::string laws_that(const Has& has) {
  std::string names;
  for (const ImpactLawEntry& law : impact_laws())
    if (has(law)) names += (names.empty() ? "\"" : "\" or \"") + std::string(law.name);
  return names + "\"";
}
bool knows_all(const ImpactLawEntry& law) { return law.elements == Elements::all; }
}  // namespace

ImpactSolver::ImpactSolver(ModeEquations& equations, const ImpactOptions& options)
    : equations_(equations), reduction_(equations), options_(options) {
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
    sliding_restitution_.push_back(contact->restitution_tangential);
    refuse(law_.size() - 1);
  }
  for (const FrictionUnit& unit : s.frictions) joint_friction_ |= unit.joint >= 0 && ImpactReduction::takes_part(unit);
  if (s.is_spatial()) directions_ = 2;
  reserve();
}

void ImpactSolver::refuse(std::size_t c) const {
  const System& s = equations_.system();
  const Contact& contact = *s.contacts[c];
  const ImpactLawEntry& law = *law_[c];
  const bool code_knows_sliding_restitution = law.restores == Restores::own && law.elements == Elements::contacts;
  if (contact.restitution_tangential != 0) {
    std::string why;
    if (s.contact_friction[c] < 0)
      why = "acts through friction, and the contact has none; give it `friction`";
    else if (!law.restores_sliding() && !code_knows_sliding_restitution)
      why = "is not used by impact_law = \"" + contact.impact_law + "\"; take " +
            laws_that([](const ImpactLawEntry& l) { return l.restores_sliding(); });
    if (!why.empty())
      throw InputError(contact.where, fmt::format("contact \"{}\": restitution_tangential = {} {}, or leave it out",
                                                  contact.name, contact.restitution_tangential, why));
  }
  if (!s.is_spatial()) return;
  if (law.answer != nullptr && law.most_directions < 2)
    throw InputError(contact.where, fmt::format("contact \"{}\": impact_law = \"{}\" knows contacts in the plane only "
                                                "(ImpactLawEntry::most_directions); take \"newton\"",
                                                contact.name, law.name));
  if (knows_all(law) && !in_sequence(s.contacts.size())) return;
  for (const FrictionUnit& unit : s.frictions)
    if (unit.contact == static_cast<int>(c) && unit.part != FrictionPart::sliding)
      throw InputError(contact.where,
                       fmt::format("contact \"{}\": rolling and spinning friction take part in impacts under "
                                   "impact_law = {} and multiple_impact = \"simultaneous\" only; take these, or leave "
                                   "them out",
                                   contact.name, laws_that(knows_all)));
}

bool ImpactSolver::in_sequence(std::size_t contacts) const {
  return options_.order != ImpactOptions::Order::together && contacts > 1;
}

void ImpactSolver::reserve() {
  const System& s = equations_.system();
  const auto contacts = s.contacts.size(), units = s.frictions.size(), n = s.slots();
  for (auto* v : {&outcome_.closed, &outcome_.sticks}) v->resize(contacts);
  for (auto* v : {&outcome_.impulse_n, &outcome_.impulse_t}) v->resize(contacts);
  outcome_.friction_impulse.resize(contacts);
  outcome_.stuck_unit.resize(units);
  outcome_.impulse_unit.resize(units);
  for (auto* v : {&outcome_.v_plus, &outcome_.jumps}) v->resize(n);
  outcome_.reaction.resize(at(s.rows));
  jams_.resize(contacts);
  none_.assign(contacts, 0.0);
  jam_restitution_.resize(contacts);
  // Room for as many contacts as touch at once, as a rule; beyond it grows to the largest impact so far.
  constexpr int together = 16;
  constexpr std::size_t most_text = 128;  // letters of "slip, stick, ..."
  const int k = std::min(static_cast<int>(contacts), together), block = 1 + directions_;
  const auto joints = static_cast<int>(std::count_if(s.frictions.begin(), s.frictions.end(), [](const FrictionUnit& u) {
    return u.joint >= 0 && ImpactReduction::takes_part(u);
  }));
  phases_.reserve(k, std::min(static_cast<int>(units), 2 * together),
                  std::min(static_cast<int>(contacts) + s.sliding_rows(), 4 * together), most_parts * joints,
                  most_reactions * joints);
  for (auto* v : {&problem_.c, &solution_.impulse, &solution_.velocity, &sequence_.v}) v->reserve(at(block * k));
  for (auto* v : {&problem_.e, &problem_.e_t, &problem_.mu, &sequence_.gap}) v->reserve(at(k));
  problem_.G.reserve(at(block * k * block * k));
  row_.reserve(at(block * k));
  laws_.reserve(at(k));
  solution_.slide.reserve(at(k));
  for (auto* text : {&solution_.sequence, &sequence_.single.sequence, &outcome_.sequence}) text->reserve(most_text);
  sequence_.one.G.reserve(at(block * block));
  for (auto* v : {&sequence_.one.c, &sequence_.single.impulse, &sequence_.single.velocity}) v->reserve(at(block));
  for (auto* v : {&sequence_.one.e, &sequence_.one.e_t, &sequence_.one.mu}) v->reserve(1);
  sequence_.single.slide.reserve(1);
}

std::string ImpactSolver::notice() const {
  const System& s = equations_.system();
  const auto omits = [&](const ImpactLawEntry* law) { return !knows_all(*law) || in_sequence(s.contacts.size()); };
  const auto law = std::find_if(law_.begin(), law_.end(), omits);
  if (!joint_friction_ || law == law_.end()) return {};
  std::string joints;
  for (const FrictionUnit& unit : s.frictions)
    if (unit.joint >= 0 && ImpactReduction::takes_part(unit)) {
      const std::string& name = s.joints[at(unit.joint)]->name;
      if (joints.find("\"" + name + "\"") == std::string::npos)
        joints += (joints.empty() ? "\"" : ", \"") + name + "\"";
    }
  return fmt::format(
      "friction of joints ({}) takes no part in impacts under impact_law = \"{}\"{}; it does under {} with "
      "multiple_impact = \"simultaneous\"",
      joints, (*law)->name, options_.order == ImpactOptions::Order::together ? "" : " one after the other",
      laws_that(knows_all));
}

void ImpactSolver::clear() {
  for (auto* v : {&outcome_.closed, &outcome_.sticks, &outcome_.stuck_unit}) std::fill(v->begin(), v->end(), 0);
  for (auto* v : {&outcome_.impulse_n, &outcome_.impulse_t}) std::fill(v->begin(), v->end(), 0.0);
  std::fill(outcome_.friction_impulse.begin(), outcome_.friction_impulse.end(), Vec3{0, 0, 0});
  std::fill(outcome_.impulse_unit.begin(), outcome_.impulse_unit.end(), std::array<double, most_directions>{});
  outcome_.size = 0;
  outcome_.sequence.clear();
  outcome_.why.clear();
  outcome_.found = true;
}

const ImpactOutcome& ImpactSolver::solve(const std::vector<char>& active, const double* gap_velocity,
                                         const double* restitution, std::span<const char> driven) {
  static const ImpactLawEntry no_contact{"driven", {}, {}, nullptr, 2, Restores::nothing, Elements::all};
  clear();
  if (!reduction_.reduce(active, gap_velocity, restitution, sliding_restitution_.data(), false, driven)) {
    outcome_.found = false;
    outcome_.why = "the constraints are singular at the impact";
    return outcome_;
  }
  for (ImpactReduction::Island& island : reduction_.islands()) {
    if (island.impulse.empty()) continue;  // nothing touches or rubs
    if (!answer(island.contacts.empty() ? no_contact : *law_[at(island.contacts.front())], island)) return outcome_;
  }
  finish();
  return outcome_;
}

const ImpactOutcome& ImpactSolver::strike_together(const std::vector<char>& active, const double* gap_velocity) {
  static const ImpactLawEntry plastic{"plastic", {}, {}, nullptr, 2, Restores::nothing, Elements::all};
  clear();
  outcome_.found = reduction_.reduce(active, gap_velocity, none_.data(), sliding_restitution_.data(), true);
  if (!outcome_.found) outcome_.why = "the constraints are singular at the impact";
  if (!outcome_.found) return outcome_;
  for (ImpactReduction::Island& island : reduction_.islands())
    if (const char* why = by_phases(plastic, island)) {
      outcome_.found = false;
      outcome_.why = why;
      return outcome_;
    }
  finish();
  return outcome_;
}

const ImpactOutcome& ImpactSolver::jam(int contact) {
  // Laws that restore a part of the approach velocity restore nothing, it is zero; the way there is the same.
  static const ImpactLawEntry compression{"jam", {}, {}, poisson_along, 2, Restores::impulse, Elements::one};
  const ImpactLawEntry& law = *law_[at(contact)];
  const bool restores = law.restores == Restores::impulse || law.restores == Restores::own;
  clear();
  std::fill(jams_.begin(), jams_.end(), 0);
  jams_[at(contact)] = 1;
  jam_restitution_[at(contact)] = restores ? equations_.system().contacts[at(contact)]->restitution : 0.0;
  outcome_.found = reduction_.reduce(jams_, none_.data(), jam_restitution_.data(), sliding_restitution_.data(), true);
  if (!outcome_.found) outcome_.why = "the constraints are singular at the impact";
  if (outcome_.found) {
    ImpactReduction::Island& island = reduction_.islands().front();
    // (Nothing approaches: what is restored is a part of the impulse or of the work.)
    island.before.e.front() = jam_restitution_[at(contact)];
    if (const char* why = by_code(restores ? law : compression, island)) {
      outcome_.found = false;
      outcome_.why = "impact_law \"" + std::string(law.name) + "\": " + why;
    } else {
      finish();
    }
  }
  return outcome_;
}

bool ImpactSolver::answer(const ImpactLawEntry& law, ImpactReduction::Island& island) {
  const System& s = equations_.system();
  const auto only_slides = [&](int u) {
    return s.frictions[at(u)].contact >= 0 && s.frictions[at(u)].part == FrictionPart::sliding;
  };
  const std::size_t k = island.contacts.size();
  const bool alone = k == 1 && std::all_of(island.units.begin(), island.units.end(), only_slides);
  const bool phases = knows_all(law) && !in_sequence(k) && !(law.answer != nullptr && alone);
  const char* why = phases ? by_phases(law, island) : by_code(law, island);
  if (why == nullptr) return true;
  outcome_.found = false;
  outcome_.why = "impact_law \"" + std::string(law.name) + "\": " + why;
  return false;
}

const char* ImpactSolver::by_phases(const ImpactLawEntry& law, ImpactReduction::Island& island) {
  const char* why = phases_.solve(island.before, law.restores, {island.contacts, island.units});
  if (why != nullptr && island.terms < island.fastest) {
    // (Laws that are nearly broken by nearly dependent rows are told to fewer digits.)
    reduction_.measure(island, island.fastest);
    why = phases_.solve(island.before, law.restores, {island.contacts, island.units});
  }
  if (why != nullptr) return why;
  outcome_.size = std::max(outcome_.size, phases_.size());
  std::copy_n(phases_.impulse().begin(), island.impulse.size(), island.impulse.begin());
  for (std::size_t i = 0; i < island.contacts.size(); ++i)
    outcome_.closed[at(island.contacts[i])] = phases_.closed(static_cast<int>(i));
  for (std::size_t j = 0; j < island.units.size(); ++j)
    outcome_.stuck_unit[at(island.units[j])] = phases_.sticks(static_cast<int>(j));
  return nullptr;
}

void ImpactSolver::give_matrices(const ImpactReduction::Island& island) {
  // Contacts with their sliding friction; whatever else rubs takes no part.
  const System& s = equations_.system();
  const contact::Problem& p = island.before.problem;
  const int k = static_cast<int>(island.contacts.size()), block = 1 + directions_, size = block * k, n = p.rows();
  problem_.contacts = k;
  problem_.directions = directions_;
  problem_.e.assign(island.before.e.begin(), island.before.e.end());
  problem_.e_t.assign(at(k), 0.0);
  problem_.mu.assign(at(k), 0.0);
  row_.assign(at(size), -1);
  for (int i = 0; i < k; ++i) row_[at(block * i)] = p.contact[at(i)].row;
  for (std::size_t j = 0; j < island.units.size(); ++j) {
    const FrictionUnit& unit = s.frictions[at(island.units[j])];
    if (unit.contact < 0 || unit.part != FrictionPart::sliding) continue;
    const int i = p.unit[j].contact;
    problem_.mu[at(i)] = p.unit[j].mu_kinetic;
    problem_.e_t[at(i)] = island.before.e_t[j];
    for (int d = 0; d < directions_; ++d) row_[at(block * i + 1 + d)] = p.unit[j].row + d;
  }
  problem_.c.assign(at(size), 0.0);
  problem_.G.assign(at(size * size), 0.0);
  for (int i = 0; i < size; ++i) {
    // A frictionless contact has no tangential direction: any inertia keeps the problem regular.
    if (row_[at(i)] < 0) {
      problem_.G[at(i * size + i)] = 1;
      continue;
    }
    problem_.c[at(i)] = p.c[at(row_[at(i)])];
    for (int j = 0; j < size; ++j)
      if (row_[at(j)] >= 0) problem_.G[at(i * size + j)] = p.G[at(row_[at(i)] * n + row_[at(j)])];
    if (problem_.G[at(i * size + i)] == 0) problem_.G[at(i * size + i)] = 1;
  }
}

const char* ImpactSolver::by_code(const ImpactLawEntry& law, ImpactReduction::Island& island) {
  give_matrices(island);
  const std::size_t k = island.contacts.size();
  const bool sequence = in_sequence(k);
  double fastest = 0;
  for (const double v : problem_.c) fastest = std::max(fastest, std::abs(v));
  const double tiny = tolerances::slow_approach * fastest;
  solution_.clear();
  if (sequence) {
    laws_.clear();
    for (const int c : island.contacts) laws_.push_back(law_[at(c)]);
    sequential_impact(problem_, laws_,
                      options_.order == ImpactOptions::Order::fastest
                          ? fastest_first(tiny)
                          : in_order(tiny, options_.order == ImpactOptions::Order::forward),
                      most_in_sequence, sequence_, solution_);
  } else {
    law.solve(problem_, solution_);
  }
  if (!solution_.solved) {
    outcome_.why = solution_.why;
    return outcome_.why.c_str();
  }
  if (outcome_.sequence.empty()) outcome_.sequence = solution_.sequence;
  const int block = 1 + directions_;
  for (std::size_t i = 0; i < row_.size(); ++i)
    if (row_[i] >= 0) island.impulse[at(row_[i])] = solution_.impulse[i];
  for (std::size_t i = 0; i < k; ++i) {
    const auto normal = at(block) * i;
    // (What approaches when a sequence has ended does so by round-off, and what was struck early in it may be thrown
    // open later. An impulse with which a contact leaves faster than restored is round-off.)
    const double restored = sequence ? 0.0 : problem_.e[i] * std::max(0.0, -problem_.c[normal]);
    outcome_.closed[at(island.contacts[i])] =
        (sequence || solution_.impulse[normal] > 0) && solution_.velocity[normal] <= restored + tiny;
  }
  for (const int u : island.units)
    if (const int contact = equations_.system().frictions[at(u)].contact; contact >= 0)
      outcome_.stuck_unit[at(u)] =
          solution_.slide[std::lower_bound(island.contacts.begin(), island.contacts.end(), contact) -
                          island.contacts.begin()] == 0;
  return nullptr;
}

void ImpactSolver::take_units(const ImpactReduction::Island& island) {
  const System& s = equations_.system();
  const contact::Problem& p = island.before.problem;
  for (std::size_t i = 0; i < island.contacts.size(); ++i)
    outcome_.impulse_n[at(island.contacts[i])] = island.impulse[at(p.contact[i].row)];
  for (std::size_t j = 0; j < island.units.size(); ++j) {
    const auto u = at(island.units[j]);
    const FrictionUnit& unit = s.frictions[u];
    const double* f = &island.impulse[at(p.unit[j].row)];
    std::copy_n(f, unit.directions, outcome_.impulse_unit[u].begin());
    if (unit.joint >= 0 || unit.part != FrictionPart::sliding) continue;
    const auto c = at(unit.contact);
    outcome_.sticks[c] = outcome_.stuck_unit[u] && sliding_restitution_[c] == 0 && outcome_.impulse_n[c] > 0;
    outcome_.impulse_t[c] = unit.directions == 1 ? *f : std::hypot(f[0], f[1]);
    if (unit.directions > 1) outcome_.friction_impulse[c] = on_second_body(unit.contact, f);
  }
}

void ImpactSolver::finish() {
  for (const ImpactReduction::Island& island : reduction_.islands()) take_units(island);
  reduction_.carry();
  outcome_.v_plus = reduction_.velocity();
  outcome_.jumps = reduction_.jumps();
  outcome_.reaction = reduction_.reaction();
}

Vec3 ImpactSolver::on_second_body(int contact, const double* tangential) const {
  const Contact& c = *equations_.system().contacts[at(contact)];
  std::array<Row, 3> rows;
  for (Row& row : rows) row.body = {c.first, c.second};
  c.all_rows_at(equations_.motion.kinematics(), rows[0], &rows[1]);
  Vec3 sum{0, 0, 0};
  for (std::size_t i = 0; i < 3; ++i) sum[i] = rows[1].J[1][i] * tangential[0] + rows[2].J[1][i] * tangential[1];
  return sum;
}

}  // namespace hstar

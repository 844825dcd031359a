// src/transition/impact/phases.cpp
#include "transition/impact/phases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/tolerances.hpp"

namespace hstar {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Velocities have round-off of the size of all that fast ones of the island bring to them.
void set_scale(contact::Problem& p) {
  double fastest = 0;
  for (const double v : p.c) fastest = std::max(fastest, std::abs(v));
  for (double& scale : p.scale) scale = std::max(scale, fastest);
}
}  // namespace

void ImpactStatement::resize(int contacts, int units, int rows, int parts, int reactions) {
  problem.resize(contacts, units, rows, parts, reactions);
  e.assign(at(contacts), 0.0);
  e_t.assign(at(units), 0.0);
}

void state(const ImpactProblem& p, ImpactStatement& out) {
  const int k = p.contacts;
  out.resize(k, k, p.rows());
  std::copy(p.G.begin(), p.G.end(), out.problem.G.begin());
  std::copy(p.c.begin(), p.c.end(), out.problem.c.begin());
  set_scale(out.problem);
  for (int i = 0; i < k; ++i) {
    const int row = p.block() * i;
    out.problem.contact[at(i)].row = row;
    contact::Unit& unit = out.problem.unit[at(i)];
    unit.contact = i;
    unit.row = row + 1;
    unit.directions = p.directions;
    unit.mu_static = unit.mu_kinetic = p.mu[at(i)];
    out.e[at(i)] = p.e[at(i)];
    if (!p.e_t.empty()) out.e_t[at(i)] = p.e_t[at(i)];
  }
}

void ImpactPhases::reserve(int contacts, int units, int rows, int parts, int reactions) {
  // (The expansion has a part for every contact that was compressed.)
  now_.resize(contacts, units, rows, parts + contacts, reactions + contacts);
  solver_.reserve(rows);
  impulse_.reserve(at(rows));
  least_.reserve(at(rows));
  closed_.reserve(at(contacts));
  loaded_.reserve(at(contacts));
  sticks_.reserve(at(units));
}

const char* ImpactPhases::solve(const ImpactStatement& before, ImpactLawEntry::Restores restores,
                                const ElementNames& names) {
  switch (restores) {
    case ImpactLawEntry::Restores::nothing:
      return one_phase(before, false, names);
    case ImpactLawEntry::Restores::velocity:
      return one_phase(before, true, names);
    case ImpactLawEntry::Restores::impulse:
      return two_phases(before, names);
    case ImpactLawEntry::Restores::own:
      break;
  }
  return "the law is defined for one contact at a time; set multiple_impact = \"sequential\"";
}

void ImpactPhases::begin(const ImpactStatement& before) {
  now_ = before.problem;
  impulse_.assign(now_.c.size(), 0.0);
  size_ = 0;
  closed_.assign(now_.contact.size(), 0);
  sticks_.assign(now_.unit.size(), 0);
}

const char* ImpactPhases::one_phase(const ImpactStatement& before, bool restored, const ElementNames& names) {
  begin(before);
  if (restored) {
    for (std::size_t i = 0; i < now_.contact.size(); ++i) now_.c[at(now_.contact[i].row)] *= 1 + before.e[i];
    for (std::size_t j = 0; j < now_.unit.size(); ++j)
      for (int d = 0; d < now_.unit[j].directions; ++d) now_.c[at(now_.unit[j].row + d)] *= 1 + before.e_t[j];
  }
  return solve_phase(names, compressed_)
             ? nullptr
             : "no impulses satisfy its law of restitution and Coulomb's law of friction together";
}

const char* ImpactPhases::two_phases(const ImpactStatement& before, const ElementNames& names) {
  begin(before);
  if (!solve_phase(names, compressed_)) return "no impulses of compression were found";
  begin_expansion(before.e);
  if (!solve_phase(names, expanded_)) return "no impulses of expansion were found";
  for (std::size_t i = 0; i < now_.contact.size(); ++i) impulse_[at(now_.contact[i].row)] += least_[i];
  return nullptr;
}

bool ImpactPhases::solve_phase(const ElementNames& names, LastAnswers& last) {
  std::size_t fastest = 0;
  const auto rate = [&](std::size_t i) { return now_.c[at(now_.contact[i].row)]; };
  for (std::size_t i = 1; i < now_.contact.size(); ++i)
    if (rate(i) < rate(fastest)) fastest = i;
  const int struck = names.contacts.empty() ? -1 : names.contacts[fastest];
  const contact::Status* near = struck < 0 ? nullptr : last.find(struck, names);
  const contact::Answer answer = solver_.solve(now_, near);
  if (!answer.found) return false;
  // (What is found at once from everything held needs no guess.)
  if (struck >= 0 && (near != nullptr || answer.newton_steps > 0)) last.keep(struck, names, solver_.status());
  for (std::size_t i = 0; i < now_.c.size(); ++i) {
    impulse_[i] += solver_.force()[i];
    size_ = std::max(size_, solver_.size(static_cast<int>(i)));
  }
  const contact::Status& status = solver_.status();
  for (std::size_t i = 0; i < now_.contact.size(); ++i) {
    const auto row = at(now_.contact[i].row);
    if (status.contact[i] != contact::Press::open)
      closed_[i] = 1;
    else if (solver_.rate()[row] > contact::clear * solver_.size(static_cast<int>(row)))
      closed_[i] = 0;  // what others restore opens one that restores nothing
  }
  // (A contact that lets go after a first phase may have been brought to rest in it: its rate is then what the solver
  // calls none.)
  const auto rests = [&](const contact::Unit& unit) {
    for (int r = unit.row; r < unit.row + unit.directions; ++r)
      if (std::abs(solver_.rate()[at(r)]) > contact::clear * now_.scale[at(r)]) return false;
    return true;
  };
  for (std::size_t j = 0; j < now_.unit.size(); ++j) {
    const contact::Hold hold = status.unit[j].hold;
    sticks_[j] = hold == contact::Hold::held || hold == contact::Hold::creeping ||
                 (hold == contact::Hold::none && rests(now_.unit[j]));
  }
  return true;
}

void ImpactPhases::begin_expansion(const std::vector<double>& e) {
  const int n = now_.rows(), contacts = static_cast<int>(now_.contact.size());
  least_.assign(at(contacts), 0.0);
  loaded_.assign(at(contacts), -1);
  for (int i = 0; i < contacts; ++i) {
    least_[at(i)] = e[at(i)] * std::max(0.0, impulse_[at(now_.contact[at(i)].row)]);
    now_.force_scale = std::max(now_.force_scale, least_[at(i)]);
  }
  // (What is round-off of other impulses is none, and restores none.)
  for (double& least : least_)
    if (least <= contact::round_off * now_.force_scale) least = 0;
  // A velocity whose terms cancel in compression is zero: it must not be mistaken for a motion by the next phase.
  const double cancels = (n + 4) * std::numeric_limits<double>::epsilon();
  for (int r = 0; r < n; ++r) {
    double v = now_.c[at(r)], size = std::abs(v), more = 0;
    for (int j = 0; j < n; ++j) {
      const double jump = now_.G[at(r * n + j)] * impulse_[at(j)];
      v += jump;
      size += std::abs(jump);
    }
    if (std::abs(v) <= cancels * size) v = 0;
    for (int i = 0; i < contacts; ++i) more += now_.G[at(r * n + now_.contact[at(i)].row)] * least_[at(i)];
    now_.c[at(r)] = v + more;
  }
  // Reactions of joints are this phase's.
  for (std::size_t m = 0; m < now_.reaction_0.size(); ++m) {
    now_.reaction_0[m] = 0;
    for (int i = 0; i < contacts; ++i)
      now_.reaction_0[m] += now_.reaction[m * at(n) + at(now_.contact[at(i)].row)] * least_[at(i)];
  }
  // Friction of a contact that is pressed in any case has the normal impulse least + x: a part.
  for (contact::Unit& unit : now_.unit) {
    if (unit.normal != contact::Unit::Normal::contact || !(least_[at(unit.contact)] > 0)) continue;
    int& part = loaded_[at(unit.contact)];
    if (part < 0) {
      part = static_cast<int>(now_.part.size());
      now_.part.push_back({1, 1, static_cast<int>(now_.reaction_0.size())});
      now_.reaction_0.push_back(least_[at(unit.contact)]);
      now_.reaction.resize(now_.reaction.size() + at(n), 0.0);
      now_.reaction[now_.reaction.size() - at(n) + at(now_.contact[at(unit.contact)].row)] = 1;
    }
    unit.normal = contact::Unit::Normal::parts;
    unit.part = part;
    unit.parts = 1;
  }
}

}  // namespace hstar

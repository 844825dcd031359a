// src/formulation/contact_shares.cpp
#include "formulation/contact_shares.hpp"

#include <algorithm>
#include <cmath>

#include "contact/tolerances.hpp"

namespace hstar {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr double nothing_slides = -2;  ///< in place of a power, which is -1 at least
}  // namespace

ContactShares::ContactShares(const std::shared_ptr<const System>& system) : base_(system, false), reduction_(base_) {
  const System& s = *system;
  contacts_.resize(s.contacts.size());
  units_.resize(s.frictions.size());
  asked_.contacts.resize(s.contacts.size());
  asked_.units.resize(s.frictions.size());
  asked_.all = false;
  redundant_joint_.resize(s.bodies.size());
  load_.resize(s.slots());
  a_.resize(s.slots());
  lambda_.resize(at(s.rows + s.sliding_rows()) + s.contacts.size());
  zero_.resize(lambda_.size());
  level_.keep_answers();
  guessed_rows_.resize(s.contacts.size() + s.frictions.size());
  std::size_t rows = s.contacts.size();
  for (const FrictionUnit& unit : s.frictions) rows += at(unit.directions);
  guessed_force_.resize(rows);
  guessed_strain_.resize(rows);
}

bool ContactShares::ask(const ModeEquations& of, const Mode& mode) {
  const System& s = of.system();
  const math::SaddleSolver& saddle = of.rows.saddle();
  // Of rows that depend on each other any one is left out, a joint's, too: then what touches its bodies is asked.
  std::fill(redundant_joint_.begin(), redundant_joint_.end(), 0);
  for (int i = 0; i < s.rows; ++i)
    if (saddle.is_redundant(i)) redundant_joint_[at(of.rows.islands().of(of.rows[i].body))] = 1;
  const auto dependent = [&](int row, int rows) {
    bool any = redundant_joint_[at(of.rows.islands().of(of.rows[row].body))] != 0;
    for (int i = 0; i < rows; ++i) any |= saddle.is_redundant(row + i);
    return any;
  };
  any_ = false;
  const auto set = [&](auto& known, bool asked) {
    begins_ |= known.asked != asked;
    known.asked = asked;
    any_ |= asked;
  };
  if (acting_ != of.rows.acting()) {
    begins_ = true;
    acting_ = of.rows.acting();
    std::fill(asked_.contacts.begin(), asked_.contacts.end(), ContactKnowledge{});
    std::fill(asked_.units.begin(), asked_.units.end(), UnitKnowledge{});
  }
  begins_ = begins_ || mode_.closed != mode.closed ||
            std::any_of(acting_.units.begin(), acting_.units.end(),
                        [&](int u) { return mode_.friction[at(u)] != mode.friction[at(u)]; });
  for (const int c : acting_.contacts) {
    asked_.contacts[at(c)].touching = true;
    set(asked_.contacts[at(c)], mode.closed[at(c)] == unloaded || dependent(of.rows.of_contact(c), 1));
  }
  for (const int u : acting_.units) {
    const int row = of.rows.of_stuck(u);
    asked_.units[at(u)].at_zero = mode.friction[at(u)].slide == Slide::stick;
    set(asked_.units[at(u)], row >= 0 && dependent(row, s.frictions[at(u)].directions));
  }
  if (begins_) mode_ = mode;
  return any_;
}

void ContactShares::read_statuses(const ContactReduction::Island& island, const Mode& mode) {
  const contact::Problem& p = island.problem;
  status_.contact.resize(p.contact.size());
  status_.unit.resize(p.unit.size());
  mu_.resize(p.unit.size());
  std::size_t contact = 0, unit = 0;
  for (const UndecidedElement& e : island.elements)
    if (e.contact >= 0)
      status_.contact[contact++] =
          mode.closed[at(e.contact)] == unloaded ? contact::Press::touching : contact::Press::loaded;
  for (const UndecidedElement& e : island.elements) {
    if (e.unit < 0) continue;
    const contact::Unit& of = p.unit[unit];
    contact::UnitStatus& now = status_.unit[unit];
    mu_[unit++] = of.mu();
    if (of.normal == contact::Unit::Normal::contact && status_.contact[at(of.contact)] == contact::Press::touching)
      now.hold = contact::Hold::none;
    else if (of.slides)
      now = {contact::Hold::slip, of.direction};
    else if (const FrictionMode& f = mode.friction[at(e.unit)]; f.creeps)
      now = {contact::Hold::creeping, {static_cast<double>(f.direction), 0, 0}};
    else
      now.hold = contact::Hold::held;
  }
}

bool ContactShares::solve_island(const ContactReduction::Island& island, std::size_t index, std::size_t first,
                                 const Mode& mode, bool begins) {
  const contact::Problem& p = island.problem;
  read_statuses(island, mode);
  bool several = false;  // answers
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const bool reaction = p.unit[j].normal == contact::Unit::Normal::parts;
    several |= status_.unit[j].hold == contact::Hold::creeping && (p.unit[j].directions > 1 || reaction);
    several |= status_.unit[j].hold == contact::Hold::slip && reaction;
  }
  // Newton's method for directions of creep and sizes of reactions begins with the forces at the beginning of the mode,
  // what was decided, as long as it comes from there.
  double *const force = guessed_force_.data() + first, *const strain = guessed_strain_.data() + first;
  const auto keep_guess = [&] {
    guessed_rows_[index] = p.rows();
    std::copy_n(solver_.force().begin(), p.rows(), force);
    std::copy_n(solver_.strain(), p.rows(), strain);
  };
  if (several && (begins || guessed_rows_[index] != p.rows())) {
    if (!solver_.solve(p).found) return false;
    keep_guess();
  }
  // Beyond the load at which all that creeps slides the answer slides; farther from the mode nothing is told.
  const auto answers = [&](const double* from_force, const double* from_strain, double most_power) {
    if (several) level_.guess(p, from_force, from_strain);
    return level_.solve(p, status_, mu_.data()) && slide_power(p) <= most_power;
  };
  if (!answers(force, strain, several ? nothing_slides : contact::round_off)) {
    // All slides, or Newton's method has not come from those forces to these (near that load both may be answers).
    if (!several || !solver_.solve(p).found) return false;
    read_statuses(island, mode);
    if (!answers(solver_.force().data(), solver_.strain(), contact::round_off)) return false;
    if (slide_power(p) == nothing_slides) keep_guess();
  }
  take(island, mode);
  return true;
}

double ContactShares::slide_power(const contact::Problem& p) const {
  double largest = nothing_slides;
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const contact::Unit& unit = p.unit[j];
    if (unit.slides || status_.unit[j].hold != contact::Hold::slip) continue;
    double power = 0, terms = 0;
    for (int row = unit.row; row < unit.row + unit.directions; ++row) {
      power += level_.force()[row] * level_.rate()[row];
      terms += std::abs(level_.force()[row]) * level_.size(row);
    }
    if (terms > 0) largest = std::max(largest, power / terms);
  }
  return largest;
}

void ContactShares::take(const ContactReduction::Island& island, const Mode& mode) {
  const contact::Problem& p = island.problem;
  std::size_t contact = 0, unit = 0;
  for (const UndecidedElement& e : island.elements) {
    if (e.contact >= 0) {
      const auto row = at(p.contact[contact++].row);
      const bool touches = mode.closed[at(e.contact)] == unloaded;
      contacts_[at(e.contact)] = {true, level_.force()[row],
                                  touches ? -level_.strain()[row] / p.compliance[row] : level_.force()[row]};
    }
    if (e.unit < 0) continue;
    const contact::UnitStatus& now = status_.unit[unit];
    const contact::Unit& of = p.unit[unit];
    OfUnit& into = units_[at(e.unit)];
    into = OfUnit{};
    into.asked = true;
    for (int d = 0; d < of.directions; ++d) into.force[at(d)] = level_.force()[of.row + d];
    if (of.slides) into.known = of.further[0];
    ++unit;
    const FrictionMode& f = mode.friction[at(e.unit)];
    if (f.slide != Slide::stick) continue;
    into.creeps = f.creeps;
    const double limit = of.mu() * p.normal(of, level_.force()),
                 strain = contact::length(level_.strain() + of.row, of.directions) / p.compliance[at(of.row)];
    into.beyond = now.hold == contact::Hold::slip;
    // (J xi has a pole where all that creeps slides, mostly 1 / sqrt(load left): in its square both pass it smoothly.)
    const double squares = limit * limit + strain * strain,
                 left = squares > 0 ? 2 * limit * (limit * limit / squares) : 0;
    if (into.beyond) {
      // The load at which it slides has been passed.
      into.holds_again = limit;
      into.slips = -contact::length(level_.rate() + of.row, of.directions) / p.g(of.row, of.row);
    } else if (f.creeps) {
      into.holds_again = limit - left;
      into.slips = left;
    }
  }
}

bool ContactShares::solve(const ModeEquations& of, const Mode& mode) {
  base_.stand_where(of);
  if (!reduction_.reduce(asked_, mode, !begins_)) return false;
  const bool begins = begins_;
  begins_ = false;
  if (begins) {
    for (OfContact& c : contacts_) c.asked = false;
    for (OfUnit& u : units_) u.asked = false;
  }
  std::fill(load_.begin(), load_.end(), 0.0);
  const int columns = of.system().columns;
  std::size_t asked = 0, first = 0;
  for (int i = 0; i < reduction_.count(); ++i) {
    const ContactReduction::Island& island = reduction_.island(i);
    if (island.elements.empty()) continue;
    if (!solve_island(island, asked, first, mode, begins)) return false;
    const int rows = island.problem.rows();
    for (int k = 0; k < rows; ++k) reduction_.row(asked, k).add(level_.force()[at(k)], load_.data(), columns);
    first += at(rows);
    ++asked;
  }
  base_.rows.saddle().solve(load_.data(), zero_.data(), a_.data(), lambda_.data());
  return true;
}

}  // namespace hstar

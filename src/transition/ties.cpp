// src/transition/ties.cpp
#include "transition/ties.hpp"

#include <algorithm>
#include <cmath>

#include "contact/tolerances.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

Ties::Ties(ModeEquations& equations, ModeSolver& solver, Later& later, ConsistentRestart& restart)
    : equations_(equations),
      solver_(solver),
      later_(later),
      restart_(restart),
      begins_(equations.system().frictions.size()),
      y_(equations.system().size()),
      ydot_(y_.size()),
      q_dot_(static_cast<std::size_t>(equations.system().nq)) {
  const System& s = equations.system();
  ties_.contact.resize(s.contacts.size());
  ties_.unit.resize(s.frictions.size());
  c_now_.reserve(4 * (s.contacts.size() + s.frictions.size()));
  trial_.closed.resize(s.contacts.size());
  rates_.resize(s.contacts.size());
  trial_.friction.resize(s.frictions.size());
  slide_rates_.resize(s.frictions.size());
  held_ = trial_;
  departing_.units.resize(s.frictions.size());
  departing_.contacts.resize(s.contacts.size());
}

void Ties::tell_first(double t, const double* y, ModeProblem& problem, const Mode& asked) {
  // What gives way falls to mu_kinetic at once, and others that were at their limits are relieved: the order in which
  // they go is that of mu_static. (What slides since an event before this one at the same instant has fallen.)
  const auto falls = [&](std::size_t u) {
    const FrictionUnit& unit = equations_.system().frictions[u];
    const Kinematics& k = equations_.motion.kinematics();
    return problem.units[u].broke_away && asked.friction[u].slide != Slide::slip &&
           unit.mu_kinetic(0.0, 0, k) < unit.mu_static(k);
  };
  int several = 0;
  for (std::size_t u = 0; u < problem.units.size(); ++u) several += falls(u);
  if (several < 2) return;
  problem.static_only = true;
  trial_ = asked;
  const ModeChoice choice = solver_.accelerations(problem, trial_, false);
  if (choice.found && choice.ties > 1) break_ties(t, y, problem, asked, trial_, false);
  problem.static_only = false;
  bool any = false;
  for (std::size_t u = 0; u < problem.units.size(); ++u) any |= falls(u) && trial_.friction[u].slide == Slide::slip;
  for (std::size_t u = 0; u < problem.units.size() && any; ++u)
    problem.units[u].broke_away &= !falls(u) || trial_.friction[u].slide == Slide::slip;
}

bool Ties::creeps_on(const Mode& mode) const {
  bool goes_on = true;
  for (std::size_t u = 0; u < mode.friction.size() && goes_on; ++u)
    goes_on = !creeps_around(mode, u) || std::min(equations_.stick_reserve(static_cast<int>(u), -1),
                                                  equations_.stick_reserve(static_cast<int>(u), 1)) >= 0;
  return goes_on;
}

bool Ties::ends_at_once(double t, const double* y, const ModeProblem& problem, const Mode& mode) {
  bool any = false;
  for (std::size_t u = 0; u < mode.friction.size(); ++u) any |= creeps_around(mode, u);
  if (!any) return false;
  later_.begin(y);
  const double moment = later_.moment(mode, problem);
  const auto goes_on_for = [&](double time) { return later_.solve(mode, t, y, time) && creeps_on(mode); };
  // (By a moment directions may have changed by more than what creeps is from its end: it lasts, though not as long.)
  const bool goes_on =
      goes_on_for(moment) || goes_on_for(moment * (tolerances::least_change / tolerances::most_change));
  equations_.evaluate(t, y);
  equations_.solve(mode);
  return !goes_on;
}

bool Ties::breaks_away_against_itself(const ModeProblem& problem, const Mode& mode) const {
  bool any = false;
  for (std::size_t u = 0; u < problem.units.size(); ++u)
    any |= problem.units[u].broke_away && mode.friction[u].slide == Slide::slip &&
           equations_.sliding.regularity(static_cast<int>(u)) < 0;
  return any;
}

bool Ties::resolve(const ModeChoice& choice, double t, const double* y, const ModeProblem& problem, const Mode& asked,
                   Mode& mode) {
  if (const bool against = breaks_away_against_itself(problem, mode);
      against || choice.ties > 1 || ends_at_once(t, y, problem, mode))
    break_ties(t, y, problem, asked, mode, against);
  return equations_.rows.saddle().redundant_count() > 0 && leave_dead_centres(t, y, problem, asked, mode);
}

void Ties::break_ties(double t, const double* y, const ModeProblem& problem, const Mode& asked, Mode& mode, bool all) {
  ContactReduction& reduction = solver_.reduction();
  const auto each_rate = [&](const auto& use) {
    std::size_t place = 0;
    for (int i = 0; i < reduction.count(); ++i) {
      const ContactReduction::Island& island = reduction.island(i);
      if (island.elements.empty()) continue;
      const auto &c = island.problem.c, &scale = island.problem.scale;
      for (std::size_t r = 0; r < c.size(); ++r) use(place++, c[r], scale[r]);
    }
    return place;
  };
  ties_ = solver_.ties();
  for (std::size_t u = 0; u < begins_.size(); ++u)
    begins_[u] = mode.friction[u].slide == Slide::slip ? equations_.motion.reference(static_cast<int>(u)).direction
                                                       : std::array<double, most_directions>{};
  c_now_.clear();
  each_rate([&](std::size_t, double c, double) { c_now_.push_back(c); });
  if (problem.static_only) {  // (Just at their limits they move as if they were held.)
    held_ = asked;
    solver_.solve_in(held_);
  }
  later_.begin(y);
  bool decided = false, ties_last = false, ends = false;
  const double terms = later_.largest_acceleration();
  double turns = later_.before_turn(mode, problem);
  const double stops = turns * (tolerances::near_stop / tolerances::before_stop);
  double moment = std::min(later_.first_moment(terms), turns);
  // (Where nothing changes, what round-off grows to in a longer time tells nothing.)
  const double latest = tolerances::latest * std::sqrt(equations_.system().length / terms);
  for (int guess = 0; guess < 6 && !decided && moment <= latest; ++guess) {
    const ModeChoice later = later_.decide(problem, asked, t, y, moment);
    double change = 0;
    const std::size_t rates = each_rate([&](std::size_t place, double c, double scale) {
      if (place < c_now_.size() && terms > 0)
        change = std::max(change, std::abs(c - c_now_[place]) / std::max(scale, terms));
    });
    if (rates != c_now_.size() || !std::isfinite(change)) break;
    if (change >= tolerances::least_change && change <= tolerances::most_change) {
      decided = later.found;
      ends = !creeps_on(later_.mode());
      ties_last = (later.ties > 0 || ends) && moment < turns;
      moment = std::min(moment * tolerances::most_change / change, turns);
      break;
    }
    constexpr double most = 1 / tolerances::first_guess;
    if (moment == turns && change < tolerances::least_change) {
      if (turns == stops) break;
      turns = stops;
    }
    moment *= change > 0 ? std::clamp(tolerances::wanted_change / change, tolerances::first_guess, most) : most;
    moment = std::min(moment, turns);
  }
  const auto take = [&] {
    mode.closed = later_.mode().closed;
    mode.friction = later_.mode().friction;
  };
  if (decided && goes_on_from(problem, asked, mode, all)) {
    take();
    // (What changes fastest need not be what decides: a tie that lasts is looked at once more, as late as it can be.
    // Where creeping has ended without anything else that creeps or holds, what was inside its limit may give way,
    // too.)
    if (ties_last)
      if (const ModeChoice later = later_.decide(problem, asked, t, y, moment);
          later.found && later.ties == 0 && creeps_on(later_.mode()) && goes_on_from(problem, asked, mode, all || ends))
        take();
  }
  // (A unit that slides in either answer begins to in the direction of the first.)
  for (std::size_t u = 0; u < begins_.size(); ++u)
    equations_.motion.reference(static_cast<int>(u)).turn(begins_[u].data());
  equations_.evaluate(t, y);
  solver_.solve_in(mode);
}

bool Ties::goes_on_from(const ModeProblem& problem, const Mode& asked, const Mode& mode, bool all) const {
  const Mode& then = later_.mode();
  // What has reached its limit and is held then is inside it (forces of a row near a dead centre have so much round-off
  // that the problem takes any for it).
  for (std::size_t u = 0; u < mode.friction.size(); ++u) {
    const int unit = static_cast<int>(u);
    if (problem.units[u].broke_away && then.friction[u].slide == Slide::stick && !then.friction[u].creeps &&
        std::min(equations_.stick_reserve(unit, 1), equations_.stick_reserve(unit, -1)) <
            -tolerances::jump * std::abs(equations_.friction_force(unit)))
      return false;
  }
  if (all) return true;
  // Nothing that was clear before may have changed. (What touches without force, or creeps, does as others do; so does
  // what slides on a contact that lifts, and so do units where what slides then has lost a part of its friction.)
  bool contacts_stay = true, falls = false;
  for (std::size_t c = 0; c < mode.closed.size(); ++c) {
    const bool stays = (then.closed[c] != 0) == (mode.closed[c] != 0);
    contacts_stay &= stays;
    if (!stays && !ties_.contact[c]) return false;
  }
  for (std::size_t u = 0; u < mode.friction.size(); ++u) {
    const FrictionUnit& unit = equations_.system().frictions[u];
    const Kinematics& k = equations_.motion.kinematics();
    falls |= (ties_.unit[u] || mode.friction[u].creeps) && then.friction[u].slide == Slide::slip &&
             unit.mu_kinetic(0.0, 0, k) < unit.mu_static(k);
  }
  if (falls && contacts_stay) return true;
  const auto same = [](const FrictionMode& a, const FrictionMode& b) {
    return a.slide == b.slide && (a.slide != Slide::slip || a.direction == b.direction);
  };
  for (std::size_t u = 0; u < mode.friction.size(); ++u) {
    const int contact = equations_.system().frictions[u].contact;
    const bool lifts = contact >= 0 && ties_.contact[contact] && asked.friction[u].slide == Slide::slip;
    if (!ties_.unit[u] && !lifts && !mode.friction[u].creeps && !same(then.friction[u], mode.friction[u])) return false;
  }
  return true;
}

bool Ties::leave_dead_centres(double t, const double* y, const ModeProblem& problem, const Mode& asked, Mode& mode) {
  const System& s = equations_.system();
  trial_ = mode;
  const auto dead = [&](std::size_t u) { return mode.friction[u].slide != trial_.friction[u].slide; };
  const auto free = [&](std::size_t c) { return mode.closed[c] != trial_.closed[c]; };
  bool any = false;
  for (std::size_t c = 0; c < mode.closed.size(); ++c) {
    const int row = equations_.rows.of_contact(static_cast<int>(c));
    if (row < 0 || !equations_.rows.saddle().is_redundant(row)) continue;
    trial_.closed[c] = 0;
    rates_[c] = equations_.motion.normal_row(static_cast<int>(c)).rate(equations_.acceleration().data(), s.columns);
    any = true;
  }
  for (std::size_t u = 0; u < mode.friction.size(); ++u) {
    const int row = equations_.rows.of_stuck(static_cast<int>(u));
    bool depends = row >= 0;
    for (int d = 0; depends && d < s.frictions[u].directions; ++d)
      depends = equations_.rows.saddle().is_redundant(row + d);
    if (!depends) continue;
    trial_.friction[u] = FrictionMode{};
    const TangentRows tangents = equations_.motion.tangents(static_cast<int>(u));
    for (std::size_t d = 0; d < tangents.count; ++d)
      slide_rates_[u][d] = tangents[d].rate(equations_.acceleration().data(), s.columns);
    any = true;
  }
  const double acceleration = any ? later_.largest_acceleration() : 0;
  if (!(acceleration > 0)) return false;
  // Velocities go on with their rates, positions with the mean of both velocities, and both are put onto what is held.
  const double moment = tolerances::soon * std::sqrt(s.length / acceleration);
  equations_.store_rates(y, ydot_.data());
  std::copy(y, y + s.size(), y_.begin());
  const auto v = static_cast<std::size_t>(s.nq), end = static_cast<std::size_t>(s.nq + s.nv);
  for (std::size_t i = v; i < end; ++i) y_[i] += 0.5 * moment * ydot_[i];
  s.coordinate_rates(y_.data(), q_dot_.data());
  for (std::size_t i = 0; i < v; ++i) y_[i] += moment * q_dot_[i];
  for (std::size_t i = v; i < end; ++i) y_[i] += 0.5 * moment * ydot_[i];
  if (restart_.positions(trial_, t + moment, y_.data(), 8) && restart_.velocities(trial_, t + moment, y_.data())) {
    equations_.motion.evaluate(t + moment, y_.data());
    double fastest = moment * acceleration;  // (What is held moves by round-off alone.)
    for (const Freedom& f : equations_.motion.freedoms())
      fastest = std::max(fastest, std::abs(y_[s.nq + f.velocity]) * f.arm);
    departing_ = problem;
    double largest = 0;
    for (std::size_t c = 0; c < mode.closed.size(); ++c) {
      ContactKnowledge& known = departing_.contacts[c];
      const double speed =
          free(c) ? equations_.motion.free_speed(equations_.motion.normal_row(static_cast<int>(c))) : 0;
      // (Where it moves the other way first this is no dead centre yet.)
      const bool turns = rates_[c] * speed < 0 && std::abs(rates_[c]) > contact::round_off * acceleration;
      known.departs = !turns && std::abs(speed) > tolerances::leaves * fastest ? speed : 0;
      known.asked |= known.departs != 0;
      largest = std::max(largest, std::abs(known.departs));
    }
    for (std::size_t u = 0; u < mode.friction.size(); ++u) {
      auto& gamma = departing_.units[u].departs;
      const double per_length = s.frictions[u].turns ? 1 / s.length : 1.0;
      const double speed = dead(u) ? equations_.motion.slide_velocities(static_cast<int>(u), gamma.data()) : 0.0;
      double along = 0;
      for (std::size_t d = 0; d < gamma.size() && dead(u); ++d) along += slide_rates_[u][d] * gamma[d];
      const bool turns = along < -contact::round_off * acceleration * per_length * speed;
      if (turns || !(speed > tolerances::leaves * fastest * per_length)) {
        gamma = {};
        continue;
      }
      departing_.units[u].asked = true;
      largest = std::max(largest, speed * (s.frictions[u].turns ? s.length : 1.0));
    }
    // If all others were held these would move so: the laws say which of all give way.
    const double to_rates = largest > 0 ? tolerances::departs * acceleration / largest : 0.0;
    for (ContactKnowledge& known : departing_.contacts) known.departs *= to_rates;
    for (UnitKnowledge& known : departing_.units)
      for (double& rate : known.departs) rate *= to_rates;
    equations_.evaluate(t, y);
    trial_ = asked;
    // (What has reached its limit and lifts or slides in the answer does so while these depart: it is no longer asked.)
    for (std::size_t c = 0; c < mode.closed.size(); ++c)
      if (!mode.closed[c] && departing_.contacts[c].leaves())
        trial_.closed[c] = departing_.contacts[c].touching = false;
    for (std::size_t u = 0; u < mode.friction.size(); ++u)
      if (mode.friction[u].slide != Slide::stick && departing_.units[u].broke_away) {
        departing_.units[u].at_zero = false;
        trial_.friction[u] = mode.friction[u];
      }
    if (largest > 0 && solver_.accelerations(departing_, trial_, false).found) {
      mode = trial_;
    } else {
      // (Held, they would be stopped without an impulse.)
      for (std::size_t u = 0; u < mode.friction.size(); ++u) {
        const auto& gamma = departing_.units[u].departs;
        if (gamma == std::array<double, most_directions>{}) continue;
        const bool turns_back = s.frictions[u].directions == 1 && gamma[0] < 0;
        mode.friction[u] = {Slide::slip, static_cast<signed char>(turns_back ? -1 : 1), 0,
                            static_cast<short>(s.frictions[u].law.piece_of(0, 1))};
        if (s.frictions[u].directions > 1) equations_.motion.reference(static_cast<int>(u)).turn(gamma.data());
      }
    }
  }
  return true;
}

}  // namespace hstar

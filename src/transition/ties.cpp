// src/transition/ties.cpp: several elements that reach the limits of their laws at one instant.
//
// Five blocks on a table whose acceleration passes mu g: every interface is at its limit, and accelerations alone do
// not tell which of them slides; all rates are zero whichever does. What follows tells: the lowest, since the others
// then stay at their limit. Formally the complementarity problem of the rates of change (Glocker 2001, sec. 5; Pfeiffer
// & Glocker 1996) decides those that the problem itself leaves on the boundary. Here its right side is the difference
// of the problem a moment later: large against round-off, small against what it changes by.
#include <algorithm>
#include <cmath>

#include "transition/mechanism_process.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

void MechanismProcess::tell_first(double t, const double* y, ModeProblem& problem) {
  // What gives way falls to mu_kinetic at once, and others that were at their limits are relieved: the order in which
  // they go is that of mu_static.
  int several = 0;
  for (std::size_t u = 0; u < problem.units.size(); ++u) {
    const FrictionUnit& unit = system_->frictions[u];
    const Kinematics& k = equations_.kinematics();
    several += problem.units[u].broke_away && unit.mu_kinetic(0.0, 0, k) < unit.mu_static(k);
  }
  if (several < 2) return;
  problem.static_only = true;
  const ModeChoice choice = solver_.accelerations(problem, mode_, false);
  if (choice.found && choice.ties > 1) break_ties(t, y, problem, false);
  problem.static_only = false;
  bool any = false;
  for (std::size_t u = 0; u < problem.units.size(); ++u)
    any |= problem.units[u].broke_away && mode_.friction[u].slide == Slide::slip;
  for (std::size_t u = 0; u < problem.units.size() && any; ++u)
    problem.units[u].broke_away &= mode_.friction[u].slide == Slide::slip;
  mode_ = asked_mode_;
}

double MechanismProcess::largest_acceleration() {
  const System& s = *system_;
  double largest = 0;
  ContactReduction& reduction = solver_.reduction();
  for (int i = 0; i < reduction.count(); ++i)
    for (const double scale : reduction.island(i).problem.scale) largest = std::max(largest, scale);
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c)
      largest = std::max(largest, std::abs(equations_.acceleration()[s.slot(b, c)]) * (s.turns(c) ? s.length : 1.0));
  return largest;
}

double MechanismProcess::first_moment(double acceleration) const {
  return tolerances::wanted_change * std::sqrt(system_->length / acceleration);
}

bool MechanismProcess::ends_at_once(double t, const double* y) {
  bool turns = false;
  for (std::size_t u = 0; u < mode_.friction.size(); ++u)
    turns |= mode_.friction[u].creeps && system_->frictions[u].directions > 1;
  if (!turns) return false;
  equations_.store_rates(y, ydot_.data());
  const bool goes_on = solve_later(t, y, first_moment(largest_acceleration()));
  equations_.evaluate(t, y);
  equations_.solve(mode_);
  return !goes_on;
}

bool MechanismProcess::breaks_away_against_itself(const ModeProblem& problem) const {
  bool any = false;
  for (std::size_t u = 0; u < problem.units.size(); ++u)
    any |= problem.units[u].broke_away && mode_.friction[u].slide == Slide::slip &&
           equations_.regularity(static_cast<int>(u)) < 0;
  return any;
}

void MechanismProcess::break_ties(double t, const double* y, const ModeProblem& problem, bool all) {
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
    begins_[u] = mode_.friction[u].slide == Slide::slip ? equations_.slide_reference(static_cast<int>(u))
                                                        : std::array<double, most_directions>{};
  c_now_.clear();
  each_rate([&](std::size_t, double c, double) { c_now_.push_back(c); });
  // The same question a moment later: of what has just happened nothing is known then.
  later_problem_ = problem;
  for (UnitKnowledge& u : later_problem_.units) u.broke_away = false, u.heading = 0;
  for (ContactKnowledge& c : later_problem_.contacts) c.lifting = c.pressed = false;
  equations_.store_rates(y, ydot_.data());
  bool decided = false;
  const double terms = largest_acceleration();
  double moment = first_moment(terms);
  for (int guess = 0; guess < 6 && !decided; ++guess) {
    std::copy(y, y + system_->size(), y_later_.begin());
    for (std::size_t i = 0; i < static_cast<std::size_t>(system_->nq + system_->nv); ++i)
      y_later_[i] += moment * ydot_[i];
    equations_.evaluate(t + moment, y_later_.data());
    later_mode_ = asked_mode_;
    const ModeChoice later = solver_.accelerations(later_problem_, later_mode_, false);
    double change = 0;
    const std::size_t rates = each_rate([&](std::size_t place, double c, double scale) {
      if (place < c_now_.size() && terms > 0)
        change = std::max(change, std::abs(c - c_now_[place]) / std::max(scale, terms));
    });
    if (rates != c_now_.size() || !std::isfinite(change)) break;
    if (change >= tolerances::least_change && change <= tolerances::most_change) {
      decided = later.found;
      break;
    }
    constexpr double most = 1 / tolerances::first_guess;
    moment *= change > 0 ? std::clamp(tolerances::wanted_change / change, tolerances::first_guess, most) : most;
  }
  const auto same = [](const FrictionMode& a, const FrictionMode& b) {
    return a.slide == b.slide && (a.slide != Slide::slip || a.direction == b.direction);
  };
  // Nothing that was clear before may have changed. (What touches without force, or creeps, does as others do.)
  for (std::size_t c = 0; c < mode_.closed.size() && !all; ++c)
    decided &= ties_.contact[c] || (later_mode_.closed[c] != 0) == (mode_.closed[c] != 0);
  for (std::size_t u = 0; u < mode_.friction.size() && !all; ++u)
    decided &= ties_.unit[u] || mode_.friction[u].creeps || same(later_mode_.friction[u], mode_.friction[u]);
  if (decided) {
    mode_.closed = later_mode_.closed;
    mode_.friction = later_mode_.friction;
  }
  // (A unit that slides in either answer begins to in the direction of the first.)
  for (std::size_t u = 0; u < begins_.size(); ++u)
    equations_.set_slide_direction(static_cast<int>(u), begins_[u].data());
  equations_.evaluate(t, y);
  solver_.solve_in(mode_);
}

void MechanismProcess::leave_dead_centres(double t, const double* y) {
  const System& s = *system_;
  rows_mode_ = mode_;
  const auto dead = [&](std::size_t u) { return mode_.friction[u].slide != rows_mode_.friction[u].slide; };
  bool any = false;
  for (std::size_t u = 0; u < mode_.friction.size(); ++u) {
    const int row = equations_.stick_row(static_cast<int>(u));
    bool depends = row >= 0;
    for (int d = 0; depends && d < s.frictions[u].directions; ++d) depends = equations_.saddle().is_redundant(row + d);
    if (depends) rows_mode_.friction[u] = FrictionMode{};
    any |= dead(u);
  }
  const double acceleration = any ? largest_acceleration() : 0;
  if (!(acceleration > 0)) return;
  // Velocities go on with their rates, positions with the mean of both velocities, and both are put onto what is held.
  const double moment = tolerances::soon * std::sqrt(s.length / acceleration);
  equations_.store_rates(y, ydot_.data());
  std::copy(y, y + s.size(), y_later_.begin());
  const auto v = static_cast<std::size_t>(s.nq), end = static_cast<std::size_t>(s.nq + s.nv);
  for (std::size_t i = v; i < end; ++i) y_later_[i] += 0.5 * moment * ydot_[i];
  s.coordinate_rates(y_later_.data(), q_dot_.data());
  for (std::size_t i = 0; i < v; ++i) y_later_[i] += moment * q_dot_[i];
  for (std::size_t i = v; i < end; ++i) y_later_[i] += 0.5 * moment * ydot_[i];
  if (restart_.positions(rows_mode_, t + moment, y_later_.data(), 8) &&
      restart_.velocities(rows_mode_, t + moment, y_later_.data())) {
    equations_.evaluate_kinematics(t + moment, y_later_.data());
    double fastest = moment * acceleration;  // (What is held moves by round-off alone.)
    for (std::size_t b = 0; b < s.bodies.size(); ++b)
      for (int c = 0; c < s.bodies[b].dofs; ++c)
        fastest = std::max(fastest, std::abs(y_later_[v + static_cast<std::size_t>(s.bodies[b].dof + c)]) *
                                        (s.turns(c) ? s.length : 1.0));
    std::array<double, most_directions> gamma{};
    for (std::size_t u = 0; u < mode_.friction.size(); ++u) {
      const int unit = static_cast<int>(u);
      const double size = fastest * (s.frictions[u].turns ? 1 / s.length : 1.0);
      if (!dead(u) || !(equations_.slide_velocities(unit, gamma.data()) > tolerances::leaves * size)) continue;
      const bool turns_back = s.frictions[u].directions == 1 && gamma[0] < 0;
      const auto direction = static_cast<signed char>(turns_back ? -1 : 1);
      mode_.friction[u] = {Slide::slip, direction, 0, static_cast<short>(s.frictions[u].law.piece_of(0, 1))};
      if (s.frictions[u].directions > 1) equations_.set_slide_direction(unit, gamma.data());
    }
  }
  equations_.evaluate(t, y);
  solver_.solve_in(mode_);
}

}  // namespace hstar

// src/transition/later.cpp
#include "transition/later.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "transition/tolerances.hpp"

namespace hstar {

Later::Later(ModeEquations& equations, ModeSolver& solver)
    : equations_(equations), solver_(solver), y_(equations.system().size()), ydot_(y_.size()) {
  const System& s = equations.system();
  problem_.contacts.resize(s.contacts.size());
  problem_.units.resize(s.frictions.size());
  mode_.closed.resize(s.contacts.size());
  mode_.friction.resize(s.frictions.size());
}

void Later::begin(const double* y) { equations_.store_rates(y, ydot_.data()); }

void Later::evaluate(double t, const double* y, double moment) {
  const System& s = equations_.system();
  std::copy(y, y + s.size(), y_.begin());
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.nq + s.nv); ++i) y_[i] += moment * ydot_[i];
  equations_.evaluate(t + moment, y_.data());
}

bool Later::solve(const Mode& mode, double t, const double* y, double moment) {
  evaluate(t, y, moment);
  return equations_.solve(mode);
}

ModeChoice Later::decide(const ModeProblem& problem, const Mode& asked, double t, const double* y, double moment) {
  problem_ = problem;
  for (UnitKnowledge& u : problem_.units) u.broke_away = u.returned = false, u.heading = 0;
  for (ContactKnowledge& c : problem_.contacts) c.lifting = c.let_go = c.pressed = false;
  evaluate(t, y, moment);
  mode_ = asked;
  return solver_.accelerations(problem_, mode_, false);
}

double Later::largest_acceleration() const {
  double largest = 0;
  ContactReduction& reduction = solver_.reduction();
  for (int i = 0; i < reduction.count(); ++i)
    for (const double scale : reduction.island(i).problem.scale) largest = std::max(largest, scale);
  for (const Freedom& f : equations_.motion.freedoms())
    largest = std::max(largest, std::abs(equations_.acceleration()[f.slot]) * f.arm);
  return largest;
}

double Later::before_turn(const Mode& mode, const ModeProblem& problem) const {
  double moment = std::numeric_limits<double>::infinity();
  const ElementMotion& motion = equations_.motion;
  for (std::size_t u = 0; u < mode.friction.size(); ++u) {
    if (mode.friction[u].slide != Slide::slip || problem.units[u].at_zero) continue;
    double rate = 0;
    for (const Row& row : motion.tangents(static_cast<int>(u)))
      rate = std::hypot(rate, row.rate(equations_.acceleration().data(), equations_.system().columns));
    if (rate > 0) moment = std::min(moment, tolerances::before_stop * motion.slide_speed(static_cast<int>(u)) / rate);
  }
  return moment;
}

double Later::moment(const Mode& mode, const ModeProblem& problem) const {
  return std::min(first_moment(largest_acceleration()), before_turn(mode, problem));
}

double Later::first_moment(double acceleration) const {
  return tolerances::wanted_change * std::sqrt(equations_.system().length / acceleration);
}

}  // namespace hstar

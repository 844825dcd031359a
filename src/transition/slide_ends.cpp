// src/transition/slide_ends.cpp: the first moments of sliding in several directions, and the last.
//
// While the speed s of sliding is small the friction bends its direction back to that of the load at the rate alpha /
// s, alpha the acceleration that friction alone gives. Two things follow. Where a load grows slowly past the limit, the
// sliding begins with hardly any acceleration a, and an explicit method takes some alpha / a steps for each doubling of
// s. And a velocity smaller than the integrator's error has no direction: that of the noise would be taken, and
// friction that points here and there does not let s grow. In both cases the direction is that of the load to within
// what the load turns by meanwhile, and what it is off by is bent back at once when it is let go: so it is held until
// a = alpha / 1000 and s is 100 times the error of the velocity; and at the end of a slide again where s is no longer
// 10 times that error, until the stop is found.
#include <algorithm>
#include <cmath>
#include <limits>

#include "transition/mechanism_process.hpp"

namespace hstar {
namespace {
constexpr double small_part = 1e-3;     // of alpha
constexpr double clear_of_error = 100;  // the direction of gamma_T is then known to 1 part in 100
constexpr double near_error = 10;
constexpr double eps = std::numeric_limits<double>::epsilon();
}  // namespace

double MechanismProcess::friction_alone(int unit) {
  std::fill(response_load_.begin(), response_load_.end(), 0.0);
  Row row;
  equations_.tangent_row(unit, row);
  equations_.add_row(row, equations_.friction_force(unit), response_load_.data());
  equations_.saddle().solve(response_load_.data(), no_rates_.data(), response_a_.data(), response_lambda_.data());
  const double alpha = -equations_.row_times(row, response_a_.data());
  return alpha > 64 * eps * solver_.reduction().row_scale(row) ? alpha : 0;
}

void MechanismProcess::hold_last_directions() {
  if (!(rtol_ > 0)) return;
  for (std::size_t u = 0; u < system_->frictions.size(); ++u) {
    const int unit = static_cast<int>(u);
    if (system_->frictions[u].directions == 1 || mode_.friction[u].slide != Slide::slip) continue;
    const double floor = near_error * rtol_ * speed_terms(unit), speed = equations_.slide_speed(unit);
    // A step may bring it down by much more than a tenth; then it comes by the floor without being held. What friction
    // does not decelerate (a driver moves it) has the direction it is given.
    if (speed < 10 * floor && friction_alone(unit) > 0) equations_.raise_slide_floor(unit, floor);
  }
}

double MechanismProcess::speed_to_hold(int unit, double t, const double* y, double& moment) {
  // The equations are solved in mode_ at (t, y); response_a_ are the accelerations that friction alone gives.
  const System& s = *system_;
  Row row;
  equations_.tangent_row(unit, row);
  const double alpha = std::abs(equations_.row_times(row, response_a_.data()));
  const double target = small_part * alpha, begin = std::max(equations_.row_acceleration(row), 0.0);
  const double least = clear_of_error * std::max(rtol_, eps) * speed_terms(unit);
  if (!(begin < 0.5 * target)) return least;
  // When both a and s will be that large, to within a factor of two.
  equations_.store_rates(y, ydot_.data());
  double speed = 0, too_early = 0, too_late = std::numeric_limits<double>::infinity();
  moment = std::max(least / target, 1e-6);  // [s] a first guess only
  for (int guess = 0; guess < 20; ++guess) {
    for (std::size_t i = 0; i < s.size(); ++i)
      y_later_[i] = y[i] + (i < static_cast<std::size_t>(s.nq + s.nv) ? moment * ydot_[i] : 0.0);
    equations_.evaluate(t + moment, y_later_.data());
    if (!equations_.solve(mode_)) break;
    equations_.tangent_row(unit, row);
    const double then = std::max(equations_.row_acceleration(row), 0.0);
    speed = 0.5 * (begin + then) * moment;
    const double part = least > 0 ? std::min(then / target, speed / least) : then / target;
    if (part >= 0.5 && part <= 2) break;
    (part < 1 ? too_early : too_late) = moment;
    const double next = moment / std::clamp(part, 1e-3, 1e3);
    moment = next > too_early && next < too_late ? next : std::sqrt(too_early) * std::sqrt(too_late);
    speed = 0;
    if (moment > 1) break;  // [s] it does not grow
  }
  equations_.evaluate(t, y);
  equations_.solve(mode_);
  return std::max(speed, least);
}

void MechanismProcess::look_where(double t, const double* y, double later, const ModeProblem& problem) {
  // At the limit itself the direction is that of a force of which only a difference of round-off is left.
  later_problem_ = problem;
  for (UnitKnowledge& u : later_problem_.units) u.broke_away = false, u.heading = 0;
  for (ContactKnowledge& c : later_problem_.contacts) c.lifting = false;
  const std::size_t units = system_->frictions.size();
  for (std::size_t u = 0; u < units; ++u) directions_[u] = equations_.slide_reference(static_cast<int>(u));
  for (std::size_t i = 0; i < system_->size(); ++i)
    y_later_[i] = y[i] + (i < static_cast<std::size_t>(system_->nq + system_->nv) ? later * ydot_[i] : 0.0);
  equations_.evaluate(t + later, y_later_.data());
  later_mode_ = asked_mode_;
  bool same = solver_.accelerations(later_problem_, later_mode_, false).found;
  for (std::size_t u = 0; u < units; ++u) same &= later_mode_.friction[u].slide == mode_.friction[u].slide;
  const auto as_before = [&] {
    for (std::size_t u = 0; u < units; ++u) equations_.set_slide_direction(static_cast<int>(u), directions_[u].data());
  };
  if (!same) as_before();
  equations_.evaluate(t, y);
  solver_.solve_in(mode_);
  // The load may turn so fast that nothing begins to slide in the later direction now.
  Row row;
  bool begins = true;
  for (std::size_t u = 0; u < units && same; ++u) {
    if (system_->frictions[u].directions == 1 || !problem.units[u].at_zero || mode_.friction[u].slide != Slide::slip)
      continue;
    equations_.tangent_row(static_cast<int>(u), row);
    begins &= equations_.row_acceleration(row) >= -64 * eps * solver_.reduction().row_scale(row);
  }
  if (begins) return;
  as_before();
  solver_.solve_in(mode_);
}

void MechanismProcess::hold_directions(double t, const double* y, const ModeProblem& problem) {
  const auto begins = [&](std::size_t u) {
    return system_->frictions[u].directions > 1 && problem.units[u].at_zero && mode_.friction[u].slide == Slide::slip;
  };
  bool any = false;
  for (std::size_t u = 0; u < system_->frictions.size(); ++u) {
    if (!begins(u)) continue;
    begins_[u][0] = equations_.slide_floor(static_cast<int>(u));
    equations_.set_slide_floor(static_cast<int>(u), std::numeric_limits<double>::infinity());
    any = true;
  }
  if (!any) return;
  equations_.evaluate(t, y);
  equations_.solve(mode_);
  std::fill(response_load_.begin(), response_load_.end(), 0.0);
  for (std::size_t u = 0; u < system_->frictions.size(); ++u) {
    if (!begins(u)) continue;
    Row row;
    equations_.tangent_row(static_cast<int>(u), row);
    equations_.add_row(row, equations_.friction_force(static_cast<int>(u)), response_load_.data());
  }
  equations_.saddle().solve(response_load_.data(), no_rates_.data(), response_a_.data(), response_lambda_.data());
  double speed = 0, later = 0;
  for (std::size_t u = 0; u < system_->frictions.size(); ++u) {
    if (!begins(u)) continue;
    double moment = 0;
    const double one = speed_to_hold(static_cast<int>(u), t, y, moment);
    if (one <= speed) continue;
    speed = one;
    later = moment;
  }
  if (speed > 0) look_where(t, y, later, problem);
  for (std::size_t u = 0; u < system_->frictions.size(); ++u)
    if (begins(u)) equations_.set_slide_floor(static_cast<int>(u), std::max(begins_[u][0], speed));
}

}  // namespace hstar

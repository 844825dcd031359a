// src/transition/slide_ends.cpp: the first moments of sliding in several directions, and the last.
//
// While the speed s of sliding is small the friction bends its direction back to that of the load at the rate alpha /
// s, alpha the acceleration that friction alone gives. Two things follow. Where sliding begins with little acceleration
// a (a load grows slowly past the limit), an explicit method takes some alpha / a steps for each doubling of s, from
// round-off on. And a velocity smaller than the integrator's error has no direction: that of the noise would be taken,
// and friction that points here and there does not let s grow. In both cases the direction is that of the load to
// within what the load turns by meanwhile, and what it is off by is bent back at once when it is let go: so it is held
// until a = alpha / 1000 or, where a is more from the beginning, until the load has turned by a small angle, and until
// s is 100 times the error of the velocity; and at the end of a slide again where s is no longer 10 times that error,
// until the stop is found. The feet of a body are let go at one time: with some of them held the others would turn it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "transition/mechanism_process.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {
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
    const double floor = tolerances::near_error * rtol_ * speed_terms(unit), speed = equations_.slide_speed(unit);
    // A step may bring it down by much more than a tenth; then it comes by the floor without being held. What friction
    // does not decelerate (a driver moves it) has the direction it is given.
    if (speed < 10 * floor && friction_alone(unit) > 0) equations_.raise_slide_floor(unit, floor);
  }
}

bool MechanismProcess::solve_later(double t, const double* y, double later) {
  for (std::size_t i = 0; i < system_->size(); ++i)
    y_later_[i] = y[i] + (i < static_cast<std::size_t>(system_->nq + system_->nv) ? later * ydot_[i] : 0.0);
  equations_.evaluate(t + later, y_later_.data());
  return equations_.solve(mode_);
}

MechanismProcess::Start MechanismProcess::slide_start(int unit) const {
  std::array<Row, most_directions> rows;
  equations_.tangent_rows(unit, rows.data());
  const auto& d = equations_.slide_reference(unit);
  const auto k = static_cast<std::size_t>(system_->frictions[unit].directions);
  std::array<double, most_directions> a{};
  Start start;
  for (std::size_t i = 0; i < k; ++i) {
    a[i] = equations_.row_acceleration(rows[i]);
    start.along += a[i] * d[i];
  }
  for (std::size_t i = 0; i < k; ++i) start.across = std::hypot(start.across, a[i] - start.along * d[i]);
  return start;
}

double MechanismProcess::time_to_hold(int unit, double t, const double* y, double least, bool& grows) {
  // The equations are solved in mode_ at (t, y); response_a_ are the accelerations that friction alone gives.
  const FrictionUnit& of = system_->frictions[unit];
  Row row;
  equations_.tangent_row(unit, row);
  const double alpha = std::abs(equations_.row_times(row, response_a_.data())), begin = slide_start(unit).along;
  if (!(alpha > 0)) return 0;
  // In this time friction alone moves it as far as the mechanism is long, or turns it by 1 rad.
  const double longest = std::sqrt((of.turns ? 1.0 : system_->length) / alpha), target = tolerances::small_part * alpha;
  grows = begin < 0.5 * target;
  const double angle = begin < tolerances::slow_part * alpha ? tolerances::angle_slow : tolerances::angle_fast,
               most = grows ? longest : tolerances::small_part * longest;
  double moment = std::max(grows ? least / target : 0.0, tolerances::first_guess * longest), found = 0;
  double too_early = 0, too_late = std::numeric_limits<double>::infinity();
  for (int guess = 0; guess < 20 && moment <= most && solve_later(t, y, moment); ++guess) {
    const Start then = slide_start(unit);
    const double along = std::max(then.along, 0.0);
    // How much there is of what has to grow: of a and s, or of the angle.
    double part = then.across / (angle * along);
    if (grows) {
      part = along / target;
      if (least > 0) part = std::min(part, 0.5 * (std::max(begin, 0.0) + along) * moment / least);
    }
    if (std::isnan(part) || (!grows && !(along > 0))) break;
    if (part <= 2 && (part >= 0.5 || (!grows && moment == most))) {
      found = moment;
      break;
    }
    (part < 1 ? too_early : too_late) = moment;
    double next = moment / std::clamp(part, 1 / tolerances::most_guess, tolerances::most_guess);
    if (!grows) next = std::min(next, most);
    moment = next > too_early && next < too_late ? next : std::sqrt(too_early) * std::sqrt(too_late);
  }
  equations_.evaluate(t, y);
  equations_.solve(mode_);
  return found;
}

void MechanismProcess::look_where(double t, const double* y, double later, const ModeProblem& problem) {
  // At the limit itself the direction is that of a force of which only a difference of round-off is left.
  later_problem_ = problem;
  for (UnitKnowledge& u : later_problem_.units) u.broke_away = false, u.heading = 0;
  for (ContactKnowledge& c : later_problem_.contacts) c.lifting = c.pressed = false;
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
  equations_.store_rates(y, ydot_.data());
  // Until the last of them has enough acceleration; else the first of them whose load turns ends it for all.
  double grown = 0, turned = std::numeric_limits<double>::infinity();
  const auto least = [&](int unit) { return tolerances::clear_of_error * std::max(rtol_, eps) * speed_terms(unit); };
  for (std::size_t u = 0; u < system_->frictions.size(); ++u) {
    if (!begins(u)) continue;
    const int unit = static_cast<int>(u);
    begins_[u][1] = std::max(0.0, slide_start(unit).along);
    bool grows = false;
    const double one = time_to_hold(unit, t, y, least(unit), grows);
    if (grows)
      grown = std::max(grown, one);
    else
      turned = std::min(turned, one);
  }
  if (grown > 0) look_where(t, y, grown, problem);
  const double moment = grown > 0 ? grown : std::isfinite(turned) ? turned : 0.0;
  const bool later = moment > 0 && solve_later(t, y, moment);
  for (std::size_t u = 0; u < system_->frictions.size(); ++u) {
    if (!begins(u)) continue;
    const int unit = static_cast<int>(u);
    const double speed = later ? 0.5 * (begins_[u][1] + slide_start(unit).along) * moment : 0.0;
    begins_[u][2] = std::max(begins_[u][0], speed);
  }
  equations_.evaluate(t, y);
  equations_.solve(mode_);
  for (std::size_t u = 0; u < system_->frictions.size(); ++u)
    if (begins(u)) equations_.set_slide_floor(static_cast<int>(u), std::max(begins_[u][2], least(static_cast<int>(u))));
}

}  // namespace hstar

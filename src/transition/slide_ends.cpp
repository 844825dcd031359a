// src/transition/slide_ends.cpp
#include "transition/slide_ends.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "transition/tolerances.hpp"

namespace hstar {
using tolerances::eps;

namespace {
/// Moments that are looked at, each a quarter of the one before: to 1e-6 of what friction gives, far above what the
/// contact problem is solved to.
constexpr int most_shorter = 5;
}  // namespace

double slide_terms(const ModeEquations& equations, int unit) {
  double scale = 0;
  for (const Row& row : equations.motion.tangents(unit)) {
    scale += std::abs(row.nu);
    for (std::size_t b = 0; b < 2; ++b) scale += equations.motion.kinematics().along_size(row.J[b], row.body[b]);
  }
  return scale;
}

SlideEnds::SlideEnds(ModeEquations& equations, ModeSolver& solver, Later& later, double rtol, double atol)
    : equations_(equations),
      solver_(solver),
      later_(later),
      directions_(equations),
      rtol_(rtol),
      atol_(atol),
      held_(equations.system().frictions.size()),
      load_(equations.system().slots()),
      response_(load_.size()),
      reactions_(static_cast<std::size_t>(equations.system().rows + equations.system().sliding_rows()) +
                 equations.system().contacts.size()),
      no_rates_(reactions_.size(), 0.0) {
  units_.reserve(held_.size());
  loads_.reserve(held_.size());
}

bool SlideEnds::begins(std::size_t unit, const ModeProblem& problem, const Mode& mode) const {
  return equations_.system().frictions[unit].directions > 1 && problem.units[unit].at_zero &&
         mode.friction[unit].slide == Slide::slip;
}

double SlideEnds::error_of_speed(int unit) const {
  const System& s = equations_.system();
  double each = 0;
  for (const Row& row : equations_.motion.tangents(unit))
    for (std::size_t b = 0; b < 2; ++b)
      for (int c = 0; c < s.columns && !s.bodies[row.body[b]].prescribed; ++c) each += std::abs(row.J[b][c]);
  return std::max(rtol_ * slide_terms(equations_, unit), atol_ * each);
}

void SlideEnds::add_friction(int unit) {
  equations_.motion.tangent_row(unit).add(equations_.friction_force(unit), load_.data(), equations_.system().columns);
}

void SlideEnds::respond() {
  equations_.rows.saddle().solve(load_.data(), no_rates_.data(), response_.data(), reactions_.data());
}

double SlideEnds::friction_alone(int unit) {
  std::fill(load_.begin(), load_.end(), 0.0);
  add_friction(unit);
  respond();
  const Row row = equations_.motion.tangent_row(unit);
  const double alpha = -row.times(response_.data(), equations_.system().columns);
  return alpha > tolerances::slide_round_off * solver_.reduction().row_scale(row) ? alpha : 0;
}

double SlideEnds::friction_across(int unit) {
  double most = 0;
  for (const Row& row : equations_.motion.tangents(unit)) {
    std::fill(load_.begin(), load_.end(), 0.0);
    row.add(equations_.friction_force(unit), load_.data(), equations_.system().columns);
    respond();
    most = std::max(most, std::abs(row.times(response_.data(), equations_.system().columns)));
  }
  return most;
}

void SlideEnds::list_slow(const Mode& mode) {
  units_.clear();
  for (std::size_t u = 0; u < held_.size(); ++u) {
    const int unit = static_cast<int>(u);
    if (equations_.system().frictions[u].directions == 1 || mode.friction[u].slide != Slide::slip) continue;
    SlideReference& reference = equations_.motion.reference(unit);
    const double speed = equations_.motion.slide_speed(unit), error = tolerances::near_error * error_of_speed(unit);
    Held& held = held_[u];
    held.turns = reference.floor < error && speed < tolerances::one_step * error;
    const bool creeps = speed > reference.floor && speed < tolerances::one_step * reference.floor;
    if (!held.turns && !creeps) continue;
    held.round_off = std::exchange(reference.floor, std::numeric_limits<double>::infinity());
    held.until = held.turns ? error : speed;
    held.direction = reference.direction;
    units_.push_back(unit);
  }
}

void SlideEnds::hold_last(double t, const double* y, const Mode& mode) {
  if (!(rtol_ > 0)) return;
  list_slow(mode);
  if (units_.empty()) return;
  const bool solved = equations_.solve_at(mode, t, y);
  // What friction does not decelerate (a driver moves it) has the direction it is given, unless that is the error's.
  std::erase_if(units_, [&](int unit) {
    const bool lost = held_[unit].turns && equations_.motion.slide_speed(unit) <= held_[unit].until;
    if (solved && friction_alone(unit) > 0 && (lost || directions_.start(unit).along < 0)) return false;
    equations_.motion.reference(unit).floor = held_[unit].round_off;
    return true;
  });
  if (solved) find_loads(units_);
  loads_.clear();
  bool all_turn = true;
  for (const int unit : units_) {
    // A speed s that falls at the rate `along` turns to the load like s^(load / along): what is slower has not come
    // there, nor have those that it moves.
    all_turn &= held_[unit].turns && held_[unit].load > 0.5 * held_[unit].alone;
    loads_.push_back(held_[unit].load);
  }
  if (all_turn) directions_.straighten(units_, loads_, t, y, mode);
  for (const int unit : units_) {
    SlideReference& reference = equations_.motion.reference(unit);
    if (!(equations_.motion.slide_along_reference(unit) > 0)) reference.direction = held_[unit].direction;
    reference.floor = held_[unit].until;
  }
  equations_.motion.evaluate(t, y);
}

void SlideEnds::find_loads(std::span<const int> units) {
  std::fill(load_.begin(), load_.end(), 0.0);
  for (const int unit : units) add_friction(unit);
  respond();
  for (const int unit : units) {
    held_[unit].alone =
        std::abs(equations_.motion.tangent_row(unit).times(response_.data(), equations_.system().columns));
    held_[unit].load = directions_.start(unit).along + held_[unit].alone;
  }
}

double SlideEnds::time_to_hold(int unit, const Mode& mode, double t, const double* y, double least, bool& grows) {
  // The equations are solved in `mode` at (t, y).
  const System& s = equations_.system();
  const double alpha = held_[unit].alone, begin = directions_.start(unit).along;
  if (!(alpha > 0)) return 0;
  // In this time friction alone moves it as far as the mechanism is long, or turns it by 1 rad.
  const double longest = std::sqrt((s.frictions[unit].turns ? 1.0 : s.length) / alpha),
               target = tolerances::small_part * alpha;
  grows = begin < 0.5 * target;
  const double angle = begin < tolerances::slow_part * alpha ? tolerances::angle_slow : tolerances::angle_fast,
               most = grows ? longest : tolerances::small_part * longest;
  const double quick = grows ? tolerances::small_part * friction_across(unit) : 0;
  double moment = std::max(grows ? least / target : 0.0, tolerances::first_guess * longest), found = 0;
  double too_early = 0, too_late = std::numeric_limits<double>::infinity();
  for (int guess = 0; guess < 20 && moment <= most && later_.solve(mode, t, y, moment); ++guess) {
    const SlideStart then = directions_.start(unit);
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
  // Where friction turns the sliding by more than it slows it down (a shaft that turns easily about its own axis), it
  // would bend the direction back that many times faster: the direction is held on while the load keeps it.
  for (bool holds = grows && found > 0; holds && 2 * found <= most && later_.solve(mode, t, y, 2 * found);) {
    const SlideStart then = directions_.start(unit);
    holds = then.along < quick && then.across <= tolerances::angle_slow * then.along;
    if (holds) found *= 2;
  }
  equations_.evaluate(t, y);
  equations_.solve(mode);
  return found;
}

double SlideEnds::slowest_start(double t, const double* y, const ModeProblem& problem, Mode& mode) {
  equations_.evaluate(t, y);
  solver_.solve_in(mode);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t u = 0; u < held_.size(); ++u) {
    if (!begins(u, problem, mode)) continue;
    const Row row = equations_.motion.tangent_row(static_cast<int>(u));
    least = std::min(least, row.rate(equations_.acceleration().data(), equations_.system().columns) /
                                solver_.reduction().row_scale(row));
  }
  return least;
}

bool SlideEnds::ask_later(double t, const double* y, double moment, const ModeProblem& problem, const Mode& asked,
                          const Mode& mode) {
  // At the limit itself the direction is that of a force of which only a difference of round-off is left. Later it is
  // clear, and its limit for ever shorter moments the one sought: of the quadratic through three of them.
  constexpr std::array<std::pair<double, double>, 3> parts{{{1, 1.0 / 3}, {0.5, -2}, {0.25, 8.0 / 3}}};
  for (Held& held : held_) held.limit = {};
  for (const auto& [part, weight] : parts) {
    if (!later_.decide(problem, asked, t, y, part * moment).found) return false;
    for (std::size_t u = 0; u < held_.size(); ++u) {
      // (What presses on nothing has no friction, whether it slides or not.)
      const int contact = equations_.system().frictions[u].contact;
      const bool acts = contact < 0 || mode.closed[contact] == 1;
      if (acts && later_.mode().friction[u].slide != mode.friction[u].slide) return false;
      const auto& d = equations_.motion.reference(static_cast<int>(u)).direction;
      if (part == 1) held_[u].later = d;
      for (std::size_t i = 0; i < d.size(); ++i) held_[u].limit[i] += weight * d[i];
    }
  }
  return true;
}

double SlideEnds::look_where(double t, const double* y, double moment, const ModeProblem& problem, const Mode& asked,
                             Mode& mode) {
  const auto reference = [&](std::size_t u) -> SlideReference& {
    return equations_.motion.reference(static_cast<int>(u));
  };
  const auto take = [&](auto direction) {
    for (std::size_t u = 0; u < held_.size(); ++u) reference(u).turn((held_[u].*direction).data());
    return slowest_start(t, y, problem, mode);
  };
  for (std::size_t u = 0; u < held_.size(); ++u) held_[u].direction = reference(u).direction;
  // What sticks may slide so soon (the foot that the others turn about) that only shorter moments are of this mode.
  double known = moment;
  bool same = ask_later(t, y, known, problem, asked, mode);
  for (int shorter = 0; !same && shorter < most_shorter; ++shorter)
    same = ask_later(t, y, known *= 0.25, problem, asked, mode);
  if (!same) {
    take(&Held::direction);
    return moment;
  }
  // The load may turn so fast that nothing begins to slide in a later direction now: then that in which what begins
  // slowest begins best.
  if (take(&Held::later) >= -tolerances::slide_round_off) return known;
  const double limit = take(&Held::limit);
  if (take(&Held::direction) < limit) take(&Held::limit);
  // It turns with the load: held still, the friction of the faster feet would move those next to the pole elsewhere.
  for (std::size_t u = 0; u < held_.size(); ++u) {
    if (!begins(u, problem, mode)) continue;
    for (std::size_t i = 0; i < most_directions; ++i)
      reference(u).turning[i] = (held_[u].later[i] - held_[u].limit[i]) / known;
    reference(u).since = t;
  }
  return known;
}

void SlideEnds::hold_first(double t, const double* y, const ModeProblem& problem, const Mode& asked, Mode& mode) {
  bool any = false;
  const auto each = [&](const auto& use) {
    for (std::size_t u = 0; u < held_.size(); ++u)
      if (begins(u, problem, mode)) use(static_cast<int>(u), held_[u]);
  };
  each([&](int unit, Held& held) {
    held.round_off = equations_.motion.reference(unit).floor;
    equations_.motion.reference(unit).stand(std::numeric_limits<double>::infinity());
    any = true;
  });
  if (!any) return;
  equations_.evaluate(t, y);
  equations_.solve(mode);
  units_.clear();
  each([&](int unit, Held&) { units_.push_back(unit); });
  find_loads(units_);
  // Directions of what begins at once. The contact problem leaves them off by what it is solved to, of forces, and
  // friction would bend them back in no time.
  loads_.clear();
  std::erase_if(units_, [&](int unit) {
    const Held& held = held_[unit];
    const bool at_once = held.load - held.alone > tolerances::small_part * held.alone;
    if (at_once) loads_.push_back(held.load);
    return !at_once;
  });
  directions_.straighten(units_, loads_, t, y, mode);
  later_.begin(y);
  // Until the last of them has enough acceleration; else the first of them whose load turns ends it for all.
  double grown = 0, turned = std::numeric_limits<double>::infinity();
  const auto least = [&](int unit) {
    return tolerances::clear_of_error * std::max(rtol_, eps) * slide_terms(equations_, unit);
  };
  each([&](int unit, Held& held) {
    held.start = directions_.start(unit);
    bool grows = false;
    const double one = time_to_hold(unit, mode, t, y, least(unit), grows);
    if (grows)
      grown = std::max(grown, one);
    else
      turned = std::min(turned, one);
  });
  if (grown > 0) grown = look_where(t, y, grown, problem, asked, mode);
  const double moment = grown > 0 ? grown : std::isfinite(turned) ? turned : 0.0;
  const bool later = moment > 0 && later_.solve(mode, t, y, moment);
  each([&](int unit, Held& held) {
    const double speed = later ? 0.5 * (std::max(0.0, held.start.along) + directions_.start(unit).along) * moment : 0.0;
    held.until = std::max(held.round_off, speed);
  });
  equations_.evaluate(t, y);
  equations_.solve(mode);
  each([&](int unit, const Held& held) { equations_.motion.reference(unit).stand(std::max(held.until, least(unit))); });
}

}  // namespace hstar

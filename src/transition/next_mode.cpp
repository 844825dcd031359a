// src/transition/next_mode.cpp
#include "transition/next_mode.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "mechanism/short_number.hpp"
#include "transition/not_finite.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

NextMode::NextMode(ModeEquations& equations, ConsistentRestart& restart, const Surroundings& at, double rtol,
                   bool fixed_steps)
    : system_(equations.system()),
      equations_(equations),
      restart_(restart),
      instant_(at.instant),
      touching_(at.touching),
      ranges_(at.ranges),
      chatter_(at.chatter),
      guards_(at.guards),
      rtol_(rtol),
      fixed_steps_(fixed_steps),
      solver_(equations),
      later_(equations, solver_),
      ties_(equations, solver_, later_, restart),
      slide_ends_(equations, solver_, later_, rtol),
      slide_speed_(system_.frictions.size()) {}

double NextMode::error_of_speed(int unit) const {
  if (chatter_.follows()) return instant_.zero_slide(unit);  // (no step leads here)
  return std::max(tolerances::velocity_error, tolerances::error_of_rtol * rtol_) * guards_.speed_scale(unit);
}

bool NextMode::has_stopped(int unit, bool at_its_root) const {
  const double left = fixed_steps_ ? tolerances::across_fixed : at_its_root ? tolerances::across : 0.0;
  return equations_.motion.slide_speed(unit) <=
         std::max(left * equations_.motion.reference(unit).speed, error_of_speed(unit));
}

void NextMode::find_stopped(double t, const double* y, const Mode& mode, ModeProblem& problem) const {
  // Feet of one body stop together, some of them above zero by the error of the velocity.
  bool any = false;
  for (std::size_t u = 0; u < system_.frictions.size(); ++u)
    any |= problem.units[u].at_zero && system_.frictions[u].directions > 1;
  if (!any) return;
  equations_.motion.evaluate(t, y);
  bool stopped = false;
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t u = 0; u < system_.frictions.size(); ++u) {
      if (system_.frictions[u].directions == 1 || mode.friction[u].slide != Slide::slip) continue;
      UnitKnowledge& known = problem.units[u];
      const bool at_its_root = pass == 0;
      if (at_its_root ? known.at_zero : stopped && !known.at_zero)
        known.at_zero = has_stopped(static_cast<int>(u), at_its_root);
      stopped |= known.at_zero;
    }
}

bool NextMode::has_jumped(const FrictionUnit& unit) const {
  const System& s = system_;
  if (unit.contact >= 0) {
    const Contact& c = *s.contacts[unit.contact];
    return instant_.jumped(c.first, c.second);
  }
  const auto& joint = *s.joints[unit.joint];
  return instant_.jumped(joint.first.body, joint.second.body);
}

bool NextMode::is_pushed_behind(std::size_t contact) const {
  const Kinematics& k = equations_.motion.kinematics();
  const Contact& c = *system_.contacts[contact];
  const double gap = c.open_gap(k), length = c.length_scale(k);
  if (!(gap < -tolerances::zero_gap * length && gap > -tolerances::pushed * length)) return false;
  if (system_.is_spatial()) return touching_[contact].touches;
  return !ranges_.ranged(contact) || (ranges_.front(contact) && c.range(k) > -gap);
}

bool NextMode::put_on_rows(double t, double* y, const Mode& before, std::vector<char>& stuck_in_impact, Mode& mode,
                           ModeProblem& problem, Settled& settled) {
  // On entry `mode` says which contacts are closed and how the units were before; problem what fired.
  const System& s = system_;
  equations_.motion.evaluate(t, y);
  for (char& closed : mode.closed) closed = closed != 0;  // which are without load is asked again
  rows_ = mode;
  // Positions of units that come to rest now are not held: what the constraints need moves them.
  positions_ = mode;
  // Those that are open and have been pushed behind their surface (by a limit that others came to) are put back.
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (!mode.closed[c] && is_pushed_behind(c)) positions_.closed[c] = 1;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) problem.contacts[c].touching = mode.closed[c] != 0;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    UnitKnowledge& known = problem.units[u];
    FrictionMode& f = mode.friction[u];
    const bool acts = unit.contact < 0 || mode.closed[unit.contact];
    if (!acts || !unit.law.dry()) {
      known = UnitKnowledge{};
      f = rows_.friction[u] = positions_.friction[u] = FrictionMode{};
      continue;
    }
    const double speed = slide_speed_[u] = equations_.motion.sliding(static_cast<int>(u));
    // After a jump the velocities alone tell what is at rest: never the mode before it.
    // (Friction of a contact that touched without force held nothing: it may have moved with its bodies.)
    const bool was_held = f.slide == Slide::stick && (unit.contact < 0 || before.closed[unit.contact] != unloaded ||
                                                      std::abs(speed) <= error_of_speed(static_cast<int>(u)));
    const bool was_at_rest = !has_jumped(unit) && (known.at_zero || was_held);
    known.at_zero = was_at_rest || stuck_in_impact[u] || std::abs(speed) <= instant_.zero_slide(static_cast<int>(u));
    known.asked |= known.at_zero && f.slide != Slide::stick;
    if (known.at_zero) {
      rows_.friction[u] = FrictionMode{Slide::stick, 0, 0, 0};
    } else {
      // (What has just begun to slide has a speed of either sign: its direction is known.)
      const bool known_direction = f.slide == Slide::slip && unit.directions == 1 && !has_jumped(unit) &&
                                   std::abs(speed) <= error_of_speed(static_cast<int>(u));
      const auto direction = known_direction ? f.direction : static_cast<signed char>(speed < 0 ? -1 : 1);
      // The piece of the law just entered is known to the caller; a new slide finds its own.
      if (f.slide != Slide::slip || f.direction != direction)
        f = FrictionMode{Slide::slip, direction, 0, static_cast<short>(unit.law.piece_of(std::abs(speed), 1))};
      rows_.friction[u] = f;
    }
  }
  std::fill(stuck_in_impact.begin(), stuck_in_impact.end(), 0);
  if (s.nq > 0) {
    if (!restart_.positions(positions_, t, y, 8) || !restart_.come_to_rest(rows_, t, y)) {
      settled.then = Settled::Then::fail;
      settled.status = RunStatus::inconsistent_restart;
      settled.message =
          "at t = " + short_number(t) + " s the state cannot be put back onto the constraints: " + restart_.why();
      return false;
    }
  }
  equations_.evaluate(t, y);
  refer_to_slides(problem, mode);
  // What slid just before and has no freedom to slide left (a ball in a corner whose other wall holds it) is decided
  // too.
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (mode.friction[u].slide == Slide::slip && !problem.units[u].at_zero &&
        equations_.motion.slide_speed(static_cast<int>(u)) <= tolerances::annihilated * std::abs(slide_speed_[u]))
      problem.units[u].at_zero = problem.units[u].asked = true;
  return true;
}

void NextMode::refer_to_slides(const ModeProblem& problem, const Mode& mode) {
  for (std::size_t u = 0; u < system_.frictions.size(); ++u) {
    const int unit = static_cast<int>(u);
    const int contact = system_.frictions[u].contact;
    if (system_.frictions[u].directions == 1 || (contact >= 0 && !mode.closed[contact])) continue;
    std::array<double, most_directions> gamma{};
    const double speed = equations_.motion.slide_velocities(unit, gamma.data());
    const bool slides = mode.friction[u].slide == Slide::slip && !problem.units[u].at_zero;
    // What is left where it does not slide is round-off; the mode problem gives the direction.
    if (slides)
      equations_.motion.reference(unit).slide(gamma.data(), speed, 0);
    else
      equations_.motion.reference(unit).stand(4 * speed + tolerances::slide_round_off * slide_terms(equations_, unit));
  }
}

bool NextMode::choose(double t, double* y, ModeProblem& problem, Mode& mode, Settled& settled, bool count) {
  const bool left_moving = system_.nq > 0 && restart_.left_moving();
  asked_ = mode;
  ties_.tell_first(t, y, problem, asked_);
  const int counted = choice_.consistent;
  choice_ = solver_.accelerations(problem, mode, count);
  if (!count) choice_.consistent = counted;
  if (!choice_.found) {
    settled.then = Settled::Then::fail;
    settled.status = RunStatus::no_consistent_mode;
    settled.message = "at t = " + short_number(t) + " s: ";
    if (const std::string text = not_finite(system_, t, y); text.empty()) {
      settled.message += choice_.why.empty() ? without_inertia(system_) : choice_.why;
    } else {
      settled.status = RunStatus::not_finite;
      settled.message += text;
    }
    return false;
  }
  ties_.resolve(choice_, t, y, problem, asked_, mode);
  if (left_moving && restart_.stop(mode, t, y)) {
    equations_.evaluate(t, y);
    equations_.solve(mode);
  }
  return true;
}

void NextMode::note_zeros(const ModeProblem& problem, const Mode& mode, MechanismGuards& guards) const {
  const System& s = system_;
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (problem.units[u].at_zero && mode.friction[u].slide == Slide::slip)
      guards.note_zero(Watch::slide_stops, static_cast<int>(u),
                       equations_.motion.slide_along_reference(static_cast<int>(u)));
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if ((problem.contacts[c].touching || touching_[c].touches) && !mode.closed[c]) {
      // What is more than round-off has been put back above, or must be seen. (What is in front of its surface is seen
      // to come.)
      const double gap = s.contacts[c]->open_gap(equations_.motion.kinematics()),
                   length = std::max(s.contacts[c]->length_scale(equations_.motion.kinematics()), s.length);
      if (std::abs(gap) <= tolerances::zero_gap * length || (gap < 0 && -gap <= tolerances::penetration * length))
        guards.note_zero(Watch::gap, static_cast<int>(c), gap);
    }
}

}  // namespace hstar

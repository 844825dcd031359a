// src/transition/mode_decision.cpp: impacts, the next mode and a consistent restart in it, until it settles.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "formulation/mode_slopes.hpp"
#include "mechanism/short_number.hpp"
#include "transition/mechanism_process.hpp"
#include "transition/not_finite.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

bool MechanismProcess::decide(double t, std::span<double> y, std::span<const events::Root> fired, EventLog& log,
                              Settled& settled, bool count) {
  return decide_now(t, y, fired, log, settled, count) && follow_chatter(t, y, log, settled);
}

bool MechanismProcess::decide_now(double t, std::span<double> y, std::span<const events::Root> fired, EventLog& log,
                                  Settled& settled, bool count) {
  // Impacts until none approaches, then the next mode. Where no mode is consistent a sliding contact may jam:
  // an impulse without collision, after which all is decided again.
  Jam jammed = Jam::impulse;
  for (int jams = 0;; ++jams) {
    if (jammed == Jam::impulse && !impacts(t, y, fired, log, settled)) return false;
    problem_.all |= impact_recorded_;
    if (settle(t, y.data(), problem_, settled, count)) {
      tell_states(y);
      return true;
    }
    if (settled.status != RunStatus::no_consistent_mode || jams == 20) return false;
    const std::string undecided = std::exchange(settled.message, {});
    settled.then = Settled::Then::go_on;
    jammed = jam(t, y, choice_.jams, log, settled);
    if (jammed == Jam::none) {
      if (settled.message.empty()) settled.message = undecided;
      return false;
    }
    fired = {};
  }
}

void MechanismProcess::tell_states(std::span<double> y) const {
  const System& s = *system_;
  const auto sticks = [&](int unit) { return unit >= 0 && mode_.friction[unit].slide == Slide::stick; };
  for (const ToldState& told : s.told) {
    int impacts = 0;
    bool closed = false, stuck = told.joint >= 0 && sticks(s.joint_friction[told.joint]);
    for (const int contact : told.contacts) {
      const auto c = static_cast<std::size_t>(contact);
      impacts += impacts_seen_[c];
      closed |= mode_.closed[c] != 0;
      stuck |= mode_.closed[c] && sticks(s.contact_friction[c]);
    }
    y[told.place] = told.what == ToldState::What::impacts  ? impacts
                    : told.what == ToldState::What::closed ? closed
                                                           : stuck;
  }
}

double MechanismProcess::error_of_speed(int unit) const {
  if (chatter_.follows()) return instant_.zero_slide(unit);  // (no step leads here)
  return std::max(tolerances::velocity_error, tolerances::error_of_rtol * rtol_) * guards_.speed_scale(unit);
}

bool MechanismProcess::has_stopped(int unit, bool at_its_root) const {
  const double left = fixed_steps_ ? tolerances::across_fixed : at_its_root ? tolerances::across : 0.0;
  return equations_.slide_speed(unit) <= std::max(left * equations_.reference_speed(unit), error_of_speed(unit));
}

void MechanismProcess::find_stopped(double t, const double* y) {
  // Feet of one body stop together, some of them above zero by the error of the velocity.
  bool any = false;
  for (std::size_t u = 0; u < system_->frictions.size(); ++u)
    any |= problem_.units[u].at_zero && system_->frictions[u].directions > 1;
  if (!any) return;
  equations_.evaluate_kinematics(t, y);
  bool stopped = false;
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t u = 0; u < system_->frictions.size(); ++u) {
      if (system_->frictions[u].directions == 1 || mode_.friction[u].slide != Slide::slip) continue;
      UnitKnowledge& known = problem_.units[u];
      const bool at_its_root = pass == 0;
      if (at_its_root ? known.at_zero : stopped && !known.at_zero)
        known.at_zero = has_stopped(static_cast<int>(u), at_its_root);
      stopped |= known.at_zero;
    }
}

bool MechanismProcess::has_jumped(const FrictionUnit& unit) const {
  const System& s = *system_;
  if (unit.contact >= 0) {
    const Contact& c = *s.contacts[unit.contact];
    return instant_.jumped(c.first, c.second);
  }
  const auto& joint = *s.joints[unit.joint];
  return instant_.jumped(joint.first.body, joint.second.body);
}

bool MechanismProcess::is_pushed_behind(std::size_t contact) const {
  const Kinematics& k = equations_.kinematics();
  const Contact& c = *system_->contacts[contact];
  const double gap = c.open_gap(k), length = c.length_scale(k);
  if (!(gap < -tolerances::zero_gap * length && gap > -tolerances::pushed * length)) return false;
  if (system_->is_spatial()) return touching_[contact].touches;
  return !ranges_.ranged(contact) || (ranges_.front(contact) && c.range(k) > -gap);
}

bool MechanismProcess::put_on_rows(double t, double* y, ModeProblem& problem, Settled& settled) {
  // On entry mode_ says which contacts are closed and how the units were before; problem what fired.
  const System& s = *system_;
  equations_.evaluate_kinematics(t, y);
  for (char& closed : mode_.closed) closed = closed != 0;  // which are without load is asked again
  rows_mode_ = mode_;
  // Positions of units that come to rest now are not held: what the constraints need moves them.
  positions_mode_ = mode_;
  // Those that are open and have been pushed behind their surface (by a limit that others came to) are put back.
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (!mode_.closed[c] && is_pushed_behind(c)) positions_mode_.closed[c] = 1;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) problem.contacts[c].touching = mode_.closed[c] != 0;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    UnitKnowledge& known = problem.units[u];
    FrictionMode& f = mode_.friction[u];
    const bool acts = unit.contact < 0 || mode_.closed[unit.contact];
    if (!acts || !unit.law.dry()) {
      known = UnitKnowledge{};
      f = rows_mode_.friction[u] = positions_mode_.friction[u] = FrictionMode{};
      continue;
    }
    const double speed = slide_speed_[u] = unit.directions > 1 ? equations_.slide_speed(static_cast<int>(u))
                                                               : equations_.slide_velocity(static_cast<int>(u));
    // After a jump the velocities alone tell what is at rest: never the mode before it.
    // (Friction of a contact that touched without force held nothing: it may have moved with its bodies.)
    const bool was_held = f.slide == Slide::stick && (unit.contact < 0 || before_.closed[unit.contact] != unloaded ||
                                                      std::abs(speed) <= error_of_speed(static_cast<int>(u)));
    const bool was_at_rest = !has_jumped(unit) && (known.at_zero || was_held);
    known.at_zero = was_at_rest || stuck_in_impact_[u] || std::abs(speed) <= instant_.zero_slide(static_cast<int>(u));
    known.asked |= known.at_zero && f.slide != Slide::stick;
    if (known.at_zero) {
      rows_mode_.friction[u] = FrictionMode{Slide::stick, 0, 0, 0};
    } else {
      const auto direction = static_cast<signed char>(speed < 0 ? -1 : 1);
      // The piece of the law just entered is known to the caller; a new slide finds its own.
      if (f.slide != Slide::slip || f.direction != direction)
        f = FrictionMode{Slide::slip, direction, 0, static_cast<short>(unit.law.piece_of(std::abs(speed), 1))};
      rows_mode_.friction[u] = f;
    }
  }
  std::fill(stuck_in_impact_.begin(), stuck_in_impact_.end(), 0);
  if (s.nq > 0) {
    if (!restart_.positions(positions_mode_, t, y, 8) || !restart_.come_to_rest(rows_mode_, t, y)) {
      settled.then = Settled::Then::fail;
      settled.status = RunStatus::inconsistent_restart;
      settled.message =
          "at t = " + short_number(t) + " s the state cannot be put back onto the constraints: " + restart_.why();
      return false;
    }
  }
  equations_.evaluate(t, y);
  refer_to_slides(problem);
  // What slid just before and has no freedom to slide left (a ball in a corner whose other wall holds it) is decided
  // too.
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (mode_.friction[u].slide == Slide::slip && !problem.units[u].at_zero &&
        equations_.slide_speed(static_cast<int>(u)) <= tolerances::annihilated * std::abs(slide_speed_[u]))
      problem.units[u].at_zero = problem.units[u].asked = true;
  return true;
}

void MechanismProcess::refer_to_slides(const ModeProblem& problem) {
  for (std::size_t u = 0; u < system_->frictions.size(); ++u) {
    const int unit = static_cast<int>(u);
    const int contact = system_->frictions[u].contact;
    if (system_->frictions[u].directions == 1 || (contact >= 0 && !mode_.closed[contact])) continue;
    std::array<double, most_directions> gamma{};
    const double speed = equations_.slide_velocities(unit, gamma.data());
    const bool slides = mode_.friction[u].slide == Slide::slip && !problem.units[u].at_zero;
    // What is left where it does not slide is round-off; the mode problem gives the direction.
    if (slides)
      equations_.set_slide_reference(unit, gamma.data(), speed, 0);
    else
      equations_.set_slide_floor(unit, 4 * speed + tolerances::slide_round_off * slide_terms(equations_, unit));
  }
}

bool MechanismProcess::settle(double t, double* y, ModeProblem& problem, Settled& settled, bool count) {
  const System& s = *system_;
  if (!put_on_rows(t, y, problem, settled)) return false;
  const bool left_moving = s.nq > 0 && restart_.left_moving();
  asked_mode_ = mode_;
  ties_.tell_first(t, y, problem, asked_mode_);
  const int counted = choice_.consistent;
  choice_ = solver_.accelerations(problem, mode_, count);
  if (!count) choice_.consistent = counted;
  if (!choice_.found) {
    settled.then = Settled::Then::fail;
    settled.status = RunStatus::no_consistent_mode;
    settled.message = "at t = " + short_number(t) + " s: ";
    if (const std::string text = not_finite(s, t, y); text.empty()) {
      settled.message += choice_.why.empty() ? without_inertia(s) : choice_.why;
    } else {
      settled.status = RunStatus::not_finite;
      settled.message += text;
    }
    return false;
  }
  ties_.resolve(choice_, t, y, problem, asked_mode_, mode_);
  if (left_moving && restart_.stop(mode_, t, y)) {
    equations_.evaluate(t, y);
    equations_.solve(mode_);
  }
  formulation_->restart(mode_, t, y);
  if (slopes_) slopes_->restart();
  slide_ends_.hold_first(t, y, problem, asked_mode_, mode_);
  if (look_ || !std::isnan(settled.t_jump)) guards_.look(equations_.kinematics(), mode_);
  look_ = false;
  guards_.enable(equations_, mode_);
  dependence_.update(equations_);
  guards_.update_tolerances(equations_, mode_, true);
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (problem.units[u].at_zero && mode_.friction[u].slide == Slide::slip)
      guards_.note_zero(Watch::slide_stops, static_cast<int>(u), equations_.slide_along_reference(static_cast<int>(u)));
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if ((problem.contacts[c].touching || touching_[c].touches) && !mode_.closed[c]) {
      // What is more than round-off has been put back above, or must be seen. (What is in front of its surface is seen
      // to come.)
      const double gap = s.contacts[c]->open_gap(equations_.kinematics()),
                   length = std::max(s.contacts[c]->length_scale(equations_.kinematics()), s.length);
      if (std::abs(gap) <= tolerances::zero_gap * length || (gap < 0 && -gap <= tolerances::penetration * length))
        guards_.note_zero(Watch::gap, static_cast<int>(c), gap);
    }
  return true;
}

}  // namespace hstar

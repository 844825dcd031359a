// src/transition/next_mode.cpp
#include "transition/next_mode.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "contact/tolerances.hpp"
#include "mechanism/short_number.hpp"
#include "transition/not_finite.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

NextMode::NextMode(EventState& at, const FormulationOptions& options)
    : at_(at),
      rtol_(options.rtol),
      fixed_steps_(options.step > 0),
      solver_(at.equations),
      later_(at.equations, solver_),
      ties_(at.equations, solver_, later_, at.restart),
      slide_ends_(at.equations, solver_, later_, options.rtol, options.atol),
      partings_(at.equations, solver_, later_),
      slide_speed_(at.system.frictions.size()),
      lift_(at.system.contacts.size()) {
  y_before_.reserve(at.system.size());
}

double NextMode::error_of_speed(int unit) const {
  if (at_.chatter.follows()) return at_.instant.zero_slide(unit);  // (no step leads here)
  return std::max(tolerances::velocity_error, tolerances::error_of_rtol * rtol_) * at_.guards.speed_scale(unit);
}

bool NextMode::has_stopped(int unit, bool at_its_root) const {
  const double left = fixed_steps_ ? tolerances::across_fixed : at_its_root ? tolerances::across : 0.0;
  return at_.equations.motion.slide_speed(unit) <=
         std::max(left * at_.equations.motion.reference(unit).speed, error_of_speed(unit));
}

void NextMode::find_stopped(double t, const double* y, bool pole) const {
  const Mode& mode = at_.mode;
  ModeProblem& problem = at_.problem;
  // Feet of one body stop together, some of them above zero by the error of the velocity.
  bool any = pole;
  for (std::size_t u = 0; u < at_.system.frictions.size(); ++u)
    any |= problem.units[u].at_zero && at_.system.frictions[u].directions > 1;
  if (!any) return;
  at_.equations.motion.evaluate(t, y);
  bool stopped = pole;
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t u = 0; u < at_.system.frictions.size(); ++u) {
      if (at_.system.frictions[u].directions == 1 || mode.friction[u].slide != Slide::slip) continue;
      UnitKnowledge& known = problem.units[u];
      const bool at_its_root = pass == 0;
      if (at_its_root ? known.at_zero : stopped && !known.at_zero)
        known.at_zero = has_stopped(static_cast<int>(u), at_its_root);
      stopped |= known.at_zero;
    }
}

bool NextMode::turns_too_soon(std::span<const events::Root> fired) const {
  if (fixed_steps_) return false;
  for (const events::Root& root : fired) {
    const WatchRef ref = at_.guards.ref(root.guard);
    if (ref.what != Watch::slide_stops || at_.system.frictions[ref.index].directions == 1) continue;
    const double speed = at_.equations.motion.slide_speed(ref.index);
    if (has_stopped(ref.index, true) || speed <= at_.most_restart()) continue;  // (which may be error alone)
    // (An implicit method may have solutions on either side of a stop and none at it: that is no root.)
    if (speed <= tolerances::across_fixed * at_.equations.motion.reference(ref.index).speed ||
        std::abs(at_.equations.motion.slide_along_reference(ref.index)) > tolerances::across * speed)
      return true;
  }
  return false;
}

bool NextMode::has_jumped(const FrictionUnit& unit) const {
  const System& s = at_.system;
  if (unit.contact >= 0) {
    const Contact& c = *s.contacts[unit.contact];
    return at_.instant.jumped(c.first, c.second);
  }
  const auto& joint = *s.joints[unit.joint];
  return at_.instant.jumped(joint.first.body, joint.second.body);
}

bool NextMode::is_pushed_behind(std::size_t contact) const {
  const Kinematics& k = at_.equations.motion.kinematics();
  const Contact& c = *at_.system.contacts[contact];
  const bool spatial = at_.system.is_spatial();
  if (spatial && !at_.touching[contact].touches) return false;
  const double gap = c.open_gap(k), length = c.gap_scale(k);
  if (!(gap < -tolerances::zero_gap * length && gap > -tolerances::pushed * length)) return false;
  return spatial || !at_.ranges.ranged(contact) || (at_.ranges.front(contact) && c.range(k) > -gap);
}

bool NextMode::put_on_rows(const EventCall& call) {
  const double t = call.t;
  double* y = call.y.data();
  Mode& mode = at_.mode;
  ModeProblem& problem = at_.problem;
  // On entry `mode` says which contacts are closed and how the units were before; problem what fired.
  const System& s = at_.system;
  at_.equations.motion.evaluate(t, y);
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {  // which are without load is asked again
    problem.contacts[c].asked |= mode.closed[c] > 1;
    mode.closed[c] = mode.closed[c] != 0;
  }
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
    const double speed = slide_speed_[u] = at_.equations.motion.sliding(static_cast<int>(u));
    // After a jump the velocities alone tell what is at rest: never the mode before it.
    // (Friction of a contact that touched without force held nothing: it may have moved with its bodies.)
    const bool was_held = f.slide == Slide::stick && (unit.contact < 0 || at_.before.closed[unit.contact] != unloaded ||
                                                      std::abs(speed) <= error_of_speed(static_cast<int>(u)));
    const bool was_at_rest = !has_jumped(unit) && (known.at_zero || was_held);
    known.at_zero =
        was_at_rest || at_.stuck_in_impact[u] || std::abs(speed) <= at_.instant.zero_slide(static_cast<int>(u));
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
  std::fill(at_.stuck_in_impact.begin(), at_.stuck_in_impact.end(), 0);
  if (s.nq > 0) {
    y_before_.assign(call.y.begin(), call.y.end());
    if (!move_onto_rows(t, call.y))
      return call.settled.fail(
          RunStatus::inconsistent_restart,
          "at t = " + short_number(t) + " s the state cannot be put back onto the constraints: " + at_.restart.why());
    book_restart(call.y);
  }
  at_.equations.motion.evaluate(t, y);
  if (at_.impacted && close_what_lies()) return put_on_rows(call);
  at_.equations.evaluate(t, y);
  refer_to_slides();
  // What slid just before and has no freedom to slide left (a ball in a corner whose other wall holds it) is decided
  // too.
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (mode.friction[u].slide == Slide::slip && !problem.units[u].at_zero &&
        at_.equations.motion.slide_speed(static_cast<int>(u)) <= tolerances::annihilated * std::abs(slide_speed_[u]))
      problem.units[u].at_zero = problem.units[u].asked = true;
  return true;
}

bool NextMode::move_onto_rows(double t, std::span<double> y) {
  const auto move = [&] {
    return at_.restart.positions(positions_, t, y.data(), 8) &&
           at_.restart.come_to_rest(rows_, t, y.data(), at_.most_restart());
  };
  const bool moved = move();
  if (positions_.closed == rows_.closed) return moved;
  // What is open and behind its surface by next to nothing is left there where nothing but a motion that can be seen
  // would put it back (a corner that lies on the floor below the pin of the corner beside it).
  if (moved && Books::largest_change(at_.equations, y_before_, y) <= at_.most_restart()) return true;
  std::copy(y_before_.begin(), y_before_.end(), y.begin());
  positions_.closed = rows_.closed;
  return move();
}

bool NextMode::close_what_lies() {
  const System& s = at_.system;
  bool any = false;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (at_.mode.closed[c] || at_.touching[c].touches || at_.ranges.ranged(c)) continue;
    if (at_.chatter.follows() && at_.chatter[c].bounces()) continue;  // (its own numbers tell when it rests)
    const Kinematics& k = at_.equations.motion.kinematics();
    // (As well as the restart knows positions: to the round-off of all lengths.)
    const double length = std::max(s.contacts[c]->gap_scale(k), s.length);
    if (!(std::abs(s.contacts[c]->open_gap(k)) <= tolerances::zero_gap * length)) continue;
    const Row row = at_.equations.motion.normal_row(static_cast<int>(c));
    if (!(std::abs(at_.equations.motion.free_speed(row)) <= at_.instant.zero_speed(row))) continue;
    at_.mode.closed[c] = 1;
    any = true;
  }
  return any;
}

void NextMode::book_restart(std::span<const double> y) {
  for (std::size_t i = 0; i < y.size(); ++i) at_.moved[i] += y[i] - y_before_[i];
  // After an impact the rows of what closed, or stuck, press a little more where they have moved with the positions.
  // Before any impulse (a slide stops, and then contacts jam) the error of the integrator goes: the books begin then.
  if (at_.books.any())
    at_.books.book_restart(at_.restart, y_before_, y, at_.most_restart());
  else
    at_.books.open(y);
}

void NextMode::refer_to_slides() {
  const Mode& mode = at_.mode;
  for (std::size_t u = 0; u < at_.system.frictions.size(); ++u) {
    const int unit = static_cast<int>(u);
    const int contact = at_.system.frictions[u].contact;
    if (at_.system.frictions[u].directions == 1 || (contact >= 0 && !mode.closed[contact])) continue;
    std::array<double, most_directions> gamma{};
    const double speed = at_.equations.motion.slide_velocities(unit, gamma.data());
    const bool slides = mode.friction[u].slide == Slide::slip && !at_.problem.units[u].at_zero;
    // A direction that is held, because that of so small a speed is the error's, stays so: what is decided here moves
    // on with it.
    const bool held = slides && !at_.problem.units[u].asked && !has_jumped(at_.system.frictions[u]) &&
                      speed <= at_.equations.motion.reference(unit).floor &&
                      at_.equations.motion.slide_along_reference(unit) > 0;
    if (held) continue;
    // What is left where it does not slide is round-off; the mode problem gives the direction.
    if (slides)
      at_.equations.motion.reference(unit).slide(gamma.data(), speed, 0);
    else
      at_.equations.motion.reference(unit).stand(4 * speed +
                                                 tolerances::slide_round_off * slide_terms(at_.equations, unit));
  }
}

bool NextMode::choose(const EventCall& call, bool count) {
  const double t = call.t;
  double* y = call.y.data();
  Mode& mode = at_.mode;
  ModeProblem& problem = at_.problem;
  const bool left_moving = at_.system.nq > 0 && at_.restart.left_moving();
  asked_ = mode;
  ties_.tell_first(t, y, problem, asked_);
  const int counted = choice_.consistent;
  choice_ = solver_.accelerations(problem, mode, count);
  if (!count) choice_.consistent = counted;
  if (!choice_.found) {
    const std::string at = "at t = " + short_number(t) + " s: ";
    if (const std::string text = not_finite(at_.system, t, y); !text.empty())
      return call.settled.fail(RunStatus::not_finite, at + text);
    return call.settled.fail(RunStatus::no_consistent_mode,
                             at + (choice_.why.empty() ? without_inertia(at_.system) : choice_.why));
  }
  if (falls_back(t, y) && !choose_later(call)) return false;
  bool elsewhere = ties_.resolve(choice_, t, y, problem, asked_, mode);
  elsewhere |= partings_.open(t, y, mode);
  if (left_moving) y_before_.assign(call.y.begin(), call.y.end());
  if (left_moving && at_.restart.stop(mode, t, y, at_.most_restart())) {
    book_restart(call.y);
    elsewhere = true;
  }
  if (elsewhere) {
    at_.equations.evaluate(t, y);
    solver_.solve_in(mode);
  }
  return true;
}

double NextMode::moment() const { return later_.moment(at_.mode, at_.problem); }

bool NextMode::falls_back(double t, const double* y) {
  // With sliding friction the response of a contact to its own force may be negative (Painleve 1895): when that force
  // has gone to zero what lifts off has no acceleration yet, and then one into its surface.
  const auto slides = [](const FrictionMode& f) { return f.slide == Slide::slip; };
  const Mode& mode = at_.mode;
  if (std::none_of(mode.friction.begin(), mode.friction.end(), slides)) return false;
  const auto lifts = [&](std::size_t c) {
    const ContactKnowledge& known = at_.problem.contacts[c];
    return known.lifting && known.touching && !mode.closed[c];
  };
  const auto rate = [&](std::size_t c) {
    return at_.equations.motion.normal_row(static_cast<int>(c))
        .rate(at_.equations.acceleration().data(), at_.system.columns);
  };
  bool any = false;
  for (std::size_t c = 0; c < mode.closed.size(); ++c)
    if (lifts(c)) {
      any = true;
      lift_[c] = rate(c);
    }
  if (!any) return false;
  later_.begin(y);
  const double terms = later_.largest_acceleration();
  bool falls = false;
  if (later_.solve(mode, t, y, moment()))
    for (std::size_t c = 0; c < mode.closed.size(); ++c) {
      if (!lifts(c)) continue;
      const double then = rate(c);
      if (!(then < 0 && then - lift_[c] < -contact::clear * terms)) continue;
      at_.problem.contacts[c].returned = falls = true;
    }
  at_.equations.evaluate(t, y);
  at_.equations.solve(mode);
  return falls;
}

bool NextMode::choose_later(const EventCall& call) {
  // It can neither press nor open: another mode has begun, or none is left.
  ModeProblem& problem = at_.problem;
  const bool all = std::exchange(problem.all, true);
  later_.begin(call.y.data());
  const ModeChoice later = later_.decide(problem, asked_, call.t, call.y.data(), moment());
  problem.all = all;
  at_.equations.evaluate(call.t, call.y.data());
  if (later.found) {
    at_.mode = later_.mode();
    solver_.solve_in(at_.mode);
    return true;
  }
  at_.mode = asked_;
  choice_.found = false;
  choice_.jams = -1;
  return call.settled.fail(RunStatus::no_consistent_mode, "at t = " + short_number(call.t) + " s: " + later.why);
}

void NextMode::note_zeros() const {
  const System& s = at_.system;
  const Mode& mode = at_.mode;
  const ModeProblem& problem = at_.problem;
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (problem.units[u].at_zero && mode.friction[u].slide == Slide::slip)
      at_.guards.note_zero(Watch::slide_stops, static_cast<int>(u),
                           at_.equations.motion.slide_along_reference(static_cast<int>(u)));
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if ((problem.contacts[c].touching || at_.touching[c].touches) && !mode.closed[c]) {
      // What is more than round-off has been put back above, or must be seen. (What is in front of its surface is seen
      // to come.)
      const double gap = s.contacts[c]->open_gap(at_.equations.motion.kinematics()),
                   length = std::max(s.contacts[c]->gap_scale(at_.equations.motion.kinematics()), s.length);
      if (std::abs(gap) <= tolerances::zero_gap * length || (gap < 0 && -gap <= tolerances::penetration * length))
        at_.guards.note_zero(Watch::gap, static_cast<int>(c), gap);
    }
}

}  // namespace hstar

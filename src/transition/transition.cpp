// src/transition/transition.cpp: the story of a start and of an event.
#include <algorithm>
#include <cmath>

#include "formulation/mode_slopes.hpp"
#include "mechanism/short_number.hpp"
#include "transition/fired_guards.hpp"
#include "transition/mechanism_process.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {

/// Normal forces and limits of friction that fired and stay near zero are zero for the next look: what carries no force
/// any more or just some, what begins to creep, what is held again.
void note_zero_forces(std::span<const events::Root> fired, const Mode& before, const Mode& mode,
                      const ModeEquations& equations, MechanismGuards& guards) {
  const auto note = [&](Watch what, int index, double force) {
    if (std::abs(force) <= tolerances::jump * equations.force_scale()) guards.note_zero(what, index, force);
  };
  const auto note_limits = [&](int unit) {
    if (mode.friction[unit].slide != Slide::stick) return;
    note(Watch::stick_upper, unit, equations.stick_reserve(unit, 1));
    note(Watch::stick_lower, unit, equations.stick_reserve(unit, -1));
  };
  // What is pressed or held as before is inside its limit again: the direction of a slow slide beside it has been taken
  // anew.
  const double nothing = tolerances::zero_force * equations.force_scale();
  const auto presses_again = [&](int contact) {
    return mode.closed[contact] == before.closed[contact] && equations.press_reserve(contact) > nothing;
  };
  const auto holds_again = [&](int unit) {
    return mode.friction[unit] == before.friction[unit] && !mode.friction[unit].creeps &&
           std::min(equations.stick_reserve(unit, 1), equations.stick_reserve(unit, -1)) > nothing;
  };
  for (const events::Root& root : fired) {
    const WatchRef ref = guards.ref(root.guard);
    if (ref.what == Watch::normal_force && mode.closed[ref.index] && !presses_again(ref.index))
      note(ref.what, ref.index, equations.press_reserve(ref.index));
    const bool limit = ref.what == Watch::stick_upper || ref.what == Watch::stick_lower;
    if (limit && !holds_again(ref.index)) note_limits(ref.index);
  }
  // (What another's limit has taken a load from, or given one to.)
  for (std::size_t u = 0; u < mode.friction.size(); ++u)
    if (mode.friction[u].creeps != before.friction[u].creeps) note_limits(static_cast<int>(u));
}

/// Guides whose normal force has passed through zero press on their other side; a stuck one was at both its limits.
void turn_guides(std::span<const events::Root> fired, EventState& at) {
  // (It is zero for the next look: the restart moved y onto the constraints, and forces off zero.)
  for (const events::Root& root : fired) {
    const WatchRef ref = at.guards.ref(root.guard);
    const bool limit = ref.what == Watch::stick_upper || ref.what == Watch::stick_lower;
    if (ref.what != Watch::side && !limit) continue;
    const FrictionUnit& unit = at.system.frictions[ref.index];
    if (!unit.side_matters) continue;
    FrictionMode& f = at.mode.friction[ref.index];
    if (limit && (f.slide != Slide::stick || !at.problem.units[ref.index].turned)) continue;
    f.side = static_cast<signed char>(-at.before.friction[ref.index].side);
    at.guards.note_zero(ref.what, ref.index,
                        limit ? at.equations.stick_reserve(ref.index, ref.what == Watch::stick_upper ? 1 : -1)
                              : at.equations.joint_multipliers(unit.joint)[at.system.joints[unit.joint]->side_row()]);
  }
}

}  // namespace

void MechanismProcess::begin_run(double t, std::span<double> y) {
  at_.start();
  switching_.start(t, y.data());
  if (system_->nq > 0) assemble(t, y.data());
  equations_.motion.evaluate(t, y.data());
  at_.touching.close_at_start(t, at_.mode.closed);
}

Settled MechanismProcess::start(double t, std::span<double> y, EventLog& log) {
  Settled settled;
  begin_run(t, y);
  at_.before = at_.mode;
  at_.instant.start(t);
  at_.instant.begin(t, y);
  at_.books.open(y);
  user_guards_.start();
  decision_.start();
  rest_.start();
  if (switching_.decide({t, y, log, settled}, {}, false) && close_books(t, y, settled)) {
    if (slopes_) slopes_->restart();
    at_.ranges.watch({}, at_.mode, at_.touching, guards_);
    if (std::string ranges = hstar::range_text(equations_, at_.mode, most_rows_of_event); !ranges.empty())
      notices_.push_back(std::move(ranges));
    note_rest(t, y, log);
  }
  steps_.projection().begin(t);
  at_.lines.flush(y, log);
  return settled;
}

Settled MechanismProcess::transition(double t, std::span<double> y, std::span<const events::Root> fired,
                                     std::span<const std::size_t> due, EventLog& log) {
  Settled settled;
  const EventCall call{t, y, log, settled};
  Mode &mode = at_.mode, &before = at_.before;
  before = mode;
  std::copy(y.begin(), y.end(), at_.y_before.begin());
  std::fill(at_.moved.begin(), at_.moved.end(), 0.0);
  at_.impacted = false;
  std::fill(at_.unsettled.begin(), at_.unsettled.end(), 0);
  guards_.forget_gaps();
  user_guards_.begin(t, y);
  const bool leaves_rooms = !fired.empty() && std::all_of(fired.begin(), fired.end(), [&](const events::Root& root) {
    return guards_.ref(root.guard).what == Watch::room;
  });
  if (leaves_rooms && due.empty() && switches_.next_time() > t && decision_.look_around(t, y.data())) {
    at_.ranges.watch(fired, mode, at_.touching, guards_);
    return settled;
  }

  // 0. What the fired guards tell about the mode that ends, and the state at its end.
  const bool timed = !due.empty() || switches_.next_time() <= t, held = timed && given_.holds(switches_.any());
  given_.forget_driven();
  const FiredGuards told =
      read_fired(t, y, fired, at_.instant.is_at(t), guards_, equations_, at_.ranges, at_.touching, mode, at_.problem);
  const bool all = fired.empty() && !timed;  // the mode leads no further (breakdown)
  at_.problem.all |= all;
  if (told.look || all) decision_.look();
  decision_.set_contradiction(told.contradicts);
  const bool may_be_pole = system_->is_spatial() && (all || told.unloaded);
  decision_.next().find_stopped(t, y.data(), told.pole || (may_be_pole && critical_point_.is_near(t, y.data())));
  at_.instant.begin(t, y);
  const bool may_jump = held || told.may_jump;
  if ((may_jump && !given_.left_limit(call, fired)) || !switching_.flip(call, fired)) return settled;
  if (may_jump) given_.find_jumps(t, y);
  at_.books.open(y);

  // 1. What the model's own guards say.
  const auto note_changes = [&] {
    if (!user_guards_.changed()) return;
    at_.problem.all = true;
    decision_.look();
  };
  if (!user_guards_.apply(call, fired, switching_.jumped(), due)) return settled;
  user_guards_.apply_carried(call, false);
  note_changes();
  if (settled.then != Settled::Then::go_on) return settled;

  // 2. Impacts, then the next mode, until that carries no guard through zero.
  for (const events::Root& root : fired)
    if (const Watch what = guards_.ref(root.guard).what; what == Watch::regularity || what == Watch::normal_force)
      if (critical_point_.is_reached(call, &root)) return settled;
  decision_.next().set_counted(0);
  bool decided = switching_.decide(call, fired, log.wants_words());
  while (decided && user_guards_.apply_carried(call, true)) {
    note_changes();
    decided = settled.then == Settled::Then::go_on && switching_.decide(call, {}, log.wants_words());
  }
  const bool settles = decided && close_books(t, y, settled);
  if (system_->nq > 0 && !system_->guards.empty()) settled.moved = at_.moved;
  if (settles) {
    if (slopes_) slopes_->restart();
    equations_.motion.evaluate(t, at_.y_before.data());
    rest_.see_motion();
    equations_.motion.evaluate(t, y.data());
    note_rest(t, y, log);
  }
  at_.lines.flush(y, log);
  if (!settles) return settled;
  steps_.projection().begin(std::isnan(settled.t_jump) ? t : settled.t_jump);
  for (std::size_t c = 0; c < mode.closed.size(); ++c)
    if (before.closed[c] && !mode.closed[c])
      at_.touching[c].bounces.opened = std::isnan(settled.t_jump) ? t : settled.t_jump;
  at_.ranges.watch(fired, mode, at_.touching, guards_);
  note_zero_forces(fired, before, mode, equations_, guards_);
  turn_guides(fired, at_);
  if (log.wanted())
    at_.lines.tell(
        {t, fired, before, at_.y_before, y, at_.impacted, at_.problem, decision_.next().choice(), at_.unsettled}, log);
  return settled;
}

Settled MechanismProcess::breakdown(double& t, std::span<double> y, EventLog& log, double least) {
  Settled settled = critical_point_.follow(t, y, log, decision_.next());
  if (settled.then != Settled::Then::go_on) return settled;
  // A mode may end where its own equations have no solution any more, before any of its guards says so: what creeps
  // slides as soon as the load is beyond what all can carry, and rows of which others depended become independent,
  // which may show a moment later only: the shortest that shows it. (What slides by hardly more than round-off turns
  // within a few places of t, and slides on in the same mode.)
  const Mode ended = at_.mode;
  double turns = HUGE_VAL;
  std::vector<double> y_later(y.begin(), y.end()), rate(y.size());
  Settled other;
  const auto has_other = [&](double t_later) {
    other = transition(t_later, y_later, {}, {}, log);
    if (other.then != Settled::Then::go_on || (at_.mode == ended && t_later - t < turns)) return false;
    t = std::isnan(other.t_jump) ? t_later : other.t_jump;
    std::copy(y_later.begin(), y_later.end(), y.begin());
    settled.then = Settled::Then::begin_again;
    return true;
  };
  if ((least == 0 && has_other(t)) || other.then != Settled::Then::go_on || !rates(t, y.data(), rate.data()))
    return settled;
  const Later& later = decision_.next().later();
  const double acceleration = later.largest_acceleration();
  turns = later.before_turn(ended, at_.problem) / tolerances::before_stop;
  for (double part = tolerances::first_part; part <= 1 && acceleration > 0; part *= 10) {
    const double moment = part * later.first_moment(acceleration);
    if (t + moment >= at_.t_end) break;
    if (t + moment == t || moment < least) continue;
    for (std::size_t i = 0; i < y.size(); ++i) y_later[i] = y[i] + moment * rate[i];
    if (has_other(t + moment) || other.then != Settled::Then::go_on) return settled;
  }
  return settled;
}

void MechanismProcess::note_rest(double t, std::span<const double> y, EventLog& log) {
  // (Where the mode goes on its line has told it before.)
  std::string remark =
      log.wanted() && at_.mode != at_.before ? hstar::range_text(equations_, at_.mode, most_rows_of_event) : "";
  if (rest_.begins(y, at_.mode)) {
    const std::string text = rest_.text(at_.mode);
    notices_.push_back("t = " + short_number(t, 6) + " s: " + text);
    remark += (remark.empty() ? "" : "; ") + text;
  }
  at_.lines.set_remark(std::move(remark));
}

bool MechanismProcess::close_books(double t, std::span<const double> y, Settled& settled) {
  if (!at_.books.any()) return true;
  const EventBooks residual = at_.books.close(y, at_.instant);
  at_.lines.set_books(residual);
  const std::string complaint = Books::complaint(residual);
  if (complaint.empty()) return true;
  return settled.fail(RunStatus::unbalanced_event, "the books of the event at t = " + short_number(t) +
                                                       " s do not close: " + complaint +
                                                       "; this is a defect of hstar, please report the model");
}

}  // namespace hstar

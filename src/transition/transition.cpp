// src/transition/transition.cpp: the story of a start and of an event.
#include <algorithm>
#include <cmath>

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
  for (const events::Root& root : fired) {
    const WatchRef ref = guards.ref(root.guard);
    if (ref.what == Watch::normal_force && mode.closed[ref.index])
      note(ref.what, ref.index, equations.press_reserve(ref.index));
    if (ref.what != Watch::stick_upper && ref.what != Watch::stick_lower) continue;
    const FrictionMode &was = before.friction[ref.index], &is = mode.friction[ref.index];
    if (is.slide != Slide::stick || is.creeps == was.creeps) continue;
    note(Watch::stick_upper, ref.index, equations.stick_reserve(ref.index, 1));
    note(Watch::stick_lower, ref.index, equations.stick_reserve(ref.index, -1));
  }
}

}  // namespace

Settled MechanismProcess::start(double t, std::span<double> y, EventLog& log) {
  const System& s = *system_;
  Settled settled;
  std::fill(mode_.closed.begin(), mode_.closed.end(), 0);
  std::fill(mode_.friction.begin(), mode_.friction.end(), FrictionMode{});
  std::fill(stuck_in_impact_.begin(), stuck_in_impact_.end(), 0);
  user_guards_.start();
  held_.forget();
  held_told_.clear();
  if (switches_.any()) switches_.begin(t, y.data(), equations_.motion.kinematics());
  if (s.nq > 0) assemble(t, y.data());
  equations_.motion.evaluate(t, y.data());
  touching_.close_at_start(mode_.closed);
  for (std::size_t u = 0; u < s.frictions.size(); ++u) problem_.units[u] = UnitKnowledge{};
  for (std::size_t c = 0; c < s.contacts.size(); ++c) problem_.contacts[c] = ContactKnowledge{};
  problem_.all = true;
  problem_.force_scale = 0;
  instant_.start(t);
  instant_.begin(t, y);
  books_.open(y);
  impact_recorded_ = false;
  before_ = mode_;
  rest_.start();
  std::fill(impacts_seen_.begin(), impacts_seen_.end(), 0);
  look_ = true;
  if (decide_on_branches(t, y, {}, log, settled, false) && close_books(t, y, settled)) {
    ranges_.watch({}, mode_, touching_, guards_);
    if (std::string ranges = range_text(mode_); !ranges.empty()) notices_.push_back(std::move(ranges));
    note_rest(t, y, log);
  }
  lines_.flush(y, log);
  return settled;
}

Settled MechanismProcess::transition(double t, std::span<double> y, std::span<const events::Root> fired,
                                     std::span<const std::size_t> due, EventLog& log) {
  Settled settled;
  before_ = mode_;
  std::copy(y.begin(), y.end(), y_before_.begin());
  impact_recorded_ = false;
  std::fill(unsettled_.begin(), unsettled_.end(), 0);
  guards_.forget_gaps();
  user_guards_.begin(t, y);

  // 0. What the fired guards tell about the mode that ends, and the state at its end.
  const bool held = (!due.empty() || switches_.next_time() <= t) && is_held();
  std::fill(driven_.begin(), driven_.end(), 0);
  const FiredGuards told =
      read_fired(t, y, fired, instant_.is_at(t), guards_, equations_, ranges_, touching_, mode_, problem_);
  look_ |= told.look;
  contradicts_ = told.contradicts;
  next_.find_stopped(t, y.data(), mode_, problem_);
  instant_.begin(t, y);
  const bool may_jump = held || told.may_jump;
  if (may_jump ? !left_limit(t, y, fired, log, settled) : !switch_branches(t, y, fired, log, settled)) return settled;
  books_.open(y);

  // 1. What the model's own guards say.
  const UserGuards::Event event{t, y, y_before_, log, settled};
  const auto note_changes = [&] {
    if (user_guards_.changed()) problem_.all = look_ = true;
  };
  if (!user_guards_.apply(event, fired, flips_.jumped(), due)) return settled;
  user_guards_.apply_carried(event, false);
  note_changes();
  if (settled.then != Settled::Then::go_on) return settled;

  // 2. Impacts, then the next mode, until that carries no guard through zero.
  for (const events::Root& root : fired)
    if (const Watch what = guards_.ref(root.guard).what; what == Watch::regularity || what == Watch::normal_force)
      if (at_critical_point(t, y, &root, log, settled)) return settled;
  next_.set_counted(0);
  bool decided = decide_on_branches(t, y, fired, log, settled, log.wants_words());
  while (decided && user_guards_.apply_carried(event, true)) {
    note_changes();
    decided = settled.then == Settled::Then::go_on && decide_on_branches(t, y, {}, log, settled, log.wants_words());
  }
  const bool settles = decided && close_books(t, y, settled);
  if (settles) {
    equations_.motion.evaluate(t, y_before_.data());
    rest_.see_motion();
    equations_.motion.evaluate(t, y.data());
    note_rest(t, y, log);
  }
  lines_.flush(y, log);
  if (!settles) return settled;
  for (std::size_t c = 0; c < mode_.closed.size(); ++c)
    if (before_.closed[c] && !mode_.closed[c])
      touching_[c].bounces.opened = std::isnan(settled.t_jump) ? t : settled.t_jump;
  ranges_.watch(fired, mode_, touching_, guards_);
  note_zero_forces(fired, before_, mode_, equations_, guards_);
  turn_guides(fired);
  if (log.wanted())
    lines_.tell({t, fired, before_, y_before_, y, impact_recorded_, problem_, next_.choice(), unsettled_}, log);
  return settled;
}

void MechanismProcess::turn_guides(std::span<const events::Root> fired) {
  // (It is zero for the next look: the restart moved y onto the constraints, and forces off zero.)
  for (const events::Root& root : fired) {
    const WatchRef ref = guards_.ref(root.guard);
    const bool limit = ref.what == Watch::stick_upper || ref.what == Watch::stick_lower;
    if ((ref.what != Watch::side && !limit) || !system_->frictions[ref.index].side_matters) continue;
    FrictionMode& f = mode_.friction[ref.index];
    if (limit && (f.slide != Slide::stick || !problem_.units[ref.index].turned)) continue;
    f.side = static_cast<signed char>(-before_.friction[ref.index].side);
    const int joint = system_->frictions[ref.index].joint;
    guards_.note_zero(ref.what, ref.index,
                      limit ? equations_.stick_reserve(ref.index, ref.what == Watch::stick_upper ? 1 : -1)
                            : equations_.joint_multipliers(joint)[system_->joints[joint]->side_row()]);
  }
}

void MechanismProcess::note_rest(double t, std::span<const double> y, EventLog& log) {
  std::string remark = log.wanted() ? range_text(mode_) : "";
  if (rest_.begins(y, mode_)) {
    const std::string text = rest_.text(mode_);
    notices_.push_back("t = " + short_number(t, 6) + " s: " + text);
    remark += (remark.empty() ? "" : "; ") + text;
  }
  lines_.set_remark(std::move(remark));
}

bool MechanismProcess::close_books(double t, std::span<const double> y, Settled& settled) {
  if (!books_.any()) return true;
  const EventBooks residual = books_.close(y, instant_);
  lines_.set_books(residual);
  const std::string complaint = Books::complaint(residual);
  if (complaint.empty()) return true;
  settled.then = Settled::Then::fail;
  settled.status = RunStatus::unbalanced_event;
  settled.message = "the books of the event at t = " + short_number(t) + " s do not close: " + complaint +
                    "; this is a defect of hstar, please report the model";
  return false;
}

}  // namespace hstar

// src/transition/switching.cpp: what an event does to the branches of switches in formulas, and they to it.
#include <algorithm>
#include <cmath>

#include "mechanism/short_number.hpp"
#include "transition/mechanism_process.hpp"
#include "transition/not_finite.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {

/// Switches that change each other at one instant, at most.
constexpr int most_rounds = 40;

std::string quoted(const SwitchedFormula& f) { return f.name + " = \"" + f.bound.formula.text() + "\""; }

}  // namespace

bool MechanismProcess::switch_branches(double t, std::span<const double> y, std::span<const events::Root> fired,
                                       EventLog& log, Settled& settled) {
  if (!switches_.any()) return true;
  const System& s = *system_;
  Kinematics& k = equations_.kinematics();
  const auto sizes = [&](std::vector<double>& values) {
    values.clear();
    for (const SwitchedFormula& f : s.switched) values.push_back(evaluate(f.bound, k));
  };
  switches_.begin_event();
  jumped_.clear();
  system_->update(k, t, y.data());
  sizes(formula_before_);
  const auto each_fired = [&](void (Switches::*tell)(std::size_t, bool, const Kinematics&)) {
    for (const events::Root& root : fired)
      if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::branch || ref.what == Watch::branch_upper)
        (switches_.*tell)(static_cast<std::size_t>(ref.index), ref.what == Watch::branch_upper, k);
  };
  each_fired(&Switches::meet);
  each_fired(&Switches::flip);
  switches_.flip_timed(t);
  if (!switches_.fired()) return true;
  switches_.settle(k);
  system_->update(k, t, y.data());
  sizes(formula_after_);
  problem_.all = true;
  for (std::size_t i = 0; i < s.switched.size(); ++i) {
    const SwitchedFormula& f = s.switched[i];
    const double before = formula_before_[i], after = formula_after_[i];
    const double size = std::max({s.length, std::abs(before), std::abs(after)});
    if (std::abs(after - before) <= tolerances::same_place * size) continue;
    if (f.role == FormulaRole::anchor) note_anchor_jump(f.name);
    if (f.role != FormulaRole::position) continue;
    settled.then = Settled::Then::fail;
    settled.status = RunStatus::inconsistent_restart;
    settled.message = "at t = " + short_number(t) + " s " + quoted(f) + " jumps from " + short_number(before) + " to " +
                      short_number(after) + ": a prescribed position must be continuous; give it a ramp";
    return false;
  }
  tell_switches(t, y, fired, log);
  jump_guards(t);
  return true;
}

void MechanismProcess::note_anchor_jump(const std::string& name) {
  std::string text =
      name + " jumps: its force steps there; if it has a damper, the impulse of that is left out (a ramp has it)";
  if (std::find(notices_.begin(), notices_.end(), text) == notices_.end()) notices_.push_back(std::move(text));
}

void MechanismProcess::tell_switches(double t, std::span<const double> y, std::span<const events::Root> fired,
                                     EventLog& log) {
  if (!log.wanted() || !log.wants_switches()) return;
  const auto switched = [&](std::size_t i) {
    const Expression& e = system_->switched[i].bound.formula;
    for (int which = 0; which < e.switch_count(); ++which)
      if (switches_.has_fired(static_cast<std::size_t>(e.first_switch() + which))) return true;
    return false;
  };
  const auto root_of = [&](std::size_t i) -> const events::Root* {
    for (const events::Root& root : fired) {
      const WatchRef ref = guards_.ref(root.guard);
      const bool branch = ref.what == Watch::branch || ref.what == Watch::branch_upper;
      if (branch && &switches_.formula(static_cast<std::size_t>(ref.index)) == &system_->switched[i]) return &root;
    }
    return nullptr;
  };
  for (std::size_t i = 0; i < system_->switched.size(); ++i) {
    if (!switched(i)) continue;
    auto r = record(t, root_of(i), "switch", system_->switched[i].name, y, y);
    r.optional = true;
    r.system_mode_before = r.system_mode_after = mode_text();
    r.note = system_->switched[i].bound.formula.text() + ": " + short_number(formula_before_[i]) + " -> " +
             short_number(formula_after_[i]);
    log.add(std::move(r));
  }
}

void MechanismProcess::jump_guards(double t) {
  for (std::size_t i = 0; i < system_->switched.size(); ++i) {
    if (system_->switched[i].role != FormulaRole::guard) continue;
    const double before = formula_before_[i], after = formula_after_[i];
    if (!(before * after < 0)) continue;
    for (std::size_t g = 0; g < guards_.count(); ++g) {
      const WatchRef ref = guards_.ref(g);
      if (ref.what != Watch::user || guards_.info(g).name != system_->switched[i].name) continue;
      const events::Crossing crossing = guards_.info(g).crossing;
      if (crossing != events::Crossing::either && (crossing == events::Crossing::rising) != (after > 0)) continue;
      events::Root root;
      root.guard = g;
      root.t = root.t_lo = root.t_hi = t;
      root.direction = after > 0 ? 1 : -1;
      jumped_.push_back(root);
    }
  }
}

bool MechanismProcess::decide_on_branches(double t, std::span<double> y, std::span<const events::Root> fired,
                                          EventLog& log, Settled& settled, int* consistent) {
  if (!switches_.any()) return decide(t, y, fired, log, settled, consistent);
  Kinematics& k = equations_.kinematics();
  std::size_t pushed_back = switches_.count();
  double t_after = t;
  for (int round = 0; round < most_rounds; ++round) {
    system_->update(k, t, y.data());
    problem_.all |= switches_.settle(k);
    if (const std::string asked = beyond_table(*system_, k); !asked.empty()) {
      settled.then = Settled::Then::fail;
      settled.status = RunStatus::beyond_table;
      settled.message = "at t = " + short_number(t) + " s " + asked;
      return false;
    }
    if (!decide(t, y, fired, log, settled, consistent)) return false;
    t_after = std::isnan(settled.t_jump) ? t : settled.t_jump;
    motion_.begin(t_after, y, t_end_);
    bool changed = switches_.leave(t_after, y, k, motion_, pushed_back);
    if (switches_.next_time() <= t_after) {  // the limit of an accumulation lies beyond it
      switches_.flip_timed(t_after);
      changed = true;
    }
    if (!changed) break;
    if (round + 1 == most_rounds) pushed_back = 0;
    problem_.all = true;
    fired = {};
    t = t_after;
  }
  // What the motion was followed with has been solved elsewhere.
  if (pushed_back == switches_.count()) {
    solve_at(t_after, y.data());
    return true;
  }
  const SwitchedFormula& f = switches_.formula(pushed_back);
  settled.then = Settled::Then::fail;
  settled.status = RunStatus::sliding_mode;
  settled.message =
      "at t = " + short_number(t) + " s both sides of a switch in " + quoted(f) +
      " drive the motion back to it: it would switch without end. Dry friction is a joint's or contact's " +
      "`friction`; a controller needs a hysteresis, a sampling time or a boundary layer";
  return false;
}

}  // namespace hstar

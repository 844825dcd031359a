// src/transition/branch_flips.cpp
#include "transition/branch_flips.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism/short_number.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

BranchFlips::BranchFlips(ModeEquations& equations, Switches& switches, const MechanismGuards& guards, HeldMotion& held)
    : system_(equations.system()), equations_(equations), switches_(switches), guards_(guards), held_(held) {}

bool BranchFlips::flip(double t, std::span<double> y, std::span<const events::Root> fired, OdeProblem& motion,
                       Settled& settled) {
  any_ = false;
  jumped_.clear();
  notices_.clear();
  if (!switches_.any()) return true;
  Kinematics& k = equations_.motion.kinematics();
  const auto sizes = [&](std::vector<double>& values) {
    values.clear();
    for (const SwitchedFormula& f : system_.switched) values.push_back(evaluate(f.bound, k));
  };
  switches_.begin_event();
  if (held_.any()) held_.put_back(t, y, motion);
  system_.update(k, t, y.data());
  sizes(before_);
  const auto each_fired = [&](const auto& tell) {
    for (const events::Root& root : fired)
      if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::branch || ref.what == Watch::branch_upper)
        tell(static_cast<std::size_t>(ref.index), ref.what == Watch::branch_upper);
  };
  bool leaves = false;
  each_fired([&](std::size_t i, bool upper) { switches_.meet(i, upper, k); });
  each_fired([&](std::size_t i, bool upper) {
    if (switches_[i].is_held())
      leaves = true;
    else
      switches_.flip(i, upper, k);
  });
  if (leaves) held_.end();
  switches_.flip_timed(t);
  if (!switches_.fired()) return true;
  switches_.settle(k);
  system_.update(k, t, y.data());
  sizes(after_);
  any_ = true;
  for (std::size_t i = 0; i < system_.switched.size(); ++i) {
    const SwitchedFormula& f = system_.switched[i];
    const double before = before_[i], after = after_[i];
    const double size = std::max({system_.length, std::abs(before), std::abs(after)});
    if (std::abs(after - before) <= tolerances::same_place * size) continue;
    if (f.role == FormulaRole::anchor)
      notices_.push_back(
          f.name +
          " jumps: its force steps there; if it has a damper, the impulse of that is left out (a ramp has it)");
    if (f.role != FormulaRole::position) continue;
    return settled.fail(RunStatus::inconsistent_restart,
                        "at t = " + short_number(t) + " s " + quoted(f) + " jumps from " + short_number(before) +
                            " to " + short_number(after) +
                            ": a prescribed position must be continuous; give it a ramp");
  }
  find_jumped_guards(t);
  return true;
}

void BranchFlips::tell(double t, std::span<const double> y, std::span<const events::Root> fired,
                       const LedgerLines& lines, EventLog& log) const {
  if (!any_ || !log.wanted() || !log.wants_switches()) return;
  const auto switched = [&](std::size_t i) {
    const Expression& e = system_.switched[i].bound.formula;
    for (int which = 0; which < e.switch_count(); ++which)
      if (switches_[static_cast<std::size_t>(e.first_switch() + which)].fired) return true;
    return false;
  };
  const auto root_of = [&](std::size_t i) -> const events::Root* {
    for (const events::Root& root : fired) {
      const WatchRef ref = guards_.ref(root.guard);
      const bool branch = ref.what == Watch::branch || ref.what == Watch::branch_upper;
      if (branch && &switches_[static_cast<std::size_t>(ref.index)].formula == &system_.switched[i]) return &root;
    }
    return nullptr;
  };
  for (std::size_t i = 0; i < system_.switched.size(); ++i) {
    if (!switched(i)) continue;
    auto r = lines.line_in_mode(t, root_of(i), "switch", system_.switched[i].name, y, y);
    r.optional = true;
    r.note =
        system_.switched[i].bound.formula.text() + ": " + short_number(before_[i]) + " -> " + short_number(after_[i]);
    log.add(std::move(r));
  }
}

void BranchFlips::find_jumped_guards(double t) {
  for (std::size_t i = 0; i < system_.switched.size(); ++i) {
    if (system_.switched[i].role != FormulaRole::guard) continue;
    const double before = before_[i], after = after_[i];
    if (!(before * after < 0)) continue;
    for (std::size_t g = 0; g < guards_.count(); ++g) {
      const WatchRef ref = guards_.ref(g);
      if (ref.what != Watch::user || guards_.info(g).name != system_.switched[i].name) continue;
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

}  // namespace hstar

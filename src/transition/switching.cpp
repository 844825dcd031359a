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

bool MechanismProcess::switch_branches(double t, std::span<double> y, std::span<const events::Root> fired,
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
  if (surface_.any()) return_to_surface(t, y);
  system_->update(k, t, y.data());
  sizes(formula_before_);
  const auto each_fired = [&](const auto& tell) {
    for (const events::Root& root : fired)
      if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::branch || ref.what == Watch::branch_upper)
        tell(static_cast<std::size_t>(ref.index), ref.what == Watch::branch_upper);
  };
  bool leaves = false;
  each_fired([&](std::size_t i, bool upper) { switches_.meet(i, upper, k); });
  each_fired([&](std::size_t i, bool upper) {
    if (switches_.is_held(i))
      leaves = true;
    else
      switches_.flip(i, upper, k);
  });
  if (leaves) surface_.end(k);
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
    auto r = lines_.line_in_mode(t, root_of(i), "switch", system_->switched[i].name, y, y);
    r.optional = true;
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
                                          EventLog& log, Settled& settled, bool count) {
  if (!switches_.any()) return decide(t, y, fired, log, settled, count);
  Kinematics& k = equations_.kinematics();
  std::size_t pushed_back = switches_.count();
  double t_after = t;
  for (int round = 0; round < most_rounds; ++round) {
    system_->update(k, t, y.data());
    if (surface_.any() && surface_.is_left(k)) surface_.lose(k);
    problem_.all |= switches_.settle(k);
    if (const std::string asked = beyond_table(*system_, k); !asked.empty()) {
      settled.then = Settled::Then::fail;
      settled.status = RunStatus::beyond_table;
      settled.message = "at t = " + short_number(t) + " s " + asked;
      return false;
    }
    if (!decide(t, y, fired, log, settled, count)) return false;
    t_after = std::isnan(settled.t_jump) ? t : settled.t_jump;
    motion_.begin(t_after, y, t_end_);
    bool changed = holds_otherwise(t_after, y) || switches_.leave(t_after, y, k, motion_, pushed_back);
    if (switches_.next_time() <= t_after) {  // the limit of an accumulation lies beyond it
      switches_.flip_timed(t_after);
      changed = true;
    }
    if (!changed && pushed_back < switches_.count() && hold_surface(pushed_back, t_after, y)) {
      pushed_back = switches_.count();
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
    tell_held(t_after, y, log);
    return true;
  }
  const SwitchedFormula& f = switches_.formula(pushed_back);
  settled.then = Settled::Then::fail;
  settled.status = RunStatus::sliding_mode;
  settled.message =
      "at t = " + short_number(t) + " s both sides of a switch in " + quoted(f) +
      " drive the motion back to it: it would switch without end. " +
      (!holds_surfaces_
           ? "Dry friction is a joint's or contact's `friction`; a controller needs a hysteresis, a sampling "
             "time or a boundary layer, or the model says `sliding = \"filippov\"`"
       : dae_ ? "This formulation cannot hold it there (`sliding`); projection, direct and partition_* can"
       : surface_.any()
           ? "It cannot be held there (`sliding`) while " + quoted(surface_.formula()) + " is"
           : "It cannot be held there (`sliding`): its condition must read t, planar coordinates, velocities "
             "and states, and forces must change the first derivative of it or, if it is linear, the second");
  return false;
}

bool MechanismProcess::share_sides(double t, const double* y, bool& both_drive_back) {
  double driven[2];
  for (const int positive : {0, 1}) {
    surface_.share(positive);
    if (!solve_on_branches(t, y)) return false;
    rates_of_solution(side_rates_[positive]);
    if (!surface_.push(equations_.kinematics(), side_rates_[positive].data(), driven[positive])) return false;
  }
  both_drive_back = surface_.settle(driven[0], driven[1]);
  return true;
}

void MechanismProcess::return_to_surface(double t, std::span<double> y) {
  Kinematics& k = equations_.kinematics();
  bool both = false;
  if (!share_sides(t, y.data(), both) || surface_.jump() == 0) return;
  std::vector<double> apart(y.size(), 0.0);  // of the rates of velocities and states; coordinates have the same
  for (std::size_t i = static_cast<std::size_t>(system_->nq); i < y.size(); ++i)
    apart[i] = side_rates_[1][i] - side_rates_[0][i];
  system_->update(k, t, y.data());
  double left = surface_.left(k);
  if (surface_.is_second_order()) {
    // Rates of what moves with these differences; the step of the quotient is one of the state's own size.
    double size = 0, length = 0;
    for (const double value : y) size = std::max(size, std::abs(value));
    for (const double value : apart) length = std::max(length, std::abs(value));
    const double by = std::sqrt(tolerances::eps) * (size > 0 ? size : length) / length;
    std::vector<double> moved(y.begin(), y.end()), here(y.size()), there(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) moved[i] += by * apart[i];
    if (!rates(t, y.data(), here.data()) || !rates(t, moved.data(), there.data())) return;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= left / surface_.jump() * (there[i] - here[i]) / by;
    if (!share_sides(t, y.data(), both)) return;
    left = surface_.left_rate(equations_.kinematics(), side_rates_[0].data());
  }
  for (std::size_t i = 0; i < y.size(); ++i) y[i] -= left / surface_.jump() * apart[i];
  find_share(t, y.data());
}

bool MechanismProcess::hold_surface(std::size_t pushed_back, double t, std::span<const double> y) {
  if (!holds_surfaces_ || dae_ || surface_.any() || !solve_on_branches(t, y.data())) return false;
  rates_of_solution(side_rates_[0]);
  if (!surface_.begin(pushed_back, t, y, side_rates_[0], equations_.kinematics())) return false;
  do {
    bool both = false;
    if (!share_sides(t, y.data(), both)) break;
    if (!both) continue;
    switches_.begin_trials();
    return true;
  } while (surface_.look_deeper());
  surface_.forget();
  return false;
}

bool MechanismProcess::holds_otherwise(double t, std::span<const double> y) {
  if (!surface_.any()) return false;
  const double before = surface_.share();
  bool both = false;
  if (share_sides(t, y.data(), both) && both) return surface_.share() != before;
  surface_.end(equations_.kinematics());
  switches_.begin_trials();
  return true;
}

void MechanismProcess::tell_held(double t, std::span<const double> y, EventLog& log) {
  const std::string now = surface_.any() ? quoted(surface_.formula()) : "";
  if (now == held_told_) return;
  if (log.wanted()) {
    const auto tell = [&](const std::string& formula, const char* what) {
      if (formula.empty()) return;
      auto r = lines_.line_in_mode(t, nullptr, "switch", formula.substr(0, formula.find(' ')), y, y);
      r.note = formula + what;
      log.add(std::move(r));
    };
    tell(held_told_, " leaves the surface where it switches");
    tell(now, " is held where it switches");
  }
  held_told_ = now;
}

void MechanismProcess::rates_of_solution(std::vector<double>& ydot) const {
  const System& s = *system_;
  const std::vector<double>& a = equations_.acceleration();
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int k = 0; k < s.bodies[b].dofs; ++k) ydot[s.nq + s.bodies[b].dof + k] = a[s.slot(b, k)];
  for (int i = 0; i < s.ns; ++i) ydot[s.nq + s.nv + i] = evaluate(s.states[i].rate, equations_.kinematics());
}

}  // namespace hstar

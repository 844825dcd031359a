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

}  // namespace

bool MechanismProcess::switch_branches(double t, std::span<double> y, std::span<const events::Root> fired,
                                       EventLog& log, Settled& settled) {
  if (!switches_.any()) return true;
  const bool sound = flips_.flip(t, y, fired, *this, settled);
  problem_.all |= flips_.any();
  for (const std::string& notice : flips_.notices())
    if (std::find(notices_.begin(), notices_.end(), notice) == notices_.end()) notices_.push_back(notice);
  if (sound) flips_.tell(t, y, fired, lines_, log);
  return sound;
}

bool MechanismProcess::decide_on_branches(double t, std::span<double> y, std::span<const events::Root> fired,
                                          EventLog& log, Settled& settled, bool count) {
  if (!switches_.any()) return decide(t, y, fired, log, settled, count);
  Kinematics& k = equations_.motion.kinematics();
  std::size_t pushed_back = switches_.count();
  double t_after = t;
  for (int round = 0; round < most_rounds; ++round) {
    system_->update(k, t, y.data());
    held_.lose_if_left();
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
    bool changed = held_.holds_otherwise(t_after, y) || switches_.leave(t_after, y, k, motion_, pushed_back);
    if (switches_.next_time() <= t_after) {  // the limit of an accumulation lies beyond it
      switches_.flip_timed(t_after);
      changed = true;
    }
    if (!changed && pushed_back < switches_.count() && !dae_ && held_.hold(pushed_back, t_after, y)) {
      pushed_back = switches_.count();
      changed = true;
    }
    if (!changed) break;
    if (round + 1 == most_rounds) pushed_back = 0;
    problem_.all = true;
    fired = {};
    t = t_after;
  }
  system_->update(k, t_after, y.data());
  const SwitchedFormula *const nowhere = switches_.without_value(k), *const irregular = switches_.irregular();
  if (nowhere != nullptr || irregular != nullptr) {
    settled.then = Settled::Then::fail;
    settled.status = nowhere != nullptr ? RunStatus::not_finite : RunStatus::event_pile_up;
    settled.message = "at t = " + short_number(t_after) + " s a condition of " +
                      (nowhere != nullptr ? quoted(*nowhere) + " is not a number"
                                          : quoted(*irregular) + " changes too often to follow");
    return false;
  }
  // What the motion was followed with has been solved elsewhere.
  if (pushed_back == switches_.count()) {
    held_.solve(t_after, y.data());
    tell_held(t_after, y, log);
    return true;
  }
  const SwitchedFormula& f = switches_.formula(pushed_back);
  settled.then = Settled::Then::fail;
  settled.status = RunStatus::sliding_mode;
  settled.message =
      "at t = " + short_number(t) + " s both sides of a switch in " + quoted(f) +
      " drive the motion back to it: it would switch without end. " +
      (!held_.allowed()
           ? "Dry friction is a joint's or contact's `friction`; a controller needs a hysteresis, a sampling "
             "time or a boundary layer, or the model says `sliding = \"filippov\"`"
       : dae_        ? "This formulation cannot hold it there (`sliding`); projection, direct and partition_* can"
       : held_.any() ? "It cannot be held there (`sliding`) while " + quoted(held_.formula()) + " is"
                     : "It cannot be held there (`sliding`): its condition must read t, planar coordinates, velocities "
                       "and states, and forces must change the first derivative of it or, if it is linear, the second");
  return false;
}

void MechanismProcess::tell_held(double t, std::span<const double> y, EventLog& log) {
  const std::string now = held_.any() ? quoted(held_.formula()) : "";
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

}  // namespace hstar

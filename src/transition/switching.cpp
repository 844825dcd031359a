// src/transition/switching.cpp
#include "transition/switching.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism/short_number.hpp"
#include "transition/not_finite.hpp"

namespace hstar {
namespace {

/// Switches that change each other at one instant, at most.
constexpr int most_rounds = 40;

}  // namespace

Switching::Switching(EventState& at, Switches& switches, HeldMotion& held, ChatterLimit& chatter_limit,
                     OdeProblem& motion, bool dae)
    : at_(at),
      switches_(switches),
      held_(held),
      chatter_limit_(chatter_limit),
      motion_(motion),
      dae_(dae),
      flips_(at.equations, switches, at.guards, held),
      beginning_(motion) {}

void Switching::start(double t, const double* y) {
  held_.forget();
  held_told_.clear();
  if (switches_.any()) switches_.begin(t, y, at_.equations.motion.kinematics());
}

bool Switching::flip(const EventCall& call, std::span<const events::Root> fired) {
  if (!switches_.any()) return true;
  const auto& [t, y, log, settled] = call;
  const bool sound = flips_.flip(t, y, fired, motion_, settled);
  at_.problem.all |= flips_.any();
  for (const std::string& notice : flips_.notices())
    if (std::find(notices_.begin(), notices_.end(), notice) == notices_.end()) notices_.push_back(notice);
  if (sound) flips_.tell(t, y, fired, at_.lines, log);
  return sound;
}

bool Switching::decide(const EventCall& call, std::span<const events::Root> fired, bool count) {
  if (!switches_.any()) return chatter_limit_.decide(call, fired, count);
  std::size_t pushed_back = switches_.count();
  double t = call.t;
  if (!settle(call, fired, count, t, pushed_back)) return false;
  Kinematics& k = at_.equations.motion.kinematics();
  at_.system.update(k, t, call.y.data());
  const SwitchedFormula *const nowhere = switches_.without_value(k), *const irregular = switches_.irregular();
  if (nowhere != nullptr)
    return call.settled.fail(RunStatus::not_finite, "at t = " + short_number(t) + " s a condition of " +
                                                        quoted(*nowhere) + " is not a number");
  if (irregular != nullptr)
    return call.settled.fail(RunStatus::event_pile_up, "at t = " + short_number(t) + " s a condition of " +
                                                           quoted(*irregular) + " changes too often to follow");
  if (pushed_back < switches_.count()) return fail_pushed_back(call, pushed_back);
  // What the motion was followed with has been solved elsewhere.
  held_.solve(t, call.y.data());
  tell_held(t, call.y, call.log);
  return true;
}

bool Switching::settle(const EventCall& call, std::span<const events::Root> fired, bool count, double& t,
                       std::size_t& pushed_back) {
  const auto& [t_begun, y, log, settled] = call;
  Kinematics& k = at_.equations.motion.kinematics();
  for (int round = 0; round < most_rounds; ++round) {
    at_.system.update(k, t, y.data());
    held_.lose_if_left();
    at_.problem.all |= switches_.settle(k);
    if (const std::string asked = beyond_table(at_.system, k); !asked.empty())
      return settled.fail(RunStatus::beyond_table, "at t = " + short_number(t) + " s " + asked);
    if (!chatter_limit_.decide({t, y, log, settled}, fired, count)) return false;
    if (!std::isnan(settled.t_jump)) t = settled.t_jump;
    beginning_.begin(t, y, at_.t_end);
    bool changed = held_.holds_otherwise(t, y) || switches_.leave(t, y, k, beginning_, pushed_back);
    if (switches_.next_time() <= t) {  // the limit of an accumulation lies beyond it
      switches_.flip_timed(t);
      changed = true;
    }
    if (!changed && pushed_back < switches_.count() && !dae_ && held_.hold(pushed_back, t, y)) {
      pushed_back = switches_.count();
      changed = true;
    }
    if (!changed) break;
    if (round + 1 == most_rounds) pushed_back = first_fired();
    at_.problem.all = true;
    fired = {};
  }
  return true;
}

std::size_t Switching::first_fired() const {
  for (std::size_t i = 0; i < switches_.count(); ++i)
    if (switches_[i].fired) return i;
  return 0;
}

bool Switching::fail_pushed_back(const EventCall& call, std::size_t pushed_back) {
  const SwitchedFormula& f = switches_[pushed_back].formula;
  return call.settled.fail(
      RunStatus::sliding_mode,
      "at t = " + short_number(call.t) + " s both sides of a switch in " + quoted(f) +
          " drive the motion back to it: it would switch without end. " +
          (!held_.allowed()
               ? "Dry friction is a joint's or contact's `friction`; a controller needs a hysteresis, a sampling "
                 "time or a boundary layer, or the model says `sliding = \"filippov\"`"
           : dae_        ? "This formulation cannot hold it there (`sliding`); projection, direct and partition_* can"
           : held_.any() ? "It cannot be held there (`sliding`) while " + quoted(held_.formula()) + " is"
           : switches_[pushed_back].floor
               ? "It cannot be held there (`sliding`): relations can, and abs, sign, min and max; floor, ceil, round "
                 "and "
                 "mod cannot"
               : "It cannot be held there (`sliding`): its condition must read t, planar coordinates, velocities "
                 "and states, and forces must change the first derivative of it or, if it is linear, the second"));
}

void Switching::tell_held(double t, std::span<const double> y, EventLog& log) {
  const std::string now = held_.any() ? quoted(held_.formula()) : "";
  if (now == held_told_) return;
  if (log.wanted()) {
    const auto tell = [&](const std::string& formula, const char* what) {
      if (formula.empty()) return;
      auto r = at_.lines.line_in_mode(t, nullptr, "switch", formula.substr(0, formula.find(' ')), y, y);
      r.note = formula + what;
      log.add(std::move(r));
    };
    tell(held_told_, " leaves the surface where it switches");
    tell(now, " is held where it switches");
  }
  held_told_ = now;
}

}  // namespace hstar

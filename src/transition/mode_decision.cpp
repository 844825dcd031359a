// src/transition/mode_decision.cpp
#include "transition/mode_decision.hpp"

#include <cmath>

namespace hstar {
namespace {
/// Jams at one instant, at most.
constexpr int most_jams = 20;
}  // namespace

ModeDecision::ModeDecision(EventState& at, GivenMotion& given, Formulation& formulation, OdeProblem& motion,
                           const FormulationOptions& options, bool energy_error)
    : at_(at),
      formulation_(formulation),
      impacts_(at, given, motion, energy_error),
      jams_(at),
      next_(at, options),
      dependence_(at.system) {}

void ModeDecision::start() {
  impacts_.start();
  look_ = true;
  contradicts_ = false;
}

bool ModeDecision::decide(const EventCall& call, std::span<const events::Root> fired, bool count) {
  // Impacts until none approaches, then the next mode. Where no mode is consistent a sliding contact may jam:
  // an impulse without collision, after which all is decided again.
  Settled& settled = call.settled;
  Jams::Outcome jammed = Jams::Outcome::impulse;
  for (int jams = 0;; ++jams) {
    if (jammed == Jams::Outcome::impulse && !impacts_.carry_out(call, fired)) return false;
    at_.problem.all |= at_.impacted;
    // (One that its force leaves and that falls back onto its surface at once has no mode either.)
    const bool contradicts = jams == 0 && std::exchange(contradicts_, false);
    if (!contradicts) {
      if (settle(call, count)) {
        tell_states(call.y);
        return true;
      }
      if (settled.status != RunStatus::no_consistent_mode || jams == most_jams) return false;
    }
    const std::string undecided = std::exchange(settled.message, {});
    jammed = jams_.jam(call, contradicts ? -1 : next_.choice().jams, contradicts ? at_.mode : next_.asked());
    if (jammed == Jams::Outcome::none && !contradicts) {
      if (settled.message.empty()) settled.message = undecided;
      return false;
    }
    settled.then = Settled::Then::go_on;
    fired = {};
  }
}

void ModeDecision::tell_states(std::span<double> y) const {
  const System& s = at_.system;
  const auto sticks = [&](int unit) { return unit >= 0 && at_.mode.friction[unit].slide == Slide::stick; };
  for (const ToldState& told : s.told) {
    int impacts = 0;
    bool closed = false, stuck = told.joint >= 0 && sticks(s.joint_friction[told.joint]);
    for (const int contact : told.contacts) {
      const auto c = static_cast<std::size_t>(contact);
      impacts += impacts_.seen(c);
      closed |= at_.mode.closed[c] != 0;
      stuck |= at_.mode.closed[c] && sticks(s.contact_friction[c]);
    }
    y[told.place] = told.what == ToldState::What::impacts  ? impacts
                    : told.what == ToldState::What::closed ? closed
                                                           : stuck;
  }
}

bool ModeDecision::settle(const EventCall& call, bool count) {
  const auto& [t, y, log, settled] = call;
  if (!next_.put_on_rows(call) || !next_.choose(call, count)) return false;
  formulation_.restart(at_.mode, t, y.data());
  next_.hold_first_directions(t, y.data());
  if (std::exchange(look_, false) || !std::isnan(settled.t_jump))
    at_.guards.look(at_.equations.motion.kinematics(), at_.mode);
  watch();
  next_.note_zeros();
  return true;
}

void ModeDecision::watch() {
  at_.guards.enable(at_.equations, at_.mode, looked_at_);
  if (looked_at_) dependence_.update(at_.equations);
  at_.guards.update_tolerances(at_.equations, at_.mode, true);
}

bool ModeDecision::look_around(double t, const double* y) {
  if (!at_.equations.solve_at(at_.mode, t, y)) return false;
  at_.guards.look(at_.equations.motion.kinematics(), at_.mode);
  watch();
  return true;
}

bool ModeDecision::find_modes(const EventCall& call, std::vector<Mode>& modes) {
  modes.clear();
  if (!impacts_.carry_out(call, {}) || !next_.put_on_rows(call)) return false;
  modes = next_.solver().consistent(at_.problem, at_.mode);
  return true;
}

}  // namespace hstar

// src/transition/mode_decision.cpp: impacts, the next mode and a consistent restart in it, until it settles.
#include <cmath>

#include "formulation/mode_slopes.hpp"
#include "transition/mechanism_process.hpp"

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
    // (One that its force leaves and that falls back onto its surface at once has no mode either.)
    const bool contradicts = jams == 0 && std::exchange(contradicts_, false);
    if (contradicts) {
      settled.status = RunStatus::no_consistent_mode;
    } else if (settle(t, y.data(), settled, count)) {
      tell_states(y);
      return true;
    }
    if (settled.status != RunStatus::no_consistent_mode || jams == 20) return false;
    const std::string undecided = std::exchange(settled.message, {});
    settled.then = Settled::Then::go_on;
    jammed = jam(t, y, contradicts ? -1 : next_.choice().jams, log, settled);
    if (jammed == Jam::none && contradicts) {
      settled.then = Settled::Then::go_on;
    } else if (jammed == Jam::none) {
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

bool MechanismProcess::settle(double t, double* y, Settled& settled, bool count) {
  if (!next_.put_on_rows(t, y, before_, stuck_in_impact_, mode_, problem_, settled) ||
      !next_.choose(t, y, problem_, mode_, settled, count))
    return false;
  formulation_->restart(mode_, t, y);
  if (slopes_) slopes_->restart();
  next_.hold_first_directions(t, y, problem_, mode_);
  if (look_ || !std::isnan(settled.t_jump)) guards_.look(equations_.motion.kinematics(), mode_);
  look_ = false;
  guards_.enable(equations_, mode_);
  dependence_.update(equations_);
  guards_.update_tolerances(equations_, mode_, true);
  next_.note_zeros(problem_, mode_, guards_);
  return true;
}

}  // namespace hstar

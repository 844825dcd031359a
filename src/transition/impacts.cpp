// src/transition/impacts.cpp
#include "transition/impacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "contact/tolerances.hpp"
#include "mechanism/short_number.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {
/// Impacts at one instant: contacts that touch and strike in turn have lost their speeds by then, or never will.
constexpr int most_at_once = 1 << 14;
/// Of these so many are told.
constexpr int most_told = 200;
}  // namespace

Impacts::Impacts(EventState& at, GivenMotion& given, OdeProblem& motion, bool energy_error)
    : at_(at),
      given_(given),
      flight_(at, motion),
      energy_error_(energy_error),
      seen_(at.system.contacts.size()),
      active_(at.system.contacts.size()),
      y_before_(at.system.size()) {}

void Impacts::find_touching(const EventCall& call, std::span<const events::Root> fired) {
  Touching& touching = at_.touching;
  touching.note_closed(at_.mode.closed);
  at_.equations.motion.evaluate(call.t, call.y.data());
  if (at_.instant.jumped()) touching.free_struck(at_.mode.closed);
  // (What holds a contact whose flights have become too low changes velocities: the others are looked at again.)
  for (bool changed = true; std::exchange(changed, false);) {
    touching.find(call.t, at_.mode.closed, at_.before.closed);
    for (std::size_t c = 0; c < at_.mode.closed.size(); ++c) {
      const double speed = touching.gap_velocity()[c];
      if (touching[c].touched && !at_.mode.closed[c]) {
        touching[c].touches = true;
        touching[c].approaches = speed < 0;
      }
      if (at_.chatter.follows() && touching[c].touches && speed == 0) at_.mode.closed[c] = 1;  // it has come to rest
    }
    for (const events::Root& root : fired)
      if (const WatchRef ref = at_.guards.ref(root.guard); ref.what == Watch::gap && !at_.mode.closed[ref.index])
        changed |= touch(call, root);
    if (changed) at_.equations.motion.evaluate(call.t, call.y.data());
  }
  touching.strike_together(call.t, at_.mode.closed, at_.before.closed);
}

bool Impacts::touch(const EventCall& call, const events::Root& root) {
  const auto c = static_cast<std::size_t>(at_.guards.ref(root.guard).index);
  Touch& touch = at_.touching[c];
  const bool ranged = at_.ranges.ranged(c);
  // Beyond the ends of its edge, or from behind: nothing touches.
  if (ranged && (root.direction > 0 || !at_.ranges.can_strike(c, at_.before.closed))) return false;
  touch.touches = true;
  at_.touching.find_gap_velocity(c, at_.mode.closed[c] != 0);
  const double speed = at_.touching.gap_velocity()[c];
  touch.approaches = speed < 0;
  if (touch.approaches) return false;
  if (speed > 0 && !(ranged && at_.ranges.lies_on(c))) {
    // It leaves, and there were no impacts that could have come to an end: it has just been let go or thrown open,
    // and the error of the integrator is larger than its gap still is. Below what the gap should be by now, nothing
    // counts. (At the instant it opened a gap within its round-off has come back if its flight is lower than that.)
    const double gap = at_.system.contacts[c]->gap(at_.equations.motion.kinematics());
    const bool alone = touch.bounces.count == 0, later = alone && call.t > touch.bounces.opened;
    const double zero = at_.guards.info(root.guard).g_tol;
    if ((alone && !later && std::abs(gap) > zero) || flight_.shows(call.t, call.y, c)) {
      // (What fires in the instant in which it leaves, a corner below the pin about which its link turns, has an error
      // that is not seen before the step: twice as much is zero each time.)
      const double unseen = call.t == touch.bounces.last ? std::max(std::abs(gap), 0.5 * zero) : gap;
      at_.guards.note_zero(Watch::gap, static_cast<int>(c),
                           later ? 0.25 * speed * (call.t - touch.bounces.opened) : unseen);
      at_.unsettled[c] = 1;
      return false;
    }
    end_low_flight(call, c, root);
    return true;
  }
  if (speed == 0 && touch.bounces.count > 0) {
    end_low_flight(call, c, root);  // (at the top of one, where what slides has stopped)
    return true;
  }
  at_.mode.closed[c] = 1;  // touches at rest: closed or open is decided later
  return false;
}

void Impacts::end_low_flight(const EventCall& call, std::size_t contact, const events::Root& root) {
  if (call.log.wanted()) {
    EventRecord z = at_.lines.line(call.t, &root, "zeno", at_.system.contacts[contact]->name, call.y, call.y);
    z.mode_before = "open";
    z.gap_velocity_before = at_.touching.gap_velocity()[contact];
    z.note = std::to_string(at_.touching[contact].bounces.count) +
             " impacts seen; flights are lower than the round-off of the gap";
    at_.lines.keep(std::move(z), static_cast<int>(contact));
  }
  at_.mode.closed[contact] = 1;
  at_.impulses.hold_closed(call.t, call.y, at_.mode, at_.stuck_in_impact, std::numeric_limits<double>::infinity());
  at_.impacted = true;
  at_.touching.gap_velocity()[contact] = 0;
}

bool Impacts::carry_out(const EventCall& call, std::span<const events::Root> fired) {
  const auto& [t, y, log, settled] = call;
  if (at_.mode.closed.empty() && !given_.any_driven()) return true;
  std::fill(at_.stuck_in_impact.begin(), at_.stuck_in_impact.end(), 0);
  find_touching(call, fired);
  const std::vector<double>& gap_velocity = at_.touching.gap_velocity();
  double terms = 0, first = 0;
  for (int count = 0; given_.any_driven() || at_.touching.any_approaches(); ++count) {
    if (count == most_at_once)
      return settled.fail(RunStatus::event_pile_up,
                          "more than " + std::to_string(most_at_once) + " impacts at one instant");
    const bool driven = given_.any_driven();
    std::copy(y.begin(), y.end(), y_before_.begin());
    double approach = 0;
    for (std::size_t c = 0; c < active_.size(); ++c) {
      active_[c] = at_.touching[c].touches && gap_velocity[c] <= 0;
      if (active_[c]) approach = std::max(approach, -gap_velocity[c]);
    }
    first = std::max(first, approach);
    // At one instant impacts in turn come to rest: what is left is round-off of what began it.
    if (!driven && approach <= tolerances::zero_velocity * first) {
      close_approaching();
      break;
    }
    at_.equations.evaluate(t, y.data());
    const auto drivers = driven ? std::span<const char>(given_.driven()) : std::span<const char>{};
    const ImpactOutcome& impact = at_.impulses.strike(active_, gap_velocity, drivers);
    if (!impact.found && at_.chatter.follows()) {
      at_.touching.find_seen_velocities();
      at_.impulses.strike(active_, gap_velocity, drivers);
    }
    if (!impact.found && hardly_approach()) break;
    if (!impact.found)
      return settled.fail(RunStatus::no_consistent_mode, "at t = " + short_number(t) + " s: " + impact.why);
    const double energy_loss = at_.impulses.take(impact, y);
    terms = std::max(terms, impact.size);
    // What is still told to approach when the law changes nothing does so by the round-off of its equations.
    const bool changes = at_.chatter.has_jumped() || !std::equal(y.begin(), y.end(), y_before_.begin());
    if (!driven && !changes) {
      close_approaching();
      break;
    }
    at_.equations.motion.evaluate(t, y.data());
    const double gain =
        driven ? 0.0 : at_.impulses.gained_energy(impact, active_, gap_velocity);  // (a driver gives it)
    if (gain > 0 && energy_error_)
      return settled.fail(RunStatus::no_consistent_mode, "at t = " + short_number(t) + " s the impact law gains " +
                                                             short_number(gain, 3) +
                                                             " J of energy, and impact_energy = \"error\"");
    at_.impulses.tell_stuck(impact, at_.stuck_in_impact);
    if (log.wanted() && count < most_told) tell(call, fired, impact, energy_loss, gain);
    at_.problem.all = true;
    at_.impacted |= !driven || !others(impact, -1).empty();
    count_strikes(t);
    go_on(call, impact);
    given_.forget_driven();
    if (crowds(t, settled)) return false;
  }
  for (std::size_t c = 0; c < active_.size(); ++c)
    if (at_.mode.closed[c]) at_.touching[c].bounces = {};
  // What an impact cannot tell from rest is at rest.
  const auto hold = [&] {
    return at_.impulses.hold_closed(
        call.t, call.y, at_.mode, at_.stuck_in_impact,
        std::max(contact::path_end * std::max(terms, at_.instant.fastest()), tolerances::levers * at_.chatter.still()));
  };
  if ((at_.impacted || at_.chatter.follows()) && !hold() && let_go_of_leaving(call)) hold();
  return true;
}

bool Impacts::let_go_of_leaving(const EventCall& call) {
  at_.equations.motion.evaluate(call.t, call.y.data());
  bool any = false;
  for (std::size_t c = 0; c < active_.size(); ++c) {
    const Row row = at_.equations.motion.normal_row(static_cast<int>(c));
    if (!at_.mode.closed[c] || !at_.chatter[c].rests()) continue;
    if (!(at_.equations.motion.free_speed(row) > at_.instant.zero_speed(row))) continue;
    at_.mode.closed[c] = 0;
    at_.chatter[c].leave();
    any = true;
  }
  return any;
}

bool Impacts::hardly_approach() {
  // (No faster than velocities are known: the restart will change them by less than it may.)
  const double known = at_.most_restart();
  for (std::size_t c = 0; c < active_.size(); ++c) {
    const double nothing = at_.instant.zero_speed(at_.equations.motion.normal_row(static_cast<int>(c))),
                 hardly = std::max(known, tolerances::hardly * nothing);
    if (at_.touching[c].approaches && -at_.touching.gap_velocity()[c] > hardly) return false;
  }
  close_approaching();
  return true;
}

void Impacts::close_approaching() {
  for (std::size_t c = 0; c < active_.size(); ++c)
    if (std::exchange(at_.touching[c].approaches, false)) at_.mode.closed[c] = 1;
}

int Impacts::main_contact() const {
  if (given_.any_driven()) return -1;
  // The first in the model that was open: which of several that strike together fires first is round-off.
  int any = -1;
  for (std::size_t c = 0; c < active_.size(); ++c) {
    if (!at_.touching[c].approaches) continue;
    if (!at_.before.closed[c]) return static_cast<int>(c);
    if (any < 0) any = static_cast<int>(c);
  }
  return any;
}

std::string Impacts::others(const ImpactOutcome& impact, int main) const {
  std::string names;
  // (What is round-off of other impulses is none.)
  double least = 0;
  for (const double impulse : impact.impulse_n) least = std::max(least, contact::round_off * impulse);
  for (std::size_t c = 0; c < active_.size(); ++c)
    if (static_cast<int>(c) != main && active_[c] && impact.impulse_n[c] > least)
      names += (names.empty() ? "with " : ", ") + at_.system.contacts[c]->name;
  return names;
}

void Impacts::tell(const EventCall& call, std::span<const events::Root> fired, const ImpactOutcome& impact,
                   double energy_loss, double gain) {
  const System& s = at_.system;
  const int main = main_contact();
  const auto m = static_cast<std::size_t>(main);
  const std::string with = others(impact, main), between = with.empty() ? "" : "; ";
  EventRecord r;
  if (main < 0) {
    r = given_.line(call.t, impact, y_before_, call.y);
    r.note = with + between + "the velocity that it is given jumps";
  } else {
    const events::Root* root = nullptr;  // its own, or of one that strikes with it
    for (const events::Root& f : fired)
      if (const WatchRef ref = at_.guards.ref(f.guard); ref.what == Watch::gap && (!root || ref.index == main))
        root = &f;
    r = at_.lines.line(call.t, root, "impact", s.contacts[m]->name, y_before_, call.y);
    r.mode_before = contact_mode_text(s, at_.before, main);
    r.gap_velocity_before = at_.touching.gap_velocity()[m];
    r.gap_velocity_after = at_.equations.motion.gap_velocity(main);
    r.impulse_n = impact.impulse_n[m];
    r.impulse_t = impact.impulse_t[m];
    r.note = with;
    if (s.contact_friction[m] >= 0)
      r.note +=
          between + (impact.sticks[m] ? "sticks" : "slips") + " during impact" + at_.impulses.friction_text(impact, m);
    if (gain > 0)
      r.note +=
          std::string(r.note.empty() ? "" : "; ") + "gains energy: the law creates " + short_number(gain, 3) + " J";
  }
  r.energy_loss = energy_loss;
  at_.lines.keep(std::move(r), main);
}

void Impacts::count_strikes(double t) {
  const System& s = at_.system;
  const auto free = [&](int body) { return s.bodies[body].prescribed ? -1 : body; };
  for (std::size_t c = 0; c < active_.size(); ++c) {
    if (!at_.touching[c].approaches) continue;
    const double speed = -at_.touching.gap_velocity()[c];
    at_.touching[c].bounces.add(t);
    if (!at_.chatter.hides()) ++seen_[c];
    at_.chatter.strike(speed);
    crowding_.add(t, static_cast<int>(c), {free(s.contacts[c]->first), free(s.contacts[c]->second)}, speed);
  }
}

void Impacts::go_on(const EventCall& call, const ImpactOutcome& impact) {
  Touching& touching = at_.touching;
  for (std::size_t c = 0; c < active_.size(); ++c) touching[c].touched = touching[c].touches;
  at_.equations.motion.evaluate(call.t, call.y.data());
  touching.free_struck(at_.mode.closed);
  touching.find(call.t, at_.mode.closed, at_.before.closed);
  for (std::size_t c = 0; c < active_.size(); ++c) {
    if (!touching[c].touched) continue;
    const double speed = touching.gap_velocity()[c];
    touching[c].touches = true;
    touching[c].approaches = speed < 0 && !impact.closed[c];
    const bool may_leave = !impact.closed[c] || at_.impulses.restitution(c) > 0;
    at_.mode.closed[c] = !(may_leave && speed > 0) && !touching[c].approaches;
  }
}

bool Impacts::crowds(double t, Settled& settled) {
  if (!crowding_.recognise(crowded_)) return false;
  double first = t;
  for (const int c : crowded_.contacts) first = std::min(first, at_.touching[c].bounces.first);
  if (crowded_.t - t > tolerances::most_left_crowding * (t - first)) return false;
  std::string names;
  for (const int c : crowded_.contacts) names += (names.empty() ? "\"" : ", \"") + at_.system.contacts[c]->name + "\"";
  return !settled.fail(RunStatus::accumulation,
                       "impacts of " + names + " crowd towards t = " + short_number(crowded_.t) +
                           " s and do not get slower (interval ratio " + short_number(crowded_.ratio) +
                           "): what lies between has no room left then, and rigid bodies have no motion beyond");
}

}  // namespace hstar

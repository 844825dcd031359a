// src/transition/chatter_limit.cpp
#include "transition/chatter_limit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "contact/tolerances.hpp"
#include "hstar/stop.hpp"
#include "mechanism/short_number.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {

/// After so many impacts in no time the limit's instant is reached. Speeds that shrink are less than so many impacts
/// before by one in as many.
constexpr int in_no_time = 1024;
constexpr double slower = 1 - 1.0 / in_no_time;
constexpr int most_followed = 1 << 20;
/// So few plastic impacts are no limit.
constexpr int fewest = 3;

struct Unheard final : EventLog {
  [[nodiscard]] bool wanted() const override { return false; }
  void add(EventRecord) override {}
};

}  // namespace

ChatterLimit::ChatterLimit(EventState& at, ModeDecision& decision, HeldMotion& held, const Switches& switches)
    : at_(at),
      decision_(decision),
      held_(held),
      switches_(switches),
      flights_(at, held),
      flew_(at.system.contacts.size()),
      active_(at.system.contacts.size()),
      y_before_(at.system.size()) {
  for (const auto& guard : at.system.guards)
    scheduled_.insert(scheduled_.end(), guard.spec.times.begin(), guard.spec.times.end());
  std::sort(scheduled_.begin(), scheduled_.end());
}

double ChatterLimit::told_until(double t) const {
  const auto next = std::upper_bound(scheduled_.begin(), scheduled_.end(), t);
  return std::min({at_.t_end, switches_.next_time(), next == scheduled_.end() ? at_.t_end : *next});
}

bool ChatterLimit::follow(const EventCall& call) {
  const auto& [t, y, log, settled] = call;
  if (!at_.books.any()) at_.books.open(y);  // (what has stopped sliding had a speed of the integrator's error left)
  at_.chatter.reset();
  if (!flights_.solve(t, y)) return true;
  Chatter::Flight flight = at_.chatter.next();
  Followed so_far{t, t};
  shown_ = at_.mode;
  const double most = told_until(t);
  for (std::size_t c = 0; c < at_.mode.closed.size(); ++c)
    if (at_.touching[c].touches && at_.touching[c].bounces.count > 0)
      so_far.begun = std::min(so_far.begun, at_.touching[c].bounces.first);
  if (!flights_.are_followed(so_far, flight, most)) return true;
  for (std::size_t c = 0; c < at_.mode.closed.size(); ++c) {
    flew_[c] = !at_.mode.closed[c];
    if (!at_.touching[c].touches) continue;
    so_far.seen = std::max(so_far.seen, at_.touching[c].bounces.count);
    if (const double height = at_.chatter[c].height(flight.lasts); height > 0)
      so_far.blur = std::max(so_far.blur, flights_.round_off(c) / height);
  }
  so_far.contact = flight.contact;
  at_.chatter.follow(flight, t - so_far.begun);
  const bool sound = follow_flights(call, flight, so_far) && ask_again(call, so_far);
  if (sound && log.wanted()) {
    if (at_.chatter.hides()) at_.lines.keep_stops(so_far.now(), shown_, y);
    tell_limit(so_far, so_far.untold == 0, y);
  }
  at_.chatter.reset();
  return sound;
}

bool ChatterLimit::follow_flights(const EventCall& call, Chatter::Flight flight, Followed& so_far) {
  const auto& [t, y, log, settled] = call;
  Unheard unheard;
  const double most = told_until(t);
  double later_before = 0, fastest = at_.chatter.fastest();
  while (!stop_requested_meanwhile() && flights_.are_followed(so_far, flight, most)) {
    at_.lines.tell_modes();
    const bool hidden = at_.chatter.hides();
    if (!hidden) shown_ = at_.mode;
    // The ledger tells flights that positions could show. The others are the limit, and what stops after it has a line
    // again.
    const bool shows = flights_.is_shown(flight);
    const bool over = flight.unit >= 0 && !at_.chatter.goes_on();
    at_.chatter.hide(so_far.flights >= fewest && !shows && !over);
    if (over && log.wanted()) tell_limit(so_far, so_far.untold == 0, y);
    if (hidden && !at_.chatter.hides() && log.wanted()) at_.lines.keep_stops(so_far.now(), shown_, y);
    EventLog* told = &log;
    if (at_.chatter.hides()) told = &unheard;
    // (What seemed to end soon may go on for long with the accelerations that change.)
    if (!flights_.bend(so_far.now(), y, flight) || !flights_.are_followed(so_far, flight, most))
      return held_.solve(so_far.now(), y.data());
    const bool strike_shows =
        shows && flight.contact >= 0 && flights_.shows(flight, static_cast<std::size_t>(flight.contact));
    if (!fly_and_decide({t, y, *told, settled}, flight, so_far)) return false;
    if (strike_shows) so_far.speed = at_.chatter.last_strike();
    if (flight.contact >= 0 && flight.contact != so_far.contact)
      so_far.round_off = std::max(so_far.round_off, flights_.round_off(static_cast<std::size_t>(flight.contact)));
    bool nothing = false, no_time = false, shrinks = false;
    if (so_far.flights % in_no_time == 0) {
      const double now = at_.chatter.fastest();
      // (An elastic bounce of hardly more than nothing would go on for ever.)
      nothing = now <= tolerances::hardly * at_.chatter.still();
      shrinks = now <= slower * std::exchange(fastest, now);
      no_time = so_far.later - std::exchange(later_before, so_far.later) <= tolerances::eps * std::abs(so_far.t);
    }
    if (so_far.last[2] > 0 && so_far.last[2] < tolerances::shortest_flight) {
      no_time = true;
      shrinks = at_.chatter.last_strike() <= slower * fastest;
    }
    if (so_far.flights == most_followed || !flights_.solve(so_far.now(), y)) return true;
    if ((nothing || no_time) && !at_.chatter.arrive_unseen()) {
      if (!no_time) return true;  // what stops and slips again without a strike is the monitor's
      if (!strike_at_limit({so_far.now(), y, unheard, settled}, shrinks)) return false;
      if (!flights_.solve(so_far.now(), y)) return true;
    }
    flight = at_.chatter.next();
    for (std::size_t c = 0; c < flew_.size(); ++c)
      flew_[c] |= static_cast<char>(!at_.mode.closed[c] && at_.chatter[c].bounces() && !at_.chatter[c].rests());
    // Where others go on, those that have lost their speeds have come to a limit of their own.
    if (log.wanted() && so_far.flights > fewest && flights_.are_followed(so_far, flight, most) &&
        flights_.is_shown(flight))
      tell_limit(so_far, true, y);
  }
  // Speeds that an impact cannot tell from nothing leave the end of a sequence.
  if (at_.chatter.goes_on()) return true;
  const double left = so_far.left();
  if (left <= tolerances::eps * std::abs(so_far.t) || so_far.now() + left >= most) return true;
  return fly_and_decide({t, y, unheard, settled}, {-1, -1, left}, so_far);
}

bool ChatterLimit::ask_again(const EventCall& call, Followed& so_far) {
  bool any = false;
  for (std::size_t c = 0; c < at_.mode.closed.size(); ++c) {
    FollowedGap& gap = at_.chatter[c];
    if (at_.mode.closed[c] || !gap.bounces() || gap.touches() || gap.speed() < 0 || gap.gap() > flights_.round_off(c))
      continue;
    gap.set_gap(0);
    any = true;
  }
  return !any || fly_and_decide(call, {-1, -1, 0}, so_far);
}

bool ChatterLimit::fly_and_decide(const EventCall& call, const Chatter::Flight& flight, Followed& so_far) {
  const auto& [begun, y, log, settled] = call;
  std::copy(y.begin(), y.end(), y_before_.begin());
  if (at_.chatter.hides() && flight.contact >= 0 && !at_.chatter[static_cast<std::size_t>(flight.contact)].rests())
    ++so_far.untold;
  flights_.advance(flight, y);
  so_far.add(flight.lasts);
  if (flight.lasts > 0) at_.instant.pass();
  const double t = settled.t_jump = so_far.now();
  // (Accelerations change a little during a flight; what is held stays so.)
  const auto fail = [&] {
    return call.settled.fail(RunStatus::inconsistent_restart,
                             "at t = " + short_number(t) + " s, between impacts: " + at_.restart.why());
  };
  if (!at_.restart.positions(at_.mode, t, y.data(), 8) || !at_.restart.velocities(at_.mode, t, y.data())) return fail();
  std::fill(at_.problem.units.begin(), at_.problem.units.end(), UnitKnowledge{});
  std::fill(at_.problem.contacts.begin(), at_.problem.contacts.end(), ContactKnowledge{});
  if (flight.contact < 0 && flight.unit < 0) stop_slides(t, y);
  if (flight.unit >= 0) {
    at_.problem.units[flight.unit].at_zero = true;
    decision_.next().find_stopped(t, y.data(), false);
    // (What is left of its speed is the error of the flight, no impulse.)
    stopped_ = at_.mode;
    for (std::size_t u = 0; u < stopped_.friction.size(); ++u)
      if (at_.problem.units[u].at_zero) stopped_.friction[u] = FrictionMode{Slide::stick, 0, 0, 0};
    if (!at_.restart.come_to_rest(stopped_, t, y.data())) return fail();
  }
  at_.books.book_given(y_before_, y);
  if (flight.unit < 0 || !log.wanted()) return decision_.decide({t, y, log, settled}, {}, false);
  // A stop has a line of its own, after those of the impacts before it.
  at_.lines.flush(y, log);
  const Mode sliding = at_.mode;
  std::copy(y.begin(), y.end(), y_before_.begin());
  if (!decision_.decide({t, y, log, settled}, {}, false)) return false;
  const int counted = decision_.next().choice().consistent;
  decision_.next().set_counted(0);
  at_.lines.tell(
      {t, {}, sliding, y_before_, y, at_.lines.any_kept(), at_.problem, decision_.next().choice(), at_.unsettled}, log);
  decision_.next().set_counted(counted);
  return true;
}

void ChatterLimit::stop_slides(double t, std::span<const double> y) {
  // What has lost its speed sooner than it would have without round-off slides since then, by hardly more than that
  // round-off. (Whether it slides on from there is for static friction to tell. Turning has another unit.)
  at_.equations.motion.evaluate(t, y.data());
  std::array<double, most_directions> gamma{};
  for (std::size_t u = 0; u < at_.problem.units.size(); ++u) {
    const int unit = static_cast<int>(u), contact = at_.system.frictions[u].contact;
    if (contact < 0 || at_.system.frictions[u].turns || !at_.chatter[static_cast<std::size_t>(contact)].bounces())
      continue;
    const double nothing =
        tolerances::hardly * at_.chatter[static_cast<std::size_t>(contact)].known_speed().still_seen();
    at_.problem.units[u].at_zero = at_.equations.motion.slide_velocities(unit, gamma.data()) <= nothing;
  }
}

bool ChatterLimit::strike_at_limit(const EventCall& call, bool shrinks) {
  const auto& [t, y, log, settled] = call;
  for (std::size_t c = 0; c < active_.size(); ++c) {
    const FollowedGap& gap = at_.chatter[c];
    active_[c] =
        at_.mode.closed[c] || (gap.bounces() && gap.gap() <= tolerances::eps * std::abs(t) * std::abs(gap.speed()));
  }
  if (!shrinks)
    return settled.fail(RunStatus::accumulation, "at t = " + short_number(t) +
                                                     " s impacts crowd and do not get slower: rigid bodies have no "
                                                     "motion beyond");
  // (Whatever approaches: those that leave now strike again before the limit.)
  at_.equations.evaluate(t, y.data());
  std::vector<double>& speed = at_.touching.gap_velocity();
  for (std::size_t c = 0; c < speed.size(); ++c) {
    const Row row = at_.equations.motion.normal_row(static_cast<int>(c));
    speed[c] = at_.chatter.known(c, at_.equations.motion.free_speed(row), at_.instant.zero_speed(row)).speed;
  }
  const ImpactOutcome& impact = at_.impulses.solver().strike_together(active_, speed.data());
  if (!impact.found)
    return settled.fail(RunStatus::no_consistent_mode, "at t = " + short_number(t) + " s: " + impact.why);
  at_.impulses.take(impact, y);
  for (std::size_t c = 0; c < active_.size(); ++c)
    if (active_[c] && !std::exchange(at_.mode.closed[c], 1)) at_.chatter[c].lose_speed();
  return decision_.decide(call, {}, false);
}

void ChatterLimit::tell_limit(const Followed& so_far, bool by_bounces, std::span<const double> y) {
  const System& s = at_.system;
  const int struck = at_.lines.last_contact();
  int element = -1;
  std::string others;
  for (int c = 0; c < static_cast<int>(s.contacts.size()); ++c) {
    const auto i = static_cast<std::size_t>(c);
    active_[i] = flew_[i] && (at_.mode.closed[i] || at_.chatter[i].rests()) &&
                 (!by_bounces || s.contacts[i]->restitution > 0);  // (one plastic impact is no limit)
    if (active_[i] && (element < 0 || c == struck)) element = c;
  }
  if (element < 0) return;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (!active_[c]) continue;
    flew_[c] = 0;
    if (static_cast<int>(c) != element) others += (others.empty() ? "with " : ", ") + s.contacts[c]->name;
  }
  EventRecord z = at_.lines.line(so_far.now(), nullptr, "zeno", s.contacts[element]->name, y, y);
  z.dt_error = so_far.error();
  z.t_lo = so_far.t;
  z.mode_before = "open";
  z.note = others + (others.empty() ? "" : "; ") + std::to_string(so_far.seen) +
           " impacts seen, the others followed over " + short_number(so_far.later, 3) + " s";
  at_.lines.keep(std::move(z), element);
}

}  // namespace hstar

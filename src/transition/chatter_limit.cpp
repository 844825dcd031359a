// src/transition/chatter_limit.cpp: impacts whose flights are too low for the monitor are followed here, one after the
// other, to their limit or until they are higher again (chatter.hpp).
#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/tolerances.hpp"
#include "hstar/stop.hpp"
#include "mechanism/short_number.hpp"
#include "transition/mechanism_process.hpp"
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

bool MechanismProcess::follow_chatter(double t, std::span<double> y, EventLog& log, Settled& settled) {
  if (!impact_recorded_) return true;
  chatter_.reset();
  if (!flights_.solve(t, y, before_.closed)) return true;
  Chatter::Flight flight = chatter_.next();
  Followed so_far{t, t};
  const double most = std::min(t_end_, switches_.next_time());
  for (std::size_t c = 0; c < mode_.closed.size(); ++c)
    if (touching_[c].touches && touching_[c].bounces.count > 0)
      so_far.begun = std::min(so_far.begun, touching_[c].bounces.first);
  if (!flights_.are_followed(so_far, flight, most)) return true;
  for (std::size_t c = 0; c < mode_.closed.size(); ++c) {
    flew_[c] = !mode_.closed[c];
    if (!touching_[c].touches) continue;
    so_far.seen = std::max(so_far.seen, touching_[c].bounces.count);
    if (const double height = chatter_.height(c, flight.lasts); height > 0)
      so_far.blur = std::max(so_far.blur, flights_.round_off(c) / height);
  }
  so_far.contact = flight.contact;
  chatter_.follow();
  const bool sound = follow_flights(flight, so_far, y, log, settled);
  if (sound && log.wanted()) tell_limit(so_far, so_far.flights <= fewest, y);
  chatter_.reset();
  return sound;
}

bool MechanismProcess::follow_flights(Chatter::Flight flight, Followed& so_far, std::span<double> y, EventLog& log,
                                      Settled& settled) {
  Unheard unheard;
  const double most = std::min(t_end_, switches_.next_time());
  double later_before = 0, fastest = chatter_.fastest();
  while (!stop_requested_meanwhile() && flights_.are_followed(so_far, flight, most)) {
    lines_.tell_modes();
    // The ledger tells flights that positions could show. The others are the limit.
    const bool shows = flights_.is_shown(flight);
    chatter_.hide(so_far.flights >= fewest && !shows);
    EventLog* told = &log;
    if (chatter_.hides()) told = &unheard;
    if (!flights_.bend(so_far.now(), y, flight)) return held_.solve(so_far.now(), y.data());
    if (!fly_and_decide(flight, so_far, y, *told, settled)) return false;
    if (shows && flight.contact >= 0) so_far.speed = chatter_.last_strike();
    if (flight.contact >= 0 && flight.contact != so_far.contact)
      so_far.round_off = std::max(so_far.round_off, flights_.round_off(static_cast<std::size_t>(flight.contact)));
    bool nothing = false;
    if (so_far.flights % in_no_time == 0) {
      const double now = chatter_.fastest();
      // (An elastic bounce of hardly more than nothing would go on for ever.)
      nothing = now <= tolerances::hardly * chatter_.still();
      const bool shrinks = now <= slower * std::exchange(fastest, now);
      if (so_far.later - later_before <= tolerances::eps * std::abs(so_far.t))
        return strike_at_limit(so_far.now(), y, shrinks, unheard, settled);
      later_before = so_far.later;
    }
    if (so_far.flights == most_followed || !flights_.solve(so_far.now(), y, before_.closed)) return true;
    if (nothing) chatter_.arrive();
    flight = chatter_.next();
    for (std::size_t c = 0; c < flew_.size(); ++c)
      flew_[c] |= static_cast<char>(!mode_.closed[c] && chatter_.bounces(c) && !chatter_.rests(c));
    // Where others go on, those that have lost their speeds have come to a limit of their own.
    if (log.wanted() && so_far.flights > fewest && flights_.are_followed(so_far, flight, most) &&
        flights_.is_shown(flight))
      tell_limit(so_far, true, y);
  }
  // Speeds that an impact cannot tell from nothing leave the end of a sequence.
  for (std::size_t c = 0; c < flew_.size(); ++c)
    if (!mode_.closed[c] && chatter_.bounces(c) && !chatter_.rests(c)) return true;
  const double left = so_far.left();
  if (left <= tolerances::eps * std::abs(so_far.t) || so_far.now() + left >= t_end_) return true;
  return fly_and_decide({-1, -1, left}, so_far, y, unheard, settled);
}

bool MechanismProcess::fly_and_decide(const Chatter::Flight& flight, Followed& so_far, std::span<double> y,
                                      EventLog& log, Settled& settled) {
  std::copy(y.begin(), y.end(), y_impact_.begin());
  flights_.advance(flight, y);
  so_far.add(flight.lasts);
  if (flight.lasts > 0) instant_.pass();
  const double t = settled.t_jump = so_far.now();
  // (Accelerations change a little during a flight; what is held stays so.)
  if (!restart_.positions(mode_, t, y.data(), 8) || !restart_.velocities(mode_, t, y.data())) {
    settled.then = Settled::Then::fail;
    settled.status = RunStatus::inconsistent_restart;
    settled.message = "at t = " + short_number(t) + " s, between impacts: " + restart_.why();
    return false;
  }
  books_.book_given(y_impact_, y);
  std::fill(problem_.units.begin(), problem_.units.end(), UnitKnowledge{});
  std::fill(problem_.contacts.begin(), problem_.contacts.end(), ContactKnowledge{});
  if (flight.unit >= 0) {
    problem_.units[flight.unit].at_zero = true;
    next_.find_stopped(t, y.data(), mode_, problem_);
  }
  if (flight.unit < 0 || !log.wanted()) return decide_now(t, y, {}, log, settled, false);
  // A stop has a line of its own, after those of the impacts before it.
  lines_.flush(y, log);
  const Mode sliding = mode_;
  std::copy(y.begin(), y.end(), y_impact_.begin());
  if (!decide_now(t, y, {}, log, settled, false)) return false;
  const int counted = next_.choice().consistent;
  next_.set_counted(0);
  lines_.tell({t, {}, sliding, y_impact_, y, lines_.any_kept(), problem_, next_.choice(), unsettled_}, log);
  next_.set_counted(counted);
  return true;
}

bool MechanismProcess::strike_at_limit(double t, std::span<double> y, bool shrinks, EventLog& log, Settled& settled) {
  for (std::size_t c = 0; c < active_.size(); ++c) active_[c] = mode_.closed[c] || chatter_.bounces(c);
  if (!shrinks) {
    settled.then = Settled::Then::fail;
    settled.status = RunStatus::accumulation;
    settled.message = "at t = " + short_number(t) +
                      " s impacts crowd and do not get slower: rigid bodies have no motion "
                      "beyond";
    return false;
  }
  // (Whatever approaches: those that leave now strike again before the limit.)
  equations_.evaluate(t, y.data());
  std::vector<double>& speed = touching_.gap_velocity();
  for (std::size_t c = 0; c < speed.size(); ++c) speed[c] = equations_.motion.gap_velocity(static_cast<int>(c));
  const ImpactOutcome& impact = impulses_.solver().strike_together(active_, speed.data());
  if (!impact.found) return true;
  impulses_.take(impact, y);
  for (std::size_t c = 0; c < active_.size(); ++c) mode_.closed[c] = active_[c];
  return decide_now(t, y, {}, log, settled, false);
}

void MechanismProcess::tell_limit(const Followed& so_far, bool by_bounces, std::span<const double> y) {
  const System& s = *system_;
  const int struck = lines_.last_contact();
  int element = -1;
  std::string others;
  for (int c = 0; c < static_cast<int>(s.contacts.size()); ++c) {
    const auto i = static_cast<std::size_t>(c);
    active_[i] = flew_[i] && (mode_.closed[i] || chatter_.rests(i)) &&
                 (!by_bounces || s.contacts[i]->restitution > 0);  // (one plastic impact is no limit)
    if (active_[i] && (element < 0 || c == struck)) element = c;
  }
  if (element < 0) return;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (!active_[c]) continue;
    flew_[c] = 0;
    if (static_cast<int>(c) != element) others += (others.empty() ? "with " : ", ") + s.contacts[c]->name;
  }
  EventRecord z = lines_.line(so_far.now(), nullptr, "zeno", s.contacts[element]->name, y, y);
  z.dt_error = so_far.error();
  z.t_lo = so_far.t;
  z.mode_before = "open";
  z.note = others + (others.empty() ? "" : "; ") + std::to_string(so_far.seen) +
           " impacts seen, the others followed over " + short_number(so_far.later, 3) + " s";
  lines_.keep(std::move(z), element);
}

}  // namespace hstar

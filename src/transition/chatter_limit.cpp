// src/transition/chatter_limit.cpp: impacts whose flights are too low for the monitor are followed here, one after the
// other, to their limit or until they are higher again (chatter.hpp).
#include <algorithm>
#include <array>
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

bool MechanismProcess::solve_rates(double t, const double* y) {
  if (!solve_at(t, y)) return false;
  rates_of_solution(ydot_);
  return true;
}

double MechanismProcess::acceleration_of_slide(int unit) const {
  std::array<Row, most_directions> rows;
  equations_.tangent_rows(unit, rows.data());
  double along = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(system_->frictions[unit].directions); ++d)
    along += slides_[unit].direction[d] * acceleration_along(rows[d]);
  return along;
}

bool MechanismProcess::solve_flight(double t, std::span<const double> y) {
  const System& s = *system_;
  if (!solve_rates(t, y.data())) return false;
  ydot_start_ = ydot_;
  chatter_.forget_stops();
  Row row;
  double fastest = 0, still = 0;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (mode_.closed[c]) {
      chatter_.fly(c, 0, 0, 0);
      continue;
    }
    if (touching_[c].touches) {
      chatter_.fly(c, 0, 0, 0);
    } else if (!chatter_.follows()) {
      const double gap = s.contacts[c]->open_gap(equations_.kinematics());
      const bool in_front = !ranges_.ranged(c) || (ranges_.front(c) && ranges_.can_strike(c, before_.closed));
      if (in_front && gap > 0) chatter_.fly(c, gap, 0, 0);
    }
    if (!chatter_.is_near(c)) continue;
    equations_.normal_row(static_cast<int>(c), row);
    const double speed = equations_.gap_velocity(static_cast<int>(c)), acceleration = acceleration_along(row),
                 blur = instant_.zero_speed(row), zero = std::max(blur, chatter_.still());
    // (At the top of its flight it has no speed either.)
    const bool moves = std::abs(speed) > zero || -2 * acceleration * chatter_.gap(c) > zero * zero;
    if (touching_[c].touches && moves) chatter_.touch(c);
    if (chatter_.bounces(c)) {
      fastest = std::max(fastest, std::abs(speed));
      still = std::max(still, blur);
    }
    chatter_.fly(c, chatter_.gap(c), moves ? speed : 0, acceleration, blur);
    if (!chatter_.bounces(c) || chatter_.rests(c) || moves) continue;
    // (What has stopped in front of its surface, because something else holds it there, does not strike again.)
    if (chatter_.gap(c) > gap_round_off(c))
      chatter_.leave(c);
    else
      chatter_.arrive(c);
  }
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const int unit = static_cast<int>(u), contact = s.frictions[u].contact;
    Sliding& slides = slides_[u];
    slides.speed = 0;
    if (contact >= 0 && !mode_.closed[contact] && !chatter_.bounces(static_cast<std::size_t>(contact))) continue;
    const double speed = equations_.slide_velocities(unit, slides.direction.data());
    if (!s.frictions[u].turns) fastest = std::max(fastest, speed);
    if (mode_.friction[u].slide != Slide::slip || !(speed > zero_speed(unit))) continue;
    for (double& x : slides.direction) x /= speed;
    slides.speed = speed;
    slides.acceleration = acceleration_of_slide(unit);
    if (slides.acceleration < 0) chatter_.slide(unit, -speed / slides.acceleration);
  }
  chatter_.set_still(std::max(still, contact::clear * fastest));
  return true;
}

double MechanismProcess::gap_round_off(std::size_t contact) const {
  // (Where a surface is led is as uncertain as t.)
  const Kinematics& k = equations_.kinematics();
  Row row;
  equations_.normal_row(static_cast<int>(contact), row);
  return tolerances::eps * (system_->contacts[contact]->length_scale(k) + std::abs(row.nu * k.t));
}

bool MechanismProcess::chatters(std::size_t contact, const Chatter::Flight& flight) const {
  // (What has flown before this chatter and does not come back next has nothing to do with it.)
  return chatter_.is_near(contact) && !mode_.closed[contact] &&
         (chatter_.bounces(contact) || static_cast<int>(contact) == flight.contact);
}

bool MechanismProcess::flies_higher(double t, const Chatter::Flight& flight) const {
  bool higher = false, any = false;
  for (std::size_t c = 0; c < mode_.closed.size(); ++c)
    if (chatters(c, flight)) {
      const double height = chatter_.height(c, flight.lasts);
      higher |= height > tolerances::magnified * gap_round_off(c) && height > guards_.gap_tolerance(c);
      any = true;
    }
  return !any || (higher && flight.lasts > tolerances::magnified * tolerances::eps * std::abs(t));
}

void MechanismProcess::land_with_others() {
  // (Of a gap below its round-off positions do not tell whether it is zero.)
  const auto may = [&](std::size_t c) {
    return !mode_.closed[c] && chatter_.is_near(c) && !chatter_.touches(c) && chatter_.gap(c) <= gap_round_off(c);
  };
  for (std::size_t c = 0; c < mode_.closed.size(); ++c)
    rows_mode_.closed[c] = mode_.closed[c] != 0 || (chatter_.is_near(c) && chatter_.touches(c));
  rows_mode_.friction.assign(mode_.friction.size(), FrictionMode{});
  for (std::size_t c = 0; c < mode_.closed.size(); ++c) {
    if (!may(c)) continue;
    rows_mode_.closed[c] = unloaded;  // the last of the rows: the others are looked at first
    const bool depends =
        solve_mode(rows_mode_) && equations_.saddle().is_redundant(equations_.contact_row(static_cast<int>(c)));
    if (depends) chatter_.land(c);
    rows_mode_.closed[c] = depends;
  }
}

void MechanismProcess::advance(double time, std::span<double> y) {
  // With the rates at the beginning and, in ydot_, those of the middle.
  const System& s = *system_;
  displacement_.assign(s.slots(), 0.0);
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int k = 0; k < s.bodies[b].dofs; ++k) {
      const auto v = static_cast<std::size_t>(s.nq + s.bodies[b].dof + k);
      displacement_[s.slot(b, k)] = time * (y[v] + time * (ydot_start_[v] + 2 * ydot_[v]) / 6);
      y[v] += time * ydot_[v];
    }
  s.displace(displacement_.data(), 1.0, y.data());
  for (auto i = static_cast<std::size_t>(s.nq + s.nv); i < s.size(); ++i) y[i] += time * ydot_[i];
}

bool MechanismProcess::is_shown(const Chatter::Flight& flight) const {
  for (std::size_t c = 0; c < mode_.closed.size(); ++c)
    if (chatters(c, flight) && chatter_.height(c, flight.lasts) > gap_round_off(c)) return true;
  return false;
}

bool MechanismProcess::bend_flight(double t, std::span<const double> y, Chatter::Flight& flight) {
  if (!flight.ends() || !(flight.lasts > 0)) return true;
  Row row;
  const auto each = [&](const auto& use) {
    for (std::size_t c = 0; c < mode_.closed.size(); ++c) {
      if (mode_.closed[c] || !chatter_.is_near(c)) continue;
      equations_.normal_row(static_cast<int>(c), row);
      use(c, acceleration_along(row));
    }
  };
  const auto solve_after = [&](double time) {
    std::copy(y.begin(), y.end(), y_later_.begin());
    advance(time, y_later_);
    return solve_rates(t + time, y_later_.data());
  };
  const auto shows = [&](std::size_t c, double change) {
    return chatters(c, flight) && chatter_.part(c, change, flight.lasts) * flight.lasts >
                                      chatter_.late(c, gap_round_off(c)) + tolerances::eps * std::abs(t);
  };
  if (!solve_after(flight.lasts)) return false;
  bool changes = false;
  each([&](std::size_t c, double later) {
    changes |= shows(c, chatter_.change(c, later));
    chatter_.bend(c, later);
  });
  chatter_.forget_stops();
  for (std::size_t u = 0; u < slides_.size(); ++u) {
    if (slides_[u].speed == 0) continue;
    const int unit = static_cast<int>(u);
    const double mean = 0.5 * (slides_[u].acceleration + acceleration_of_slide(unit));
    if (mean < 0) chatter_.slide(unit, -slides_[u].speed / mean);
  }
  for (std::size_t i = 0; i < ydot_.size(); ++i) ydot_[i] = 0.5 * (ydot_start_[i] + ydot_[i]);
  if (changes) {  // Are they linear?
    ydot_mean_ = ydot_;
    if (!solve_after(0.5 * flight.lasts)) return false;
    bool bends = false;
    each([&](std::size_t c, double half_way) { bends |= shows(c, chatter_.change_from_line(c, half_way)); });
    if (bends) return false;
    ydot_ = ydot_mean_;
  }
  flight = chatter_.next();
  return true;
}

bool MechanismProcess::is_followed(const Followed& so_far, const Chatter::Flight& flight) const {
  if (!flight.ends() || so_far.now() + flight.lasts >= std::min(t_end_, switches_.next_time())) return false;
  return flight.lasts <= tolerances::brief * (so_far.now() - so_far.begun) || !flies_higher(so_far.now(), flight);
}

bool MechanismProcess::follow_chatter(double t, std::span<double> y, EventLog& log, Settled& settled) {
  if (!impact_recorded_) return true;
  chatter_.reset();
  if (!solve_flight(t, y)) return true;
  Chatter::Flight flight = chatter_.next();
  Followed so_far{t, t};
  for (std::size_t c = 0; c < mode_.closed.size(); ++c)
    if (touching_[c].touches && touching_[c].bounces.count > 0)
      so_far.begun = std::min(so_far.begun, touching_[c].bounces.first);
  if (!is_followed(so_far, flight)) return true;
  for (std::size_t c = 0; c < mode_.closed.size(); ++c) {
    flew_[c] = !mode_.closed[c];
    if (!touching_[c].touches) continue;
    so_far.seen = std::max(so_far.seen, touching_[c].bounces.count);
    if (const double height = chatter_.height(c, flight.lasts); height > 0)
      so_far.blur = std::max(so_far.blur, gap_round_off(c) / height);
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
  double later_before = 0, fastest = chatter_.fastest();
  while (!stop_requested_meanwhile() && is_followed(so_far, flight)) {
    lines_.tell_modes();
    // The ledger tells flights that positions could show. The others are the limit.
    const bool shows = is_shown(flight);
    chatter_.hide(so_far.flights >= fewest && !shows);
    EventLog* told = &log;
    if (chatter_.hides()) told = &unheard;
    if (!bend_flight(so_far.now(), y, flight)) return solve_at(so_far.now(), y.data());
    if (!fly_and_decide(flight, so_far, y, *told, settled)) return false;
    if (shows && flight.contact >= 0) so_far.speed = chatter_.last_strike();
    if (flight.contact >= 0 && flight.contact != so_far.contact)
      so_far.round_off = std::max(so_far.round_off, gap_round_off(static_cast<std::size_t>(flight.contact)));
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
    if (so_far.flights == most_followed || !solve_flight(so_far.now(), y)) return true;
    if (nothing) chatter_.arrive();
    flight = chatter_.next();
    for (std::size_t c = 0; c < flew_.size(); ++c)
      flew_[c] |= static_cast<char>(!mode_.closed[c] && chatter_.bounces(c) && !chatter_.rests(c));
    // Where others go on, those that have lost their speeds have come to a limit of their own.
    if (log.wanted() && so_far.flights > fewest && is_followed(so_far, flight) && is_shown(flight))
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
  chatter_.advance(flight);
  land_with_others();
  advance(flight.lasts, y);
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
    find_stopped(t, y.data());
  }
  if (flight.unit < 0 || !log.wanted()) return decide_now(t, y, {}, log, settled, false);
  // A stop has a line of its own, after those of the impacts before it.
  lines_.flush(y, log);
  const Mode sliding = mode_;
  if (!decide_now(t, y, {}, log, settled, false)) return false;
  const int counted = std::exchange(choice_.consistent, 0);
  lines_.tell({t, {}, sliding, y_impact_, y, lines_.any_kept(), problem_, choice_, unsettled_}, log);
  choice_.consistent = counted;
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
  for (std::size_t c = 0; c < speed.size(); ++c) speed[c] = equations_.gap_velocity(static_cast<int>(c));
  const ImpactOutcome& impact = impact_.strike_together(active_, speed.data());
  if (!impact.found) return true;
  take_velocities(impact, y);
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

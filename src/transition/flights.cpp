// src/transition/flights.cpp
#include "transition/flights.hpp"

#include <algorithm>
#include <cmath>

#include "contact/tolerances.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

Flights::Flights(EventState& at, HeldMotion& motion)
    : at_(at),
      motion_(motion),
      landed_(at.mode),
      slides_(at.system.frictions.size()),
      y_later_(at.system.size()),
      ydot_(at.system.size()),
      displacement_(at.system.slots()),
      no_load_(at.system.slots()),
      of_sequence_(at.system.bodies.size()) {}

double acceleration_along(const System& s, const Row& row, const std::vector<double>& ydot) {
  double sum = -row.gamma, size = std::abs(row.gamma);
  for (std::size_t b = 0; b < 2; ++b) {
    const Body& body = s.bodies[row.body[b]];
    for (int k = 0; k < body.dofs; ++k) {
      const double term = row.J[b][k] * ydot[s.nq + body.dof + k];
      sum += term;
      size += std::abs(term);
    }
  }
  // (Bodies that fall side by side do not approach.)
  return std::abs(sum) > tolerances::zero_force * size ? sum : 0.0;
}

bool Flights::solve_rates(double t, const double* y) {
  if (!motion_.solve(t, y)) return false;
  motion_.rates(ydot_);
  return true;
}

double Flights::acceleration_of_slide(int unit) const {
  const TangentRows rows = at_.equations.motion.tangents(unit);
  double along = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(at_.system.frictions[unit].directions); ++d)
    along += slides_[unit].direction[d] * acceleration_along(at_.system, rows[d], ydot_);
  return along;
}

bool Flights::solve(double t, std::span<const double> y) {
  const System& s = at_.system;
  if (!solve_rates(t, y.data())) return false;
  ydot_start_ = ydot_middle_ = ydot_;
  at_.chatter.forget_stops();
  Row row;
  bool seen = false;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (at_.mode.closed[c]) {
      at_.chatter[c].close();
      continue;
    }
    if (at_.touching[c].touches) {
      at_.chatter[c].set_gap(0);
    } else if (!at_.chatter.follows()) {
      const double gap = s.contacts[c]->open_gap(at_.equations.motion.kinematics());
      const bool in_front =
          !at_.ranges.ranged(c) || (at_.ranges.front(c) && at_.ranges.can_strike(c, at_.before.closed));
      if (in_front && gap > 0) at_.chatter[c].set_gap(gap);
    }
    if (!at_.chatter[c].is_near()) continue;
    row = at_.equations.motion.normal_row(static_cast<int>(c));
    const double acceleration = acceleration_along(at_.system, row, ydot_), blur = at_.instant.zero_speed(row);
    const auto [speed, known_to, own] =
        at_.chatter.known(c, at_.equations.motion.gap_velocity(static_cast<int>(c)), blur);
    // (At the top of its flight it has no speed either.)
    const double square = std::max(speed * speed, -2 * acceleration * at_.chatter[c].gap());
    // (What touches approaches by as much as Touching tells.)
    const double still =
        std::max(at_.chatter[c].known_speed().still(), at_.touching[c].touches ? at_.chatter.still(c) : 0);
    const auto is_more_than = [&](double zero) { return square > std::max(zero, still) * std::max(zero, still); };
    // (What even a sum of round-offs could not show is none, however well it is known.)
    const bool moves = is_more_than(std::max(known_to, tolerances::eps * blur));
    if (moves && (at_.touching[c].touches || at_.chatter[c].rests())) at_.chatter[c].touch();
    // (With what touches at rest the contact problem has been asked: forces have opened it.)
    if (!moves && at_.touching[c].touches && at_.problem.contacts[c].touching) at_.chatter[c].let_go();
    at_.chatter[c].fly(at_.chatter[c].gap(), moves ? speed : 0, acceleration, blur, own, round_off(c));
    if (!at_.chatter[c].bounces() || at_.chatter[c].rests()) continue;
    seen |= is_more_than(blur);
    if (!moves) end(c);
  }
  end_what_others_hold();
  // Where no velocity shows any of it, the sequence has come to its limit. (As long as one does, it strikes what others
  // have left below that: a chatter within a chatter.)
  for (std::size_t c = 0; c < s.contacts.size() && !seen; ++c)
    if (at_.chatter[c].bounces() && !at_.chatter[c].rests()) end(c);
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const int unit = static_cast<int>(u), contact = s.frictions[u].contact;
    Sliding& slides = slides_[u];
    slides.speed = 0;
    if (contact >= 0 && !at_.mode.closed[contact] && !at_.chatter[static_cast<std::size_t>(contact)].bounces())
      continue;
    const double speed = at_.equations.motion.slide_velocities(unit, slides.direction.data());
    if (at_.mode.friction[u].slide != Slide::slip || !(speed > at_.instant.zero_slide(unit))) continue;
    for (double& x : slides.direction) x /= speed;
    slides.speed = speed;
    slides.acceleration = acceleration_of_slide(unit);
    if (slides.acceleration < 0) at_.chatter.slide(unit, -speed / slides.acceleration);
  }
  return true;
}

void Flights::end_what_others_hold() {
  double largest = 0;
  for (std::size_t c = 0; c < at_.mode.closed.size(); ++c)
    if (at_.chatter[c].is_near()) largest = std::max(largest, at_.chatter[c].accelerated());
  for (std::size_t c = 0; c < at_.mode.closed.size(); ++c) {
    const FollowedGap& gap = at_.chatter[c];
    if (!at_.mode.closed[c] && gap.is_near() && gap.bounces() && !gap.rests() && at_.touching[c].touches &&
        gap.accelerated() <= tolerances::held_by_others * largest && is_held_by_others(c))
      end(c);
  }
}

bool Flights::is_held_by_others(std::size_t contact) {
  // A force on it moves it by nothing.
  const System& s = at_.system;
  const Row row = at_.equations.motion.normal_row(static_cast<int>(contact));
  load_.assign(s.slots(), 0.0);
  double alone = 0;
  for (std::size_t b = 0; b < 2; ++b)
    for (int k = 0; k < s.columns; ++k) {
      const auto slot = static_cast<std::size_t>(s.slot(row.body[b], k));
      const double mass = at_.equations.motion.mass()[slot];
      load_[slot] += row.J[b][k];
      if (mass > 0) alone += row.J[b][k] * row.J[b][k] / mass;
    }
  const int rows = at_.equations.rows.count();
  target_.assign(static_cast<std::size_t>(rows), 0.0);
  reaction_.resize(target_.size());
  at_.equations.rows.saddle().solve(load_.data(), target_.data(), displacement_.data(), reaction_.data());
  double moves = 0;
  for (std::size_t b = 0; b < 2; ++b)
    for (int k = 0; k < s.columns; ++k) moves += row.J[b][k] * displacement_[s.slot(row.body[b], k)];
  return std::abs(moves) <= contact::dependent(rows) * alone;
}

void Flights::end(std::size_t contact) {
  // (What has stopped in front of its surface, because something else holds it there, does not strike again.)
  if (at_.chatter[contact].shows())
    at_.chatter[contact].leave();
  else
    at_.chatter.arrive(contact);
}

double Flights::round_off(std::size_t contact) const {
  // (Where a surface is led is as uncertain as t.)
  const Kinematics& k = at_.equations.motion.kinematics();
  const Row row = at_.equations.motion.normal_row(static_cast<int>(contact));
  return tolerances::eps * (at_.system.contacts[contact]->gap_scale(k) + std::abs(row.nu * k.t));
}

bool Flights::chatters(std::size_t contact, const Chatter::Flight& flight) const {
  // (What has flown before this chatter and does not come back next has nothing to do with it.)
  return at_.chatter[contact].is_near() && !at_.mode.closed[contact] &&
         (at_.chatter[contact].bounces() || static_cast<int>(contact) == flight.contact);
}

bool Flights::flies_higher(double t, const Chatter::Flight& flight) const {
  for (std::size_t c = 0; c < at_.mode.closed.size(); ++c) {
    if (!chatters(c, flight) || at_.chatter[c].rests()) continue;
    const double time = at_.chatter[c].returns_after();
    if (!std::isfinite(time)) continue;
    if (!(is_high(c, time) && time > tolerances::magnified * tolerances::eps * std::abs(t))) return false;
  }
  return true;
}

bool Flights::is_high(std::size_t contact, double time) const {
  const double height = at_.chatter[contact].height(time);
  return height > tolerances::magnified * round_off(contact) && height > at_.guards.gap_tolerance(contact);
}

bool Flights::hides_opening(const Chatter::Flight& flight) const {
  double way = flight.lasts * at_.instant.fastest();
  if (flight.contact >= 0) way = std::max(way, at_.chatter[static_cast<std::size_t>(flight.contact)].gap());
  if (way > tolerances::short_flight * at_.system.length) return false;
  for (std::size_t c = 0; c < at_.mode.closed.size(); ++c)
    if (chatters(c, flight) && at_.chatter[c].rests() && at_.chatter[c].height(flight.lasts) > 0 &&
        !is_high(c, flight.lasts))
      return true;
  return false;
}

void Flights::land_with_others() {
  const System& s = at_.system;
  bool any = false;
  for (std::size_t c = 0; c < at_.mode.closed.size(); ++c) {
    const bool near = at_.chatter[c].is_near(), touches = at_.mode.closed[c] || (near && at_.chatter[c].touches());
    const bool may = near && !touches && at_.chatter[c].gap() <= tolerances::zero_gap / tolerances::eps * round_off(c);
    landed_.closed[c] = touches ? 1 : may ? unloaded : 0;
    any |= may;
  }
  if (!any) return;
  landed_.friction.assign(at_.mode.friction.size(), FrictionMode{});
  if (at_.equations.rows.take(landed_) == 0 || !at_.equations.rows.factor()) return;
  // The displacement that opens the others so far opens what depends on them.
  target_.assign(static_cast<std::size_t>(at_.equations.rows.count()), 0.0);
  reaction_.resize(target_.size());
  for (std::size_t c = 0; c < at_.mode.closed.size(); ++c)
    if (landed_.closed[c] == unloaded)
      target_[at_.equations.rows.of_contact(static_cast<int>(c))] = at_.chatter[c].gap();
  at_.equations.rows.saddle().solve(no_load_.data(), target_.data(), displacement_.data(), reaction_.data());
  for (std::size_t c = 0; c < at_.mode.closed.size(); ++c) {
    const int i = at_.equations.rows.of_contact(static_cast<int>(c));
    if (landed_.closed[c] != unloaded || !at_.equations.rows.saddle().is_redundant(i)) continue;
    double gap = 0, terms = 0;
    for (std::size_t b = 0; b < 2; ++b)
      for (int k = 0; k < s.columns; ++k) {
        const double term = at_.equations.rows[i].J[b][k] * displacement_[s.slot(at_.equations.rows[i].body[b], k)];
        gap += term;
        terms += std::abs(term);
      }
    // (Lifted, what depends on them only nearly would gain the energy of that height.)
    at_.chatter[c].set_gap(gap > tolerances::zero_gap * terms ? std::min(gap, at_.chatter[c].gap()) : 0.0);
  }
}

void Flights::go_on(double time, std::span<double> y) {
  // With the rates at the beginning, the mean ones in ydot_, and those in the middle.
  const System& s = at_.system;
  displacement_.assign(s.slots(), 0.0);
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int k = 0; k < s.bodies[b].dofs; ++k) {
      const auto v = static_cast<std::size_t>(s.nq + s.bodies[b].dof + k);
      displacement_[s.slot(b, k)] = time * (y[v] + time * (ydot_start_[v] + 2 * ydot_middle_[v]) / 6);
      y[v] += time * ydot_[v];
    }
  s.displace(displacement_.data(), 1.0, y.data());
  for (auto i = static_cast<std::size_t>(s.nq + s.nv); i < s.size(); ++i) y[i] += time * ydot_[i];
}

bool Flights::shows(const Chatter::Flight& flight, std::size_t contact) const {
  return chatters(contact, flight) && at_.chatter[contact].height(flight.lasts) > round_off(contact);
}

bool Flights::is_shown(const Chatter::Flight& flight) const {
  for (std::size_t c = 0; c < at_.mode.closed.size(); ++c)
    if (shows(flight, c)) return true;
  return false;
}

bool Flights::bend(double t, std::span<const double> y, Chatter::Flight& flight) {
  if (!flight.ends() || !(flight.lasts > 0)) return true;
  Row row;
  const auto each = [&](const auto& use) {
    for (std::size_t c = 0; c < at_.mode.closed.size(); ++c) {
      if (at_.mode.closed[c] || !at_.chatter[c].is_near()) continue;
      row = at_.equations.motion.normal_row(static_cast<int>(c));
      use(c, acceleration_along(at_.system, row, ydot_));
    }
  };
  const auto solve_after = [&](double time) {
    std::copy(y.begin(), y.end(), y_later_.begin());
    go_on(time, y_later_);
    return solve_rates(t + time, y_later_.data());
  };
  // (It is late by more than an impact that is looked for on a gap with its round-off.)
  const auto shows = [&](std::size_t c, double change) {
    if (!chatters(c, flight)) return false;
    const double late = round_off(c) / std::abs(at_.chatter[c].speed()) + tolerances::eps * std::abs(t);
    return at_.chatter[c].part(change, flight.lasts) * flight.lasts > late;
  };
  if (!solve_after(flight.lasts)) return false;
  bool changes = false;
  each([&](std::size_t c, double later) {
    changes |= shows(c, at_.chatter[c].change(later));
    at_.chatter[c].bend(later);
  });
  at_.chatter.forget_stops();
  for (std::size_t u = 0; u < slides_.size(); ++u) {
    if (slides_[u].speed == 0) continue;
    const int unit = static_cast<int>(u);
    const double mean = 0.5 * (slides_[u].acceleration + acceleration_of_slide(unit));
    if (mean < 0) at_.chatter.slide(unit, -slides_[u].speed / mean);
  }
  // (Others fly along, and roll or fall meanwhile.)
  const System& s = at_.system;
  const bool lasts = flight.lasts > tolerances::magnified * tolerances::eps * std::abs(t);
  double fastest = 0, change = 0;
  if (lasts) find_sequence(flight);
  for (std::size_t b = 0; b < s.bodies.size() && lasts; ++b) {
    if (of_sequence_[b]) continue;
    for (int k = 0; k < s.bodies[b].dofs; ++k) {
      const auto v = static_cast<std::size_t>(s.nq + s.bodies[b].dof + k);
      fastest = std::max(fastest, std::abs(y[v]));
      change = std::max(change, std::abs(ydot_[v] - ydot_start_[v]));
    }
  }
  if (change * flight.lasts > tolerances::most_bent * fastest) return false;
  const bool far = change * flight.lasts > fastest * (at_.rtol > 0 ? at_.rtol : tolerances::penetration);
  for (std::size_t i = 0; i < ydot_.size(); ++i) ydot_[i] = 0.5 * (ydot_start_[i] + ydot_[i]);
  ydot_middle_ = ydot_;
  if (changes) {  // Are they linear?
    ydot_mean_ = ydot_;
    if (!solve_after(0.5 * flight.lasts)) return false;
    bool bends = false;
    each([&](std::size_t c, double half_way) { bends |= shows(c, at_.chatter[c].change_from_line(half_way)); });
    if (bends) return false;
    ydot_ = ydot_mean_;
  }
  flight = at_.chatter.next();
  if (flight.unit >= 0) meet_stop(t, y, flight);
  if (far && !solve_stages(t, y, flight)) return false;
  return !lasts || !passes_event(t, y, flight);
}

bool Flights::passes_event(double t, std::span<const double> y, const Chatter::Flight& flight) {
  // (Of the sequence itself gaps and stops tell, and each impact decides it anew. What was beside its stretch has no
  // number there and may come into it: a corner that passes a corner.)
  const System& s = at_.system;
  const auto is_own = [&](const WatchRef& ref) {
    std::array<int, 2> bodies{};
    switch (ref.what) {
      case Watch::user:
      case Watch::branch:
      case Watch::branch_upper:
        return false;
      case Watch::gap:
        return at_.chatter[ref.index].is_near();
      case Watch::slide_stops:
      case Watch::room:
        return true;
      case Watch::normal_force:
      case Watch::range:
      case Watch::flush:
        bodies = s.contacts[ref.index]->bodies();
        break;
      default:
        bodies = s.bodies_of(s.frictions[ref.index]);
    }
    return of_sequence_[static_cast<std::size_t>(bodies[0])] || of_sequence_[static_cast<std::size_t>(bodies[1])];
  };
  find_sequence(flight);
  watched_.clear();
  for (std::size_t i = 0; i < at_.guards.count(); ++i)
    if (at_.guards.info(i).enabled && !is_own(at_.guards.ref(i))) watched_.push_back(i);
  if (watched_.empty()) return false;
  const auto values = [&](double when, std::span<const double> state, std::vector<double>& g) {
    g.resize(watched_.size());
    return at_.guards.values(at_.equations, at_.mode, when, state, watched_, g);
  };
  std::copy(y.begin(), y.end(), y_later_.begin());
  go_on(flight.lasts, y_later_);
  bool passes = !values(t, y, guards_before_) || !values(t + flight.lasts, y_later_, guards_after_);
  for (std::size_t i = 0; i < watched_.size() && !passes; ++i) {
    const double before = guards_before_[i], after = guards_after_[i], zero = at_.guards.info(watched_[i]).g_tol;
    passes = std::abs(before) > zero && std::abs(after) > zero && (before > 0) != (after > 0);
  }
  return passes;
}

bool Flights::solve_stages(double t, std::span<const double> y, const Chatter::Flight& flight) {
  // The method of Runge, Kutta and Nystrom of order 4 (Hairer, Norsett & Wanner 1993, II.14).
  const auto stage = [&](double after) {
    std::copy(y.begin(), y.end(), y_later_.begin());
    go_on(after, y_later_);
    return solve_rates(t + after, y_later_.data());
  };
  const double time = flight.lasts;
  ydot_linear_ = ydot_;
  ydot_ = ydot_middle_ = ydot_start_;
  if (!stage(0.5 * time)) return false;
  ydot_mean_ = ydot_;  // (of the second stage; the third is in ydot_middle_)
  if (!stage(0.5 * time)) return false;
  ydot_middle_ = ydot_;
  if (!stage(time)) return false;
  for (std::size_t i = 0; i < ydot_.size(); ++i) {
    ydot_middle_[i] = 0.5 * (ydot_mean_[i] + ydot_middle_[i]);
    ydot_[i] = (ydot_start_[i] + 4 * ydot_middle_[i] + ydot_[i]) / 6;
  }
  // Bodies of the sequence go as the numbers of their gaps do.
  const System& s = at_.system;
  find_sequence(flight);
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    if (!of_sequence_[b]) continue;
    for (int k = 0; k < s.bodies[b].dofs; ++k) {
      const auto v = static_cast<std::size_t>(s.nq + s.bodies[b].dof + k);
      ydot_[v] = ydot_middle_[v] = ydot_linear_[v];
    }
  }
  return true;
}

void Flights::find_sequence(const Chatter::Flight& flight) {
  const math::Islands& islands = at_.equations.rows.islands();
  std::vector<char>& in = of_sequence_;
  std::fill(in.begin(), in.end(), 0);
  for (std::size_t c = 0; c < at_.mode.closed.size(); ++c) {
    if (!chatters(c, flight)) continue;
    for (const int chattering : at_.system.contacts[c]->bodies())
      if (const int island = islands.of(chattering); island >= 0 && !in[static_cast<std::size_t>(chattering)])
        for (std::size_t b = 0; b < in.size(); ++b)
          if (islands.of(static_cast<int>(b)) == island) in[b] = 1;
  }
}

void Flights::meet_stop(double t, std::span<const double> y, Chatter::Flight& flight) {
  // (The direction of a row turns during a flight: of the speed there is a part left, of second order in its time.)
  std::copy(y.begin(), y.end(), y_later_.begin());
  go_on(flight.lasts, y_later_);
  const double end = t + flight.lasts;
  if (!at_.restart.positions(at_.mode, end, y_later_.data(), 8) ||
      !at_.restart.velocities(at_.mode, end, y_later_.data()))
    return;
  at_.equations.motion.evaluate(end, y_later_.data());
  std::array<double, most_directions> gamma{};
  at_.equations.motion.slide_velocities(flight.unit, gamma.data());
  const Sliding& slides = slides_[flight.unit];
  double left = 0;
  for (std::size_t d = 0; d < gamma.size(); ++d) left += slides.direction[d] * gamma[d];
  // (As much as there was is the round-off of those two restarts: a slide that it keeps would stop for ever.)
  if (std::abs(left) < 0.5 * slides.speed) flight.lasts += left / slides.speed * flight.lasts;
}

bool Flights::are_followed(const Followed& so_far, const Chatter::Flight& flight, double t_end) const {
  if (!flight.ends() || so_far.now() + flight.lasts >= t_end) return false;
  return flight.lasts <= tolerances::brief * (so_far.now() - so_far.begun) || !flies_higher(so_far.now(), flight) ||
         hides_opening(flight);
}

void Flights::advance(const Chatter::Flight& flight, std::span<double> y) {
  at_.chatter.advance(flight);
  land_with_others();
  go_on(flight.lasts, y);
}

}  // namespace hstar

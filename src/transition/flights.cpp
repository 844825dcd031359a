// src/transition/flights.cpp
#include "transition/flights.hpp"

#include <algorithm>
#include <cmath>

#include "contact/tolerances.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

Flights::Flights(ModeEquations& equations, ConsistentRestart& restart, HeldMotion& motion, Chatter& chatter,
                 const Touching& touching, const ContactRanges& ranges, const Instant& instant,
                 const MechanismGuards& guards, const Mode& mode)
    : system_(equations.system()),
      equations_(equations),
      restart_(restart),
      motion_(motion),
      chatter_(chatter),
      touching_(touching),
      ranges_(ranges),
      instant_(instant),
      guards_(guards),
      mode_(mode),
      slides_(system_.frictions.size()),
      y_later_(system_.size()),
      ydot_(system_.size()),
      displacement_(system_.slots()),
      no_load_(system_.slots()) {
  landed_.closed.resize(system_.contacts.size());
  landed_.friction.resize(system_.frictions.size());
}

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
  std::array<Row, most_directions> rows;
  equations_.motion.tangent_rows(unit, rows.data());
  double along = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(system_.frictions[unit].directions); ++d)
    along += slides_[unit].direction[d] * acceleration_along(system_, rows[d], ydot_);
  return along;
}

bool Flights::solve(double t, std::span<const double> y, const std::vector<char>& closed_before) {
  const System& s = system_;
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
      const double gap = s.contacts[c]->open_gap(equations_.motion.kinematics());
      const bool in_front = !ranges_.ranged(c) || (ranges_.front(c) && ranges_.can_strike(c, closed_before));
      if (in_front && gap > 0) chatter_.fly(c, gap, 0, 0);
    }
    if (!chatter_.is_near(c)) continue;
    equations_.motion.normal_row(static_cast<int>(c), row);
    const double speed = equations_.motion.gap_velocity(static_cast<int>(c)),
                 acceleration = acceleration_along(system_, row, ydot_), blur = instant_.zero_speed(row),
                 zero = std::max(blur, chatter_.still());
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
    if (chatter_.gap(c) > round_off(c))
      chatter_.leave(c);
    else
      chatter_.arrive(c);
  }
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const int unit = static_cast<int>(u), contact = s.frictions[u].contact;
    Sliding& slides = slides_[u];
    slides.speed = 0;
    if (contact >= 0 && !mode_.closed[contact] && !chatter_.bounces(static_cast<std::size_t>(contact))) continue;
    const double speed = equations_.motion.slide_velocities(unit, slides.direction.data());
    if (!s.frictions[u].turns) fastest = std::max(fastest, speed);
    if (mode_.friction[u].slide != Slide::slip || !(speed > instant_.zero_slide(unit))) continue;
    for (double& x : slides.direction) x /= speed;
    slides.speed = speed;
    slides.acceleration = acceleration_of_slide(unit);
    if (slides.acceleration < 0) chatter_.slide(unit, -speed / slides.acceleration);
  }
  chatter_.set_still(std::max(still, contact::clear * fastest));
  return true;
}

double Flights::round_off(std::size_t contact) const {
  // (Where a surface is led is as uncertain as t.)
  const Kinematics& k = equations_.motion.kinematics();
  Row row;
  equations_.motion.normal_row(static_cast<int>(contact), row);
  return tolerances::eps * (system_.contacts[contact]->length_scale(k) + std::abs(row.nu * k.t));
}

bool Flights::chatters(std::size_t contact, const Chatter::Flight& flight) const {
  // (What has flown before this chatter and does not come back next has nothing to do with it.)
  return chatter_.is_near(contact) && !mode_.closed[contact] &&
         (chatter_.bounces(contact) || static_cast<int>(contact) == flight.contact);
}

bool Flights::flies_higher(double t, const Chatter::Flight& flight) const {
  for (std::size_t c = 0; c < mode_.closed.size(); ++c) {
    if (!chatters(c, flight) || chatter_.rests(c)) continue;
    const double time = chatter_.returns_after(c);
    if (!std::isfinite(time)) continue;
    const double height = chatter_.height(c, time);
    if (!(height > tolerances::magnified * round_off(c) && height > guards_.gap_tolerance(c) &&
          time > tolerances::magnified * tolerances::eps * std::abs(t)))
      return false;
  }
  return true;
}

void Flights::land_with_others() {
  const System& s = system_;
  bool any = false;
  for (std::size_t c = 0; c < mode_.closed.size(); ++c) {
    const bool near = chatter_.is_near(c), touches = mode_.closed[c] || (near && chatter_.touches(c));
    const bool may = near && !touches && chatter_.gap(c) <= tolerances::zero_gap / tolerances::eps * round_off(c);
    landed_.closed[c] = touches ? 1 : may ? unloaded : 0;
    any |= may;
  }
  if (!any) return;
  landed_.friction.assign(mode_.friction.size(), FrictionMode{});
  if (equations_.rows.take(landed_) == 0 || !equations_.rows.factor()) return;
  // The displacement that opens the others so far opens what depends on them.
  target_.assign(static_cast<std::size_t>(equations_.rows.count()), 0.0);
  reaction_.resize(target_.size());
  for (std::size_t c = 0; c < mode_.closed.size(); ++c)
    if (landed_.closed[c] == unloaded) target_[equations_.rows.of_contact(static_cast<int>(c))] = chatter_.gap(c);
  equations_.rows.saddle().solve(no_load_.data(), target_.data(), displacement_.data(), reaction_.data());
  for (std::size_t c = 0; c < mode_.closed.size(); ++c) {
    const int i = equations_.rows.of_contact(static_cast<int>(c));
    if (landed_.closed[c] != unloaded || !equations_.rows.saddle().is_redundant(i)) continue;
    double gap = 0, terms = 0;
    for (std::size_t b = 0; b < 2; ++b)
      for (int k = 0; k < s.columns; ++k) {
        const double term = equations_.rows[i].J[b][k] * displacement_[s.slot(equations_.rows[i].body[b], k)];
        gap += term;
        terms += std::abs(term);
      }
    chatter_.set_gap(c, gap > tolerances::zero_gap * terms ? gap : 0.0);
  }
}

void Flights::go_on(double time, std::span<double> y) {
  // With the rates at the beginning and, in ydot_, those of the middle.
  const System& s = system_;
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

bool Flights::is_shown(const Chatter::Flight& flight) const {
  for (std::size_t c = 0; c < mode_.closed.size(); ++c)
    if (chatters(c, flight) && chatter_.height(c, flight.lasts) > round_off(c)) return true;
  return false;
}

bool Flights::bend(double t, std::span<const double> y, Chatter::Flight& flight) {
  if (!flight.ends() || !(flight.lasts > 0)) return true;
  Row row;
  const auto each = [&](const auto& use) {
    for (std::size_t c = 0; c < mode_.closed.size(); ++c) {
      if (mode_.closed[c] || !chatter_.is_near(c)) continue;
      equations_.motion.normal_row(static_cast<int>(c), row);
      use(c, acceleration_along(system_, row, ydot_));
    }
  };
  const auto solve_after = [&](double time) {
    std::copy(y.begin(), y.end(), y_later_.begin());
    go_on(time, y_later_);
    return solve_rates(t + time, y_later_.data());
  };
  const auto shows = [&](std::size_t c, double change) {
    return chatters(c, flight) && chatter_.part(c, change, flight.lasts) * flight.lasts >
                                      chatter_.late(c, round_off(c)) + tolerances::eps * std::abs(t);
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
  if (flight.unit >= 0) meet_stop(t, y, flight);
  return true;
}

void Flights::meet_stop(double t, std::span<const double> y, Chatter::Flight& flight) {
  // (The direction of a row turns during a flight: of the speed there is a part left, of second order in its time.)
  std::copy(y.begin(), y.end(), y_later_.begin());
  go_on(flight.lasts, y_later_);
  const double end = t + flight.lasts;
  if (!restart_.positions(mode_, end, y_later_.data(), 8) || !restart_.velocities(mode_, end, y_later_.data())) return;
  equations_.motion.evaluate(end, y_later_.data());
  std::array<double, most_directions> gamma{};
  equations_.motion.slide_velocities(flight.unit, gamma.data());
  const Sliding& slides = slides_[flight.unit];
  double left = 0;
  for (std::size_t d = 0; d < gamma.size(); ++d) left += slides.direction[d] * gamma[d];
  flight.lasts += left / slides.speed * flight.lasts;
}

bool Flights::are_followed(const Followed& so_far, const Chatter::Flight& flight, double t_end) const {
  if (!flight.ends() || so_far.now() + flight.lasts >= t_end) return false;
  return flight.lasts <= tolerances::brief * (so_far.now() - so_far.begun) || !flies_higher(so_far.now(), flight);
}

void Flights::advance(const Chatter::Flight& flight, std::span<double> y) {
  chatter_.advance(flight);
  land_with_others();
  go_on(flight.lasts, y);
}

}  // namespace hstar

// src/transition/jams.cpp
#include "transition/jams.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/tolerances.hpp"
#include "mechanism/short_number.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {

/// Of what is asked for by velocity, rotations at the length of the system.
template <class Of>
double largest(const ModeEquations& equations, const Of& of) {
  double size = 0;
  for (const Freedom& f : equations.motion.freedoms()) size = std::max(size, std::abs(of(f)) * f.arm);
  return size;
}

/// A quantity that is linear in the moment of the push, at its beginning: from that at the whole and at the half of it.
void at_zero(std::vector<double>& half, const std::vector<double>& all) {
  for (std::size_t i = 0; i < half.size(); ++i) half[i] = 2 * half[i] - all[i];
}

/// Its force has left it, and it falls back at once.
bool falls_back(const ContactKnowledge& contact) { return contact.lifting && contact.returned; }

/// The same contacts carry impulses, the same units stick, and what slides does so in the same direction: between two
/// such answers impulses are linear in the push. (Just where a force has gone to zero there are two answers, forces
/// that hold and a jam, and round-off tells which of them a push meets.)
bool same_mode(const ImpactOutcome& a, const ImpactOutcome& b, const System& s) {
  double least = 0;
  for (const ImpactOutcome* x : {&a, &b})
    for (const double impulse : x->impulse_n) least = std::max(least, contact::round_off * impulse);
  for (std::size_t c = 0; c < a.impulse_n.size(); ++c)
    if ((a.impulse_n[c] > least) != (b.impulse_n[c] > least)) return false;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const int contact = s.frictions[u].contact;
    if (contact >= 0 && !(a.impulse_n[contact] > least)) continue;
    double along = 0;
    for (std::size_t d = 0; d < most_directions; ++d) along += a.impulse_unit[u][d] * b.impulse_unit[u][d];
    if (a.stuck_unit[u] != b.stuck_unit[u] || (!a.stuck_unit[u] && along < 0)) return false;
  }
  return true;
}

}  // namespace

Jams::Jams(EventState& at)
    : at_(at),
      free_(at.mode),
      active_(at.system.contacts.size()),
      stops_(at.system.frictions.size()),
      y_before_(at.system.size()),
      y_later_(at.system.size()),
      ydot_(at.system.size()),
      q_dot_(static_cast<std::size_t>(at.system.nq)) {}

bool Jams::solve_free(double t, std::span<const double> y) {
  at_.equations.evaluate(t, y.data());
  at_.equations.rows.take(free_);
  if (!at_.equations.solve(free_)) return false;
  at_.equations.store_rates(y.data(), ydot_.data());
  at_.system.coordinate_rates(y.data(), q_dot_.data());
  std::copy(q_dot_.begin(), q_dot_.end(), ydot_.begin());
  return true;
}

ImpactOutcome Jams::strike_after(const Push& push, double t, std::span<const double> y, const Mode& asked) {
  std::copy(y.begin(), y.end(), y_later_.begin());
  for (auto i = static_cast<std::size_t>(at_.system.nq + at_.system.nv); i-- > 0;)
    y_later_[i] += push.moment * ydot_[i];
  at_.equations.evaluate(t + push.moment, y_later_.data());
  std::vector<double>& speed = at_.touching.gap_velocity();
  for (std::size_t c = 0; c < speed.size(); ++c)
    speed[c] = at_.equations.motion.gap_velocity(static_cast<int>(c)) -
               (falls_back(at_.problem.contacts[c]) ? push.fall : 0.0);
  const ImpactOutcome& impact = at_.impulses.solver().strike_together(active_, speed.data());
  for (std::size_t u = 0; u < stops_.size(); ++u)
    stops_[u] = stops_[u] &&
                (impact.stuck_unit[u] || slide_after(impact, static_cast<int>(u), asked.friction[u].direction) <= 0);
  return impact;
}

double Jams::slide_after(const ImpactOutcome& impact, int unit, int direction) const {
  const System& s = at_.system;
  const TangentRows rows = at_.equations.motion.tangents(unit);
  const int directions = s.frictions[unit].directions;
  double along = 0;
  for (int d = 0; d < directions; ++d) {
    double speed = -rows[d].nu;
    for (std::size_t b = 0; b < 2; ++b)
      for (int k = 0; k < s.bodies[rows[d].body[b]].dofs; ++k)
        speed += rows[d].J[b][k] * impact.v_plus[s.slot(rows[d].body[b], k)];
    along += speed * (directions == 1 ? direction : at_.equations.motion.reference(unit).direction[d]);
  }
  return along;
}

ImpactOutcome Jams::jam_together(double t, std::span<const double> y, const Mode& asked) {
  // Time stepping has the answer (Stewart & Trinkle 1996; Stewart 2000): forces push for a moment h, and impulses keep
  // the contacts closed. As h goes to zero the impulses do not, where no forces could. They are linear in h while the
  // mode of the impact is the same, so that two moments tell what is left at h = 0. What slides so slowly that even
  // such a moment stops or turns it has stopped.
  // (Where one that its force leaves falls back at once, that force is zero still: no moment is short enough for the
  // impulses and long enough to tell that it is less than nothing by then. The speed of its fall, which goes to zero
  // with the moment, tells, where it is clear to the solver.)
  const System& s = at_.system;
  if (!solve_free(t, y)) return {};
  const double acceleration = largest(at_.equations, [&](const Freedom& f) { return ydot_[s.nq + f.velocity]; });
  if (!(acceleration > 0)) return {};
  for (std::size_t c = 0; c < active_.size(); ++c) active_[c] = at_.mode.closed[c] != 0;
  const bool returns = std::any_of(at_.problem.contacts.begin(), at_.problem.contacts.end(), falls_back);
  for (const double push : tolerances::pushes) {
    if (returns && !(push > contact::clear)) continue;
    const double speed = push * at_.instant.fastest(), moment = speed / acceleration;
    for (std::size_t u = 0; u < stops_.size(); ++u)
      stops_[u] = asked.friction[u].slide == Slide::slip && !at_.problem.units[u].at_zero;
    const ImpactOutcome whole = strike_after({moment, speed}, t, y, asked);
    ImpactOutcome jam = strike_after({0.5 * moment, 0.5 * speed}, t, y, asked);
    at_.equations.evaluate(t, y.data());
    if (!jam.found || !whole.found || !same_mode(jam, whole, s)) continue;
    at_zero(jam.impulse_n, whole.impulse_n);
    at_zero(jam.v_plus, whole.v_plus);
    at_zero(jam.reaction, whole.reaction);
    for (std::size_t u = 0; u < jam.impulse_unit.size(); ++u)
      for (std::size_t d = 0; d < most_directions; ++d)
        jam.impulse_unit[u][d] = 2 * jam.impulse_unit[u][d] - whole.impulse_unit[u][d];
    jam.sequence = "of several contacts at once";
    // (What does not last is what the push alone has made. Outside a cone a mode of its own lies between: what has
    // stopped in it has stopped.)
    const auto change = [&](const Freedom& f) { return jam.v_plus[f.slot] - y[s.nq + f.velocity]; };
    if (largest(at_.equations, change) > speed && in_cones(jam)) return jam;
    // (One at a time: where the slowest has stopped the others may slide on.)
    int slowest = -1;
    double slow = std::numeric_limits<double>::infinity();
    for (std::size_t u = 0; u < stops_.size(); ++u) {
      const int unit = static_cast<int>(u);
      const double slide = at_.equations.motion.slide_speed(unit) / at_.instant.zero_slide(unit);
      if (!stops_[u] || slide >= slow) continue;
      slowest = unit;
      slow = slide;
    }
    if (slowest < 0) continue;
    at_.stuck_in_impact[slowest] = 1;
    jam.sequence.clear();
    return jam;
  }
  return {};
}

bool Jams::in_cones(const ImpactOutcome& impact) const {
  double size = 0, largest_momentum = 0;
  for (const double normal : impact.impulse_n) size = std::max(size, std::abs(normal));
  std::vector<double> momentum(at_.system.slots());
  at_.equations.motion.momentum(momentum.data());
  for (const double p : momentum) largest_momentum = std::max(largest_momentum, std::abs(p));
  const double excess = excess_of(at_.equations, impact, at_.impulses.solver());
  return part_outside_cones(excess, size, largest_momentum) <= tolerances::books;
}

Jams::Outcome Jams::jam(const EventCall& call, int contact, const Mode& asked) {
  const System& s = at_.system;
  const auto& [t, y, log, settled] = call;
  const bool together = contact < 0;
  std::copy(y.begin(), y.end(), y_before_.begin());
  at_.equations.evaluate(t, y.data());
  const ImpactOutcome impact = together ? jam_together(t, y, asked) : at_.impulses.solver().jam(contact);
  if (!impact.found) {
    std::string why;
    if (!together)
      why = "at t = " + short_number(t, 9) + " s no mode is consistent, and contact \"" + s.contacts[contact]->name +
            "\" cannot jam: " + impact.why;
    settled.fail(RunStatus::no_consistent_mode, std::move(why));
    return Outcome::none;
  }
  if (together && impact.sequence.empty()) return Outcome::stops;
  const double energy_loss = at_.impulses.take(impact, y);
  if (together)
    contact =
        static_cast<int>(std::max_element(impact.impulse_n.begin(), impact.impulse_n.end()) - impact.impulse_n.begin());
  at_.impulses.tell_stuck(impact, at_.stuck_in_impact);
  at_.equations.motion.evaluate(t, y.data());
  if (log.wanted()) tell(call, impact, contact, energy_loss);
  at_.impacted = true;
  // Contacts that the impulse drives apart or together are decided by the impacts that follow at this instant. What a
  // jam of several has closed or stopped is so but for what its two pushes leave.
  for (std::size_t k = 0; k < s.contacts.size(); ++k) {
    if (!at_.mode.closed[k] || (together && impact.closed[k])) continue;
    const Row row = at_.equations.motion.normal_row(static_cast<int>(k));
    if (std::abs(at_.equations.motion.free_speed(row)) > at_.instant.zero_speed(row)) at_.mode.closed[k] = 0;
  }
  if (together)
    at_.impulses.hold_closed(t, y, at_.mode, at_.stuck_in_impact,
                             contact::path_end * std::max(impact.size, at_.instant.fastest()));
  std::fill(at_.mode.friction.begin(), at_.mode.friction.end(), FrictionMode{});
  for (ContactKnowledge& c : at_.problem.contacts) c.lifting = c.let_go = c.returned = false;  // (forces are others)
  return Outcome::impulse;
}

void Jams::tell(const EventCall& call, const ImpactOutcome& impact, int contact, double energy_loss) {
  const auto c = static_cast<std::size_t>(contact);
  EventRecord r = at_.lines.line(call.t, nullptr, "jam", at_.system.contacts[c]->name, y_before_, call.y);
  r.impulse_n = impact.impulse_n[c];
  r.impulse_t = impact.impulse_t[c];
  r.energy_loss = energy_loss;
  r.note = "no mode is consistent: tangential impact without collision, " + impact.sequence;
  r.mode_before = contact_mode_text(at_.system, at_.before, contact);
  r.gap_velocity_after = at_.equations.motion.gap_velocity(contact);
  at_.lines.keep(std::move(r), contact);
}

}  // namespace hstar

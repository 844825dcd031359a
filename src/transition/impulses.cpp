// src/transition/impulses.cpp
#include "transition/impulses.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism/short_number.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

Impulses::Impulses(ModeEquations& equations, ConsistentRestart& restart, Instant& instant, Books& books,
                   Chatter& chatter, const ImpactOptions& options)
    : system_(equations.system()),
      equations_(equations),
      restart_(restart),
      instant_(instant),
      books_(books),
      chatter_(chatter),
      solver_(equations, options),
      slide_before_(system_.frictions.size()),
      y_before_(system_.size()),
      jumps_(system_.slots()) {
  for (const auto& contact : system_.contacts) restitution_.push_back(contact->restitution);
  rows_.closed.resize(system_.contacts.size());
  rows_.friction.resize(system_.frictions.size());
}

const ImpactOutcome& Impulses::strike(const std::vector<char>& active, const std::vector<double>& gap_velocity,
                                      std::span<const char> driven) {
  for (std::size_t u = 0; u < system_.frictions.size(); ++u)
    if (const int c = system_.frictions[u].contact; c < 0 || active[c])
      equations_.motion.slide_velocities(static_cast<int>(u), slide_before_[u].data());
  return solver_.solve(active, gap_velocity.data(), restitution_.data(), driven);
}

void Impulses::tell_stuck(const ImpactOutcome& impact, std::vector<char>& stuck) const {
  for (std::size_t u = 0; u < system_.frictions.size(); ++u) {
    const FrictionUnit& unit = system_.frictions[u];
    const bool slides = unit.contact >= 0 && unit.part == FrictionPart::sliding;
    stuck[u] = slides ? impact.sticks[unit.contact] : impact.stuck_unit[u];
  }
}

double Impulses::take(const ImpactOutcome& impact, std::span<double> y) {
  const System& s = system_;
  books_.book(impact, solver_);
  double energy_loss = 0;
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) {
      const auto at = static_cast<std::size_t>(s.nq + s.bodies[b].dof + c);
      const double plus = impact.v_plus[s.slot(b, c)], mass = equations_.motion.mass()[s.slot(b, c)];
      energy_loss -= 0.5 * mass * (plus - y[at]) * (plus + y[at]);
      y[at] = plus;
    }
  books_.book_loss(energy_loss);
  instant_.jump(impact.jumps);
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (!(impact.impulse_n[c] > 0)) continue;
    const Row row = equations_.motion.normal_row(static_cast<int>(c));
    const double speed = equations_.motion.free_speed(row);
    if (!chatter_.known(c, speed, instant_.zero_speed(row)).own) instant_.strike(row);
  }
  for (std::size_t c = 0; c < s.contacts.size() && chatter_.follows(); ++c) {
    if (!chatter_[c].is_near()) continue;
    const auto change = solver_.change_along(equations_.motion.normal_row(static_cast<int>(c)));
    chatter_.jump(c, change.value, change.size, change.rough);
  }
  return energy_loss;
}

std::string Impulses::friction_text(const ImpactOutcome& impact, std::size_t contact) const {
  if (!system_.is_spatial() || !(impact.impulse_t[contact] > 0)) return {};
  std::string text;
  for (const double x : impact.friction_impulse[contact]) text += (text.empty() ? "" : ", ") + short_number(x);
  return "; friction impulse (" + text + ") N s" + (impact.sequence.empty() ? "" : "; " + impact.sequence);
}

double Impulses::gained_energy(const ImpactOutcome& impact, const std::vector<char>& active,
                               const std::vector<double>& gap_velocity) const {
  // The work of the impulses on the relative velocities at the contacts: what a moving table or a driver does is not
  // the law's. More than round-off of the terms counts.
  const System& s = system_;
  double work = 0, size = 0;
  const auto add = [&](double impulse, double before, double after) {
    work += 0.5 * impulse * (before + after);
    size += std::abs(impulse) * (std::abs(before) + std::abs(after));
  };
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (!active[c]) continue;
    const int contact = static_cast<int>(c);
    const double blur = chatter_.follows() ? instant_.zero_speed(equations_.motion.normal_row(contact)) : 0;
    add(impact.impulse_n[c], gap_velocity[c], chatter_.known(c, equations_.motion.gap_velocity(contact), blur).speed);
  }
  std::array<double, most_directions> after{};
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const auto& impulse = impact.impulse_unit[u];
    if (impulse == std::array<double, most_directions>{}) continue;
    equations_.motion.slide_velocities(static_cast<int>(u), after.data());
    for (std::size_t d = 0; d < static_cast<std::size_t>(s.frictions[u].directions); ++d)
      add(impulse[d], slide_before_[u][d], after[d]);
  }
  return work > tolerances::no_work * size ? work : 0.0;
}

bool Impulses::hold_closed(double t, std::span<double> y, const Mode& mode, std::vector<char>& stuck, double most) {
  const System& s = system_;
  std::copy(y.begin(), y.end(), y_before_.begin());
  rows_.closed = mode.closed;
  equations_.motion.evaluate(t, y.data());
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    rows_.friction[u] = FrictionMode{};
    if (unit.contact >= 0 && !mode.closed[unit.contact]) continue;
    const int index = static_cast<int>(u);
    const double speed = equations_.motion.sliding(index);
    if (unit.contact >= 0) stuck[u] |= static_cast<char>(std::abs(speed) <= instant_.zero_slide(index));
    if (stuck[u]) rows_.friction[u].slide = Slide::stick;
  }
  if (!restart_.velocities(rows_, t, y.data(), most) || !books_.book_restart(restart_, y_before_, y, most)) {
    std::copy(y_before_.begin(), y_before_.end(), y.begin());
    return false;
  }
  for (const Freedom& f : equations_.motion.freedoms()) {
    const int v = s.nq + f.velocity;
    jumps_[f.slot] = std::abs(y[v] - y_before_[v]);
  }
  instant_.jump(jumps_);
  return true;
}

}  // namespace hstar

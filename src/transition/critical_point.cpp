// src/transition/critical_point.cpp
#include "transition/critical_point.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "mechanism/short_number.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

int CriticalPoint::least_regular(double& regularity) const {
  const System& s = at_.system;
  int least = -1;
  regularity = 1;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    if (s.frictions[u].contact < 0 || at_.mode.friction[u].slide != Slide::slip) continue;
    const double r = at_.equations.sliding.regularity(static_cast<int>(u));
    if (least >= 0 && !(std::abs(r) < std::abs(regularity))) continue;
    least = static_cast<int>(u);
    regularity = r;
  }
  return least;
}

template <class Is>
bool CriticalPoint::any_beside(int unit, const Is& is) const {
  const System& s = at_.system;
  const math::Islands& islands = at_.equations.rows.islands();
  const int island = islands.of(s.bodies_of(s.frictions[unit]));
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (at_.mode.friction[u].slide == Slide::slip && islands.of(s.bodies_of(s.frictions[u])) == island && is(u))
      return true;
  return false;
}

bool CriticalPoint::is_reached(const EventCall& call, const events::Root* root) {
  const auto& [t, y, log, settled] = call;
  const System& s = at_.system;
  at_.equations.evaluate(t, y.data());
  const bool pole = root && at_.guards.ref(root->guard).what == Watch::regularity;
  const bool solved = at_.equations.solve(at_.mode);
  double regularity;
  int unit = least_regular(regularity);
  if (pole) unit = at_.guards.ref(root->guard).index;
  if (unit < 0 || (solved && !pole && !(std::abs(regularity) <= tolerances::near_pole))) return false;
  // (What slides in its island stops at this instant: another mode begins before the pole.)
  if (root && any_beside(unit, [&](std::size_t u) { return at_.problem.units[u].at_zero; })) return false;
  const int contact = s.frictions[unit].contact;
  const std::string& name = s.contacts[contact]->name;
  settled.then = Settled::Then::stop;
  settled.status = RunStatus::no_consistent_mode;
  settled.message =
      "at t = " + short_number(t, 9) + " s contact \"" + name +
      "\" slides into Painleve's critical point: its normal force has a pole there, and the laws of rigid "
      "bodies with dry friction do not say how the motion goes on; compliance at the contact would";
  if (!log.wanted()) return true;
  EventRecord r = at_.lines.line_in_mode(t, root, "painleve_critical_point", name, y, y);
  r.mode_before = r.mode_after = contact_mode_text(s, at_.mode, contact);
  log.add(std::move(r));
  return true;
}

bool CriticalPoint::is_near(double t, const double* y) {
  double regularity;
  at_.equations.evaluate(t, y);
  return at_.equations.solve(at_.mode) && least_regular(regularity) >= 0 &&
         std::abs(regularity) <= tolerances::near_enough;
}

Settled CriticalPoint::follow(double& t, std::span<double> y, EventLog& log, const NextMode& next) {
  // The determinant falls linearly in time while accelerations grow beyond bounds: what remains is halved and halved
  // again by steps of Kutta's method that end short of the pole.
  Settled settled;
  const std::size_t n = y.size();
  std::vector<double> z(y.begin(), y.end()), stage(n), k[4];
  for (auto& rate : k) rate.resize(n);
  const auto regularity_at = [&](double time, const std::vector<double>& state, double& r) {
    at_.equations.evaluate(time, state.data());
    return at_.equations.solve(at_.mode) && least_regular(r) >= 0;
  };
  if (!motion_.rates(t, z.data(), k[0].data())) return settled;
  const double moment = next.later().first_moment(next.later().largest_acceleration());
  double time = t, before = t - moment, r = 1, r_before = 1;
  for (std::size_t i = 0; i < n; ++i) stage[i] = z[i] - moment * k[0][i];
  if (!regularity_at(before, stage, r_before) || !regularity_at(time, z, r) ||
      !(std::abs(r) <= tolerances::near_enough) ||
      any_beside(least_regular(r), [&](std::size_t u) { return next.hardly_slides(static_cast<int>(u)); }))
    return settled;
  double remaining = 0, last_remaining = 0, remaining_before = 0;
  std::vector<double> rate(n), rate_before(n);
  for (int count = 0; count < 1000; ++count) {
    const double slope = (r - r_before) / (time - before);
    remaining = -r / slope;
    if (!(remaining > 0) || remaining <= tolerances::eps * std::abs(time)) break;
    const double h = tolerances::step_to_pole * remaining;
    bool good = motion_.rates(time, z.data(), k[0].data());
    if (good) {
      rate_before.swap(rate);
      rate = k[0];
      remaining_before = last_remaining;
      last_remaining = remaining;
    }
    for (int s = 1; s < 4 && good; ++s) {
      const double c = s == 3 ? h : 0.5 * h;
      for (std::size_t i = 0; i < n; ++i) stage[i] = z[i] + c * k[s - 1][i];
      good = motion_.rates(time + c, stage.data(), k[s].data());
    }
    if (!good || time + h == time) break;
    for (std::size_t i = 0; i < n; ++i) stage[i] = z[i] + h / 6 * (k[0][i] + 2 * (k[1][i] + k[2][i]) + k[3][i]);
    double r_next;
    if (!regularity_at(time + h, stage, r_next)) break;
    before = time;
    r_before = r;
    r = r_next;
    time += h;
    z.swap(stage);
  }
  if (!(std::abs(r) <= tolerances::near_pole)) return settled;
  // What is left is closer to the pole than the equations can be solved. Rates grow there like a power of the remaining
  // time, which the last two tell: the integral of remaining^-s is remaining^(1-s) / (1 - s).
  for (std::size_t i = 0; i < n && remaining > 0; ++i) {
    double power = 0;
    if (remaining_before > last_remaining && rate[i] != 0 && rate_before[i] / rate[i] > 0)
      power = std::clamp(std::log(rate[i] / rate_before[i]) / std::log(remaining_before / last_remaining), 0.0, 0.9);
    const double here = rate[i] * std::pow(last_remaining / remaining, power);
    z[i] += here * remaining / (1 - power);
  }
  if (remaining > 0) time += remaining;
  if (!is_reached({time, z, log, settled}, nullptr)) return settled;
  t = time;
  std::copy(z.begin(), z.end(), y.begin());
  return settled;
}

}  // namespace hstar

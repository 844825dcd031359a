// src/transition/switch_times.cpp: switches whose conditions read t alone. Their branches change at known times.
#include <algorithm>
#include <array>
#include <cmath>

#include "hstar/events/departure.hpp"
#include "mechanism/time_roots.hpp"
#include "transition/switch.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {

using tolerances::clear_of_zero;
using tolerances::guard_round_off;
constexpr double never = std::numeric_limits<double>::infinity();
constexpr int slow_looks = 1024;     ///< at a condition of time that does not leave zero at once
constexpr double instant_ulps = 64;  ///< times nearer than these are one instant, as MonitorOptions::tie_ulps

Expression::Enclosure enclose_times(const Switch& of, double from, double to) {
  std::array<Expression::Bounds, max_signals> at, rates;
  at.fill({from, to});
  rates.fill({1, 1});
  return of.enclose(at.data(), rates.data());
}

/// Up to where a condition with this divisor is asked, whose next zero is an event of its own: nearer to it it has no
/// digits.
double before_pole(const Switch& divisor, double t) {
  for (double gap = instant_at(divisor.next); divisor.next - gap > t; gap *= 2) {
    const double before = divisor.next - gap;
    const Expression::Bounds d = enclose_times(divisor, before, before).value;
    if (clear_of_zero * (d.hi - d.lo) <= std::max(d.lo, -d.hi)) return before;
  }
  return t;
}

}  // namespace

double instant_at(double t) { return instant_ulps * (std::nextafter(std::abs(t), never) - std::abs(t)); }

double longest(const SwitchBranches& of, double t) { return of.t_end > t ? of.t_end - t : of.t_end; }

bool is_pole(const Switch& divisor, double t) {
  return std::abs(condition_at(divisor, t)) <= guard_round_off * std::abs(t);
}

double condition_at(const Switch& of, double t) {
  const auto at_pole = [&] {
    return std::any_of(of.divisors.begin(), of.divisors.end(),
                       [&](const Switch* d) { return d->live && is_pole(*d, t); });
  };
  for (double later = instant_at(t); at_pole() && t < of.all.t_end; later *= 2) t += later;
  std::array<double, max_signals> vars;
  vars.fill(t);
  return of.formula.bound.formula.condition(of.which, vars.data(), of.all.branch.data());
}

double branch_after(const Switch& of, double t) {
  const double at_once = condition_at(of, t + instant_at(t)), now = condition_at(of, t);
  const double g = std::isnan(now) ? at_once : now, zero_at = of.level(g);
  const double moves = std::min(std::abs(at_once - g), std::abs(at_once - zero_at));  // (the second after a pole)
  const double near = guard_round_off * (std::abs(t) + std::abs(zero_at)) + moves, time_left = longest(of.all, t);
  int side = g > zero_at ? 1 : -1;
  if (std::abs(g - zero_at) <= near) {
    side = events::departure(t, time_left, near, [&](double time, double& later) {
      later = condition_at(of, time) - zero_at;
      return true;
    });
    // One that leaves zero slowly (the tail of a bell) is on the side where it is seen first.
    for (double later = time_left / slow_looks; side == 0 && later <= time_left; later += time_left / slow_looks)
      if (const double then = condition_at(of, t + later) - zero_at; std::abs(then) > clear_of_zero * near)
        side = then > 0 ? 1 : -1;
  }
  return of.beside(zero_at, side);
}

double next_change(const Switch& of, double t, int& irregular) {
  const double t_end = of.all.t_end;
  if (!(t < t_end)) return never;
  double end = t_end + instant_at(t_end);  // (one at the very end is told)
  for (const Switch* d : of.divisors)
    if (d->next < end) end = before_pole(*d, t);
  if (!(end > t)) return never;
  const auto crossing = [&](double level, int side) {
    bool in_vain = false;
    const double time = first_crossing(
        t, end, side, [&](double at) { return condition_at(of, at) - level; },
        [&](double a, double b) {
          Expression::Enclosure g = enclose_times(of, a, b);
          g.value.lo -= level;
          g.value.hi -= level;
          return g;
        },
        in_vain);
    irregular += in_vain && most_irregular * (time - t) < t_end - t;
    return time == never ? never : std::min(time, t_end);
  };
  if (of.floor) return std::min(crossing(of.branch, 1), crossing(of.branch + 1, -1));
  return of.branch == 0 ? never : crossing(0, of.branch > 0 ? 1 : -1);
}

}  // namespace hstar

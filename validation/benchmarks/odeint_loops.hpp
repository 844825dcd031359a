// validation/benchmarks/odeint_loops.hpp
//
// Event loops as one writes them by hand on Boost.Odeint: the floor that the library is measured against. The state is
// a std::array, the right-hand side is inlined, the guard is looked at once a step. They rely on knowing these
// problems: one guard, which cannot fall and rise again within one step.
#pragma once

#include <algorithm>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "friction_problems.hpp"

namespace bench {

namespace odeint = boost::numeric::odeint;

/// Root of g in [a, b] with g(a) > 0 >= g(b), by the Illinois method.
template <class Function>
double illinois(double a, double ga, double b, double gb, Function g) {
  const double width = 4e-16 * std::max(std::abs(a), std::abs(b));
  int side = 0;
  for (int i = 0; i < 60 && b - a > width && gb != 0; ++i) {
    const double c = b - gb * (b - a) / (gb - ga);
    if (!(c > a && c < b)) return ga < -gb ? a : b;  // nothing lies between
    const double gc = g(c);
    if (gc > 0) {
      a = c, ga = gc;
      if (side == 1) gb *= 0.5;
      side = 1;
    } else {
      b = c, gb = gc;
      if (side == -1) ga *= 0.5;
      side = -1;
    }
  }
  return b;
}

/// Steps with dense output; the event is the root of the guard on the interpolant; then the stepper starts afresh.
template <class Stepper, class Problem>
std::vector<double> dense_loop(Stepper stepper, Problem problem) {
  std::vector<double> events;
  events.reserve(100);
  const auto rates = [&problem](const State& y, State& ydot, double t) { problem.rates(t, y.data(), ydot.data()); };
  State y = problem.start();
  stepper.initialize(y, 0.0, Problem::first_step);
  for (bool first = true;; first = false) {
    const auto [t0, t1] = stepper.do_step(rates);
    const double g1 = problem.guard(t1, stepper.current_state().data());
    if (g1 > 0) {
      if (t1 >= Problem::t_end) return events;
      continue;
    }
    const auto g = [&](double t) {
      stepper.calc_state(t, y);
      return problem.guard(t, y.data());
    };
    double a = t0;
    double ga = first ? 0 : problem.guard(t0, stepper.previous_state().data());
    for (double part = 0.5; ga <= 0 && part > 1e-6; part *= 0.5) {  // a segment begins where the guard is zero
      a = t0 + part * (t1 - t0);
      ga = g(a);
    }
    const double t = illinois(a, ga, t1, g1, g);
    if (t >= Problem::t_end) return events;
    stepper.calc_state(t, y);
    events.push_back(t);
    if (!problem.next(t, y.data())) return events;
    stepper.initialize(y, t, std::min(stepper.current_time_step(), 1.0));
    first = true;
  }
}

/// Error-controlled steps without dense output; the event is found by steps of the method itself from the start of the
/// last step, the first guess from the cubic through its ends.
template <class Method, class Problem>
std::vector<double> stepping_loop(double tolerance, Problem problem) {
  std::vector<double> events;
  events.reserve(100);
  const auto rates = [&problem](const State& y, State& ydot, double t) { problem.rates(t, y.data(), ydot.data()); };
  auto controlled = odeint::make_controlled(tolerance, tolerance, Method());
  Method method;
  State y = problem.start(), before = y, slope0, slope1, at;
  double t = 0, h = Problem::first_step;
  for (bool first = true;;) {
    before = y;
    const double t0 = t;
    if (controlled.try_step(rates, y, t, h) == odeint::fail) continue;
    const double g1 = problem.guard(t, y.data());
    if (g1 > 0) {
      if (t >= Problem::t_end) return events;
      first = false;
      continue;
    }
    const double width = t - t0;
    const double next_h = std::min(h, 1.0);
    rates(before, slope0, t0);
    rates(y, slope1, t);
    const auto cubic = [&](double s) {
      const double s1 = 1 - s;
      for (std::size_t i = 0; i < 2; ++i) {
        const double dy = y[i] - before[i];
        at[i] = before[i] + s * dy + s * s1 * (s1 * (width * slope0[i] - dy) - s * (width * slope1[i] - dy));
      }
      return problem.guard(t0 + s * width, at.data());
    };
    double a = 0, ga = first ? 0 : problem.guard(t0, before.data());
    for (double part = 0.5; ga <= 0 && part > 1e-6; part *= 0.5) ga = cubic(a = part);
    double tau = width * illinois(a, ga, 1.0, g1, cubic);
    const auto solution = [&](double step) {
      if constexpr (requires { method.reset(); }) method.reset();  // every trial begins at `before`
      method.do_step(rates, before, t0, at, step);
      return problem.guard(t0 + step, at.data());
    };
    // Secant from the cubic's root and a second point a cubic's error away.
    double other = tau, g_other = solution(tau);
    tau -= 1e-4 * width * (g_other > 0 ? -1 : 1);
    double g_tau = solution(tau);
    for (int i = 0; i < 8 && g_tau != 0 && g_tau != g_other; ++i) {
      const double better = tau - g_tau * (tau - other) / (g_tau - g_other);
      const bool done = std::abs(better - tau) < 1e-14 * (t0 + width);
      other = tau, g_other = g_tau;
      tau = better;
      g_tau = solution(tau);
      if (done) break;
    }
    t = t0 + tau;
    if (t >= Problem::t_end) return events;
    y = at;
    events.push_back(t);
    if (!problem.next(t, y.data())) return events;
    h = next_h;
    first = true;
    if constexpr (requires { controlled.reset(); }) controlled.reset();  // the last slope is no longer the next first
  }
}

}  // namespace bench

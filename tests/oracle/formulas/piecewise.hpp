// tests/oracle/formulas/piecewise.hpp
//
// Integrates y' = f(t, y) whose right-hand side has kinks and jumps, by brute force: a step of Fehlberg's method of
// order 8 counts only if all its stages see the same sides of all conditions; otherwise it is halved, down to steps so
// short that what they do to y is nothing. It knows no roots and no guards.
#pragma once

#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "formulas/formula.hpp"

namespace oracle {

/// What is near its edge on a whole step of this length is not on its way across: a switch is met in far shorter ones.
constexpr double rest = 1e-6;

template <class Number>
struct Integrated {
  std::vector<Number> y;
  double sliding = NAN;  ///< the time from which both sides of a switch drive back to it
  std::size_t switches = 0;
  bool rests = false;  ///< for a while a condition was within round-off of its edge: it has no sure side in doubles
};

/// `rates(y, t, dydt, sides)`; steps of `longest` at most, a power of two below the end.
template <class Number, class Rates>
Integrated<Number> integrate_piecewise(const Rates& rates, std::vector<Number> y, double end, double longest,
                                       double shortest) {
  using std::abs;
  boost::numeric::odeint::runge_kutta_fehlberg78<std::vector<Number>, Number> method;
  Integrated<Number> result;
  Number t = 0;
  Number h = Number(longest);
  int crowded = 0;  // tries since `since`: a switch takes a hundred, one that is met again and again no end of them
  Number since = 0;
  while (t < Number(end)) {
    if (t - since > Number(1e-9)) {
      crowded = 0;
      since = t;
    }
    if (++crowded > 4000) {
      result.sliding = static_cast<double>(since);
      break;
    }
    if (t + h > Number(end)) h = Number(end) - t;
    Sides first, now;
    bool same = true, begun = false, near = true;
    const auto watch = [&](const std::vector<Number>& at, std::vector<Number>& out, const Number& time) {
      now.clear();
      rates(at, time, out, now);
      if (!begun) first = now;
      begun = true;
      same = same && now.seen() == first.seen();
      near = near && now.near();
    };
    std::vector<Number> after = y;
    method.do_step(watch, after, t, h);
    std::vector<Number> unused(y.size());
    watch(after, unused, t + h);
    if (same || h <= Number(shortest)) {
      if (!same) {
        ++result.switches;
        // Just before it the old branch counts, just after it the new one: either for nothing.
        rates(y, t, unused, now);
        for (std::size_t i = 0; i < y.size(); ++i) after[i] = y[i] + h * unused[i];
      } else if (near && h >= Number(rest)) {
        result.rests = true;
      }
      y = after;
      t += h;
      h = std::min(Number(2 * h), Number(longest));
    } else {
      h = h / 2;
    }
  }
  result.y = y;
  return result;
}

}  // namespace oracle

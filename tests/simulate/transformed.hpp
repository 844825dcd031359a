// tests/simulate/transformed.hpp
//
// The same mechanism written down in another way: elements in another order, the whole world shifted
// and turned, lengths in another unit, the clock started at another time, a joint said twice. Physics does not change.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "hstar/model_spec.hpp"

namespace simulate {

inline std::string text(double x) {
  char out[40];
  std::snprintf(out, sizeof out, "%.17g", x);
  const std::string s = out;
  return s.find_first_of(".en") == std::string::npos ? s + ".0" : s;
}

/// How a model is written down.
struct World {
  double turn = 0;                                         ///< [rad]
  hstar::Vec2 shift{0, 0};                                 ///< [m], before the change of unit
  double unit = 1;                                         ///< numbers per metre: 1000 writes millimetres
  double t0 = 0;                                           ///< the clock's reading at the start [s]
  bool reversed = false;                                   ///< elements and bodies in reverse order
  bool redundant = false;                                  ///< a joint that says again what holds already
  [[nodiscard]] std::string vector(hstar::Vec2 v) const {  ///< direction, velocity, force, with unit
    const double c = std::cos(turn), s = std::sin(turn);
    return "[" + text(unit * (c * v[0] - s * v[1])) + ", " + text(unit * (s * v[0] + c * v[1])) + "]";
  }
  [[nodiscard]] std::string direction(hstar::Vec2 v) const {
    World plain = *this;
    plain.unit = 1;
    return plain.vector(v);
  }
  [[nodiscard]] std::string place(hstar::Vec2 p) const {
    const double c = std::cos(turn), s = std::sin(turn);
    return "[" + text(unit * (c * p[0] - s * p[1] + shift[0])) + ", " + text(unit * (s * p[0] + c * p[1] + shift[1])) +
           "]";
  }
  /// A point that starts at p and runs with velocity v: two formulas of t.
  [[nodiscard]] std::string moving_place(hstar::Vec2 p, hstar::Vec2 v) const {
    const double c = std::cos(turn), s = std::sin(turn);
    const auto coordinate = [&](double p0, double rate) {
      return "\"" + text(unit * p0) + " + (" + text(unit * rate) + ")*(t - " + text(t0) + ")\"";
    };
    return "[" + coordinate(c * p[0] - s * p[1] + shift[0], c * v[0] - s * v[1]) + ", " +
           coordinate(s * p[0] + c * p[1] + shift[1], s * v[0] + c * v[1]) + "]";
  }
  [[nodiscard]] std::string local(hstar::Vec2 p) const {  ///< body coordinates: only the unit changes
    return "[" + text(unit * p[0]) + ", " + text(unit * p[1]) + "]";
  }
  [[nodiscard]] std::string length(double x) const { return text(unit * x); }
  [[nodiscard]] std::string squared(double x) const { return text(unit * unit * x); }  ///< inertia, moment
  [[nodiscard]] std::string angle(double x) const { return text(x + turn); }
  /// All parts in the order this world writes them.
  [[nodiscard]] std::string join(std::vector<std::string> parts) const {
    if (reversed) std::reverse(parts.begin(), parts.end());
    std::string all;
    for (const auto& part : parts) all += part + "\n";
    return all;
  }
  [[nodiscard]] std::string head(double duration, double rtol, double gravity) const {
    return "gravity = " + vector({0, -gravity}) + "\n[simulation]\nstart = " + text(t0) +
           "\nend = " + text(t0 + duration) + "\nintegrator = \"dop853\"\nrtol = " + text(rtol) +
           "\natol = " + text(rtol * unit) + "\n";
  }
};

/// Crank, rod and a slider with dry friction in its guide; the moment on the crank swings, so that the
/// slider sticks, slips and turns back under a normal force that depends on the motion.
std::string slider_crank(const World& w, double duration, double rtol);
/// The slider-cranks of validation/p13_slider_crank (run-down) and p13_slider_crank_fast.
struct SliderCrankNumbers {
  double r, l, J_c, m_r, J_r, m_s, mu_s, mu_d, theta0, omega0;
};
inline constexpr SliderCrankNumbers run_down{0.1, 0.35, 0.05, 0.6, 0.006, 1.2, 0.2, 0.2, 0.4, 12};
inline constexpr SliderCrankNumbers fast{0.12, 0.3, 0.03, 0.5, 0.004, 0.9, 0.2, 0.12, 1, 20};
std::string truth_slider_crank(const World& w, const SliderCrankNumbers& p, double duration, double rtol);
/// The double pendulums of validation/p13_double_pendulum_wall and p13_double_pendulum_wall_b: two bobs, rods without
/// mass, an impact without friction.
struct DoublePendulumNumbers {
  double m1, m2, L1, L2, x_w, e, theta1, theta2, omega1;
};
inline constexpr DoublePendulumNumbers wall{1, 0.7, 0.5, 0.4, 0.25, 0.7, -0.9, -0.6, 0};
inline constexpr DoublePendulumNumbers wall_b{0.8, 1.1, 0.6, 0.3, 0.1, 0.5, -0.4, -0.7, 1};
std::string truth_double_pendulum(const World& w, const DoublePendulumNumbers& p, double duration, double rtol);
/// Three blocks on a rough floor, coupled by springs, the first pulled at constant speed; a ball
/// beside them bounces to rest.
std::string blocks_and_ball(const World& w, double duration, double rtol);
/// Two rods on pins; the tip of the second strikes a wall beside them.
std::string double_pendulum(const World& w, double duration, double rtol);
/// A block on two corners with a pendulum on its side: rocks, slides, and strikes the floor with its corners.
std::string block_and_pendulum(const World& w, double duration, double rtol);

}  // namespace simulate

// validation/benchmarks/friction_problems.hpp
//
// Two friction problems with closed-form event times, written once for all contestants: in every mode a right-hand
// side and one guard that is positive until the mode ends.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace bench {

using State = std::array<double, 2>;  ///< x [m], v [m/s]

/// Mass on a spring on a rough floor, released at x = 1 m (validation/p01_osc_equal): slides to and fro until it stays.
class CoulombOscillator {
 public:
  static constexpr const char* name = "free Coulomb oscillator (p01_osc_equal), 16 events";
  static constexpr const char* model = "validation/p01_osc_equal/model.toml";
  static constexpr double t_end = 10.1;  ///< just after the last event
  static constexpr double first_step = 1e-2;
  enum class Mode { slide_left, slide_right, stuck };

  Mode mode = Mode::slide_left;

  State start() {
    mode = Mode::slide_left;
    return {1.0, 0.0};
  }
  void rates(double /*t*/, const double* y, double* ydot) const {
    ydot[0] = mode == Mode::stuck ? 0 : y[1];
    ydot[1] = mode == Mode::stuck ? 0 : -(k / m) * y[0] + (mode == Mode::slide_left ? mu * g : -mu * g);
  }
  /// Speed in the direction of sliding.
  double guard(double /*t*/, const double* y) const { return mode == Mode::slide_left ? -y[1] : y[1]; }
  /// The guard has fallen to zero. False if nothing happens any more.
  bool next(double /*t*/, double* y) {
    y[1] = 0;
    const bool sticks = k * std::abs(y[0]) <= mu * m * g;
    mode = sticks ? Mode::stuck : y[0] > 0 ? Mode::slide_left : Mode::slide_right;
    return !sticks;
  }
  static std::vector<double> event_times() {
    std::vector<double> t;
    for (int n = 1; n <= 16; ++n) t.push_back(n * std::numbers::pi / std::sqrt(k / m));
    return t;
  }

 private:
  static constexpr double m = 2, k = 50, mu = 0.08, g = 9.81;
};

/// Sled on a plate, pulled through a spring at constant speed (validation/p02_sled_metal): sticks and slips.
class DragSled {
 public:
  static constexpr const char* name = "drag sled (p02_sled_metal), 81 events in 60 s";
  static constexpr const char* model = "validation/p02_sled_metal/model.toml";
  static constexpr double t_end = 60;
  static constexpr double first_step = 1e-2;
  enum class Mode { stick, slip };

  Mode mode = Mode::stick;

  State start() {
    mode = Mode::stick;
    return {0.0, 0.0};
  }
  void rates(double t, const double* y, double* ydot) const {
    ydot[0] = y[1];
    ydot[1] = mode == Mode::stick ? 0 : (k * (pull * t - y[0])) / m - mu_kinetic * g;
  }
  /// Stick: what is left of the friction cone. Slip: the sliding speed.
  double guard(double t, const double* y) const {
    return mode == Mode::stick ? mu_static * m * g - k * (pull * t - y[0]) : y[1];
  }
  bool next(double /*t*/, double* y) {
    if (mode == Mode::slip) y[1] = 0;
    mode = mode == Mode::stick ? Mode::slip : Mode::stick;
    return true;
  }
  static std::vector<double> event_times() {
    const double omega = std::sqrt(k / m);
    const double slip =
        2 * (std::numbers::pi - std::atan((mu_static - mu_kinetic) * m * g * omega / (k * pull))) / omega;
    const double stick = 2 * (mu_static - mu_kinetic) * m * g / (k * pull);
    std::vector<double> times;
    for (double t = mu_static * m * g / (k * pull); t < t_end; t += times.size() % 2 == 1 ? slip : stick) {
      times.push_back(t);
    }
    return times;
  }

 private:
  static constexpr double m = 12.5, k = 742.5, g = 9.81, pull = 0.034, mu_static = 0.4, mu_kinetic = 0.3;
};

}  // namespace bench

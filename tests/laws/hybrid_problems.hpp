// tests/laws/hybrid_problems.hpp
//
// Random hybrid problems whose events are known in closed form: oscillators, polynomial and exponential
// motions, bouncing and reset problems. Each guard comes with its true roots, the closed form of its
// value in time, and the one lobe (pair of crossings, touch or near miss) that may be too shallow.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hstar/hybrid.hpp"

namespace hybrid_laws {

struct TrueRoot {
  double t = 0.0;
  int direction = 0;
};

/// The one extremum of a guard that may come too near to zero.
struct Lobe {
  bool present = false;
  int first = 0;  ///< direction of the first crossing of the pair, if it crosses
  bool crosses = false;
  double t = 0.0;      ///< of the extremum on the true motion [s]
  double depth = 0.0;  ///< beyond zero on the true motion, or from zero if it does not cross [unit of g]
  /// The same on the exact motion through (t0, y0): time and depth, negative if it does not cross.
  std::function<std::pair<double, double>(double t0, std::span<const double> y0)> local;
};

struct Guard {
  hstar::events::Crossing crossing = hstar::events::Crossing::either;
  hstar::events::Sign start = hstar::events::Sign::from_value;
  bool active = false;
  int degree = 0;
  double g_tol = 0.0, round_off = 0.0;
  std::function<double(double, std::span<const double>)> g;  ///< of the state
  std::function<double(double)> exact;                       ///< the same along the true motion
  std::function<void(double, std::span<double>)> effect;     ///< of an active guard; none: no-op
  hstar::events::Sign after = hstar::events::Sign::from_value;
  std::vector<TrueRoot> roots;  ///< other than those of the lobe
  Lobe lobe;
  [[nodiscard]] bool wants(int direction) const {
    return crossing == hstar::events::Crossing::either ||
           (crossing == hstar::events::Crossing::rising) == (direction > 0);
  }
};

struct Problem {
  std::string text;
  std::size_t n = 0;
  hstar::FunctionProcess::Rates rates;
  /// The exact motion within a mode: from (t0, y0) to t.
  std::function<void(double t0, std::span<const double> y0, double t, std::span<double> y)> motion;
  std::vector<double> y0;
  double t_start = 0.0, t_end = 1.0, scale = 1.0;
  double max_step = std::numeric_limits<double>::infinity();
  double one_instant = 0.0;  ///< > 0: all roots of all guards are one, within this time [s]
  std::vector<Guard> guards;
  [[nodiscard]] std::unique_ptr<hstar::FunctionProcess> process() const;
};

Problem draw_oscillator(std::mt19937_64& random);
Problem draw_polynomial(std::mt19937_64& random);
/// The same with a pair, a touch or a near miss of a few units in the last place of y, and an active guard.
Problem draw_shallow(std::mt19937_64& random);
Problem draw_exponential(std::mt19937_64& random);
Problem draw_clock(std::mt19937_64& random);
Problem draw_reset(std::mt19937_64& random);
Problem draw_simultaneous(std::mt19937_64& random);
Problem draw_zero(std::mt19937_64& random);

}  // namespace hybrid_laws

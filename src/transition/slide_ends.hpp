// src/transition/slide_ends.hpp
//
// The first moments of sliding in several directions, and the last.
//
// While the speed s of sliding is small the friction bends its direction back to that of the load at the rate alpha /
// s, alpha the acceleration that friction alone gives. Two things follow. Where sliding begins with little acceleration
// a (a load grows slowly past the limit), an explicit method takes some alpha / a steps for each doubling of s, from
// round-off on. And a velocity smaller than the integrator's error has no direction: that of the noise would be taken,
// and friction that points here and there does not let s grow. In both cases the direction is that of the load to
// within what the load turns by meanwhile, and what it is off by is bent back at once when it is let go: so it is held
// until a = alpha / 1000 (it turns with the load meanwhile) or, where a is more from the beginning, until the load has
// turned by a small angle, and until s is 100 times the error of the velocity; and at the end of a slide again where s
// is no longer 10 times that error, until the stop is found. The feet of a body are let go at one time: with some of
// them held the others would turn it. A slide that is followed to the last, since nothing else moves whose error would
// hide it, keeps its own direction from where s is 10 times what ends such a creep (`crept`): a step that saw the
// direction bend into one held would be refused.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "transition/later.hpp"
#include "transition/slide_directions.hpp"

namespace hstar {

class SlideEnds {
 public:
  /// `rtol` and `atol` of error control, 0 with fixed steps.
  SlideEnds(ModeEquations& equations, ModeSolver& solver, Later& later, double rtol, double atol);

  /// Units that slide in several directions, after each step.
  void hold_last(double t, const double* y, const Mode& mode);
  /// Units that begin to, after an event: `asked` is the mode before the problem was solved.
  void hold_first(double t, const double* y, const ModeProblem& problem, const Mode& asked, Mode& mode);

 private:
  /// Of a unit that begins to slide, or is about to stop.
  struct Held {
    std::array<double, most_directions> direction{}, later{}, limit{};  ///< at its limit, a moment later, their limit
    double round_off = 0;                                               ///< of its speed
    SlideStart start;
    double alone = 0;    ///< acceleration that the friction of all that begin, or stop, gives against its sliding
    double load = 0;     ///< and the one along it without them
    bool turns = false;  ///< its direction is lost in the error of the steps, and is that of its load
    double until = 0;    ///< speed up to which it keeps its direction
  };
  [[nodiscard]] bool begins(std::size_t unit, const ModeProblem& problem, const Mode& mode) const;
  /// What error control leaves of a unit's speed.
  [[nodiscard]] double error_of_speed(int unit) const;
  /// Into units_: what slides no faster than the error of its velocity, or than what ends a creep, or may after a step;
  /// it is held meanwhile.
  void list_slow(const Mode& mode);
  /// Accelerations that a friction force of a unit gives, or of several, into response_.
  void respond();
  void add_friction(int unit);
  /// The acceleration that friction alone gives a sliding unit against its sliding.
  [[nodiscard]] double friction_alone(int unit);
  /// The largest that it gives in any direction, by which the direction of the sliding follows that of the load.
  [[nodiscard]] double friction_across(int unit);
  /// `alone` and `load` of units that slide.
  void find_loads(std::span<const int> units);
  /// Time for which its direction is held, until the speed is `least` where the acceleration `grows` from next to
  /// nothing.
  [[nodiscard]] double time_to_hold(int unit, const Mode& mode, double t, const double* y, double least, bool& grows);
  /// Solves the mode in the present directions. The least acceleration with which a unit begins, of its terms.
  double slowest_start(double t, const double* y, const ModeProblem& problem, Mode& mode);
  /// Into `later` and `limit`: the directions in which sliding begins, asked up to a moment later. False: it is another
  /// mode then.
  bool ask_later(double t, const double* y, double moment, const ModeProblem& problem, const Mode& asked,
                 const Mode& mode);
  /// Takes those and how they turn. The moment up to which they are known, `moment` or less.
  double look_where(double t, const double* y, double moment, const ModeProblem& problem, const Mode& asked,
                    Mode& mode);

  ModeEquations& equations_;
  ModeSolver& solver_;
  Later& later_;
  SlideDirections directions_;
  double rtol_, atol_;
  std::vector<Held> held_;  ///< by unit
  std::vector<int> units_;
  std::vector<double> loads_;  ///< of units_
  std::vector<double> load_, response_, reactions_, no_rates_;
};

/// Size of the terms of a unit's gamma_T at the last evaluated kinematics, for round-off.
[[nodiscard]] double slide_terms(const ModeEquations& equations, int unit);

}  // namespace hstar

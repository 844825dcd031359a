// src/transition/next_mode.hpp
//
// The next mode at an instant: what is at rest comes to rest on its rows, the problem of contacts and friction is
// solved, and what it leaves open is decided by what follows.
#pragma once

#include <span>
#include <vector>

#include "formulation/formulation.hpp"
#include "transition/event_state.hpp"
#include "transition/partings.hpp"
#include "transition/slide_ends.hpp"
#include "transition/ties.hpp"

namespace hstar {

class NextMode {
 public:
  NextMode(EventState& at, const FormulationOptions& options);

  /// Of the units with several directions whose gamma_T . d_ref is zero, which have stopped and which have turned by a
  /// right angle; and which have stopped together with them. `pole`: of the friction of what slides, whose direction
  /// means nothing where its speed may be the integrator's error.
  void find_stopped(double t, const double* y, bool pole) const;
  /// At the last evaluated state: its |gamma_T| may be the integrator's error.
  [[nodiscard]] bool hardly_slides(int unit) const { return has_stopped(unit, false); }
  /// At the last evaluated state, the end of a step: the direction of a slide has turned by a right angle, at a speed
  /// that tells neither a turn nor a stop.
  [[nodiscard]] bool turns_too_soon(std::span<const events::Root> fired) const;
  /// On entry `mode` says which contacts are closed and how the units were before, `problem` what fired. The state
  /// comes onto the rows of what is closed and at rest, which `problem` then knows.
  bool put_on_rows(const EventCall& call);
  /// The mode that follows. False: none is consistent, as `settled` and choice() say.
  bool choose(const EventCall& call, bool count);
  /// Directions of what begins to slide, and of what slides, after each step, are held while they are small.
  void hold_first_directions(double t, const double* y) { slide_ends_.hold_first(t, y, at_.problem, asked_, at_.mode); }
  void hold_last_directions(double t, const double* y) { slide_ends_.hold_last(t, y, at_.mode); }
  /// What is zero just after is round-off to the guards.
  void note_zeros() const;

  /// The answer to the last problem; how many other modes are consistent stays until it is counted again.
  [[nodiscard]] const ModeChoice& choice() const { return choice_; }
  void set_counted(int consistent) { choice_.consistent = consistent; }
  /// The mode as it was asked.
  [[nodiscard]] const Mode& asked() const { return asked_; }
  [[nodiscard]] ModeSolver& solver() { return solver_; }
  [[nodiscard]] const Later& later() const { return later_; }

 private:
  [[nodiscard]] bool has_stopped(int unit, bool at_its_root) const;
  /// |gamma_T| up to this may be the integrator's error.
  [[nodiscard]] double error_of_speed(int unit) const;
  /// Its relative velocity has, at this instant.
  [[nodiscard]] bool has_jumped(const FrictionUnit& unit) const;
  /// Is open, and farther behind its surface than round-off, not farther than a limit pushes.
  [[nodiscard]] bool is_pushed_behind(std::size_t contact) const;
  /// Positions onto positions_, velocities onto rows_; false: why the restart tells.
  bool move_onto_rows(double t, std::span<double> y);
  /// What lies still on its surface only now that others are on theirs (a corner below the pin of a link that comes to
  /// lie flat) touches as they do. False: none.
  bool close_what_lies();
  /// The change from y_before_; that of the velocities as far as the error of the integrator explains it.
  void book_restart(std::span<const double> y);
  /// d_ref of units with several directions that slide, and what is round-off of gamma_T of the others.
  void refer_to_slides();
  /// What its force has just left has none a moment later and is accelerated into its surface: `problem` knows.
  [[nodiscard]] bool falls_back(double t, const double* y);
  /// After which it is looked what follows: nothing that slides stops or turns round before [s].
  [[nodiscard]] double moment() const;
  /// The mode in which it presses or opens all the same. False: there is none.
  bool choose_later(const EventCall& call);

  EventState& at_;
  double rtol_;
  bool fixed_steps_;
  ModeSolver solver_;
  Later later_;
  Ties ties_;
  SlideEnds slide_ends_;
  Partings partings_;
  ModeChoice choice_;
  Mode asked_, rows_, positions_;
  std::vector<double> y_before_, slide_speed_;  ///< before a restart
  std::vector<double> lift_;                    ///< accelerations of what lifts off
};

}  // namespace hstar

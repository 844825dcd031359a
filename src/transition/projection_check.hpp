// src/transition/projection_check.hpp
//
// Whether putting a state back onto the rows of a mode only takes away the error of the step. It moves positions and
// velocities by about that error (Eich 1993). By far more, and by a part of what the step itself has done, it is a
// motion or an impulse that nobody has accounted for: of a row, say, that depended on others when the mode began.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mechanism/system.hpp"

namespace hstar {

class ProjectionCheck {
 public:
  /// `rtol`: of error control; 0: fixed steps, whose error is not known.
  ProjectionCheck(std::shared_ptr<const System> system, double rtol);

  /// The motion goes on from here.
  void begin(double t) { t_begin_ = t; }
  [[nodiscard]] double span(double t) const { return t - t_begin_; }  ///< since then [s]
  /// Positions and velocities of y are about to be put back.
  void before(const double* y);
  /// They have been, at t; `fastest` is the largest speed of the mechanism so far.
  void after(double t, const double* y, double fastest);
  /// What has gone wrong at t; empty if nothing has.
  [[nodiscard]] std::string complaint(double t) const;

 private:
  /// State i has been moved by more than the error of a step, of states of this size, and by more than a part of its
  /// own change.
  bool is_off(std::size_t i, double by, double size, double change, double t);

  std::shared_ptr<const System> system_;
  double rtol_, t_begin_ = 0;
  double t_off_;         ///< NaN: nothing has gone wrong
  std::size_t off_ = 0;  ///< state that has
  double by_ = 0;
  std::vector<double> before_, q_dot_;
  std::vector<double> size_;  ///< of each coordinate: the mechanism's length, or 1
};

}  // namespace hstar

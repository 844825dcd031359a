// src/transition/projection_check.hpp
//
// Whether putting positions back onto the rows of a mode only takes away the error of the step. It moves them by about
// that error (Eich 1993); by far more, and by as much as they have moved in the step, it undoes the motion: a row holds
// positions that velocities leave, which depended on others when the mode began.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mechanism/system.hpp"

namespace hstar {

class ProjectionCheck {
 public:
  /// `rtol`: of error control; 0: fixed steps, of which nothing is known.
  ProjectionCheck(std::shared_ptr<const System> system, double rtol);

  /// The motion goes on from here.
  void begin(double t) { t_begin_ = t; }
  void before(const double* y) { before_.assign(y, y + system_->nq); }
  /// y at t has been put back from where before() was told.
  void after(double t, const double* y);
  /// What has gone wrong at t; empty if nothing has.
  [[nodiscard]] std::string complaint(double t) const;

 private:
  std::shared_ptr<const System> system_;
  double rtol_, t_begin_ = 0;
  double t_undone_;  ///< NaN: nothing was undone
  int undone_ = -1;  ///< position that was, and by how much
  double by_ = 0;
  std::vector<double> before_, q_dot_;
  std::vector<double> size_;  ///< of each coordinate: the mechanism's length, or 1
};

}  // namespace hstar

// src/transition/step_check.hpp
//
// What is looked at after each step: that bodies are in front of their surfaces whatever the guards said, that joints
// are not turned over, that steps lead on, and that constraints are independent and hold.
#pragma once

#include <string>
#include <vector>

#include "formulation/consistent_restart.hpp"
#include "formulation/formulation.hpp"
#include "hstar/run.hpp"
#include "transition/contact_ranges.hpp"
#include "transition/projection_check.hpp"
#include "transition/rank_watch.hpp"

namespace hstar {

class StepCheck {
 public:
  /// `fragile`: of a formulation that does not put positions back and fails where constraints lose rank.
  StepCheck(std::shared_ptr<const System> system, ModeEquations& equations, ConsistentRestart& restart,
            const ContactRanges& ranges, bool fragile, const FormulationOptions& options);

  /// At the last evaluated kinematics, those of (t, y). False: the run ends here as status() with why().
  bool accept(const Mode& mode, double t, const double* y, std::vector<std::string>& notices);
  [[nodiscard]] RunStatus status() const { return status_; }
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] ProjectionCheck& projection() { return projection_; }
  /// What a step may have failed by at (t, y): constraints that lose rank.
  [[nodiscard]] std::string remark(const Mode& mode, double t, const double* y) {
    return rank_.describe(mode, t, y, RankWatch::failing);
  }

 private:
  /// A joint whose axis is the wrong way round: null if none is.
  [[nodiscard]] const Joint* turned_over() const;
  /// An open contact that is behind its surface; -1: none.
  [[nodiscard]] int behind_its_surface(const Mode& mode) const;
  void watch_rank(const Mode& mode, double t, const double* y, std::vector<std::string>& notices);

  ModeEquations& equations_;
  ConsistentRestart& restart_;
  const ContactRanges& ranges_;
  RankWatch rank_;
  ProjectionCheck projection_;
  double meant_;  ///< speed [m/s, rad/s] from which on the relative tolerance decides
  bool fragile_;  ///< and nothing has been said about it yet
  bool drifts_;   ///< it does not put positions back onto the constraints
  RunStatus status_ = RunStatus::inconsistent_restart;
  std::string why_;
};

}  // namespace hstar

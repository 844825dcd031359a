// src/formulation/force_ranges.hpp
//
// Between which bounds the forces of redundant contacts lie by the laws alone: the motion is unique, their split is
// not, and the one that hstar reports is that of equally stiff contacts (contact_shares.hpp). For reports; allocates.
#pragma once

#include <array>
#include <vector>

#include "formulation/mode_equations.hpp"
#include "math/small_lp.hpp"

namespace hstar {

class ForceRanges {
 public:
  /// Of the last solution of the equations, in their mode.
  ForceRanges(const ModeEquations& equations, const Mode& mode);
  /// Smallest and largest value of the multiplier of a chosen row. False: it is unique, or not bounded by the laws.
  bool of(int row, double& least, double& largest);

 private:
  void find_null(std::vector<double> columns, int height);
  void list_slacks();
  bool add_cuts(const double* point);

  const ModeEquations& equations_;
  const Mode& mode_;
  int rows_;
  double most_ = 0;           ///< preload that is looked for
  std::vector<double> null_;  ///< changes of the multipliers that leave the motion as it is, rows_ entries each
  int dimension_ = 0;
  // slack = value + slope s >= 0
  std::vector<double> value_, slope_, bound_;
  struct Cut {
    int unit;
    std::array<double, most_directions> along;
  };
  std::vector<Cut> cuts_;
  math::SmallLp lp_;
};

}  // namespace hstar

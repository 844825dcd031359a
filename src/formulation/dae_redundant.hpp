// src/formulation/dae_redundant.hpp
//
// Rows of a MechanismDae that depend on others. A dependent row d is replaced by n_d . lambda = n_d . lambda_0, n_d the
// projection of e_d onto the multipliers that exert no force: with lambda_0 = 0 multipliers are those of least norm
// whichever of the rows is left away, and smooth in time. Which row may be left away changes with the position (of
// Bricard's loop none may be over a whole turn): the rest has to be independent.
#pragma once

#include <vector>

#include "formulation/mode_equations.hpp"
#include "hstar/dae.hpp"

namespace hstar {

class DependentRows {
 public:
  explicit DependentRows(ModeEquations& equations);

  /// As the equations find them in their chosen and filled rows. `kind` of each row: `multiplier` of those left away.
  /// False as find().
  bool begin(std::vector<DaeRow>& kind);
  /// n of the dependent rows at the last evaluated point: the load G_d^T is balanced by multipliers alone. False if the
  /// rows that are kept have become dependent; n is then that of the point before.
  bool find(std::vector<DaeRow>& kind);
  /// Leaves another row away where the present one is hardly dependent any more. Where the rows that are kept depend on
  /// each other (a step has failed far from here, and others were kept there), the equations judge anew. False as
  /// find().
  bool choose(std::vector<DaeRow>& kind);

  [[nodiscard]] std::size_t count() const { return row_.size(); }
  [[nodiscard]] int row(std::size_t d) const { return row_[d]; }
  [[nodiscard]] const double* n(std::size_t d) const { return n_.data() + d * zero_.size(); }

 private:
  /// Which rows depend on others at the last evaluated point.
  bool judge(std::vector<DaeRow>& kind);
  bool leave_away(std::vector<DaeRow>& kind);
  [[nodiscard]] DaeRow imposed(int row) const { return row < positions_ ? DaeRow::position : DaeRow::velocity; }

  ModeEquations& equations_;
  std::vector<int> row_;
  int positions_ = 0;      ///< rows before those of stuck units
  std::vector<double> n_;  ///< row by row, as long as there may be rows
  std::vector<double> load_, a_, zero_;
  std::vector<char> left_away_;
  bool independent_ = true;  ///< the rows that are kept, where they were last found
};

}  // namespace hstar

// src/formulation/linear_mode.hpp
//
// Modes whose equations are linear: no row ever changes, friction coefficients are constant. Accelerations,
// multipliers, friction and normal forces are then a constant matrix times the applied forces, and the forces that are
// affine in (t, y) go into it too:
//   (a, lambda, lambda_T, N) = Z (y, t, 1) + R f,   f the applied forces that are not affine.
// The matrices are made once a mode, by solving the mode for each column; from then on the mode costs a product instead
// of kinematics, rows, a factorisation and solves: oscillators, sleds, belts, chains of sliding blocks under every
// method, their recorded rows, and `exact` where contacts, guards or switches keep it from going by islands
// (simulate/islands).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "formulation/mode_equations.hpp"
#include "hstar/affine_rates.hpp"

namespace hstar {

/// How much of a mode's equations is linear: rows and coefficients of friction are constant; and all forces are affine
/// in (t, y), so that so are all results.
enum class Linearity : unsigned char { none, constant, affine };
/// Of a mode whose rows do not depend on each other.
[[nodiscard]] Linearity linearity(const System& system, const Mode& mode);

/// One mode's matrices, row by row: accelerations by coordinate, multipliers by chosen row, friction and normal
/// force by friction unit.
class LinearMode {
 public:
  LinearMode(const System& system, int most_rows);

  /// Tabulates `mode` with the help of `equations`, whose state and rows it changes. Afterwards is_linear() tells
  /// whether the mode is, and could be solved.
  void tabulate(ModeEquations& equations, const Mode& mode);

  [[nodiscard]] const Mode& mode() const { return mode_; }
  [[nodiscard]] bool is_linear() const { return linear_; }
  /// All applied forces are in the matrix Z: every result is affine in (t, y).
  [[nodiscard]] bool is_affine() const { return linear_ && rest_.empty(); }
  /// y' = A y + b + c t of the mode if it is affine.
  [[nodiscard]] const AffineRates* affine_rates() const { return rates_ ? &*rates_ : nullptr; }

  [[nodiscard]] int rows() const { return rows_; }  ///< multipliers
  /// Adds up the forces that are not in Z, 3 a body, into f; reads the bodies' motion.
  void other_forces(const Kinematics& k, double* f) const;
  /// Entries [first, last) of (a, lambda, lambda_T, N) at (t, y); f as other_forces() gives it (not read if affine).
  void product(int first, int last, double t, const double* y, const double* f, double* out) const;
  /// True if the result in this place never changes: its row of Z has the constant only.
  [[nodiscard]] bool is_constant(int place) const;
  /// The result in this place by y, t and 1, if all results are affine.
  [[nodiscard]] const double* row(int place) const { return z_.data() + place * (ny_ + 2); }
  [[nodiscard]] int multiplier_place(int row) const { return nq_ + row; }
  [[nodiscard]] int friction_place(int unit) const { return nq_ + rows_ + unit; }
  [[nodiscard]] int normal_place(int unit) const { return nq_ + rows_ + units_ + unit; }
  [[nodiscard]] int places() const { return nq_ + rows_ + 2 * units_; }

 private:
  void affine_loads(double t, double* f);
  void find_rates();
  void tabulate_column(ModeEquations& equations, const Mode& mode, bool constant, double* matrix, std::size_t stride);

  const System& system_;
  int nq_, ny_, units_, rows_ = 0;
  Mode mode_;
  bool linear_ = false;
  std::vector<double> z_, r_;  ///< ny_ + 2 and nq_ columns
  std::optional<AffineRates> rates_;
  std::vector<int> rest_;   ///< forces that are not affine
  std::vector<int> place_;  ///< 3 * body + c of coordinate i
  // scratch of tabulate()
  Kinematics kin_;
  std::vector<double> y_, load_, base_, rhs_, mu_, known_, columns_;
  ForceSlopes slopes_;
};

/// The linear modes of a system, the last ones used kept.
class LinearModes {
 public:
  /// Nothing speaks against it before a mode is known: all joint rows constant, few coordinates, no extra states.
  [[nodiscard]] static bool possible(const System& system);
  explicit LinearModes(const std::shared_ptr<const System>& system);

  /// The matrices of a mode; nullptr if it is not linear.
  const LinearMode* find(const Mode& mode) {
    if (!(table_[last_]->mode() == mode)) choose(mode);
    return table_[last_]->is_linear() ? table_[last_].get() : nullptr;
  }

 private:
  void choose(const Mode& mode);
  void add();

  ModeEquations equations_;
  std::vector<std::unique_ptr<LinearMode>> table_;
  std::size_t last_ = 0, next_ = 0;  ///< next_: to give up, when there are enough
};

}  // namespace hstar

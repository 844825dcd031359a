// src/formulation/mode_rows.hpp
//
// The rows of a mode - which ones, what they are where the motion was evaluated last, their factors: joint rows, then
// closed contacts' normal rows, then stuck units' rows. The same rows serve accelerations, velocities and positions.
#pragma once

#include <string>
#include <vector>

#include "formulation/element_motion.hpp"
#include "formulation/mode.hpp"
#include "formulation/row_factors.hpp"
#include "math/islands.hpp"
#include "math/tolerances.hpp"

namespace hstar {

/// Solves M a = f + G^T lambda, G a = rhs for the chosen rows.
class RowSolver {
 public:
  virtual ~RowSolver() = default;
  /// Factorises for the chosen rows at the last evaluated state. False if singular.
  virtual bool factor() = 0;
  virtual void solve(const double* f, const double* rhs, double* a, double* lambda) = 0;
};

class ModeRows final : public RowSolver {
 public:
  /// `keeps_factors`: rows never change, and their choices come again.
  ModeRows(const ElementMotion& motion, bool keeps_factors);

  void choose(const Mode& mode);
  /// Where the motion was evaluated last.
  void fill();
  /// Finds redundant rows among the filled ones; returns how many. `stick_tolerance`: of the rows of stuck units, if it
  /// is larger.
  int find_redundant(double tolerance = math::dependent_in_square, double stick_tolerance = 0);
  /// All three.
  int take(const Mode& mode) {
    choose(mode);
    fill();
    return find_redundant();
  }
  /// Of the filled rows; nothing to do while rows that never change keep their factors.
  bool factor() override { return factors_.factor(saddle_rows_.data(), count_); }
  /// Where that has failed: without the rows that are redundant in this place alone (RowFactors::factor_here).
  bool factor_here();
  /// At an accepted state of the motion: judges there if factors have failed meanwhile.
  void settle();
  [[nodiscard]] unsigned factor_version() const { return factors_.version(); }
  void solve(const double* f, const double* rhs, double* a, double* lambda) override {
    saddle().solve(f, rhs, a, lambda);
  }

  [[nodiscard]] static int most(const System& s);
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] const Row& operator[](int i) const { return rows_[i]; }
  [[nodiscard]] std::string name(int i) const;
  /// Index of a closed contact's normal row or of a stuck unit's first row; -1 if not chosen.
  [[nodiscard]] int of_contact(int contact) const { return contact_row_[contact]; }
  [[nodiscard]] int of_stuck(int unit) const { return stick_row_[unit]; }
  /// What may have a force.
  struct Acting {
    std::vector<int> contacts;  ///< the closed ones
    std::vector<int> units;     ///< of joints and of closed contacts
    friend bool operator==(const Acting&, const Acting&) = default;
  };
  [[nodiscard]] const Acting& acting() const { return acting_; }
  /// The rows whose multipliers make the normal force of a unit, from the first on.
  struct Range {
    int first, count;
  };
  [[nodiscard]] Range normal_rows(int unit) const;
  /// That normal force over its lever, and its derivative by these multipliers; lambda by row.
  double normal_force(int unit, int side, const double* lambda, double* derivative) const;
  /// Phi of the joints and gaps of closed contacts by row, 0 of stuck units.
  void positions(double* phi) const;

  [[nodiscard]] math::SaddleSolver& saddle() { return factors_.solver(); }
  [[nodiscard]] const math::SaddleSolver& saddle() const { return factors_.solver(); }
  [[nodiscard]] const math::SaddleRow* saddle_rows() const { return saddle_rows_.data(); }
  /// Of the bodies that these rows join.
  [[nodiscard]] const math::Islands& islands() const { return islands_; }

 private:
  void join_islands();

  const ElementMotion& motion_;
  RowFactors factors_;
  std::vector<Row> rows_;
  std::vector<math::SaddleRow> saddle_rows_;
  int count_ = -1;  ///< none chosen yet
  Mode chosen_;
  std::vector<int> contact_row_, stick_row_;
  Acting acting_;
  std::vector<int> joints_, closed_, stuck_;  ///< whose rows change; those of other joints are filled once
  std::vector<int> choice_;
  bool constant_ = false;  ///< none of the chosen rows ever changes
  math::Islands islands_, joint_islands_;
};

}  // namespace hstar

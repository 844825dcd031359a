// src/formulation/dae_slopes.hpp
//
// Forces of friction and the derivatives of all forces, rows and rates of a mode where its equations were evaluated
// last.
#pragma once

#include <algorithm>
#include <vector>

#include "formulation/dae_redundant.hpp"
#include "formulation/mode_equations.hpp"
#include "hstar/dae.hpp"
#include "mechanism/spatial/motion.hpp"

namespace hstar {

class MechanismSlopes {
 public:
  /// `mode` is that of the process; it is read at every call.
  MechanismSlopes(const ModeEquations& equations, const Mode& mode);

  /// The equations have chosen the rows of a mode.
  void begin();
  /// A row's multiplier is a force along it. That of a contact that skims is its friction, which leaves it no load.
  [[nodiscard]] bool exerts(int row) const {
    return std::find(skimming_rows_.begin(), skimming_rows_.end(), row) == skimming_rows_.end();
  }

  static constexpr int most_columns = 12;  ///< of a row: two bodies in space
  /// Friction of a unit where the equations were evaluated last, written as tau = known + slope_of_normal N(lambda).
  struct Friction {
    bool acts = false;
    Row row;
    double speed = 0, tau = 0;
    double d[most_directions] = {1, 0, 0};  ///< of several directions the row is that along d
    double by_speed = 0;                    ///< d tau / d gamma_T
    double by_normal = 0;                   ///< d tau / d N, lever included; 0 for a prescribed N
    double by_given = 0;                    ///< the same of a prescribed N
    double by_mu_static = 0, by_mu_kinetic = 0;
  };
  [[nodiscard]] Friction friction(std::size_t unit, const double* lambda);
  /// The velocities that a row's columns belong to, -1 where prescribed.
  void columns(const Row& row, int (&column)[most_columns]) const;
  /// Columns of a row: 6, in space 12.
  [[nodiscard]] int columns() const { return 2 * system_.columns; }
  [[nodiscard]] double entry(const Row& row, int c) const { return row.J[c / system_.columns][c % system_.columns]; }

  void jacobian(DaeEntries& rows) const;
  /// Fills the slopes of rows.
  void curvature(const double* mu, DaeEntries& out);
  /// a: null if derivatives of accelerations are not wanted.
  void differentiate(const double* a, const double* lambda, const DependentRows& dependent, DaeSlopes& slopes);

 private:
  /// Derivatives of a row with columns() columns.
  struct Slope {
    int columns;
    const double *J_by, *gamma_by;
    [[nodiscard]] double J(int a, int b) const { return J_by[a * columns + b]; }  ///< dJ_a by b
    [[nodiscard]] double gamma(int b) const { return gamma_by[b]; }
  };
  static Slope as_slope(const RowSlope& s) { return {6, s.J[0], s.gamma}; }
  static Slope as_slope(const SpatialRowSlope& s) { return {12, s.J[0], s.gamma}; }
  [[nodiscard]] Slope slope(int row) const {
    const auto i = static_cast<std::size_t>(row);
    return system_.is_spatial() ? as_slope(spatial_slope_[i]) : as_slope(slope_[i]);
  }

  void row_slopes();
  /// Two columns of a row between which it may have a slope wherever the bodies are: one pattern for a whole mode.
  [[nodiscard]] static bool turning_pair(int a, int b, int width) {
    return width == 3 ? a == b && a % 3 == 2 : a % 6 >= 3 || b % 6 >= 3;
  }
  /// Velocities and accelerations by column of a row; a: those of the free bodies, may be null.
  void motion(const Row& row, const double* a, double (&v)[most_columns], double (&acceleration)[most_columns]) const;
  void differentiate_forces(DaeSlopes& out);
  /// Adds derivatives of forces by body and column.
  void store(const ForceSlopes& slopes, DaeSlopes& out) const;
  /// What a friction force changes by through the formulas of its coefficients and its prescribed normal force.
  void differentiate_formulas(const FrictionUnit& unit, const Friction& f, DaeSlopes& out);
  void differentiate_rows(const double* a, const DependentRows& dependent, DaeSlopes& out) const;
  void differentiate_friction(const double* lambda, DaeSlopes& out);
  template <class RowSlopes>
  void differentiate_friction_of(std::size_t unit, const Friction& f, const RowSlopes* tangent, DaeSlopes& out);
  /// Derivatives of the rows of a unit's gamma_T.
  void tangent_slopes(std::size_t unit, RowSlope* out) const;
  void tangent_slopes(std::size_t unit, SpatialRowSlope* out) const;
  void differentiate_states(DaeSlopes& out);

  const ModeEquations& equations_;
  const System& system_;
  const Mode& mode_;
  std::vector<int> dof_;                        ///< velocity of a slot, -1 if none
  std::vector<RowSlope> slope_;                 ///< of the chosen rows, in the plane
  std::vector<SpatialRowSlope> spatial_slope_;  ///< and in space
  std::vector<double> derivative_;              ///< dN/d lambda
  std::vector<int> skimming_rows_;
  std::vector<double> exerted_;  ///< lambda of rows that exert them, else 0
  ForceSlopes force_slopes_;
};

}  // namespace hstar

// src/formulation/dae_problem.hpp
//
// A mechanism, planar or spatial, in its present mode as a DaeProblem: joint rows and gaps of closed contacts at
// position level, stuck units at velocity level, sliding friction inside F as -d mu(|gamma_T|) N(lambda).
//
// In space displacements are those of the centres and rotation vectors in body axes, so that M is constant, and
// orientations are moved on their group (Bruels & Cardona 2010); the parameters p are what is stored.
#pragma once

#include "formulation/consistent_restart.hpp"
#include "formulation/mode_equations.hpp"
#include "hstar/dae.hpp"
#include "mechanism/spatial/motion.hpp"

namespace hstar {

class MechanismDae final : public DaeProblem {
 public:
  /// `mode` is the mode of the process that owns this object; it is read at every call.
  MechanismDae(std::shared_ptr<const System> system, const Mode& mode, DaeForm form);
  /// The directions in which units slide are those that `from` keeps.
  void share_slide_references(const ModeEquations& from) { equations_.motion.share_references(from.motion); }

  /// Switches in formulas stand on these branches.
  void share_branches(const double* branches) { equations_.motion.kinematics().branches = branches; }

  [[nodiscard]] DaeForm form() const override { return form_; }
  [[nodiscard]] int coordinates() const override { return system_->nv; }
  [[nodiscard]] int places() const override { return system_->nq; }
  [[nodiscard]] int states() const override { return system_->ns; }
  [[nodiscard]] int max_rows() const override { return static_cast<int>(phi_.size()); }
  [[nodiscard]] const double* mass() const override { return mass_.data(); }
  [[nodiscard]] bool is_angle(int i) const override { return is_angle_[i] != 0; }
  [[nodiscard]] bool is_turned(int i) const override { return is_turned_[i] != 0; }
  bool begin(double t, const double* y) override;
  [[nodiscard]] int rows() const override { return equations_.rows.count(); }
  [[nodiscard]] DaeRow kind(int row) const override { return kind_[row]; }
  bool solve(double t, const double* y, double* a, double* rate, double* lambda) override;
  bool evaluate(double t, const double* y, const double* lambda) override;
  [[nodiscard]] const double* force() const override { return force_.data(); }
  [[nodiscard]] const double* rate() const override { return rate_.data(); }
  [[nodiscard]] const double* position() const override { return phi_.data(); }
  [[nodiscard]] const double* speed() const override { return speed_.data(); }
  [[nodiscard]] const double* gamma() const override { return gamma_.data(); }
  // dae_slopes.cpp
  void jacobian(DaeEntries& rows) override;
  void differentiate(const double* a, DaeSlopes& slopes) override;
  void curvature(const double* mu, DaeEntries& out) override;
  // dae_turning.cpp
  void displace(const double* q0, const double* displacement, double* q) override;
  void displace_slopes(const double* displacement, std::vector<DaeTurn>& out) override;
  void place_rates(const double* q, const double* v, double* q_dot) override;
  void settle(double c0, const double* past, const double* v, double* q) override;
  void settle_slopes(double c0, const double* v, std::vector<DaeTurn>& out) override;
  void turning(const double* q, const double* q_dot, double* out) override;
  void turning_slopes(const double* q, const double* q_dot, DaeEntries& by_rate, DaeEntries& by_q) override;

  [[nodiscard]] std::size_t solves() const { return equations_.solves; }

 private:
  static constexpr int most_columns = 12;  ///< of a row: two bodies in space
  /// Friction of a unit at the last evaluated point, written as tau = known + slope_of_normal N(lambda).
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
    return system_->is_spatial() ? as_slope(spatial_slope_[i]) : as_slope(slope_[i]);
  }

  // dae_redundant.cpp
  [[nodiscard]] std::size_t null_rows() const { return null_row_.size(); }
  [[nodiscard]] double* null(std::size_t d) { return null_.data() + d * phi_.size(); }
  bool find_null();
  bool choose_dependent();
  void extra_rates();
  // dae_friction.cpp
  [[nodiscard]] Friction friction(std::size_t unit, const double* lambda);
  void row_slopes();
  /// Two columns of a row between which it may have a slope wherever the bodies are: one pattern for a whole mode.
  [[nodiscard]] static bool turning_pair(int a, int b, int width) {
    return width == 3 ? a == b && a % 3 == 2 : a % 6 >= 3 || b % 6 >= 3;
  }
  void add_force(const Row& row, double multiplier);
  /// Columns of a row: 6, in space 12.
  [[nodiscard]] int columns() const { return 2 * system_->columns; }
  [[nodiscard]] double entry(const Row& row, int c) const { return row.J[c / system_->columns][c % system_->columns]; }
  /// The velocities that a row's columns belong to, -1 where prescribed.
  void columns(const Row& row, int (&column)[most_columns]) const;
  /// Velocities and accelerations by column of a row; a: those of the free bodies, may be null.
  void motion(const Row& row, const double* a, double (&v)[most_columns], double (&acceleration)[most_columns]) const;
  void differentiate_forces(DaeSlopes& out);
  /// Adds derivatives of forces by body and column.
  void store(const ForceSlopes& slopes, DaeSlopes& out) const;
  /// What a friction force changes by through the formulas of its coefficients and its prescribed normal force.
  void differentiate_formulas(const FrictionUnit& unit, const Friction& f, DaeSlopes& out);
  void differentiate_rows(const double* a, DaeSlopes& out);
  void differentiate_friction(DaeSlopes& out);
  template <class RowSlopes>
  void differentiate_friction_of(std::size_t unit, const Friction& f, const RowSlopes* tangent, DaeSlopes& out);
  /// Derivatives of the rows of a unit's gamma_T.
  void tangent_slopes(std::size_t unit, RowSlope* out) const;
  void tangent_slopes(std::size_t unit, SpatialRowSlope* out) const;
  void differentiate_states(DaeSlopes& out);

  std::shared_ptr<const System> system_;
  const Mode& mode_;
  DaeForm form_;
  ModeEquations equations_;
  std::vector<double> mass_, force_, rate_, phi_, speed_, gamma_, lambda_, derivative_;
  std::vector<double> slots_, state_;
  std::vector<DaeRow> kind_;
  std::vector<unsigned char> is_angle_, is_turned_;       ///< of each velocity, of each entry of q
  std::vector<RowSlope> slope_;                           ///< of the chosen rows, in the plane
  std::vector<SpatialRowSlope> spatial_slope_;            ///< and in space
  std::vector<int> dof_;                                  ///< velocity of a slot, -1 if none
  std::vector<double> null_, null_load_, null_a_, zero_;  ///< rows n of dependent rows, max_rows long
  std::vector<int> null_row_;                             ///< the dependent rows
  std::vector<char> dependent_;
  int positions_ = 0;  ///< rows before those of stuck units
  ForceSlopes force_slopes_;
};

}  // namespace hstar

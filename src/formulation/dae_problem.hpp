// src/formulation/dae_problem.hpp
//
// A mechanism in its present mode as a DaeProblem: joint rows and gaps of closed contacts at position
// level, stuck units at velocity level, sliding friction inside F as -d mu(|gamma_T|) N(lambda).
#pragma once

#include "formulation/consistent_restart.hpp"
#include "formulation/mode_equations.hpp"
#include "hstar/dae.hpp"

namespace hstar {

class MechanismDae final : public DaeProblem {
 public:
  /// `mode` is the mode of the process that owns this object; it is read at every call.
  MechanismDae(std::shared_ptr<const System> system, const Mode& mode, DaeForm form);

  [[nodiscard]] DaeForm form() const override { return form_; }
  [[nodiscard]] int coordinates() const override { return system_->nq; }
  [[nodiscard]] int states() const override { return system_->ns; }
  [[nodiscard]] int max_rows() const override { return static_cast<int>(phi_.size()); }
  [[nodiscard]] const double* mass() const override { return mass_.data(); }
  [[nodiscard]] bool is_angle(int i) const override { return is_angle_[static_cast<std::size_t>(i)] != 0; }
  bool begin(double t, const double* y) override;
  [[nodiscard]] int rows() const override { return equations_.row_count(); }
  [[nodiscard]] DaeRow kind(int row) const override { return kind_[static_cast<std::size_t>(row)]; }
  bool solve(double t, const double* y, double* a, double* rate, double* lambda) override;
  bool evaluate(double t, const double* y, const double* lambda) override;
  [[nodiscard]] const double* force() const override { return force_.data(); }
  [[nodiscard]] const double* rate() const override { return rate_.data(); }
  [[nodiscard]] const double* position() const override { return phi_.data(); }
  [[nodiscard]] const double* speed() const override { return speed_.data(); }
  [[nodiscard]] const double* gamma() const override { return gamma_.data(); }
  void jacobian(DaeEntries& rows) override;
  void differentiate(const double* a, DaeSlopes& slopes) override;
  void curvature(const double* mu, DaeEntries& out) override;

  [[nodiscard]] std::size_t solves() const { return equations_.solves; }

 private:
  /// Friction of a unit at the last evaluated point, written as tau = known + slope_of_normal N(lambda).
  struct Friction {
    bool acts = false;
    Row row;
    double speed = 0, tau = 0;
    double by_speed = 0;   ///< d tau / d gamma_T
    double by_normal = 0;  ///< d tau / d N, lever included; 0 for a prescribed N
  };
  [[nodiscard]] Friction friction(std::size_t unit, const double* lambda);
  /// First multiplier and number of multipliers that make N of a unit; derivative_ holds dN/d lambda.
  double normal_force(std::size_t unit, const double* lambda, int& first, int& count);
  void row_slopes();
  void add_force(const Row& row, double multiplier);
  [[nodiscard]] double free_speed(const Row& row) const;
  /// Columns of q for the six coordinates of a row, -1 where prescribed.
  void columns(const Row& row, int (&column)[6]) const;

  std::shared_ptr<const System> system_;
  const Mode& mode_;
  DaeForm form_;
  ModeEquations equations_;
  std::vector<double> mass_, force_, rate_, phi_, speed_, gamma_, lambda_, derivative_;
  std::vector<DaeRow> kind_;
  std::vector<unsigned char> is_angle_;                   ///< of each coordinate
  std::vector<RowSlope> slope_;                           ///< of the chosen rows
  std::vector<int> dof_;                                  ///< coordinate of 3 * body + 0..2, -1 if none
  std::vector<double> null_, null_load_, null_a_, zero_;  ///< rows n of dependent rows, max_rows long
  std::vector<std::size_t> null_at_;                      ///< where n of a dependent row begins
  ForceSlopes force_slopes_;
};

}  // namespace hstar

// src/formulation/dae_problem.hpp
//
// A mechanism, planar or spatial, in its present mode as a DaeProblem: joint rows and gaps of closed contacts at
// position level, stuck units at velocity level, sliding friction inside F as -d mu(|gamma_T|) N(lambda).
#pragma once

#include <algorithm>
#include "formulation/dae_redundant.hpp"
#include "formulation/dae_slopes.hpp"
#include "formulation/dae_turning.hpp"
#include "formulation/mode_equations.hpp"

namespace hstar {

class MechanismDae final : public DaeTurning {
 public:
  /// `mode` is the mode of the process that owns this object; it is read at every call.
  MechanismDae(std::shared_ptr<const System> system, const Mode& mode, DaeForm form);
  /// The directions in which units slide are those that `from` keeps.
  void share_slide_references(const ModeEquations& from) { equations_.motion.share_references(from.motion); }
  /// Switches in formulas stand on these branches.
  void share_branches(const double* branches) { equations_.motion.kinematics().branches = branches; }

  [[nodiscard]] DaeForm form() const override { return form_; }
  [[nodiscard]] int max_rows() const override { return static_cast<int>(phi_.size()); }
  [[nodiscard]] const double* mass() const override { return mass_.data(); }
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
  void jacobian(DaeEntries& rows) override { slopes_.jacobian(rows); }
  void differentiate(const double* a, DaeSlopes& slopes) override;
  void curvature(const double* mu, DaeEntries& out) override { slopes_.curvature(mu, out); }

  [[nodiscard]] std::size_t solves() const { return equations_.solves; }
  /// Some contact skims: the force that holds it is not along its row.
  [[nodiscard]] bool skims() const {
    return std::find(mode_.closed.begin(), mode_.closed.end(), skimming) != mode_.closed.end();
  }

 private:
  void extra_rates();
  void add_force(const Row& row, double multiplier);
  /// Those of the mode's equations, solved last, as these equations have them.
  void multipliers_of_mode(double* lambda) const;
  /// Into phi_: what the multipliers of rows that depend on others are off by. False: as solve().
  bool dependent_rows(const double* lambda);

  const Mode& mode_;
  DaeForm form_;
  ModeEquations equations_;
  DependentRows dependent_;
  MechanismSlopes slopes_;
  std::vector<double> mass_, force_, rate_, phi_, speed_, gamma_, lambda_, of_mode_;
  std::vector<DaeRow> kind_;
  bool shares_drive_ = false;  ///< friction by multipliers that the rows leave open
};

}  // namespace hstar

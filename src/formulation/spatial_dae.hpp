// src/formulation/spatial_dae.hpp
//
// A spatial mechanism without friction and contact as a DaeProblem of index 3 for the second-order methods:
// displacements are those of the centres and rotation vectors in body axes, so that M is constant and orientations are
// moved on their group (Bruels & Cardona 2010) instead of by four parameters with a constraint of their own.
#pragma once

#include "formulation/mode_equations.hpp"
#include "hstar/dae.hpp"

namespace hstar {

class SpatialDae final : public DaeProblem {
 public:
  SpatialDae(std::shared_ptr<const System> system, const Mode& mode);

  [[nodiscard]] int coordinates() const override { return system_->nv; }
  [[nodiscard]] int places() const override { return system_->nq; }
  [[nodiscard]] int states() const override { return system_->ns; }
  [[nodiscard]] int max_rows() const override { return system_->rows; }
  [[nodiscard]] const double* mass() const override { return mass_.data(); }
  void displace(const double* q0, const double* displacement, double* q) override;
  void place_rates(const double* q, const double* v, double* q_dot) override;
  bool begin(double t, const double* y) override;
  [[nodiscard]] int rows() const override { return system_->rows; }
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
  /// Places in v of the twelve columns of a row, -1 where prescribed.
  [[nodiscard]] std::array<int, 12> columns(const Row& row) const;
  void extra_rates();

  std::shared_ptr<const System> system_;
  const Mode& mode_;
  ModeEquations equations_;
  std::vector<double> mass_, force_, rate_, phi_, speed_, gamma_, lambda_, slots_, state_;
  std::vector<DaeRow> kind_;
  std::vector<SpatialRowSlope> slope_;
  std::vector<int> dof_;  ///< velocity of 6 * body + 0..5, -1 if none
  ForceSlopes force_slopes_;
  std::vector<double> null_, null_a_, zero_;  ///< n of dependent rows: n . lambda = 0, one after the other
  std::vector<std::size_t> null_at_;
};

}  // namespace hstar

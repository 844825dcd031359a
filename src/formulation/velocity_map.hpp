// src/formulation/velocity_map.hpp
//
// The rows of a mode, Phi v = nu, as a map from independent velocities to dependent ones, v_d = B v_i + ... with
// B = -Phi_d^-1 Phi_i: which velocities depend, their factors, and how much they grow. Dense, or sparse for mechanisms
// of many rows, where every cost is linear for chains, trees and chains of loops.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "formulation/mode_rows.hpp"
#include "hstar/elimination.hpp"

namespace hstar {

/// Rows in the order of the pivots, redundant ones from `rank` on; columns (indices into q) of the pivots, which
/// depend, then independent ones.
struct VelocityChoice {
  int rank = 0, leading_rank = 0;  ///< of all rows; of those that hold positions
  std::vector<int> rows, columns;
  [[nodiscard]] int row(int k) const { return rows[k]; }
  [[nodiscard]] int dependent(int k) const { return columns[k]; }
  [[nodiscard]] int independent(int k) const { return columns[rank + k]; }
};

class VelocityMap {
 public:
  virtual ~VelocityMap() = default;
  /// The coefficients of the filled rows.
  virtual void fill(const ModeRows& rows) = 0;
  /// Chooses for these coefficients, pivots from the first `leading` rows first.
  virtual void choose(int leading) = 0;
  /// The rank that choose() would find.
  virtual int rank_now(int leading) = 0;
  /// Largest entry of M_d^1/2 B M_i^-1/2, or a lower bound of it that is seldom far off, of these coefficients, and of
  /// the rows that hold positions alone: what only velocities depend on is as good as independent there. Infinite where
  /// Phi_d is singular or its pivots became small. Factorises.
  virtual double growth() = 0;
  /// Factorises the first `count` chosen rows for as many dependent columns. False if singular.
  virtual bool factor(int count) = 0;
  /// Solves these for the right-hand side x in place.
  virtual void solve(double* x) const = 0;
  /// `sum` less chosen row k's terms of independent velocities.
  [[nodiscard]] virtual double less_independent(int k, double sum, const double* v) const = 0;
  [[nodiscard]] const VelocityChoice& choice() const { return choice_; }

 protected:
  /// `root`: M^1/2 by column.
  VelocityMap(const System& system, std::vector<double> root) : system_(system), root_(std::move(root)) {}
  /// use(column, coefficient) for the entries of a row; a column may come twice.
  template <class Use>
  void each_entry(const Row& row, Use&& use) const {
    for (std::size_t k = 0; k < 2; ++k) {
      const Body& body = system_.bodies[row.body[k]];
      if (body.prescribed) continue;
      for (int c = 0; c < body.dofs; ++c) use(body.dof + c, row.J[k][c]);
    }
  }

  const System& system_;
  const std::vector<double> root_;
  VelocityChoice choice_;
};

class DenseVelocityMap final : public VelocityMap {
 public:
  /// Memory for `most` rows.
  DenseVelocityMap(const System& system, std::vector<double> root, std::size_t most);
  void fill(const ModeRows& rows) override;
  void choose(int leading) override;
  int rank_now(int leading) override;
  double growth() override;
  bool factor(int count) override;
  void solve(double* x) const override;
  void solve_transposed(double* x) const;
  [[nodiscard]] double less_independent(int k, double sum, const double* v) const override;
  /// Factorises all chosen rows and computes B. False if singular.
  bool find();
  /// B(k, l) = d v_dependent(k) / d v_independent(l).
  [[nodiscard]] double operator()(int k, int l) const { return b_[k * (n_ - choice_.rank) + l]; }
  /// Coefficient of row i in column j.
  [[nodiscard]] double coefficient(int i, int j) const { return phi_[i * n_ + j]; }
  [[nodiscard]] int row_count() const { return m_; }

 private:
  /// Growth of the first `count` chosen rows, which are factorised.
  double growth_of(int count);
  /// Of what is factorised: the largest entry of a row over its pivot, in the metric of kinetic energy.
  double pivot_loss();

  int n_, m_ = 0, factored_ = 0;
  std::vector<double> phi_, scaled_, lu_, b_, x_;
  std::vector<int> pivot_, place_;
  Elimination elimination_;
};

std::unique_ptr<VelocityMap> make_sparse_velocity_map(const System& system, std::vector<double> root);

}  // namespace hstar

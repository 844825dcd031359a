// src/formulation/partition_full.cpp: dependent coordinates eliminated. With v = B w + c, w the independent velocities,
//   B^T M B w' = B^T (f - M d),     d = c' + B' w the acceleration for w' = 0,
// is integrated; the reactions are recovered from the dependent rows of the equations of motion,
//   Phi_d^T lambda = M_d a_d - f_d.
// Friction that depends on reactions is part of f: Newton's method of ModeEquations iterates on it, each
// reduced solve being exact.
#include <algorithm>
#include <optional>

#include "formulation/partition_formulation.hpp"
#include "math/dense.hpp"
#include "math/redundant_rows.hpp"

namespace hstar {
namespace {

/// M a = f + G^T lambda, G a = rhs through the reduced equations.
class ReducedSolver final : public RowSolver {
 public:
  ReducedSolver(const ModeEquations& equations, CoordinatePartition& partition)
      : equations_(equations), partition_(partition), map_(*partition.dense()), choice_(map_.choice()) {
    const System& s = equations.system();
    const auto n = static_cast<std::size_t>(s.nv),
               m = static_cast<std::size_t>(s.rows + s.sliding_rows()) + s.contacts.size();
    reduced_.resize(n * n);
    w_.resize(n);
    d_.resize(std::max(n, m));
    lambda_.resize(std::max(n, m));
    redundant_.resize(m, m);
  }

  bool factor() override {
    map_.fill(equations_.rows);
    if (!map_.find()) return false;
    const int r = choice_.rank, free = independent_count();
    for (int i = 0; i < free; ++i)
      for (int j = 0; j <= i; ++j) {
        double sum = i == j ? mass(choice_.independent(i)) : 0.0;
        for (int k = 0; k < r; ++k) sum += map_(k, i) * mass(choice_.dependent(k)) * map_(k, j);
        reduced_[i * free + j] = sum;
      }
    return math::cholesky(reduced_.data(), free) && factor_redundant();
  }

  void solve(const double* f, const double* rhs, double* a, double* lambda) override {
    const int r = choice_.rank, free = independent_count();
    for (int k = 0; k < r; ++k) d_[at(k)] = rhs[choice_.row(k)];
    map_.solve(d_.data());
    for (int l = 0; l < free; ++l) {
      double sum = f[partition_.slot(choice_.independent(l))];
      for (int k = 0; k < r; ++k) {
        const int j = choice_.dependent(k);
        sum += map_(k, l) * (f[partition_.slot(j)] - mass(j) * d_[at(k)]);
      }
      w_[at(l)] = sum;
    }
    math::cholesky_solve(reduced_.data(), free, w_.data());
    std::fill(a, a + equations_.motion.mass().size(), 0.0);
    for (int l = 0; l < free; ++l) a[partition_.slot(choice_.independent(l))] = w_[at(l)];
    for (int k = 0; k < r; ++k) {
      const int j = choice_.dependent(k);
      double sum = d_[at(k)];
      for (int l = 0; l < free; ++l) sum += map_(k, l) * w_[at(l)];
      a[partition_.slot(j)] = sum;
      lambda_[at(k)] = mass(j) * sum - f[partition_.slot(j)];
    }
    map_.solve_transposed(lambda_.data());
    spread(lambda);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] double mass(int j) const { return equations_.motion.mass()[partition_.slot(j)]; }
  [[nodiscard]] int independent_count() const { return equations_.system().nv - choice_.rank; }

  /// Multipliers of least norm, as SaddleSolver gives them.
  bool factor_redundant() {
    const int r = choice_.rank, extra = map_.row_count() - r;
    redundant_.resize(at(extra), at(r));
    for (int e = 0; e < extra; ++e) {
      double* c = redundant_.combination(at(e));
      for (int k = 0; k < r; ++k) c[k] = map_.coefficient(choice_.row(r + e), choice_.dependent(k));
      map_.solve_transposed(c);
    }
    return redundant_.factor();
  }

  void spread(double* lambda) {
    const int r = choice_.rank, extra = map_.row_count() - r;
    const std::vector<double>& share = redundant_.spread(lambda_.data());
    for (int k = 0; k < r; ++k) lambda[choice_.row(k)] = lambda_[at(k)];
    for (int e = 0; e < extra; ++e) lambda[choice_.row(r + e)] = share[at(e)];
  }

  const ModeEquations& equations_;
  const CoordinatePartition& partition_;
  DenseVelocityMap& map_;
  const VelocityChoice& choice_;
  std::vector<double> reduced_, w_, d_, lambda_;
  math::RedundantRows redundant_;
};

class PartitionFull final : public PartitionFormulation {
 public:
  explicit PartitionFull(ModeEquations& equations) : PartitionFormulation(equations) {
    if (partition_.dense()) reduced_.emplace(equations, partition_);
  }

 private:
  /// Of many rows the reduced mass matrix would be full (a chain moves all links that hang from one): the saddle-point
  /// equations are the same ones before the elimination, and sparse.
  bool solve(const Mode& mode) override { return equations_.solve(mode, reduced_ ? &*reduced_ : nullptr); }

  std::optional<ReducedSolver> reduced_;
};

}  // namespace

std::unique_ptr<Formulation> make_partition_full(ModeEquations& e, const FormulationOptions&) {
  return std::make_unique<PartitionFull>(e);
}

}  // namespace hstar

// src/formulation/sparse_velocity_map.cpp: rows kept sparse, pivots chosen with a threshold, and growth looked for
// instead of computed: all of B would be quadratic for a chain.
#include <algorithm>
#include <cmath>

#include "formulation/tolerances.hpp"
#include "formulation/velocity_map.hpp"
#include "math/sparse_elimination.hpp"

namespace hstar {
namespace {

class SparseVelocityMap final : public VelocityMap {
 public:
  SparseVelocityMap(const System& system, std::vector<double> root) : VelocityMap(system, std::move(root)) {
    z_.resize(root_.size());
  }

  void fill(const ModeRows& rows) override {
    phi_.clear();
    for (int i = 0; i < rows.count(); ++i) {
      each_entry(rows[i], [&](int j, double value) {
        phi_.column.push_back(j);
        phi_.value.push_back(value);
      });
      phi_.first.push_back(static_cast<int>(phi_.column.size()));
    }
  }

  void choose(int leading) override {
    elimination_.choose(phi_, root_, leading, math::dependent_in_square);
    choice_.rank = elimination_.rank();
    choice_.leading_rank = leading == 0 ? 0 : elimination_.leading_rank();
    choice_.columns = elimination_.column_order();
    choice_.rows = elimination_.row_order();
    x_.resize(choice_.rows.size());
  }

  int rank_now(int leading) override {
    math::SparseElimination trial;  // the factors in use stay
    trial.choose(phi_, root_, leading, math::dependent_in_square);
    return trial.rank();
  }

  bool factor(int count) override {
    factored_ = count;
    return elimination_.factor(phi_);
  }

  void solve(double* x) const override { elimination_.solve(x, factored_); }

  [[nodiscard]] double less_independent(int k, double sum, const double* v) const override {
    each_chosen(k, [&](int j, double value) {
      if (elimination_.place(j) >= choice_.rank) sum -= value * v[j];
    });
    return sum;
  }

  double growth() override {
    // Pivots that became small ask for a new choice as well: the order they are taken in is fixed.
    if (!factor(choice_.rank)) return HUGE_VAL;
    if (std::max(elimination_.pivot_growth(), elimination_.pivot_loss()) > formulation::most_pivot_growth)
      return HUGE_VAL;
    const double positions = choice_.leading_rank < choice_.rank ? growth_of(choice_.leading_rank) : 0.0;
    return std::max(positions, growth_of(choice_.rank));
  }

 private:
  /// Of the first r pivots. Goes from the largest entry of a column to the largest of that entry's row and on: a lower
  /// bound. Begins at the largest column of a sum of rows with alternating signs (as Higham's norm estimator does:
  /// Higham 2002, sec. 15.3).
  double growth_of(int r) {
    factored_ = r;
    if (r == 0 || r == static_cast<int>(root_.size())) return 0;
    for (int k = 0; k < r; ++k)
      x_[k] = (k % 2 == 0 ? 1.0 : -1.0) * (1.0 + static_cast<double>(k) / r) * root_[choice_.dependent(k)];
    int column = 0, row = 0;
    largest_in_sum(&column);
    double found = 0;
    constexpr int most = 4;
    for (int search = 0; search < most; ++search) {
      const double in_column = largest_in_column(column, &row);
      if (!(in_column > found)) break;
      found = in_column;
      const double in_row = largest_in_row(row, &column);
      if (!(in_row > found)) break;
      found = in_row;
    }
    return found;
  }

  /// use(column, value) for the entries of chosen row k.
  template <class Use>
  void each_chosen(int k, Use&& use) const {
    const int i = choice_.row(k);
    for (int e = phi_.first[i]; e < phi_.first[i + 1]; ++e) use(phi_.column[e], phi_.value[e]);
  }

  /// Largest entry of the column of independent coordinate `column`; its place among the pivots.
  double largest_in_column(int column, int* row) {
    for (int k = 0; k < factored_; ++k) {
      double sum = 0;
      each_chosen(k, [&](int j, double value) {
        if (j == column) sum += value;
      });
      x_[k] = sum;
    }
    solve(x_.data());
    double largest = 0;
    for (int k = 0; k < factored_; ++k)
      if (const double value = std::abs(x_[k]) * root_[choice_.dependent(k)] / root_[column]; value > largest) {
        largest = value;
        *row = k;
      }
    return largest;
  }

  double largest_in_row(int row, int* column) {
    std::fill(x_.begin(), x_.end(), 0.0);
    x_[row] = root_[choice_.dependent(row)];
    return largest_in_sum(column);
  }

  /// Largest entry of B^T x M_i^-1/2, x by pivot in x_, and its column.
  double largest_in_sum(int* column) {
    elimination_.solve_transposed(x_.data(), factored_);
    std::fill(z_.begin(), z_.end(), 0.0);
    for (int k = 0; k < factored_; ++k) each_chosen(k, [&](int j, double value) { z_[j] += value * x_[k]; });
    double largest = 0;
    *column = choice_.columns[static_cast<std::size_t>(factored_)];
    for (auto l = static_cast<std::size_t>(factored_); l < z_.size(); ++l) {
      const int j = choice_.columns[l];
      if (const double value = std::abs(z_[j]) / root_[j]; value > largest) {
        largest = value;
        *column = j;
      }
    }
    return largest;
  }

  int factored_ = 0;  ///< so many of the pivots
  math::SparseRows phi_;
  math::SparseElimination elimination_;
  std::vector<double> x_, z_;  ///< by pivot; by column
};

}  // namespace

std::unique_ptr<VelocityMap> make_sparse_velocity_map(const System& system, std::vector<double> root) {
  return std::make_unique<SparseVelocityMap>(system, std::move(root));
}

}  // namespace hstar

// src/formulation/coordinate_partition_sparse.cpp: the choice of coordinates where the mode has many rows. The rows are
// kept sparse, the pivots are chosen with a threshold, and growth is looked for instead of computed: all of B would be
// quadratic for a chain.
#include <algorithm>
#include <cmath>

#include "formulation/coordinate_partition.hpp"
#include "math/tolerances.hpp"

namespace hstar {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void CoordinatePartition::fill_sparse() {
  const System& s = equations_.system();
  sparse_rows_.clear();
  for (int i = 0; i < m_; ++i) {
    const Row& row = equations_.rows[i];
    for (std::size_t k = 0; k < 2; ++k) {
      const Body& body = s.bodies[at(row.body[k])];
      if (body.prescribed) continue;
      for (int c = 0; c < body.dofs; ++c) {
        sparse_rows_.column.push_back(body.dof + c);
        sparse_rows_.value.push_back(row.J[k][c]);
      }
    }
    sparse_rows_.first.push_back(static_cast<int>(sparse_rows_.column.size()));
  }
}

int CoordinatePartition::sparse_rank() const {
  math::SparseElimination trial;  // the factors in use stay
  trial.choose(sparse_rows_, root_, holding_, math::dependent_row);
  return trial.rank();
}

void CoordinatePartition::choose_sparse() {
  sparse_elimination_.choose(sparse_rows_, root_, holding_, math::dependent_row);
  r_ = sparse_elimination_.rank();
  rp_ = holding_ == 0 ? 0 : sparse_elimination_.leading_rank();
  columns_.assign(sparse_elimination_.column_order().begin(), sparse_elimination_.column_order().end());
  rows_.assign(sparse_elimination_.row_order().begin(), sparse_elimination_.row_order().end());
  const double growth = growth_sparse();
  chosen_growth_ = std::isfinite(growth) ? growth : 0.0;
}

/// The largest entry of M_d^1/2 B M_i^-1/2 that a search finds going from the largest entry of a column to the largest
/// of that entry's row and on: a lower bound, seldom far off. Begins at the largest column of a sum of rows with
/// alternating signs (as Higham's norm estimator does: Higham 2002, sec. 15.3).
double CoordinatePartition::growth_sparse() {
  fill();
  // Pivots that became small ask for a new choice as well: the order they are taken in is fixed.
  if (!sparse_elimination_.factor(sparse_rows_) || sparse_elimination_.pivot_growth() > 1e4) return HUGE_VAL;
  if (r_ == 0 || r_ == n_) return 0;
  for (int k = 0; k < r_; ++k)
    x_[at(k)] = (k % 2 == 0 ? 1.0 : -1.0) * (1.0 + static_cast<double>(k) / r_) * root_[at(dependent(k))];
  int column = 0, row = 0;
  double found = 0;
  transposed_map(&column, &found);
  found = 0;
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

/// Largest entry of the column of independent coordinate `column`; its place among the pivots.
double CoordinatePartition::largest_in_column(int column, int* row) {
  for (int k = 0; k < r_; ++k) {
    double sum = 0;
    const auto i = at(this->row(k));
    for (int e = sparse_rows_.first[i]; e < sparse_rows_.first[i + 1]; ++e)
      if (sparse_rows_.column[at(e)] == column) sum += sparse_rows_.value[at(e)];
    x_[at(k)] = sum;
  }
  sparse_elimination_.solve(x_.data(), r_);
  double largest = 0;
  for (int k = 0; k < r_; ++k)
    if (const double value = std::abs(x_[at(k)]) * root_[at(dependent(k))] / root_[at(column)]; value > largest) {
      largest = value;
      *row = k;
    }
  return largest;
}

double CoordinatePartition::largest_in_row(int row, int* column) {
  std::fill(x_.begin(), x_.begin() + r_, 0.0);
  x_[at(row)] = root_[at(dependent(row))];
  double largest = 0;
  transposed_map(column, &largest);
  return largest;
}

/// Largest entry of B^T x M_i^-1/2, x by pivot in x_, and its column.
void CoordinatePartition::transposed_map(int* column, double* largest) {
  sparse_elimination_.solve_transposed(x_.data());
  std::fill(z_.begin(), z_.end(), 0.0);
  for (int k = 0; k < r_; ++k) {
    const auto i = at(row(k));
    for (int e = sparse_rows_.first[i]; e < sparse_rows_.first[i + 1]; ++e)
      z_[at(sparse_rows_.column[at(e)])] += sparse_rows_.value[at(e)] * x_[at(k)];
  }
  *largest = 0;
  *column = columns_[at(r_)];
  for (int l = r_; l < n_; ++l) {
    const int j = columns_[at(l)];
    if (const double value = std::abs(z_[at(j)]) / root_[at(j)]; value > *largest) {
      *largest = value;
      *column = j;
    }
  }
}

}  // namespace hstar

// src/contact/pivoted_rows.cpp
#include "contact/pivoted_rows.hpp"

#include <algorithm>
#include <cmath>

#include "contact/tolerances.hpp"

namespace hstar::contact {

void PivotedRows::reserve(int rows) {
  const std::size_t n = index(rows);
  factor_.resize(n * n);
  left_.resize(n);
  x_.resize(n);
  pivot_.reserve(n);
}

void PivotedRows::factor(const Problem& p, const std::vector<int>& held, const std::vector<int>& creeping) {
  n_ = p.rows();
  pivot_.clear();
  for (int i = 0; i < n_; ++i) left_[index(i)] = p.g(i, i);
  take(p, held);
  held_rank_ = rank();
  take(p, creeping);
  for (const int i : held) std::fill(factor_.begin() + i * n_ + held_rank_, factor_.begin() + i * n_ + rank(), 0.0);
}

void PivotedRows::take(const Problem& p, const std::vector<int>& rows) {
  for (std::size_t count = 0; count < rows.size(); ++count) {
    int best = -1;
    double largest = 0;
    for (const int i : rows)
      if (const double whole = std::max(p.g(i, i), p.alone[index(i)]), left = left_[index(i)];
          left > no_pivot(p, i) && left > largest * whole) {
        largest = left / whole;
        best = i;
      }
    if (best < 0) return;
    if (is_combination(p, best)) {
      left_[index(best)] = 0;
      continue;
    }
    const int rank = this->rank();
    const double root = std::sqrt(left_[index(best)]);
    const double* pivot = row(best);
    for (int i = 0; i < n_; ++i) {
      double* row = factor_.data() + i * n_;
      double sum = p.g(i, best);
      for (int k = 0; k < rank; ++k) sum -= row[k] * pivot[k];
      row[rank] = i == best ? root : sum / root;
      left_[index(i)] -= row[rank] * row[rank];
    }
    for (const int i : pivot_) factor_[index(i * n_ + rank)] = 0;
    left_[index(best)] = 0;
    pivot_.push_back(best);
  }
}

bool PivotedRows::is_pivot(int row) const { return std::find(pivot_.begin(), pivot_.end(), row) != pivot_.end(); }

const double* PivotedRows::combination(int row) {
  for (int k = rank() - 1; k >= 0; --k) {
    double sum = this->row(row)[k];
    for (int l = k + 1; l < rank(); ++l) sum -= this->row(pivot_[index(l)])[k] * x_[index(l)];
    x_[index(k)] = sum / this->row(pivot_[index(k)])[k];
  }
  return x_.data();
}

/// What is left of its diagonal is the square of J_i - x . J_P: it has the round-off of all of these.
bool PivotedRows::is_combination(const Problem& p, int row) {
  if (left_[index(row)] > round_off * p.g(row, row)) return false;
  const double* x = combination(row);
  double size = no_pivot(p, row);
  for (int k = 0; k < rank(); ++k) size += x[k] * x[k] * no_pivot(p, pivot_[index(k)]);
  return left_[index(row)] <= size;
}

void PivotedRows::lower(double* x) const {
  for (int k = 0; k < rank(); ++k) {
    const double* row = this->row(pivot_[index(k)]);
    double sum = x[k];
    for (int l = 0; l < k; ++l) sum -= row[l] * x[l];
    x[k] = sum / row[k];
  }
}

double PivotedRows::no_pivot(const Problem& p, int row) {
  // (What is left of a diagonal is the square of what is new in a row.)
  return std::max(dependent(p.rows()), p.drift * p.drift) * std::max(p.g(row, row), p.alone[index(row)]);
}

}  // namespace hstar::contact

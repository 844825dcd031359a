// src/formulation/dense_velocity_map.cpp: full-pivot elimination of Phi M^-1/2, all of B.
#include <algorithm>
#include <cmath>

#include "formulation/tolerances.hpp"
#include "formulation/velocity_map.hpp"
#include "math/dense.hpp"

namespace hstar {

DenseVelocityMap::DenseVelocityMap(const System& system, std::vector<double> root, std::size_t most)
    : VelocityMap(system, std::move(root)), n_(system.nv) {
  const std::size_t n = root_.size(), r = std::min(n, most);
  for (auto* v : {&pivot_, &place_}) v->resize(r);
  phi_.resize(most * n);
  scaled_.reserve(most * n);
  lu_.resize(r * r);
  b_.resize(n * n / 4 + 1);  // r (n - r) at most
  x_.resize(r);
  choice_.rows.reserve(most);
  choice_.columns.reserve(n);
  elimination_ = Elimination(most, n);
}

void DenseVelocityMap::fill(const ModeRows& rows) {
  m_ = rows.count();
  std::fill(phi_.begin(), phi_.begin() + m_ * n_, 0.0);
  for (int i = 0; i < m_; ++i) each_entry(rows[i], [&](int j, double value) { phi_[i * n_ + j] += value; });
}

int DenseVelocityMap::rank_now(int leading) {
  scaled_.resize(static_cast<std::size_t>(m_ * n_));
  for (int i = 0; i < m_; ++i)
    for (int j = 0; j < n_; ++j) {
      const auto at = static_cast<std::size_t>(i * n_ + j);
      scaled_[at] = phi_[at] / root_[j];
    }
  Elimination::Options options;
  options.tolerance = math::dependent_in_square;
  options.leading_rows = static_cast<std::size_t>(leading);
  elimination_.factor(scaled_, static_cast<std::size_t>(m_), static_cast<std::size_t>(n_), options);
  return static_cast<int>(elimination_.rank());
}

void DenseVelocityMap::choose(int leading) {
  choice_.rank = rank_now(leading);
  choice_.leading_rank = leading == 0 ? 0 : static_cast<int>(elimination_.leading_rank());
  choice_.columns.assign(elimination_.column_order().begin(), elimination_.column_order().end());
  choice_.rows.assign(elimination_.row_order().begin(), elimination_.row_order().end());
}

bool DenseVelocityMap::factor(int count) {
  factored_ = count;
  for (int k = 0; k < count; ++k)
    for (int l = 0; l < count; ++l) lu_[k * count + l] = coefficient(choice_.row(k), choice_.dependent(l));
  return math::lu(lu_.data(), count, pivot_.data());
}

void DenseVelocityMap::solve(double* x) const { math::lu_solve(lu_.data(), factored_, pivot_.data(), x); }
void DenseVelocityMap::solve_transposed(double* x) const {
  math::lu_solve_transposed(lu_.data(), factored_, pivot_.data(), x);
}

double DenseVelocityMap::less_independent(int k, double sum, const double* v) const {
  for (int l = 0; l < n_ - choice_.rank; ++l) {
    const int j = choice_.independent(l);
    sum -= coefficient(choice_.row(k), j) * v[j];
  }
  return sum;
}

bool DenseVelocityMap::find() {
  const int r = choice_.rank, free = n_ - r;
  if (!factor(r)) return false;
  for (int l = 0; l < free; ++l) {
    for (int k = 0; k < r; ++k) x_[k] = -coefficient(choice_.row(k), choice_.independent(l));
    solve(x_.data());
    for (int k = 0; k < r; ++k) b_[k * free + l] = x_[k];
  }
  return true;
}

double DenseVelocityMap::pivot_loss() {
  for (int k = 0; k < factored_; ++k) place_[k] = k;
  double loss = 0;
  for (int k = 0; k < factored_; ++k) {
    std::swap(place_[k], place_[pivot_[k]]);
    double largest = 0;
    for (int l = 0; l < factored_; ++l)
      largest = std::max(
          largest, std::abs(coefficient(choice_.row(place_[k]), choice_.dependent(l))) / root_[choice_.dependent(l)]);
    loss = std::max(loss, largest * root_[choice_.dependent(k)] / std::abs(lu_[k * factored_ + k]));
  }
  return loss;
}

double DenseVelocityMap::growth_of(int count) {
  if (!factor(count) || pivot_loss() > formulation::most_pivot_growth) return HUGE_VAL;
  double largest = 0;
  for (int l = count; l < n_; ++l) {
    const int other = choice_.columns[static_cast<std::size_t>(l)];
    for (int k = 0; k < count; ++k) x_[k] = coefficient(choice_.row(k), other);
    solve(x_.data());
    for (int k = 0; k < count; ++k)
      largest = std::max(largest, std::abs(x_[k]) * root_[choice_.dependent(k)] / root_[other]);
  }
  return largest;
}

double DenseVelocityMap::growth() {
  const double positions = choice_.leading_rank < choice_.rank ? growth_of(choice_.leading_rank) : 0.0;
  return std::max(positions, growth_of(choice_.rank));
}

}  // namespace hstar

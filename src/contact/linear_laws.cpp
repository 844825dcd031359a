// src/contact/linear_laws.cpp
#include "contact/linear_laws.hpp"

#include <algorithm>
#include <cmath>

#include "contact/tolerances.hpp"
#include "math/dense.hpp"

namespace hstar::contact {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void LinearLaws::reserve(int rows) {
  const std::size_t n = at(rows);
  for (auto* v : {&scaled_, &whole_factor_, &matrix_}) v->resize(n * n);
  for (auto* v : {&scale_, &x_}) v->resize(n);
  for (auto* v : {&pivot_, &place_}) v->resize(n);
  drags_.reserve(n);
}

bool LinearLaws::begin(const Problem& p) {
  const int n = p.rows();
  for (int i = 0; i < n; ++i) {
    // (What is left of a large diagonal by the bilateral rows has the round-off of that.)
    if (!(p.g(i, i) > clearly_independent * p.alone[at(i)])) return false;
    scale_[at(i)] = 1 / std::sqrt(p.g(i, i));
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) scaled_[at(i * n + j)] = p.g(i, j) * scale_[at(i)] * scale_[at(j)];
  std::copy_n(scaled_.data(), n * n, whole_factor_.data());
  if (!math::cholesky(whole_factor_.data(), n)) return false;
  for (int i = 0; i < n; ++i)
    if (!(std::pow(whole_factor_[at(i * n + i)], 2) > clearly_independent)) return false;
  return true;
}

bool LinearLaws::factor(const Problem& p, const std::vector<int>& held, const std::vector<Sliding>& sliding,
                        const Status& status, const double* mu, double* f) {
  const int n = p.rows(), m = static_cast<int>(held.size());
  std::fill(f, f + n, 0.0);
  drags_.clear();
  for (const Sliding& s : sliding) {
    const Unit& unit = p.unit[at(s.unit)];
    const bool by_contact = unit.normal == Unit::Normal::contact;
    const bool pressed = by_contact && status.contact[at(unit.contact)] == Press::loaded;
    const double N = by_contact ? 0 : p.normal(unit, f);
    for (int d = 0; d < unit.directions; ++d) {
      const double along = mu[s.unit] * status.unit[at(s.unit)].direction[at(d)];
      f[s.row + d] = (unit.slides ? unit.further[at(d)] : 0.0) - along * N;
      if (pressed && along != 0) drags_.push_back({s.row + d, p.contact[at(unit.contact)].row, along});
    }
  }
  whole_ = m == n;
  if (whole_) return true;
  for (int i = 0; i < m; ++i) {
    place_[at(held[at(i)])] = i;
    const double* row = scaled_.data() + held[at(i)] * n;
    for (int j = 0; j < m; ++j) matrix_[at(i * m + j)] = row[held[at(j)]];
  }
  for (const Drag& drag : drags_) {
    const double factor = drag.mu * scale_[at(drag.normal)] / scale_[at(drag.row)];
    for (int i = 0; i < m; ++i)
      matrix_[at(i * m + place_[at(drag.normal)])] -= factor * scaled_[at(held[at(i)] * n + drag.row)];
  }
  return math::lu(matrix_.data(), m, pivot_.data(), clearly_independent);
}

void LinearLaws::step(const std::vector<int>& held, const double* a, double* f) {
  const int m = static_cast<int>(held.size());
  // (The factor of the whole is in the order of rows, the other in that of `held`.)
  const auto order = [&](int i) { return whole_ ? at(held[at(i)]) : at(i); };
  for (int i = 0; i < m; ++i) x_[order(i)] = -a[held[at(i)]] * scale_[at(held[at(i)])];
  if (whole_)
    math::cholesky_solve(whole_factor_.data(), m, x_.data());
  else
    math::lu_solve(matrix_.data(), m, pivot_.data(), x_.data());
  for (int i = 0; i < m; ++i) {
    x_[order(i)] *= scale_[at(held[at(i)])];
    f[held[at(i)]] += x_[order(i)];
  }
  for (const Drag& drag : drags_) f[drag.row] -= drag.mu * x_[at(place_[at(drag.normal)])];
}

}  // namespace hstar::contact

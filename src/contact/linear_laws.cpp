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
  matrix_.resize(n * n);
  for (auto* v : {&scale_, &x_, &rise_}) v->resize(n);
  for (auto* v : {&pivot_, &place_}) v->resize(n);
  drags_.reserve(n);
}

/// The matrix without scales.
void LinearLaws::state_rows(const Problem& p, const std::vector<int>& held) {
  m_ = static_cast<int>(held.size());
  for (int i = 0; i < m_; ++i) {
    place_[at(held[at(i)])] = i;
    const double* g = p.G.data() + held[at(i)] * p.rows();
    for (int j = 0; j < m_; ++j) matrix_[at(i * m_ + j)] = g[held[at(j)]];
    scale_[at(i)] = g[held[at(i)]] > independent * p.alone[at(held[at(i)])] ? g[held[at(i)]] : 0;
  }
  for (const Drag& drag : drags_) {
    const double* g = p.G.data() + drag.row * p.rows();  // G is symmetric
    const int column = place_[at(drag.normal)];
    for (int i = 0; i < m_; ++i) matrix_[at(i * m_ + column)] -= drag.mu * g[held[at(i)]];
  }
}

void LinearLaws::state_shares(const Problem& p, const std::vector<int>& held, const PivotedRows& shared) {
  m_ = shared.rank();
  std::fill(matrix_.begin(), matrix_.begin() + m_ * m_, 0.0);
  const auto add = [&](const double* by, double factor, const double* row) {
    for (int k = 0; k < m_; ++k)
      if (by[k] != 0) math::subtract_row(matrix_.data() + k * m_, row, -factor * by[k], m_);
  };
  for (const int i : held) add(shared.row(i), 1 / p.compliance[at(i)], shared.row(i));
  for (int k = 0; k < m_; ++k) scale_[at(k)] = matrix_[at(k * m_ + k)];
  for (const Drag& drag : drags_)
    add(shared.row(drag.row), -drag.mu / p.compliance[at(drag.normal)], shared.row(drag.normal));
}

bool LinearLaws::begin(const Problem& p, const std::vector<int>& held, const std::vector<Sliding>& sliding,
                       const Status& status, const double* mu, const PivotedRows* shared, double* f) {
  std::fill(f, f + p.rows(), 0.0);
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
  if (shared)
    state_shares(p, held, *shared);
  else
    state_rows(p, held);
  for (int i = 0; i < m_; ++i) {
    if (!(scale_[at(i)] > 0)) return false;
    scale_[at(i)] = 1 / std::sqrt(scale_[at(i)]);
  }
  for (int i = 0; i < m_; ++i)
    for (int j = 0; j < m_; ++j) matrix_[at(i * m_ + j)] *= scale_[at(i)] * scale_[at(j)];
  return math::lu(matrix_.data(), m_, pivot_.data(), shared ? m_ * u : independent);
}

void LinearLaws::step(const Problem& p, const std::vector<int>& held, const PivotedRows* shared, const double* a,
                      double* f, double* xi) {
  for (int i = 0; i < m_; ++i) x_[at(i)] = -a[shared ? shared->pivots()[at(i)] : held[at(i)]];
  if (shared) shared->lower(x_.data());
  for (int i = 0; i < m_; ++i) x_[at(i)] *= scale_[at(i)];
  math::lu_solve(matrix_.data(), m_, pivot_.data(), x_.data());
  for (int i = 0; i < m_; ++i) x_[at(i)] *= scale_[at(i)];
  for (std::size_t i = 0; i < held.size(); ++i) {
    double rise = 0;
    if (shared)
      for (int k = 0; k < m_; ++k) rise += shared->row(held[i])[k] * x_[at(k)];
    rise_[at(held[i])] = shared ? rise / p.compliance[at(held[i])] : x_[i];
    f[held[i]] += rise_[at(held[i])];
  }
  for (const Drag& drag : drags_) f[drag.row] -= drag.mu * rise_[at(drag.normal)];
  for (int k = 0; k < m_ && shared; ++k) xi[k] += x_[at(k)];
}

}  // namespace hstar::contact

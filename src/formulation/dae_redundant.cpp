// src/formulation/dae_redundant.cpp: rows of a MechanismDae that depend on others.
//
// A dependent row d is replaced by n_d . lambda = 0, n_d the projection of e_d onto the multipliers that exert no
// force: multipliers are those of least norm whichever of the rows is left away, and smooth in time. Which row may be
// left away changes with the position (of Bricard's loop none may be over a whole turn): the rest has to be
// independent.
#include <algorithm>
#include <cmath>

#include "formulation/dae_problem.hpp"

namespace hstar {
namespace {
/// A row goes on to be left away while its part of the null space is this much of what another row would give.
constexpr double kHold = 0.3;
}  // namespace

/// n of the dependent rows at the last evaluated point: the load G_d^T is balanced by multipliers alone. False if the
/// rows that are kept have become dependent; n is then that of the point before.
bool MechanismDae::find_null() {
  const System& s = *system_;
  const int m = equations_.rows.count();
  auto& saddle = equations_.rows.saddle();
  if (!saddle.factor(equations_.rows.saddle_rows(), m)) return false;
  std::size_t at = 0;
  for (int d = 0; d < m; ++d) {
    if (!saddle.is_redundant(d)) continue;
    null_row_[at] = d;
    kind_[d] = DaeRow::multiplier;
    const Row& row = equations_.rows[d];
    std::fill(null_load_.begin(), null_load_.end(), 0.0);
    for (std::size_t i = 0; i < 2; ++i)
      for (int c = 0; c < s.columns; ++c) {
        const std::size_t slot = s.slot(static_cast<std::size_t>(row.body[i]), c);
        if (dof_[slot] >= 0) null_load_[slot] += row.J[i][c];
      }
    double* n = null(at++);
    saddle.solve(null_load_.data(), zero_.data(), null_a_.data(), n);
    // With massless coordinates the solver leaves the multipliers of dependent rows at zero, and so do we.
    if (n[d] == 0) std::fill(n, n + m, 0.0);
    n[d] += 1;
    double size = 0;
    for (int i = 0; i < m; ++i) size = std::max(size, std::abs(n[i]));
    if (!(size > 0) || !std::isfinite(size)) return false;
    for (int i = 0; i < m; ++i) n[i] /= size;
  }
  return true;
}

/// Leaves another row away where the present one is hardly dependent any more.
bool MechanismDae::choose_dependent() {
  const auto m = static_cast<std::size_t>(equations_.rows.count());
  bool changed = false;
  for (std::size_t d = 0; d < null_rows(); ++d) {
    const double* n = null(d);
    auto present = static_cast<std::size_t>(null_row_[d]);
    std::size_t best = present;
    const DaeRow imposed = null_row_[d] < positions_ ? DaeRow::position : DaeRow::velocity;
    for (std::size_t i = 0; i < m; ++i)
      if (kind_[i] == imposed && std::abs(n[i]) > std::abs(n[best])) best = i;
    if (std::abs(n[present]) >= kHold * std::abs(n[best])) continue;
    kind_[present] = imposed;
    kind_[best] = DaeRow::multiplier;
    changed = true;
    break;  // the others are judged when n is that of the new choice
  }
  if (!changed) return true;
  for (std::size_t i = 0; i < m; ++i) dependent_[i] = kind_[i] == DaeRow::multiplier;
  equations_.rows.saddle().take_redundant(dependent_.data(), static_cast<int>(m));
  return find_null();
}

}  // namespace hstar

// src/formulation/dae_redundant.cpp
#include "formulation/dae_redundant.hpp"

#include <algorithm>
#include <cmath>

namespace hstar {
namespace {
/// A row goes on to be left away while its part of the null space is this much of what another row would give.
constexpr double kHold = 0.3;
}  // namespace

DependentRows::DependentRows(ModeEquations& equations)
    : equations_(equations),
      load_(equations.system().slots()),
      a_(load_.size()),
      zero_(static_cast<std::size_t>(ModeRows::most(equations.system())), 0.0),
      left_away_(zero_.size()) {}

bool DependentRows::begin(std::vector<DaeRow>& kind) {
  const auto end = kind.begin() + equations_.rows.count();
  positions_ = static_cast<int>(std::find(kind.begin(), end, DaeRow::velocity) - kind.begin());
  row_.clear();
  return judge(kind);
}

bool DependentRows::judge(std::vector<DaeRow>& kind) {
  for (const int row : row_) kind[row] = imposed(row);
  row_.assign(static_cast<std::size_t>(equations_.rows.find_redundant()), 0);
  if (row_.empty()) return true;
  n_.assign(row_.size() * zero_.size(), 0.0);
  return find(kind) && leave_away(kind);
}

bool DependentRows::find(std::vector<DaeRow>& kind) {
  const int m = equations_.rows.count();
  auto& saddle = equations_.rows.saddle();
  // (Where the mode's equations have judged rows anew in one place, what was chosen before holds again.)
  independent_ = equations_.rows.factor();
  if (!independent_) return false;
  std::size_t at = 0;
  for (int d = 0; d < m; ++d) {
    if (!saddle.is_redundant(d)) continue;
    row_[at] = d;
    kind[d] = DaeRow::multiplier;
    const Row& row = equations_.rows[d];
    std::fill(load_.begin(), load_.end(), 0.0);
    row.add(1.0, load_.data(), equations_.system().columns);
    double* n = n_.data() + zero_.size() * at++;
    saddle.solve(load_.data(), zero_.data(), a_.data(), n);
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

bool DependentRows::choose(std::vector<DaeRow>& kind) { return independent_ ? leave_away(kind) : judge(kind); }

bool DependentRows::leave_away(std::vector<DaeRow>& kind) {
  const int m = equations_.rows.count();
  bool changed = false;
  for (std::size_t d = 0; d < count() && !changed; ++d) {  // the others are judged when n is that of the new choice
    const int present = row_[d];
    int best = present;
    for (int i = 0; i < m; ++i)
      if (kind[i] == imposed(present) && std::abs(n(d)[i]) > std::abs(n(d)[best])) best = i;
    if (std::abs(n(d)[present]) >= kHold * std::abs(n(d)[best])) continue;
    kind[present] = imposed(present);
    kind[best] = DaeRow::multiplier;
    changed = true;
  }
  if (!changed) return true;
  for (int i = 0; i < m; ++i) left_away_[i] = kind[i] == DaeRow::multiplier;
  equations_.rows.saddle().take_redundant(left_away_.data(), m);
  return find(kind);
}

}  // namespace hstar

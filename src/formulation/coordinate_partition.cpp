// src/formulation/coordinate_partition.cpp: the choice of coordinates, Newton-Raphson on the dependent ones.
#include "formulation/coordinate_partition.hpp"
#include "formulation/tolerances.hpp"

#include <algorithm>
#include <cmath>

namespace hstar {
namespace {
/// A dependent velocity more than this many times an independent one, in the metric of kinetic energy: another choice
/// is looked for. A fresh choice has 1 or less where it can. What growth costs is steps rather than digits, since the
/// rates as a function of the independent coordinates become as steep: the pendulum over the horizontal needs 8 % more
/// steps than without constraints at 2, 40 % more at 10.
constexpr double growth_limit = 2.0;
}  // namespace

CoordinatePartition::CoordinatePartition(ModeEquations& equations) : equations_(equations) {
  const System& s = equations.system();
  const auto n = static_cast<std::size_t>(s.nv),
             m = static_cast<std::size_t>(s.rows + s.sliding_rows()) + s.contacts.size();
  slot_.resize(n);
  std::vector<double> root(n);
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) {
      const auto j = static_cast<std::size_t>(s.bodies[b].dof + c);
      slot_[j] = s.slot(b, c);
      const double mass = equations.motion.mass()[slot_[j]];
      root[j] = mass > 0 ? std::sqrt(mass) : 1.0;  // a massless coordinate weighs like a unit mass
    }
  old_.reserve(n);
  x_.resize(std::min(n, m));
  residual_.resize(m);
  displacement_.resize(s.slots());
  closed_.reserve(s.contacts.size());
  stuck_.reserve(s.frictions.size());
  if (m > math::dense_rows(s.columns)) {
    map_ = make_sparse_velocity_map(s, std::move(root));
  } else {
    auto dense = std::make_unique<DenseVelocityMap>(s, std::move(root), m);
    dense_ = dense.get();
    map_ = std::move(dense);
  }
}

void CoordinatePartition::choose() {
  // (All rows of contacts hold positions, with load and without.)
  holding_ = equations_.system().rows + static_cast<int>(closed_.size()) -
             static_cast<int>(std::count(closed_.begin(), closed_.end(), 0));
  map_->choose(holding_);
  // A choice that cannot be judged is reviewed at the next step.
  const double growth = map_->growth();
  chosen_growth_ = std::isfinite(growth) ? growth : 0.0;
}

void CoordinatePartition::fill(double t, const double* y) {
  equations_.motion.evaluate(t, y);
  equations_.rows.fill();
  map_->fill(equations_.rows);
}

bool CoordinatePartition::restart(const Mode& mode, double t, const double* y) {
  bool same = has_choice_ && mode.closed == closed_ && stuck_.size() == mode.friction.size();
  for (std::size_t u = 0; same && u < stuck_.size(); ++u)
    same = (mode.friction[u].slide == Slide::stick) == (stuck_[u] != 0);
  if (same) return review(t, y);
  closed_ = mode.closed;
  stuck_.resize(mode.friction.size());
  for (std::size_t u = 0; u < stuck_.size(); ++u) stuck_[u] = mode.friction[u].slide == Slide::stick;
  fill(t, y);
  choose();
  has_choice_ = true;
  return false;
}

bool CoordinatePartition::review(double t, const double* y) {
  fill(t, y);
  const VelocityChoice& choice = map_->choice();
  const double now = map_->growth();
  // Rows may have lost their rank when the choice was made, at a singular position, and have it again.
  if (now <= std::max(growth_limit, 2 * chosen_growth_) &&
      (choice.rank == equations_.rows.count() || map_->rank_now(holding_) <= choice.rank))
    return false;
  old_.assign(choice.columns.begin(), choice.columns.begin() + choice.rank);
  choose();
  std::sort(old_.begin(), old_.end());
  bool other = static_cast<int>(old_.size()) != choice.rank;
  for (int k = 0; k < choice.rank && !other; ++k)
    other = !std::binary_search(old_.begin(), old_.end(), choice.dependent(k));
  return other;
}

bool CoordinatePartition::positions(double t, double* y) {
  const System& s = equations_.system();
  constexpr int most = 12;
  const VelocityChoice& choice = map_->choice();
  double before = HUGE_VAL;
  for (int iteration = 0; iteration < most; ++iteration) {
    equations_.motion.evaluate(t, y);
    equations_.rows.fill();
    if (choice.leading_rank == 0) return true;
    const Kinematics& k = equations_.motion.kinematics();
    equations_.rows.positions(residual_.data());
    if (!correct_positions()) return false;
    const double size = std::max(s.length, k.extent());
    double change = 0;
    for (int i = 0; i < choice.leading_rank; ++i) {
      const int j = choice.dependent(i);
      const bool angle = s.turns(static_cast<int>(slot(j)) % s.columns);
      const double scale = !angle ? size : s.is_spatial() ? 1.0 : 1 + std::abs(y[j]);
      change = std::max(change, std::abs(x_[i]) / scale);
    }
    if (!(change < 1) || (iteration > 2 && change > before)) return false;
    // Below round-off of the coordinates nothing is gained: stuck bodies stay where they are to the last bit.
    if (change > formulation::no_correction) move_dependent(y);
    // Newton-Raphson squares the relative error: after this one only round-off is left.
    if (change <= formulation::last_correction) {
      if (change > formulation::no_correction) {
        equations_.motion.evaluate(t, y);
        equations_.rows.fill();
      }
      return true;
    }
    before = change;
  }
  return false;
}

void CoordinatePartition::move_dependent(double* y) {
  const System& s = equations_.system();
  const VelocityChoice& choice = map_->choice();
  if (!s.is_spatial()) {
    for (int i = 0; i < choice.leading_rank; ++i) y[choice.dependent(i)] += x_[i];
    return;
  }
  std::fill(displacement_.begin(), displacement_.end(), 0.0);
  for (int i = 0; i < choice.leading_rank; ++i) displacement_[slot(choice.dependent(i))] = x_[i];
  s.displace(displacement_.data(), 1.0, y);
}

bool CoordinatePartition::correct_positions() {
  const VelocityChoice& choice = map_->choice();
  map_->fill(equations_.rows);
  for (int i = 0; i < choice.leading_rank; ++i) x_[i] = -residual_[choice.row(i)];
  if (!map_->factor(choice.leading_rank)) return false;
  map_->solve(x_.data());
  return true;
}

bool CoordinatePartition::complete(double t, double* y) {
  if (!positions(t, y)) return false;
  double* velocity = y + equations_.system().nq;
  if (!dependent_velocities(velocity)) return false;
  for (int k = 0; k < dependent_count(); ++k) {
    const double v = x_[k];
    if (!std::isfinite(v)) return false;
    velocity[map_->choice().dependent(k)] = v;
  }
  return true;
}

bool CoordinatePartition::dependent_velocities(const double* v) {
  const VelocityChoice& choice = map_->choice();
  map_->fill(equations_.rows);
  for (int k = 0; k < choice.rank; ++k) x_[k] = map_->less_independent(k, equations_.rows[choice.row(k)].nu, v);
  if (!map_->factor(choice.rank)) return false;
  map_->solve(x_.data());
  return true;
}

}  // namespace hstar

// src/formulation/mode_split.cpp: forces of redundant contacts.
//
// Of contacts that depend on each other the motion is unique and the split of forces is not. Any split may be reported
// that satisfies all cones; the one taken is furthest inside of them by its smallest slack, then by the next
// (lexicographic maximum), because it leaves the cones exactly when every split does: a bench lifts a foot, a sled on
// two feet breaks loose when no split of normal force and friction can hold it, not when a chosen one cannot.
// Round cones: mode_cuts.cpp.
#include <algorithm>
#include <cmath>

#include "formulation/force_split.hpp"
#include "formulation/mode_equations.hpp"

namespace hstar {
namespace {
/// Larger problems keep the least-norm split: null spaces of many rows are dense.
constexpr int most_rows = 96;
constexpr double round_off = ForceSplit::round_off;
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

int ModeEquations::prepare_split(const Mode& mode, bool by_groups) {
  const System& s = *system_;
  if (m_ > most_rows) return 0;
  // Joints alone have no cones: their reactions keep the least norm.
  if (std::all_of(contact_row_.begin(), contact_row_.end(), [](int row) { return row < 0; })) return 0;
  if (!split_) split_ = std::make_shared<ForceSplit>();
  ForceSplit& f = *split_;
  const int height = static_cast<int>(mass_.size());
  f.rows = m_;
  f.columns.assign(at(height * m_), 0.0);
  const auto put = [&](int column, const Row& row, double factor) {
    for (std::size_t i = 0; i < 2; ++i)
      for (int c = 0; c < s.columns; ++c) {
        const int k = s.columns * row.body[i] + c;
        if (mass_[at(k)] < 0) continue;
        f.columns[at(k * m_ + column)] += factor * row.J[i][c] * (mass_[at(k)] > 0 ? 1 / std::sqrt(mass_[at(k)]) : 1.0);
      }
  };
  // Of a group of stuck contacts with one tangential row the first one's force stands for all of them.
  f.skip.assign(at(m_), 0);
  for (const Grouped& one : grouped_)
    if (by_groups && one.group != one.unit) f.skip[at(stick_row_[at(one.unit)])] = 1;
  for (int i = 0; i < m_; ++i)
    if (!f.skip[at(i)]) put(i, rows_[at(i)], 1.0);
  // A sliding contact's friction follows its normal force. Pins are not linear: their forces are kept.
  for (const Sliding& slides : sliding_) {
    const FrictionUnit& unit = s.frictions[at(slides.unit)];
    if (unit.contact >= 0) put(contact_row_[at(unit.contact)], slides.row, slides.coefficient);
  }
  double longest = 0;
  for (const double x : f.columns) longest = std::max(longest, std::abs(x));
  if (longest > 0)
    for (double& x : f.columns) x /= longest;
  if (f.find_null(height) == 0) return 0;
  begin_cuts(mode);
  return list_slacks(mode, by_groups) ? f.dimension : 0;
}

bool ModeEquations::list_slacks(const Mode& mode, bool by_groups) {
  const System& s = *system_;
  ForceSplit& f = *split_;
  double largest = 0;
  for (int i = 0; i < m_; ++i) largest = std::max(largest, std::abs(lambda_[at(i)]));
  for (const double x : load_) largest = std::max(largest, std::abs(x));
  f.count = 0;
  bool contacts = false;
  for (int c = 0; c < static_cast<int>(s.contacts.size()); ++c) {
    const int row = contact_row_[at(c)], unit = s.contact_friction[at(c)];
    if (row < 0) continue;
    const double normal = lambda_[at(row)];
    f.add(normal, false);
    for (int d = 0; d < f.dimension; ++d) {
      f.last_slope(d) = f.null[at(d * m_ + row)];
      contacts |= f.last_slope(d) != 0;
    }
    f.add(ForceSplit::preload * largest - normal, true);  // preload that nothing bounds is not looked for
    for (int d = 0; d < f.dimension; ++d) f.last_slope(d) = -f.null[at(d * m_ + row)];
    if (unit < 0 || mode.friction[at(unit)].slide != Slide::stick || s.frictions[at(unit)].directions > 1) continue;
    const int stick = stick_row_[at(unit)];
    if (f.skip[at(stick)]) continue;
    const auto each_of_group = [&](const auto& use) {
      bool any = false;
      for (const Grouped& one : grouped_)
        if (by_groups && one.group == unit) use(one.unit, one.sign), any = true;
      if (!any) use(unit, 1);
    };
    double held = 0, force = 0;
    each_of_group([&](int u, int turned) {
      held += s.frictions[at(u)].law.mu_static() * lambda_[at(contact_row_[at(s.frictions[at(u)].contact)])];
      force += turned * lambda_[at(stick_row_[at(u)])];
    });
    for (const double sign : {1.0, -1.0}) {
      f.add(held + sign * force, false);
      for (int d = 0; d < f.dimension; ++d) {
        double change = sign * f.null[at(d * m_ + stick)], size = std::abs(change);
        each_of_group([&](int u, int) {
          const double more =
              s.frictions[at(u)].law.mu_static() * f.null[at(d * m_ + contact_row_[at(s.frictions[at(u)].contact)])];
          change += more;
          size += std::abs(more);
        });
        // A reserve that no split changes (a block on a sliding one with the same mu) must be seen to be that.
        f.last_slope(d) = std::abs(change) > round_off * size ? change : 0.0;
        contacts |= f.last_slope(d) != 0;
      }
    }
  }
  for (const ForceSplit::Cut& cut : f.cuts) {
    const FrictionUnit& unit = s.frictions[at(cut.unit)];
    const double holds = unit.law.mu_static() * unit.lever;
    const int normal = contact_row_[at(unit.contact)], stick = stick_row_[at(cut.unit)];
    double slack = holds * lambda_[at(normal)];
    for (int i = 0; i < unit.directions; ++i) slack -= cut.along[at(i)] * lambda_[at(stick + i)];
    f.add(slack, false);
    for (int d = 0; d < f.dimension; ++d) {
      const double* null = f.null.data() + d * m_;
      double change = holds * null[normal], size = std::abs(change);
      for (int i = 0; i < unit.directions; ++i) {
        change -= cut.along[at(i)] * null[stick + i];
        size += std::abs(cut.along[at(i)] * null[stick + i]);
      }
      f.last_slope(d) = std::abs(change) > round_off * size ? change : 0.0;
      contacts |= f.last_slope(d) != 0;
    }
  }
  return contacts;
}

void ModeEquations::split_redundant(const Mode& mode) {
  const int dimension = prepare_split(mode, true);
  if (dimension == 0) return;
  ForceSplit& f = *split_;
  if (!(f.cuts.empty() ? maximise_slacks() : maximise_margin(mode))) return;
  for (int d = 0; d < dimension; ++d)
    for (int i = 0; i < m_; ++i) lambda_[at(i)] += f.point[at(d)] * f.null[at(d * m_ + i)];
  for (const Sliding& slides : sliding_) {
    const FrictionUnit& unit = system_->frictions[at(slides.unit)];
    if (unit.contact < 0) continue;
    const int row = contact_row_[at(unit.contact)];
    for (int d = 0; d < dimension; ++d)
      friction_[at(slides.unit)] += slides.coefficient * f.point[at(d)] * f.null[at(d * m_ + row)];
  }
}

bool ModeEquations::maximise_slacks() {
  ForceSplit& f = *split_;
  const int dimension = f.dimension;
  f.fixed.assign(at(f.count), HUGE_VAL);
  f.basis.resize(at(dimension * dimension));
  f.free.resize(at(dimension * dimension));
  f.point.assign(at(dimension), 0.0);
  f.basis_count = 0;
  f.fix_constant();
  bool found = false;
  // Each round fixes the slacks that hold the level down, and goes on in the directions that leave them as they are.
  for (int round = 0; round <= dimension && f.basis_count < dimension; ++round) {
    const int directions = f.find_free(), n = directions + 1;
    int rows = 0, free_rows = 0;
    f.A.resize(at(f.count * n));
    f.b.resize(at(f.count));
    f.y.resize(at(f.count));
    f.x.resize(at(n));
    f.goal.assign(at(n), 0.0);
    f.goal[at(directions)] = 1;
    const auto add = [&](int j, double weight) {
      const double* own = f.slope.data() + j * dimension;
      for (int i = 0; i < directions; ++i) {
        double sum = 0;
        for (int d = 0; d < dimension; ++d) sum -= own[d] * f.free[at(i * dimension + d)];
        f.A[at(rows * n + i)] = sum;
      }
      f.A[at(rows * n + directions)] = weight;
      f.b[at(rows++)] = f.now(j);
    };
    // The slacks that are maximised stand first.
    for (int j = 0; j < f.count; ++j)
      if (!f.hard[at(j)] && f.fixed[at(j)] == HUGE_VAL) add(j, 1);
    free_rows = rows;
    if (free_rows == 0) break;
    for (int j = 0; j < f.count; ++j)
      if (f.hard[at(j)]) add(j, 0);
    if (f.lp.maximise(f.goal.data(), f.A.data(), f.b.data(), n, rows, f.x.data(), f.y.data()) != math::LpStatus::solved)
      break;
    found = true;
    for (int i = 0; i < directions; ++i)
      for (int d = 0; d < dimension; ++d) f.point[at(d)] += f.x[at(i)] * f.free[at(i * dimension + d)];
    int row = 0;
    for (int j = 0; j < f.count; ++j)
      if (!f.hard[at(j)] && f.fixed[at(j)] == HUGE_VAL && f.y[at(row++)] > 1e-9) f.fix(j, f.x[at(directions)]);
    f.fix_constant();
  }
  return found;
}

}  // namespace hstar

// src/formulation/mode_cuts.cpp: forces of redundant contacts in space, and the range they may have.
//
// A stuck contact's cone |lambda_T| <= mu lambda_N is round. The split taken is the one whose smallest slack, in
// newtons of normal force, is largest: a second-order cone program. For the range of one force the cone is cut out by
// half-spaces u . lambda_T <= mu lambda_N: a few at first, then one more where an answer lies outside (Kelley 1960).
#include <algorithm>
#include <array>
#include <cmath>

#include "formulation/force_split.hpp"
#include "formulation/mode_equations.hpp"

namespace hstar {
namespace {
constexpr double outside = 1e-9;  // relative: a force that far outside of its cone is inside
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void ModeEquations::begin_cuts(const Mode& mode) {
  std::vector<ForceSplit::Cut>& cuts = split_->cuts;
  cuts.clear();
  for (std::size_t u = 0; u < system_->frictions.size(); ++u) {
    const FrictionUnit& unit = system_->frictions[u];
    if (unit.contact < 0 || mode.friction[u].slide != Slide::stick) continue;
    if (unit.directions == 1 && unit.part == FrictionPart::sliding) continue;  // in the plane: with its group
    for (std::size_t i = 0; i < static_cast<std::size_t>(unit.directions); ++i)
      for (const double sign : {1.0, -1.0}) {
        cuts.push_back({static_cast<int>(u), {0, 0, 0}});
        cuts.back().along[i] = sign;
      }
  }
}

bool ModeEquations::add_cuts(const Mode& mode, const double* point) {
  ForceSplit& f = *split_;
  if (f.cuts.empty()) return false;
  std::vector<double>& change = f.change;  // of the multipliers
  change.assign(at(m_), 0.0);
  for (int d = 0; d < f.dimension; ++d)
    for (int i = 0; i < m_; ++i) change[at(i)] += point[d] * f.null[at(d * m_ + i)];
  bool added = false;
  for (std::size_t u = 0; u < system_->frictions.size(); ++u) {
    const FrictionUnit& unit = system_->frictions[u];
    if (unit.contact < 0 || unit.directions == 1 || mode.friction[u].slide != Slide::stick) continue;
    std::array<double, most_directions> force{};
    double size = 0, cut = 0;
    for (int i = 0; i < unit.directions; ++i) {
      const int row = stick_row_[u] + i;
      force[at(i)] = lambda_[at(row)] + change[at(row)];
      size = std::hypot(size, force[at(i)]);
    }
    for (const ForceSplit::Cut& c : f.cuts) {
      if (c.unit != static_cast<int>(u)) continue;
      double along = 0;
      for (int i = 0; i < unit.directions; ++i) along += c.along[at(i)] * force[at(i)];
      cut = std::max(cut, along);
    }
    const int normal = contact_row_[at(unit.contact)];
    const double limit = unit.law.mu_static() * unit.lever * (lambda_[at(normal)] + change[at(normal)]);
    if (size - cut <= outside * std::max(size, std::abs(limit))) continue;
    for (double& x : force) x /= size;
    f.cuts.push_back({static_cast<int>(u), force});
    added = true;
  }
  return added;
}

bool ModeEquations::maximise_margin(const Mode& mode) {
  const System& s = *system_;
  ForceSplit& f = *split_;
  const int dimension = f.dimension;
  math::CommonMargin& program = f.margin;
  program.begin(dimension);
  // Row `entry` of a cone is factor times a multiplier.
  const auto put = [&](const math::CommonMargin::Block& cone, int entry, int row, double factor) {
    cone.h[entry] += factor * lambda_[at(row)];
    for (int d = 0; d < dimension; ++d) {
      const double slope = f.null[at(d * m_ + row)];
      if (std::abs(slope) > ForceSplit::round_off) cone.A[entry * cone.stride + d] += factor * slope;
    }
  };
  double largest = 0;
  for (int i = 0; i < m_; ++i) largest = std::max(largest, std::abs(lambda_[at(i)]));
  for (const double x : load_) largest = std::max(largest, std::abs(x));
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const int row = contact_row_[c];
    if (row < 0) continue;
    put(program.add(1, 1), 0, row, 1);
    const auto bound = program.add(1, 0);
    put(bound, 0, row, -1);
    bound.h[0] += ForceSplit::preload * largest;
  }
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    const double holds = unit.law.mu_static() * unit.lever;
    if (unit.contact < 0 || mode.friction[u].slide != Slide::stick || !(holds > 0)) continue;
    const auto cone = program.add(1 + unit.directions, 1);
    put(cone, 0, contact_row_[at(unit.contact)], 1);
    for (int i = 0; i < unit.directions; ++i) put(cone, 1 + i, stick_row_[u] + i, 1 / holds);
  }
  if (!std::isfinite(program.maximise())) return false;
  f.point.assign(program.x().begin(), program.x().begin() + dimension);
  return true;
}

bool ModeEquations::force_range(const Mode& mode, int row, double& least, double& largest) {
  least = largest = lambda_[at(row)];
  if (saddle_.redundant_count() == 0) return false;
  const int dimension = prepare_split(mode, false);
  if (dimension == 0) return false;
  ForceSplit& f = *split_;
  double size = 0, bound = 0;
  std::vector<double> goal(at(dimension));
  for (const double sign : {1.0, -1.0}) {
    for (int d = 0; d < dimension; ++d) {
      goal[at(d)] = sign * f.null[at(d * m_ + row)];
      size = std::max(size, std::abs(goal[at(d)]));
    }
    if (size <= 1e-9) return false;
    for (int round = 0;; ++round) {
      f.A.resize(at(f.count * dimension));
      f.b.assign(f.value.begin(), f.value.begin() + f.count);
      for (int j = 0; j < f.count * dimension; ++j) f.A[at(j)] = -f.slope[at(j)];
      for (int j = 0; j < f.count; ++j) {
        f.b[at(j)] += 1e-12 * std::abs(f.value[at(j)]);
        if (f.hard[at(j)]) bound = std::max(bound, f.value[at(j)]);
      }
      f.y.resize(at(f.count));
      f.x.resize(at(dimension));
      if (f.lp.maximise(goal.data(), f.A.data(), f.b.data(), dimension, f.count, f.x.data(), f.y.data()) !=
          math::LpStatus::solved)
        return false;
      if (round == ForceSplit::most_cuts || !add_cuts(mode, f.x.data())) break;
      list_slacks(mode, false);
    }
    double change = 0;
    for (int d = 0; d < dimension; ++d) change += f.null[at(d * m_ + row)] * f.x[at(d)];
    (sign > 0 ? largest : least) = lambda_[at(row)] + change;
  }
  return largest - least > 1e-9 * (std::abs(least) + std::abs(largest)) && largest < 0.4 * bound;
}

}  // namespace hstar

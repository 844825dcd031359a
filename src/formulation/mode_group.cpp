// src/formulation/mode_group.cpp: stuck contacts that share one tangential row.
//
// Contacts of two bodies whose tangential rows are the same (feet on one floor) carry any share of the sum of their
// friction. Shares in proportion to what each can hold, mu_static lambda_N, stick as long as any shares do; the group
// breaks away as one, when the sum reaches what all of them hold.
#include <algorithm>
#include <cmath>

#include "formulation/mode_equations.hpp"

namespace hstar {
namespace {
constexpr double dependent = 1e-9;       // relative: two rows are the same
constexpr std::size_t most_stuck = 200;  // beyond it groups are not looked for
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

int same_row(const Row& a, const Row& b, int columns) {
  const bool turned = a.body[0] == b.body[1] && a.body[1] == b.body[0];
  if (a.body != b.body && !turned) return 0;
  double difference[2] = {0, 0}, size = 0;  // to the same, to the opposite row
  for (std::size_t i = 0; i < 2; ++i)
    for (int c = 0; c < columns; ++c) {
      const double x = a.J[i][c], y = b.J[turned ? 1 - i : i][c];
      difference[0] = std::max(difference[0], std::abs(x - y));
      difference[1] = std::max(difference[1], std::abs(x + y));
      size = std::max(size, std::abs(x));
    }
  return difference[0] <= dependent * size ? 1 : difference[1] <= dependent * size ? -1 : 0;
}

int ModeEquations::find_groups() {
  grouped_.clear();
  for (std::size_t u = 0; u < stick_row_.size(); ++u)

    if (stick_row_[u] >= 0 && system_->frictions[u].contact >= 0 && system_->frictions[u].directions == 1)
      grouped_.push_back({static_cast<int>(u), -1, 1});
  if (grouped_.size() > most_stuck) grouped_.clear();
  int explained = 0;
  for (std::size_t i = 0; i < grouped_.size(); ++i) {
    if (grouped_[i].group >= 0) continue;
    grouped_[i].group = grouped_[i].unit;
    const Row& row = rows_[at(stick_row_[at(grouped_[i].unit)])];
    for (std::size_t j = i + 1; j < grouped_.size(); ++j) {
      if (grouped_[j].group >= 0) continue;
      const int sign = same_row(row, rows_[at(stick_row_[at(grouped_[j].unit)])], kin_.columns);
      if (sign == 0) continue;
      grouped_[j].group = grouped_[i].unit;
      grouped_[j].sign = sign;
      ++explained;
    }
  }
  return explained;
}

void ModeEquations::share_in_groups() {
  for (const Grouped& first : grouped_) {
    if (first.group != first.unit) continue;
    double sum = 0, held = 0;
    int members = 0;
    for (const Grouped& one : grouped_)
      if (one.group == first.group) {
        sum += one.sign * lambda_[at(stick_row_[at(one.unit)])];
        held += system_->frictions[at(one.unit)].law.mu_static() * std::max(normal_[at(one.unit)], 0.0);
        ++members;
      }
    for (const Grouped& one : grouped_) {
      if (one.group != first.group) continue;
      group_held_[at(one.unit)] = held;
      group_sum_[at(one.unit)] = one.sign * sum;
      if (members < 2 || held <= 0) continue;
      const double own = system_->frictions[at(one.unit)].law.mu_static() * std::max(normal_[at(one.unit)], 0.0);
      friction_[at(one.unit)] = lambda_[at(stick_row_[at(one.unit)])] = one.sign * sum * own / held;
    }
  }
}

double ModeEquations::stick_reserve(int unit, int direction) const {
  // One foot without load does not break away from the others.
  for (const Grouped& one : grouped_)
    if (one.unit == unit) return group_held_[at(unit)] - direction * group_sum_[at(unit)];
  const FrictionUnit& own = system_->frictions[at(unit)];
  if (own.directions > 1) return own.law.mu_static() * normal_force(unit) - std::abs(friction_force(unit));
  return own.law.mu_static() * normal_force(unit) - direction * friction_force(unit);
}

}  // namespace hstar

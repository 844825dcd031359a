// src/transition/rank_watch.cpp
#include "transition/rank_watch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace hstar {
namespace {
constexpr int kInARow = 200, kLongInARow = 2000;
constexpr int kNamed = 4;
}  // namespace

bool RankWatch::creeps(const Mode& mode, double t, const double* y) {
  const double h = t - t_last_;
  t_last_ = t;
  if (!(h >= 0)) return false;  // the first step
  longest_ = std::max(longest_, h);
  if (h > tolerances::short_step * longest_) {
    short_steps_ = 0;
    return false;
  }
  if (++short_steps_ % kInARow != 0) return false;
  crept_ = short_steps_ < kLongInARow ? creeping : failing;
  return !describe(mode, t, y, crept_).empty();
}

bool RankWatch::passes(const Mode& mode, double t, const double* y) {
  if (!equations_) equations_ = std::make_unique<ModeEquations>(system_);
  equations_->rows.choose(mode);
  const int m = equations_->rows.count();
  if (m == 0) return false;
  if (m != rows_) parts_ = 0;  // another mode
  rows_ = m;
  equations_->evaluate(t, y);
  equations_->rows.fill();
  auto& saddle = equations_->rows.saddle();
  if (!saddle.factor(equations_->rows.saddle_rows(), m)) return true;
  const double now = saddle.independence();
  // It falls to zero and rises again linearly: which sign of `now` does the line through the last two points meet?
  bool passed = now < tolerances::lost;
  if (parts_ >= 2 && t > t_part_[1] && t_part_[1] > t_part_[0]) {
    const double slope = (part_[1] - part_[0]) / (t_part_[1] - t_part_[0]);
    const double expected = part_[1] + slope * (t - t_part_[1]);
    passed = passed || (expected < 0 && std::abs(expected + now) < 0.3 * std::abs(expected - now));
  }
  t_part_[0] = t_part_[1];
  part_[0] = part_[1];
  t_part_[1] = t;
  part_[1] = now;
  ++parts_;
  return passed;
}

std::string RankWatch::describe(const Mode& mode, double t, const double* y, double part) {
  if (!equations_) equations_ = std::make_unique<ModeEquations>(system_);
  equations_->rows.choose(mode);
  const int m = equations_->rows.count();
  if (m == 0) return {};
  equations_->evaluate(t, y);
  equations_->rows.fill();
  auto& saddle = equations_->rows.saddle();
  std::vector<char> redundant(static_cast<std::size_t>(m));
  equations_->rows.find_redundant();
  for (int i = 0; i < m; ++i) redundant[i] = saddle.is_redundant(i) ? 1 : 0;
  saddle.find_redundant(equations_->rows.saddle_rows(), m, part);
  std::string names;
  int count = 0;
  for (int i = 0; i < m; ++i) {
    if (!saddle.is_redundant(i) || redundant[i]) continue;
    if (++count <= kNamed) names += (count > 1 ? ", " : "") + equations_->rows.name(i);
  }
  if (count == 0) return {};
  if (count > kNamed) names += fmt::format(" and {} more", count - kNamed);
  return fmt::format(
      "the constraints all but lose rank at t = {:.6g} s: less than {:g} of {} is independent of the other rows. Steps "
      "of fixed length jump over such a position: give fixed_step with formulation index3 or ggl (integrator bdf) or "
      "projection",
      t, part, names);
}

}  // namespace hstar

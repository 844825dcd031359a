// src/simulate/dense_fill.cpp
#include "simulate/dense_fill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Of a column's range. Half of the 0.2 % that is promised: the points that are tested see three quarters of the
/// largest distance from a parabola, and 0.97 of that from a cubic.
constexpr double straight = 1e-3;
/// Numbers that a run may compute for rows in between: about a quarter of them is written, which is what a report can
/// show.
constexpr std::size_t most_numbers = 16'000'000;

}  // namespace

DenseFill::DenseFill(const Kinds& kinds)
    : rtol_(kinds.rtol),
      gravity_(kinds.gravity),
      allowed_(kinds.units.size()),
      round_off_(kinds.units),
      gave_up_at_(infinity) {
  for (std::size_t i = 0; i < kinds.coordinates; ++i)
    if (kinds.units[i].empty()) round_off_.of_unit_vector(i);
  for (std::size_t i = 0; i < kinds.units.size(); ++i)
    columns_.push_back({.low = infinity,
                        .high = -infinity,
                        .computed = i >= kinds.states,
                        .drift = kinds.units[i].find(" or ") != std::string::npos});
}

double DenseFill::allowed(std::size_t i) const {
  const Column& c = columns_[i];
  if (c.drift) return infinity;
  const double error = c.computed ? rtol_ * round_off_.size_of(i) : round_off_.of(i);
  return std::max(straight * (c.high - c.low), error);
}

void DenseFill::see(double t, std::span<const double> values) {
  last_.t = t;
  last_.values.assign(values.begin(), values.end());
  round_off_.see(t, values);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    columns_[i].low = std::min(columns_[i].low, values[i]);
    columns_[i].high = std::max(columns_[i].high, values[i]);
  }
}

void DenseFill::between(double t, std::span<const double> values, double load, const Evaluate& evaluate,
                        const Write& write) {
  if (gave_up_at_ < infinity) return;
  const Point from = last_;
  end_.t = t;
  end_.values.assign(values.begin(), values.end());
  see(t, values);
  round_off_.falling(gravity_, t - from.t);
  round_off_.loaded(load);
  for (std::size_t i = 0; i < columns_.size(); ++i) allowed_[i] = allowed(i);
  evaluate_ = &evaluate;
  write_ = &write;
  halve(from, end_, nullptr, 0);
  if (evaluated_ > most_numbers) gave_up_at_ = t;
}

void DenseFill::evaluate(Point& point, double t) {
  point.t = t;
  point.values.resize(columns_.size());
  (*evaluate_)(t, point.values);
  evaluated_ += columns_.size();
}

bool DenseFill::on_line(const Point& a, const Point& x, const Point& b) const {
  const double s = (x.t - a.t) / (b.t - a.t);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const double line = a.values[i] + s * (b.values[i] - a.values[i]);
    if (std::abs(x.values[i] - line) > allowed_[i]) return false;  // false for NaN: a gap has no course
  }
  return true;
}

void DenseFill::halve(const Point& a, const Point& b, const Point* middle, std::size_t depth) {
  const double t = 0.5 * (a.t + b.t);
  const double quarters[] = {0.5 * (a.t + t), 0.5 * (t + b.t)};
  if (!(a.t < quarters[0] && quarters[0] < t && t < quarters[1] && quarters[1] < b.t)) return;
  if (evaluated_ > most_numbers) return;
  auto& [first, second, own_middle] = scratch_[depth];
  evaluate(first, quarters[0]);
  evaluate(second, quarters[1]);
  if (on_line(a, first, b) && on_line(a, second, b) && (middle == nullptr || on_line(a, *middle, b))) return;
  if (depth == deepest) return;
  if (middle == nullptr) {
    evaluate(own_middle, t);
    middle = &own_middle;
  }
  halve(a, *middle, &first, depth + 1);
  (*write_)(middle->t, middle->values);
  halve(*middle, b, &second, depth + 1);
}

}  // namespace hstar

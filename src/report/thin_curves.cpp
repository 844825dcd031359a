// src/report/thin_curves.cpp
#include "report/thin_curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hstar::report {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Of a column's range: a thousandth of a pixel. A run that needs more points than `most_points` is drawn coarser.
constexpr double finest = 1e-6;
constexpr std::size_t most_points = 1'500'000;  // 36 MB

}  // namespace

ThinCurve::ThinCurve() : low_(infinity), high_(-infinity) {}

void ThinCurve::keep(const Point& p) {
  points_.push_back(p);
  has_pending_ = false;
  steepest_down_ = -infinity;
  steepest_up_ = infinity;
}

void ThinCurve::keep_pending() {
  if (has_pending_) keep(pending_);
}

void ThinCurve::finish() { keep_pending(); }

void ThinCurve::add(const Point& p, double tolerance) {
  if (std::isfinite(p.value)) {
    low_ = std::min(low_, p.value);
    high_ = std::max(high_, p.value);
  }
  if (points_.empty()) return keep(p);
  const Point& before = has_pending_ ? pending_ : points_.back();
  const bool gap = !std::isfinite(p.value), was_gap = !std::isfinite(before.value);
  if (gap || was_gap) {  // a gap is kept by its ends
    if (gap != was_gap) {
      keep_pending();
      return keep(p);
    }
    pending_ = p;
    has_pending_ = true;
    return;
  }
  if (p.t == before.t) {
    if (std::abs(p.value - before.value) <= tolerance) return;
    keep_pending();
    return keep(p);
  }
  const Point* last = &points_.back();
  double slope = (p.value - last->value) / (p.t - last->t);
  if (has_pending_ && !(steepest_down_ <= slope && slope <= steepest_up_)) {
    keep_pending();
    last = &points_.back();
    slope = (p.value - last->value) / (p.t - last->t);
  }
  const double room = tolerance / (p.t - last->t);
  steepest_down_ = std::max(steepest_down_, slope - room);
  steepest_up_ = std::min(steepest_up_, slope + room);
  pending_ = p;
  has_pending_ = true;
}

void ThinCurve::thin(double tolerance) {
  const std::vector<Point> all = std::exchange(points_, {});
  const bool open = std::exchange(has_pending_, false);
  const Point last = pending_;
  for (const Point& p : all) add(p, tolerance);
  if (open) add(last, tolerance);
}

ThinCurves::ThinCurves(std::vector<double> round_off)
    : curves_(round_off.size()), round_off_(std::move(round_off)), tolerance_(finest) {}

double ThinCurves::allowed(std::size_t column) const {
  const ThinCurve& c = curves_[column];
  const double range = c.high() > c.low() ? c.high() - c.low() : 0.0;
  return std::max(tolerance_ * range, round_off_[column]);
}

void ThinCurves::row(double t, std::span<const double> values) {
  for (std::size_t i = 0; i < curves_.size(); ++i) curves_[i].add({rows_, t, values[i]}, allowed(i));
  ++rows_;
  constexpr std::uint32_t look = 1000;  // rows between two looks at the number of points
  while (rows_ % look == 0 && points() > most_points && tolerance_ < 1) coarsen();
}

void ThinCurves::finish() {
  finished_ = true;
  for (ThinCurve& c : curves_) c.finish();
}

void ThinCurves::coarsen() {
  tolerance_ *= 2;
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    curves_[i].thin(allowed(i));
    if (finished_) curves_[i].finish();
  }
}

std::size_t ThinCurves::points() const {
  std::size_t n = 0;
  for (const ThinCurve& c : curves_) n += c.points().size();
  return n;
}

}  // namespace hstar::report

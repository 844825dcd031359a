// include/hstar/integrator/step_reading.hpp: what can be read of an accepted one-step step.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "hstar/integrator/dense_rows.hpp"
#include "hstar/integrator/vector.hpp"

namespace hstar::integrator {

/// Both ends of the accepted step, in time and state, and the end of the one that is tried: they take turns, nothing is
/// copied.
template <class Vector>
class StepPoints {
 public:
  struct Point {
    Vector y, f;
  };
  explicit StepPoints(const Vector& zero) { points_.fill({zero, zero}); }
  StepPoints(const StepPoints&) = delete;
  StepPoints& operator=(const StepPoints&) = delete;

  Point& start() { return *start_; }
  Point& end() { return *end_; }  ///< its f is y' before projection
  Point& trial() { return *trial_; }
  [[nodiscard]] const Point& start() const { return *start_; }
  [[nodiscard]] const Point& end() const { return *end_; }
  [[nodiscard]] double t0() const { return t0_; }
  [[nodiscard]] double t1() const { return t1_; }
  [[nodiscard]] double h() const { return t1_ - t0_; }  ///< 0: no step has been taken since begin()

  void begin(double t) { t0_ = t1_ = t; }
  /// The trial, at t, becomes the end.
  void advance(double t) {
    start_ = std::exchange(end_, std::exchange(trial_, start_));
    t0_ = std::exchange(t1_, t);
  }

 private:
  std::array<Point, 3> points_;
  Point *start_ = &points_[0], *end_ = &points_[1], *trial_ = &points_[2];
  double t0_ = 0, t1_ = 0;
};

/// The interpolant of the step that `method` has taken between these points, and what both are off: made when asked
/// for.
template <class Method>
class StepReading {
  using Vector = typename Method::Vector;

 public:
  explicit StepReading(const Vector& zero) : error_(zero), slope_(zero) { rows_.fill(zero); }

  /// There is a new step.
  void forget() { has_rows_ = has_error_ = false; }

  template <class Rates>
  std::span<const double> row(const Rates& rates, Method& method, StepPoints<Vector>& points, int r) {
    prepare(rates, method, points);
    return rows_[r];
  }

  template <class Rates>
  void at(const Rates& rates, Method& method, StepPoints<Vector>& points, double t, std::span<double> y) {
    prepare(rates, method, points);
    evaluate_rows<Method::degree>(rows_, points.start().y, (t - points.t0()) / points.h(), y.data());
  }

  /// Local error at the end plus what the defect h (P' - f(P)) inside the step integrates to. The defect is sampled
  /// at several places, so that a change of sign of one sample does not hide the error.
  template <class Rates>
  std::span<const double> error(const Rates& rates, Method& method, StepPoints<Vector>& points) {
    if (!has_error_) {
      if (points.h() > 0)
        estimate(rates, method, points);
      else
        std::fill(error_.begin(), error_.end(), 0.0);
      has_error_ = true;
    }
    return error_;
  }

 private:
  template <class Rates>
  void prepare(const Rates& rates, Method& method, StepPoints<Vector>& points) {
    if (has_rows_) return;
    const double h = points.h();
    const auto &start = points.start(), &end = points.end();
    if (!method.dense(rates, points.t0(), h, start.y, start.f, end.y, end.f, rows_)) {
      // The extra stages left the domain of the rates: the cubic through both ends is still sound.
      for (Vector& row : rows_) std::fill(row.begin(), row.end(), 0.0);
      hermite_rows(h, start.y, start.f, end.y, end.f, rows_);
    }
    has_rows_ = true;
  }

  template <class Rates>
  void estimate(const Rates& rates, Method& method, StepPoints<Vector>& points) {
    const double h = points.h();
    method.local_error(h, error_);
    prepare(rates, method, points);
    auto& [y, f] = points.trial();  // nothing is tried while this is read
    for (const double s : kDefectPlaces) {
      evaluate_rows_and_slope<Method::degree>(rows_, points.start().y, s, y.data(), slope_.data());
      if (!rates(points.t0() + s * h, y.data(), f.data())) {
        std::transform(slope_.begin(), slope_.end(), error_.begin(), [](double d) { return std::abs(d); });
        return;  // the interpolant leaves the domain of the rates: nothing smaller than the step itself is sure
      }
      for (std::size_t i = 0; i < error_.size(); ++i)
        error_[i] += 0.8 / kDefectPlaces.size() * std::abs(slope_[i] - h * f[i]);
    }
  }

  /// An interpolant with the right ends errs like s^2 (1-s)^2 times a polynomial; the more degrees, the more waves.
  static constexpr auto kDefectPlaces = [] {
    if constexpr (Method::degree <= 4) {
      return std::array{0.2, 0.8};
    } else {
      return std::array{0.12, 0.36, 0.64, 0.88};
    }
  }();

  DenseRows<Vector, Method::degree> rows_;
  Vector error_, slope_;
  bool has_rows_ = false, has_error_ = false;
};

/// The defect of the cubic through both ends of a step, at a place that no regular spacing of zeros shares with the
/// stages: what all stages may have missed.
template <class Vector>
class UnseenDefect {
 public:
  explicit UnseenDefect(const Vector& zero) : slope_(zero), defect_(zero) { rows_.fill(zero); }

  /// Of the step of length h from `from` at t to `to`; nullptr where the rates cannot be evaluated: nothing is known
  /// against the step.
  template <class Rates, class Point>
  const Vector* of(const Rates& rates, double t, double h, const Point& from, const Point& to) {
    constexpr double s = 0.38196601125010515;  // (3 - sqrt 5) / 2: worst approximated by fractions
    hermite_rows(h, from.y, from.f, to.y, to.f, rows_);
    evaluate_rows_and_slope<3>(rows_, from.y, s, rows_[0].data(), slope_.data());
    if (!rates(t + s * h, rows_[0].data(), defect_.data())) return nullptr;
    for (std::size_t i = 0; i < defect_.size(); ++i) defect_[i] = slope_[i] - h * defect_[i];
    return &defect_;
  }

 private:
  DenseRows<Vector, 3> rows_;
  Vector slope_, defect_;
};

}  // namespace hstar::integrator

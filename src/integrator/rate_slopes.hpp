// src/integrator/rate_slopes.hpp
//
// df/dy and df/dt of y' = f(t, y) for implicit one-step methods: the problem's own where it has them, else by central
// differences. Kept until the point or f changes, so that a step tried again or ended early costs none.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "hstar/integrator/flow_options.hpp"
#include "hstar/rate_slopes.hpp"

namespace hstar::integrator {

class RateSlopes {
 public:
  RateSlopes(std::size_t n, const FlowOptions& options)
      : n_(n),
        small_(options.atol / options.rtol),
        by_y_(n * n),
        by_t_(n),
        y_at_(n),
        f_at_(n),
        moved_(n),
        plus_(n),
        minus_(n) {}

  /// At (t, y), where the rates are f; h is the step they are for. False if they cannot be evaluated around there.
  bool evaluate(const Rates& rates, double t, const std::vector<double>& y, const std::vector<double>& f, double h) {
    if (known_ && t == t_at_ && y == y_at_ && f == f_at_) return true;
    known_ = false;
    ++rates.counters->jacobians;
    auto* exact = dynamic_cast<RateSlopesProblem*>(rates.problem);
    // The error of a central difference is d^2 f''' + eps f / d: least at d = cbrt(eps).
    const double root = std::cbrt(std::numeric_limits<double>::epsilon()), dt = root * std::max(h, root * std::abs(t));
    if (exact == nullptr || !exact->rate_slopes(t, y.data(), dt, by_y_.data(), by_t_.data())) {
      moved_ = y;
      if (!differences(rates, t, y, f, h, root) || !difference(rates, t, t, f, dt, nullptr)) return false;
      by_t_ = plus_;
    }
    t_at_ = t;
    y_at_ = y;
    f_at_ = f;
    known_ = true;
    return true;
  }
  [[nodiscard]] double by_y(std::size_t row, std::size_t column) const { return by_y_[row * n_ + column]; }
  [[nodiscard]] const std::vector<double>& by_t() const { return by_t_; }

 private:
  bool differences(const Rates& rates, double t, const std::vector<double>& y, const std::vector<double>& f, double h,
                   double root) {
    for (std::size_t c = 0; c < n_; ++c) {
      const double size = std::max({std::abs(y[c]), std::abs(h * f[c]), small_});
      if (!difference(rates, t, t, f, root * size, &moved_[c])) return false;
      for (std::size_t r = 0; r < n_; ++r) by_y_[r * n_ + c] = plus_[r];
    }
    return true;
  }

  /// Difference quotient of the rates into plus_, moving *coordinate of moved_ or, if null, the time; one-sided where
  /// only one side can be evaluated. The distance used is the one that round-off really left.
  bool difference(const Rates& rates, double t, double centre, const std::vector<double>& f, double step,
                  double* coordinate) {
    if (coordinate != nullptr) centre = *coordinate;
    const double above = centre + step;
    const double below = centre - step;
    const auto probe = [&](double at, std::vector<double>& out) {
      if (coordinate != nullptr) *coordinate = at;
      const bool ok = rates(coordinate != nullptr ? t : at, moved_.data(), out.data());
      return ok && std::all_of(out.begin(), out.end(), [](double v) { return std::isfinite(v); });
    };
    const bool up = probe(above, plus_);
    const bool down = probe(below, minus_);
    if (coordinate != nullptr) *coordinate = centre;
    if (!up && !down) return false;
    const double width = (up ? above : centre) - (down ? below : centre);
    for (std::size_t r = 0; r < n_; ++r) plus_[r] = ((up ? plus_[r] : f[r]) - (down ? minus_[r] : f[r])) / width;
    return true;
  }

  std::size_t n_;
  double small_;  ///< [unit of y] below this size a state counts as this large in the difference quotients
  std::vector<double> by_y_, by_t_, y_at_, f_at_, moved_, plus_, minus_;
  double t_at_ = 0;
  bool known_ = false;
};

}  // namespace hstar::integrator

// events/include/hstar/events/dense_step.hpp
//
// The solution over one accepted step, as the event monitor sees it.
#pragma once

#include <cstddef>
#include <span>

namespace hstar::events {

/// y(t) for every t in [t0, t1]: once cheaply from the interpolant, once exactly as good as the integrator.
class DenseStep {
 public:
  virtual ~DenseStep() = default;
  [[nodiscard]] virtual double t0() const = 0;         ///< start of the step [s]
  [[nodiscard]] virtual double t1() const = 0;         ///< end of the step [s], t1 > t0
  [[nodiscard]] virtual std::size_t size() const = 0;  ///< length of y
  /// Degree of the interpolant as a polynomial in t, the same for every component; 0 = not a polynomial.
  [[nodiscard]] virtual int degree() const = 0;
  /// Writes the interpolated y(t) into `y` (length size()). Never takes another step.
  virtual void at(double t, std::span<double> y) const = 0;
  /// Writes y(t) from a step of the integrator itself that starts at t0 and ends exactly at t.
  /// Returns false if the integrator cannot take that step. Costs one step.
  virtual bool finish_at(double t, std::span<double> y) = 0;
  /// The interpolant as y(t0) + s (F_0 + (1-s)(F_1 + s (F_2 + (1-s)(F_3 + ...)))), s = (t - t0)/(t1 - t0): row F_r,
  /// r < degree(); empty if the step does not have it in this form. With it a guard that is linear in y is bounded on
  /// the whole step without sampling.
  [[nodiscard]] virtual std::span<const double> row(int /*r*/) const { return {}; }
  /// The interpolant as y(t0) + s (T_1 + s (T_2 + ...)): T_1, T_2, ... one after the other, of the states moving();
  /// empty if the step does not have it in this form.
  [[nodiscard]] virtual std::span<const double> powers() const { return {}; }
  /// The states that change on this step by its powers; empty: all.
  [[nodiscard]] virtual std::span<const std::size_t> moving() const { return {}; }
  /// Estimate of |interpolant - solution| by component on this step (length size(), unit of y).
  [[nodiscard]] virtual std::span<const double> error() const = 0;
};

}  // namespace hstar::events

// tests/events/clock_step.hpp
//
// Steps whose solution is known exactly: y[0] = t, or any smooth function of t with a chosen error of
// the interpolant and of the integrator. The monitor sees what a real integrator would give it.
#pragma once

#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "hstar/events/dense_step.hpp"
#include "hstar/events/guard.hpp"
#include "hstar/events/monitor.hpp"

namespace clock_test {

using namespace hstar::events;

/// y = t, known without error.
class ClockStep : public DenseStep {
 public:
  ClockStep(double a, double b) : a_(a), b_(b) {}
  double t0() const override { return a_; }
  double t1() const override { return b_; }
  std::size_t size() const override { return 1; }
  int degree() const override { return 1; }
  void at(double t, std::span<double> y) const override { y[0] = t; }
  bool finish_at(double t, std::span<double> y) override {
    y[0] = t;
    return true;
  }
  std::span<const double> error() const override { return {&error_, 1}; }

 protected:
  double a_, b_, error_ = 0.0;
};

/// y = f(t) as the integrator computes it, f(t) + wrong(t) as the interpolant says, within `error`.
class PerturbedStep final : public ClockStep {
 public:
  using F = std::function<double(double)>;
  PerturbedStep(double a, double b, F f, F wrong, double error)
      : ClockStep(a, b), f_(std::move(f)), wrong_(std::move(wrong)) {
    error_ = error;
  }
  int degree() const override { return 0; }
  void at(double t, std::span<double> y) const override { y[0] = f_(t) + (t > a_ && t < b_ ? wrong_(t) : 0.0); }
  bool finish_at(double t, std::span<double> y) override {
    y[0] = f_(t);
    return true;
  }

 private:
  F f_, wrong_;
};

inline GuardInfo guard(const char* name, Crossing crossing = Crossing::either, Role role = Role::active,
                       Sign start = Sign::from_value, int degree = 0, double g_tol = 0.0) {
  GuardInfo i;
  i.name = name;
  i.crossing = crossing;
  i.role = role;
  i.start = start;
  i.degree = degree;
  i.g_tol = g_tol;
  return i;
}

/// Adds a guard that is a function of the clock.
inline std::size_t add(FunctionGuards& set, GuardInfo info, std::function<double(double)> g) {
  return set.add(std::move(info), [g](double, std::span<const double> y) { return g(y[0]); });
}

/// One segment from t0: restart there.
inline void restart(Monitor& m, double t0) {
  const double y[1] = {t0};
  m.restart(t0, y);
}

}  // namespace clock_test

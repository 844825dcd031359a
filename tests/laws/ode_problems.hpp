// tests/laws/ode_problems.hpp
//
// What the laws of integrators on y' = f(t, y) are tried on: problems with closed forms, and how to run them.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "hstar/flow.hpp"

namespace laws {

using namespace hstar;

/// A right-hand side with its exact solution.
class Exact : public OdeProblem {
 public:
  virtual std::vector<double> solution(double t) const = 0;
};

class Oscillator final : public Exact {  // period 2 pi, both components alike
 public:
  std::size_t size() const override { return 2; }
  bool rates(double, const double* y, double* ydot) override {
    ydot[0] = y[1];
    ydot[1] = -y[0];
    return true;
  }
  std::vector<double> solution(double t) const override { return {std::cos(t), -std::sin(t)}; }
};

class Bell final : public Exact {  // y' = -y^3 sin t, y = (4 - 2 cos t)^(-1/2): nonlinear, depends on time
 public:
  std::size_t size() const override { return 1; }
  bool rates(double t, const double* y, double* ydot) override {
    ydot[0] = -y[0] * y[0] * y[0] * std::sin(t);
    return true;
  }
  std::vector<double> solution(double t) const override { return {1 / std::sqrt(4 - 2 * std::cos(t))}; }
};

class Power final : public Exact {  // y = t^p - t
 public:
  explicit Power(int p) : p_(p) {}
  std::size_t size() const override { return 1; }
  bool rates(double t, const double*, double* ydot) override {
    ydot[0] = p_ * std::pow(t, p_ - 1) - 1;
    return true;
  }
  std::vector<double> solution(double t) const override { return {std::pow(t, p_) - t}; }

 private:
  int p_;
};

class Shifted final : public OdeProblem {  // the same motion, later
 public:
  Shifted(OdeProblem& inner, double by) : inner_(inner), by_(by) {}
  std::size_t size() const override { return inner_.size(); }
  bool rates(double t, const double* y, double* ydot) override { return inner_.rates(t - by_, y, ydot); }

 private:
  OdeProblem& inner_;
  double by_;
};

/// Beyond t = 1 there is nothing: y = sqrt(1 - t).
class Wall final : public OdeProblem {
 public:
  std::size_t size() const override { return 1; }
  bool rates(double t, const double* y, double* ydot) override {
    ydot[0] = y[0] > 0 && t < 1 ? -0.5 / std::sqrt(1 - t) : NAN;
    return y[0] > -1;
  }
};

inline std::vector<IntegratorEntry> both_lists() {
  std::vector<IntegratorEntry> all(integrators().begin(), integrators().end());
  all.insert(all.end(), further_integrators().begin(), further_integrators().end());
  return all;
}
inline const std::vector<IntegratorEntry>& every_integrator() {
  static const std::vector<IntegratorEntry> all = both_lists();
  return all;
}

inline FlowOptions tolerance(double rtol, double t_end) {
  FlowOptions o;
  o.rtol = rtol;
  o.atol = rtol;
  o.t_end = t_end;
  return o;
}

inline FlowOptions fixed(double h, double t_end) {
  FlowOptions o;
  o.fixed_step = h;
  o.t_end = t_end;
  return o;
}

inline double distance(std::span<const double> a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
  }
  return worst;
}

/// Steps to t_end; false if a step fails.
inline bool go(Flow& flow, double t_end) {
  while (flow.t1() < t_end) {
    if (flow.step(t_end) != StepResult::accepted) {
      return false;
    }
  }
  return true;
}

/// Slope of log error over log h from the smallest errors that round-off does not reach.
inline double observed_order(const std::function<double(double)>& error, double h, double round_off = 5e-14) {
  std::vector<double> e;
  for (int k = 0; k < 12; ++k, h /= 2) {
    const double next = error(h);
    if (k > 1 && next < round_off) {
      break;
    }
    e.push_back(next);
  }
  return std::log2(e[e.size() - 2] / e[e.size() - 1]);
}

inline double margin(int order) { return order >= 8 ? 0.7 : 0.3; }

/// What the iteration of an implicit method leaves adds up over the steps.
inline double round_off(const IntegratorEntry& entry) { return entry.implicit ? 2e-12 : 5e-14; }
/// Errors of single steps add up over some periods: with a multistep method over more steps, with order p and no
/// estimate of a higher one over rtol^(-1/(p+1)) of them, which counts where p is small.
inline double allowed_error(const IntegratorEntry& entry, double rtol) {
  if (entry.order <= 2) return 30 * std::pow(rtol, entry.order / (entry.order + 1.0));
  return entry.name == "bdf" ? 3000 * rtol : 100 * rtol;
}
/// First steps of an order study: those on which the implicit equation of a method of order 1 has a solution.
inline double first_h(const IntegratorEntry& entry, double h) { return entry.order == 1 ? 0.125 * h : h; }

}  // namespace laws

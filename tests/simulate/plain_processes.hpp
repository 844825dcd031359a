// tests/simulate/plain_processes.hpp: processes in plain C++ with events at known times, as a user of
// hstar/compiled.hpp writes them.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "hstar/hybrid.hpp"

/// One guard, and what happens when it falls through zero.
class OneGuard : public hstar::HybridProcess {
 public:
  std::size_t guard_count() const override { return 1; }
  const hstar::events::GuardInfo& info(std::size_t) const override { return guard_; }
  hstar::Settled start(double, std::span<double>, hstar::EventLog&) override {
    guard_.start = hstar::events::Sign::positive;
    return {};
  }
  void passive(const hstar::events::Root&, std::span<const double>, hstar::EventLog&) override {}
  std::vector<std::string> state_names() const override { return {"x", "v"}; }

 protected:
  OneGuard(const char* name, int degree) {
    guard_.name = name;
    guard_.g_tol = 1e-13;
    guard_.degree = degree;
  }
  void record(double t, const hstar::events::Root& root, hstar::EventLog& log) const {
    if (!log.wanted()) return;
    hstar::EventRecord r;
    r.t = t;
    r.t_lo = root.t_lo;
    r.t_hi = root.t_hi;
    r.dt_error = root.dt_error;
    r.kind = "reversal";
    r.element = guard_.name;
    log.add(std::move(r));
  }

 private:
  hstar::events::GuardInfo guard_;
};

/// Mass on a spring on a rough floor, from x = 1 m at rest: reversals at n pi/omega, omega = 5 1/s, until it stays.
/// The guard is the speed in the direction of sliding, told as linear or, with degree 0, not told.
class RoughOscillator final : public OneGuard {
 public:
  static constexpr std::size_t state_size = 2;
  static constexpr double omega = 5, friction = 0.7848;  ///< mu g [m/s^2]

  explicit RoughOscillator(int degree) : OneGuard("speed", degree) {}
  static double event_time(std::size_t n) { return static_cast<double>(n) * std::numbers::pi / omega; }

  std::size_t size() const override { return state_size; }
  bool rates(double, const double* y, double* ydot) override {
    ydot[0] = y[1];
    ydot[1] = -omega * omega * y[0] + (left_ ? friction : -friction);
    return true;
  }
  bool values(double, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g) override {
    for (std::size_t i = 0; i < which.size(); ++i) g[i] = left_ ? -y[1] : y[1];
    return true;
  }
  hstar::Settled transition(double t, std::span<double> y, std::span<const hstar::events::Root> fired,
                            std::span<const std::size_t>, hstar::EventLog& log) override {
    y[1] = 0;
    left_ = y[0] > 0;
    record(t, fired.front(), log);
    hstar::Settled settled;
    if (omega * omega * std::abs(y[0]) <= friction) settled.then = hstar::Settled::Then::stop;
    return settled;
  }

 private:
  bool left_ = true;
};

/// Ball on a floor that rises at constant speed; its gap is linear in t and y. Impacts with restitution 0.9. No
/// state_size: the states live in std::vector.
class BallOnLift final : public OneGuard {
 public:
  static constexpr double g = 9.81, rise = 0.5, restitution = 0.9, height = 1.0;

  BallOnLift() : OneGuard("gap", 1) {}
  /// Relative to the floor: falls from `height` at speed `rise`, then flights of 2 w/g with w shrinking by 0.9.
  static double event_time(std::size_t n) {
    double w = std::sqrt(rise * rise + 2 * g * height);
    double t = (w - rise) / g;
    for (std::size_t i = 1; i < n; ++i) t += 2 * (w *= restitution) / g;
    return t;
  }

  std::size_t size() const override { return 2; }
  bool rates(double, const double* y, double* ydot) override {
    ydot[0] = y[1];
    ydot[1] = -g;
    return true;
  }
  bool values(double t, std::span<const double> y, std::span<const std::size_t> which, std::span<double> gap) override {
    for (std::size_t i = 0; i < which.size(); ++i) gap[i] = y[0] - rise * t;
    return true;
  }
  hstar::Settled transition(double t, std::span<double> y, std::span<const hstar::events::Root> fired,
                            std::span<const std::size_t>, hstar::EventLog& log) override {
    y[0] = rise * t;
    y[1] = rise - restitution * (y[1] - rise);
    record(t, fired.front(), log);
    return {};
  }
};

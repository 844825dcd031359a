// src/python/plain_process.hpp
//
// The equations of solve_ivp as a hybrid process: a Python function with guards, its Jacobian if it has one, and times
// at which it jumps. Between two of these the function is only asked inside, so that `t > 5` never says at t = 5 what
// holds before.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hstar/hybrid.hpp"
#include "hstar/rate_slopes.hpp"

namespace hstar::python {

class PlainProcess final : public HybridProcess, public RateSlopesProblem {
 public:
  /// df/dy at (t, y), row-major, into the last argument; may be empty.
  using Jacobian = std::function<void(double t, const double* y, double* by_y)>;

  PlainProcess(std::size_t n, FunctionProcess::Rates rates, Jacobian jacobian, std::vector<double> jumps)
      : plain_(n, [this, rates = std::move(rates)](double t, const double* y,
                                                   double* ydot) { rates(inside(t), y, ydot); }),
        jacobian_(std::move(jacobian)),
        jumps_(std::move(jumps)),
        later_(n),
        earlier_(n) {
    std::sort(jumps_.begin(), jumps_.end());
  }
  FunctionProcess& guards() { return plain_; }

  [[nodiscard]] std::size_t size() const override { return plain_.size(); }
  bool rates(double t, const double* y, double* ydot) override { return plain_.rates(t, y, ydot); }
  bool rate_slopes(double t, const double* y, double dt, double* by_y, double* by_t) override {
    if (!jacobian_) return false;
    jacobian_(inside(t), y, by_y);
    const double from = inside(t - dt), to = inside(t + dt);
    plain_.rates(from, y, earlier_.data());
    plain_.rates(to, y, later_.data());
    for (std::size_t i = 0; i < later_.size(); ++i) by_t[i] = to > from ? (later_[i] - earlier_[i]) / (to - from) : 0.0;
    return true;
  }
  [[nodiscard]] std::size_t guard_count() const override { return plain_.guard_count(); }
  [[nodiscard]] const events::GuardInfo& info(std::size_t i) const override { return plain_.info(i); }
  bool values(double t, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g) override {
    return plain_.values(t, y, which, g);
  }
  [[nodiscard]] std::vector<std::pair<double, std::size_t>> scheduled() const override {
    std::vector<std::pair<double, std::size_t>> all;
    for (std::size_t i = 0; i < jumps_.size(); ++i) all.emplace_back(jumps_[i], i);
    return all;
  }
  Settled start(double t, std::span<double> y, EventLog& log) override {
    begin_piece(t);
    return plain_.start(t, y, log);
  }
  Settled transition(double t, std::span<double> y, std::span<const events::Root> fired,
                     std::span<const std::size_t> due, EventLog& log) override {
    begin_piece(t);
    return plain_.transition(t, y, fired, due, log);
  }
  void passive(const events::Root& root, std::span<const double> y, EventLog& log) override {
    plain_.passive(root, y, log);
  }
  [[nodiscard]] std::vector<std::string> state_names() const override { return plain_.state_names(); }

 private:
  void begin_piece(double t) {
    const auto next = std::upper_bound(jumps_.begin(), jumps_.end(), t);
    first_ = next == jumps_.begin() ? -HUGE_VAL : std::nextafter(*(next - 1), HUGE_VAL);
    last_ = next == jumps_.end() ? HUGE_VAL : std::nextafter(*next, -HUGE_VAL);
  }
  [[nodiscard]] double inside(double t) const { return std::clamp(t, first_, last_); }

  FunctionProcess plain_;
  Jacobian jacobian_;
  std::vector<double> jumps_;
  double first_ = -HUGE_VAL, last_ = HUGE_VAL;  ///< of the piece between two jumps
  std::vector<double> later_, earlier_;
};

}  // namespace hstar::python

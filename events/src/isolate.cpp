// events/src/isolate.cpp
//
// A scalar function is a guard on the solution of t' = 1.
#include "hstar/events/isolate.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace hstar::events {
namespace {

class Clock final : public DenseStep {
 public:
  Clock(double a, double b) : a_(a), b_(b) {}
  [[nodiscard]] double t0() const override { return a_; }
  [[nodiscard]] double t1() const override { return b_; }
  [[nodiscard]] std::size_t size() const override { return 1; }
  [[nodiscard]] int degree() const override { return 1; }
  void at(double t, std::span<double> y) const override { y[0] = t; }
  bool finish_at(double t, std::span<double> y) override {
    y[0] = t;
    return true;
  }
  [[nodiscard]] std::span<const double> error() const override { return {&no_error_, 1}; }

 private:
  double a_, b_, no_error_ = 0.0;
};

class OneGuard final : public GuardSet {
 public:
  OneGuard(const std::function<double(double)>& g, const IsolateOptions& o) : g_(g), rate_(o.rate_bound) {
    info_.name = "g";
    info_.crossing = Crossing::either;
    info_.role = Role::passive;
    info_.g_tol = o.g_tol;
  }
  [[nodiscard]] std::size_t guard_count() const override { return 1; }
  [[nodiscard]] const GuardInfo& info(std::size_t) const override { return info_; }
  bool values(double t, std::span<const double>, std::span<const std::size_t> which, std::span<double> g) override {
    for (std::size_t k = 0; k < which.size(); ++k) g[k] = g_(t);
    return true;
  }
  [[nodiscard]] double rate_bound(std::size_t, double, double) const override { return rate_; }

 private:
  const std::function<double(double)>& g_;
  double rate_;
  GuardInfo info_;
};

}  // namespace

Isolated isolate(const std::function<double(double t)>& g, double a, double b, const IsolateOptions& options) {
  if (!g) throw std::invalid_argument("isolate: g has no function; pass one that can be called");
  if (!std::isfinite(a) || !std::isfinite(b) || !(a < b))
    throw std::invalid_argument("isolate: the interval [" + std::to_string(a) + ", " + std::to_string(b) +
                                "] must be finite with a < b");
  if (!(options.rate_bound >= 0.0))
    throw std::invalid_argument("isolate: rate_bound = " + std::to_string(options.rate_bound) + " must be >= 0");
  OneGuard guard(g, options);
  Clock clock(a, b);
  Monitor monitor(guard, 1, options.monitor);
  const double start[1] = {a};
  monitor.restart(a, start);
  const Look& look = monitor.look(clock);
  return {look.status == LookStatus::ok, look.passive};
}

}  // namespace hstar::events

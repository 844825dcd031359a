// include/hstar/start_of_motion.hpp
//
// The motion just after a restart: one step of the classical Runge-Kutta method from the state there, which is exact
// up to the fourth power of time. For moments so short that nothing else happens in them.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "hstar/events/departure.hpp"
#include "hstar/flow.hpp"

namespace hstar {

class StartOfMotion final : public events::Beginning {
 public:
  explicit StartOfMotion(OdeProblem& problem)
      : problem_(problem), y0_(problem.size()), y_(y0_), k1_(y0_), k2_(y0_), k3_(y0_), k4_(y0_) {}

  /// The motion begins at (t, y) and may go on until t_end. The rates are asked for when a moment is.
  void begin(double t, std::span<const double> y, double t_end) {
    t0_ = t;
    longest_ = t_end - t;
    std::copy(y.begin(), y.end(), y0_.begin());
    has_rates_ = false;
  }
  [[nodiscard]] double longest() const override { return longest_; }

  bool at(double t, std::span<double> y) override {
    if (!has_rates_ && !problem_.rates(t0_, y0_.data(), k1_.data())) return false;
    has_rates_ = true;
    const double h = t - t0_, middle = t0_ + 0.5 * h;
    if (!problem_.rates(middle, moved(0.5 * h, k1_), k2_.data())) return false;
    if (!problem_.rates(middle, moved(0.5 * h, k2_), k3_.data())) return false;
    if (!problem_.rates(t, moved(h, k3_), k4_.data())) return false;
    for (std::size_t i = 0; i < y0_.size(); ++i) y[i] = y0_[i] + h / 6.0 * (k1_[i] + 2.0 * (k2_[i] + k3_[i]) + k4_[i]);
    return true;
  }

 private:
  const double* moved(double h, const std::vector<double>& rates) {
    for (std::size_t i = 0; i < y0_.size(); ++i) y_[i] = y0_[i] + h * rates[i];
    return y_.data();
  }

  OdeProblem& problem_;
  double t0_ = 0, longest_ = 0;
  bool has_rates_ = false;
  std::vector<double> y0_, y_, k1_, k2_, k3_, k4_;
};

}  // namespace hstar

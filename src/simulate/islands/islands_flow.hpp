// src/simulate/islands/islands_flow.hpp: the motion of islands as observers see steps, between two entries of the
// calendar. Nothing is computed before it is read.
#pragma once

#include <vector>

#include "hstar/flow.hpp"
#include "simulate/islands/island_motion.hpp"

namespace hstar::islands {

class IslandsFlow final : public Flow {
 public:
  IslandsFlow(IslandMotion& motion, std::size_t size) : motion_(motion), y0_(size), y1_(size), no_error_(size, 0.0) {}
  void set(double t0, double t1) {
    t0_ = t0;
    t1_ = t1;
  }

  StepResult restart(double, std::span<const double>) override { return StepResult::accepted; }
  StepResult step(double) override { return StepResult::accepted; }
  [[nodiscard]] double t0() const override { return t0_; }
  [[nodiscard]] double t1() const override { return t1_; }
  [[nodiscard]] std::span<const double> y0() const override {
    motion_.write(t0_, y0_);
    return y0_;
  }
  [[nodiscard]] std::span<const double> y1() const override {
    motion_.write(t1_, y1_);
    return y1_;
  }
  [[nodiscard]] int degree() const override { return 0; }
  void at(double t, std::span<double> y) override { motion_.write(t, y); }
  std::span<const double> error() override { return no_error_; }
  StepResult finish_at(double t, std::span<double> y) override {
    motion_.write(t, y);
    return StepResult::accepted;
  }
  [[nodiscard]] const FlowCounters& counters() const override {
    counters_.steps = motion_.steps();
    return counters_;
  }
  [[nodiscard]] int order() const override { return most_powers; }

 private:
  IslandMotion& motion_;
  mutable std::vector<double> y0_, y1_;
  std::vector<double> no_error_;
  double t0_ = 0, t1_ = 0;
  mutable FlowCounters counters_;
};

}  // namespace hstar::islands

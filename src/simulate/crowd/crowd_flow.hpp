// src/simulate/crowd/crowd_flow.hpp: the motion of a crowd as observers see steps, between two impacts. Nothing is
// computed before it is read.
#pragma once

#include <vector>

#include "hstar/flow.hpp"
#include "mechanism/system.hpp"
#include "simulate/crowd/crowd.hpp"

namespace hstar::crowd {

class CrowdFlow final : public Flow {
 public:
  CrowdFlow(const Crowd& crowd, const System& system)
      : crowd_(crowd), system_(system), y0_(system.size()), y1_(system.size()), no_error_(system.size(), 0.0) {}
  void set(double t0, double t1) {
    t0_ = t0;
    t1_ = t1;
    ++counters_.steps;
  }
  /// The state of all at t, which is not before the clock of any.
  void write(double t, std::span<double> y) const {
    for (std::size_t i = 0; i < crowd_.discs().size(); ++i) {
      const Body& body = system_.bodies[i + 1];  // (the ground is the first)
      const int disc = static_cast<int>(i);
      const Motion now = crowd_.motion(disc, t);
      double *q = y.data() + body.coordinate, *v = y.data() + system_.nq + body.dof;
      for (std::size_t k = 0; k < 2; ++k) {
        q[k] = now.position[k];
        v[k] = now.velocity[k];
      }
      if (!body.turns) continue;
      q[2] = angle_at(crowd_.discs()[i], t);
      v[2] = crowd_.discs()[i].spin;
    }
  }

  StepResult restart(double, std::span<const double>) override { return StepResult::accepted; }
  StepResult step(double) override { return StepResult::accepted; }
  [[nodiscard]] double t0() const override { return t0_; }
  [[nodiscard]] double t1() const override { return t1_; }
  [[nodiscard]] std::span<const double> y0() const override { return written(t0_, y0_); }
  [[nodiscard]] std::span<const double> y1() const override { return written(t1_, y1_); }
  [[nodiscard]] int degree() const override { return 0; }
  void at(double t, std::span<double> y) override { write(t, y); }
  std::span<const double> error() override { return no_error_; }
  StepResult finish_at(double t, std::span<double> y) override {
    write(t, y);
    return StepResult::accepted;
  }
  [[nodiscard]] const FlowCounters& counters() const override { return counters_; }
  [[nodiscard]] int order() const override { return 2; }

 private:
  std::span<const double> written(double t, std::vector<double>& y) const {
    write(t, y);
    return y;
  }
  const Crowd& crowd_;
  const System& system_;
  mutable std::vector<double> y0_, y1_;
  std::vector<double> no_error_;
  double t0_ = 0, t1_ = 0;
  FlowCounters counters_;
};

}  // namespace hstar::crowd

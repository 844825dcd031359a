// src/simulate/stability_watch.hpp
//
// Whether a fixed step lies outside the stability region of its method, asked of the linearised equations at the first
// segment of every mode: a motion that decays or stays must not be one that the steps enlarge.
#pragma once

#include <complex>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "hstar/hybrid.hpp"
#include "integrator/rate_slopes.hpp"
#include "integrator/stability.hpp"

namespace hstar {

class StabilityWatch final : public LoopObserver {
 public:
  StabilityWatch(HybridProcess& process, const LoopOptions& options);
  void segment_begin(double t, std::span<const double> y) override;
  [[nodiscard]] bool wants_events() const override { return false; }
  /// Nothing, or one sentence.
  [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }

 private:
  /// Growth of exp(lambda t) by steps of length h over the time that is left, as its logarithm; 0 where it is no more
  /// than that of the motion itself.
  double growth(std::complex<double> lambda, double h, double time);
  void warn(std::complex<double> lambda, double time);

  HybridProcess& process_;
  LoopOptions options_;
  std::unique_ptr<integrator::Amplification> step_;  ///< null: nothing to watch
  std::set<std::string> seen_;                       ///< modes
  std::vector<std::string> notices_;
};

}  // namespace hstar

// src/integrator/stability.hpp: what fixed steps make of y' = lambda y.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "hstar/flow.hpp"

namespace hstar::integrator {

/// Difference quotients know a Jacobian to eps^(2/3): growth below that is none.
inline constexpr double no_growth = 1e-9;

/// c0 y_n + c1 y_n-1 + ... = h y'_n of order k on equal steps.
[[nodiscard]] std::vector<double> bdf_coefficients(std::size_t k);

/// By how much one step of a method enlarges the solution of y' = lambda y, at z = h lambda: |R(z)| of a one-step
/// method, the largest root of the characteristic polynomial of a multistep method.
class Amplification {
 public:
  Amplification(const IntegratorEntry& entry, const FlowOptions& options);
  double operator()(std::complex<double> z);

 private:
  /// y' = z y as two real states.
  class Linear final : public OdeProblem {
   public:
    std::complex<double> z;
    [[nodiscard]] std::size_t size() const override { return 2; }
    bool rates(double t, const double* y, double* ydot) override;
  };
  Linear problem_;
  std::unique_ptr<Flow> flow_;
  std::vector<double> bdf_;                ///< coefficients; empty: another method
  std::vector<double> predict_, correct_;  ///< weights of Adams' formulas; empty: another method
};

}  // namespace hstar::integrator

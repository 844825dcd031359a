// src/integrator/ida_equations.hpp
//
// Residual and Jacobian of both forms on plain arrays. Unknowns Y = (q, v, s, lambda[, mu]) have the length of
// the largest mode all the time; multipliers a mode does not have are held at zero by equations of their own.
#pragma once

#include <vector>

#include "hstar/dae.hpp"

namespace hstar::integrator {

class IdaEquations {
 public:
  explicit IdaEquations(DaeProblem& problem)
      : problem_(problem),
        nq_(problem.coordinates()),
        ns_(problem.states()),
        most_(problem.max_rows()),
        ggl_(problem.form() == DaeForm::ggl),
        multipliers_(static_cast<std::size_t>(most_)) {}

  [[nodiscard]] int size() const { return mu() + (ggl_ ? most_ : 0); }
  [[nodiscard]] int y_size() const { return 2 * nq_ + ns_; }
  [[nodiscard]] int lambda() const { return y_size(); }      ///< first multiplier
  [[nodiscard]] int mu() const { return lambda() + most_; }  ///< first stabilising multiplier
  [[nodiscard]] int coordinates() const { return nq_; }
  [[nodiscard]] bool ggl() const { return ggl_; }
  [[nodiscard]] DaeProblem& problem() { return problem_; }

  /// F(t, Y, Y') into `out`. False if it cannot be evaluated.
  bool residual(double t, const double* Y, const double* dY, double* out);
  /// Entries of dF/dY + cj dF/dY'.
  bool jacobian(double t, double cj, const double* Y, const double* dY, DaeEntries& out);
  /// Y' at a consistent point, from accelerations and rates (multipliers' rates zero).
  void consistent(const double* y, const double* a, const double* rate, const double* lambda, double* Y,
                  double* dY) const;

 private:
  DaeProblem& problem_;
  int nq_, ns_, most_;
  bool ggl_;
  std::vector<double> multipliers_;
  DaeEntries rows_;
  DaeSlopes slopes_;
};

}  // namespace hstar::integrator

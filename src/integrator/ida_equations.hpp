// src/integrator/ida_equations.hpp
//
// Residual and Jacobian of both forms on plain arrays. Unknowns Y = (q, v, s, lambda[, mu]) have the length of
// the largest mode all the time; multipliers a mode does not have are held at zero by equations of their own.
//
// Orientations: of the four equations p' = N(p) omega_bar three are used, 2 G(p) p' = omega_bar; the fourth is
// |p| = 1. That is the equation with a normalisation constraint and its multiplier, p' = N(p) omega_bar + p sigma, from
// which sigma is eliminated: of index 1, and the parameters keep their length to the accuracy of the iteration.
#pragma once

#include <vector>

#include "hstar/dae.hpp"

namespace hstar::integrator {

class IdaEquations {
 public:
  explicit IdaEquations(DaeProblem& problem)
      : problem_(problem),
        nq_(problem.coordinates()),
        np_(problem.places()),
        ns_(problem.states()),
        most_(problem.max_rows()),
        ggl_(problem.form() == DaeForm::ggl),
        multipliers_(static_cast<std::size_t>(most_)),
        first_(static_cast<std::size_t>(nq_) + 1) {}

  [[nodiscard]] int size() const { return mu() + (ggl_ ? most_ : 0); }
  [[nodiscard]] int y_size() const { return rate() + ns_; }
  [[nodiscard]] int velocity() const { return np_; }         ///< first entry of v
  [[nodiscard]] int rate() const { return np_ + nq_; }       ///< first entry of s
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
  /// Adds factor * entries by q, which are by displacement, at the rows from `row` on.
  void add_by_q(const DaeEntries& entries, int row, double factor, DaeEntries& out) const;

  int nq_, np_, ns_, most_;  ///< nq_: velocities, np_: length of q
  bool ggl_;
  std::vector<double> multipliers_;
  std::vector<std::size_t> first_;  ///< of each velocity its first entry in by_rate_
  DaeEntries rows_, by_rate_, by_q_, curvature_;
  DaeSlopes slopes_;
};

}  // namespace hstar::integrator

// src/integrator/newmark.hpp
//
// One-step methods on q'' directly, position constraints imposed at the end of each step (index 3):
//   q_1 = q_0 + h v_0 + h^2 ((1/2 - beta) A_0 + beta A_1),     v_1 = v_0 + h ((1 - gamma) A_0 + gamma A_1),
//   (1 - alpha_m) A_1 + alpha_m A_0 = (1 - alpha_f) a_1 + alpha_f a_0,
//   M a_1 = F(t_1, q_1, v_1, lambda_1),     Phi(t_1, q_1) = 0.
// Newmark: A = a. Generalised alpha: Chung & Hulbert 1993, for constraints Arnold & Bruls 2007. HHT: alpha_m = 0,
// alpha_f = -alpha, which for a constant M is the method of Hilber, Hughes & Taylor 1977 on index 3
// (Negrut, Rampalli, Ottarsson & Sajdak 2007).
#pragma once

#include <memory>

#include "hstar/dae.hpp"

namespace hstar::integrator {

struct AlphaMethod {
  double beta, gamma, alpha_m, alpha_f;
  int order;
  /// A_n approximates the acceleration at t_n + offset h.
  [[nodiscard]] double offset() const { return alpha_m - alpha_f; }
  /// A_1 = weight a_1 + what is known: q_1 and v_1 depend on a_1 through beta weight h^2 and gamma weight h.
  [[nodiscard]] double weight() const { return (1 - alpha_f) / (1 - alpha_m); }
  /// Local errors, as far as they are of third order in q and of second order in v (Negrut et al. 2007).
  [[nodiscard]] double position_error() const { return beta - 1.0 / 6 + 0.5 * offset(); }
  [[nodiscard]] double velocity_error() const { return gamma - 0.5 + offset(); }
};
/// The method that the options describe. @throws InputError for values out of bounds.
[[nodiscard]] AlphaMethod newmark_method(const FlowOptions&);
[[nodiscard]] AlphaMethod hht_method(const FlowOptions&);
[[nodiscard]] AlphaMethod generalized_alpha_method(const FlowOptions&);

std::unique_ptr<Flow> make_newmark(OdeProblem&, DaeProblem&, const FlowOptions&);
std::unique_ptr<Flow> make_hht(OdeProblem&, DaeProblem&, const FlowOptions&);
std::unique_ptr<Flow> make_generalized_alpha(OdeProblem&, DaeProblem&, const FlowOptions&);

}  // namespace hstar::integrator

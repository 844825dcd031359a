// src/formulation/solved_signals.hpp
//
// Accelerations, reactions, contact and friction forces by the names that formulas have for them, of a mode that has
// been solved at the state its equations were last evaluated at.
#pragma once

#include <array>

#include "formulation/mode_equations.hpp"

namespace hstar {

/// Made anew for each state.
class SolvedSignals {
 public:
  explicit SolvedSignals(const ModeEquations& equations) : equations_(equations) {}

  [[nodiscard]] double read(const SignalRef& ref) const;
  /// Its relations as they are, on no branches.
  [[nodiscard]] double evaluate(const BoundExpression& e) const;

 private:
  // Of a friction unit, -1 none: lambda_T and gamma_T with their signs, or their lengths where it has several
  // directions.
  [[nodiscard]] double tangential(int unit) const;
  [[nodiscard]] double slip_velocity(int unit) const;
  /// Force and torque of a spatial joint's friction as Joint::wrench gives those of its multipliers.
  [[nodiscard]] std::array<double, 6> friction_wrench(const Joint& joint, int unit) const;
  /// contact_vector_words: sliding velocity, and force on the second body, global axes. Those of one contact are asked
  /// one after the other: its last ones are kept.
  [[nodiscard]] double contact_vector(std::size_t contact, std::size_t component) const;
  [[nodiscard]] std::array<double, 6> contact_vectors(std::size_t contact) const;
  /// whole_contact_words of one whole contact, likewise.
  [[nodiscard]] double whole_contact(std::size_t whole, std::size_t component) const;
  [[nodiscard]] std::array<double, 8> sum_of_parts(const WholeContact& whole) const;
  const ModeEquations& equations_;
  mutable std::size_t contact_ = none, whole_ = none;
  mutable std::array<double, 6> vectors_{};
  mutable std::array<double, 8> sums_{};
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

/// The formula reads what is known only after the mode has been solved.
[[nodiscard]] bool needs_solve(const BoundExpression& e);

}  // namespace hstar

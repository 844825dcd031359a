// src/simulate/measurement.hpp
//
// What is recorded of a mechanism besides its state: reactions, normal and friction forces, gaps,
// energy, the model's own measures. Reads a process in its current mode at any (t, y).
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "transition/mechanism_process.hpp"

namespace hstar {

class Measurement {
 public:
  explicit Measurement(MechanismProcess& process);

  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<std::string>& units() const { return units_; }
  /// All recorded columns at (t, y): state, then signals, then measures. NaN where the mode cannot be solved.
  void row(double t, std::span<const double> y, std::span<double> values);
  /// Value of measure i alone.
  double measure(std::size_t i, double t, std::span<const double> y);

 private:
  [[nodiscard]] double read(const SignalRef& ref) const;
  [[nodiscard]] double evaluate_solved(const BoundExpression& e) const;
  /// Largest |Phi| or |Phi_q v - nu| of the joints at the last solved state.
  [[nodiscard]] double drift(bool of_velocity) const;
  // Of a friction unit, -1 none: lambda_T and gamma_T with their signs, or their lengths where it has several
  // directions.
  [[nodiscard]] double tangential(int unit) const;
  [[nodiscard]] double slip_velocity(int unit) const;
  /// Force and torque of a spatial joint's friction as Joint::wrench gives those of its multipliers.
  [[nodiscard]] std::array<double, 6> friction_wrench(const Joint& joint, int unit) const;
  /// contact_vector_words: sliding velocity, and force on the second body, global axes.
  [[nodiscard]] double contact_vector(std::size_t contact, std::size_t component) const;
  MechanismProcess& process_;
  mutable std::vector<double> phi_;
  mutable std::vector<Row> rows_;
  std::vector<SignalRef> signals_;
  std::vector<std::string> columns_, units_;
};

}  // namespace hstar

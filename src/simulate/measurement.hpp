// src/simulate/measurement.hpp
//
// What is recorded of a mechanism besides its state: reactions, normal and friction forces, gaps,
// energy, the model's own measures. Reads a process in its current mode at any (t, y).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "transition/mechanism_process.hpp"

namespace hstar {

class SolvedSignals;

class Measurement {
 public:
  /// `multipliers`: also lambda of each row of the joints.
  explicit Measurement(MechanismProcess& process, bool multipliers = false);
  /// From now on only these columns are computed beside the states and measures; the others are NaN.
  void compute_only(const std::vector<std::string>& columns);

  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<std::string>& units() const { return units_; }
  /// All recorded columns at (t, y): state, signals, multipliers, measures. NaN where the mode cannot be solved.
  void row(double t, std::span<const double> y, std::span<double> values);
  /// Value of measure i alone.
  double measure(std::size_t i, double t, std::span<const double> y);
  /// Values of all measures at (t, y), which is solved once for them.
  void measures(double t, std::span<const double> y, std::span<double> values);
  /// Largest |Phi|, or |Phi_q v - nu|, of the joints where the mechanism has last been looked at.
  [[nodiscard]] double drift(bool of_velocity) const;

 private:
  [[nodiscard]] double read(const SignalRef& ref, const SolvedSignals& signals) const;
  /// Value of m where the mechanism has last been looked at, and solved or not.
  [[nodiscard]] double value(const Measure& m, bool solved) const;
  MechanismProcess& process_;
  mutable std::vector<double> phi_;
  mutable std::vector<Row> rows_;
  std::vector<SignalRef> signals_;
  std::vector<std::size_t> computed_;  ///< of signals_ and multipliers: places after the states
  bool measures_need_solve_ = false;   ///< of one of them
  int multipliers_ = 0;                ///< that are recorded
  std::vector<std::string> columns_, units_;
};

}  // namespace hstar

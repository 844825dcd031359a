// src/formulation/formulation.hpp
//
// How the equations of one mode become an ordinary differential equation y' = f(t, y), y = (q, v, s):
// one method a file, and a line in the registry (formulation.cpp).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formulation/consistent_restart.hpp"
#include "formulation/mode_equations.hpp"
#include "hstar/dae.hpp"

namespace hstar {

struct FormulationOptions {
  double step = 0.0;             ///< fixed step size [s], for parameters chosen from it; 0: error control
  double rtol = 0.0;             ///< of error control: velocities are known to about this part of the largest
  double atol = 0.0;             ///< of error control: and to no less than this [m/s, rad/s]
  double baumgarte_alpha = 0.0;  ///< [1/s]; 0: chosen
  double baumgarte_beta = 0.0;   ///< [1/s]; 0: the same as alpha
};

class Formulation {
 public:
  virtual ~Formulation() = default;
  /// A new smooth segment begins at (t, y) in this mode; its rows have been chosen in `equations`.
  virtual void restart(const Mode& /*mode*/, double /*t*/, const double* /*y*/) {}
  /// Rates of q and v (nq + nv entries of ydot). False if the mode cannot be solved.
  virtual bool rates(const Mode& mode, double t, const double* y, double* ydot) = 0;
  /// The rates are the mode's accelerations at y and nothing else: their derivatives are known (mode_slopes.hpp).
  [[nodiscard]] virtual bool plain() const { return false; }
  /// After each accepted step: true if y was moved by more than round-off.
  virtual bool project(const Mode& /*mode*/, double /*t*/, double* /*y*/) { return false; }
  /// Times y was moved.
  [[nodiscard]] std::size_t projections() const { return projections_; }
  /// Times other coordinates were chosen as the independent ones of the same rows.
  [[nodiscard]] std::size_t repartitions() const { return repartitions_; }
  /// Options that were left to the formulation, as it has chosen them: baumgarte_alpha.
  [[nodiscard]] virtual std::vector<std::pair<std::string, double>> chosen_options() const { return {}; }
  /// What was chosen for the user, and where the method was at its limits.
  [[nodiscard]] virtual std::vector<std::string> notices() const { return {}; }

 protected:
  std::size_t projections_ = 0, repartitions_ = 0;
};

struct FormulationEntry {
  std::string_view name, about, source;
  std::unique_ptr<Formulation> (*make)(ModeEquations&, const FormulationOptions&);
  /// Solved as a DAE in this form by implicit methods (hstar/dae.hpp); none: as y' = f(t, y).
  std::optional<DaeForm> dae = std::nullopt;
  bool fragile = false;  ///< does not find back to the motion after a position where constraints lose rank
};
[[nodiscard]] std::span<const FormulationEntry> formulations();
/// nullptr if there is none of this name.
[[nodiscard]] const FormulationEntry* find_formulation(std::string_view name);

std::unique_ptr<Formulation> make_direct(ModeEquations&, const FormulationOptions&);
std::unique_ptr<Formulation> make_baumgarte(ModeEquations&, const FormulationOptions&);
std::unique_ptr<Formulation> make_partition_simple(ModeEquations&, const FormulationOptions&);
std::unique_ptr<Formulation> make_partition_full(ModeEquations&, const FormulationOptions&);
std::unique_ptr<Formulation> make_projection(ModeEquations&, const FormulationOptions&);

}  // namespace hstar

// src/transition/guard_forms.hpp
//
// Guards of a linear mode as what they are: constant coefficients by y, t and 1. Where events/ knows them it multiplies
// and need not ask (GuardSet::linear_form).
#pragma once

#include <vector>

#include "formulation/mode_equations.hpp"
#include "transition/watch.hpp"

namespace hstar {

class GuardForms {
 public:
  explicit GuardForms(const System& system);
  void set_guards(std::size_t count) { guards_ = count; }

  /// Coefficients of a guard in `mode`, valid until it is asked for again; nullptr: not linear, or not known to be.
  const double* find(const ModeEquations& equations, const Mode& mode, std::size_t guard, WatchRef ref);

 private:
  /// gamma_T of a unit, times `sense`.
  bool add_speed(const ModeEquations& equations, int unit, double sense, double* form) const;

  const System& system_;
  std::size_t length_;  ///< states, t, 1
  std::size_t guards_ = 0;
  std::vector<double> forms_;  ///< by guard; empty until there is a linear mode
};

}  // namespace hstar

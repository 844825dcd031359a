// include/hstar/integrator/tableau/ode23.hpp
//
// The 3(2) pair of P. Bogacki & L. F. Shampine, A 3(2) pair of Runge-Kutta formulas, Appl. Math. Lett. 2 (1989),
// with y' at the end of the step as fourth slope; it is read between the ends by its cubic Hermite polynomial.
#pragma once

#include <array>
#include <cstddef>

#include "hstar/integrator/step_control.hpp"

namespace hstar::integrator {

struct Ode23 {
  static constexpr int order = 3;
  static constexpr std::size_t stages = 3;  ///< slopes that make y_new
  static constexpr std::array<double, 3> c = {0, 1.0 / 2, 3.0 / 4};
  static constexpr std::array<std::array<double, 3>, 3> a = {{{0, 0, 0}, {1.0 / 2, 0, 0}, {0, 3.0 / 4, 0}}};
  static constexpr std::array<double, 3> b = {2.0 / 9, 1.0 / 3, 4.0 / 9};
  static constexpr bool error_uses_end = true;
  /// third-order minus second-order weights; the last belongs to y' at the end
  static constexpr std::array<double, 4> error = {-5.0 / 72, 1.0 / 12, 1.0 / 9, -1.0 / 8};
  static constexpr std::size_t extra = 0;
  static constexpr std::array<double, 0> extra_c = {};
  static constexpr std::array<std::array<double, 4>, 0> extra_a = {};
  static constexpr std::array<std::array<double, 4>, 0> dense = {};  ///< rows beyond the cubic
  using Control = Ode23Control;
};

}  // namespace hstar::integrator

// include/hstar/integrator/tableau/rk4.hpp
//
// The Runge-Kutta method of order 4 (W. Kutta, Z. Math. Phys. 46, 1901). It has no embedded formula of its own; with y'
// at the end of the step in place of the fourth slope the weights are those of a formula of order 3, since both slopes
// are taken at t_1, at points that differ by h^3: their difference, times h/6, is the estimate.
#pragma once

#include <array>
#include <cstddef>

#include "hstar/integrator/step_control.hpp"

namespace hstar::integrator {

struct Rk4 {
  static constexpr int order = 4;
  static constexpr std::size_t stages = 4;
  static constexpr std::array<double, 4> c = {0, 1.0 / 2, 1.0 / 2, 1};
  static constexpr std::array<std::array<double, 4>, 4> a = {
      {{0, 0, 0, 0}, {1.0 / 2, 0, 0, 0}, {0, 1.0 / 2, 0, 0}, {0, 0, 1, 0}}};
  static constexpr std::array<double, 4> b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  static constexpr bool error_uses_end = true;
  static constexpr std::array<double, 5> error = {0, 0, 0, 1.0 / 6, -1.0 / 6};
  static constexpr std::size_t extra = 0;
  static constexpr std::array<double, 0> extra_c = {};
  static constexpr std::array<std::array<double, 5>, 0> extra_a = {};
  static constexpr std::array<std::array<double, 5>, 0> dense = {};
  using Control = ElementaryControl<4>;
};

}  // namespace hstar::integrator

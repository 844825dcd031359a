// include/hstar/integrator/tableau/forward_euler.hpp
//
// Euler's method (1768), y_1 = y_0 + h f_0, with y' at the end of the step for the estimate: h/2 (f_1 - f_0) is the
// first term of its error.
#pragma once

#include <array>
#include <cstddef>

#include "hstar/integrator/step_control.hpp"

namespace hstar::integrator {

struct ForwardEuler {
  static constexpr int order = 1;
  static constexpr std::size_t stages = 1;
  static constexpr std::array<double, 1> c = {0};
  static constexpr std::array<std::array<double, 1>, 1> a = {{{0}}};
  static constexpr std::array<double, 1> b = {1};
  static constexpr bool error_uses_end = true;
  static constexpr std::array<double, 2> error = {1.0 / 2, -1.0 / 2};
  static constexpr std::size_t extra = 0;
  static constexpr std::array<double, 0> extra_c = {};
  static constexpr std::array<std::array<double, 2>, 0> extra_a = {};
  static constexpr std::array<std::array<double, 2>, 0> dense = {};
  using Control = ElementaryControl<2>;
};

}  // namespace hstar::integrator

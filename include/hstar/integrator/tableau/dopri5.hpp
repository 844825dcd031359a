// include/hstar/integrator/tableau/dopri5.hpp
//
// The 5(4) pair of J. R. Dormand & P. J. Prince (J. Comput. Appl. Math. 6, 1980) with Shampine's quartic, in the form
// of E. Hairer, S. P. Norsett & G. Wanner, Solving Ordinary Differential Equations I, 2nd edition (1993), II.5 and
// II.6. The integrator `dopri5` takes the pair from Odeint (odeint_dopri5.cpp); this is the same one for programs that
// compile it together with their own equations (hstar/compiled.hpp). tests/integrator/tableaux.cpp checks it.
#pragma once

#include <array>
#include <cstddef>

#include "hstar/integrator/step_control.hpp"

namespace hstar::integrator {

struct Dopri5Tableau {
  static constexpr int order = 5;
  static constexpr std::size_t stages = 6;
  static constexpr std::array<double, 6> c = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0};
  static constexpr std::array<std::array<double, 6>, 6> a = {
      {{0, 0, 0, 0, 0, 0},
       {1.0 / 5, 0, 0, 0, 0, 0},
       {3.0 / 40, 9.0 / 40, 0, 0, 0, 0},
       {44.0 / 45, -56.0 / 15, 32.0 / 9, 0, 0, 0},
       {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729, 0, 0},
       {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656, 0}}};
  static constexpr std::array<double, 6> b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
  /// b minus the weights of order 4; the last belongs to y' at the end
  static constexpr std::array<double, 7> error = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                                  -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  static constexpr bool error_uses_end = true;

  static constexpr std::size_t extra = 0;
  static constexpr std::array<double, 0> extra_c = {};
  static constexpr std::array<std::array<double, 7>, 0> extra_a = {};
  /// the row of dense_rows.hpp beyond the cubic
  static constexpr std::array<std::array<double, 7>, 1> dense = {
      {{-12715105075.0 / 11282082432, 0, 87487479700.0 / 32700410799, -10690763975.0 / 1880347072,
        701980252875.0 / 199316789632, -1453857185.0 / 822651844, 69997945.0 / 29380423}}};

  using Control = ElementaryControl<5>;
};

}  // namespace hstar::integrator

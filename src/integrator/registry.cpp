// src/integrator/registry.cpp
//
// Name -> maker. A new Runge-Kutta method is its tableau file and one entry here.
#include <array>
#include <vector>

#include "hstar/flow.hpp"
#include "hstar/integrator/one_step_flow.hpp"
#include "hstar/integrator/runge_kutta.hpp"
#include "hstar/integrator/tableau/dop853.hpp"
#include "hstar/integrator/tableau/forward_euler.hpp"
#include "hstar/integrator/tableau/ode23.hpp"
#include "hstar/integrator/tableau/rk4.hpp"
#include "integrator/adams.hpp"
#include "integrator/bdf.hpp"
#include "integrator/exact.hpp"
#include "integrator/odeint.hpp"
#include "integrator/radau.hpp"
#include "integrator/second_order.hpp"
#include "integrator/trapezoidal.hpp"

namespace hstar {
namespace {

template <class State>
using Ode23 = integrator::RungeKutta<integrator::Ode23, State>;
template <class State>
using Dop853 = integrator::RungeKutta<integrator::Dop853, State>;
using integrator::make_flow_of_size;

const std::vector<IntegratorEntry>& table() {
  static const std::vector<IntegratorEntry> entries = {
      {"dopri5", "explicit Runge-Kutta 5(4), quartic dense output; the default for smooth, non-stiff motion",
       "Dormand & Prince 1980 (Boost.Odeint)", 5, false, &integrator::make_dopri5},
      {"ode23", "explicit Runge-Kutta 3(2), cubic dense output, MATLAB's step control; loose tolerances",
       "Bogacki & Shampine 1989; Shampine & Reichelt 1997", 3, false, &make_flow_of_size<Ode23>},
      {"dop853", "explicit Runge-Kutta 8(5,3), 7th-degree dense output; tight tolerances",
       "Hairer, Norsett & Wanner 1993", 8, false, &make_flow_of_size<Dop853>},
      {"exact",
       "the motion itself where a mode's equations are linear, a polynomial to round-off per step; elsewhere dop853, "
       "or bdf where the motion is stiff",
       "Taylor 1715; Moler & Van Loan 2003", 8, false, &integrator::make_exact},
      {"bulirsch_stoer", "extrapolated midpoint rule of order 8, 7th-degree dense output; tight tolerances",
       "Bulirsch & Stoer 1966; Hairer & Ostermann 1990 (Boost.Odeint)", 8, false, &integrator::make_bulirsch_stoer},
      {"rosenbrock4", "linearly implicit Rosenbrock 4(3), cubic dense output; stiff motion",
       "Hairer & Wanner 1996 (Boost.Odeint)", 4, true, &integrator::make_rosenbrock4},
      {"radau", "Radau IIA with three stages of order 5, quintic dense output; stiff motion, also at long fixed steps",
       "Hairer & Wanner 1996", 5, true, &integrator::make_radau},
  };
  return entries;
}

const std::vector<IntegratorEntry>& further_table() {
  static const std::vector<IntegratorEntry> entries = {
      {"forward_euler", "Euler's method, explicit, cubic dense output; the first method of every course", "Euler 1768",
       1, false, &integrator::make_flow<integrator::RungeKutta<integrator::ForwardEuler>>},
      {"rk4", "the Runge-Kutta method of order 4, cubic dense output; usual with fixed steps", "Kutta 1901", 4, false,
       &integrator::make_flow<integrator::RungeKutta<integrator::Rk4>>},
      {"ode113", "Adams-Bashforth-Moulton, variable step and order up to max_order; smooth motion, dear rates",
       "Shampine & Gordon 1975", 5, false, &integrator::make_adams},
      {"trapezoidal", "trapezoidal rule, implicit, of order 2; stiff motion, no numerical damping", "Dahlquist 1963", 2,
       true, &integrator::make_trapezoidal},
      {"bdf",
       "backward differentiation, variable step and order up to max_order; Newton or functional iteration; stiff",
       "Gear 1971; Brenan, Campbell & Petzold 1996", 5, true, &integrator::make_ode_bdf},
      {"backward_euler", "BDF of order 1; Newton or functional iteration", "Gear 1971", 1, true,
       &integrator::make_ode_backward_euler},
  };
  return entries;
}

const std::vector<IntegratorEntry>& second_order_table() {
  static const std::vector<IntegratorEntry> entries = {
      {"newmark", "Newmark on x'' = f(t, x, x') (newmark_beta, newmark_gamma), first order unless gamma = 1/2",
       "Newmark 1959", 1, true, &integrator::make_second_order_newmark},
      {"hht", "Hilber-Hughes-Taylor on x'' = f(t, x, x') (hht_alpha), second order with numerical damping",
       "Hilber, Hughes & Taylor 1977", 2, true, &integrator::make_second_order_hht},
      {"generalized_alpha", "generalised alpha on x'' = f(t, x, x') (rho_infinity), second order",
       "Chung & Hulbert 1993", 2, true, &integrator::make_second_order_generalized_alpha},
  };
  return entries;
}

constexpr std::array<IntegratorAlias, 12> kAliases = {{
    {"ode45", "dopri5", "MATLAB's name"},
    {"rk45", "dopri5", ""},
    {"RK45", "dopri5", "SciPy's name"},
    {"RK23", "ode23", "SciPy's name"},
    {"DOP853", "dop853", "SciPy's name"},
    {"rodas", "rosenbrock4", ""},
    {"Radau", "radau", "SciPy's name"},
    {"BDF", "bdf", "SciPy's name"},
    {"ode15s", "bdf", "MATLAB's variable-order method for stiff equations, there in differences of fixed spacing"},
    {"ode23s", "rosenbrock4", "MATLAB's Rosenbrock pair of order 2(3); this one is of order 4(3)"},
    {"ode23t", "trapezoidal", "MATLAB's trapezoidal rule"},
    {"ode23tb", "rosenbrock4", "MATLAB's TR-BDF2, of order 2; this one is stable in the same way and of order 4(3)"},
}};

}  // namespace

std::span<const IntegratorEntry> integrators() { return table(); }
std::span<const IntegratorEntry> further_integrators() { return further_table(); }
std::span<const IntegratorAlias> integrator_aliases() { return kAliases; }
std::span<const IntegratorEntry> second_order_integrators() { return second_order_table(); }

const IntegratorEntry* find_second_order_integrator(std::string_view name) {
  for (const IntegratorEntry& entry : second_order_table())
    if (entry.name == name) return &entry;
  return nullptr;
}

const IntegratorEntry* find_integrator(std::string_view name) {
  for (const IntegratorAlias& alias : kAliases)
    if (name == alias.name) {
      name = alias.target;
      break;
    }
  for (const auto* entries : {&table(), &further_table()}) {
    for (const IntegratorEntry& entry : *entries) {
      if (entry.name == name) {
        return &entry;
      }
    }
  }
  return nullptr;
}

}  // namespace hstar

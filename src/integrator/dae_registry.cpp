// src/integrator/dae_registry.cpp
//
// Name -> maker of the methods that take a DaeProblem.
#include <vector>

#include "hstar/dae.hpp"
#include "integrator/bdf.hpp"
#include "integrator/ida.hpp"
#include "integrator/newmark.hpp"
#include "integrator/radau.hpp"

namespace hstar {

std::span<const DaeIntegratorEntry> dae_integrators() {
  static const std::vector<DaeIntegratorEntry> entries = {
      {"newmark", "Newmark on index 3 (newmark_beta, newmark_gamma), first order unless gamma = 1/2; robust",
       "Newmark 1959; Cardona & Geradin 1989", 1, true, false, false, &integrator::make_newmark},
      {"hht", "Hilber-Hughes-Taylor on index 3 (hht_alpha), second order with numerical damping",
       "Hilber, Hughes & Taylor 1977; Negrut, Rampalli, Ottarsson & Sajdak 2007", 2, true, false, false,
       &integrator::make_hht},
      {"generalized_alpha", "generalised alpha on index 3 (rho_infinity), second order, damping chosen by one number",
       "Chung & Hulbert 1993; Arnold & Bruls 2007", 2, true, false, false, &integrator::make_generalized_alpha},
      {"bdf", "BDF of order 1 to 6 (max_order) on index 3, variable step and order; stiff and smooth motion",
       "Gear 1971; Lotstedt & Petzold 1986", 5, true, true, false, &integrator::make_bdf},
      {"backward_euler", "BDF of order 1 on index 3", "Gear 1971", 1, true, false, false,
       &integrator::make_backward_euler},
      {"radau",
       "Radau IIA with three stages; on index3 forces that hang on multipliers leave order 2 with fixed steps; stiff",
       "Hairer & Wanner 1996", 5, true, true, true, &integrator::make_radau_dae},
      {"ida", "SUNDIALS IDA, BDF of order 1 to 5 with variable step and order, for formulations ggl and index1",
       "Hindmarsh, Brown, Grant, Lee, Serban, Shumaker & Woodward 2005", 5, false, true, true, &integrator::make_ida},
  };
  return entries;
}

const DaeIntegratorEntry* find_dae_integrator(std::string_view name) {
  for (const DaeIntegratorEntry& entry : dae_integrators())
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace hstar

// src/formulation/formulation.cpp: the registry of formulations.
#include "formulation/formulation.hpp"

#include <algorithm>
#include <array>

namespace hstar {

std::span<const FormulationEntry> formulations() {
  static constexpr std::array<FormulationEntry, 8> entries{{
      {"direct", "accelerations and multipliers from the saddle-point system; constraint drift is left alone",
       "Haug 1989, sec. 6.3", make_direct, std::nullopt, true},
      {"baumgarte",
       "direct, with constraint errors fed back as damping and stiffness (baumgarte_alpha, baumgarte_beta)",
       "Baumgarte 1972", make_baumgarte, std::nullopt, true},
      {"partition_simple",
       "direct, but only independent coordinates are integrated; dependent ones follow from the constraints",
       "Wehage & Haug 1982", make_partition_simple, std::nullopt, true},
      {"partition_full", "dependent accelerations eliminated, the reduced equations integrated, reactions recovered",
       "Wehage & Haug 1982; Garcia de Jalon & Bayo 1994, ch. 5", make_partition_full, std::nullopt, true},
      {"projection",
       "direct, then positions and velocities put back onto the constraints after each step (mass-orthogonal)",
       "Eich 1993; Hairer & Wanner 1996, sec. VII.2", make_projection},
      {"index3",
       "position constraints imposed directly by an implicit method (newmark, hht, generalized_alpha, bdf, radau)",
       "Negrut, Rampalli, Ottarsson & Sajdak 2007", make_projection, DaeForm::index3},
      {"ggl",
       "stabilised index 2: position and velocity constraints together, a second multiplier (integrators ida, bdf, "
       "radau)",
       "Gear, Gupta & Leimkuhler 1985", make_projection, DaeForm::ggl},
      {"index1",
       "acceleration constraints, accelerations and multipliers unknowns of the method (integrators ida, radau)",
       "Haug 1989; Brenan, Campbell & Petzold 1996", make_projection, DaeForm::index1, true},
  }};
  return entries;
}

const FormulationEntry* find_formulation(std::string_view name) {
  const auto entries = formulations();
  const auto it = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.name == name; });
  return it == entries.end() ? nullptr : &*it;
}

}  // namespace hstar

// tests/laws/methods.hpp: every formulation with every integrator that takes it.
#pragma once

#include <string>

#include "formulation/formulation.hpp"
#include "hstar/dae.hpp"
#include "hstar/flow.hpp"

namespace laws {

/// use(formulation, integrator) of each.
template <class Use>
void each_method(const Use& use) {
  for (const hstar::FormulationEntry& f : hstar::formulations()) {
    if (f.dae) {
      for (const hstar::DaeIntegratorEntry& i : hstar::dae_integrators())
        if (i.solves(*f.dae)) use(std::string(f.name), i.name);
    } else {
      for (const hstar::IntegratorEntry& i : hstar::integrators()) use(std::string(f.name), i.name);
    }
  }
}

}  // namespace laws

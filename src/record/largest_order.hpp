// src/record/largest_order.hpp
#pragma once

#include "hstar/flow.hpp"
#include "hstar/model_spec.hpp"

namespace hstar {

/// max_order in use: the given one, or 5, of ode113 under error control 12.
[[nodiscard]] inline int largest_order(const SimulationSpec& s) {
  if (s.max_order > 0) return s.max_order;
  const IntegratorEntry* entry = find_integrator(s.integrator);
  return s.fixed_step <= 0 && entry != nullptr && entry->name == "ode113" ? 12 : 5;
}

}  // namespace hstar

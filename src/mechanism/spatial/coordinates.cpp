// src/mechanism/spatial/coordinates.cpp
#include "mechanism/spatial/coordinates.hpp"

#include "mechanism/system.hpp"

namespace hstar {

void follow_turns(const System& system, const Kinematics& k, double* y) {
  for (const TurnCount& turns : system.turns_counted) y[turns.place] = system.forces[turns.force]->output(0, k);
}

int written_states(const System& system) {
  return system.ns - static_cast<int>(system.turns_counted.size() + system.told.size());
}

}  // namespace hstar

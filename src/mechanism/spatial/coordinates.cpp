// src/mechanism/spatial/coordinates.cpp
#include "mechanism/spatial/coordinates.hpp"

#include "mechanism/system.hpp"

namespace hstar {
namespace {

int turn_state(const Force& force) {
  const auto* spring = dynamic_cast<const CountsTurns*>(&force);
  return spring ? spring->turn_state() : -1;
}

}  // namespace

void follow_turns(const System& system, const Kinematics& k, double* y) {
  for (const auto& force : system.forces)
    if (const int state = turn_state(*force); state >= 0) y[state] = force->output(0, k);
}

int written_states(const System& system) {
  int count = system.ns;
  for (const auto& force : system.forces) count -= turn_state(*force) >= 0;
  return count;
}

}  // namespace hstar

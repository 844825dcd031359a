// examples/cpp/impact_law.cpp: an impact law of one's own: restitution that falls with the speed of the impact.
//
// A law gets the contacts that collide as matrices and answers with impulses. Here one contact at a time, without
// friction: gamma_N+ = -e / (1 + |gamma_N-| / v0) gamma_N-, where e is the contact's own restitution.
#include <cmath>
#include <iostream>

#include "hstar/impact_law.hpp"
#include "hstar/run.hpp"

namespace {

constexpr double v0 = 5.0;

double restitution(double e, double v) { return e / (1 + v / v0); }

void slower_is_better(const hstar::ImpactProblem& p, hstar::ImpactSolution& s) {
  if (p.contacts > 1) {
    s.why = "this law knows one contact at a time (multiple_impact = \"sequential\")";
    return;
  }
  const double before = p.c[0];
  s.impulse = {before < 0 ? -(1 + restitution(p.e[0], -before)) * before / p.g(0, 0) : 0.0, 0.0};
  hstar::complete(p, s);  // velocities and energy from the impulses
  s.solved = true;
}

}  // namespace

int main() {
  hstar::add_impact_law({"slower_is_better", "restitution falls with the speed", "this example", slower_is_better});
  hstar::ModelSpec model = hstar::parse_model(
      "gravity = [0, -9.81]\n[simulation]\nend = 2\nrtol = 1e-10\nstop_after_events = 2\n"
      "[[body]]\nname = \"ball\"\nmass = 0.2\nposition = [0, 1]\n"
      "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"line\" }, "
      "{ body = \"ball\", shape = \"point\" }]\nrestitution = 0.9\n",
      "ball");
  model.contacts[0].impact_law = "slower_is_better";

  const hstar::RunResult result = hstar::run(model);
  const double fall = std::sqrt(2 / 9.81), v = 9.81 * fall, expected = fall + 2 * restitution(0.9, v) * v / 9.81;
  for (const auto& event : result.events)
    std::cout << event.t << "  " << event.kind << "  " << event.gap_velocity_before << " -> "
              << event.gap_velocity_after << " m/s\n";
  return result.events.size() == 2 && std::abs(result.events[1].t - expected) < 1e-9 ? 0 : 1;
}

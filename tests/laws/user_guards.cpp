// tests/laws/user_guards.cpp
//
// A model's own guards and formulas beside constraints and friction, by every formulation with every integrator:
//   - a crossing is one event, also where the restart after it moves the state back over zero by the error of the
//     integrator (of baumgarte and direct, which drift, half of them were two);
//   - what sticks has the sign of no velocity.
// Truths: the cart with its rod in two coordinates of its own, by small steps; and a closed form.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "laws/methods.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

using State = std::array<double, 4>;  // x, angle, their rates

constexpr double mass = 1, rod_mass = 1, inertia = 0.1, arm = 0.5, gravity = 9.81;

State rates(const State& y) {
  const double c = std::cos(y[1]), s = std::sin(y[1]), m = rod_mass * arm;
  // (mass + rod_mass) x'' + m c a'' = m s a'^2;  m c x'' + (inertia + m arm) a'' = -m gravity s
  const double a11 = mass + rod_mass, a12 = m * c, a22 = inertia + m * arm;
  const double b1 = m * s * y[3] * y[3], b2 = -m * gravity * s, det = a11 * a22 - a12 * a12;
  return {y[2], y[3], (a22 * b1 - a12 * b2) / det, (a11 * b2 - a12 * b1) / det};
}

struct Counts {
  int down = 0, any = 0, place = 0;
};

/// How often the guards of the model below fire until `end`.
Counts crossings(double end) {
  const auto guards = [](const State& y) {
    return std::array<double, 4>{y[2] - 0.3, y[2] - 0.4, 0.48 - arm * std::cos(y[1]), y[1] - 0.1};
  };
  State y{0, 0, 0.5, -3};
  const double h = 1e-4;
  const auto along = [](const State& a, double by, const State& b) {
    State sum;
    for (std::size_t i = 0; i < 4; ++i) sum[i] = a[i] + by * b[i];
    return sum;
  };
  Counts count;
  auto before = guards(y);
  for (int i = 0; i < std::lround(end / h); ++i) {
    const State k1 = rates(y), k2 = rates(along(y, h / 2, k1)), k3 = rates(along(y, h / 2, k2)),
                k4 = rates(along(y, h, k3));
    for (std::size_t j = 0; j < 4; ++j) y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
    const auto now = guards(y);
    count.down += before[0] > 0 && now[0] <= 0;
    count.any += before[1] * now[1] < 0;
    count.place += (before[2] * now[2] < 0) + (before[3] * now[3] < 0);
    before = now;
  }
  return count;
}

std::string settings(const std::string& formulation, const std::string& integrator, double end, double rtol) {
  return "simulation = { end = " + digits(end) + ", rtol = " + digits(rtol) + ", formulation = \"" + formulation +
         "\", integrator = \"" + integrator + "\" }\n";
}

}  // namespace

TEST_CASE("a crossing of a guard of the model is one event by every method") {
  const double end = 3;
  const Counts truth = crossings(end);
  REQUIRE(truth.place >= 8);
  laws::each_method([&](const std::string& formulation, const std::string& integrator) {
    const IntegratorEntry* entry = find_integrator(integrator);
    if (entry != nullptr && entry->order == 1) return;
    for (const double rtol : {1e-4, 1e-7}) {
      if (rtol < 1e-5 && entry != nullptr && entry->order == 2) continue;
      INFO(formulation << " " << integrator << " " << rtol);
      const RunResult r = run_text(settings(formulation, integrator, end, rtol) + R"toml(
gravity = [0, -9.81]
body = [{ name = "cart", mass = 1, inertia = 1, velocity = [0.5, 0] },
        { name = "rod", mass = 1, inertia = 0.1, position = [0, -0.5], velocity = [-1, 0], angular_velocity = -3 }]
joint = [{ name = "rail", type = "translational", bodies = ["ground", "cart"] },
         { name = "pin", type = "revolute", bodies = ["cart", "rod"], points = [[0, 0], [0, 0.5]] }]
state = [{ name = "down", discrete = true }, { name = "any", discrete = true }, { name = "place", discrete = true }]
guard = [{ name = "g", when = "cart.vx - 0.3", crossing = "falling", reset = { down = "down + 1" } },
         { name = "h", when = "cart.vx - 0.4", crossing = "either", reset = { any = "any + 1" } },
         { name = "p", when = "rod.y + 0.48", crossing = "either", reset = { place = "place + 1" } },
         { name = "q", when = "rod.angle - 0.1", crossing = "either", reset = { place = "place + 1" } }]
)toml");
      REQUIRE(r.outcome.status == RunStatus::reached_end);
      CHECK(final_value(r, "down") == truth.down);
      CHECK(final_value(r, "any") == truth.any);
      CHECK(final_value(r, "place") == truth.place);
    }
  });
}

TEST_CASE("what sticks has the sign of no velocity by every method") {
  // Two blocks on a spring slide; the first one stops, and from then on s' = -s. (Its velocity is round-off of forces
  // that balance, beside a rod that swings: the sign of that was taken, until the next event.)
  laws::each_method([&](const std::string& formulation, const std::string& integrator) {
    const IntegratorEntry* entry = find_integrator(integrator);
    if (entry != nullptr && entry->order == 1) return;
    INFO(formulation << " " << integrator);
    const RunResult r = run_text(settings(formulation, integrator, 3, 1e-6) + R"toml(
gravity = [0, -10]
body = [{ name = "a", mass = 2.555, inertia = 0.3, velocity = [0.5, 0] },
        { name = "b", mass = 2.399, inertia = 0.3, position = [2, 0], velocity = [0.9, 0] },
        { name = "rod", mass = 0.3, inertia = 0.05, position = [4, -0.86], angular_velocity = 3 }]
joint = [{ name = "ra", type = "translational", bodies = ["ground", "a"], friction = { mu_static = 0.4, mu_kinetic = 0.13 } },
         { name = "rb", type = "translational", bodies = ["ground", "b"], friction = { mu_static = 0.4, mu_kinetic = 0.13 } },
         { name = "pin", type = "revolute", bodies = ["b", "rod"], points = [[2, 0], [0, 0.86]], friction = { mu = 0.2, radius = 0.02 } }]
state = [{ name = "s", initial = 1, rate = "-s + sign(a.vx)" }]
force = [{ name = "relay", type = "point_force", body = "a", force = ["-2.7*sign(a.vx)", 0] },
         { name = "spring", type = "spring_damper", stiffness = 11.7, damping = 0.31, free_length = 1.93, between = [
           { body = "a" }, { body = "b" }] }]
)toml");
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    double stops = -1;
    for (const EventRecord& e : r.events)
      if (e.kind == "stick" && e.element == "ra") stops = static_cast<double>(e.t);
    REQUIRE(stops > 0);
    CHECK(final_value(r, "s") == Approx(std::exp(stops - 3)).margin(2e-4));
  });
}

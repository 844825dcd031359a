// tests/simulate/switched_motion.cpp
//
// Belts, plates and drivers that are switched on at 1 s under a block that is stuck, slides or flies, in the plane and
// in space: where the block is, what the driver gives, and the books, by hand. And motions whose formula has kinks:
// where the integral of the velocity is the way, no kink was integrated through; two rejected steps a kink at most.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "hstar/dae.hpp"
#include "hstar/flow.hpp"
#include "hstar/method.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

enum class Below { belt, plate, driver };

/// A block of 1 kg with mu = 0.2 and g = 10 on what begins to run with V at 1 s. It flies if it is thrown up.
std::string block_on(Below below, bool space, double V, double vx, double vy) {
  const std::string way = "\"t < 1 ? 0 : " + digits(V) + "*(t - 1)\"", speed = "\"t < 1 ? 0 : " + digits(V) + "\"";
  const std::string zero = space ? ", 0" : "", up = space ? "[0, 0, 1]" : "[0, 1]";
  const std::string inertia = space ? ", inertia = [1, 1, 1]" : "";
  std::string text = (space ? "dimension = 3\ngravity = [0, 0, -10]\n" : "gravity = [0, -10]\n");
  text += "body = [{ name = \"b\", mass = 1" + inertia + ", velocity = [" + digits(vx) + (space ? ", 0, " : ", ") +
          digits(vy) + "] }";
  if (below == Below::plate) text += ", { name = \"plate\", motion = { x = " + way + " } }";
  if (below == Below::driver) text += ", { name = \"plate\", mass = 3" + inertia + " }";
  text += "]\n";
  std::string joints;
  if (below == Below::driver)
    joints = "{ name = \"rail\", type = \"translational\", bodies = [\"ground\", \"plate\"], axis = [1, 0" + zero +
             "] }, { name = \"motor\", bodies = [\"ground\", \"plate\"], axis = [1, 0" + zero + "], type = \"" +
             (space ? "translation" : "relative_translation") + "\", value = " + way + " }";
  if (space)  // the block does not turn
    joints +=
        std::string(joints.empty() ? "" : ", ") +
        "{ name = \"upright\", type = \"dp1\", bodies = [\"ground\", \"b\"], axis = [1, 0, 0], second_axis = [0, 1, "
        "0] }, { name = \"upright2\", type = \"dp1\", bodies = [\"ground\", \"b\"], axis = [1, 0, 0], second_axis = "
        "[0, 0, 1] }, { name = \"upright3\", type = \"dp1\", bodies = [\"ground\", \"b\"], axis = [0, 1, 0], "
        "second_axis = [0, 0, 1] }";
  if (!joints.empty()) text += "joint = [" + joints + "]\n";
  const std::string body = below == Below::belt ? "ground" : "plate";
  const std::string surface = below != Below::belt ? ""
                              : space              ? ", surface_velocity = [" + speed + ", 0, 0]"
                                                   : ", surface_velocity = " + speed;
  text += "contact = [{ name = \"deck\", friction = { mu = 0.2 }, between = [{ body = \"" + body + "\", shape = \"" +
          (space ? "plane" : "line") + "\", normal = " + up + surface + " }, { body = \"b\", shape = \"point\" }] }]\n";
  return text;
}

/// Where the block is at t >= 1 (x), from (x1, v1) at 1 s on.
double place(double x1, double v1, double V, double t) {
  const double until = std::abs(V - v1) / 2, s = t - 1, a = std::copysign(2.0, V - v1);
  if (s <= until) return x1 + v1 * s + a * s * s / 2;
  return x1 + (v1 + V) / 2 * until + V * (s - until);
}

}  // namespace

TEST_CASE("belts, plates and drivers that are switched on under a block") {
  struct Start {
    const char* name;
    double vx, vy, x1, v1;
  };
  // At 1 s: at rest; at 3 m with 2 m/s; in the air, thrown up with 15 m/s, back at 3 s with all of its friction at
  // once.
  const Start starts[] = {{"stuck", 0, 0, 0, 0}, {"sliding", 4, 0, 3, 2}, {"flying", 0, 15, 0, 0}};
  for (const Below below : {Below::belt, Below::plate, Below::driver})
    for (const bool space : {false, true})
      for (const Start& start : starts)
        for (const double V : {1.0, 2.5, -1.0})
          for (const char* how : {"", ", integrator = \"radau\", formulation = \"ggl\""}) {
            INFO((below == Below::belt    ? "belt"
                  : below == Below::plate ? "plate"
                                          : "driver")
                 << (space ? " in space, " : ", ") << start.name << ", V = " << V << how);
            const RunResult r = run_text("simulation = { end = 4, rtol = 1e-10" + std::string(how) + " }\n" +
                                         block_on(below, space, V, start.vx, start.vy));
            REQUIRE(r.outcome.status == RunStatus::reached_end);
            for (const EventRecord& e : r.events) {
              CHECK(e.books.momentum <= 1e-12);
              CHECK(e.books.energy <= 1e-12);
            }
            if (below == Below::driver) {
              const EventRecord& e = first_event(r, "impact", "motor");
              CHECK(e.t == Approx(1.0).epsilon(1e-12));
              CHECK(std::abs(e.impulse_n) == Approx(3 * std::abs(V)).epsilon(1e-9));
            }
            // What begins to run faster than the block slides passes it.
            if (below != Below::driver) CHECK(count(r, "reversal") == (start.v1 > 0 && V > start.v1));
            const bool flies = start.vy > 0;
            // It lands with 15 m/s: 15 N s, and up to 3 N s of friction, which is more than it needs.
            const double x = flies ? V * 1.0 : place(start.x1, start.v1, V, 4.0);
            CHECK(final_value(r, "b.x") == Approx(x).margin(1e-9));
            CHECK(final_value(r, "b.vx") == Approx(V).margin(1e-9));
          }
}

TEST_CASE("a motion and a driver whose formula has kinks are followed piece by piece") {
  struct Motion {
    std::string formula;
    double until, start, end;
    std::size_t kinks;
    bool straight = true;  ///< between kinks
  };
  // Continuous ways: saturation, abs, nested ?:, a triangle of 50 Hz, dead zone, a staircase with ramps, the way of a
  // speed that is on for 0.3 ms of each ms, a pulse of speed 100, a table of 1,000 knots.
  const Motion motions[] = {{"clamp(3*t - 1, 0, 1.5)", 1, 0, 1.5, 2},
                            {"abs(sin(4*t))", 1, 0, std::abs(std::sin(4.0)), 1, false},
                            {"t < 0.3 ? t : t < 0.6 ? 0.3 : 2*t - 0.9", 1, 0, 1.1, 2},
                            {"abs(mod(t, 0.02) - 0.01)", 1, 0.01, 0.01, 100},
                            {"max(t - 0.5, 0) + min(t - 0.25, 0)", 1, -0.25, 0.5, 2},
                            {"floor(5*t) + max(mod(5*t, 1) - 0.5, 0)*2", 1, 0, 5.0, 10},
                            {"0.0003*floor(1000*t) + min(mod(t, 0.001), 0.0003)", 0.0505, 0, 51 * 0.0003, 101},
                            {"100*clamp(t - 0.4, 0, 0.1)", 1, 0, 10, 2},
                            {"saw(t)", 1, 0, 0, 1000}};
  std::string saw;
  for (int i = 0; i <= 1000; ++i) saw += (i ? ", [" : "[") + digits(i / 1000.0) + ", " + (i % 2 ? "0.001]" : "0]");
  struct Method {
    std::string integrator, formulation;
    int order;
  };
  std::vector<Method> methods;
  for (const char* formulation : {"projection", "direct", "partition_full", "partition_simple", "baumgarte"})
    for (const IntegratorEntry& e : integrators()) methods.push_back({std::string(e.name), formulation, e.order});
  for (const DaeIntegratorEntry& e : dae_integrators())
    for (const auto& [formulation, can] :
         {std::pair{"index3", e.index3}, std::pair{"ggl", e.ggl}, std::pair{"index1", e.index1}})
      if (can) methods.push_back({std::string(e.name), formulation, e.order});
  for (const Method& m : methods)
    for (const Motion& c : motions) {
      // To a method of order one a curve is 1e5 steps, and 1e-9 at its end is out of its reach.
      if (m.order == 1 && !c.straight) continue;
      INFO(m.integrator << " " << m.formulation << ": " << c.formula);
      const std::string table =
          c.formula == "saw(t)" ? "table = [{ name = \"saw\", points = [" + saw + "] }]\n" : std::string();
      const std::string head = "simulation = { end = " + digits(c.until) + ", rtol = 1e-9, integrator = \"" +
                               m.integrator + "\", formulation = \"" + m.formulation +
                               "\" }\ngravity = [0, 0]\nstate = [{ name = \"way\", rate = \"plate.vx\" }]\n" + table;
      const RunResult motion = run_text(head + "body = [{ name = \"plate\", motion = { x = \"" + c.formula +
                                        "\" } }, { name = \"m\", mass = 1 }]\njoint = [{ name = \"rail\", type = "
                                        "\"translational\", bodies = [\"ground\", \"m\"] }]\n");
      CHECK(motion.outcome.status == RunStatus::reached_end);
      // Steps of a curve are rejected without kinks, too. (ida is on the lookout for its step at the start.)
      const std::size_t rejected = 2 * (c.kinks + (m.integrator == "ida" ? 1 : 0));
      const auto few = [&](const RunResult& r) { return !c.straight || r.counters.flow.rejected <= rejected; };
      CHECK(few(motion));
      CHECK(final_value(motion, "way") == Approx(c.end - c.start).margin(1e-9));
      const RunResult driven = run_text(
          head + "body = [{ name = \"plate\", mass = 2, position = [" + digits(c.start) +
          ", 0] }]\njoint = [{ name = \"rail\", type = \"translational\", bodies = [\"ground\", \"plate\"] }, { "
          "name = \"motor\", type = \"absolute_x\", body = \"plate\", value = \"" +
          c.formula + "\" }]\n");
      INFO(driven.outcome.message);
      CHECK(driven.outcome.status == RunStatus::reached_end);
      CHECK(few(driven));
      CHECK(final_value(driven, "way") == Approx(c.end - c.start).margin(1e-9));
      CHECK(final_value(driven, "plate.x") == Approx(c.end).margin(1e-9));
    }
}

// tests/simulate/profile.cpp
//
// What must hold of a profile: it changes nothing of the run; its calls are the counters of the run; the shares of
// parts and of modes add up to the whole, since each moment belongs to one; the modes' times of motion add up to that
// of the run; and stiffness is said of an explicit method that its stability holds, and of nothing else.
#include <catch2/catch.hpp>

#include "hstar/profile.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;
using Catch::Matchers::Contains;
using Part = RunProfile::Part;

namespace {

const std::string block =
    "[[body]]\nname = \"block\"\nmass = 2\nposition = [1, 0]\n"
    "[[joint]]\nname = \"guide\"\ntype = \"translational\"\nbodies = [\"ground\", \"block\"]\naxis = [1, 0]\n"
    "friction = { law = \"coulomb\", mu_static = 0.08, mu_kinetic = 0.08 }\n"
    "[[force]]\nname = \"spring\"\ntype = \"spring_damper\"\nbetween = [{body = \"ground\"}, {body = \"block\"}]\n"
    "axis = [1, 0]\nstiffness = 50\n";

std::string simulation(const std::string& integrator, const std::string& end, bool islands = true) {
  return "gravity = [0, -9.81]\n[simulation]\nend = " + end + "\nintegrator = \"" + integrator + "\"\n" +
         (islands ? "" : "islands = false\n");
}

RunResult profiled(const std::string& text, RunProfile& profile) {
  const ProfileScope scope(profile);
  return run_text(text);
}

const RunProfile::Share& share(const RunProfile& p, Part part) { return p.parts[static_cast<std::size_t>(part)]; }

}  // namespace

TEST_CASE("a profile counts what the run counts, adds up to the whole, and changes nothing") {
  for (const char* integrator : {"dopri5", "dop853", "radau", "exact"}) {
    INFO(integrator);
    RunProfile p;
    const std::string text = simulation(integrator, "11", false) + block;
    const RunResult with = profiled(text, p), without = run_text(text);
    REQUIRE(with.outcome.success());
    CHECK(with.rows == without.rows);
    CHECK(with.y_end == without.y_end);
    CHECK(with.counters.guard_evaluations == without.counters.guard_evaluations);
    CHECK(share(p, Part::transitions).calls == with.counters.transitions + 1);  // and the start
    CHECK(share(p, Part::steps).calls == with.counters.flow.steps);
    CHECK(share(p, Part::restarts).calls == with.counters.flow.restarts);
    CHECK(share(p, Part::rates).calls >= with.counters.flow.evaluations);
    CHECK(share(p, Part::guards).calls > 0);
    double parts = 0, modes = 0, motion = 0;
    std::size_t steps = 0;
    for (const auto& s : p.parts) parts += s.seconds;
    for (const auto& m : p.modes) {
      modes += m.seconds;
      motion += m.time;
      steps += m.steps;
    }
    CHECK(p.seconds > 0);
    CHECK(parts == Approx(p.seconds).epsilon(1e-9));
    CHECK(modes <= p.seconds);
    CHECK(motion == Approx(11).epsilon(1e-12));
    CHECK(steps == with.counters.flow.steps);
    CHECK(p.modes.size() == 3);  // slip to both sides, stick
    CHECK(p.stiffness.empty());
    CHECK_THAT(profile_table(p), Contains("transitions") && Contains("slip+") && Contains("guards"));
  }
}

TEST_CASE("a profile changes nothing where islands move by themselves, and its modes add up to the whole") {
  RunProfile p;
  const std::string text = simulation("exact", "11") + block;
  const RunResult with = profiled(text, p), without = run_text(text);
  REQUIRE(with.outcome.success());
  CHECK(with.counters.guard_evaluations == 0);
  CHECK(with.rows == without.rows);
  CHECK(with.y_end == without.y_end);
  CHECK(with.counters.flow.steps == without.counters.flow.steps);
  CHECK(with.counters.transitions == without.counters.transitions);
  double parts = 0, motion = 0;
  std::size_t steps = 0;
  for (const auto& s : p.parts) parts += s.seconds;
  for (const auto& m : p.modes) {
    motion += m.time;
    steps += m.steps;
  }
  CHECK(parts == Approx(p.seconds).epsilon(1e-9));
  CHECK(motion == Approx(11).epsilon(1e-12));
  CHECK(steps == with.counters.flow.steps);
  CHECK(p.modes.size() == 3);  // slip to both sides, stick
}

TEST_CASE("without a scope nothing is measured") {
  RunProfile p;
  { const ProfileScope scope(p); }
  CHECK(ProfileScope::wanted() == nullptr);
  REQUIRE(run_text(simulation("dopri5", "1") + block).outcome.success());
  CHECK(p.seconds == 0);
}

TEST_CASE("stiffness is told of an explicit method that is held by its stability") {
  // What decays in a thousandth of the time in which the rest moves.
  const std::string stiff = "[[state]]\nname = \"y\"\ninitial = 1\nrate = \"-3000*(y - cos(t))\"\n";
  for (const char* integrator : {"dopri5", "dop853", "ode23"}) {
    RunProfile p;
    REQUIRE(profiled(simulation(integrator, "3") + stiff, p).outcome.success());
    CHECK_THAT(p.stiffness, Contains(std::string("stiff for ") + integrator) && Contains("radau"));
  }
  RunProfile implicit, easy;
  REQUIRE(profiled(simulation("radau", "3") + stiff, implicit).outcome.success());
  CHECK(implicit.stiffness.empty());
  REQUIRE(profiled(simulation("dopri5", "30") + "[[state]]\nname = \"x\"\ninitial = 1\nrate = \"v\"\n[[state]]\nname = "
                                                "\"v\"\nrate = \"-x - 0.1*v\"\n",
                   easy)
              .outcome.success());
  CHECK(easy.stiffness.empty());
}

TEST_CASE("the table counts the elements of a large mode instead of listing them") {
  RunProfile p;
  std::string mode = "stick";
  for (int i = 0; i < 1000; ++i) mode += "/open";
  p.modes.push_back({mode, 1, 2, 0.5, 0.25});
  CHECK_THAT(profile_table(p), Contains("1 stick, 1000 open") && !Contains("open/open"));
}

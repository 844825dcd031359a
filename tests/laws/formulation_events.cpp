// tests/laws/formulation_events.cpp
//
// Friction under constraints gives the same events whatever the formulation: the sled, the pendulum with friction in
// its pin, the slider-crank with friction in its guide, the double pendulum against a wall. At rtol 1e-12 every kind
// matches the reference in order and every time to 1e-10 s. Truth: reference.toml of validation/.
#include <catch2/catch.hpp>
#include <cmath>

#include "hstar/run.hpp"
#include "model/reference_file.hpp"

using namespace hstar;

TEST_CASE("the same events under every formulation that is an ordinary differential equation") {
  const std::string problem = GENERATE(as<std::string>{}, "p02_sled_metal", "p09_pendulum_pin", "p09_pendulum_pin_rod",
                                       "p13_slider_crank", "p13_slider_crank_fast", "p13_double_pendulum_wall");
  const std::string formulation =
      GENERATE(as<std::string>{}, "direct", "baumgarte", "partition_simple", "partition_full", "projection");
  const std::string integrator = GENERATE(as<std::string>{}, "dopri5", "dop853");
  INFO(problem << ", " << formulation << ", " << integrator);
  const std::string folder = HSTAR_SOURCE_DIR "/validation/" + problem;
  const ReferenceFile reference = read_reference(folder + "/reference.toml");
  const RunResult result = run(read_model(
      folder + "/model.toml",
      {{"simulation.formulation", formulation}, {"simulation.integrator", integrator}, {"simulation.rtol", "1e-12"}}));
  INFO(result.outcome.message);
  CHECK(result.outcome.success());
  // A change of the guide's side need not be reported (reference: optional).
  std::vector<EventRecord> events;
  for (const EventRecord& e : result.events)
    if (e.kind != "normal_sign") events.push_back(e);
  std::vector<ReferenceEvent> expected;
  for (const ReferenceEvent& e : reference.events)
    if (!e.optional) expected.push_back(e);
  REQUIRE(events.size() == expected.size());
  double worst = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    CHECK(events[i].kind == expected[i].kind);
    worst = std::max(worst, std::abs(static_cast<double>(events[i].t - expected[i].t)));
  }
  CHECK(worst < 1e-10);
}

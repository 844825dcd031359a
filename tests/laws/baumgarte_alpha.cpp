// tests/laws/baumgarte_alpha.cpp
//
// Where alpha and beta are not given, they come from the mechanism's own time scale, also for what starts at rest in
// equilibrium: there motion and acceleration are round-off, and 1 / T of them would be no stabilisation at all (4e-8
// 1/s on a pendulum that hangs still). Truth: a pendulum of length l under g has the time scale sqrt(l / g), whatever
// it does at the start; in other units alpha is the same number of periods.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>

#include "hstar/run.hpp"

using namespace hstar;

namespace {

/// alpha of the notice "baumgarte: alpha = beta = X 1/s were chosen ...".
double chosen_alpha(const std::string& model) {
  const RunResult r = run(parse_model(model, "baumgarte"));
  REQUIRE(r.outcome.success());
  for (const std::string& notice : r.notices)
    if (const auto at = notice.find("alpha = beta = "); at != std::string::npos)
      return std::strtod(notice.c_str() + at + 15, nullptr);
  FAIL("no notice of alpha");
  return 0;
}

std::string pendulum(double length, double g, double angle, const std::string& more = "") {
  const auto text = [](double x) { return std::to_string(x); };
  return "gravity = [0, " + text(-g) + "]\n[simulation]\nend = 1\nrtol = 1e-6\nformulation = \"baumgarte\"\n" +
         "[[body]]\nname = \"bob\"\nmass = 2\nposition = [" + text(length * std::sin(angle)) + ", " +
         text(-length * std::cos(angle)) +
         "]\n[[joint]]\nname = \"rod\"\ntype = \"distance\"\nbodies = [\"ground\", "
         "\"bob\"]\nlength = " +
         text(length) + "\n" + more;
}

}  // namespace

TEST_CASE("what hangs still is stabilised as fast as it could move") {
  for (const double length : {0.1, 1.0, 10.0}) {
    INFO("length " << length);
    const double alpha = chosen_alpha(pendulum(length, 9.81, 0)) * std::sqrt(length / 9.81);
    CHECK(alpha > 0.05);
    CHECK(alpha < 2);
  }
}

TEST_CASE("what moves is stabilised as fast as it moves") {
  const double alpha = chosen_alpha(pendulum(1, 9.81, 1.5)) * std::sqrt(1 / 9.81);
  CHECK(alpha > 0.3);
  CHECK(alpha < 3);
}

TEST_CASE("the forced pendulum of the lectures, which starts at rest") {
  const RunResult r = run(read_model(std::string(HSTAR_SOURCE_DIR) + "/validation/me451_forced_pendulum/model.toml",
                                     {{"simulation.formulation", "baumgarte"}, {"simulation.rtol", "1e-6"}}));
  REQUIRE(r.outcome.success());
  bool told = false;
  for (const std::string& notice : r.notices)
    if (const auto at = notice.find("alpha = beta = "); at != std::string::npos) {
      told = true;
      CHECK(std::strtod(notice.c_str() + at + 15, nullptr) > 0.1);
    }
  CHECK(told);
  // The files say what was used.
  REQUIRE(r.chosen.size() == 2);
  CHECK(r.chosen[0].first == "baumgarte_alpha");
  CHECK(r.chosen[0].second > 0.1);
}

// tests/transition/instant.cpp
//
// Round-off that an impact hands over: what a body has of another's velocity is known no better than that velocity,
// and bodies that strike each other again and again do not make more of it than one of them had.
#include <catch2/catch.hpp>

#include "formulation/mode_equations.hpp"
#include "hstar/model_spec.hpp"
#include "support/run_text.hpp"
#include "transition/instant.hpp"

using namespace hstar;
using namespace support;

namespace {

/// A light ball at rest between a wall and a heavy ball that moves.
const char* const ball_between =
    "gravity = [0, 0]\n"
    "body = [{ name = \"light\", mass = 0.01, inertia = 1e-5, position = [0.1, 0] },\n"
    "        { name = \"heavy\", mass = 5, inertia = 0.1, position = [0.4, 0], velocity = [-3, 0] }]\n"
    "contact = [{ name = \"wall\", between = [{ body = \"ground\", shape = \"line\", normal = [1, 0] },\n"
    "            { body = \"light\", shape = \"circle\", radius = 0.1 }] },\n"
    "           { name = \"pair\", between = [{ body = \"light\", shape = \"circle\", radius = 0.1 },\n"
    "            { body = \"heavy\", shape = \"circle\", radius = 0.2 }] }]\n"
    "[simulation]\nend = 1\n";

struct Balls {
  std::shared_ptr<const System> system = build_system(parse_model(ball_between, "ball_between"));
  ModeEquations equations{system};
  Instant instant{equations};
  std::vector<double> y = system->initial_state();

  Balls() {
    equations.evaluate(0.0, y.data());
    instant.start(0);
    instant.begin(0, y);
  }
  [[nodiscard]] Row row(int contact) const { return equations.motion.normal_row(contact); }
  [[nodiscard]] double size(int contact) const { return instant.speed_size(row(contact)); }
};

}  // namespace

TEST_CASE("a body that is struck is known no better than what strikes it", "[instant]") {
  Balls balls;
  CHECK(balls.size(0) < 1e-9);  // nothing has met at the wall
  balls.instant.strike(balls.row(1));
  CHECK(balls.size(0) == Approx(2 * 3.0 * 5 / 5.01).epsilon(1e-6));
}

TEST_CASE("the ground hands over nothing", "[instant]") {
  Balls balls;
  balls.instant.strike(balls.row(0));
  CHECK(balls.size(0) < 1e-9);
  CHECK(balls.size(1) == Approx(3));
}

TEST_CASE("however often bodies strike each other, round-off does not grow in units of energy", "[instant]") {
  Balls balls;
  balls.instant.strike(balls.row(1));
  const double light = balls.size(0), both = balls.size(1);
  for (int i = 0; i < 1000; ++i) {
    balls.instant.strike(balls.row(0));
    balls.instant.strike(balls.row(1));
  }
  CHECK(balls.size(0) == light);
  CHECK(balls.size(1) == both);
}

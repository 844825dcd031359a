// tests/oracle/known_answers.cpp
//
// The oracle itself must be right: where a motion can be worked out by hand its times must be those, in few digits and
// in many, and what it calls too close to call must be so.
#include <catch2/catch.hpp>
#include <cmath>

#include "cases/parts.hpp"
#include "solver/expect.hpp"
#include "solver/number.hpp"

using namespace oracle;

namespace {

Friction both(const Decimal& mu) { return {mu, mu, {}}; }

Model empty(const Decimal& end) {
  Model model;
  model.gravity = {0, -10};
  model.end = end;
  return model;
}

double time_of(const Answer& answer, const std::string& kind, const std::string& element) {
  for (const Event& e : answer.events)
    if (e.kind == kind && e.element == element) return static_cast<double>(e.t);
  return NAN;
}

std::size_t count(const Answer& answer, const std::string& kind) {
  std::size_t n = 0;
  for (const Event& e : answer.events) n += e.kind == kind && e.told != Told::may;
  return n;
}

}  // namespace

TEST_CASE("a sliding block strikes one at rest on the same dry floor") {
  // With v at the impact and e = 1/2 the blocks leave with v/4 and 3v/4 and slow down by 1 m/s^2.
  Model model = empty(5);
  add_body(model, 1, {0, 0}, {2, 0});
  add_body(model, 1, {1, 0}, {0, 0});
  for (const int block : {0, 1}) add_guide(model, ground, block, both({1, 1}));
  add_collision(model, 0, 1, {1, 1}, {5, 1}, false);
  const double v = std::sqrt(2.4), t = 2 - v;
  for (const Answer& answer : {solve<Fast>(model, {}), solve<Exact>(model, {})}) {
    CHECK(count(answer, "impact") == 1);
    CHECK(time_of(answer, "impact", "pair0") == Approx(t).epsilon(1e-14));
    CHECK(time_of(answer, "stick", "guide0") == Approx(t + v / 4).epsilon(1e-14));
    CHECK(time_of(answer, "stick", "guide1") == Approx(t + 3 * v / 4).epsilon(1e-14));
    CHECK(answer.final_state[0] == Approx(0.875).epsilon(1e-14));
    CHECK(answer.final_state[4] == Approx(1.675).epsilon(1e-14));
  }
}

TEST_CASE("a block is pushed against a wall over a dry floor until it rests there") {
  // First impact at sqrt(11) - 3 with sqrt(11); it goes away slowing down by 3 and comes back with 1 m/s^2, so that
  // speeds after impacts fall by 1 / (2 sqrt 3), and a flight takes u (1/3 + 1/sqrt 3).
  Model model = empty(3);
  add_body(model, 1, {0, 0}, {3, 0});
  add_guide(model, ground, 0, both({1, 1}));
  add_wall(model, 0, 1, true, {5, 1}, 0);
  add_force(model, 0, TimeLaw::constant(2));
  const double first = std::sqrt(11.0) - 3, u = std::sqrt(11.0) / 2, ratio = 1 / (2 * std::sqrt(3.0));
  const double limit = first + u * (1 / 3.0 + 1 / std::sqrt(3.0)) / (1 - ratio);
  for (const Answer& answer : {solve<Fast>(model, {}), solve<Exact>(model, {})}) {
    CHECK(time_of(answer, "impact", "wall0") == Approx(first).epsilon(1e-14));
    CHECK(time_of(answer, "zeno", "wall0") == Approx(limit).epsilon(1e-12));
    CHECK(answer.final_state[0] == Approx(1).epsilon(1e-12));
    CHECK(std::abs(answer.final_state[2]) < 1e-14);
  }
}

TEST_CASE("of two interfaces the one at its limit breaks") {
  // The lower one holds 5 N, reached at 1 s; the upper one needs 5 of its 6 N then, 4.5 N after.
  Model model = empty({15, 1});
  for (int i = 0; i < 2; ++i) add_body(model, 1, {0, 0}, {0, 0});
  add_guide(model, ground, 0, Friction{{25, 2}, {2, 1}, {}});
  add_guide(model, 0, 1, Friction{{6, 1}, {2, 1}, {}});
  TimeLaw pull;
  pull.pieces[0].polynomial[1] = 5;
  add_force(model, 1, pull);
  const Answer answer = solve<Fast>(model, {});
  CHECK(answer.events.size() == 1);
  CHECK(time_of(answer, "slip", "guide0") == Approx(1).epsilon(1e-15));
  CHECK(answer.final_state[2] == Approx(0.5625).epsilon(1e-14));
}

TEST_CASE("a belt that starts under a resting block makes it slip, then takes it along") {
  Model model = empty(3);
  add_body(model, 1, {0, 0}, {0, 0});
  add_floor(model, ground, 0, Friction{{3, 1}, {2, 1}, {}}, 0);
  model.contacts[0].surface_velocity.pieces.push_back({1, {Decimal(5, 1), 0, 0}, {}});
  const Answer answer = solve<Fast>(model, {});
  CHECK(time_of(answer, "slip", "floor0") == 1);
  CHECK(time_of(answer, "stick", "floor0") == Approx(1.25).epsilon(1e-15));
  CHECK(answer.final_state[0] == Approx(0.9375).epsilon(1e-14));
}

TEST_CASE("an oscillator on a dry floor: half swings about shifted centres, to the last stick") {
  // m = 1, k = 100, mu g = 1: amplitudes fall by 2 mu g / k = 0.02 a half swing, each of pi / 10 s.
  Model model = empty(3);
  add_body(model, 1, Pair{Decimal(105, 3), 0}, {0, 0});
  add_guide(model, ground, 0, both({1, 1}));
  Spring spring;
  spring.second = 0;
  spring.stiffness = 100;
  model.springs.push_back(spring);
  const Answer answer = solve<Fast>(model, {});
  CHECK(count(answer, "reversal") == 4);
  CHECK(time_of(answer, "stick", "guide0") == Approx(5 * std::acos(-1.0) / 10).epsilon(1e-14));
  CHECK(answer.final_state[0] == Approx(-0.005).epsilon(1e-13));
}

TEST_CASE("what hangs on less than the tolerance is set aside, what does not is not") {
  // The ball's apex touches the ceiling, or stays clear of it by a millimetre.
  for (const bool touches : {true, false}) {
    Model model = empty({5, 1});
    const Decimal speed(4, 0, 7);  // with a knob: it is turned
    add_body(model, 1, {0, 0}, {0, speed});
    Contact ceiling;
    ceiling.name = "ceiling";
    ceiling.normal = {0, -1};
    ceiling.point = {0, touches ? Decimal(8, 1) : Decimal(801, 3)};
    model.contacts.push_back(ceiling);
    CHECK(expect(model).aside.empty() == !touches);
  }
}

// tests/simulate/piles.cpp
//
// Piles of blocks on a shaken table and a wedged ball: many frictional contacts, redundant ones among them, that reach
// their limits in turn or all at once. Which interface slides and when has a closed form: with M_i the mass above
// interface i, blocks above a sliding interface s go on with mu_s g and those below with the table's a, so that
// interface i < s gives way at a = g (mu_i M_i - mu_s M_s)/(M_i - M_s); of equal ones the lowest, since what lies above
// it then needs no more than it can hold. List order must not matter.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/random.hpp"
#include "support/run_text.hpp"

using namespace support;

namespace {

constexpr double g = 10, jerk = 100;  // the table's acceleration is jerk t: blocks move less than a millimetre

std::string head(double end) {
  return "gravity = [0.0, -10.0]\n[simulation]\nend = " + digits(end) +
         "\nrtol = 1e-9\nintegrator = \"dop853\"\n[[body]]\nname = \"table\"\nmotion = { x = \"100*t^3/6\" }\n";
}

std::string block(const std::string& name, double x, double y, double width, double mass = 1) {
  return "[[body]]\nname = \"" + name + "\"\nmass = " + digits(mass) +
         "\ninertia = " + digits(mass * (width * width + 0.01) / 12) + "\nposition = [" + digits(x) + ", " + digits(y) +
         "]\n";
}

std::string friction(double mu_static, double mu_kinetic) {
  return "friction = { law = \"coulomb\", mu_static = " + digits(mu_static) + ", mu_kinetic = " + digits(mu_kinetic) +
         " }\n";
}

struct Stack {
  std::vector<double> mu_static, mu_kinetic, mass;
  /// Blocks and interfaces written in this order.
  [[nodiscard]] std::string text(const std::vector<std::size_t>& order, double end) const {
    std::string all = head(end);
    for (const std::size_t i : order)
      all += block("block" + std::to_string(i), 0, 0.05 + 0.1 * static_cast<double>(i), 0.4, mass[i]);
    for (const std::size_t i : order)
      all += "[[contact]]\nname = \"joint" + std::to_string(i) + "\"\nbetween = [" +
             (i == 0 ? std::string("{ body = \"table\", shape = \"line\" }")
                     : "{ body = \"block" + std::to_string(i - 1) + "\", shape = \"line\", point = [0.0, 0.05] }") +
             ", { body = \"block" + std::to_string(i) +
             "\", shape = \"segment\", ends = [[0.2, -0.05], [-0.2, -0.05]] }]\n" +
             friction(mu_static[i], mu_kinetic[i]);
    return all;
  }
};

/// What must happen: times and interfaces, equal mu_static and mu_kinetic.
std::vector<std::pair<double, std::size_t>> slips_of(const Stack& s) {
  std::vector<double> above(s.mass.size() + 1, 0.0);
  for (std::size_t i = s.mass.size(); i-- > 0;) above[i] = above[i + 1] + s.mass[i];
  std::vector<std::pair<double, std::size_t>> out;
  std::size_t sliding = s.mass.size();
  while (sliding > 0) {
    const double mu = sliding < s.mass.size() ? s.mu_kinetic[sliding] : 0;
    std::pair<double, std::size_t> next{HUGE_VAL, 0};
    for (std::size_t i = 0; i < sliding; ++i)
      next = std::min(next,
                      {g * (s.mu_static[i] * above[i] - mu * above[sliding]) / (above[i] - above[sliding]) / jerk, i});
    out.push_back(next);
    sliding = next.second;
  }
  return out;
}

const std::vector<std::size_t> upwards{0, 1, 2, 3, 4};

}  // namespace

TEST_CASE("five blocks with random friction: every interface gives way when it must, and no other") {
  Random random(20261121);
  std::size_t several = 0;
  for (int repeat = 0; repeat < 12; ++repeat) {
    Stack s;
    for (int i = 0; i < 5; ++i) {
      s.mu_kinetic.push_back(random.uniform(0.1, 0.35));
      s.mass.push_back(random.uniform(0.5, 2));
    }
    s.mu_static = s.mu_kinetic;
    const auto expected = slips_of(s);
    several += expected.size() > 1;
    const auto r = run_text(
        s.text(repeat % 2 == 0 ? upwards : std::vector<std::size_t>{3, 0, 4, 2, 1}, expected.back().first + 1e-4));
    INFO("stack " << repeat << ": " << r.outcome.message);
    REQUIRE(r.outcome.success());
    REQUIRE(r.events.size() == expected.size());
    for (std::size_t e = 0; e < expected.size(); ++e) {
      CHECK(r.events[e].kind == "slip");
      CHECK(r.events[e].element.substr(0, 6) == "joint" + std::to_string(expected[e].second));
      CHECK(r.events[e].t == Approx(expected[e].first).margin(1e-9));
    }
  }
  CHECK(several >= 4);
}

TEST_CASE(
    "five interfaces that reach their limit at one instant: the lowest slides, in whatever order they are written") {
  const double mu_kinetic = GENERATE(0.3, 0.25);
  for (const auto& order : {upwards, {4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}}) {
    const Stack s{std::vector<double>(5, 0.3), std::vector<double>(5, mu_kinetic), std::vector<double>(5, 1.0)};
    const auto r = run_text(s.text(order, 0.05));
    INFO("mu_kinetic " << mu_kinetic << ", first " << order[0] << ": " << r.outcome.message);
    REQUIRE(r.outcome.success());
    REQUIRE(r.events.size() == 1);
    CHECK(r.events[0].kind == "slip");
    CHECK(r.events[0].t == Approx(0.03).margin(1e-9));
    // All five move on as one, from the speed of the table with mu_kinetic g.
    for (int i = 0; i < 5; ++i)
      CHECK(final_value(r, "block" + std::to_string(i) + ".vx") ==
            Approx(jerk * 0.03 * 0.03 / 2 + mu_kinetic * g * 0.02).epsilon(1e-9));
  }
}

TEST_CASE("a stack that its table throws up flies as one body, lands and bounces to rest as one") {
  // In flight the blocks touch and press each other by nothing at all, stuck or not.
  const int blocks = GENERATE(2, 3, 5);
  const double mu = GENERATE(0.0, 0.3), e = 0.5, drop = 0.2;
  const auto pile = [&](const std::string& motion, double above, double restitution, double end) {
    std::string text = "gravity = [0.0, -10.0]\n[simulation]\nend = " + digits(end) +
                       "\nrtol = 1e-10\nintegrator = \"dop853\"\n[[body]]\nname = \"table\"\nmotion = { y = \"" +
                       motion + "\" }\n";
    for (int i = 0; i < blocks; ++i) text += block("block" + std::to_string(i), 0, above + 0.05 + 0.1 * i, 0.4);
    for (int i = 0; i < blocks; ++i)
      text += "[[contact]]\nname = \"joint" + std::to_string(i) + "\"\nbetween = [" +
              (i == 0 ? std::string("{ body = \"table\", shape = \"line\" }")
                      : "{ body = \"block" + std::to_string(i - 1) + "\", shape = \"line\", point = [0.0, 0.05] }") +
              ", { body = \"block" + std::to_string(i) +
              "\", shape = \"segment\", ends = [[0.2, -0.05], [-0.2, -0.05]] }]\n" + (mu > 0 ? friction(mu, mu) : "") +
              "restitution = " + digits(i == 0 ? restitution : 0.0) + "\n";
    return run_text(text);
  };
  INFO(blocks << " blocks, mu " << mu);
  SECTION("dropped: impacts at the times of a bouncing ball, at rest at their limit") {
    const double fall = std::sqrt(2 * drop / g), limit = fall * (1 + e) / (1 - e);
    const auto r = pile("0*t", drop, e, limit + 0.2);
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    REQUIRE(r.events.size() > 10);
    for (std::size_t i = 0; i + 1 < 10; ++i)
      CHECK(r.events[i].t ==
            Approx(limit - 2 * fall * std::pow(e, static_cast<double>(i) + 1) / (1 - e)).epsilon(1e-9));
    REQUIRE(r.events.back().kind == "zeno");
    CHECK(r.events.back().t == Approx(limit).epsilon(1e-9));
    for (int i = 0; i < blocks; ++i)
      CHECK(final_value(r, "block" + std::to_string(i) + ".y") == Approx(0.05 + 0.1 * i).margin(1e-11));
  }
  SECTION("thrown off a table that turns back: y = (1 - cos 5 t)/2, off where cos 5 t = -0.8") {
    const double off = std::acos(-0.8) / 5;
    const auto r = pile("0.5*(1 - cos(5*t))", 0, 0, 1.0);
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    REQUIRE(r.events.size() == 1);
    CHECK(r.events[0].kind == "liftoff");
    CHECK(r.events[0].t == Approx(off).margin(1e-10));
    const double flight = 1 - off, y = 0.9 + 1.5 * flight - g / 2 * flight * flight;
    for (int i = 0; i < blocks; ++i)
      CHECK(final_value(r, "block" + std::to_string(i) + ".y") == Approx(y + 0.05 + 0.1 * i).margin(1e-9));
  }
}

TEST_CASE("a pyramid of three bricks and a wall of two, one and two on a table that accelerates slide as one body") {
  struct Brick {
    const char* name;
    double x, y, width;
  };
  struct Pile {
    std::vector<Brick> bricks;
    std::vector<std::pair<std::string, std::string>> contacts;
  };
  const auto pyramid = Pile{{{"left", -0.25, 0.05, 0.4}, {"right", 0.25, 0.05, 0.4}, {"top", 0, 0.15, 0.4}},
                            {{"table", "left"}, {"table", "right"}, {"left", "top"}, {"right", "top"}}};
  const auto wall = Pile{{{"a", -0.25, 0.05, 0.4},
                          {"b", 0.25, 0.05, 0.4},
                          {"m", 0, 0.15, 1.0},
                          {"c", -0.25, 0.25, 0.4},
                          {"d", 0.25, 0.25, 0.4}},
                         {{"table", "a"}, {"table", "b"}, {"a", "m"}, {"b", "m"}, {"m", "c"}, {"m", "d"}}};
  const double mu_kinetic = GENERATE(0.3, 0.2);
  for (const Pile& pile : {pyramid, wall}) {
    std::string text = head(0.05);
    const auto shape = [&](const std::string& name) {
      for (const Brick& b : pile.bricks)
        if (name == b.name) {
          const std::string w = digits(b.width / 2);
          return "{ body = \"" + name + "\", shape = \"polygon\", corners = [[-" + w + ", -0.05], [" + w +
                 ", -0.05], [" + w + ", 0.05], [-" + w + ", 0.05]] }";
        }
      return std::string("{ body = \"table\", shape = \"line\" }");
    };
    for (const Brick& b : pile.bricks) text += block(b.name, b.x, b.y, b.width);
    for (const auto& [first, second] : pile.contacts)
      text += "[[contact]]\nname = \"" + first + "_" + second + "\"\nbetween = [" + shape(first) + ", " +
              shape(second) + "]\n" + friction(0.3, mu_kinetic);
    const auto r = run_text(text);
    INFO(pile.bricks.size() << " bricks, mu_kinetic " << mu_kinetic << ": " << r.outcome.message);
    REQUIRE(r.outcome.success());
    REQUIRE(r.events.size() == 1);
    CHECK(r.events[0].kind == "slip");
    CHECK(r.events[0].t == Approx(0.03).margin(1e-9));
    for (const Brick& b : pile.bricks)
      CHECK(final_value(r, std::string(b.name) + ".vx") ==
            Approx(jerk * 0.03 * 0.03 / 2 + mu_kinetic * g * 0.02).epsilon(1e-9));
  }
}

TEST_CASE("a ball in a groove turns when no split of four forces for three equations can hold its torque") {
  // Groove of 90 degrees, both walls at their limit: N1 - N2 = mu (N1 + N2), (N1 + N2)(1 + mu^2) = sqrt(2) W.
  const double mu = GENERATE(0.1, 0.3, 0.6), R = 0.1, weight = 20;
  const auto r = run_text(
      "gravity = [0.0, -10.0]\n[simulation]\nend = 2.0\nrtol = 1e-9\n[[body]]\nname = \"ball\"\nmass = 2.0\ninertia = "
      "0.008\nposition = [0.0, \"0.1*sqrt(2)\"]\n[[contact]]\nname = \"left\"\nbetween = [{ body = \"ground\", shape = "
      "\"line\", normal = [1.0, 1.0] }, { body = \"ball\", shape = \"circle\", radius = 0.1 }]\n" +
      friction(mu, mu) +
      "[[contact]]\nname = \"right\"\nbetween = [{ body = \"ground\", shape = \"line\", normal = [-1.0, 1.0] }, { body "
      "= "
      "\"ball\", shape = \"circle\", radius = 0.1 }]\n" +
      friction(mu, mu) + "[[force]]\nname = \"drive\"\ntype = \"torque\"\nbody = \"ball\"\ntorque = \"t\"\n");
  const double limit = std::sqrt(2.0) * mu * weight * R / (1 + mu * mu);
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  REQUIRE(r.events.size() == 1);
  CHECK(r.events[0].t == Approx(limit).margin(1e-9));
  // It turns in its place: J omega' = t - limit.
  CHECK(final_value(r, "ball.omega") == Approx((2 - limit) * (2 - limit) / 2 / 0.008).epsilon(1e-8));
  CHECK(final_value(r, "ball.x") == Approx(0).margin(1e-12));
}

// tests/simulate/zeno_contacts.cpp
//
// Accumulations with several contacts: each must end at its limit. Two balls on one line, whose accumulations come one
// after the other or together; a ball in a groove, where one contact accumulates while the other is closed; a ball on a
// block that stands on two corners; a plank that rocks, each strike of a corner an accumulation, and these limits
// accumulate again. Truth: closed forms, and for the two balls their parabolas followed exactly.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "support/run_text.hpp"

using namespace support;

namespace {

constexpr double g = 9.81;

struct TwoBalls {
  double m_a, m_b, e_floor, e_balls;
};

/// When ball A rests on the floor and when B rests on A, released at heights a < b. Between impacts both fall freely
/// and their distance changes at constant speed; B that strikes A at rest on the floor leaves it there.
void two_limits(const TwoBalls& p, long double a, long double b, long double& floor_limit, long double& balls_limit) {
  const long double G = g, tiny = 1e-13L, never = std::numeric_limits<long double>::infinity();
  long double va = 0, vb = 0, t = 0;
  for (;;) {
    const long double to_floor = (va + std::sqrt(va * va + 2 * G * a)) / G,
                      together = vb < va ? (b - a) / (va - vb) : never, s = std::min(to_floor, together);
    a += va * s - G * s * s / 2, b += vb * s - G * s * s / 2;
    va -= G * s, vb -= G * s, t += s;
    if (to_floor < together) {
      a = 0, va = -p.e_floor * va;
    } else {
      b = a;
      const long double impulse = (1 + p.e_balls) * (va - vb) * p.m_a * p.m_b / (p.m_a + p.m_b);
      va -= impulse / p.m_a, vb += impulse / p.m_b;
    }
    if (va * va + vb * vb + G * b < tiny * tiny) {  // both together
      floor_limit = balls_limit = t;
      return;
    }
    if (to_floor < together && va < tiny && b > 1e-6L) break;
  }
  floor_limit = t;
  const long double fall = (vb + std::sqrt(vb * vb + 2 * G * b)) / G, speed = G * fall - vb;
  balls_limit = t + fall + 2 * p.e_balls * speed / (G * (1 - p.e_balls));
}

}  // namespace

TEST_CASE("two balls on one line come to rest on each other at the exact limits") {
  // The first four rest one after the other, the last three (a heavy ball on a light one) together.
  const TwoBalls p = GENERATE(TwoBalls{1, 0.3, 0.5, 0.5}, TwoBalls{1, 0.3, 0.3, 0.4}, TwoBalls{1, 1, 0.5, 0.5},
                              TwoBalls{1, 0.1, 0.7, 0.6}, TwoBalls{0.4, 1, 0.2, 0.3}, TwoBalls{0.5, 2, 0.5, 0.6},
                              TwoBalls{0.2, 1, 0.6, 0.5});
  INFO("masses " << p.m_a << ", " << p.m_b << ", restitution " << p.e_floor << ", " << p.e_balls);
  long double floor_limit = 0, balls_limit = 0;
  two_limits(p, 0.3L, 0.5L, floor_limit, balls_limit);
  const auto r = run_text(
      "gravity = [0.0, -9.81]\n[simulation]\nend = 2.5\nintegrator = \"dop853\"\nrtol = 1e-12\n"
      "[[body]]\nname = \"a\"\nmass = " +
      digits(p.m_a) + "\nposition = [0.0, 0.3]\n[[body]]\nname = \"b\"\nmass = " + digits(p.m_b) +
      "\nposition = [0.0, 0.5]\n"
      "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"a\", shape = "
      "\"point\" }]\nrestitution = " +
      digits(p.e_floor) +
      "\n[[contact]]\nname = \"balls\"\nbetween = [{ body = \"a\", shape = \"line\" }, { body = \"b\", shape = "
      "\"point\" }]\nrestitution = " +
      digits(p.e_balls) + "\n");
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(r.outcome.mode == "closed/closed");
  for (const char* state : {"a.y", "a.vy", "b.y", "b.vy"}) CHECK(std::abs(final_value(r, state)) < 1e-11);
  const auto last = [&](const std::string& contact) {
    double t = 0;
    for (const auto& e : r.events)
      if (e.kind == "zeno" && (e.element == contact || floor_limit == balls_limit)) t = e.t;
    return t;
  };
  CHECK(last("floor") == Approx(static_cast<double>(floor_limit)).epsilon(1e-8));
  CHECK(last("balls") == Approx(static_cast<double>(balls_limit)).epsilon(1e-8));
}

TEST_CASE("a ball in a smooth groove comes to rest on one side after the other") {
  // Sides at right angles: the two coordinates along the normals fall with g / sqrt 2 each, on their own.
  const double e_1 = GENERATE(0.0, 0.4), e_2 = GENERATE(0.5, 0.8), root = std::sqrt(0.5), d_1 = 0.2, d_2 = 0.7;
  const auto limit = [&](double d, double e) { return std::sqrt(2 * d / (g * root)) * (1 + e) / (1 - e); };
  const double x = root * (d_1 - d_2), y = root * (d_1 + d_2);
  const auto r = run_text(
      "gravity = [0.0, -9.81]\n[simulation]\nend = 6.0\nintegrator = \"dop853\"\nrtol = 1e-12\n"
      "[[body]]\nname = \"ball\"\nmass = 0.8\nposition = [" +
      digits(x) + ", " + digits(y) +
      "]\n[[contact]]\nname = \"left\"\nbetween = [{ body = \"ground\", shape = \"line\", normal = "
      "[1.0, 1.0] }, { body = \"ball\", shape = \"point\" }]\nrestitution = " +
      digits(e_1) +
      "\n[[contact]]\nname = \"right\"\nbetween = [{ body = \"ground\", shape = \"line\", normal = "
      "[-1.0, 1.0] }, { body = \"ball\", shape = \"point\" }]\nrestitution = " +
      digits(e_2) + "\n");
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(r.outcome.mode == "closed/closed");
  if (e_1 > 0) CHECK(first_event(r, "zeno", "left").t == Approx(limit(d_1, e_1)).epsilon(1e-9));
  CHECK(first_event(r, "zeno", "right").t == Approx(limit(d_2, e_2)).epsilon(1e-9));
  for (const char* state : {"ball.x", "ball.y", "ball.vx", "ball.vy"}) CHECK(std::abs(final_value(r, state)) < 1e-11);
}

TEST_CASE("a ball that bounces to rest on a block leaves the block's corners where they stand") {
  const double e = 0.6, fall = std::sqrt(2 * 0.5 / g), limit = fall * (1 + e) / (1 - e);
  const auto r = run_text(
      "gravity = [0.0, -9.81]\n[simulation]\nend = 2.5\nintegrator = \"dop853\"\nrtol = 1e-12\n"
      "[[body]]\nname = \"block\"\nmass = 3.0\ninertia = 0.2\nposition = [0.0, 0.2]\n"
      "[[body]]\nname = \"ball\"\nmass = 0.5\nposition = [0.1, 0.9]\n"
      "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"block\", shape = "
      "\"polygon\", corners = [[-0.3, -0.2], [0.3, -0.2], [0.3, 0.2], [-0.3, 0.2]] }]\nfriction = { mu = 0.4 }\n"
      "[[contact]]\nname = \"top\"\nbetween = [{ body = \"block\", shape = \"line\", point = [0.0, 0.2] }, { body = "
      "\"ball\", shape = \"point\" }]\nrestitution = 0.6\nfriction = { mu = 0.3 }\n");
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(count(r, "zeno") == 1);
  CHECK(first_event(r, "zeno", "top").t == Approx(limit).epsilon(1e-9));
  CHECK(count(r, "liftoff") == 0);
  CHECK(final_value(r, "ball.y") == Approx(0.4).margin(1e-12));
  CHECK(final_value(r, "block.y") == Approx(0.2).margin(1e-13));
  CHECK(std::abs(final_value(r, "block.angle")) < 1e-13);
  const auto normal = [&](const std::string& name) { return r.rows.back()[column(r, name)]; };
  CHECK(normal("top.normal") == Approx(0.5 * g).epsilon(1e-10));
}

namespace {

/// A plank with gaps y - 1 - b_0 angle and y - 1 + b_1 angle: between impacts all accelerations are constant. Of one
/// swing, on end i with speed V (rho = G_01 / G_ii, restitution e): the impacts of end i last 2 e V / (g (1 - e)),
/// through the jumps of the other end's velocity, rho (1 + e) e^k V, that one has the speed v and the height h when end
/// i rests, and strikes with the speed that g (1 - rho) gives it.
struct Plank {
  double b[2], e[2];
  double inertia = 1;  // mass 1
  [[nodiscard]] double rho(int i) const { return (1 - b[0] * b[1] / inertia) / (1 + b[i] * b[i] / inertia); }
  void swing(int i, double& V, double& t) const {
    const double r = rho(i), q = e[i], bounces = 2 * q * V / (g * (1 - q)), a = g * (1 - r),
                 v = V * (r * (1 + q) - 2 * q) / (1 - q), h = 2 * q * V * V / (g * (1 - q) * (1 - q)) * (r - q),
                 strikes = std::sqrt(v * v + 2 * a * h);
    t += bounces + (v + strikes) / a;
    V = strikes;
  }
  /// Let go with end 0 on the ground and end 1 at `height`: when all rests. Two swings are a geometric sequence.
  [[nodiscard]] double limit(double height) const {
    const double a = g * (1 - rho(0));
    double V = std::sqrt(2 * a * height), start = V / a, t = 0;
    const double V_0 = V;
    swing(1, V, t);
    swing(0, V, t);
    return start + t / (1 - V / V_0);
  }
};

}  // namespace

TEST_CASE("a plank that rocks to rest with restitution rests at the limit of the limits of its ends' impacts") {
  const Plank p = GENERATE(Plank{{0.5, 0.5}, {0.3, 0.3}}, Plank{{0.4, 0.6}, {0.3, 0.2}}, Plank{{0.3, 0.35}, {0.5, 0.4}},
                           Plank{{0.2, 0.2}, {0.05, 0.6}});
  INFO("ends " << p.b[0] << ", " << p.b[1] << ", restitution " << p.e[0] << ", " << p.e[1]);
  const double angle = 0.1, truth = p.limit((p.b[0] + p.b[1]) * angle);
  const auto r = run_text(
      "gravity = [0.0, -9.81]\n[simulation]\nend = " + digits(truth + 0.5) +
      "\nintegrator = \"dop853\"\nrtol = 1e-12\n[[body]]\nname = \"plank\"\nmass = 1.0\ninertia = " +
      "1.0\nposition = [0.0, " + digits(1 + p.b[0] * angle) + "]\nangle = " + digits(angle) +
      "\n[[contact]]\nname = \"left\"\ngap = \"plank.y - 1 - " + digits(p.b[0]) +
      "*plank.angle\"\nrestitution = " + digits(p.e[0]) + "\n[[contact]]\nname = \"right\"\ngap = \"plank.y - 1 + " +
      digits(p.b[1]) + "*plank.angle\"\nrestitution = " + digits(p.e[1]) + "\n");
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(r.outcome.mode == "closed/closed");
  CHECK(final_value(r, "plank.y") == Approx(1).margin(1e-12));
  for (const char* state : {"plank.angle", "plank.vy", "plank.omega"}) CHECK(std::abs(final_value(r, state)) < 1e-12);
  REQUIRE(r.events.back().kind == "zeno");
  // The error estimate of the record holds.
  const double error = std::abs(r.events.back().t - truth);
  CAPTURE(r.events.back().t, truth, error, r.events.back().dt_error, r.events.back().note);
  CHECK(error <= 1e-9 * truth);
  CHECK(error <= r.events.back().dt_error + 1e-14);
  CHECK(r.events.back().dt_error <= 1e-6 * truth);
  CHECK(r.events.back().note.find("impacts seen, the others followed") != std::string::npos);
}

TEST_CASE("what flies meanwhile takes no part in a limit that others reach in no time") {
  // A light ball rattles between a wall and a heavy one, without forces: flights shrink by a factor an impact, to a
  // limit at which both stand. Another ball strikes the same wall in the last moment before that, and leaves with half
  // its speed. First it is far away: that tells when the limit comes and from when on flights are followed.
  const auto rattle = [](double gap) {
    std::string text = "gravity = [0, 0]\n[simulation]\nend = 4\nrtol = 1e-9\n";
    const auto body = [&](const std::string& name, const char* mass, const std::string& place, const char* speed) {
      text += "[[body]]\nname = \"" + name + "\"\nmass = " + mass + "\nposition = [" + place + "]\nvelocity = [" +
              speed + ", 0]\n";
    };
    const auto contact = [&](const std::string& name, const std::string& one, const std::string& two, const char* e) {
      text += "[[contact]]\nname = \"" + name + "\"\nbetween = [" + one + ", { body = \"" + two +
              "\", shape = \"circle\", radius = 0.1 }]\nrestitution = " + e + "\n";
    };
    const std::string wall = "{ body = \"ground\", shape = \"line\", normal = [1, 0] }";
    body("light", "1", "1.1, 0", "-0.3");
    body("heavy", "20", "2.3, 0", "-1");
    body("other", "1", digits(0.1 + gap) + ", 5", "-1");
    contact("wall", wall, "light", "0.3");
    contact("pair", "{ body = \"light\", shape = \"circle\", radius = 0.1 }", "heavy", "0.3");
    contact("else", wall, "other", "0.5");
    return run_text(text);
  };
  const auto alone = rattle(100);
  REQUIRE(alone.outcome.success());
  const auto limit = first_event(alone, "zeno", "wall");
  const double followed = limit.t - limit.t_lo;
  REQUIRE(followed > 0);
  for (const double before : {0.5, 1e-2, 1e-4}) {
    INFO("the other strikes with " << before << " of the time left");
    const auto r = rattle(limit.t - before * followed);
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    CHECK(r.outcome.mode == "closed/closed/open");
    for (const char* at_rest : {"light.vx", "heavy.vx"}) CHECK(std::abs(final_value(r, at_rest)) < 1e-12);
    CHECK(final_value(r, "other.vx") == Approx(0.5).epsilon(1e-12));
    CHECK(final_value(r, "other.x") == Approx(0.1 + 0.5 * (4 - limit.t)).margin(1e-8));
    REQUIRE(count(r, "zeno") == 1);
    for (const auto& e : r.events)
      if (e.kind == "zeno") {
        CHECK(e.t == Approx(limit.t).epsilon(1e-13));
        CHECK(e.dt_error < 1e-12);
      }
  }
}

TEST_CASE("a block that bounces to rest at a wall stops sliding at the limit, and both have a line") {
  // Pushed at a wall 0.1 m away by 12 N against 2.943 N of friction, e = 0.3: accelerations towards it and away from it
  // are a_1 and a_2, each bounce comes back with r = e sqrt(a_1/a_2) of its speed.
  const hstar::RunResult r = run_text(R"toml(
gravity = [0, -9.81]
simulation = { end = 1, rtol = 1e-10 }
body = [{ name = "block", mass = 3, position = [0.1, 0] }]
joint = [{ name = "floor", type = "translational", bodies = ["ground", "block"], axis = [1, 0], friction = { mu = 0.1 } }]
force = [{ name = "push", type = "point_force", body = "block", force = [-12, 0] }]
contact = [{ name = "wall", gap = "block.x", restitution = 0.3 }]
)toml");
  const double e = 0.3, a1 = (12 - 2.943) / 3, a2 = (12 + 2.943) / 3, v = std::sqrt(2 * a1 * 0.1),
               back = std::sqrt(a1 * a2);
  const double limit = std::sqrt(0.2 / a1) + e * v * (1 / a2 + 1 / back) / (1 - e * std::sqrt(a1 / a2));
  REQUIRE(r.outcome.status == hstar::RunStatus::reached_end);
  CHECK(first_event(r, "zeno", "wall").t == Approx(limit).epsilon(1e-10));
  CHECK(count(r, "zeno") == 1);
  CHECK(count(r, "stick") == 1);
  CHECK(first_event(r, "stick", "floor").t == first_event(r, "zeno", "wall").t);
  CHECK(std::abs(final_value(r, "block.x")) < 1e-12);
}

TEST_CASE("two cards that lean on each other stand, however they bounce first") {
  // Corner against corner: each comes into the stretch of the other's edge as its gap closes, perhaps while the feet
  // come to rest on the floor. Friction holds them up, 0.5 > tan(20 deg) / 2; through each other they would lie flat.
  const double e = GENERATE(0.0, 0.2, 0.4, 0.6, 0.8);
  INFO("restitution " << e);
  std::string model = "gravity = [0, -9.81]\n[simulation]\nend = 0.3\nrtol = 1e-7\n";
  const std::string card =
      "shape = \"polygon\", corners = [[-0.044, -0.00015], [0.044, -0.00015], [0.044, 0.00015], [-0.044, 0.00015]] }";
  const auto body = [&](const char* name, double x, double angle) {
    model += std::string("[[body]]\nname = \"") + name + "\"\nmass = 0.0018\ninertia = 1.1616e-6\nposition = [" +
             digits(x) + ", 0.04164647531457997]\nangle = " + digits(angle) + "\n";
  };
  const auto contact = [&](const char* name, const std::string& first, const std::string& second) {
    model += std::string("[[contact]]\nname = \"") + name + "\"\nbetween = [" + first + ", { body = \"" + second +
             "\", " + card + "]\nfriction = { mu = 0.5 }\nrestitution = " + digits(e) + "\n";
  };
  const double x = 0.015348886306329428, angle = 7 * std::acos(-1.0) / 18;
  body("l", -x, angle);
  body("r", x, std::acos(-1.0) - angle);
  contact("foot_l", "{ body = \"ground\", shape = \"line\" }", "l");
  contact("foot_r", "{ body = \"ground\", shape = \"line\" }", "r");
  contact("top", "{ body = \"l\", " + card, "r");
  const auto r = run_text(model);
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(final_value(r, "l.angle") == Approx(angle).margin(0.01));
  CHECK(final_value(r, "l.y") > 0.04);
}

TEST_CASE("a ladder that slides down a wall comes to lie flat, however it bounces") {
  // Flat on the floor its end has no height and its arm none along the normal: what its gap is known to comes from its
  // angle alone.
  const double e = GENERATE(0.0, 0.3, 0.4);
  INFO("restitution " << e);
  const std::string ladder =
      "{ body = \"ladder\", shape = \"polygon\", corners = [[-2, -0.001], [2, -0.001], [2, 0], [-2, 0]] }]\n"
      "friction = { mu = 0.2 }\nrestitution = " +
      digits(e) + "\n";
  const auto r = run_text(
      "gravity = [0, -9.81]\n[simulation]\nend = 1.9\nrtol = 1e-7\n"
      "[[body]]\nname = \"ladder\"\nmass = 10\ninertia = 13.333333333333334\n"
      "position = [1.2855752193730787, 1.532088886237956]\nangle = 2.2689280275926285\n"
      "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"line\" }, " +
      ladder +
      "[[contact]]\nname = \"wall\"\nbetween = [{ body = \"ground\", shape = \"polygon\", corners = [[-1, 0], [0, 0], "
      "[0, "
      "5], [-1, 5]] }, " +
      ladder);
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(final_value(r, "ladder.angle") == Approx(std::acos(-1.0)).margin(1e-9));
  CHECK(final_value(r, "ladder.omega") == Approx(0).margin(1e-9));
}

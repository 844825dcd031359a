// One impact of a mechanism (transition/impact_solver.hpp). Everything that touches or whose friction follows a
// reaction takes part, at rest before or not: closed forms of a block, a rider and a lever that friction held. The
// impulses told are all there are: momentum closes with them, joint by joint. Islands that nothing strikes keep their
// velocities to the last bit, and impacts that share no body are each as if alone. A law is a line of data.
#include <catch2/catch.hpp>

#include <cmath>

#include "support/random.hpp"
#include "support/run_text.hpp"
#include "transition/impact_solver.hpp"

using namespace hstar;
using support::digits;
using support::Random;

namespace {

struct Bench {
  std::shared_ptr<const System> system;
  ModeEquations equations;
  ImpactSolver solver;
  std::vector<double> y, gap_velocity, restitution;
  std::vector<char> active;

  explicit Bench(const std::string& text, double t = 0)
      : system(build_system(parse_model("[simulation]\nend = 1.0\n" + text, "bench"))),
        equations(system),
        solver(equations, {}),
        y(system->initial_state()) {
    equations.evaluate(t, y.data());
    for (std::size_t c = 0; c < system->contacts.size(); ++c) {
      const double gap = system->contacts[c]->gap(equations.motion.kinematics());
      gap_velocity.push_back(equations.motion.gap_velocity(static_cast<int>(c)));
      active.push_back(std::abs(gap) < 1e-12 && gap_velocity.back() <= 0);
      restitution.push_back(system->contacts[c]->restitution);
    }
  }
  const ImpactOutcome& impact() {
    const ImpactOutcome& found = solver.solve(active, gap_velocity.data(), restitution.data());
    REQUIRE(found.found);
    return found;
  }
  [[nodiscard]] double velocity(const ImpactOutcome& o, std::size_t body, int column) const {
    return o.v_plus[system->slot(body, column)];
  }
};

std::string body(const std::string& name, double mass, double x, double y, const std::string& more = "") {
  return "[[body]]\nname = \"" + name + "\"\nmass = " + digits(mass) + "\nposition = [" + digits(x) + ", " + digits(y) +
         "]\n" + more;
}
std::string contact_element(const std::string& name, const std::string& first, const std::string& second, double e,
                            const std::string& more = "") {
  return "[[contact]]\nname = \"" + name + "\"\nbetween = [" + first + ", " + second + "]\nrestitution = " + digits(e) +
         "\n" + more;
}
const std::string floor_line = "{ body = \"ground\", shape = \"line\" }";
std::string point(const std::string& body) { return "{ body = \"" + body + "\", shape = \"point\" }"; }
std::string disc(const std::string& body, double radius) {
  return "{ body = \"" + body + "\", shape = \"circle\", radius = " + digits(radius) + " }";
}

}  // namespace

TEST_CASE("a block that rests on a rough floor is struck: floor and friction take no part in a level blow") {
  for (const double e : {0.0, 0.5, 1.0}) {
    Bench b(body("a", 1, 0, 0, "velocity = [2.0, 0.0]\n") + body("b", 1, 0.2, 0) +
            contact_element("floor_a", floor_line, point("a"), 0, "friction = { mu = 0.4 }\n") +
            contact_element("floor_b", floor_line, point("b"), 0, "friction = { mu = 0.4 }\n") +
            contact_element("hit", disc("a", 0.1), disc("b", 0.1), e));
    const ImpactOutcome& o = b.impact();
    CHECK(b.velocity(o, 1, 0) == Approx(1 - e).margin(1e-15));
    CHECK(b.velocity(o, 2, 0) == Approx(1 + e).margin(1e-15));
    CHECK_FALSE(o.sticks[1]);
  }
}

TEST_CASE("a rider goes on when its cart hits a wall") {
  Bench b(body("cart", 5, 0, 0, "velocity = [1.0, 0.0]\n") + body("rider", 2, 0, 0.1, "velocity = [1.0, 0.0]\n") +
          "[[joint]]\nname = \"rail\"\ntype = \"translational\"\nbodies = [\"ground\", \"cart\"]\n" +
          contact_element("deck", "{ body = \"cart\", shape = \"line\", point = [0, 0.1] }", point("rider"), 0,
                          "friction = { mu = 0.5 }\n") +
          contact_element("wall", "{ body = \"ground\", shape = \"line\", normal = [-1, 0] }", point("cart"), 0.6));
  const ImpactOutcome& o = b.impact();
  CHECK(b.velocity(o, 1, 0) == Approx(-0.6).epsilon(1e-14));
  CHECK(b.velocity(o, 2, 0) == Approx(1.0).epsilon(1e-15));
}

TEST_CASE("a lever that its pin's friction held is struck: the pin rubs with its own reaction impulse") {
  // I about the pin, centre of mass at a, pin of radius R; a ball of mass m and speed V strikes at r. With the pin's
  // impulse q = p - ml a w of either sign:  I w = p r - mu R |q|,  r w - (V - p/m) = e V.
  const double ml = 1.2, a = 0.3, I = 0.2, m = 0.5, V = 2, r = 0.7, mu = 0.25, R = 0.04;
  for (const double e : {0.0, 0.5, 1.0}) {
    double w = 0, p = 0, q = 0;
    for (const double sign : {1.0, -1.0}) {
      const double a11 = I - sign * mu * R * ml * a, a12 = -(r - sign * mu * R), b2 = (1 + e) * V;
      const double determinant = a11 / m - a12 * r;
      if (sign * (a11 * b2 - ml * a * -a12 * b2) / determinant < 0) continue;
      w = -a12 * b2 / determinant, p = a11 * b2 / determinant, q = sign * (p - ml * a * w);
    }
    REQUIRE(q > 0);
    Bench b(
        body("lever", ml, a, 0, "inertia = " + digits(I - ml * a * a) + "\n") +
        body("ball", m, r, -0.1, "velocity = [0.0, " + digits(V) + "]\n") +
        "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"ground\", \"lever\"]\npoints = [[0.0, 0.0], [" +
        digits(-a) + ", 0.0]]\nfriction = { mu = " + digits(mu) + ", radius = " + digits(R) + " }\n" +
        contact_element("hit", "{ body = \"lever\", shape = \"line\", point = [0.0, 0.0], normal = [0.0, -1.0] }",
                        disc("ball", 0.1), e));
    const ImpactOutcome& o = b.impact();
    CHECK(b.velocity(o, 1, 2) == Approx(w).epsilon(1e-13));
    CHECK(o.impulse_n[0] == Approx(p).epsilon(1e-13));
    CHECK(std::abs(o.impulse_unit[0][0]) == Approx(mu * R * q).epsilon(1e-13));
    CHECK_FALSE(o.stuck_unit[0]);
  }
}

TEST_CASE("momentum closes with the impulses told, and what is not struck keeps its velocities") {
  Random random(20261122);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const double e = random.uniform(0, 1), mu = random.uniform(0, 0.8);
    const auto speed = [&] { return digits(random.uniform(-2, 2)); };
    // A pendulum that a ball strikes, and a block that flies, rests on the floor or strikes it.
    const double height = repeat % 3 == 0 ? 0.5 : 0.0;
    const std::string fall = repeat % 3 == 1 ? "0.0" : digits(-random.uniform(0.5, 2));
    Bench b(body("rod", random.uniform(0.5, 3), 0.5, 1, "inertia = " + digits(random.uniform(0.05, 0.4)) + "\n") +
            body("ball", random.uniform(0.1, 2), random.uniform(0.6, 1), 1.1,
                 "velocity = [" + speed() + ", " + digits(-random.uniform(0.5, 3)) + "]\ninertia = 0.01\n") +
            body("block", random.uniform(0.1, 2), 3, height, "velocity = [" + speed() + ", " + fall + "]\n") +
            "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\npoints = [[0.0, 1.0], "
            "[-0.5, 0.0]]\nfriction = { mu = 0.3, radius = 0.05 }\n" +
            contact_element("hit", "{ body = \"rod\", shape = \"line\" }", disc("ball", 0.1), e,
                            "friction = { mu = " + digits(mu) + " }\n") +
            contact_element("floor", floor_line, point("block"), e, "friction = { mu = " + digits(mu) + " }\n"));
    const System& s = *b.system;
    const ImpactOutcome o = b.impact();
    INFO("case " << repeat);
    std::vector<double> before(s.slots()), load(s.slots()), size(s.slots());
    b.equations.motion.momentum(before.data());
    const auto add = [&](const Row& row, double impulse) {
      row.add(impulse, load.data(), s.columns);
      for (std::size_t i = 0; i < 2; ++i)
        for (int c = 0; c < s.columns; ++c)
          size[s.slot(static_cast<std::size_t>(row.body[i]), c)] += std::abs(row.J[i][c] * impulse);
    };
    std::vector<Row> joints(static_cast<std::size_t>(s.rows));
    s.joint_rows(b.equations.motion.kinematics(), joints.data());
    for (std::size_t i = 0; i < joints.size(); ++i) add(joints[i], o.reaction[i]);
    Row row;
    for (int c = 0; c < 2; ++c) {
      row = b.equations.motion.normal_row(c);
      add(row, o.impulse_n[static_cast<std::size_t>(c)]);
    }
    for (std::size_t u = 0; u < s.frictions.size(); ++u) {
      row = b.equations.motion.tangent_row(static_cast<int>(u));
      add(row, o.impulse_unit[u][0]);
    }
    for (std::size_t k = 1; k < s.bodies.size(); ++k)
      for (int c = 0; c < s.bodies[k].dofs; ++c) {
        const auto slot = s.slot(k, c);
        const double mass = b.equations.motion.mass()[slot], after = mass * o.v_plus[slot];
        CHECK(std::abs(after - before[slot] - load[slot]) <=
              1e-15 * 16 * (std::abs(after) + std::abs(before[slot]) + size[slot]));
      }
    if (repeat % 3 == 2) continue;
    for (int c = 0; c < 2; ++c) CHECK(b.velocity(o, 3, c) == b.equations.motion.kinematics().velocity(3, c));
    CHECK(o.impulse_n[1] == 0);
  }
}

TEST_CASE("a hundred pairs that strike at once are each as if alone") {
  const auto pair = [](int i) {
    const std::string n = std::to_string(i);
    const double m = 1 + 0.01 * i, V = 1 + 0.1 * i;
    return body("a" + n, m, 3 * i, 0.1, "inertia = 0.01\nvelocity = [0.3, " + digits(-V) + "]\n") +
           contact_element("f" + n, floor_line, disc("a" + n, 0.1), 0.4, "friction = { mu = 0.2 }\n");
  };
  std::string all;
  for (int i = 0; i < 100; ++i) all += pair(i);
  Bench together(all);
  const ImpactOutcome& o = together.impact();
  for (int i = 0; i < 100; i += 9) {
    Bench alone(pair(i));
    const ImpactOutcome& one = alone.impact();
    for (int c = 0; c < 3; ++c)
      CHECK(together.velocity(o, static_cast<std::size_t>(i + 1), c) == alone.velocity(one, 1, c));
    CHECK(o.impulse_n[static_cast<std::size_t>(i)] == one.impulse_n[0]);
  }
}

TEST_CASE("corners of one face that strike together share the blow, and do not push against each other") {
  // Their impulses are not unique; equal compliances that vanish give each corner the same, and a level blow no
  // friction.
  const double h = 0.2, m = 2, V = 3, e = 0.3;
  Bench b(body("block", m, 0, h, "inertia = 0.05\nvelocity = [0.0, " + digits(-V) + "]\n") +
          contact_element(
              "floor", floor_line,
              "{ body = \"block\", shape = \"polygon\", corners = [[-0.4, -0.2], [0.4, -0.2], [0.4, 0.2], [-0.4, "
              "0.2]] }",
              e, "friction = { mu = 0.6 }\n"));
  const ImpactOutcome& o = b.impact();
  double sum = 0;
  for (std::size_t c = 0; c < b.active.size(); ++c) {
    sum += o.impulse_n[c];
    if (b.active[c]) CHECK(o.impulse_n[c] == Approx(m * (1 + e) * V / 2).epsilon(1e-13));
    CHECK(std::abs(o.impulse_t[c]) <= 1e-14 * m * V);
  }
  CHECK(sum == Approx(m * (1 + e) * V).epsilon(1e-13));
}

TEST_CASE("a law of one's own is a line of data: plastic impacts of all elements") {
  ImpactLawEntry plastic{"plastic in a test", "gamma_N+ = 0 whatever the restitution", "this test"};
  plastic.restores = ImpactLawEntry::Restores::nothing;
  plastic.elements = ImpactLawEntry::Elements::all;
  add_impact_law(plastic);
  ModelSpec model =
      parse_model("gravity = [0, -10]\n[simulation]\nend = 2\n" + body("ball", 2, 0, 1.25) +
                      contact_element("floor", floor_line, point("ball"), 0.9, "friction = { mu = 0.5 }\n"),
                  "plastic");
  model.contacts[0].impact_law = "plastic in a test";
  const RunResult r = run(model);
  REQUIRE(r.outcome.success());
  REQUIRE(r.events.size() == 1);
  CHECK(r.events[0].kind == "impact");
  CHECK(r.events[0].t == Approx(0.5).epsilon(1e-12));
  CHECK(r.events[0].impulse_n == Approx(2 * 5).epsilon(1e-12));
  CHECK(std::abs(r.y_end[1]) < 1e-12);
}

TEST_CASE("whittaker: of two contacts that approach, the one that the other's impulse throws open takes no part") {
  // Without friction, G_01 = 0.9: alone contact 0 asks for Lambda_0 = 1, and with it contact 1 leaves with -0.01 + 0.9;
  // both brought to rest, contact 1 would have to pull.
  ImpactProblem p;
  p.contacts = 2;
  p.directions = 1;
  p.G = {1, 0, 0.9, 0, 0, 1, 0, 0, 0.9, 0, 1, 0, 0, 0, 0, 1};
  p.c = {-1, 0, -0.01, 0};
  p.e = {0, 0};
  p.mu = {0, 0};
  const ImpactSolution s = find_impact_law("whittaker")->solve(p);
  REQUIRE(s.solved);
  CHECK(s.impulse[0] == Approx(1).epsilon(1e-14));
  CHECK(s.impulse[2] == 0);
  CHECK(s.velocity[2] == Approx(0.89).epsilon(1e-14));
}

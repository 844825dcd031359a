// tests/simulate/closed_forms.cpp
//
// Smooth mechanisms against closed forms: a spring of no length through its own anchor, a bead on a
// turning rod (all terms of a prescribed rotation), redundant constraints that change nothing, and
// closed loops that keep their energy to the order of the method, a lift-off by the only force there is.
#include <catch2/catch.hpp>

#include <cmath>

#include "simulate/transformed.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

TEST_CASE("a spring of free length zero swings through its anchor") {
  // k d along the vector is smooth at d = 0: a harmonic motion, also in the plane.
  const bool through_zero = GENERATE(true, false);
  const double vy = through_zero ? 0.0 : 0.7;
  const auto r = run_text(
      "gravity = [0.0, 0.0]\n[simulation]\nend = 7.0\nrtol = 1e-11\nintegrator = \"dop853\"\n"
      "[[body]]\nname = \"m\"\nmass = 2.0\nposition = [1.0, 0.0]\nvelocity = [0.0, " +
      digits(vy) +
      "]\n"
      "[[force]]\nname = \"k\"\ntype = \"spring_damper\"\nbetween = [{ body = \"ground\" }, { body = \"m\" }]\n"
      "stiffness = 18.0\ndamping = 0.0\nfree_length = 0.0\n");
  REQUIRE(r.outcome.success());
  CHECK(r.events.empty());
  CHECK(final_value(r, "m.x") == Approx(std::cos(21.0)).epsilon(1e-8));
  CHECK(final_value(r, "m.vx") == Approx(-3 * std::sin(21.0)).epsilon(1e-8));
  CHECK(final_value(r, "m.y") == Approx(vy / 3 * std::sin(21.0)).margin(1e-9));
}

TEST_CASE("a bead on a rod that is turned at constant speed") {
  // r'' = w^2 r: r0 cosh(w t); the rod presses with the Coriolis force 2 m w r'.
  const double w = 2.0, r0 = 0.3, m = 0.5;
  const auto r = run_text(
      "gravity = [0.0, 0.0]\n[simulation]\nend = 1.5\nrtol = 1e-11\nintegrator = \"dop853\"\n"
      "[[body]]\nname = \"rod\"\nmotion = { x = \"0.0\", y = \"0.0\", angle = \"2*t + 0.4\" }\n"
      "[[body]]\nname = \"bead\"\nmass = 0.5\nposition = [" +
      digits(r0 * std::cos(0.4)) + ", " + digits(r0 * std::sin(0.4)) + "]\nvelocity = [" +
      digits(-w * r0 * std::sin(0.4)) + ", " + digits(w * r0 * std::cos(0.4)) +
      "]\n"
      "[[joint]]\nname = \"guide\"\ntype = \"translational\"\nbodies = [\"rod\", \"bead\"]\naxis = [1.0, 0.0]\n");
  REQUIRE(r.outcome.success());
  const std::size_t fx = column(r, "guide.fx"), fy = column(r, "guide.fy");
  for (const auto& row : r.rows) {
    const double t = row[0], radius = r0 * std::cosh(w * t), angle = w * t + 0.4;
    CHECK(row[1] == Approx(radius * std::cos(angle)).margin(1e-9));
    CHECK(row[2] == Approx(radius * std::sin(angle)).margin(1e-9));
    const double push = 2 * m * w * r0 * w * std::sinh(w * t);
    CHECK(row[fx] == Approx(-push * std::sin(angle)).margin(1e-8));
    CHECK(row[fy] == Approx(push * std::cos(angle)).margin(1e-8));
  }
}

TEST_CASE("a bead on a rod whose turning speeds up: the Euler force too") {
  // At the centre of a frame with angle t^2 a bead on the axis with offset 0 feels r'' = (2 t)^2 r only
  // along the rod; across it the rod must supply m (2 w r' + alpha r).
  const auto r = run_text(
      "gravity = [0.0, 0.0]\n[simulation]\nend = 1.0\nrtol = 1e-11\nintegrator = \"dop853\"\n"
      "output = \"steps\"\n"  // between the ends of steps the interpolant is on the rod to the tolerance only
      "[[body]]\nname = \"rod\"\nmotion = { x = \"0.0\", y = \"0.0\", angle = \"t^2\" }\n"
      "[[body]]\nname = \"bead\"\nmass = 0.5\nposition = [0.3, 0.0]\n"
      "[[joint]]\nname = \"guide\"\ntype = \"translational\"\nbodies = [\"rod\", \"bead\"]\naxis = [1.0, 0.0]\n");
  REQUIRE(r.outcome.success());
  const std::size_t fx = column(r, "guide.fx"), fy = column(r, "guide.fy");
  for (const auto& row : r.rows) {
    const double t = row[0], c = std::cos(t * t), s = std::sin(t * t), radius = c * row[1] + s * row[2];
    CHECK(-s * row[1] + c * row[2] == Approx(0).margin(1e-13));  // on the rod
    const double rate = c * row[3] + s * row[4];
    CHECK(-s * row[fx] + c * row[fy] == Approx(0.5 * (2 * 2 * t * rate + 2 * radius)).margin(1e-9));
    CHECK(c * row[fx] + s * row[fy] == Approx(0).margin(1e-12));
  }
}

TEST_CASE("two parallel guides instead of one: the same motion, the redundancy named") {
  const auto model = [](bool second) {
    const auto guide = [](const std::string& name, double y) {
      return "[[joint]]\nname = \"" + name +
             "\"\ntype = \"translational\"\nbodies = [\"ground\", \"slide\"]\npoints = [[0.0, " + digits(y) +
             "], [0.0, " + digits(y) + "]]\naxis = [1.0, 0.0]\n";
    };
    return "gravity = [0.0, -9.81]\n[simulation]\nend = 3.0\nrtol = 1e-10\n[[body]]\nname = \"slide\"\nmass = "
           "2.0\ninertia = 0.1\n"
           "velocity = [0.4, 0.0]\n[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"slide\"\npoint = [0.0, "
           "0.3]\nforce = [\"3*cos(2*t)\", 1.0]\n" +
           guide("upper", 0.1) + (second ? guide("lower", -0.1) : "");
  };
  const auto one = run_text(model(false)), two = run_text(model(true));
  REQUIRE(one.outcome.success());
  REQUIRE(two.outcome.success());
  CHECK(final_value(two, "slide.x") == Approx(final_value(one, "slide.x")).epsilon(1e-12));
  CHECK(final_value(two, "slide.x") == Approx(0.4 * 3 + 1.5 * (1 - std::cos(6.0)) / 4).epsilon(1e-8));
  bool named = false;
  for (const auto& n : two.notices)
    named |= n.find("lower") != std::string::npos && n.find("redundant") != std::string::npos;
  CHECK(named);
  // What is not unique is only how the guides share: together they carry the weight.
  const auto& row = two.rows.back();
  CHECK(row[column(two, "upper.fy")] + row[column(two, "lower.fy")] == Approx(2.0 * 9.81 - 1.0).epsilon(1e-12));
}

TEST_CASE("a four-bar linkage keeps its energy to the order of the method") {
  // Two cranks and a coupler with inertia under gravity, nothing dissipates.
  const auto energy_error = [](const std::string& integrator, double h) {
    const auto body = [](const std::string& name, double x, double y, double angle, double length) {
      return "[[body]]\nname = \"" + name + "\"\nmass = 1.0\ninertia = " + digits(length * length / 12) +
             "\nposition = [" + digits(x) + ", " + digits(y) + "]\nangle = " + digits(angle) + "\n";
    };
    const auto pin = [](const std::string& name, const std::string& a, const std::string& b, const std::string& pa,
                        const std::string& pb) {
      return "[[joint]]\nname = \"" + name + "\"\ntype = \"revolute\"\nbodies = [\"" + a + "\", \"" + b +
             "\"]\npoints = [" + pa + ", " + pb + "]\n";
    };
    const std::string text = "gravity = [0.0, -9.81]\n[simulation]\nend = 2.4\nfixed_step = " + digits(h) +
                             "\nintegrator = \"" + integrator + "\"\n" + body("left", 0.3, -0.1, -0.3, 0.6) +
                             body("coupler", 1.1, -0.1, 0.2, 1.0) + body("right", 1.5, -0.2, -1.9, 0.7) +
                             pin("a", "ground", "left", "[0.0, 0.0]", "[-0.3, 0.0]") +
                             pin("b", "left", "coupler", "[0.3, 0.0]", "[-0.5, 0.0]") +
                             pin("c", "coupler", "right", "[0.5, 0.0]", "[0.35, 0.0]") +
                             pin("d", "ground", "right", "[1.5, 0.3]", "[-0.35, 0.0]");
    const auto r = run_text(text);
    REQUIRE(r.outcome.success());
    const std::size_t energy = column(r, "energy");
    double worst = 0;
    for (const auto& row : r.rows) worst = std::max(worst, std::abs(row[energy] - r.rows.front()[energy]));
    return worst;
  };
  struct Study {
    std::string integrator;
    double h, order;
  };
  for (const Study& s : {Study{"ode23", 0.004, 3}, Study{"dopri5", 0.01, 5}, Study{"dop853", 0.08, 8}}) {
    const double coarse = energy_error(s.integrator, s.h), fine = energy_error(s.integrator, s.h / 4);
    INFO(s.integrator << ": " << coarse << " -> " << fine);
    CHECK(std::log2(coarse / fine) / 2 > s.order - 0.5);
    CHECK(fine > 1e-14);  // or round-off would hide the order
  }
}

TEST_CASE("a contact lifts off where the only force there is passes zero") {
  // At t0 nothing but round-off is left of all forces, and its sign is chance: the force just before is the measure.
  // Afterwards x'' = sin(w (t - t0)), so that x = pi / w^2 at t0 + pi / w.
  const double pi = 3.14159265358979323846, w = 2.711864406779661, t0 = (2 * 30 + 1.5) * pi / w;
  for (int i = 1; i < 24; ++i) {
    const auto r = run_text(
        "[simulation]\nrtol = 1e-11\nintegrator = \"dop853\"\nstart = " + digits(t0 - i / 25.0 * pi / w) +
        "\nend = " + digits(t0 + pi / w) +
        "\n[[body]]\nname = \"m\"\nmass = 1.0\n"
        "[[joint]]\nname = \"guide\"\ntype = \"translational\"\nbodies = [\"ground\", \"m\"]\n"
        "[[force]]\nname = \"shaker\"\ntype = \"point_force\"\nbody = \"m\"\nforce = [\"cos(" +
        digits(w) +
        "*t)\", 0.0]\n"
        "[[contact]]\nname = \"stop\"\nbetween = [{ body = \"ground\", shape = \"line\", normal = [1.0, 0.0] }, "
        "{ body = \"m\", shape = \"point\" }]\n");
    INFO(i << ": " << r.outcome.message);
    REQUIRE(r.outcome.success());
    REQUIRE(r.events.size() == 1);
    CHECK(r.events[0].kind == "liftoff");
    CHECK(r.events[0].t == Approx(t0).epsilon(1e-13));
    CHECK(final_value(r, "m.x") == Approx(pi / (w * w)).epsilon(1e-9));
  }
}

TEST_CASE("a stuck block is let go by a wall when its load turns round, and slips when friction alone is too little") {
  // Wall and friction share the load A cos(t) while it presses; both shares pass through zero together. From then on
  // friction alone holds until A cos(t) = -mu m g, at t = acos(-mu m g / A).
  const double load = GENERATE(3.0, 5.0, 40.0), mu = GENERATE(0.1, 0.34), kinetic = GENERATE(1.0, 0.3);
  const double m = 0.275, g = 9.16, slips = std::acos(-mu * m * g / load);
  const auto r =
      run_text("gravity = [0.0, " + digits(-g) +
               "]\n[simulation]\nend = 2.5\nrtol = 1e-9\n[[body]]\nname = \"block\"\nmass = " + digits(m) +
               "\nposition = [2.4, 0.0]\n[[joint]]\nname = \"guide\"\ntype = \"translational\"\nbodies = "
               "[\"ground\", \"block\"]\nfriction = { mu_static = " +
               digits(mu) + ", mu_kinetic = " + digits(kinetic * mu) +
               " }\n[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"block\"\nforce = [\"" + digits(load) +
               "*cos(t)\", \"0\"]\n[[contact]]\nname = \"wall\"\nbetween = [{ body = "
               "\"ground\", shape = \"line\", point = [2.5, 0.0], normal = [-1.0, 0.0] }, { body = "
               "\"block\", shape = \"circle\", radius = 0.1 }]\nrestitution = 0.5\n");
  INFO("load " << load << ", mu " << mu << ": " << r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(count(r, "slip") == 1);
  CHECK(first_event(r, "slip").t == Approx(slips).epsilon(1e-9));
  CHECK(r.outcome.mode == "slip-/open");
}

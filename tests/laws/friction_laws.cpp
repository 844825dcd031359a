// tests/laws/friction_laws.cpp
//
// Laws of every friction law. The curve: never negative, starts at mu_static (or, above it, only
// drops), continuous from piece to piece, pieces found from both sides. The motion, for a block on a
// belt and for a pendulum with a pin: stuck is stuck to round-off on every accepted step, friction
// never gives energy, the force is in the cone and on the curve when sliding, slip begins exactly at
// mu_static N, and recorded reactions obey Newton's law. A law without a line in the table fails.
#include <catch2/catch.hpp>

#include <cmath>
#include <functional>

#include "mechanism/friction_law.hpp"
#include "support/random.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

struct LawCase {
  std::string name, keys;
  std::function<double(double)> mu;  ///< of the sliding speed > 0, written here anew
  double mu_static, viscous;
  bool dry;
};

double table_mu(double v) {
  const double x[] = {0, 0.1, 0.3, 0.6}, y[] = {0.4, 0.25, 0.2, 0.3};
  for (int i = 0; i < 3; ++i)
    if (v < x[i + 1]) return y[i] + (y[i + 1] - y[i]) * (v - x[i]) / (x[i + 1] - x[i]);
  return y[3];
}

std::vector<LawCase> laws() {
  const auto stribeck = [](double exponent) {
    return [exponent](double v) { return 0.2 + 0.25 * std::exp(-std::pow(v / 0.15, exponent)); };
  };
  const std::string curve = "mu_static = 0.45, mu_kinetic = 0.2, stribeck_velocity = 0.15, stribeck_exponent = ";
  return {
      {"coulomb", "law = \"coulomb\", mu = 0.35", [](double) { return 0.35; }, 0.35, 0, true},
      {"coulomb, higher static", "law = \"coulomb\", mu_static = 0.5, mu_kinetic = 0.3", [](double) { return 0.3; },
       0.5, 0, true},
      {"coulomb and viscous", "law = \"coulomb\", mu = 0.35, viscous = 1.5", [](double) { return 0.35; }, 0.35, 1.5,
       true},
      {"stribeck 1", "law = \"stribeck\", " + curve + "1.0", stribeck(1), 0.45, 0, true},
      {"stribeck 2", "law = \"stribeck\", " + curve + "2.0", stribeck(2), 0.45, 0, true},
      {"stribeck 0.5", "law = \"stribeck\", " + curve + "0.5", stribeck(0.5), 0.45, 0, true},
      {"stribeck 3, viscous", "law = \"stribeck\", " + curve + "3.0, viscous = 0.7", stribeck(3), 0.45, 0.7, true},
      {"viscous", "law = \"viscous\", viscous = 2.0", [](double) { return 0.0; }, 0, 2.0, false},
      {"table", "law = \"table\", table = [[0.0, 0.4], [0.1, 0.25], [0.3, 0.2], [0.6, 0.3]]", table_mu, 0.4, 0, true},
      {"table, higher static",
       "law = \"table\", mu_static = 0.55, table = [[0.0, 0.4], [0.1, 0.25], [0.3, 0.2], [0.6, 0.3]]", table_mu, 0.55,
       0, true},
  };
}

/// A block pulled by a spring on a belt that speeds up and slows down; the vertical load swings.
std::string belt_model(const std::string& law, bool contact) {
  const std::string friction = "friction = { " + law + " }\n";
  return "gravity = [0.0, -9.81]\n[simulation]\nend = 12.0\nrtol = 1e-10\nintegrator = \"dop853\"\noutput = \"steps\"\n"
         "[[body]]\nname = \"belt\"\nmotion = { x = \"0.1*t + 0.25*sin(0.7*t)\", y = \"0.0\", angle = \"0.0\" }\n"
         "[[body]]\nname = \"block\"\nmass = 1.2\nposition = [0.3, 0.0]\n"
         "[[force]]\nname = \"spring\"\ntype = \"spring_damper\"\nbetween = [{ body = \"ground\" }, { body = \"block\" "
         "}]\n"
         "axis = [1.0, 0.0]\nstiffness = 25.0\ndamping = 0.1\nfree_length = 0.0\n"
         "[[force]]\nname = \"load\"\ntype = \"point_force\"\nbody = \"block\"\nforce = [0.0, \"-3*sin(1.9*t)\"]\n"
         "[[measure]]\nname = \"ax\"\nvalue = \"block.ax\"\n[[measure]]\nname = \"pull\"\nvalue = \"spring.force\"\n"
         "[[measure]]\nname = \"belt_v\"\nvalue = \"belt.vx\"\n" +
         (contact ? "[[contact]]\nname = \"f\"\nbetween = [{ body = \"belt\", shape = \"line\" }, { body = \"block\", "
                    "shape = \"point\" }]\n" +
                        friction
                  : "[[joint]]\nname = \"f\"\ntype = \"translational\"\nbodies = [\"belt\", \"block\"]\naxis = [1.0, "
                    "0.0]\n" +
                        friction);
}

/// Mode of the friction element in [t, next event), from the ledger.
bool sticks_after(const EventRecord& e) { return e.mode_after == "stick"; }

}  // namespace

TEST_CASE("the curve of every friction law") {
  for (const LawCase& c : laws()) {
    INFO(c.name);
    const auto model = parse_model(belt_model(c.keys, false), "curve");
    const FrictionLaw law(*model.joints.front().friction);
    CHECK(law.dry() == c.dry);
    CHECK(law.mu_static() == Approx(c.mu_static));
    CHECK(law.viscous() == Approx(c.viscous));
    CHECK(law.piece_begin(0) == 0.0);
    CHECK(std::isinf(law.piece_end(law.pieces() - 1)));
    for (int i = 0; i < 400; ++i) {
      const double v = 0.0025 * i + 1e-9, mu = law.mu_kinetic(v, law.piece_of(v, 1));
      CHECK(mu >= 0);
      CHECK(mu <= law.mu_static() + 1e-12);
      CHECK(mu == Approx(c.mu(v)).margin(1e-12));
      const int piece = law.piece_of(v, 1);
      CHECK((law.piece_begin(piece) <= v && v < law.piece_end(piece)));
    }
    for (int p = 0; p + 1 < law.pieces(); ++p) {
      const double knot = law.piece_end(p);
      CHECK(knot == law.piece_begin(p + 1));
      CHECK(law.mu_kinetic(knot, p) == Approx(law.mu_kinetic(knot, p + 1)).margin(1e-15));
      CHECK(law.piece_of(knot, 1) == p + 1);
      CHECK(law.piece_of(knot, -1) == p);
    }
  }
}

TEST_CASE("a block on a belt under every friction law") {
  for (const LawCase& c : laws())
    for (const bool contact : {false, true}) {
      const RunResult r = run_text(belt_model(c.keys, contact));
      INFO(c.name << (contact ? " in a contact: " : " in a guide: ") << r.outcome.message);
      REQUIRE(r.outcome.success());
      CHECK(r.outcome.t == 12.0);
      const std::size_t x = column(r, "block.x"), v = column(r, "block.vx"), n = column(r, "f.normal"),
                        f = column(r, "f.tangential"), ax = column(r, "ax"), pull = column(r, "pull"),
                        belt_v = column(r, "belt_v");
      std::size_t event = 0, stuck_rows = 0, slip_rows = 0;
      bool stuck = r.events.empty() ? false : r.events.front().mode_before == "stick";
      for (std::size_t i = 0; i < r.rows.size(); ++i) {
        const auto& row = r.rows[i];
        // Rows at an event come twice, before and after.
        while (event < r.events.size() &&
               (row[0] > r.events[event].t || (row[0] == r.events[event].t && i > 0 && r.rows[i - 1][0] == row[0]))) {
          if (!r.events[event].optional) stuck = sticks_after(r.events[event]);
          ++event;
        }
        INFO("t = " << row[0] << (stuck ? " stuck" : " sliding") << " x = " << row[x]);
        const double relative = row[v] - row[belt_v], load = 1.2 * 9.81 + 3 * std::sin(1.9 * row[0]);
        CHECK(row[n] == Approx(load).epsilon(1e-12));                      // Newton across
        CHECK(1.2 * row[ax] == Approx(row[f] - row[pull]).margin(1e-10));  // and along
        CHECK(row[f] * relative <= 1e-12);                                 // friction never gives
        if (stuck) {
          ++stuck_rows;
          CHECK(std::abs(relative) <= 1.5e-15);  // 8 ulp of the fastest speed
          CHECK(std::abs(row[f]) <= c.mu_static * row[n] * (1 + 1e-9) + 1e-12);
        } else if (std::abs(relative) > 1e-7) {
          ++slip_rows;
          const double expected = -std::copysign(c.mu(std::abs(relative)) * row[n], relative) - c.viscous * relative;
          CHECK(row[f] == Approx(expected).margin(1e-9));
        }
      }
      CHECK(slip_rows > 20);
      if (c.dry) CHECK(stuck_rows > 10);
      if (!c.dry) CHECK(r.events.empty());
      // Slip begins exactly at the static limit.
      std::size_t slips = 0;
      for (const auto& e : r.events) {
        if (e.kind != "slip") continue;
        ++slips;
        for (std::size_t i = 0; i + 1 < r.rows.size(); ++i)
          if (r.rows[i][0] == e.t && r.rows[i + 1][0] == e.t)
            CHECK(std::abs(r.rows[i][f]) == Approx(c.mu_static * r.rows[i][n]).epsilon(1e-8));
      }
      if (c.dry) CHECK(slips >= 2);
    }
}

TEST_CASE("a pendulum under every friction law in its pin") {
  // I' phi'' = -m g l sin phi + M, forces of the pin from the motion of the centre of mass alone.
  const double m = 1.5, l = 0.6, inertia = 0.08, radius = 0.05, g = 9.81;
  for (const LawCase& c : laws()) {
    const RunResult r = run_text(
        "gravity = [0.0, -9.81]\n[simulation]\nend = 8.0\nrtol = 1e-10\nintegrator = \"dop853\"\n"
        "[[body]]\nname = \"rod\"\nmass = 1.5\ninertia = 0.08\nposition = [0.48, -0.36]\nangle = " +
        digits(std::atan2(0.48, 0.36)) +
        "\n[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\npoints = [[0.0, 0.0], [0.0, "
        "0.6]]\n"
        "friction = { " +
        std::string(c.dry ? "radius = 0.05, " : "") + c.keys +
        " }\n"
        "[[measure]]\nname = \"ax\"\nvalue = \"rod.ax\"\n[[measure]]\nname = \"ay\"\nvalue = \"rod.ay\"\n"
        "[[measure]]\nname = \"alpha\"\nvalue = \"rod.alpha\"\n");
    INFO(c.name << ": " << r.outcome.message);
    REQUIRE(r.outcome.success());
    const std::size_t phi = column(r, "rod.angle"), w = column(r, "rod.omega"), fx = column(r, "pin.fx"),
                      fy = column(r, "pin.fy"), n = column(r, "pin.normal"), moment = column(r, "pin.tangential"),
                      ax = column(r, "ax"), ay = column(r, "ay"), alpha = column(r, "alpha");
    for (const auto& row : r.rows) {
      INFO("t = " << row[0]);
      const double s = std::sin(row[phi]), k = std::cos(row[phi]);
      CHECK(row[ax] == Approx(l * (row[alpha] * k - row[w] * row[w] * s)).margin(1e-9));
      CHECK(row[ay] == Approx(l * (row[alpha] * s + row[w] * row[w] * k)).margin(1e-9));
      CHECK(row[fx] == Approx(m * row[ax]).margin(1e-10));
      CHECK(row[fy] == Approx(m * (row[ay] + g)).margin(1e-10));
      CHECK(row[n] == Approx(std::hypot(row[fx], row[fy])).epsilon(1e-12));
      CHECK((inertia + m * l * l) * row[alpha] == Approx(-m * g * l * s + row[moment]).margin(1e-9));
      CHECK(row[moment] * row[w] <= 1e-12);
      const double limit = c.mu_static * radius * row[n];
      if (std::abs(row[w]) > 1e-7)
        CHECK(
            row[moment] ==
            Approx(-std::copysign(c.mu(std::abs(row[w])) * radius * row[n], row[w]) - c.viscous * row[w]).margin(1e-9));
      else
        CHECK(std::abs(row[moment]) <= limit * (1 + 1e-9) + c.viscous * 1e-7);
    }
  }
}

TEST_CASE("stopping distances in closed form") {
  const double v0 = 2.0, m = 1.5, g = 9.81;
  const auto stop = [&](const std::string& law, double end) {
    return run_text(
        "gravity = [0.0, -9.81]\n[simulation]\nend = " + digits(end) +
        "\nrtol = 1e-11\nintegrator = \"dop853\"\n[[body]]\nname = \"block\"\nmass = 1.5\nvelocity = [2.0, 0.0]\n"
        "[[joint]]\nname = \"f\"\ntype = \"translational\"\nbodies = [\"ground\", \"block\"]\naxis = [1.0, "
        "0.0]\nfriction = { " +
        law + " }\n");
  };
  SECTION("coulomb: v0^2 / (2 mu g)") {
    const auto r = stop("law = \"coulomb\", mu_static = 0.5, mu_kinetic = 0.3", 2.0);
    CHECK(first_event(r, "stick").t == Approx(v0 / (0.3 * g)).epsilon(1e-11));
    CHECK(final_value(r, "block.x") == Approx(v0 * v0 / (2 * 0.3 * g)).epsilon(1e-11));
    CHECK(std::abs(final_value(r, "block.vx")) < 1e-16);
  }
  SECTION("viscous: never stops") {
    const auto r = stop("law = \"viscous\", viscous = 2.0", 2.0);
    CHECK(r.events.empty());
    CHECK(final_value(r, "block.vx") == Approx(v0 * std::exp(-2.0 * 2.0 / m)).epsilon(1e-9));
    CHECK(final_value(r, "block.x") == Approx(v0 * m / 2.0 * (1 - std::exp(-2.0 * 2.0 / m))).epsilon(1e-9));
  }
  SECTION("coulomb and viscous") {
    const double c = 2.0, a = 0.3 * m * g, t = m / c * std::log(1 + c * v0 / a);
    const auto r = stop("law = \"coulomb\", mu = 0.3, viscous = 2.0", 2.0);
    CHECK(first_event(r, "stick").t == Approx(t).epsilon(1e-10));
    CHECK(final_value(r, "block.x") == Approx(m * v0 / c - a * t / c).epsilon(1e-10));
  }
}

TEST_CASE("the table law runs through its knots exactly and at the order of the method") {
  // Between knots v' = -g (a + b v): times from knot to knot add up in closed form.
  const std::vector<Vec2> knots{{0.0, 0.4}, {0.5, 0.15}, {1.2, 0.25}, {1.7, 0.2}};
  const double g = 9.81, v0 = 2.1;
  std::vector<double> at_knot;  // times at which the speed passes each knot, fastest first
  double t = (v0 - 1.7) / (g * 0.2);
  at_knot.push_back(t);
  for (std::size_t i = knots.size() - 1; i-- > 0;) {
    const double b = (knots[i + 1][1] - knots[i][1]) / (knots[i + 1][0] - knots[i][0]);
    t += std::log(knots[i + 1][1] / knots[i][1]) / (g * b);
    at_knot.push_back(t);
  }
  const auto stop_time = [&](const std::string& simulation) {
    const auto r = run_text(
        "gravity = [0.0, -9.81]\n[simulation]\nend = 2.5\n" + simulation +
        "[[body]]\nname = \"block\"\nmass = 1.5\nvelocity = [2.1, 0.0]\n"
        "[[joint]]\nname = \"f\"\ntype = \"translational\"\nbodies = [\"ground\", \"block\"]\naxis = [1.0, 0.0]\n"
        "friction = { law = \"table\", table = [[0.0, 0.4], [0.5, 0.15], [1.2, 0.25], [1.7, 0.2]] }\n"
        "[[guard]]\nname = \"k1\"\nwhen = \"block.vx - 1.2\"\n[[guard]]\nname = \"k2\"\nwhen = \"block.vx - 0.5\"\n");
    REQUIRE(r.outcome.success());
    if (simulation.find("rtol = 1e-11") != std::string::npos) {
      CHECK(first_event(r, "guard_down", "k1").t == Approx(at_knot[1]).epsilon(1e-9));
      CHECK(first_event(r, "guard_down", "k2").t == Approx(at_knot[2]).epsilon(1e-9));
    }
    return first_event(r, "stick").t;
  };
  CHECK(stop_time("rtol = 1e-11\nintegrator = \"dop853\"\n") == Approx(at_knot[3]).epsilon(1e-11));
  struct Study {
    std::string integrator;
    double h, order, within;
  };
  for (const Study& s : {Study{"ode23", 0.04, 3, 0.4}, Study{"dopri5", 0.04, 5, 0.5}}) {
    double error[3];
    for (int k = 0; k < 3; ++k)
      error[k] =
          std::abs(stop_time("fixed_step = " + digits(s.h / (1 << k)) + "\nintegrator = \"" + s.integrator + "\"\n") -
                   at_knot[3]);
    INFO(s.integrator << ": " << error[0] << " " << error[1] << " " << error[2]);
    CHECK(std::log2(error[0] / error[2]) / 2 > s.order - s.within);
  }
}

TEST_CASE("past zero speed a smooth law goes on smoothly and stays bounded, however far a step goes") {
  const double exponent = GENERATE(0.5, 1.0, 2.0, 2.5, 3.0);
  FrictionSpec spec;
  spec.law = "stribeck";
  spec.mu_static = 0.45;
  spec.mu_kinetic = 0.2;
  spec.stribeck_velocity = 0.15;
  spec.stribeck_exponent = exponent;
  const FrictionLaw law(spec);
  INFO("exponent " << exponent);
  for (const double speed : {-0.1, -1.0, -1e3, -1e9}) {
    CHECK(law.mu_kinetic(speed, 0) >= 0.2);
    CHECK(law.mu_kinetic(speed, 0) <= 0.2 + std::exp(1.0) * 0.25 * (1 + 1e-12));
    CHECK(std::isfinite(law.mu_slope(speed, 0)));
  }
  if (exponent != std::floor(exponent)) return;
  // The formula itself, up to the tenth power of the speed: no method's order sees the difference.
  for (const double r : {-0.2, -0.1, -0.05}) {
    const double formula = 0.2 + 0.25 * std::exp(-std::pow(r, exponent));
    CHECK(std::abs(law.mu_kinetic(0.15 * r, 0) - formula) <= 0.05 * std::pow(std::abs(r), 9) + 1e-16);
  }
}

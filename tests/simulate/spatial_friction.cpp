// tests/simulate/spatial_friction.cpp
//
// Friction units that slide in several directions, against closed forms: a block on an incline pushed sideways turns
// and stops where and when it must, a ball with side and top spin slides along a parabola and then rolls straight, a
// shaft in a cylindrical joint turns and slides to a stop, a ball in its socket; what holds lets go in the direction of
// the load, when the load reaches the limit; a direction may turn by a right angle without an event; four feet of a
// stuck box hold exactly as long as any split of the forces does; pushed off its centre the box slides and turns as the
// equations of the plane say, integrated elsewhere; a chain over a
// step gives way where creeping does not go on.
#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include "mechanism/short_number.hpp"
#include "support/plane_contact.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace hstar::scene;
using namespace support;

namespace {

constexpr double g = 9.81;

std::string head(const std::string& integrator, const std::string& more, const Vec3& gravity = {0, 0, -g}) {
  return "dimension = 3\ngravity = [" + digits(gravity[0]) + ", " + digits(gravity[1]) + ", " + digits(gravity[2]) +
         "]\n[simulation]\nintegrator = \"" + integrator + "\"\n" + more;
}

std::string body(const std::string& name, double mass, const Vec3& inertia, const Vec3& position, const Vec3& velocity,
                 const Vec3& omega = {0, 0, 0}) {
  const auto text = [](const Vec3& x) {
    return "[" + digits(x[0]) + ", " + digits(x[1]) + ", " + digits(x[2]) + "]\n";
  };
  return "[[body]]\nname = \"" + name + "\"\nmass = " + digits(mass) + "\ninertia = " + text(inertia) +
         "position = " + text(position) + "velocity = " + text(velocity) + "angular_velocity = " + text(omega);
}

const Triad floor_plane{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/// A block on an incline of angle alpha, pushed at speed v, phi off downhill; in its closed form z = tan(phi / 2) is
/// the variable: v = C/2 (z^(kappa-1) + z^(kappa+1)), dt = -v dz / (g sin(alpha) z).
struct Incline {
  double alpha = 0.3, v = 2, phi = 1.9, kappa;
  double t, x, y;  ///< of the stop; x downhill, y across

  explicit Incline(double k) : kappa(1 + 1 / k) {
    const double z = std::tan(phi / 2), pull = g * std::sin(alpha),
                 C = 2 * v / (std::pow(z, kappa - 1) + std::pow(z, kappa + 1));
    t = C / (2 * pull) * (std::pow(z, kappa - 1) / (kappa - 1) + std::pow(z, kappa + 1) / (kappa + 1));
    x = C * C / (4 * pull) *
        (std::pow(z, 2 * kappa - 2) / (2 * kappa - 2) - std::pow(z, 2 * kappa + 2) / (2 * kappa + 2));
    y = C * C / (2 * pull) *
        (std::pow(z, 2 * kappa - 1) / (2 * kappa - 1) + std::pow(z, 2 * kappa + 1) / (2 * kappa + 1));
  }
  [[nodiscard]] double mu() const { return kappa * std::tan(alpha); }
  /// Turned about z by `turn` in space and with other tangents than downhill and across.
  [[nodiscard]] SpatialScene scene(const std::string& integrator, const std::string& more) const {
    const Vec3 n{std::sin(alpha), 0, std::cos(alpha)}, down{std::cos(alpha), 0, -std::sin(alpha)}, side{0, 1, 0};
    SpatialScene s(
        head(integrator, "end = " + digits(2 * t) + "\n" + more) +
        body("block", 1.7, {0.1, 0.2, 0.3}, {0, 0, 0}, (v * std::cos(phi)) * down + (v * std::sin(phi)) * side));
    const double turn = 0.7;
    const Vec3 f = std::cos(turn) * down + std::sin(turn) * side;
    s.contact("foot", 1, {f, cross(n, f), n}, {0, 0, 0}, 0, SpatialScene::coulomb(mu(), mu()));
    return s;
  }
  void check(const SpatialRun& r, double tolerance) const {
    REQUIRE(r.events.size() == 1);
    const EventRecord& e = r.events[0];
    CHECK(e.kind == "stick");
    CHECK(e.mode_before == "slip");
    CHECK(e.mode_after == "stick");
    CHECK(e.t == Approx(t).margin(tolerance));
    const Vec3 place{e.y_after[0], e.y_after[1], e.y_after[2]}, down{std::cos(alpha), 0, -std::sin(alpha)};
    CHECK(dot(place, down) == Approx(x).margin(tolerance));
    CHECK(place[1] == Approx(y).margin(tolerance));
    CHECK(r.outcome.mode == "stick");
    CHECK(r.y[0] == Approx(e.y_after[0]).margin(1e-13));  // and stays
  }
};

}  // namespace

TEST_CASE("a block on an incline pushed sideways stops where and when the closed form says") {
  const std::string integrator = GENERATE("dop853", "dopri5");
  const double k = GENERATE(20.0, 5.0, 1.0, 0.5, 0.2, 0.05);
  const Incline incline(k);
  const SpatialRun r = run(incline.scene(integrator, "rtol = 1e-12\natol = 1e-15\n"));
  INFO(integrator << ", k = " << k << ", " << r.counters.flow.steps << " steps: " << r.outcome.message);
  REQUIRE(r.outcome.success());
  incline.check(r, 1e-10);
}

TEST_CASE("a ball with side and top spin slides along a parabola and then rolls straight") {
  const std::string how = GENERATE("dop853", "dopri5", "rk4 fixed", "bulirsch_stoer");
  const bool fixed = how == "rk4 fixed";
  const double R = 0.11, m = 0.3, J = 0.4 * m * R * R, mu = 0.2, end = 1.5;
  const Vec3 v{1.2, 0.3, 0}, omega{-8, 5, 3};
  SpatialScene s(head(fixed ? "dopri5" : how, "end = " + digits(end) + "\nrtol = 1e-12\natol = 1e-15\n" +
                                                  (fixed ? "fixed_step = 0.005\n" : "")) +
                 body("ball", m, {J, J, J}, {0.5, -0.2, R}, v, omega));
  const double turn = 0.4;
  s.contact("table", 1, {{std::cos(turn), std::sin(turn), 0}, {-std::sin(turn), std::cos(turn), 0}, {0, 0, 1}},
            {0, 0, 0}, R, SpatialScene::coulomb(mu, mu));
  const SpatialRun r = run(s);
  INFO(how << ": " << r.outcome.message);
  REQUIRE(r.outcome.success());
  // The contact slides with u = v + omega x (-R n); u' = -7/2 mu g u / |u|, v' = -mu g u / |u|.
  const Vec3 u = v + cross(omega, Vec3{0, 0, -R});
  const double rolls = 2 * norm(u) / (7 * mu * g);
  const Vec3 d = (1 / norm(u)) * u, after = v - (mu * g * rolls) * d,
             place = Vec3{0.5, -0.2, R} + rolls * v - (0.5 * mu * g * rolls * rolls) * d;
  REQUIRE(r.events.size() == 1);
  CHECK(r.events[0].kind == "stick");
  const double tolerance = fixed ? 1e-4 : 1e-11;  // fixed steps do not resolve the direction at the stop
  CHECK(r.events[0].t == Approx(rolls).margin(tolerance));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(r.events[0].y_after[i] == Approx(place[i]).margin(tolerance));
    CHECK(r.y[i] == Approx(place[i] + (end - rolls) * after[i]).margin(10 * tolerance));
    CHECK(r.y[7 + i] == Approx(after[i]).margin(tolerance));
  }
  CHECK(r.outcome.mode == "stick");
}

TEST_CASE("three feet of a spinning stool slide around and stop together; a push that is too weak leaves them stuck") {
  // Feet at distance l, each with a third of the weight: J_z omega' = -mu m g l.
  const std::string integrator = GENERATE("dop853", "dopri5");
  const double m = 4, l = 0.5, h = 0.3, mu = 0.4, omega = 3, Jz = 0.6;
  SpatialScene s(head(integrator, "end = 2.0\nrtol = 1e-11\natol = 1e-14\n") +
                 body("stool", m, {0.5, 0.5, Jz}, {0, 0, h}, {0, 0, 0}, {0, 0, omega}) +
                 "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"stool\"\npoint = [0, 0, 0]\n"
                 "force = [\"max(t - 1, 0)\", \"0\", \"0\"]\n");
  for (int i = 0; i < 3; ++i) {
    const double angle = 0.3 + i * 2 * std::numbers::pi / 3;
    s.contact("foot" + std::to_string(i), 1, floor_plane, {l * std::cos(angle), l * std::sin(angle), -h}, 0,
              SpatialScene::coulomb(mu, mu));
  }
  const SpatialRun r = run(s);
  INFO(integrator << ": " << r.outcome.message);
  REQUIRE(r.outcome.success());
  REQUIRE(r.events.size() == 1);
  CHECK(r.events[0].kind == "stick");
  CHECK(r.events[0].t == Approx(Jz * omega / (mu * m * g * l)).margin(1e-10));
  CHECK(r.outcome.mode == "stick/stick/stick");
}

TEST_CASE("a shaft in a bearing turns and slides in the direction of its friction") {
  // gamma = (v, r omega): m v' = -F gamma_1 / |gamma|, J omega' = -F r gamma_2 / |gamma|, F = mu m g. With p = m r^2 /
  // J gamma_2 = C gamma_1^p, and t_stop = integral of |gamma| / gamma_1 d gamma_1 / (mu g); for a hoop p = 1.
  const std::string integrator = GENERATE("dop853", "dopri5");
  const double p = GENERATE(1.0, 2.5, 0.4);
  const double m = 2, r = 0.05, J = m * r * r / p, mu = 0.15, v = 1.3, u = 0.9;
  const SpatialScene s(
      head(integrator, "end = 3.0\nrtol = 1e-12\natol = 1e-15\n") +
      body("shaft", m, {J, 0.01, 0.01}, {0, 0, 0}, {v, 0, 0}, {u / r, 0, 0}) +
      "[[joint]]\nname = \"bearing\"\ntype = \"cylindrical\"\nbodies = [\"ground\", \"shaft\"]\nat = [0, 0, 0]\n"
      "axis = [1, 0, 0]\nfriction = { law = \"coulomb\", mu_static = 0.15, mu_kinetic = 0.15, radius = 0.05 }\n");
  REQUIRE(s.system->frictions.at(0).directions == 2);
  const SpatialRun run_of = run(s);
  INFO(integrator << ", p = " << p << ": " << run_of.outcome.message);
  REQUIRE(run_of.outcome.success());
  // By Gauss's rule on x = v s^q, smooth for every p here (q = 5: gamma_1^(p - 1) = s^(5 p - 5) and 4 more from dx).
  const auto speed_over = [&](double x) { return std::hypot(1.0, u * std::pow(x / v, p) / x); };
  double sum = 0;
  const int n = 200000;
  for (int i = 0; i < n; ++i) {  // midpoints; the integrand is smooth enough in s
    const double at = (i + 0.5) / n, x = v * std::pow(at, 5), dx = 5 * v * std::pow(at, 4) / n;
    sum += speed_over(x) * dx;
  }
  const double stop = sum / (mu * g);
  REQUIRE(run_of.events.size() == 1);
  CHECK(run_of.events[0].kind == "stick");
  CHECK(run_of.events[0].element == "bearing");
  CHECK(run_of.events[0].mode_before == "slip");
  CHECK(run_of.events[0].t == Approx(stop).margin(p == 1 ? 1e-10 : 1e-9));
  if (p == 1) CHECK(run_of.events[0].t == Approx(std::hypot(v, u) / (mu * g)).margin(1e-11));
  CHECK(run_of.outcome.mode == "stick");
}

TEST_CASE("a ball in its socket stops about whatever axis it turns") {
  const double m = 2, r = 0.05, J = 0.003, mu = 0.15;
  const Vec3 omega{20, -11, 7};
  const SpatialScene s(
      head("dop853", "end = 3.0\nrtol = 1e-12\natol = 1e-15\n") +
      body("ball", m, {J, J, J}, {0, 0, 0}, {0, 0, 0}, omega) +
      "[[joint]]\nname = \"socket\"\ntype = \"spherical\"\nbodies = [\"ground\", \"ball\"]\nat = [0, 0, 0]\n"
      "friction = { law = \"coulomb\", mu_static = 0.15, mu_kinetic = 0.15, radius = 0.05 }\n");
  REQUIRE(s.system->frictions.at(0).directions == 3);
  const SpatialRun run_of = run(s);
  INFO(run_of.outcome.message);
  REQUIRE(run_of.outcome.success());
  REQUIRE(run_of.events.size() == 1);
  CHECK(run_of.events[0].t == Approx(J * norm(omega) / (mu * m * g * r)).margin(1e-11));
  CHECK(run_of.outcome.mode == "stick");
}

TEST_CASE("where the thrust of a pivot changes its sign, friction has a kink and the ledger an event") {
  // A disc on a pivot that rubs at r is lifted by A sin(w t): |A sin(w t) - m g| changes its sign at two times.
  const double m = 2, J = 0.01, r = 0.02, mu = 0.3, A = 50, w = 4, spin = 30, end = 0.7, weight = m * 9.81;
  const SpatialScene s(head("dop853", "end = 0.7\nrtol = 1e-12\natol = 1e-15\n") +
                       body("disc", m, {J, J, J}, {0, 0, 0}, {0, 0, 0}, {0, 0, spin}) +
                       "[[joint]]\nname = \"pivot\"\ntype = \"revolute\"\nbodies = [\"ground\", \"disc\"]\n"
                       "at = [0, 0, 0]\naxis = [0, 0, 1]\n"
                       "friction = { law = \"coulomb\", mu = 0.3, thrust_radius = 0.02 }\n"
                       "[[force]]\nname = \"lift\"\ntype = \"point_force\"\nbody = \"disc\"\npoint = [0, 0, 0]\n"
                       "force = [\"0\", \"0\", \"50*sin(4*t)\"]\n");
  const SpatialRun run_of = run(s);
  INFO(run_of.outcome.message);
  REQUIRE(run_of.outcome.success());
  const double up = std::asin(weight / A) / w, down = (M_PI - std::asin(weight / A)) / w;
  REQUIRE(run_of.events.size() == 2);
  CHECK(run_of.events[0].kind == "normal_sign");
  CHECK(run_of.events[0].t == Approx(up).margin(1e-13));
  CHECK(run_of.events[1].t == Approx(down).margin(1e-13));
  const auto lifted = [&](double t) { return A / w * (1 - std::cos(w * t)) - weight * t; };
  const double pressed = -lifted(up) + (lifted(down) - lifted(up)) - (lifted(end) - lifted(down));
  CHECK(run_of.y.back() == Approx(spin - mu * r / J * pressed).margin(1e-11));
}

TEST_CASE("what sticks lets go when the load reaches the limit, in the direction of the load") {
  // Force f t along the shaft and torque tau t about it: |(f, tau / r)| t = mu_static m g; a hoop then moves along
  // the load.
  const double mu_kinetic = GENERATE(0.2, 0.1);
  const double m = 2, r = 0.05, J = m * r * r, f = 3, tau = 0.2, end = 2.0;
  const SpatialScene s(
      head("dop853", "end = 2.0\nrtol = 1e-12\natol = 1e-15\n") +
      body("shaft", m, {J, 0.01, 0.01}, {0, 0, 0}, {0, 0, 0}) +
      "[[joint]]\nname = \"bearing\"\ntype = \"cylindrical\"\nbodies = [\"ground\", \"shaft\"]\nat = [0, 0, 0]\n"
      "axis = [1, 0, 0]\nfriction = { law = \"coulomb\", mu_static = 0.2, mu_kinetic = " +
      digits(mu_kinetic) +
      ", radius = 0.05 }\n"
      "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"shaft\"\npoint = [0, 0, 0]\n"
      "force = [\"3*t\", \"0\", \"0\"]\n"
      "[[force]]\nname = \"twist\"\ntype = \"torque\"\nbody = \"shaft\"\ntorque = [\"0.2*t\", \"0\", \"0\"]\n");
  const SpatialRun run_of = run(s);
  INFO(run_of.outcome.message);
  REQUIRE(run_of.outcome.success());
  const double load = std::hypot(f, tau / r), breaks = 0.2 * m * g / load;
  REQUIRE(run_of.events.size() == 1);
  CHECK(run_of.events[0].kind == "slip");
  CHECK(run_of.events[0].t == Approx(breaks).margin(1e-12));
  const double speed = load / (2 * m) * (end * end - breaks * breaks) - mu_kinetic * g * (end - breaks);
  CHECK(run_of.y[7] == Approx(speed * f / load).margin(1e-10));
  CHECK(r * run_of.y[10] == Approx(speed * tau / r / load).margin(1e-10));
}

TEST_CASE("the direction may turn by a right angle within a step, which is no event") {
  // A point is pushed back and sideways so strongly that fixed steps see it turn by more than a right angle.
  const auto scene = [](const std::string& more) {
    SpatialScene s(head("dopri5", "end = 0.5\nrtol = 1e-11\natol = 1e-14\n" + more) +
                   body("block", 1, {0.1, 0.1, 0.1}, {0, 0, 0}, {0.3, 0, 0}) +
                   "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"block\"\npoint = [0, 0, 0]\n"
                   "force = [-10, 8, 0]\n");
    s.contact("foot", 1, floor_plane, {0, 0, 0}, 0, SpatialScene::coulomb(0.1, 0.1));
    return s;
  };
  const SpatialRun exact = run(scene("")), fixed = run(scene("fixed_step = 0.05\n"));
  INFO(exact.outcome.message << "; " << fixed.outcome.message);
  REQUIRE(exact.outcome.success());
  REQUIRE(fixed.outcome.success());
  CHECK(exact.events.empty());
  CHECK(fixed.events.empty());
  CHECK(fixed.counters.transitions > 0);
  for (std::size_t i = 0; i < 2; ++i) CHECK(fixed.y[i] == Approx(exact.y[i]).margin(5e-3));
}

TEST_CASE("four feet of a box hold as long as any split of the forces does") {
  // Pushed in its middle at height h above the floor by f t in an oblique direction: the front feet carry more, and all
  // of them together hold mu m g, whatever each does.
  const double mu_kinetic = GENERATE(0.3, 0.25);
  const double m = 5, a = 0.4, b = 0.25, h = 0.3, f = 10, end = 2.0;
  SpatialScene s(head("dop853", "end = 2.0\nrtol = 1e-11\natol = 1e-14\n") +
                 body("box", m, {0.2, 0.3, 0.4}, {0, 0, h}, {0, 0, 0}) +
                 "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"box\"\npoint = [0, 0, 0]\n"
                 "force = [\"6*t\", \"8*t\", \"0\"]\n");
  for (int i = 0; i < 4; ++i)
    s.contact("foot" + std::to_string(i), 1, floor_plane, {i % 2 ? a : -a, i / 2 ? b : -b, -h}, 0,
              SpatialScene::coulomb(0.3, mu_kinetic));
  const SpatialRun r = run(s);
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  const double breaks = 0.3 * m * g / f;
  REQUIRE(r.events.size() == 1);
  CHECK(r.events[0].kind == "slip");
  CHECK(r.events[0].t == Approx(breaks).margin(1e-10));
  CHECK(r.outcome.mode == "slip/slip/slip/slip");
  const double speed = f / (2 * m) * (end * end - breaks * breaks) - mu_kinetic * g * (end - breaks);
  CHECK(r.y[7] == Approx(0.6 * speed).margin(1e-9));
  CHECK(r.y[8] == Approx(0.8 * speed).margin(1e-9));
  for (std::size_t i = 9; i < 13; ++i) CHECK(r.y[i] == Approx(0.0).margin(1e-9));
}

TEST_CASE("rolling and spinning friction stop a rolling ball") {
  // Rolling: (m + J / R^2) v' = -rho N / R; spinning about the normal: J omega_n' = -r N; both in straight lines.
  const double R = 0.1, m = 0.5, J = 0.4 * m * R * R, rho = 0.002, r = 0.0005, v = 0.7, spin = 4;
  SpatialScene s(head("dop853", "end = 6.0\nrtol = 1e-12\natol = 1e-15\n") +
                 body("ball", m, {J, J, J}, {0, 0, R}, {0.6 * v, 0.8 * v, 0}, {-0.8 * v / R, 0.6 * v / R, spin}));
  s.contact("table", 1, floor_plane, {0, 0, 0}, R, SpatialScene::coulomb(0.5, 0.4));
  s.turning(FrictionPart::rolling, rho);
  s.turning(FrictionPart::spinning, r);
  const SpatialRun run_of = run(s);
  INFO(run_of.outcome.message);
  REQUIRE(run_of.outcome.success());
  const double rolls = v * R * (m + J / (R * R)) / (rho * m * g), spins = J * spin / (r * m * g);
  REQUIRE(run_of.events.size() == 2);
  const bool first = rolls > spins;
  CHECK(run_of.events[first].t == Approx(rolls).margin(1e-10));
  CHECK(run_of.events[first].kind == "stick");
  CHECK(run_of.events[first].element == "table.rolling");
  CHECK(run_of.events[!first].t == Approx(spins).margin(1e-10));
  CHECK(run_of.events[!first].element == "table.spinning");
  CHECK(run_of.outcome.mode == "stick");
  CHECK(run_of.y[0] == Approx(0.6 * v * rolls / 2).margin(1e-10));
  CHECK(run_of.y[1] == Approx(0.8 * v * rolls / 2).margin(1e-10));
}

// Where feet slide, how they share the weight decides the motion: the smallest normal forces do, those without a part
// in (1, -1, -1, 1). They slide from the load at which friction opposite to one rigid velocity field is in equilibrium
// (three equations for its direction and the time; scipy's fsolve to 1e-15), with acceleration zero. From there the
// reference integrates the three equations of the plane with that share, from 1e-12 times that field on (scipy, Radau;
// values at 1e-11 and 1e-12 extrapolated to zero, by 1e-12).
TEST_CASE("a box on four feet pushed off its centre slides and turns as the equations of the plane say") {
  std::string model =
      head("dop853", "rtol = 1e-12\natol = 1e-15\nend = 1.0\n") +
      body("box", 2, {0.02, 0.03, 0.04}, {0, 0, 0.1}, {0, 0, 0}) +
      "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"box\"\npoint = [0.02, 0.05, -0.05]\n"
      "force = [\"8*sin(3*t)\", \"5*sin(3*t)\", 0]\n";
  for (const double x : {-0.2, 0.2})
    for (const double y : {-0.15, 0.15})
      model +=
          "[[contact]]\nname = \"foot" + std::to_string(model.size()) +
          "\"\nbetween = [{ body = \"ground\", shape = \"plane\" }, { body = \"box\", shape = \"point\", point = [" +
          digits(x) + ", " + digits(y) + ", -0.1] }]\nfriction = { mu = 0.3 }\n";
  const RunResult r = run_text(model);
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  REQUIRE(r.events.size() == 1);
  CHECK(r.events[0].kind == "slip");
  CHECK(r.events[0].t == Approx(0.2207892815468799).margin(1e-12));
  const auto near = [&](const char* name, double value) { CHECK(final_value(r, name) == Approx(value).margin(1e-11)); };
  near("box.x", 0.28258272564325);
  near("box.y", 0.18161328776361);
  near("box.e3", std::sin(-0.30696323402680 / 2));
  near("box.vx", 0.44946546329235);
  near("box.vy", 0.29442583022992);
  near("box.wz", -0.35848878811757);
}

TEST_CASE("pushed and twisted at once, four feet let go at the limit load") {
  // With the normal forces of stiff feet (those without a part in (1, -1, -1, 1)) the limit load is the one that
  // friction mu_static N opposite to a rigid velocity field balances: three equations for the time and the field,
  // solved by another program (fsolve of SciPy 1.10, to 1e-15 from three starts).
  const double m = 5, a = 0.4, b = 0.25, h = 0.3;
  SpatialScene s(
      head("dop853", "end = 1.5\nrtol = 1e-11\natol = 1e-14\n") +
      body("box", m, {0.2, 0.3, 0.4}, {0, 0, h}, {0, 0, 0}) +
      "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"box\"\npoint = [0, 0, 0]\n"
      "force = [\"6*t\", \"8*t\", \"0\"]\n"
      "[[force]]\nname = \"twist\"\ntype = \"torque\"\nbody = \"box\"\ntorque = [\"0\", \"0\", \"1.5*t\"]\n");
  for (int i = 0; i < 4; ++i)
    s.contact("foot" + std::to_string(i), 1, floor_plane, {i % 2 ? a : -a, i / 2 ? b : -b, -h}, 0,
              SpatialScene::coulomb(0.3, 0.25));
  const SpatialRun r = run(s);
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  REQUIRE(r.events.size() == 1);
  CHECK(r.events[0].kind == "slip");
  CHECK(r.events[0].t == Approx(1.3162044356778).margin(2e-12));
  CHECK(r.outcome.mode == "slip/slip/slip/slip");
}

TEST_CASE("forces and sliding velocity of a spatial contact are recorded in global axes") {
  const RunResult r = run_text(
      head("dop853", "end = 0.1\nrtol = 1e-10\n") + body("ball", 2, {0.01, 0.01, 0.01}, {0, 0, 0.1}, {1.5, -2, 0}) +
      "[[contact]]\nname = \"table\"\nbetween = [{ body = \"ground\", shape = \"plane\", normal = [0, 0, 1] }, "
      "{ body = \"ball\", shape = \"sphere\", radius = 0.1 }]\n"
      "friction = { law = \"coulomb\", mu_static = 0.2, mu_kinetic = 0.2 }\n"
      "[[measure]]\nname = \"pull\"\nvalue = \"table.fx\"\n");
  REQUIRE(r.outcome.success());
  const auto at = [&](const char* name) { return r.rows.front()[column(r, name)]; };
  const double friction = 0.2 * 2 * g;
  CHECK(at("table.normal") == Approx(2 * g).epsilon(1e-12));
  CHECK(at("table.tangential") == Approx(friction).epsilon(1e-12));
  CHECK(at("table.slip_velocity") == Approx(2.5).epsilon(1e-12));
  CHECK(at("table.slip_x") == Approx(1.5).epsilon(1e-12));
  CHECK(at("table.slip_y") == Approx(-2).epsilon(1e-12));
  CHECK(at("table.fx") == Approx(-0.6 * friction).epsilon(1e-12));
  CHECK(at("table.fy") == Approx(0.8 * friction).epsilon(1e-12));
  CHECK(at("table.fz") == Approx(2 * g).epsilon(1e-12));
  CHECK(at("pull") == at("table.fx"));
}

TEST_CASE("a chain over a step gives way where creeping does not go on, and without small steps") {
  // The first link falls and pulls at three that rest on the step and the floor, held by the friction of their joints
  // and contacts. When a joint reaches its limit there are no forces with which it is held, nor any with which it
  // creeps: it begins to slide with another that was inside its limit. The links turn about their own axes 20 times
  // more easily than they slide, by which friction bends directions back as soon as these are free.
  const std::string model = "dimension = 3\ngravity = [0, 0, -9.81]\n[simulation]\nend = 0.025\nrtol = 1e-7\n";
  std::string bodies;
  const char* at[] = {
      "position = [0.0480506335085, 0, 0.36041138508]\n"
      "euler_parameters = [-0.351120912935128, 0, -0.936330125810124, 0]\n"
      "velocity = [-0.626248616481, 0, -0.546538288355]\nangular_velocity = [0, -6.92665659229, 0]\n",
      "position = [0.246954254768, 0, 0.27]\n"
      "euler_parameters = [0.707106781186548, 0, 0.707106781186548, 0]\n",
      "position = [0.252436024861, 0, 0.234145083757]\n"
      "euler_parameters = [-0.592118666867524, 0, 0.805850782928841, 0]\n",
      "position = [0.208221397605, 0, 0.101040985233]\n"
      "euler_parameters = [0.307888086539768, 0, 0.951422580227567, 0]\n"};
  for (int i = 0; i < 4; ++i)
    bodies += "[[body]]\nname = \"link" + std::to_string(i) +
              "\"\nshape = \"cylinder\"\ndensity = 1000\nradius = 0.02\nlength = 0.2\n" + at[i];
  for (int i = 0; i < 3; ++i)
    bodies += "[[joint]]\nname = \"joint" + std::to_string(i) + "\"\ntype = \"spherical\"\nbodies = [\"link" +
              std::to_string(i) + "\", \"link" + std::to_string(i + 1) +
              "\"]\npoints = [[0, 0, 0.12], [0, 0, -0.12]]\nfriction = { mu = 0.2, radius = 0.01 }\n";
  const auto contact = [&](const char* name, const char* with, const char* link) {
    bodies += "[[contact]]\nname = \"" + std::string(name) + "\"\nbetween = [{ body = \"ground\", " + with +
              " }, { body = \"" + link +
              "\", shape = \"capsule\", radius = 0.02, ends = [[0, 0, -0.1], [0, 0, 0.1]] }]\n"
              "friction = { mu = 0.4 }\nrestitution = 0.4\n";
  };
  contact("floor", "shape = \"plane\"", "link3");
  contact("step", "shape = \"box\", sides = [0.2, 0.6, 0.3], point = [0.3, 0, 0.1]", "link1");
  const auto slips = [&](const std::string& integrator) {
    RunResult r = run_text(model + "integrator = \"" + integrator + "\"\n" + bodies);
    INFO(integrator << ": " << r.outcome.message);
    REQUIRE(r.outcome.success());
    REQUIRE(!r.events.empty());
    CHECK(r.events.back().kind == "slip");
    CHECK(r.events.back().element == "joint1");
    return r;
  };
  const RunResult r = slips("dopri5"), other = slips("radau");
  CHECK(r.events.back().t == Approx(other.events.back().t).margin(1e-7));
  // 940, and 26,657 where directions are free as soon as friction slows the sliding down by more than it is moved by.
  CHECK(r.counters.flow.steps < 5000);
}

TEST_CASE("two rods on a spherical joint come to rest on the floor alike here and 2 km away") {
  // End 2 of the first and end 1 of the second are in the joint: one gap, followed by two numbers in a chatter. When
  // the one has come to rest the other has, whatever round-off its own number has kept; far away it flew on for 4 ms.
  const auto last = [](double x, double y, double z) {
    const auto number = [](double value) { return short_number(value, 17); };
    std::string model = "dimension = 3\ngravity = [0, 0, -9.81]\n[simulation]\nend = 0.41\nrtol = 1e-10\n";
    for (const int i : {0, 1})
      model += "[[body]]\nname = \"rod" + std::to_string(i) +
               "\"\nshape = \"rod\"\ndensity = 1000\nradius = 0.02\nlength = 0.3\nposition = [" + number(x + 0.3 * i) +
               ", " + number(y) + ", " + number(z + 0.24292095448954232) + "]\naxis = [0, 0, 1]\nangle = 0\n";
    model += "[[joint]]\nname = \"joint\"\ntype = \"spherical\"\nbodies = [\"rod0\", \"rod1\"]\nat = [" +
             number(x + 0.15) + ", " + number(y) + ", " + number(z + 0.24292095448954232) +
             "]\nfriction = { mu = 0.2, radius = 0.01 }\n";
    for (const int i : {0, 1})
      model += "[[contact]]\nname = \"floor" + std::to_string(i) +
               "\"\nbetween = [{ body = \"ground\", shape = \"plane\", normal = [0, 0, 1], point = [" + number(x) +
               ", " + number(y) + ", " + number(z) + "] }, { body = \"rod" + std::to_string(i) +
               "\", shape = \"capsule\", ends = [[-0.15, 0, 0], [0.15, 0, 0]], radius = 0.02 }]\nimpact_law = "
               "\"poisson\"\nrestitution = " +
               (i == 0 ? "0\nfriction = { mu_static = 0.5004933012564404, mu_kinetic = 0.33366220083762693 }\n"
                       : "0.8\nfriction = { mu_static = 0.6358099917401033, mu_kinetic = 0.6358099917401033 }\n");
    RunResult r = run_text(model);
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    REQUIRE(!r.events.empty());
    return r.events.back();
  };
  const EventRecord here = last(0, 0, 0), there = last(2000, -500, 300);
  CHECK(there.kind == here.kind);
  CHECK(there.element == here.element);
  CHECK(there.t == Approx(here.t).margin(1e-8));
}

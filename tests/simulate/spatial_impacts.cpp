// tests/simulate/spatial_impacts.cpp
//
// Impacts of spatial mechanisms, in runs: a ball with spin oblique to its flight bounces to rest at the closed-form
// limit, its impacts slip and stick as and when they must; every law's answer is the one of the contact's matrices, and
// the bodies take up exactly the impulses of the ledger; contacts that strike together; the friction of a joint and
// rolling friction take part as in the plane and in closed form.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "simulate/rod_jam.hpp"
#include "support/plane_contact.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace hstar::scene;
using namespace support;

namespace {

constexpr double g = 9.81;

std::string text(const Vec3& x) { return "[" + digits(x[0]) + ", " + digits(x[1]) + ", " + digits(x[2]) + "]\n"; }

std::string head(double end, const std::string& more = "", const Vec3& gravity = {0, 0, -g}) {
  return "dimension = 3\ngravity = " + text(gravity) +
         "[simulation]\nintegrator = \"dop853\"\nrtol = 1e-12\natol = 1e-15\n" + "end = " + digits(end) + "\n" + more;
}

std::string body(const std::string& name, double mass, const Vec3& inertia, const Vec3& position, const Vec3& velocity,
                 const Vec3& omega) {
  return "[[body]]\nname = \"" + name + "\"\nmass = " + digits(mass) + "\ninertia = " + text(inertia) +
         "position = " + text(position) + "velocity = " + text(velocity) + "angular_velocity = " + text(omega);
}

const Triad floor_plane{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

Vec3 at(const std::vector<double>& y, std::size_t first) { return {y[first], y[first + 1], y[first + 2]}; }

void near(const Vec3& a, const Vec3& b, double tolerance) {
  for (std::size_t i = 0; i < 3; ++i) CHECK(a[i] == Approx(b[i]).margin(tolerance));
}

}  // namespace

// A ball on a plane: w = v_T + omega x (-R n). An impact at speed V changes w by at most 7/2 mu (1 + e) V, straight
// against it, and v by 2/7 of that (tests/laws/spatial_impacts.cpp). V falls by e each time, so that all impacts
// together, to the limit t* = t1 + 2 V1/g e/(1 - e), can take 7/2 mu V1 (1 + e)/(1 - e). What is left slides on, until
// 2 |w|/(7 mu g) after t*.
TEST_CASE("a ball with oblique spin bounces to rest: impacts that slip, then stick, or slip beyond the limit") {
  const double e = GENERATE(0.5, 0.8);
  const bool beyond = GENERATE(false, true);
  const std::string law = GENERATE("newton", "poisson", "stronge", "whittaker");
  const double R = 0.2, m = 0.7, J = 0.4 * m * R * R, mu = 0.15, h = 0.9;
  const Vec3 v{1.1, -0.4, 0.6};
  const double V1 = std::sqrt(v[2] * v[2] + 2 * g * h), t1 = (v[2] + V1) / g, limit = t1 + 2 * V1 / g * e / (1 - e);
  const double all = 3.5 * mu * V1 * (1 + e) / (1 - e), size = beyond ? 1.2 * all : 0.6 * all;
  // omega so that w has that size, oblique to v: w = v_T + R (-omega_y, omega_x).
  const Vec3 w{size * std::cos(2.2), size * std::sin(2.2), 0}, omega{(w[1] - v[1]) / R, -(w[0] - v[0]) / R, 3.0};
  const double end = limit + (beyond ? 2 * (size - all) / (7 * mu * g) : 0) + 0.4;
  SpatialScene s(head(end) + body("ball", m, {J, J, J}, {0.3, -0.1, R + h}, v, omega));
  const double turn = 0.5;
  s.contact("floor", 1, {{std::cos(turn), std::sin(turn), 0}, {-std::sin(turn), std::cos(turn), 0}, {0, 0, 1}},
            {0, 0, 0}, R, SpatialScene::coulomb(mu, mu));
  s.system->contacts[0]->restitution = e;
  s.system->contacts[0]->impact_law = law;
  const SpatialRun r = run(s);
  INFO(law << ", e = " << e << (beyond ? ", beyond: " : ": ") << r.outcome.message);
  REQUIRE(r.outcome.success());

  const Vec3 u = (1 / size) * w;
  Vec3 place{0.3, -0.1, 0}, now{v[0], v[1], 0};
  double t = t1, V = V1, left = size;
  place = place + t1 * now;
  std::size_t k = 0;
  int slips = 0, sticks = 0;
  for (; k < r.events.size() && r.events[k].kind == "impact"; ++k) {
    const EventRecord& x = r.events[k];
    const double change = std::min(left, 3.5 * mu * (1 + e) * V), impulse = 2.0 / 7 * m * change;
    const bool stick = left <= 3.5 * mu * (1 + e) * V;
    now = now - (impulse / m) * u;
    left -= change;
    const double scale = V1;
    CHECK(x.t == Approx(t).epsilon(1e-10));
    CHECK(x.gap_velocity_before == Approx(-V).margin(1e-10 * scale));
    CHECK(x.gap_velocity_after == Approx(e * V).margin(1e-10 * scale));
    CHECK(x.impulse_n == Approx((1 + e) * m * V).margin(1e-10 * scale));
    CHECK(x.impulse_t == Approx(impulse).margin(1e-10 * scale));
    near(at(x.y_before, 0), place + Vec3{0, 0, R}, 1e-10);
    near(at(x.y_after, 7), now + Vec3{0, 0, e * V}, 1e-10);
    // m and J take up what acts: energy, and the turning about the contact.
    const Vec3 before = at(x.y_before, 7), spin_before = at(x.y_before, 10), after = at(x.y_after, 7),
               spin = at(x.y_after, 10);
    CHECK(x.energy_loss == Approx(0.5 * m * (dot(before, before) - dot(after, after)) +
                                  0.5 * J * (dot(spin_before, spin_before) - dot(spin, spin)))
                               .margin(1e-12));
    if (V > 1e-3) {
      CHECK(x.note.find(stick ? "sticks" : "slips") == 0);
      stick ? ++sticks : ++slips;
    }
    V *= e;
    place = place + (2 * V / g) * now;
    t += 2 * V / g;
  }
  CHECK(slips > 0);
  CHECK((sticks > 0) == !beyond);
  REQUIRE(k + 1 <= r.events.size());
  const EventRecord& zeno = r.events[k];
  CHECK(zeno.kind == "zeno");
  CHECK(zeno.t == Approx(limit).epsilon(1e-10));
  // What is left after all impacts.
  const Vec3 at_limit = Vec3{v[0], v[1], 0} - (2.0 / 7 * (beyond ? all : size)) * u;
  near(at(zeno.y_after, 7), at_limit, 1e-9);
  CHECK(std::abs(zeno.y_after[9]) < 1e-12);
  if (!beyond) {
    CHECK(zeno.mode_after == "stick");
    REQUIRE(r.events.size() == k + 1);
  } else {
    REQUIRE(r.events.size() == k + 2);
    const EventRecord& rolls = r.events[k + 1];
    CHECK(zeno.mode_after == "slip");
    CHECK(rolls.kind == "stick");
    CHECK(rolls.t == Approx(limit + 2 * (size - all) / (7 * mu * g)).epsilon(1e-9));
    near(at(rolls.y_after, 7), Vec3{v[0], v[1], 0} - (2.0 / 7 * size) * u, 1e-9);
  }
  // It rolls: straight on with 5/7 and 2/7 of what it had, and keeps the spin about the normal.
  near(at(r.y, 7), Vec3{v[0], v[1], 0} - (2.0 / 7 * size) * u, 1e-9);
  CHECK(r.outcome.mode == "stick");
}

// A corner of a box, struck obliquely: G = 1/m + (r x)^T J^-1 (r x), solved by the law as matrices.
TEST_CASE("a box that falls on a corner: the law's impulses, taken up by the body") {
  const std::string law = GENERATE("newton", "poisson", "stronge", "whittaker");
  const double mu = GENERATE(0.1, 0.9);
  const double m = 1.3, e = 0.6;
  const Vec3 J{0.02, 0.03, 0.045}, corner{0.2, -0.15, -0.1}, v{0.8, -0.5, -1}, omega{2, -3, 4};
  SpatialScene s(head(0.3, "stop_after_events = 1\n") + body("box", m, J, {0, 0, 0.4}, v, omega));
  s.contact("floor", 1, floor_plane, corner, 0, SpatialScene::coulomb(mu, mu));
  s.system->contacts[0]->restitution = e;
  s.system->contacts[0]->impact_law = law;
  const SpatialRun r = run(s);
  INFO(law << ", mu = " << mu << ": " << r.outcome.message);
  REQUIRE(r.events.size() == 1);
  const EventRecord& x = r.events[0];
  REQUIRE(x.kind == "impact");

  const EulerParameters p{x.y_before[3], x.y_before[4], x.y_before[5], x.y_before[6]};
  const Mat3 A = rotation_matrix(p);
  const Vec3 before = at(x.y_before, 7), spin = at(x.y_before, 10), axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  ImpactProblem problem;
  problem.contacts = 1;
  problem.directions = 2;
  const auto arm = [&](const Vec3& axis) { return cross(corner, transposed_times(A, axis)); };
  for (const Vec3& a : axes) {
    for (const Vec3& b : axes) {
      const Vec3 turned = arm(b);
      problem.G.push_back(dot(a, b) / m + dot(arm(a), Vec3{turned[0] / J[0], turned[1] / J[1], turned[2] / J[2]}));
    }
    problem.c.push_back(dot(a, before) + dot(arm(a), spin));
  }
  problem.mu = {mu};
  problem.e = {e};
  const ImpactSolution direct = find_impact_law(law)->solve(problem);
  REQUIRE(direct.solved);
  CHECK(x.impulse_n == Approx(direct.impulse[0]).epsilon(1e-11));
  CHECK(x.impulse_t == Approx(std::hypot(direct.impulse[1], direct.impulse[2])).epsilon(1e-11));
  CHECK(x.energy_loss == Approx(-direct.energy_change).margin(1e-12));
  const Vec3 impulse{direct.impulse[1], direct.impulse[2], direct.impulse[0]};
  near(at(x.y_after, 7), before + (1 / m) * impulse, 1e-12);
  const Vec3 torque = arm(impulse);
  near(at(x.y_after, 10), spin + Vec3{torque[0] / J[0], torque[1] / J[1], torque[2] / J[2]}, 1e-10);
  CHECK(x.note.find("friction impulse (") != std::string::npos);
}

// A stool that falls flat: three feet strike together. Without turning each takes a third, and they come to rest
// together, at the limit of one ball.
TEST_CASE("three feet strike together and come to rest together") {
  const double m = 3, e = 0.6, h = 0.4, mu = 0.5, l = 0.3;
  const Vec3 v{0.2, 0.1, 0};
  const double V = std::sqrt(2 * g * h), limit = V / g * (1 + e) / (1 - e);
  SpatialScene s(head(limit + 0.3) + body("stool", m, {0.3, 0.3, 0.5}, {0, 0, h}, v, {0, 0, 0}));
  for (int i = 0; i < 3; ++i) {
    // Feet at the height of the centre: friction does not tip it.
    const double angle = 0.4 + 2.0943951023931953 * i;
    s.contact("foot" + std::to_string(i), 1, floor_plane, {l * std::cos(angle), l * std::sin(angle), 0}, 0,
              SpatialScene::coulomb(mu, mu));
    s.system->contacts.back()->restitution = e;
  }
  const SpatialRun r = run(s);
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  REQUIRE(r.events.size() > 3);
  const EventRecord& first = r.events[0];
  CHECK(first.kind == "impact");
  CHECK(first.t == Approx(V / g).epsilon(1e-11));
  CHECK(first.impulse_n == Approx(m * V * (1 + e) / 3).epsilon(1e-10));
  near(at(first.y_after, 7), {0, 0, e * V}, 1e-11);  // mu (1 + e) V > |v|: sticks
  const EventRecord& last = r.events.back();
  CHECK(last.kind == "zeno");
  CHECK(last.t == Approx(limit).epsilon(1e-9));
  CHECK(r.outcome.mode == "stick/stick/stick");
  near(at(r.y, 0), {v[0] * V / g, v[1] * V / g, 0}, 1e-10);
}

// With rolling friction of arm r a contact's impulse Lambda_N carries a couple of at most r Lambda_N against the
// rolling. A smooth ball (mu = 0): J omega_T falls by r (1 + e) m V, straight; Poisson's two phases take it in turn.
TEST_CASE("rolling friction takes part in an impact") {
  const double R = 0.2, m = 0.7, J = 0.4 * m * R * R, arm = 0.004, h = 0.5;
  const double V = std::sqrt(2 * g * h);
  const double e = GENERATE(0.0, 0.6), share = GENERATE(0.1, 0.2, 1.0);
  const std::string law = GENERATE("newton", "poisson");
  const Vec3 omega = share * Vec3{3, -4, 0} + Vec3{0, 0, 2};
  SpatialScene s(head(V / g + 0.01, "stop_after_events = 1\n") +
                 body("ball", m, {J, J, J}, {0, 0, R + h}, {0.5, 0, 0}, omega));
  s.contact("floor", 1, floor_plane, {0, 0, 0}, R, SpatialScene::coulomb(0, 0));
  s.system->contacts[0]->restitution = e;
  s.system->contacts[0]->impact_law = law;
  s.turning(FrictionPart::rolling, arm);
  const SpatialRun r = run(s);
  INFO(law << ", e = " << e << ": " << r.outcome.message);
  REQUIRE(!r.events.empty());
  const EventRecord& x = r.events[0];
  REQUIRE(x.kind == "impact");
  const double speed = std::hypot(omega[0], omega[1]), rest = std::max(0.0, speed - arm * (1 + e) * m * V / J);
  CHECK((rest == 0) == (share == 0.1 || (share == 0.2 && e > 0)));
  const Vec3 turning = rotation_matrix({x.y_after[3], x.y_after[4], x.y_after[5], x.y_after[6]}) * at(x.y_after, 10);
  near(turning, (rest / speed) * Vec3{omega[0], omega[1], 0} + Vec3{0, 0, omega[2]}, 1e-11);
  near(at(x.y_after, 7), {0.5, 0, e * V}, 1e-11);
}

// A shaft that turns and slides in a bearing strikes the floor with an arm of length rho, smooth: the bearing takes up
// the impulse Lambda, and rubs with mu Lambda against (v, a omega) at the end of each phase. Compression ends with
// omega = 0: rho Lambda_C = J omega, m (v_C - v) = -mu Lambda_C. Expansion, k = mu e Lambda_C, s = |(v+, a omega+)|:
//   v+ = v_C / (1 + k / (m s)),    omega+ = -e omega / (1 + k a^2 / (J s)).
TEST_CASE("Poisson's law with the friction of a joint: compression and expansion in closed form") {
  const double m = 1.5, J = 0.02, rho = 0.3, a = 0.05, omega = 4, start = 0.3, v = 0.8;
  const double e = GENERATE(0.0, 0.5, 1.0), mu = GENERATE(0.1, 0.5);
  SpatialScene s(head(start / omega + 0.01, "stop_after_events = 1\n", {0, 0, 0}) +
                 body("shaft", m, {J, 0.03, 0.04}, {0, 0, 0}, {v, 0, 0}, {-omega, 0, 0}) +
                 "axis = [1.0, 0.0, 0.0]\nangle = " + digits(start) +
                 "\n[[joint]]\nname = \"bearing\"\ntype = \"cylindrical\"\nbodies = [\"ground\", \"shaft\"]\n"
                 "at = [0.0, 0.0, 0.0]\naxis = [1.0, 0.0, 0.0]\nfriction = { mu_static = " +
                 digits(mu) + ", mu_kinetic = " + digits(mu) + ", radius = " + digits(a) + " }\n");
  s.contact("arm", 1, floor_plane, {0, rho, 0}, 0, SpatialScene::coulomb(0, 0));
  s.system->contacts[0]->restitution = e;
  s.system->contacts[0]->impact_law = "poisson";
  const SpatialRun r = run(s);
  INFO("e = " << e << ", mu = " << mu << ": " << r.outcome.message);
  REQUIRE(!r.events.empty());
  const EventRecord& x = r.events[0];
  REQUIRE(x.kind == "impact");
  const double compression = J * omega / rho, after = std::max(0.0, v - mu * compression / m), k = mu * e * compression;
  // The speed at which it ends, the root of what it would be less what it is; none: it sticks.
  double low = 0, high = 2 * (v + omega);
  for (int i = 0; i < 200; ++i) {
    const double mid = 0.5 * (low + high),
                 is = std::hypot(after / (1 + k / (m * mid)), a * e * omega / (1 + k * a * a / (J * mid)));
    (is > mid ? low : high) = mid;
  }
  CHECK(x.impulse_n == Approx((1 + e) * compression).epsilon(1e-11));
  CHECK(x.y_after[7] == Approx(k > 0 ? after / (1 + k / (m * low)) : after).margin(1e-11));
  CHECK(x.y_after[10] == Approx(e * omega / (k > 0 ? 1 + k * a * a / (J * low) : 1)).margin(1e-10));
  CHECK(x.energy_loss > 0);
}

// A rod that slides on its tip in a vertical plane (oblique to the axes), mu so large that its normal force would drive
// it into the floor: the jam of the planar rod (rod_jam.hpp).
TEST_CASE("no mode is consistent: the contact jams in space as in the plane") {
  const RodJam jam;
  const double mu = jam.mu, theta = jam.theta, l = jam.l, J = jam.J, turn = 0.6;
  const Vec3 along{std::cos(turn), std::sin(turn), 0};
  for (const double e : {0.0, 0.5}) {
    // The rod along x of its body, turned by theta up from the floor and by `turn` about the normal.
    SpatialScene s(head(0.001) +
                   body("rod", 1, {0.01, J, J}, (l * std::cos(theta)) * along + Vec3{0, 0, l * std::sin(theta)},
                        -1.0 * along, {0, 0, 0}) +
                   "angles = [" + digits(turn) + ", " + digits(-theta) + ", 0.0]\nsequence = \"zyx\"\n");
    s.contact("tip", 1, floor_plane, {-l, 0, 0}, 0, SpatialScene::coulomb(mu, mu));
    s.system->contacts[0]->restitution = e;
    s.system->contacts[0]->impact_law = e > 0 ? "poisson" : "newton";
    jam.check(run(s), e);
  }
}

// A rod on a pin with friction strikes the floor: in Newton's impact the pin's friction follows its reaction impulse,
// in space by the problem over cones, in the plane by trying all combinations. The same rod in both.
TEST_CASE("the friction of a joint takes part in an impact as in the plane") {
  const double mu_pin = GENERATE(0.3, 1.5);
  const double a = 0.35, b = 0.5, H = 0.4, theta = 0.5, omega = -1.5, m = 1.2, J = 0.08;
  const std::string pin = "friction = { mu_static = " + digits(mu_pin) + ", mu_kinetic = " + digits(mu_pin) +
                          ", radius = 0.04 }\n",
                    end = "end = 0.9\nintegrator = \"dop853\"\nrtol = 1e-12\natol = 1e-15\n";
  const double c = std::cos(theta), s = std::sin(theta);
  const RunResult plane = run_text(
      "gravity = [0.0, " + digits(-g) + "]\n[simulation]\n" + end + "[[body]]\nname = \"rod\"\nmass = " + digits(m) +
      "\ninertia = " + digits(J) + "\nposition = [" + digits(a * c) + ", " + digits(H + a * s) +
      "]\nangle = " + digits(theta) + "\nvelocity = [" + digits(-a * omega * s) + ", " + digits(a * omega * c) +
      "]\nangular_velocity = " + digits(omega) +
      "\n[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\npoints = [[0.0, " + digits(H) +
      "], [" + digits(-a) + ", 0.0]]\n" + pin +
      "[[contact]]\nname = \"tip\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"rod\", point = [" +
      digits(b) + ", 0.0], shape = \"point\" }]\nrestitution = 0.6\nfriction = { mu = 0.5 }\n");
  SpatialScene scene(
      "dimension = 3\ngravity = " + text({0, 0, -g}) + "[simulation]\n" + end +
      body("rod", m, {0.05, J, 0.09}, {a * c, 0, H + a * s}, {-a * omega * s, 0, a * omega * c}, {0, -omega, 0}) +
      "axis = [0.0, 1.0, 0.0]\nangle = " + digits(-theta) +
      "\n[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\nat = [0.0, 0.0, " + digits(H) +
      "]\naxis = [0.0, 1.0, 0.0]\n" + pin);
  scene.contact("tip", 1, floor_plane, {b, 0, 0}, 0, SpatialScene::coulomb(0.5, 0.5));
  scene.system->contacts[0]->restitution = 0.6;
  const SpatialRun space = run(scene);
  INFO("mu of the pin " << mu_pin << ": " << plane.outcome.message << " / " << space.outcome.message);
  REQUIRE(plane.outcome.success());
  REQUIRE(space.outcome.success());
  int impacts = 0;
  for (std::size_t k = 0; k < std::min(plane.events.size(), space.events.size()); ++k) {
    const EventRecord &x = plane.events[k], &y = space.events[k];
    if (x.kind != "impact" || x.gap_velocity_before > -1e-3) continue;
    INFO("event " << k << ", t = " << x.t);
    ++impacts;
    CHECK(y.kind == "impact");
    CHECK(y.t == Approx(x.t).epsilon(1e-10));
    CHECK(y.impulse_n == Approx(x.impulse_n).epsilon(1e-8));
    CHECK(y.impulse_t == Approx(std::abs(x.impulse_t)).epsilon(1e-8));
    CHECK(y.energy_loss == Approx(x.energy_loss).epsilon(1e-8));
  }
  CHECK(impacts >= 2);
  CHECK(space.y[11] == Approx(-final_value(plane, "rod.omega")).margin(1e-9));
}

// Stronge's law knows one contact at a time. One after the other, the fastest approach first: without friction each
// takes (1 + e) times its approach, by Gii = 1/m + x^2/J_y + y^2/J_x, and changes the approach of the others.
TEST_CASE("Stronge's law with several contacts: refused together, followed one after the other") {
  const double m = 3, e = 0.4, h = 0.4, V = std::sqrt(2 * g * h);
  const Vec3 J{0.3, 0.4, 0.5};
  const double x[] = {0.3, -0.2, -0.25}, y[] = {0.05, 0.3, -0.28};
  const bool sequential = GENERATE(false, true);
  SpatialScene s(head(V / g + 0.001, std::string("stop_after_events = 1\n") +
                                         (sequential ? "multiple_impact = \"sequential\"\n" : "")) +
                 body("stool", m, J, {0, 0, h}, {0, 0, 0}, {0, 0, 0}));
  for (int i = 0; i < 3; ++i) {
    s.contact("foot" + std::to_string(i), 1, floor_plane, {x[i], y[i], 0}, 0, SpatialScene::coulomb(0, 0));
    s.system->contacts.back()->restitution = e;
    s.system->contacts.back()->impact_law = "stronge";
  }
  const SpatialRun r = run(s);
  INFO(r.outcome.message);
  if (!sequential) {
    CHECK(r.outcome.status == RunStatus::no_consistent_mode);
    CHECK(r.outcome.message.find("one contact at a time") != std::string::npos);
    CHECK(r.outcome.message.find("multiple_impact = \"sequential\"") != std::string::npos);
    return;
  }
  double v = -V, turn[2] = {0, 0}, impulse[3] = {0, 0, 0};  // v_z, omega_x, omega_y
  const auto gap = [&](int i) { return v + turn[0] * y[i] - turn[1] * x[i]; };
  int impacts = 0;
  for (; impacts < 1000; ++impacts) {
    int next = 0;
    for (int i = 1; i < 3; ++i)
      if (gap(i) < gap(next) - 1e-13) next = i;
    if (gap(next) > -1e-13) break;
    const double p = -(1 + e) * gap(next) / (1 / m + x[next] * x[next] / J[1] + y[next] * y[next] / J[0]);
    impulse[next] += p;
    v += p / m;
    turn[0] += p * y[next] / J[0];
    turn[1] -= p * x[next] / J[1];
  }
  CHECK(impacts >= 3);
  REQUIRE(!r.events.empty());
  CHECK(r.events[0].impulse_n == Approx(impulse[0]).epsilon(1e-9));
  CHECK(r.events[0].y_after[9] == Approx(v).margin(1e-9));
  CHECK(r.events[0].y_after[10] == Approx(turn[0]).margin(1e-9));
  CHECK(r.events[0].y_after[11] == Approx(turn[1]).margin(1e-9));
}

TEST_CASE("friction that an impact law cannot take is refused, or said to be left out") {
  const std::string law = GENERATE("newton", "poisson", "stronge", "whittaker");
  const bool sequential = GENERATE(false, true);
  const std::string text =
      head(0.1, sequential ? "multiple_impact = \"sequential\"\n" : "") +
      body("ball", 1, {0.1, 0.1, 0.1}, {0, 0, 1}, {0, 0, 0}, {0, 0, 0}) +
      "[[joint]]\nname = \"bearing\"\ntype = \"cylindrical\"\nbodies = [\"ground\", \"ball\"]\nat = [0.0, 0.0, 1.0]\n"
      "axis = [0.0, 0.0, 1.0]\nfriction = { mu = 0.1, radius = 0.05 }\n";
  const auto made = [&](bool rolls, int contacts) {
    SpatialScene s(text);
    for (int i = 0; i < contacts; ++i) {
      s.contact("floor" + std::to_string(i), 1, floor_plane, {0.1 * i, 0, 0}, 0.2, SpatialScene::coulomb(0.3, 0.3));
      s.system->contacts.back()->impact_law = law;
      if (rolls) s.turning(FrictionPart::rolling, 0.01);
    }
    return MechanismProcess(s.system, formulation_in_use(s.model, *s.system), formulation_options(s.model),
                            impact_options(s.model))
        .notices();
  };
  const bool takes = law == "newton" || law == "poisson";
  for (const int contacts : {1, 2}) {
    INFO(law << ", " << contacts << (sequential ? ", one after the other" : ""));
    const bool has = takes && (!sequential || contacts == 1);
    const auto notices = made(false, contacts);
    const bool told = std::any_of(notices.begin(), notices.end(), [&](const std::string& n) {
      return n.find("friction of joints (\"bearing\") takes no part in impacts under impact_law = \"" + law + "\"") ==
             0;
    });
    CHECK(told == !has);
    if (has)
      CHECK_NOTHROW(made(true, contacts));
    else
      CHECK_THROWS_WITH(made(true, contacts),
                        Catch::Contains("rolling and spinning friction take part in impacts under"));
  }
}

// Poisson's law throws corners open that were at rest, by their share of the compression. Where the flights that remain
// are lower than what the gaps' guards see, all corners close: before, such bounces went on for ever. It lies flat on
// one face in the end, with no energy but that of its height.
TEST_CASE("a thrown box comes to rest under Poisson's law") {
  const RunResult r = run_text(
      "dimension = 3\ngravity = [0, 0, -9.81]\n[simulation]\nend = 1.5\nintegrator = \"dopri5\"\nrtol = 1e-8\n"
      "[[body]]\nname = \"box\"\nshape = \"box\"\nsides = [0.3, 0.2, 0.1]\ndensity = 600\nposition = [0, 0, 0.6]\n"
      "axis = [-0.34893880861638515, 0.4128164017056877, 0.3402665671792049]\n"
      "angle = 1.3563132318604718\n"
      "velocity = [0.8462640264844239, -0.9797392832237652, 0]\n"
      "angular_velocity = [-0.21260734620288613, -1.1356940642647038, -2.33575782115385]\n"
      "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"plane\", normal = [0, 0, 1] }, "
      "{ body = \"box\", shape = \"box\", sides = [0.3, 0.2, 0.1] }]\nrestitution = 0.3\n"
      "impact_law = \"poisson\"\nfriction = { mu = 0.2 }\n");
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  CHECK(r.events.size() < 1000);
  int impacts = 0;
  for (const EventRecord& x : r.events) {
    impacts += x.kind == "impact";
    CHECK(x.energy_loss >= -1e-12);
  }
  CHECK(impacts > 10);
  CHECK(final_value(r, "box.z") == Approx(0.05).margin(1e-7));
  for (const char* velocity : {"box.vx", "box.vy", "box.vz", "box.wx", "box.wy", "box.wz"})
    CHECK(std::abs(final_value(r, velocity)) < 1e-9);
}

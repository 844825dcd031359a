// tests/laws/transition_restart.cpp
//
// Consistent restart: positions and velocities that have drifted off come back onto the constraints to
// round-off, moving as little as possible in the metric of the mass matrix: the change of momentum is
// a combination of the constraint forces (checked against an independent least-squares solve), so that
// no momentum is lost along free directions. Redundant rows are solved and named; contradictory ones
// are an error that names them. What a mode holds and what moves all the same is told, and how fast.
#include <catch2/catch.hpp>

#include <Eigen/Dense>
#include <cmath>

#include "formulation/consistent_restart.hpp"
#include "support/random.hpp"
#include "support/run_text.hpp"
#include "transition/projection_check.hpp"

using namespace hstar;
using Catch::Matchers::Contains;
using support::digits;
using support::Random;

namespace {

std::string body(const std::string& name, double mass, double inertia, double x, double y, double angle) {
  return "[[body]]\nname = \"" + name + "\"\nmass = " + digits(mass) + "\ninertia = " + digits(inertia) +
         "\nposition = [" + digits(x) + ", " + digits(y) + "]\nangle = " + digits(angle) + "\n";
}
std::string pin(const std::string& name, const std::string& a, const std::string& b, const std::string& pa,
                const std::string& pb) {
  return "[[joint]]\nname = \"" + name + "\"\ntype = \"revolute\"\nbodies = [\"" + a + "\", \"" + b +
         "\"]\npoints = [" + pa + ", " + pb + "]\n";
}

/// A double pendulum whose end is held by a rod of changing length to a driven plate.
std::string linkage(Random& random) {
  return "gravity = [0.0, -9.81]\n[simulation]\nend = 1.0\n"
         "[[body]]\nname = \"plate\"\nmotion = { x = \"1.2 + 0.1*sin(3*t)\", y = \"-0.4\", angle = \"0.5*t\" }\n" +
         body("one", random.uniform(0.5, 4), random.uniform(0.02, 0.3), 0.25, -0.4, 1.0) +
         body("two", random.uniform(0.5, 4), random.uniform(0.02, 0.3), 0.8, -0.9, 0.2) +
         pin("a", "ground", "one", "[0.0, 0.0]", "[-0.5, 0.0]") + pin("b", "one", "two", "[0.5, 0.0]", "[-0.4, 0.0]") +
         "[[joint]]\nname = \"rod\"\ntype = \"distance\"\nbodies = [\"plate\", \"two\"]\npoints = [[0.1, 0.0], [0.4, "
         "0.0]]\n"
         "length = \"0.7 + 0.05*t\"\n";
}

struct Bench {
  std::shared_ptr<const System> system;
  ModeEquations equations;
  ConsistentRestart restart;
  Mode mode;
  explicit Bench(const std::string& text)
      : system(build_system(parse_model(text, "bench"))), equations(system), restart(equations) {
    mode.closed.assign(system->contacts.size(), 0);
    mode.friction.assign(system->frictions.size(), {});
  }
  /// Rows over the coordinates of y, and nu.
  void rows(double t, const double* y, Eigen::MatrixXd& G, Eigen::VectorXd& nu) {
    equations.motion.evaluate(t, y);
    std::vector<Row> r(static_cast<std::size_t>(system->rows));
    system->joint_rows(equations.motion.kinematics(), r.data());
    G.setZero(system->rows, system->nq);
    nu.resize(system->rows);
    for (int i = 0; i < system->rows; ++i) {
      nu[i] = r[static_cast<std::size_t>(i)].nu;
      for (std::size_t k = 0; k < 2; ++k) {
        const Body& b = system->bodies[static_cast<std::size_t>(r[static_cast<std::size_t>(i)].body[k])];
        for (int c = 0; c < b.dofs; ++c) G(i, b.dof + c) += r[static_cast<std::size_t>(i)].J[k][c];
      }
    }
  }
  [[nodiscard]] Eigen::VectorXd mass() const {
    Eigen::VectorXd m(system->nq);
    for (const Body& b : system->bodies)
      for (int c = 0; c < b.dofs; ++c) m[b.dof + c] = c < 2 ? b.mass : b.inertia;
    return m;
  }
  double violation(double t, const double* y) {
    equations.motion.evaluate(t, y);
    std::vector<double> phi(static_cast<std::size_t>(system->rows));
    system->joint_positions(equations.motion.kinematics(), phi.data());
    double worst = 0;
    for (const double x : phi) worst = std::max(worst, std::abs(x));
    return worst;
  }
};

}  // namespace

TEST_CASE("a drifted state comes back onto the constraints, mass-orthogonally") {
  Random random(99);
  for (int repeat = 0; repeat < 60; ++repeat) {
    Bench bench(linkage(random));
    const double t = random.uniform(0, 1);
    const auto n = static_cast<std::size_t>(bench.system->nq);
    std::vector<double> y = bench.system->initial_state();
    bench.restart.assemble(bench.mode, t, y.data());
    CHECK(bench.violation(t, y.data()) < 1e-14);
    for (std::size_t i = 0; i < n; ++i) y[i] += random.uniform(-1, 1) * 1e-5, y[n + i] = random.uniform(-2, 2);
    const std::vector<double> drifted = y;
    REQUIRE(bench.restart.positions(bench.mode, t, y.data(), 8));
    CHECK(bench.violation(t, y.data()) < 2e-15);
    CHECK(bench.restart.moved());

    Eigen::MatrixXd G;
    Eigen::VectorXd nu;
    bench.rows(t, y.data(), G, nu);
    const Eigen::VectorXd m = bench.mass();
    // Position moves by M^-1 G^T times something, to first order in the drift.
    Eigen::VectorXd push(bench.system->nq);
    for (std::size_t i = 0; i < n; ++i) push[static_cast<int>(i)] = m[static_cast<int>(i)] * (y[i] - drifted[i]);
    const Eigen::VectorXd lambda = G.transpose().colPivHouseholderQr().solve(push);
    CHECK((push - G.transpose() * lambda).norm() < 1e-4 * push.norm());

    REQUIRE(bench.restart.velocities(bench.mode, t, y.data()));
    Eigen::VectorXd v(bench.system->nq), before(bench.system->nq);
    for (std::size_t i = 0; i < n; ++i) v[static_cast<int>(i)] = y[n + i], before[static_cast<int>(i)] = drifted[n + i];
    CHECK((G * v - nu).cwiseAbs().maxCoeff() < 2e-15 * (1 + v.cwiseAbs().maxCoeff() * 4));
    // The least change in the metric of M, solved in another way.
    const Eigen::MatrixXd W = m.cwiseInverse().asDiagonal();
    const Eigen::VectorXd best = before + W * G.transpose() * (G * W * G.transpose()).ldlt().solve(nu - G * before);
    CHECK((v - best).cwiseAbs().maxCoeff() < 1e-11);
    // Nothing is lost along free directions.
    const Eigen::MatrixXd free = Eigen::FullPivLU<Eigen::MatrixXd>(G).kernel();
    CHECK((free.transpose() * m.cwiseProduct(v - before)).cwiseAbs().maxCoeff() < 1e-11);
    // A consistent state is left where it is.
    std::vector<double> again = y;
    CHECK(bench.restart.positions(bench.mode, t, again.data(), 8));
    CHECK(bench.restart.velocities(bench.mode, t, again.data()));
    CHECK_FALSE(bench.restart.moved());
    for (std::size_t i = 0; i < 2 * n; ++i) CHECK(again[i] == Approx(y[i]).margin(2e-14).epsilon(0));
  }
}

TEST_CASE("redundant rows are recognised, named and solved, with the same motion") {
  // Two pins through the same point of the same bodies, and a third guide parallel to two others.
  const std::string base =
      "gravity = [0.0, -9.81]\n[simulation]\nend = 1.0\nrtol = 1e-10\n" + body("arm", 2.0, 0.3, 0.5, 0.0, 0.0);
  const std::string one = base + pin("first", "ground", "arm", "[0.0, 0.0]", "[-0.5, 0.0]");
  const RunResult simple = support::run_text(one),
                  twice = support::run_text(one + pin("second", "ground", "arm", "[0.0, 0.0]", "[-0.5, 0.0]"));
  REQUIRE(simple.outcome.success());
  REQUIRE(twice.outcome.success());
  std::string notices;
  for (const auto& n : twice.notices) notices += n + "\n";
  CHECK_THAT(notices, Contains("second") && Contains("redundant"));
  for (std::size_t i = 0; i < simple.y_end.size(); ++i) CHECK(twice.y_end[i] == Approx(simple.y_end[i]).margin(1e-9));
  // Least-norm multipliers: equal pins share equally.
  const auto& row = twice.rows.back();
  CHECK(row[support::column(twice, "first.fy")] == Approx(row[support::column(twice, "second.fy")]).margin(1e-9));
  CHECK(2 * row[support::column(twice, "first.fy")] ==
        Approx(simple.rows.back()[support::column(simple, "first.fy")]).margin(1e-8));
}

TEST_CASE("redundant closed loops: a parallelogram with a superfluous middle bar") {
  const auto crank = [](const std::string& name, double x) {
    return body(name, 1.0, 0.02, x + 0.25 * std::cos(-1.0), 0.25 * std::sin(-1.0), -1.0);
  };
  const auto hang = [](const std::string& name, double x) {
    return pin("foot_" + name, "ground", name, "[" + digits(x) + ", 0.0]", "[-0.25, 0.0]") +
           pin("head_" + name, name, "bar", "[0.25, 0.0]", "[" + digits(x - 1.0) + ", 0.0]");
  };
  const std::string bar = body("bar", 3.0, 0.8, 1.0 + 0.5 * std::cos(-1.0), 0.5 * std::sin(-1.0), 0.0);
  const std::string head = "gravity = [0.0, -9.81]\n[simulation]\nend = 2.0\nrtol = 1e-11\nintegrator = \"dop853\"\n";
  const RunResult r = support::run_text(head + crank("l", 0) + crank("m", 1) + crank("r", 2) + bar + hang("l", 0) +
                                        hang("m", 1) + hang("r", 2));
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  std::string notices;
  for (const auto& n : r.notices) notices += n + "\n";
  CHECK_THAT(notices, Contains("redundant"));
  // One degree of freedom: the bar stays level, energy is kept.
  const std::size_t angle = support::column(r, "bar.angle"), energy = support::column(r, "energy");
  for (const auto& row : r.rows) {
    CHECK(std::abs(row[angle]) < 1e-12);
    CHECK(row[energy] == Approx(r.rows.front()[energy]).margin(1e-8));
  }
  // A physical pendulum of the same energy: 3 cranks about their feet, the bar without turning.
  const std::size_t phi = support::column(r, "l.angle"), w = support::column(r, "l.omega");
  const double inertia = 3 * (0.02 + 1.0 * 0.25 * 0.25) + 3.0 * 0.5 * 0.5, moment = 9.81 * (3 * 0.25 + 3.0 * 0.5);
  for (const auto& row : r.rows)
    CHECK(0.5 * inertia * row[w] * row[w] == Approx(moment * (std::sin(-1.0) - std::sin(row[phi]))).margin(1e-8));
}

TEST_CASE("rows that contradict each other only in their rates are an error that names them") {
  const std::string text = "gravity = [0.0, 0.0]\n[simulation]\nend = 1.0\n" + body("arm", 2.0, 0.3, 0.0, 0.0, 0.0) +
                           "[[joint]]\nname = \"slow\"\ntype = \"absolute_angle\"\nbody = \"arm\"\nvalue = \"0.5*t\"\n"
                           "[[joint]]\nname = \"fast\"\ntype = \"absolute_angle\"\nbody = \"arm\"\nvalue = \"0.7*t\"\n";
  CHECK_THROWS_WITH(support::run_text(text), Contains("fast"));
}

TEST_CASE("a unit that sticks and moves is told, whatever the speed of the mechanism") {
  Bench bench("dimension = 2\ngravity = [0.0, -9.81]\n[simulation]\nend = 1.0\n" +
              body("sled", 2.0, 0.3, 0.0, 0.1, 0.0) +
              "[[joint]]\nname = \"guide\"\ntype = \"translational\"\nbodies = [\"ground\", \"sled\"]\naxis = [1, 0]\n"
              "points = [[0, 0.1], [0, 0]]\nfriction = { mu_static = 0.4, mu_kinetic = 0.3 }\n");
  std::vector<double> y(bench.system->size(), 0.0);
  y[1] = 0.1;
  const auto stands = [&](double speed) {
    y[static_cast<std::size_t>(bench.system->nq)] = speed;
    bench.equations.evaluate(0.0, y.data());
    bench.equations.rows.take(bench.mode);
    bench.equations.solve(bench.mode);
    bench.restart.see_speeds(y.data());
    return bench.restart.stuck_units_stand(bench.mode, 0.0, 0.0);
  };
  bench.mode.friction[0].slide = Slide::slip;
  bench.mode.friction[0].direction = 1;
  CHECK(stands(1.0));
  bench.mode.friction[0] = FrictionMode{Slide::stick, 0, 0, 0};
  CHECK(stands(1e-9));  // of 1 m/s: round-off of the integrator
  CHECK_FALSE(stands(0.01));
  CHECK_THAT(bench.restart.why(), Contains("guide") && Contains("sticks and slides by 0.01"));
}

TEST_CASE("a step's projection by far more than its error is told, and one of its error is not") {
  Bench bench("gravity = [0.0, -9.81]\n[simulation]\nend = 1.0\n" + body("arm", 2.0, 0.3, 0.5, 0.0, 0.0) +
              pin("a", "ground", "arm", "[0.0, 0.0]", "[-0.5, 0.0]"));
  constexpr double rtol = 1e-8;
  const auto complaint = [&](std::size_t state, double off) {
    ProjectionCheck check(bench.system, rtol);
    std::vector<double> y = {0.5, 0.0, 0.0, 0.0, 0.5, 1.0};
    check.begin(0.0);
    check.before(y.data());
    y[state] += off;
    check.after(0.01, y.data(), 1.0);
    CHECK(check.complaint(0.005).empty());  // of another time
    return check.complaint(0.01);
  };
  CHECK(complaint(2, 8 * rtol).empty());
  CHECK(complaint(5, 8 * rtol).empty());
  CHECK_THAT(complaint(2, 1e-3), Contains("arm.angle") && Contains("put back by 0.001"));
  CHECK_THAT(complaint(5, 0.1), Contains("arm.omega") && Contains("put back by 0.1"));
  // A thousandth of what the step itself has done to a state may be round-off of rows that nearly depend.
  CHECK(complaint(5, 9e-4).empty());
}

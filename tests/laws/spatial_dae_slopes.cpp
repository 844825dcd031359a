// tests/laws/spatial_dae_slopes.cpp
//
// Derivatives that implicit methods use in space agree with differences below 1e-6 of the largest entry, over random
// states: of a mechanism with every joint, springs, a bushing, forces and states whose formulas read bodies, springs
// and each other, and a force and a joint of a program; of orientations made of rotation vectors and of angular
// velocities; and the Jacobians of ggl and index1 as IDA gets them, by all four parameters of each orientation.
#include <catch2/catch.hpp>
#include <cmath>

#include "formulation/dae_problem.hpp"
#include "integrator/ida_equations.hpp"
#include "laws/spatial_cases.hpp"
#include "laws/user_elements.hpp"
#include "mechanism/spatial/turning.hpp"
#include "mechanism/system.hpp"
#include "support/comparison.hpp"

using namespace hstar;
using namespace laws::spatial;
using support::Comparison;
using support::derivative;
using support::Random;

namespace {

std::shared_ptr<const System> mechanism() {
  std::string text = "dimension = 3\ngravity = [0.3, -1.0, -9.81]\nsimulation.end = 1.0\n";
  const char* bodies[] = {"a", "b", "c"};
  for (int i = 0; i < 3; ++i)
    text += std::string("[[body]]\nname = \"") + bodies[i] + "\"\nmass = " + std::to_string(1.0 + i) +
            "\ninertia = [[0.5, 0.02, -0.03], [0.02, 0.4, 0.05], [-0.03, 0.05, 0.6]]\nposition = [" +
            std::to_string(2 * i) + ", 0.3, -0.2]\n";
  text +=
      "[[body]]\nname = \"cart\"\nmotion = { x = \"0.3*sin(t)\", y = \"t^2\", z = \"0.1*t\", axis = [1, 2, 2], angle = "
      "\"0.7*t + t^2\" }\n"
      "[[joint]]\nname = \"u\"\ntype = \"universal\"\nbodies = [\"cart\", \"a\"]\nat = [0.1, 0.2, 0.3]\naxis = [0, 1, "
      "0]\nsecond_axis = [0, 0, 1]\n"
      "[[joint]]\nname = \"s\"\ntype = \"spherical\"\nbodies = [\"a\", \"b\"]\nat = [1, 0.1, 0]\n"
      "[[joint]]\nname = \"cy\"\ntype = \"cylindrical\"\nbodies = [\"b\", \"c\"]\nat = [3, 0.1, 0]\naxis = [1, 1, 0]\n"
      "[[joint]]\nname = \"rod\"\ntype = \"distance\"\nbodies = [\"ground\", \"c\"]\npoints = [[0, 0, 3], [0.1, 0, "
      "0.2]]\nlength = \"4 + 0.1*sin(t)\"\n"
      "[[force]]\nname = \"spring\"\ntype = \"spring_damper\"\nbodies = [\"a\", \"c\"]\npoints = [[0.1, 0, 0.2], [0, "
      "0.3, -0.1]]\nstiffness = \"30 + 2*b.x\"\ndamping = 0.7\nfree_length = 0.5\nactuator = \"0.4*length^2 + "
      "0.3*rate*w\"\n"
      "[[force]]\nname = \"bush\"\ntype = \"bushing\"\nbodies = [\"ground\", \"b\"]\nat = [0.2, 0.1, 0]\naxis = [1, 2, "
      "2]\nstiffness_matrix = [30, 30, 20, 3, 3, 5]\ndamping_matrix = [1, 2, 1, 0.3, 0.2, 0.1]\n"
      "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"b\"\npoint = [0.1, 0.2, 0]\nframe = "
      "\"body\"\nforce = [\"a.vx + b.wy\", \"spring.length\", 0.3]\n"
      "[[force]]\nname = \"twist\"\ntype = \"torque\"\nbodies = [\"a\", \"c\"]\nframe = \"global\"\ntorque = "
      "[\"w*c.wx\", 0.2, \"sin(t)\"]\n"
      "[[state]]\nname = \"w\"\ninitial = 0.4\nrate = \"a.x*b.wz - w^2 + spring.length + spring.rate\"\n";
  ModelSpec model = parse_model(text, "slopes");
  model.forces.push_back(user_force(
      "own", {"b", "c"}, std::make_shared<laws::OwnSpring>(20, 0.6, 0.4, Vec3{0.2, 0.1, 0}, Vec3{0, 0.1, 0.3})));
  model.joints.push_back(user_joint("bowl", "cart", "c", std::make_shared<laws::Bowl>(0.6, 1, Vec3{0.1, 0.2, 0})));
  return build_system(model);
}

std::vector<double> random_state(const System& s, Random& random) {
  std::vector<double> y(s.size());
  for (double& x : y) x = random.uniform(-1, 1);
  double place = -2;
  for (const Body& body : s.bodies) {
    if (body.prescribed) continue;
    y[static_cast<std::size_t>(body.coordinate)] += place += 3;
    const EulerParameters p = random_parameters(random);
    std::copy(p.begin(), p.end(), y.begin() + body.coordinate + 3);
  }
  return y;
}

double dense(const DaeEntries& entries, std::size_t row, std::size_t column) {
  double sum = 0;
  for (const DaeEntry& e : entries)
    if (static_cast<std::size_t>(e.row) == row && static_cast<std::size_t>(e.column) == column) sum += e.value;
  return sum;
}

/// All derivatives of a mode against differences, at random states.
void check_slopes(const std::shared_ptr<const System>& s, MechanismDae& dae, Random& random) {
  const auto nq = static_cast<std::size_t>(s->nq), n = static_cast<std::size_t>(s->nv),
             ns = static_cast<std::size_t>(s->ns);
  for (int repeat = 0; repeat < 6; ++repeat) {
    const auto y = random_state(*s, random);
    const double t = random.uniform(-1, 1);
    REQUIRE(dae.begin(t, y.data()));
    const auto m = static_cast<std::size_t>(dae.rows());
    std::vector<double> lambda(m), a(n);
    for (double& x : lambda) x = random.uniform(-3, 3);
    for (double& x : a) x = random.uniform(-3, 3);
    DaeSlopes slopes;
    REQUIRE(dae.evaluate(t, y.data(), lambda.data()));
    dae.differentiate(a.data(), slopes);
    const auto acceleration = [&](std::size_t row) {
      DaeEntries J;
      dae.jacobian(J);
      double sum = -dae.gamma()[row];
      for (const DaeEntry& e : J)
        if (static_cast<std::size_t>(e.row) == row) sum += e.value * a[static_cast<std::size_t>(e.column)];
      return sum;
    };
    enum class By { place, speed, state, multiplier };
    const auto check = [&](const DaeEntries& entries, std::size_t rows, By by, const auto& value) {
      const std::size_t columns = by == By::state ? ns : by == By::multiplier ? m : n;
      Comparison compare;
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
          compare.entry(
              dense(entries, row, column),
              derivative(
                  [&](double x) {
                    auto y_moved = y;
                    auto l_moved = lambda;
                    std::vector<double> way(n);
                    if (by == By::place) {
                      way[column] = x;
                      dae.displace(y.data(), way.data(), y_moved.data());
                    } else {
                      (by == By::multiplier ? l_moved[column] : y_moved[(by == By::speed ? nq : nq + n) + column]) += x;
                    }
                    dae.evaluate(t, y_moved.data(), l_moved.data());
                    return value(row);
                  },
                  0.0, 0.01));
    };
    const auto force = [&](std::size_t i) { return dae.force()[i]; };
    const auto rate = [&](std::size_t i) { return dae.rate()[i]; };
    const auto speed = [&](std::size_t i) { return dae.speed()[i]; };
    check(slopes.force_q, n, By::place, force);
    check(slopes.force_v, n, By::speed, force);
    check(slopes.force_s, n, By::state, force);
    check(slopes.force_lambda, n, By::multiplier, force);
    check(slopes.rate_q, ns, By::place, rate);
    check(slopes.rate_v, ns, By::speed, rate);
    check(slopes.rate_s, ns, By::state, rate);
    check(slopes.speed_q, m, By::place, speed);
    check(slopes.rows, m, By::speed, speed);
    // Stuck units have no position.
    DaeEntries holonomic;
    for (const DaeEntry& e : slopes.rows)
      if (dae.kind(e.row) == DaeRow::position) holonomic.push_back(e);
    check(holonomic, m, By::place, [&](std::size_t i) { return dae.position()[i]; });
    check(slopes.acceleration_q, m, By::place, acceleration);
    check(slopes.acceleration_v, m, By::speed, acceleration);
  }
}

}  // namespace

TEST_CASE("orientations by rotation vectors and by angular velocities") {
  Random random(11);
  for (int repeat = 0; repeat < 20; ++repeat) {
    // Small and large turns: the first are where series take over.
    const double size = repeat % 4 == 0 ? 1e-3 : 2.5;
    const EulerParameters p = random_parameters(random);
    const Vec3 theta = random_vector(random, size), omega = random_vector(random, 6);
    EulerParameters past;
    for (double& x : past) x = random.uniform(-3, 3);
    const double c0 = random.uniform(1, 9);
    // 2 G(p) dp of a change from p0 to p, |p| = 1.
    const auto turn = [](const EulerParameters& p0, const EulerParameters& at, std::size_t i) {
      const Mat34 G = matrix_G(p0);
      return 2 * (G[i][0] * at[0] + G[i][1] * at[1] + G[i][2] * at[2] + G[i][3] * at[3]);
    };
    const Mat3 by_theta = turned_slope(theta), by_omega = settled_slope(c0, omega);
    const EulerParameters end = turned(p, theta), settled_end = settled(past, c0, omega);
    Comparison compare;
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t i = 0; i < 3; ++i) {
        const auto moved = [&](Vec3 x, double by) {
          x[j] += by;
          return x;
        };
        compare.entry(by_theta[i][j],
                      derivative([&](double x) { return turn(end, turned(p, moved(theta, x)), i); }, 0.0, 0.02));
        compare.entry(
            by_omega[i][j],
            c0 * derivative([&](double x) { return turn(settled_end, settled(past, c0, moved(omega, x)), i); }, 0.0,
                            0.02));
      }
    // c0 p + past is 1/2 G(p)^T omega, for the p of the length that solves it.
    const EulerParameters rate = parameter_rate(settled_end, omega);
    double across = 0, along = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      along += past[i] * past[i];
      across += past[i] * (rate[i] - c0 * settled_end[i]);
    }
    const double length = along / across;
    for (std::size_t i = 0; i < 4; ++i)
      CHECK(length * (c0 * settled_end[i] - rate[i]) + past[i] == Approx(0).margin(1e-13));
    CHECK(length > 0);
  }
}

TEST_CASE("forces, rates and rows of a spatial mechanism by position, velocity, states and multipliers") {
  const auto s = mechanism();
  Mode mode;
  MechanismDae dae(s, mode, DaeForm::index3);
  Random random(9);
  check_slopes(s, dae, random);
}

TEST_CASE("sliding friction of spatial joints and contacts, and stuck units") {
  std::string text = "dimension = 3\ngravity = [0.3, -1.0, -9.81]\nsimulation.end = 1.0\n";
  for (const char* name : {"a", "b", "c", "d"})
    text += std::string("[[body]]\nname = \"") + name + "\"\nmass = 1.5\ninertia = [0.5, 0.4, 0.6]\nposition = [" +
            std::to_string(name[0] - 'a') + ", 0.3, 2]\n";
  const std::string law =
      "friction = { law = \"coulomb\", mu_static = 0.4, mu_kinetic = 0.3, viscous = 0.2, radius = 0.1 }\n";
  text +=
      "[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [0.1, 0.2, 0.3]\naxis = "
      "[0, "
      "1, 1]\n" +
      law +
      "[[joint]]\nname = \"shaft\"\ntype = \"cylindrical\"\nbodies = [\"a\", \"b\"]\nat = [1, 0.1, 0]\naxis = [1, 1, "
      "0]\n" +
      law + "[[joint]]\nname = \"ball\"\ntype = \"spherical\"\nbodies = [\"b\", \"c\"]\nat = [2, 0.1, 0]\n" + law +
      "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"plane\", normal = [0.1, 0.2, 1] }, { "
      "body = \"c\", shape = \"sphere\", point = [0.1, 0.2, 0.1], radius = 0.3 }]\nfriction = { mu_static = 0.3, "
      "mu_kinetic = 0.2 }\n"
      "[[contact]]\nname = \"rolls\"\nbetween = [{ body = \"c\", shape = \"sphere\", radius = 0.3 }, { body = \"d\", "
      "shape = \"sphere\", point = [0, 0.1, 0.2], radius = 0.2 }]\nfriction = { mu_static = 0.3, mu_kinetic = 0.3 }\n";
  const auto s = build_system(parse_model(text, "friction"));
  const int stuck = GENERATE(-1, 1, 3);
  Mode mode;
  mode.closed.assign(2, 1);
  mode.friction.assign(s->frictions.size(), {Slide::slip, 1, 1, 0});
  if (stuck >= 0) mode.friction[static_cast<std::size_t>(stuck)].slide = Slide::stick;
  INFO(s->frictions.size() << " units, stuck: " << stuck);
  MechanismDae dae(s, mode, DaeForm::index3);
  Random random(13);
  check_slopes(s, dae, random);
}

TEST_CASE("the Jacobians of ggl and index1 that IDA gets") {
  const auto s = mechanism();
  Mode mode;
  Random random(5);
  for (const DaeForm form : {DaeForm::ggl, DaeForm::index1}) {
    INFO((form == DaeForm::ggl ? "ggl" : "index1"));
    MechanismDae dae(s, mode, form);
    integrator::IdaEquations equations(dae);
    const auto n = static_cast<std::size_t>(equations.size());
    for (int repeat = 0; repeat < 3; ++repeat) {
      std::vector<double> Y = random_state(*s, random), dY(n), out(n);
      Y.resize(n);
      const double t = random.uniform(-1, 1), cj = random.uniform(1, 5);
      REQUIRE(dae.begin(t, Y.data()));
      for (std::size_t i = s->size(); i < n; ++i) Y[i] = random.uniform(-2, 2);
      for (double& x : dY) x = random.uniform(-2, 2);
      DaeEntries entries;
      REQUIRE(equations.jacobian(t, cj, Y.data(), dY.data(), entries));
      std::vector<double> analytic(n * n);
      for (const DaeEntry& e : entries)
        analytic[static_cast<std::size_t>(e.row) * n + static_cast<std::size_t>(e.column)] += e.value;
      Comparison compare;
      for (std::size_t column = 0; column < n; ++column) {
        // All rows at once: the differences are taken by hand.
        const auto residual = [&](double x) {
          auto Y_moved = Y;
          auto dY_moved = dY;
          Y_moved[column] += x;
          dY_moved[column] += cj * x;
          equations.residual(t, Y_moved.data(), dY_moved.data(), out.data());
          return out;
        };
        std::vector<std::vector<double>> central;
        for (const double h : {0.01, 0.005, 0.0025}) {
          const auto ahead = residual(h), back = residual(-h);
          central.emplace_back(n);
          for (std::size_t row = 0; row < n; ++row) central.back()[row] = (ahead[row] - back[row]) / (2 * h);
        }
        for (std::size_t row = 0; row < n; ++row) {
          const double first = (4 * central[1][row] - central[0][row]) / 3,
                       second = (4 * central[2][row] - central[1][row]) / 3;
          compare.entry(analytic[row * n + column], (16 * second - first) / 15);
        }
      }
    }
  }
}

// tests/laws/jacobians.cpp
//
// The analytic derivatives that implicit methods use agree with differences, for every entry of the
// registries, over random states: of joint rows, sliding rows and contact rows (J and gamma by position,
// gamma by velocity as the velocities' part of dJ/dq), of applied forces (by position, velocity and extra
// state, with formulas that read other bodies, springs and states), of friction laws by speed, and of the
// whole residual of a mode. Relative to the largest entry the difference stays below 1e-6. A new element
// without a line here fails.
#include <catch2/catch.hpp>

#include <cmath>
#include <map>

#include "formulation/dae_problem.hpp"
#include "laws/element_cases.hpp"
#include "mechanism/planar/contacts.hpp"
#include "mechanism/planar/forces.hpp"
#include "mechanism/planar/joints.hpp"
#include "mechanism/system.hpp"
#include "support/comparison.hpp"
#include "support/differences.hpp"
#include "support/random.hpp"

using namespace hstar;
using namespace laws;
using support::Comparison;
using support::Random;

namespace {

std::shared_ptr<const System> build(const std::string& elements) {
  return build_system(
      parse_model("gravity = [0.3, -9.81]\nsimulation.end = 1.0\n"
                  "[[body]]\nname = \"a\"\nmass = 1.5\ninertia = 0.7\n"
                  "[[body]]\nname = \"b\"\nmass = 2.0\ninertia = 0.4\n"
                  "[[body]]\nname = \"c\"\nmass = 1.0\ninertia = 0.2\n"
                  "[[state]]\nname = \"w\"\ninitial = 0.4\nrate = \"-w\"\n" +
                      elements,
                  "jacobians"));
}

/// Random positions (apart, so that no distance is near zero), velocities and extra states.
std::vector<double> random_state(const System& s, Random& random) {
  std::vector<double> y(s.size());
  for (double& x : y) x = random.uniform(-1, 1);
  double place = -2;
  for (const Body& body : s.bodies)
    if (!body.prescribed) y[static_cast<std::size_t>(body.dof)] += place += 3;
  return y;
}

Kinematics at(const System& s, double t, const std::vector<double>& y) {
  Kinematics k;
  s.prepare(k);
  s.update(k, t, y.data());
  return k;
}

/// `rows(k)` gives a row, unfolded; slope its claimed derivatives at y.
template <class RowAt>
void check_row(const System& s, double t, const std::vector<double>& y, const RowAt& row_at, const RowSlope& slope) {
  Comparison compare;
  const Row row = row_at(at(s, t, y));
  std::array<double, 6> v{};
  for (std::size_t b = 0; b < 6; ++b) {
    const Body& body = s.bodies[static_cast<std::size_t>(row.body[b / 3])];
    if (!body.prescribed) v[b] = y[static_cast<std::size_t>(s.nq + body.dof) + b % 3];
  }
  for (std::size_t b = 0; b < 6; ++b) {
    const Body& body = s.bodies[static_cast<std::size_t>(row.body[b / 3])];
    if (body.prescribed) continue;
    const auto moved = [&](std::size_t index, double by) {
      auto there = y;
      there[index] += by;
      return row_at(at(s, t, there));
    };
    const std::size_t q = static_cast<std::size_t>(body.dof) + b % 3, dq = q + static_cast<std::size_t>(s.nq);
    for (std::size_t a = 0; a < 6; ++a)
      compare.entry(slope.J[a][b],
                    support::derivative([&](double x) { return moved(q, x).J[a / 3][a % 3]; }, 0.0, 0.05));
    compare.entry(slope.gamma[b], support::derivative([&](double x) { return moved(q, x).gamma; }, 0.0, 0.05));
    double by_velocity = 0;
    for (std::size_t a = 0; a < 6; ++a) by_velocity -= (slope.J[b][a] + slope.J[a][b]) * v[a];
    compare.entry(by_velocity, support::derivative([&](double x) { return moved(dq, x).gamma; }, 0.0, 0.05));
  }
}

}  // namespace

TEST_CASE("rows of every joint and their derivatives") {
  Random random(3);
  for (const JointEntry& entry : planar_joints()) {
    INFO("joint type " << entry.type << ": give it a line in joint_cases()");
    REQUIRE(joint_cases().count(entry.type) == 1);
    for (const std::string& keys : joint_cases().at(entry.type)) {
      INFO(keys);
      const auto s = build("[[joint]]\nname = \"j\"\ntype = \"" + std::string(entry.type) + "\"\n" + keys);
      const Joint& joint = *s->joints.front();
      for (int repeat = 0; repeat < 10; ++repeat) {
        const auto y = random_state(*s, random);
        const double t = random.uniform(-2, 2);
        std::array<RowSlope, 3> slopes;
        joint.slopes(at(*s, t, y), slopes.data());
        for (int i = 0; i < joint.rows(); ++i)
          check_row(
              *s, t, y,
              [&](const Kinematics& k) {
                std::array<Row, 3> rows;
                for (Row& r : rows) r.body = {joint.first.body, joint.second.body};
                joint.rows_at(k, rows.data());
                return rows[static_cast<std::size_t>(i)];
              },
              slopes[static_cast<std::size_t>(i)]);
        if (!joint.slides()) continue;
        RowSlope slope;
        joint.tangent_slope(at(*s, t, y), slope);
        check_row(
            *s, t, y,
            [&](const Kinematics& k) {
              Row row;
              row.body = {joint.first.body, joint.second.body};
              joint.tangent(k, row);
              return row;
            },
            slope);
      }
    }
  }
}

TEST_CASE("rows of every contact and their derivatives") {
  Random random(4);
  const std::map<std::pair<std::string_view, std::string_view>, std::string> cases{
      {{"line", "circle"},
       "between = [{ body = \"a\", shape = \"line\", point = [0.1, 0.2], normal = [-0.4, 1.3], surface_velocity = "
       "\"sin(t)\" }, { body = \"b\", shape = \"circle\", point = [0.3, -0.1], radius = 0.25 }]\n"},
      {{"circle", "circle"},
       "between = [{ body = \"a\", shape = \"circle\", point = [0.1, 0.2], radius = 0.35 }, "
       "{ body = \"b\", shape = \"circle\", point = [0.3, -0.1], radius = 0.25 }]\n"},
      {{"hole", "circle"},
       "between = [{ body = \"a\", shape = \"hole\", point = [0.1, 0.2], radius = 9.0 }, "
       "{ body = \"b\", shape = \"circle\", point = [0.3, -0.1], radius = 0.25 }]\n"},
      {{"generalized", ""},
       "gap = \"b.x^2*sin(a.angle) + a.y*b.angle*b.y + cos(t)\"\nslide = \"a.x*b.y*cos(b.angle) + t^2\"\n"}};
  std::vector<std::pair<std::string_view, std::string_view>> kinds{{"generalized", ""}};
  for (const ContactEntry& entry : planar_contacts()) kinds.emplace_back(entry.first, entry.second);
  for (const auto& kind : kinds) {
    INFO(kind.first << " and " << kind.second);
    REQUIRE(cases.count(kind) == 1);
    const auto s = build("[[contact]]\nname = \"k\"\n" + cases.at(kind));
    const Contact& contact = *s->contacts.front();
    for (int repeat = 0; repeat < 20; ++repeat) {
      const auto y = random_state(*s, random);
      const double t = random.uniform(-2, 2);
      RowSlope normal, tangent;
      contact.slopes(at(*s, t, y), normal, tangent);
      const auto row = [&](bool wants_normal) {
        return [&, wants_normal](const Kinematics& k) {
          Row n, tang;
          n.body = tang.body = {contact.first, contact.second};
          contact.rows_at(k, n, tang);
          return wants_normal ? n : tang;
        };
      };
      check_row(*s, t, y, row(true), normal);
      check_row(*s, t, y, row(false), tangent);
    }
  }
}

TEST_CASE("generalised forces of every force element and their derivatives") {
  Random random(5);
  const std::string other =
      "[[force]]\nname = \"other\"\ntype = \"spring_damper\"\nstiffness = 2.0\nfree_length = 0.5\n"
      "between = [{ body = \"b\", point = [0.2, 0.2] }, { body = \"c\", point = [0.1, -0.3] }]\n";
  for (const ForceEntry& entry : planar_forces()) {
    INFO("force type " << entry.type << ": give it a line in force_cases()");
    REQUIRE(force_cases().count(entry.type) == 1);
    for (const std::string& keys : force_cases().at(entry.type)) {
      INFO(keys);
      const auto s = build("[[force]]\nname = \"f\"\ntype = \"" + std::string(entry.type) + "\"\n" + keys + other);
      const std::size_t n = 3 * s->bodies.size();
      for (int repeat = 0; repeat < 10; ++repeat) {
        const auto y = random_state(*s, random);
        const double t = random.uniform(-2, 2);
        ForceSlopes slopes;
        const Kinematics k = at(*s, t, y);
        for (const auto& force : s->forces) force->slopes(k, slopes);
        Comparison compare;
        const auto check = [&](const std::vector<ForceSlopes::Entry>& entries, int column, std::size_t index) {
          std::vector<double> analytic(n);
          for (const auto& e : entries)
            if (e.column == column) analytic[static_cast<std::size_t>(e.row)] += e.value;
          for (std::size_t row = 3; row < n; ++row) {
            const Body& body = s->bodies[row / 3];
            if (body.prescribed) continue;
            const double difference = support::derivative(
                [&](double x) {
                  auto moved = y;
                  moved[index] += x;
                  std::vector<double> f(n);
                  s->applied_forces(at(*s, t, moved), f.data());
                  return f[row];
                },
                0.0, 0.02);
            compare.entry(analytic[row], difference);
          }
        };
        for (std::size_t b = 0; b < s->bodies.size(); ++b)
          for (int c = 0; c < s->bodies[b].dofs; ++c) {
            const int column = static_cast<int>(3 * b) + c, q = s->bodies[b].dof + c;
            check(slopes.by_position, column, static_cast<std::size_t>(q));
            check(slopes.by_velocity, column, static_cast<std::size_t>(q + s->nq));
          }
        check(slopes.by_state, 2 * s->nq, static_cast<std::size_t>(2 * s->nq));
      }
    }
  }
}

TEST_CASE("a spring of no free length has its stiffness even where its points coincide") {
  const auto s = build(
      "[[force]]\nname = \"f\"\ntype = \"spring_damper\"\nstiffness = 30.0\nfree_length = 0.0\n"
      "between = [{ body = \"ground\" }, { body = \"b\" }]\n");
  std::vector<double> y(s->size());
  ForceSlopes slopes;
  s->forces.front()->slopes(at(*s, 0, y), slopes);
  double k[2][2] = {};
  for (const auto& e : slopes.by_position)
    if (e.row / 3 == 2 && e.column / 3 == 2 && e.row % 3 < 2 && e.column % 3 < 2) k[e.row % 3][e.column % 3] += e.value;
  CHECK(k[0][0] == -30);
  CHECK(k[1][1] == -30);
  CHECK(k[0][1] == 0);
  CHECK(k[1][0] == 0);
}

TEST_CASE("friction laws by speed") {
  std::vector<FrictionSpec> laws(5);
  laws[0].law = "coulomb";
  for (std::size_t i = 1; i < 4; ++i) {
    laws[i].law = "stribeck";
    laws[i].stribeck_velocity = 0.3;
    laws[i].stribeck_exponent = i == 3 ? 1.5 : static_cast<double>(i);
  }
  laws[4].law = "table";
  laws[4].table = {{0, 0.5}, {0.4, 0.3}, {2, 0.35}};
  for (FrictionSpec& spec : laws) {
    spec.mu_static = 0.5;
    spec.mu_kinetic = 0.3;
    const FrictionLaw law(spec);
    INFO(spec.law << " " << spec.stribeck_exponent);
    for (const double speed : {0.05, 0.2, 0.7, 1.9, 3.0}) {
      const int piece = law.piece_of(speed, 1);
      CHECK(law.mu_slope(speed, piece) ==
            Approx(support::derivative([&](double v) { return law.mu_kinetic(v, piece); }, speed, 0.02))
                .margin(1e-9)
                .epsilon(Comparison::allowed));
    }
  }
}

TEST_CASE("the whole residual of a mode: forces with sliding friction, rates, rows") {
  const auto s = build(
      "[[joint]]\nname = \"guide\"\ntype = \"translational\"\n" + bodies + points + axis +
      "friction = { law = \"stribeck\", mu_static = 0.5, mu_kinetic = 0.3, stribeck_velocity = 0.4, viscous = 0.2 }\n"
      "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"ground\", \"b\"]\n" +
      points +
      "friction = { law = \"coulomb\", mu_static = 0.4, mu_kinetic = 0.4, radius = 0.1 }\n"
      "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"ground\", shape = \"line\", normal = [0.2, 1.0] }, "
      "{ body = \"c\", shape = \"circle\", point = [0.1, 0.2], radius = 0.3 }]\n"
      "friction = { mu_static = 0.3, mu_kinetic = 0.2 }\n"
      "[[contact]]\nname = \"wheel\"\nbetween = [{ body = \"a\", shape = \"circle\", point = [0.1, 0.2], radius = 0.3 "
      "}, "
      "{ body = \"c\", shape = \"circle\", radius = 0.2 }]\nfriction = { mu_static = 0.3, mu_kinetic = 0.2 }\n"
      "[[state]]\nname = \"u\"\ninitial = 0.1\nrate = \"a.x*b.omega - u^2 + spring.length\"\n"
      "[[force]]\nname = \"spring\"\ntype = \"spring_damper\"\n" +
      between + spring_law +
      "free_length = 0.4\n"
      "[[force]]\nname = \"other\"\ntype = \"spring_damper\"\nstiffness = 2.0\nfree_length = 0.5\n"
      "between = [{ body = \"b\" }, { body = \"c\" }]\n");
  Mode mode;
  mode.closed.assign(2, 1);
  mode.friction.assign(4, {});
  for (std::size_t u = 0; u < 3; ++u) mode.friction[u] = {Slide::slip, static_cast<signed char>(u == 1 ? -1 : 1), 1, 0};
  mode.friction[3].slide = Slide::stick;  // of the wheel
  MechanismDae dae(s, mode, DaeForm::index3);
  const auto n = static_cast<std::size_t>(s->nq), ns = static_cast<std::size_t>(s->ns);
  Random random(9);
  for (int repeat = 0; repeat < 10; ++repeat) {
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
    const auto dense = [](const DaeEntries& entries, std::size_t row, std::size_t column) {
      double sum = 0;
      for (const DaeEntry& e : entries)
        if (static_cast<std::size_t>(e.row) == row && static_cast<std::size_t>(e.column) == column) sum += e.value;
      return sum;
    };
    // J a - gamma at a moved point, by row
    const auto acceleration = [&](std::size_t row) {
      DaeEntries J;
      dae.jacobian(J);
      double sum = -dae.gamma()[row];
      for (const DaeEntry& e : J)
        if (static_cast<std::size_t>(e.row) == row) sum += e.value * a[static_cast<std::size_t>(e.column)];
      return sum;
    };
    const auto check = [&](const DaeEntries& entries, std::size_t rows, std::size_t columns, std::size_t first,
                           bool of_lambda, const auto& value) {
      Comparison compare;
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
          compare.entry(dense(entries, row, column), support::derivative(
                                                         [&](double x) {
                                                           auto y_moved = y;
                                                           auto l_moved = lambda;
                                                           (of_lambda ? l_moved : y_moved)[first + column] += x;
                                                           dae.evaluate(t, y_moved.data(), l_moved.data());
                                                           return value(row);
                                                         },
                                                         0.0, 0.01));
    };
    const auto force = [&](std::size_t i) { return dae.force()[i]; };
    const auto rate = [&](std::size_t i) { return dae.rate()[i]; };
    const auto speed = [&](std::size_t i) { return dae.speed()[i]; };
    const auto position = [&](std::size_t i) { return dae.position()[i]; };
    check(slopes.force_q, n, n, 0, false, force);
    check(slopes.force_v, n, n, n, false, force);
    check(slopes.force_s, n, ns, 2 * n, false, force);
    check(slopes.force_lambda, n, m, 0, true, force);
    check(slopes.rate_q, ns, n, 0, false, rate);
    check(slopes.rate_v, ns, n, n, false, rate);
    check(slopes.rate_s, ns, ns, 2 * n, false, rate);
    check(slopes.speed_q, m, n, 0, false, speed);
    check(slopes.rows, m, n, n, false, speed);
    check(slopes.acceleration_q, m, n, 0, false, acceleration);
    check(slopes.acceleration_v, m, n, n, false, acceleration);
    // Phi_q of position rows: the stick row, the last, has no position
    DaeEntries holonomic;
    for (const DaeEntry& e : slopes.rows)
      if (dae.kind(e.row) == DaeRow::position) holonomic.push_back(e);
    check(holonomic, m, n, 0, false, position);
  }
}

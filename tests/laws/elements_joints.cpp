// tests/laws/elements_joints.cpp
//
// What every joint and driver must keep, whatever it is: Phi_q is the derivative of Phi; along any
// motion of its two bodies d Phi/dt = J v - nu and d2 Phi/dt2 = J a - gamma, with prescribed motion
// folded to the right side; a sliding joint's gamma_T is the rate of its sliding coordinate; a rotated
// and shifted world changes nothing but the directions. An entry of the registry without a line in the
// table below fails.
#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <map>

#include "laws/elements_bodies.hpp"
#include "mechanism/planar/joints.hpp"
#include "support/differences.hpp"

using namespace hstar;
using namespace laws;
using support::Random;

namespace {

/// How Phi changes when the whole world is turned and shifted.
enum class Turned { unchanged, vector, absolute };

struct JointCase {
  bool one_body = false;      ///< absolute drivers name one body
  std::string keys;           ///< further keys of the [[joint]]
  bool needs_angles = false;  ///< has no meaning for point masses
  Turned turned = Turned::unchanged;
  /// Sliding coordinate whose rate is gamma_T; empty if the joint does not slide.
  std::function<double(const Joint&, const Kinematics&)> slide;
};

const std::string moving_value = "value = \"0.7 + 0.3*sin(1.3*t) + 0.1*t^2\"\n";
const Vec2 axis{0.6, -1.1};

double along_axis(const Joint& j, const Kinematics& k) {
  const BodyMotion &b1 = k.of(j.first.body), &b2 = k.of(j.second.body);
  return dot((1 / norm(axis)) * b1.global(axis), b2.point(j.second.local) - b1.point(j.first.local));
}

const std::map<std::string_view, std::vector<JointCase>>& cases() {
  static const std::string axis_key = "axis = " + laws::vector(axis) + "\n";
  static const std::map<std::string_view, std::vector<JointCase>> table{
      {"revolute",
       {{false, "", false, Turned::vector,
         [](const Joint& j, const Kinematics& k) { return k.of(j.second.body).angle - k.of(j.first.body).angle; }}}},
      {"translational",
       {{false, axis_key + "angle = 0.4\n", true, Turned::unchanged, along_axis},
        {false, axis_key, false, Turned::unchanged, along_axis}}},
      {"fixed", {{false, "angle = -0.3\n", true, Turned::vector, {}}, {false, "", false, Turned::vector, {}}}},
      {"distance",
       {{false, "length = 1.5\n", false, Turned::unchanged, {}},
        {false, "length = \"2 + 0.2*cos(1.7*t)\"\n", false, Turned::unchanged, {}}}},
      {"absolute_x", {{true, moving_value, false, Turned::absolute, {}}}},
      {"absolute_y", {{true, moving_value, false, Turned::absolute, {}}}},
      {"absolute_angle", {{true, moving_value, true, Turned::absolute, {}}}},
      {"relative_angle", {{false, moving_value, true, Turned::unchanged, {}}}},
      {"relative_translation", {{false, axis_key + moving_value, false, Turned::unchanged, {}}}},
      {"equation", {{false, "", false, Turned::absolute, {}}}},
  };
  return table;
}

std::string joint_text(std::string_view type, const JointCase& c, const Actor& a, const Actor& b, Random& random) {
  const auto point = [&] { return laws::vector({random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)}); };
  const auto local = [&](const Actor& actor) {
    return actor.kind == Kind::point ? std::string("[0.0, 0.0]") : point();
  };
  if (type == "equation") {
    const auto coordinates = [](const Actor& actor, const std::string& name) {
      if (actor.kind == Kind::ground) return std::string("0.7");
      return "(" + name + ".x*sin(" + name + ".y) + 0.4*" + name + ".y^2" +
             (actor.kind == Kind::point ? ")" : " + " + name + ".x*cos(" + name + ".angle))");
    };
    return "[[joint]]\nname = \"j\"\ntype = \"equation\"\nequation = \"" + coordinates(a, "a") + "*" +
           coordinates(b, "b") + " + sin(t)*" + coordinates(b, "b") + "\"\n";
  }
  std::string text = "[[joint]]\nname = \"j\"\ntype = \"" + std::string(type) + "\"\n" + c.keys;
  if (c.one_body) {
    text += "body = \"" + b.reference("b") + "\"\n";
    if (type != "absolute_angle") text += "point = " + local(b) + "\n";
  } else {
    text += "bodies = [\"" + a.reference("a") + "\", \"" + b.reference("b") + "\"]\n";
    if (type != "relative_angle") text += "points = [" + local(a) + ", " + local(b) + "]\n";
  }
  return text;
}

double phi(const Stage& stage, const Kinematics& k, int row) {
  std::array<double, 3> values{};
  stage.system->joint_positions(k, values.data());
  return values[static_cast<std::size_t>(row)];
}

void check_jacobian(const Stage& stage, double t) {
  const auto y = stage.state(t);
  const Kinematics k = stage.at(t, y);
  std::array<Row, 3> rows;
  stage.system->joint_rows(k, rows.data());
  for (int i = 0; i < stage.system->rows; ++i)
    for (const Body& body : stage.system->bodies) {
      const int index = static_cast<int>(&body - stage.system->bodies.data());
      for (int c = 0; c < body.dofs; ++c) {
        double from_row = 0;
        for (std::size_t side = 0; side < 2; ++side)
          if (rows[static_cast<std::size_t>(i)].body[side] == index)
            from_row += rows[static_cast<std::size_t>(i)].J[side][c];
        const double by_difference = support::derivative(
            [&](double shift) {
              auto moved = y;
              moved[static_cast<std::size_t>(body.dof + c)] += shift;
              return phi(stage, stage.at(t, moved), i);
            },
            0.0);
        CHECK(from_row == Approx(by_difference).margin(1e-10).epsilon(1e-10));
      }
    }
}

void check_rates(const Stage& stage, double t) {
  const Kinematics k = stage.at(t);
  std::array<Row, 3> rows;
  stage.system->joint_rows(k, rows.data());
  for (int i = 0; i < stage.system->rows; ++i) {
    const auto value = [&](double s) { return phi(stage, stage.at(s), i); };
    const Row& row = rows[static_cast<std::size_t>(i)];
    CHECK(stage.velocity(row, k) == Approx(support::derivative(value, t)).margin(1e-10).epsilon(1e-10));
    CHECK(stage.acceleration(row, k) == Approx(support::second_derivative(value, t)).margin(1e-8).epsilon(1e-8));
  }
}

void check_sliding(const JointCase& c, const Stage& stage, double t) {
  const Joint& joint = *stage.system->joints.front();
  REQUIRE(joint.slides() == static_cast<bool>(c.slide));
  if (!c.slide) return;
  const auto tangent = [&](const Kinematics& k) {
    Row row;
    row.body = {joint.first.body, joint.second.body};
    joint.tangent(k, row);
    stage.system->fold(k, row);
    return row;
  };
  const Kinematics k = stage.at(t);
  const auto gamma_t = [&](double s) {
    const Kinematics at = stage.at(s);
    return stage.velocity(tangent(at), at);
  };
  CHECK(gamma_t(t) ==
        Approx(support::derivative([&](double s) { return c.slide(joint, stage.at(s)); }, t)).margin(1e-10));
  CHECK(stage.acceleration(tangent(k), k) == Approx(support::derivative(gamma_t, t)).margin(1e-9));

  // Linear with constant coefficients, where the joint says so: the row is the same everywhere.
  const Body &first = stage.system->bodies[static_cast<std::size_t>(joint.first.body)],
             &second = stage.system->bodies[static_cast<std::size_t>(joint.second.body)];
  if (joint.tangent_is_linear(first.fixed, second.turns)) {
    const Row now = tangent(k), later = tangent(stage.at(t + 0.7));
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < 3; ++i)
        if (!stage.system->bodies[static_cast<std::size_t>(now.body[static_cast<std::size_t>(side)])].prescribed)
          CHECK(now.J[side][i] == Approx(later.J[side][i]).margin(1e-14));
  }

  // The normal force for friction: never negative without a side, and its derivative is right.
  Random random(11);
  for (int n = 0; n < 5; ++n) {
    std::array<double, 3> lambda{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)}, slope{},
        unused{};
    CHECK(joint.normal_force(lambda.data(), 0, slope.data()) >= 0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(joint.rows()); ++i) {
      const auto normal = [&](double x) {
        auto moved = lambda;
        moved[i] = x;
        return joint.normal_force(moved.data(), 0, unused.data());
      };
      CHECK(slope[i] == Approx(support::derivative(normal, lambda[i], 1e-3)).margin(1e-9));
    }
  }
}

/// The same joint in a world turned by an angle and shifted.
void check_turned_world(const JointCase& c, const Stage& stage, double t) {
  if (c.turned == Turned::absolute || !stage.a.moves_freely() || !stage.b.moves_freely()) return;
  if (stage.a.kind == Kind::point || stage.b.kind == Kind::point) return;  // a point mass cannot turn with the world
  const double turn = 0.9, cosine = std::cos(turn), sine = std::sin(turn);
  const auto turned = [&](Vec2 u) { return Vec2{cosine * u[0] - sine * u[1], sine * u[0] + cosine * u[1]}; };
  const Kinematics k = stage.at(t);
  Kinematics moved = k;
  for (std::size_t i = 1; i < moved.body.size(); ++i) {
    BodyMotion& b = moved.body[i];
    b.r = turned(b.r) + Vec2{3, -2};
    b.v = turned(b.v);
    b.a = turned(b.a);
    b.angle += turn;
    b.c = std::cos(b.angle), b.s = std::sin(b.angle);
  }
  std::array<Row, 3> rows, turned_rows;
  stage.system->joint_rows(k, rows.data());
  stage.system->joint_rows(moved, turned_rows.data());
  std::array<double, 3> p{}, turned_p{};
  stage.system->joint_positions(k, p.data());
  stage.system->joint_positions(moved, turned_p.data());
  const auto n = static_cast<std::size_t>(stage.system->rows);
  for (std::size_t i = c.turned == Turned::vector ? 2 : 0; i < n; ++i) {
    CHECK(turned_p[i] == Approx(p[i]).margin(1e-13));
    CHECK(stage.velocity(turned_rows[i], moved) == Approx(stage.velocity(rows[i], k)).margin(1e-13));
    CHECK(turned_rows[i].gamma == Approx(rows[i].gamma).margin(1e-12));
  }
  if (c.turned == Turned::vector) {
    const Vec2 expected = turned({p[0], p[1]}), gamma = turned({rows[0].gamma, rows[1].gamma});
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(turned_p[i] == Approx(expected[i]).margin(1e-13));
      CHECK(turned_rows[i].gamma == Approx(gamma[i]).margin(1e-12));
    }
  }
}

/// Multipliers of a joint between two bodies are inner forces: no net force, no net moment.
void check_inner_forces(const JointCase& c, const Stage& stage, double t) {
  if (c.one_body || c.turned == Turned::absolute || stage.a.kind != Kind::free || stage.b.kind != Kind::free) return;
  const Kinematics k = stage.at(t);
  std::array<Row, 3> rows;
  stage.system->joint_rows(k, rows.data());
  const auto n = static_cast<std::size_t>(stage.system->rows);
  for (std::size_t i = 0; i < n; ++i) {
    // A row that holds two points apart is not central: it may carry a moment only if Phi != 0.
    const Row& r = rows[i];
    CHECK(r.J[0][0] + r.J[1][0] == Approx(0).margin(1e-14));
    CHECK(r.J[0][1] + r.J[1][1] == Approx(0).margin(1e-14));
    double moment = 0;
    for (std::size_t side = 0; side < 2; ++side) {
      const Vec2 at = k.of(r.body[side]).r;
      moment += at[0] * r.J[side][1] - at[1] * r.J[side][0] + r.J[side][2];
    }
    // Coincident points: the moment of the pair is F x d, with d = Phi itself.
    const double gap = c.turned == Turned::vector && i < 2 ? (i == 0 ? -phi(stage, k, 1) : phi(stage, k, 0)) : 0.0;
    CHECK(moment == Approx(gap).margin(1e-13));
  }
}

}  // namespace

TEST_CASE("every joint type of the registry has a case in the law suite") {
  for (const JointEntry& entry : planar_joints()) {
    INFO("add a line for \"" << entry.type << "\" to cases() in tests/laws/elements_joints.cpp");
    CHECK(cases().count(entry.type) == 1);
  }
}

TEST_CASE("laws of every joint over all kinds of bodies") {
  Random random(20261120);
  for (const JointEntry& entry : planar_joints()) {
    if (cases().count(entry.type) == 0) continue;
    for (const JointCase& c : cases().at(entry.type))
      for (const Kind first : all_kinds)
        for (const Kind second : all_kinds) {
          if (c.one_body && first != Kind::ground) continue;
          if (c.needs_angles && ((!c.one_body && first == Kind::point) || second == Kind::point)) continue;
          if (!free_kind(c.one_body ? second : first) && !free_kind(second)) continue;  // nothing could move
          for (int repeat = 0; repeat < 3; ++repeat) {
            const Actor a(first, {-1.5, 0.2}, random), b(second, {1.5, 1.1}, random);
            const Stage stage(a, b, joint_text(entry.type, c, a, b, random));
            const double t = random.uniform(-2, 2);
            INFO(entry.type << " between " << word(first) << " and " << word(second) << " at t = " << t);
            check_jacobian(stage, t);
            check_rates(stage, t);
            check_sliding(c, stage, t);
            check_turned_world(c, stage, t);
            check_inner_forces(c, stage, t);
          }
        }
  }
}

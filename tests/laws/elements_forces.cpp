// tests/laws/elements_forces.cpp
//
// What every applied force must keep: its generalised forces do the work of the force at its point
// (power = sum f v, against differences of lengths, angles and points); springs lose exactly their
// dissipation and their actuator's power from the potential energy; forces between two bodies
// conserve momentum and moment of momentum; a turned and shifted world changes only directions. An
// entry of the registry without a line in the table fails.
#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <map>

#include "laws/elements_bodies.hpp"
#include "mechanism/planar/forces.hpp"
#include "support/differences.hpp"

using namespace hstar;
using namespace laws;
using support::Random;

namespace {

struct Points {
  Vec2 a, b;  ///< body coordinates
};

struct ForceCase {
  bool points = true;     ///< has points, else acts on angles only
  bool one_body = false;  ///< acts on "b" alone
  std::string keys;
  /// Coordinate the force works on, and the force along it (positive pulls the coordinate down for
  /// springs): power into the bodies = - pull * rate. Everything at time t on the motion.
  std::function<double(const BodyMotion&, const BodyMotion&, const Points&)> coordinate;
  std::function<double(double t, double q, double rate)> pull;
  std::function<double(double q)> energy;  ///< potential energy; empty: none
  bool turns_with_world = true;
};

const Vec2 axis{0.8, 0.5};
constexpr double stiffness = 30, damping = 1.7, free_length = 0.9;

double distance(const BodyMotion& a, const BodyMotion& b, const Points& p) { return norm(b.point(p.b) - a.point(p.a)); }
double along(const BodyMotion& a, const BodyMotion& b, const Points& p) {
  return dot(a.global((1 / norm(axis)) * axis), b.point(p.b) - a.point(p.a));
}
double angle(const BodyMotion& a, const BodyMotion& b, const Points&) { return b.angle - a.angle; }

std::vector<ForceCase> springs(bool translational) {
  const std::string law = "stiffness = 30.0\ndamping = 1.7\n";
  const std::string rest = translational ? "free_length = " : "free_angle = ";
  const auto plain = [](double, double q, double rate) { return stiffness * (q - free_length) + damping * rate; };
  const auto stored = [](double q) { return 0.5 * stiffness * (q - free_length) * (q - free_length); };
  const std::string actuator = law + rest + "0.9\nactuator = \"3*sin(2*t) + 0.5*length - 0.2*rate^3\"\n";
  const auto driven = [plain](double t, double q, double rate) {
    return plain(t, q, rate) + 3 * std::sin(2 * t) + 0.5 * q - 0.2 * rate * rate * rate;
  };
  const std::string hard = "stiffness = \"10 + 4*length^2\"\ndamping = \"0.3*abs(rate)\"\n" + rest + "0.0\n";
  const auto hardening = [](double, double q, double rate) {
    return (10 + 4 * q * q) * q + 0.3 * std::abs(rate) * rate;
  };
  std::vector<ForceCase> out;
  if (!translational) {
    out.push_back({false, false, law + rest + "0.9\n", angle, plain, stored});
    out.push_back({false, false, actuator, angle, driven, {}});
    out.push_back({false, false, hard, angle, hardening, {}});
    return out;
  }
  const std::string axis_key = "axis = " + laws::vector(axis) + "\n";
  out.push_back({true, false, law + rest + "0.9\n", distance, plain, stored});
  out.push_back({true, false, actuator, distance, driven, {}});
  out.push_back({true, false, hard, distance, hardening, {}});
  out.push_back({true, false, law + rest + "0.9\n" + axis_key, along, plain, stored});
  out.push_back({true, false, actuator + axis_key, along, driven, {}});
  return out;
}

const std::map<std::string_view, std::vector<ForceCase>>& cases() {
  // The coordinate of a point force is the point's travel along the force; the pull against it is negative.
  static const Vec2 force{3.0, -2.0};
  static const std::map<std::string_view, std::vector<ForceCase>> table{
      {"point_force",
       {{true,
         true,
         "force = [3.0, -2.0]\n",
         [](const BodyMotion&, const BodyMotion& b, const Points& p) { return dot(force, b.point(p.b)); },
         [](double, double, double) { return -1.0; },
         {},
         false},
        {true,
         true,
         "force = [\"3*cos(t)\", \"-2*cos(t)\"]\n",
         [](const BodyMotion&, const BodyMotion& b, const Points& p) { return dot(force, b.point(p.b)); },
         [](double t, double, double) { return -std::cos(t); },
         {},
         false}}},
      {"torque",
       {{false,
         false,
         "torque = \"2*sin(3*t)\"\n",
         angle,
         [](double t, double, double) { return -2 * std::sin(3 * t); },
         {}},
        {false,
         true,
         "torque = 1.25\n",
         [](const BodyMotion&, const BodyMotion& b, const Points&) { return b.angle; },
         [](double, double, double) { return -1.25; },
         {}}}},
      {"spring_damper", springs(true)},
      {"rotational_spring_damper", springs(false)},
  };
  return table;
}

std::string force_text(std::string_view type, const ForceCase& c, const Actor& a, const Actor& b, const Points& p) {
  std::string text = "[[force]]\nname = \"f\"\ntype = \"" + std::string(type) + "\"\n" + c.keys;
  const std::string first = a.reference("a"), second = b.reference("b");
  if (c.one_body) return text + "body = \"" + second + "\"\n" + (c.points ? "point = " + laws::vector(p.b) + "\n" : "");
  if (!c.points) return text + "bodies = [\"" + first + "\", \"" + second + "\"]\n";
  return text + "between = [{ body = \"" + first + "\", point = " + laws::vector(p.a) + " }, { body = \"" + second +
         "\", point = " + laws::vector(p.b) + " }]\n";
}

std::vector<double> generalised(const Stage& stage, const Kinematics& k) {
  std::vector<double> f(3 * stage.system->bodies.size());
  stage.system->applied_forces(k, f.data());
  return f;
}

void check(std::string_view type, const ForceCase& c, const Stage& stage, const Points& p, double t) {
  const System& s = *stage.system;
  const auto index = [&](const std::string& name) {
    for (std::size_t i = 0; i < s.bodies.size(); ++i)
      if (s.bodies[i].name == name) return static_cast<int>(i);
    return 0;
  };
  const int ia = index("a"), ib = index("b");
  const auto coordinate = [&](double time) {
    const Kinematics k = stage.at(time);
    return c.coordinate(k.of(ia), k.of(ib), p);
  };
  const Kinematics k = stage.at(t);
  const auto f = generalised(stage, k);
  double power = 0;
  Vec2 sum{0, 0};
  double moment = 0;
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const BodyMotion& b = k.body[i];
    power += f[3 * i] * b.v[0] + f[3 * i + 1] * b.v[1] + f[3 * i + 2] * b.omega;
    sum = sum + Vec2{f[3 * i], f[3 * i + 1]};
    moment += b.r[0] * f[3 * i + 1] - b.r[1] * f[3 * i] + f[3 * i + 2];
  }
  const double q = coordinate(t), rate = support::derivative(coordinate, t), pull = c.pull(t, q, rate);
  CHECK(power == Approx(-pull * rate).margin(1e-9).epsilon(1e-9));

  const Force& force = *s.forces.front();
  if (type.find("spring") != std::string_view::npos) {
    CHECK(force.output(0, k) == Approx(q).margin(1e-13));
    CHECK(force.output(1, k) == Approx(rate).margin(1e-10));
    CHECK(force.output(2, k) == Approx(pull).margin(1e-8));
  }
  if (c.energy) {
    CHECK(s.potential_energy(k) == Approx(c.energy(q)).margin(1e-12));
    const double loss = support::derivative([&](double x) { return s.potential_energy(stage.at(x)); }, t);
    CHECK(power == Approx(-loss - damping * rate * rate).margin(1e-8).epsilon(1e-9));
  }
  if (!c.one_body) {
    CHECK(sum[0] == Approx(0).margin(1e-12));
    CHECK(sum[1] == Approx(0).margin(1e-12));
    CHECK(moment == Approx(0).margin(1e-11));
  }
  if (stage.a.kind != Kind::free || stage.b.kind != Kind::free || !c.turns_with_world) return;
  const double turn = -1.3, cosine = std::cos(turn), sine = std::sin(turn);
  const auto turned = [&](Vec2 u) { return Vec2{cosine * u[0] - sine * u[1], sine * u[0] + cosine * u[1]}; };
  Kinematics moved = k;
  for (std::size_t i = 1; i < moved.body.size(); ++i) {
    BodyMotion& b = moved.body[i];
    b.r = turned(b.r) + Vec2{-4, 2};
    b.v = turned(b.v);
    b.angle += turn;
    b.c = std::cos(b.angle), b.s = std::sin(b.angle);
  }
  const auto g = generalised(stage, moved);
  for (const int i : {ia, ib}) {
    const auto at = static_cast<std::size_t>(3 * i);
    const Vec2 expected = turned({f[at], f[at + 1]});
    CHECK(g[at] == Approx(expected[0]).margin(1e-11));
    CHECK(g[at + 1] == Approx(expected[1]).margin(1e-11));
    CHECK(g[at + 2] == Approx(f[at + 2]).margin(1e-11));
  }
}

}  // namespace

TEST_CASE("every force of the registry has a case in the law suite") {
  for (const ForceEntry& entry : planar_forces()) {
    INFO("add a line for \"" << entry.type << "\" to cases() in tests/laws/elements_forces.cpp");
    CHECK(cases().count(entry.type) == 1);
  }
}

TEST_CASE("laws of every force over all kinds of bodies") {
  Random random(31);
  for (const ForceEntry& entry : planar_forces()) {
    if (cases().count(entry.type) == 0) continue;
    for (const ForceCase& c : cases().at(entry.type))
      for (const Kind first : all_kinds)
        for (const Kind second : all_kinds) {
          if (c.one_body && first != Kind::ground) continue;
          if (!free_kind(c.one_body ? second : first) && !free_kind(second)) continue;  // nothing could move
          if (!c.points && (first == Kind::point || second == Kind::point)) continue;
          for (int repeat = 0; repeat < 4; ++repeat) {
            const Actor a(first, {-1.5, -1.0}, random), b(second, {1.0, 1.5}, random);
            const auto local = [&](const Actor& actor) {
              return actor.kind == Kind::point ? Vec2{0, 0}
                                               : Vec2{random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4)};
            };
            const Points points{local(a), local(b)};
            const double t = random.uniform(-2, 2);
            INFO(entry.type << " between " << word(first) << " and " << word(second) << " at t = " << t << "\n"
                            << c.keys);
            const Stage stage(a, b, force_text(entry.type, c, a, b, points));
            check(entry.type, c, stage, points, t);
          }
        }
  }
}

TEST_CASE("a force in body axes turns with its body") {
  Random random(5);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Actor a(Kind::ground, {0, 0}, random), b(Kind::free, {1, 1}, random);
    const Stage stage(a, b,
                      "[[force]]\nname = \"f\"\ntype = \"point_force\"\nbody = \"b\"\npoint = [0.3, -0.2]\n"
                      "force = [1.5, -0.5]\nframe = \"body\"\n");
    const Kinematics k = stage.at(random.uniform(-2, 2));
    const auto f = generalised(stage, k);
    const double angle_b = k.of(1).angle;
    CHECK(f[3] == Approx(1.5 * std::cos(angle_b) + 0.5 * std::sin(angle_b)).margin(1e-14));
    CHECK(f[4] == Approx(1.5 * std::sin(angle_b) - 0.5 * std::cos(angle_b)).margin(1e-14));
    CHECK(f[5] == Approx(0.3 * -0.5 - -0.2 * 1.5).margin(1e-14));  // a constant moment in the body
  }
}

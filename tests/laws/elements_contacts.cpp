// tests/laws/elements_contacts.cpp
//
// What every contact must keep: gamma_N = J_N v - nu_N is the rate of the gap and J_N a - gamma_N its
// second derivative along any motion; gamma_T is the velocity of the second body's material at the
// contact point relative to the first's, along the normal turned by -90 degrees, less the belt's
// speed, and J_T a - gamma_T its rate; the multipliers are inner forces. Points of contact, normals
// and material velocities are written here anew, from geometry. An entry of the registry without a
// line in the table fails.
#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <map>

#include "laws/elements_bodies.hpp"
#include "mechanism/planar/contacts.hpp"
#include "support/differences.hpp"

using namespace hstar;
using namespace laws;
using support::Random;

namespace {

const Vec2 slope{-0.4, 1.3};
constexpr double radius_1 = 0.35, radius_2 = 0.25, hole_radius = 9.0;
double no_belt(double) { return 0; }
double belt(double t) { return 0.2 + 0.5 * std::sin(1.1 * t); }

/// Where the surfaces meet, seen from each body, and the unit normal from first to second.
struct Geometry {
  Vec2 on_first, on_second, normal;
};
struct Points {
  Vec2 first, second;  ///< marked points in body coordinates
};

struct ContactCase {
  std::string first_keys, second_keys;
  std::function<double(double)> belt;
  std::function<Geometry(const BodyMotion&, const BodyMotion&, const Points&)> geometry;
  std::function<double(const BodyMotion&, const BodyMotion&, const Points&)> gap;
};

Geometry line_geometry(const BodyMotion& b1, const BodyMotion& b2, const Points& p, double radius) {
  const Vec2 n = b1.global((1 / norm(slope)) * slope), lowest = b2.point(p.second) - radius * n;
  return {lowest, lowest, n};
}
double line_gap(const BodyMotion& b1, const BodyMotion& b2, const Points& p, double radius) {
  return dot(b1.global((1 / norm(slope)) * slope), b2.point(p.second) - b1.point(p.first)) - radius;
}
Geometry circles_geometry(const BodyMotion& b1, const BodyMotion& b2, const Points& p) {
  const Vec2 c1 = b1.point(p.first), c2 = b2.point(p.second), n = (1 / norm(c2 - c1)) * (c2 - c1);
  return {c1 + radius_1 * n, c2 - radius_2 * n, n};
}

using Cases = std::map<std::pair<std::string_view, std::string_view>, std::vector<ContactCase>>;
const Cases& cases() {
  static const std::string line = "shape = \"line\", normal = " + laws::vector(slope);
  static const auto circle_on_line = [](const auto& b1, const auto& b2, const auto& p) {
    return line_geometry(b1, b2, p, radius_2);
  };
  static const auto circle_line_gap = [](const auto& b1, const auto& b2, const auto& p) {
    return line_gap(b1, b2, p, radius_2);
  };
  static const Cases table{
      {{"line", "circle"},
       {{line, "shape = \"circle\", radius = 0.25", no_belt, circle_on_line, circle_line_gap},
        {line, "shape = \"point\"", no_belt,
         [](const auto& b1, const auto& b2, const auto& p) { return line_geometry(b1, b2, p, 0); },
         [](const auto& b1, const auto& b2, const auto& p) { return line_gap(b1, b2, p, 0); }},
        {line + ", surface_velocity = \"0.2 + 0.5*sin(1.1*t)\"", "shape = \"circle\", radius = 0.25", belt,
         circle_on_line, circle_line_gap}}},
      {{"circle", "circle"},
       {{"shape = \"circle\", radius = 0.35", "shape = \"circle\", radius = 0.25", no_belt, circles_geometry,
         [](const auto& b1, const auto& b2, const auto& p) {
           return norm(b2.point(p.second) - b1.point(p.first)) - radius_1 - radius_2;
         }}}},
      {{"hole", "circle"},
       {{"shape = \"hole\", radius = 9.0", "shape = \"circle\", radius = 0.25", no_belt,
         [](const auto& b1, const auto& b2, const auto& p) {
           const Vec2 c1 = b1.point(p.first), c2 = b2.point(p.second), u = (1 / norm(c2 - c1)) * (c2 - c1);
           return Geometry{c1 + hole_radius * u, c2 + radius_2 * u, -1 * u};
         },
         [](const auto& b1, const auto& b2, const auto& p) {
           return hole_radius - radius_2 - norm(b2.point(p.second) - b1.point(p.first));
         }}}},
  };
  return table;
}

/// The body's own coordinates of a global point.
Vec2 local_of(const BodyMotion& b, Vec2 global) {
  const Vec2 d = global - b.r;
  return {b.c * d[0] + b.s * d[1], -b.s * d[0] + b.c * d[1]};
}

void check(const ContactCase& c, const Stage& stage, const Points& points, double t) {
  const System& s = *stage.system;
  const Contact& contact = *s.contacts.front();
  const auto first = [&](const Kinematics& k) -> const BodyMotion& { return k.of(contact.first); };
  const auto second = [&](const Kinematics& k) -> const BodyMotion& { return k.of(contact.second); };
  const auto rows = [&](const Kinematics& k) {
    std::array<Row, 2> out;
    out[0].body = out[1].body = {contact.first, contact.second};
    contact.rows_at(k, out[0], out[1]);
    return out;
  };
  const auto folded = [&](const Kinematics& k) {
    auto out = rows(k);
    s.fold(k, out[0]);
    s.fold(k, out[1]);
    return out;
  };
  const Kinematics k = stage.at(t);
  const auto gap = [&](double time) { return contact.gap(stage.at(time)); };
  CHECK(gap(t) == Approx(c.gap(first(k), second(k), points)).margin(1e-13));

  const auto row = folded(k);
  CHECK(stage.velocity(row[0], k) == Approx(support::derivative(gap, t)).margin(1e-10));
  CHECK(stage.acceleration(row[0], k) == Approx(support::second_derivative(gap, t)).margin(1e-8));

  // Material points at the contact now, followed as the bodies move on.
  const auto gamma_t_by_hand = [&](double time) {
    const Kinematics now = stage.at(time);
    const Geometry g = c.geometry(first(now), second(now), points);
    const Vec2 on_1 = local_of(first(now), g.on_first), on_2 = local_of(second(now), g.on_second);
    const Vec2 tangent{g.normal[1], -g.normal[0]};
    const auto relative = [&](double later) {
      const Kinematics then = stage.at(later);
      return dot(tangent, second(then).point(on_2) - first(then).point(on_1));
    };
    return support::derivative(relative, time) - c.belt(time);
  };
  const auto gamma_t = [&](double time) {
    const Kinematics at = stage.at(time);
    return stage.velocity(folded(at)[1], at);
  };
  CHECK(gamma_t(t) == Approx(gamma_t_by_hand(t)).margin(1e-10));
  CHECK(stage.acceleration(row[1], k) == Approx(support::derivative(gamma_t, t)).margin(1e-9));

  // Inner forces: the two bodies get opposite forces, and, at zero gap, opposite moments. The normal
  // force acts along the normal through the contact point whatever the gap is.
  const auto free_rows = rows(k);
  const Geometry g = c.geometry(first(k), second(k), points);
  const Vec2 tangent{g.normal[1], -g.normal[0]};
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec2 direction = i == 0 ? g.normal : tangent;
    for (int side = 0; side < 2; ++side) {
      const double sign = side == 0 ? -1 : 1;
      const Vec2 arm =
          (side == 0 ? g.on_first : g.on_second) - k.of(free_rows[i].body[static_cast<std::size_t>(side)]).r;
      CHECK(free_rows[i].J[side][0] == Approx(sign * direction[0]).margin(1e-13));
      CHECK(free_rows[i].J[side][1] == Approx(sign * direction[1]).margin(1e-13));
      CHECK(free_rows[i].J[side][2] == Approx(sign * (arm[0] * direction[1] - arm[1] * direction[0])).margin(1e-13));
    }
  }

  // Linear with constant coefficients, where the contact says so.
  const Body &one = s.bodies[static_cast<std::size_t>(contact.first)],
             &two = s.bodies[static_cast<std::size_t>(contact.second)];
  if (contact.gap_is_linear(one.fixed, two.turns) && !two.prescribed) {
    const auto later = folded(stage.at(t + 0.7));
    for (int i = 0; i < 3; ++i) CHECK(row[0].J[1][i] == Approx(later[0].J[1][i]).margin(1e-14));
  }
  CHECK(contact.length_scale(k) >= std::abs(contact.gap(k)) * 0.1);
}

}  // namespace

TEST_CASE("every contact of the registry has a case in the law suite") {
  for (const ContactEntry& entry : planar_contacts()) {
    INFO("add a line for \"" << entry.first << "\", \"" << entry.second
                             << "\" to cases() in tests/laws/elements_contacts.cpp");
    CHECK(cases().count({entry.first, entry.second}) == 1);
  }
}

TEST_CASE("laws of every contact over all kinds of bodies") {
  Random random(7);
  for (const ContactEntry& entry : planar_contacts()) {
    if (cases().count({entry.first, entry.second}) == 0) continue;
    for (const ContactCase& c : cases().at({entry.first, entry.second}))
      for (const Kind first : all_kinds)
        for (const Kind second : all_kinds) {
          if (!free_kind(first) && !free_kind(second)) continue;  // nothing could move
          for (int repeat = 0; repeat < 4; ++repeat) {
            const Actor a(first, {-1.5, -1.0}, random), b(second, {1.0, 1.5}, random);
            const bool centred = repeat == 0;
            const auto local = [&](const Actor& actor) {
              return actor.kind == Kind::point || centred ? Vec2{0, 0}
                                                          : Vec2{random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4)};
            };
            const Points points{local(a), local(b)};
            const std::string text = "[[contact]]\nname = \"c\"\nbetween = [{ body = \"" + a.reference("a") +
                                     "\", point = " + laws::vector(points.first) + ", " + c.first_keys +
                                     " }, { body = \"" + b.reference("b") +
                                     "\", point = " + laws::vector(points.second) + ", " + c.second_keys + " }]\n";
            const double t = random.uniform(-2, 2);
            INFO(entry.first << " and " << entry.second << " on " << word(first) << " and " << word(second)
                             << " at t = " << t);
            const Stage stage(a, b, text);
            check(c, stage, points, t);
          }
        }
  }
}

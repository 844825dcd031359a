// tests/laws/spatial_contact_models.cpp
//
// Contacts in space as a model file writes them: names of the parts, shapes in the axes that the user wrote (the system
// computes in principal axes), surfaces that run, bodies with prescribed motion, friction units.
#include <catch2/catch.hpp>

#include <algorithm>

#include "laws/spatial_cases.hpp"
#include "mechanism/spatial/contact.hpp"
#include "mechanism/system.hpp"

using namespace hstar;
using namespace laws::spatial;
using support::derivative;
using support::Random;
using support::second_derivative;

namespace {

const std::string head = "dimension = 3\ngravity = [0, 0, -9.81]\n[simulation]\nend = 1.0\n";

std::shared_ptr<const System> system_of(const std::string& text) { return build_system(parse_model(head + text, "m")); }

const SpatialContact& contact_of(const System& s, const std::string& name) {
  for (const auto& c : s.contacts)
    if (c->name == name) return dynamic_cast<const SpatialContact&>(*c);
  FAIL("no contact " << name);
  return dynamic_cast<const SpatialContact&>(*s.contacts.front());
}

/// y at a time near 0 for one free body: r and the turn are quadratic in t.
std::vector<double> moved(const System& s, const SpatialMotion& b, double t) {
  std::vector<double> y(s.size());
  const SpatialMotion c = later(b, t);
  for (std::size_t i = 0; i < 3; ++i) {
    y[i] = c.r[i];
    y[7 + i] = b.v[i] + t * b.a[i];
    y[10 + i] = b.omega_bar[i] + t * b.alpha_bar[i];
  }
  std::copy(c.p.begin(), c.p.end(), y.begin() + 3);
  return y;
}

double acceleration(const Row& row, int body, const SpatialMotion& b) {
  double sum = -row.gamma;
  for (std::size_t k = 0; k < 2; ++k)
    if (row.body[k] == body)
      for (std::size_t i = 0; i < 3; ++i) sum += row.J[k][i] * b.a[i] + row.J[k][3 + i] * b.alpha_bar[i];
  return sum;
}

double product(const Row& row, int body, const SpatialMotion& b) {
  double sum = -row.nu;
  for (std::size_t k = 0; k < 2; ++k)
    if (row.body[k] == body)
      for (std::size_t i = 0; i < 3; ++i) sum += row.J[k][i] * b.v[i] + row.J[k][3 + i] * b.omega_bar[i];
  return sum;
}

}  // namespace

TEST_CASE("the corners of a box are in the axes the user wrote") {
  const auto s = system_of(
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = [[0.3, 0.05, 0.02], [0.05, 0.25, -0.04], [0.02, -0.04, 0.2]]\n"
      "position = [0.1, 0.2, 0.9]\naxis = [1, 2, -1]\nangle = 0.8\n"
      "[[contact]]\nname = \"floor\"\nbetween = [{ body = \"b\", shape = \"box\", sides = [0.4, 0.6, 0.2], point = "
      "[0.05, 0, -0.1] }, { body = \"ground\", shape = \"plane\", normal = [0, 0, 2], point = [3, 3, 0.1] }]\n");
  REQUIRE(s->bodies[1].has_own_axes);
  REQUIRE(s->contacts.size() == 8);
  Kinematics k;
  s->prepare(k);
  s->update(k, 0, s->initial.data());
  const Mat3 A = rotation_matrix(parameters_from_axis({1, 2, -1}, 0.8, {}, ""));
  for (int i = 0; i < 8; ++i) {
    const Contact& c = *s->contacts[static_cast<std::size_t>(i)];
    CHECK(c.name == "floor.vertex" + std::to_string(i + 1));
    CHECK(c.first == 0);
    CHECK(c.second == 1);
    const Vec3 corner{0.05 + (i & 1 ? 0.2 : -0.2), i & 2 ? 0.3 : -0.3, -0.1 + (i & 4 ? 0.1 : -0.1)};
    CHECK(c.gap(k) == Approx(0.9 + dot(A[2], corner) - 0.1).margin(1e-14));
  }
}

TEST_CASE("parts of shapes on each other are named after their features, and counted") {
  const auto s = system_of(
      "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n"
      "[[contact]]\nname = \"c\"\nbetween = [{ body = \"a\", shape = \"capsule\", radius = 0.1, ends = [[0, 0, 0], [1, "
      "0, "
      "0]] }, { body = \"b\", shape = \"box\", sides = [1, 1, 1] }]\n"
      "[[contact]]\nname = \"d\"\nbetween = [{ body = \"a\", shape = \"box\", sides = [1, 1, 1] }, { body = \"b\", "
      "shape = "
      "\"hull\", points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] }]\n");
  // A capsule's ends on 8 vertices, 12 edges, 6 faces; its side on 8 vertices and 12 edges.
  // A box on a tetrahedron: 6 x 4 and 8 x 4 vertices in faces, 12 x 6 edges across.
  const auto count = [&](int group) {
    return std::count_if(s->contacts.begin(), s->contacts.end(), [&](const auto& c) { return c->group == group; });
  };
  CHECK(count(0) == 2 * (8 + 12 + 6) + 8 + 12);
  CHECK(count(1) == 6 * 4 + 8 * 4 + 12 * 6);
  for (const char* name : {"c.end1_face6", "c.end2_vertex8", "c.side_edge12", "c.side_vertex1", "d.vertex8_face4",
                           "d.face1_vertex4", "d.edge12_edge6"})
    CHECK_NOTHROW(contact_of(*s, name));
  // The face comes first whoever wrote it.
  CHECK(contact_of(*s, "c.end1_face6").first == 2);
  CHECK(contact_of(*s, "d.face1_vertex4").first == 1);
}

TEST_CASE("rows on running surfaces and prescribed bodies are derivatives in time") {
  Random random(4);
  const std::string plate =
      "[[body]]\nname = \"plate\"\naxis = [1, 1, 0]\nangle = 0.3\nmotion = { x = \"0.2*sin(3*t)\", y = \"t^2\", z = "
      "\"0.1*t\", angle = \"0.5*t + 0.3*t^2\", axis = [1, 2, 3] }\n";
  const std::string ball = "[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\n";
  const std::string sphere = "{ body = \"ball\", shape = \"sphere\", radius = 0.2, point = [0.1, 0.2, 0.3] }";
  for (const std::string& other :
       {std::string(
            "{ body = \"plate\", shape = \"plane\", normal = [1, 2, 2], surface_velocity = [\"sin(2*t)\", 1, \"t\"] }"),
        std::string("{ body = \"plate\", shape = \"sphere\", radius = 0.5, point = [0, 0, 1] }"),
        std::string("{ body = \"ground\", shape = \"plane\", surface_velocity = [\"cos(t)\", \"t^2\", 5] }")}) {
    INFO(other);
    const auto s = system_of(ball + plate + "[[contact]]\nname = \"c\"\nbetween = [" + sphere + ", " + other + "]\n");
    const SpatialContact& c = contact_of(*s, "c");
    const SpatialMotion b = random_motion(random);
    const auto at = [&](double t) {
      Kinematics k;
      s->prepare(k);
      static thread_local std::vector<double> y;
      y = moved(*s, b, t);
      s->update(k, t, y.data());
      return k;
    };
    const auto rows_at = [&](double t) {
      const Kinematics k = at(t);
      std::array<Row, 3> rows;
      for (Row& row : rows) row.body = {c.first, c.second};
      c.all_rows_at(k, rows[0], &rows[1]);
      for (Row& row : rows) s->fold(k, row);
      return rows;
    };
    const auto gap = [&](double t) { return c.gap(at(t)); };
    const auto rows = rows_at(0);
    CHECK(product(rows[0], 1, b) == Approx(derivative(gap, 0, 0.02)).margin(1e-9));
    CHECK(acceleration(rows[0], 1, b) == Approx(second_derivative(gap, 0, 0.02)).margin(1e-6));
    for (std::size_t i = 0; i < 3; ++i) {
      const auto rate = [&](double t) { return product(rows_at(t)[i], 1, at(t).spatial_of(1)); };
      CHECK(acceleration(rows[i], 1, b) == Approx(derivative(rate, 0, 0.02)).margin(1e-8));
    }
  }
}

TEST_CASE("a running surface carries along: sliding velocity is that of the ball less that of the surface") {
  const auto s = system_of(
      "[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\nvelocity = [1, 2, 3]\n[[contact]]\nname = "
      "\"c\"\nbetween = [{ "
      "body = \"ground\", shape = \"plane\", surface_velocity = [0.25, -0.5, 7] }, { body = \"ball\", shape = "
      "\"point\" }]\n");
  const SpatialContact& c = contact_of(*s, "c");
  Kinematics k;
  s->prepare(k);
  s->update(k, 0, s->initial.data());
  Row normal, tangent[2];
  normal.body = tangent[0].body = tangent[1].body = {0, 1};
  c.all_rows_at(k, normal, tangent);
  const ContactPoint place = c.place(k);
  const Vec3 t2 = cross(place.normal, place.tangent);
  const Vec3 sliding =
      (tangent[0].speed(k) - tangent[0].nu) * place.tangent + (tangent[1].speed(k) - tangent[1].nu) * t2;
  CHECK(sliding[0] == Approx(0.75));
  CHECK(sliding[1] == Approx(2.5));
  CHECK(std::abs(sliding[2]) < 1e-15);
  CHECK(normal.speed(k) - normal.nu == Approx(3));
}

TEST_CASE("friction of a contact in space: sliding, rolling and spinning") {
  const auto s = system_of(
      "[[body]]\nname = \"ball\"\nmass = 1\ninertia = [1, 1, 1]\n[[contact]]\nname = \"c\"\nfriction = { mu_static = "
      "0.4, "
      "mu_kinetic = 0.3, rolling = 0.01, spinning = 0.02 }\nbetween = [{ body = \"ground\", shape = \"plane\" }, { "
      "body = "
      "\"ball\", shape = \"sphere\", radius = 0.1 }]\n");
  REQUIRE(s->frictions.size() == 3);
  CHECK(s->contact_friction[0] == 0);
  const FrictionPart parts[] = {FrictionPart::sliding, FrictionPart::rolling, FrictionPart::spinning};
  const int directions[] = {2, 2, 1};
  const double levers[] = {1, 0.01, 0.02}, mu[] = {0.4, 1, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    const FrictionUnit& u = s->frictions[i];
    CHECK(u.contact == 0);
    CHECK(u.joint == -1);
    CHECK(u.part == parts[i]);
    CHECK(u.directions == directions[i]);
    CHECK(u.lever == levers[i]);
    CHECK(u.law.mu_static() == mu[i]);
    CHECK(u.turns == (i > 0));
  }
}

// tests/laws/spatial_contacts.cpp
//
// What every contact of every pair of spatial shapes must keep, in random positions: the normal row is the derivative
// of the gap, and along any motion of the two bodies d2 g_N/dt2 = J a - gamma, d gamma_T/dt = J a - gamma; slopes are
// the derivatives of J and gamma; tangents are across the normal; a turned and shifted world changes nothing, and
// neither does exchanging the two shapes. Of all contacts of two convex bodies apart, the nearest has their distance
// for a gap, and its point is as far from both (an algorithm of its own, see spatial_contact_cases.hpp).
#include <catch2/catch.hpp>

#include <limits>

#include "laws/spatial_contact_cases.hpp"

using namespace hstar;
using namespace laws::spatial;
using support::derivative;
using support::Random;
using support::second_derivative;

namespace {

constexpr double h = 0.01;  // of differences: small beside the distances at hand

void near(double a, double b, double tolerance = 1e-7) { CHECK(a == Approx(b).epsilon(tolerance).margin(tolerance)); }

struct Rows {
  Row normal, tangent[2];
  [[nodiscard]] const Row& of(int i) const { return i == 0 ? normal : tangent[i - 1]; }
};
Rows rows_of(const SpatialContact& c, const Kinematics& k) {
  Rows rows;
  rows.normal.body = rows.tangent[0].body = rows.tangent[1].body = {c.first, c.second};
  c.all_rows_at(k, rows.normal, rows.tangent);
  return rows;
}
double acceleration(const Row& row, const Kinematics& k) {
  double sum = -row.gamma;
  for (std::size_t b = 0; b < 2; ++b) {
    const SpatialMotion& m = k.spatial_of(row.body[b]);
    for (std::size_t i = 0; i < 3; ++i) sum += row.J[b][i] * m.a[i] + row.J[b][3 + i] * m.alpha_bar[i];
  }
  return sum;
}
/// Positions `s` later, velocities right to first order.
Kinematics at_later(const Kinematics& k, double s) {
  Kinematics moved = k;
  moved.t += s;
  for (SpatialMotion& b : moved.spatial) {
    SpatialMotion c = later(b, s);
    c.v = b.v + s * b.a;
    c.omega_bar = b.omega_bar + s * b.alpha_bar;
    b = c;
  }
  return moved;
}
Kinematics changed(const Kinematics& k, const SpatialContact& c, int column, double s, bool velocity) {
  Kinematics moved = k;
  SpatialMotion& b = moved.spatial[static_cast<std::size_t>(column < 6 ? c.first : c.second)];
  b = velocity ? faster(b, column % 6, s) : displaced(b, column % 6, s);
  return moved;
}
/// Far enough from centres, crossing lines and changes of sign for differences.
bool regular(const SpatialContact& c, const ContactPart& part, const Kinematics& k) {
  if (part.first.kind == Feature3::Kind::face) return true;
  const double radii = part.first.radius + part.second.radius;
  if (!(c.gap(k) + radii > 0.5 || (radii == 0 && std::abs(c.gap(k)) > 0.2))) return false;
  const double gap = c.gap(k);
  Rows rows = rows_of(c, k);
  for (const auto& side : rows.tangent[0].J)
    for (const double x : side)
      if (std::abs(x) > 6) return false;
  for (int column = 3; column < 12; ++column)  // parallel lines and turned signs nearby
    for (const double s : {-8 * h, 8 * h})
      if (std::abs(c.gap(changed(k, c, column, s, false)) - gap) > 1) return false;
  const double touching =
      -c.place(k).normal[0] * 2.0 / 7 + c.place(k).normal[1] * 6.0 / 7 + c.place(k).normal[2] * 3.0 / 7;
  return touching > -0.8;
}

template <class Check>
void for_every_part(int tries, int at_most, const Check& check) {
  Random random(20261121);
  for (const std::string& first : shape_names())
    for (const std::string& second : shape_names())
      for (int i = 0; i < tries; ++i) {
        SpatialContactSpec spec;
        spec.name = "c";
        spec.first = random_shape(first, random);
        spec.second = random_shape(second, random);
        const Meeting m(spec, random_motion(random), random_motion(random));
        const bool never = (first == "plane" && second == "plane") || (first == "point" && second == "point");
        REQUIRE(m.contacts.empty() == never);
        std::map<std::string, int> checked;
        for (std::size_t part = 0; part < m.contacts.size(); ++part) {
          const ContactPart& p = m.parts[part];
          const std::string kind = std::to_string(static_cast<int>(p.first.kind)) +
                                   std::to_string(static_cast<int>(p.second.kind)) + (p.swapped ? "s" : "");
          if (checked[kind] >= at_most || !regular(*m.contacts[part], p, m.k)) continue;
          ++checked[kind];
          INFO(first << " and " << second << " case " << i << ": " << p.name);
          check(*m.contacts[part], m, p);
        }
      }
}

Vec3 part_of(const double* J, int from) { return {J[from], J[from + 1], J[from + 2]}; }

}  // namespace

TEST_CASE("rows of spatial contacts are derivatives along any motion") {
  int checked = 0;
  for_every_part(4, 2, [&](const SpatialContact& c, const Meeting& m, const ContactPart&) {
    const Rows rows = rows_of(c, m.k);
    const auto gap = [&](double s) { return c.gap(at_later(m.k, s)); };
    near(rows.normal.speed(m.k) - rows.normal.nu, derivative(gap, 0, h));
    near(acceleration(rows.normal, m.k), second_derivative(gap, 0, h), 2e-6);
    for (int i = 0; i < 3; ++i) {
      const auto rate = [&](double s) {
        const Kinematics k = at_later(m.k, s);
        const Rows there = rows_of(c, k);
        return there.of(i).speed(k) - there.of(i).nu;
      };
      near(acceleration(rows.of(i), m.k), derivative(rate, 0, h), 1e-6);
    }
    for (int column = 0; column < 12; ++column)
      near(rows.normal.J[column / 6][column % 6],
           derivative([&](double s) { return c.gap(changed(m.k, c, column, s, false)); }, 0, h));
    // Forces along t1, t2, n at the surfaces: opposite on the two bodies.
    const ContactPoint place = c.place(m.k);
    const Vec3 t2 = cross(place.normal, place.tangent);
    const Vec3 expected[3] = {place.normal, place.tangent, t2};
    CHECK(norm(place.normal) == Approx(1).epsilon(1e-14));
    CHECK(norm(place.tangent) == Approx(1).epsilon(1e-14));
    CHECK(std::abs(dot(place.normal, place.tangent)) < 1e-14);
    for (int i = 0; i < 3; ++i)
      for (int side = 0; side < 2; ++side) {
        const double sign = side == 0 ? -1 : 1;
        const SpatialMotion& b = m.k.spatial_of(rows.normal.body[static_cast<std::size_t>(side)]);
        const Vec3 force = part_of(rows.of(i).J[side], 0);
        const Vec3 at = place.point + (sign * 0.5 * c.gap(m.k)) * place.normal;  // on this side's surface
        const Vec3 moment = b.bar(cross(at - b.r, force));
        for (std::size_t x = 0; x < 3; ++x) {
          CHECK(force[x] == Approx(sign * expected[i][x]).margin(1e-13));
          CHECK(rows.of(i).J[side][3 + x] == Approx(moment[x]).margin(1e-11));
        }
      }
    CHECK(c.length_scale(m.k) >= std::abs(c.gap(m.k)) * 0.1);
    ++checked;
  });
  CHECK(checked > 250);
}

TEST_CASE("slopes of spatial contacts are the derivatives of J and gamma") {
  for_every_part(1, 2, [&](const SpatialContact& c, const Meeting& m, const ContactPart&) {
    SpatialRowSlope slope[3], turning[3];
    c.slopes(m.k, slope);
    c.turning_slopes(m.k, true, turning);
    c.turning_slopes(m.k, false, turning + 1);
    for (int b = 0; b < 12; ++b) {
      const auto at = [&](double s) { return rows_of(c, changed(m.k, c, b, s, false)); };
      const auto turning_at = [&](double s, int i) {
        Row rows[2];
        c.turning_rows_at(changed(m.k, c, b, s, false), i == 0, rows);
        return rows[i == 2 ? 1 : 0];
      };
      for (int i = 0; i < 3; ++i) {
        for (int a = 0; a < 12; ++a) {
          near(slope[i].J[a][b], derivative([&](double s) { return at(s).of(i).J[a / 6][a % 6]; }, 0, h), 2e-7);
          near(turning[i].J[a][b], derivative([&](double s) { return turning_at(s, i).J[a / 6][a % 6]; }, 0, h), 2e-7);
        }
        near(slope[i].gamma[b], derivative([&](double s) { return at(s).of(i).gamma; }, 0, h), 1e-6);
        near(turning[i].gamma[b], derivative([&](double s) { return turning_at(s, i).gamma; }, 0, h), 1e-6);
      }
    }
  });
}

TEST_CASE("rows of rolling and spinning are the relative angular velocity") {
  for_every_part(1, 1, [&](const SpatialContact& c, const Meeting& m, const ContactPart&) {
    const auto rate = [&](double s, bool spinning, std::size_t i) {
      const Kinematics k = at_later(m.k, s);
      Row rows[2];
      rows[0].body = rows[1].body = {c.first, c.second};
      c.turning_rows_at(k, spinning, rows);
      return rows[i].speed(k);
    };
    const SpatialMotion &one = m.k.spatial_of(c.first), &two = m.k.spatial_of(c.second);
    const Vec3 omega = two.global(two.omega_bar) - one.global(one.omega_bar);
    const ContactPoint place = c.place(m.k);
    near(rate(0, true, 0), dot(omega, place.normal), 1e-12);
    near(rate(0, false, 0), dot(omega, place.tangent), 1e-12);
    near(rate(0, false, 1), dot(omega, cross(place.normal, place.tangent)), 1e-12);
    for (const bool spinning : {true, false}) {
      Row rows[2];
      rows[0].body = rows[1].body = {c.first, c.second};
      c.turning_rows_at(m.k, spinning, rows);
      for (std::size_t i = 0; i < (spinning ? 1U : 2U); ++i)
        near(acceleration(rows[i], m.k), derivative([&](double s) { return rate(s, spinning, i); }, 0, h), 1e-6);
    }
  });
}

TEST_CASE("a turned and shifted world leaves spatial contacts as they are") {
  Random random(5);
  for_every_part(2, 2, [&](const SpatialContact& c, const Meeting& m, const ContactPart&) {
    const EulerParameters turn = random_parameters(random);
    const Vec3 shift = random_vector(random, 3);
    const Mat3 R = rotation_matrix(turn);
    Kinematics k = m.k;
    for (SpatialMotion& b : k.spatial) b = in_other_world(b, turn, shift);
    CHECK(c.gap(k) == Approx(c.gap(m.k)).margin(1e-13));
    CHECK(c.range(k) == Approx(c.range(m.k)).margin(1e-12));
    CHECK(c.apart(k) == Approx(c.apart(m.k)).margin(1e-12));
    const Rows there = rows_of(c, k), here = rows_of(c, m.k);
    near(there.normal.speed(k), here.normal.speed(m.k), 1e-11);
    CHECK(there.normal.gamma == Approx(here.normal.gamma).epsilon(1e-10).margin(1e-10));
    // The tangents are a choice: only the sliding velocity as a vector is the same.
    const auto sliding = [&](const Rows& rows, const Kinematics& at) {
      const ContactPoint p = c.place(at);
      return rows.tangent[0].speed(at) * p.tangent + rows.tangent[1].speed(at) * cross(p.normal, p.tangent);
    };
    const Vec3 one = R * sliding(here, m.k), other = sliding(there, k);
    for (std::size_t x = 0; x < 3; ++x) CHECK(one[x] == Approx(other[x]).margin(1e-11));
  });
}

TEST_CASE("exchanging two spatial shapes turns the normal round and keeps the gap") {
  int reversed = 0;
  for_every_part(2, 100, [&](const SpatialContact& c, const Meeting& m, const ContactPart& part) {
    SpatialContactSpec exchanged = m.spec;
    std::swap(exchanged.first, exchanged.second);
    const Meeting other(exchanged, m.k.spatial[1], m.k.spatial[0]);
    const auto at = static_cast<std::size_t>(&part - m.parts.data());
    // The same pair of features in the other's list: rows of the table become columns.
    std::size_t found = other.parts.size();
    for (std::size_t i = 0; i < other.parts.size(); ++i) {
      const ContactPart& o = other.parts[i];
      const auto same = [](const Feature3& a, const Feature3& b) {
        return a.kind == b.kind && a.name == b.name && a.a[0] == b.a[0] && a.radius == b.radius;
      };
      const ContactPart& mine = m.parts[at];
      if (mine.swapped != o.swapped ? same(mine.first, o.first) && same(mine.second, o.second)
                                    : same(mine.first, o.second) && same(mine.second, o.first))
        found = i;
    }
    REQUIRE(found < other.parts.size());
    const SpatialContact& d = *other.contacts[found];
    CHECK(d.gap(other.k) == Approx(c.gap(m.k)).margin(1e-13));
    CHECK(d.range(other.k) == Approx(c.range(m.k)).margin(1e-12));
    const bool turned = m.parts[at].swapped == other.parts[found].swapped;
    reversed += turned;
    const Vec3 n = c.place(m.k).normal, o = d.place(other.k).normal;
    for (std::size_t x = 0; x < 3; ++x) CHECK(o[x] == Approx(turned ? -n[x] : n[x]).margin(1e-13));
  });
  CHECK(reversed > 20);
}

TEST_CASE("the nearest contact of two convex bodies has their distance") {
  Random random(99);
  std::map<std::string, int> cases;
  const std::vector<std::string> bodies{"sphere", "point", "capsule", "box", "hull"};
  for (const std::string& first : bodies)
    for (const std::string& second : bodies)
      for (int i = 0; i < 60; ++i) {
        if (first == "point" && second == "point") continue;
        SpatialContactSpec spec;
        spec.name = "c";
        spec.first = random_shape(first, random);
        spec.second = random_shape(second, random);
        SpatialMotion b1 = random_motion(random), b2 = random_motion(random);
        b2.r = b1.r + random.uniform(0.8, 1.6) * random_axes(random).h;
        const Meeting m(spec, b1, b2);
        Rounded one = rounded(spec.first), two = rounded(spec.second);
        for (Vec3& p : one.points) p = b1.point(p);
        for (Vec3& p : two.points) p = b2.point(p);
        const Nearest true_nearest = nearest(one.points, two.points);
        const double distance = true_nearest.distance - one.radius - two.radius;
        if (distance < 1e-3) continue;
        INFO(first << " and " << second << " case " << i << ", nearest " << true_nearest.first_points << " and "
                   << true_nearest.second_points);
        double least = std::numeric_limits<double>::infinity();
        const SpatialContact* at = nullptr;
        for (const auto& c : m.contacts) {
          CHECK(c->apart(m.k) >= distance - 1e-9);
          if (c->range(m.k) < 0) continue;
          const double gap = c->gap(m.k);
          if (gap > 0) CHECK(gap >= distance - 1e-9);
          if (gap > 0 && gap < least) least = gap, at = c.get();
        }
        // Two sharp vertices, or a vertex and an edge, cannot touch at a point that stays: they are no contact.
        const bool sharp = one.radius + two.radius == 0;
        if (sharp && true_nearest.first_points + true_nearest.second_points < 4) continue;
        ++cases[first + " " + second];
        CHECK(least == Approx(distance).margin(1e-9));
        REQUIRE(at != nullptr);
        CHECK(at->apart(m.k) == Approx(distance).margin(1e-9));
        const ContactPoint place = at->place(m.k);
        const Vec3 along = (1 / true_nearest.distance) * (true_nearest.on_second - true_nearest.on_first);
        const Vec3 middle =
            0.5 * (true_nearest.on_first + one.radius * along + true_nearest.on_second - two.radius * along);
        CHECK(norm(place.point - middle) < 1e-6);
        CHECK(std::abs(std::abs(dot(place.normal, along)) - 1) < 1e-9);
      }
  for (const auto& [name, count] : cases) CHECK(count > 5);
  CHECK(cases.size() >= 22);
}

TEST_CASE("contacts of bodies that are apart are as far as they are, and change no faster than points move") {
  Random random(3);
  for_every_part(1, 4, [&](const SpatialContact& c, const Meeting& m, const ContactPart& part) {
    if (part.first.kind == Feature3::Kind::face && part.first.corners.empty()) {
      CHECK_FALSE(std::isfinite(c.reach(0)));
      return;
    }
    for (int i = 0; i < 10; ++i) {
      Kinematics k = m.k;
      double way = 0;
      for (const int b : {c.first, c.second}) {
        SpatialMotion& body = k.spatial[static_cast<std::size_t>(b)];
        const Vec3 step = random_vector(random, 0.2), turn = random_vector(random, 0.5);
        body.r = body.r + step;
        body.turn_to(turned(body.p, turn));
        way += norm(step) + c.reach(b == c.first ? 0 : 1) * norm(turn);
      }
      CHECK(std::abs(c.apart(k) - c.apart(m.k)) <= way);
      if (c.range(k) >= 0 && c.gap(k) >= 0) CHECK(c.apart(k) == Approx(c.gap(k)).margin(1e-12));
      CHECK((c.range(k) < 0 || c.apart(k) <= std::abs(c.gap(k)) + 1e-12));
    }
  });
}

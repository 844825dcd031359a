// tests/simulate/transformed_space.cpp
//
// The same spatial mechanism written down in another way: elements and joints in another order, the world shifted and
// turned, other units of length, mass and time (stiffnesses and forces a million times larger), the clock started late,
// a coarser tolerance. What happens stays the same: same events one to one, their times and states.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "mechanism/spatial/euler_parameters.hpp"
#include "mechanism/spatial/vec3.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

constexpr double g = 9.81;

/// The turn about an axis by an angle.
Mat3 turn_about(Vec3 axis, double angle) {
  const double c = std::cos(angle / 2), s = std::sin(angle / 2) / norm(axis);
  return rotation_matrix({c, s * axis[0], s * axis[1], s * axis[2]});
}

std::string list(const Vec3& v) { return "[" + digits(v[0]) + ", " + digits(v[1]) + ", " + digits(v[2]) + "]"; }

/// How a model is written down.
struct World {
  Mat3 turn = identity3;
  Vec3 shift{0, 0, 0};                    ///< [m], before the change of unit
  double length = 1, mass = 1, time = 1;  ///< numbers per metre, kilogram, second
  double t0 = 0;                          ///< the clock's reading at the start [s], before the change of unit
  bool reversed = false;                  ///< all elements in reverse order

  [[nodiscard]] double unit(int l, int m, int t) const {
    return std::pow(length, l) * std::pow(mass, m) * std::pow(time, t);
  }
  /// A number of dimension length^l mass^m time^t.
  [[nodiscard]] std::string number(double x, int l, int m = 0, int t = 0) const { return digits(unit(l, m, t) * x); }
  [[nodiscard]] std::string direction(const Vec3& v, int l = 0, int m = 0, int t = 0) const {
    return list(unit(l, m, t) * (turn * v));
  }
  [[nodiscard]] std::string place(const Vec3& p) const { return list(length * (turn * (p + shift))); }
  [[nodiscard]] std::string local(const Vec3& v, int l = 1, int m = 0, int t = 0) const {  ///< in body axes
    return list(unit(l, m, t) * v);
  }
  [[nodiscard]] std::string matrix(const Mat3& A) const {
    const Mat3 B = turn * A;
    return "[" + list(B[0]) + ", " + list(B[1]) + ", " + list(B[2]) + "]";
  }
  /// Seconds since the start, as a formula.
  [[nodiscard]] std::string seconds() const { return "((t - " + digits(t0 * time) + ")/" + digits(time) + ")"; }
  /// a + b * formula of seconds, three components.
  [[nodiscard]] std::string growing(const Vec3& a, const Vec3& b, const std::string& formula) const {
    std::string text = "[";
    for (std::size_t i = 0; i < 3; ++i)
      text += (i > 0 ? ", \"" : "\"") + digits(a[i]) + " + (" + digits(b[i]) + ")*(" + formula + ")\"";
    return text + "]";
  }
  [[nodiscard]] std::string join(std::vector<std::string> parts) const {
    if (reversed) std::reverse(parts.begin(), parts.end());
    std::string all;
    for (const std::string& part : parts) all += part + "\n";
    return all;
  }
  [[nodiscard]] std::string head(double duration, double rtol, const Vec3& gravity = {0, 0, -g}) const {
    // No state is so small that the absolute tolerance says more than the relative one.
    const double least = std::min({1.0, length, 1 / time, length / time});
    return "dimension = 3\ngravity = " + direction(gravity, 1, 0, -2) + "\n[simulation]\nstart = " + digits(t0 * time) +
           "\nend = " + digits((t0 + duration) * time) + "\nintegrator = \"dop853\"\nrtol = " + digits(rtol) +
           "\natol = " + digits(1e-3 * rtol * least) + "\n";
  }
  /// A body; its angular velocity in body axes.
  [[nodiscard]] std::string body(const std::string& name, double m, const Vec3& inertia, const Vec3& at,
                                 const Vec3& velocity, const Vec3& omega, const Mat3& A = identity3) const {
    return "[[body]]\nname = \"" + name + "\"\nmass = " + number(m, 0, 1) + "\ninertia = " + local(inertia, 2, 1) +
           "\nposition = " + place(at) + "\nvelocity = " + direction(velocity, 1, 0, -1) +
           "\nangular_velocity = " + local(omega, 0, 0, -1) + "\nmatrix = " + matrix(A) + "\n";
  }
  /// A contact of the plane through the origin with a body.
  [[nodiscard]] std::string on_plane(const std::string& name, const Vec3& normal, const std::string& body,
                                     const std::string& shape, const std::string& more) const {
    return "[[contact]]\nname = \"" + name +
           "\"\nbetween = [{ body = \"ground\", shape = \"plane\", point = " + place({0, 0, 0}) +
           ", normal = " + direction(normal) + " }, { body = \"" + body + "\", " + shape + " }]\n" + more + "\n";
  }
  [[nodiscard]] std::string sphere(double R) const { return "shape = \"sphere\", radius = " + number(R, 1); }
};

using Maker = std::string (*)(const World&, double);  // with rtol

/// validation/spatial_billiard_ball
std::string billiard(const World& w, double rtol) {
  const double m = 0.17, R = 0.0286, J = 0.4 * m * R * R;
  return w.head(1, rtol) + w.body("ball", m, {J, J, J}, {0, 0, R}, {1.7, -0.4, 0}, {35, -28, 60}) +
         w.on_plane("table", {0, 0, 1}, "ball", w.sphere(R), "friction = { mu = 0.2 }");
}
/// examples/24 and validation/spatial_block_incline_pushed
std::string pushed_block(const World& w, double rtol) {
  const double alpha = 0.3, phi = 1.9, v = 2;
  return w.head(2, rtol, {g * std::sin(alpha), 0, -g * std::cos(alpha)}) +
         w.join({w.body("slow", 2, {0.02, 0.03, 0.04}, {0, 0, 0}, {v * std::cos(phi), v * std::sin(phi), 0}, {}),
                 w.body("fast", 1, {0.01, 0.01, 0.01}, {1, 0, 0}, {0, 2, 0}, {})}) +
         w.join({w.on_plane("under_slow", {0, 0, 1}, "slow", "shape = \"point\"", "friction = { mu = 0.55 }"),
                 w.on_plane("under_fast", {0, 0, 1}, "fast", "shape = \"point\"", "friction = { mu = 0.45 }")});
}
/// validation/spatial_rolling_ball
std::string rolling(const World& w, double rtol) {
  const double m = 0.17, R = 0.03, J = 0.4 * m * R * R, vx = 0.3 * std::cos(0.7), vy = 0.3 * std::sin(0.7);
  return w.head(4, rtol) + w.body("ball", m, {J, J, J}, {0, 0, R}, {vx, vy, 0}, {-vy / R, vx / R, 11}) +
         w.on_plane(
             "table", {0, 0, 1}, "ball", w.sphere(R),
             "friction = { mu = 0.25, rolling = " + w.number(5e-4, 1) + ", spinning = " + w.number(2.5e-4, 1) + " }");
}
/// validation/spatial_pivot_disc
std::string pivots(const World& w, double rtol) {
  const double m = 3, I = 0.06;
  const auto joint = [&](const std::string& name, const std::string& body, const Vec3& at, const std::string& more) {
    return "[[joint]]\nname = \"" + name + "\"\ntype = \"revolute\"\nbodies = [\"ground\", \"" + body +
           "\"]\nat = " + w.place(at) + "\naxis = " + w.direction({0, 0, 1}) +
           "\nfriction = { mu = 0.15, thrust_radius = " + w.number(0.004, 1) + more + " }\n";
  };
  return w.head(12, rtol) +
         w.join({w.body("free", m, {I / 2, I / 2, I}, {0, 0, 0}, {}, {0, 0, 3}),
                 w.body("pressed", m, {I / 2, I / 2, I}, {1, 0, 0}, {}, {0, 0, 3})}) +
         w.join({joint("pivot", "free", {0, 0, 0}, ""),
                 joint("loaded_pivot", "pressed", {1, 0, 0}, ", radius = " + w.number(0.01, 1))}) +
         "[[force]]\nname = \"side\"\ntype = \"point_force\"\nbody = \"pressed\"\nforce = " +
         w.direction({12, 16, 0}, 1, 1, -2) + "\n";
}
/// validation/spatial_ball_joint_spin
std::string socket(const World& w, double rtol) {
  return w.head(3, rtol) + w.body("disc", 1.5, {0.02, 0.02, 0.04}, {0, 0, 0}, {}, {2.5, 1, 4}) +
         "[[joint]]\nname = \"ball\"\ntype = \"spherical\"\nbodies = [\"ground\", \"disc\"]\nat = " +
         w.place({0, 0, 0}) + "\nfriction = { mu = 0.3, radius = " + w.number(0.02, 1) + " }\n";
}
/// validation/spatial_bouncing_spinning_sphere
std::string bouncing(const World& w, double rtol) {
  const double m = 0.2, R = 0.05, J = 0.4 * m * R * R;
  return w.head(4, rtol) + w.body("sphere", m, {J, J, J}, {0, 0, 1 + R}, {2, 0, 0}, {-40, -15, 25}) +
         w.on_plane("floor", {0, 0, 1}, "sphere", w.sphere(R), "restitution = 0.7\nfriction = { mu = 0.06 }");
}
/// A shaft in a bearing slides and turns to its stop, and lets go again under a growing load.
std::string shaft(const World& w, double rtol) {
  const double m = 2, r = 0.05, J = m * r * r / 2.5;
  return w.head(3, rtol) + w.body("shaft", m, {J, 0.01, 0.01}, {0, 0, 0}, {1.3, 0, 0}, {18, 0, 0}) +
         "[[joint]]\nname = \"bearing\"\ntype = \"cylindrical\"\nbodies = [\"ground\", \"shaft\"]\nat = " +
         w.place({0, 0, 0}) + "\naxis = " + w.direction({1, 0, 0}) +
         "\nfriction = { mu_static = 0.2, mu_kinetic = 0.15, radius = " + w.number(r, 1) + " }\n" +
         w.join({"[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"shaft\"\nforce = " +
                     w.growing({}, w.unit(1, 1, -2) * (w.turn * Vec3{1, 0, 0}), w.seconds()) + "\n",
                 "[[force]]\nname = \"twist\"\ntype = \"torque\"\nbody = \"shaft\"\ntorque = " +
                     w.growing({}, w.unit(2, 1, -2) * (w.turn * Vec3{0.06, 0, 0}), w.seconds()) + "\n"});
}
/// Four feet, and a load on the box that grows, swings back and lets it come to rest, turning as it slides.
std::string feet(const World& w, double mu_static, const std::string& load) {
  std::vector<std::string> all;
  for (const double x : {-0.2, 0.2})
    for (const double y : {-0.15, 0.15})
      all.push_back(w.on_plane(std::string("foot") + (x < 0 ? "b" : "f") + (y < 0 ? "r" : "l"), {0, 0, 1}, "box",
                               "shape = \"point\", point = " + w.local({x, y, -0.1}),
                               "friction = { mu_static = " + digits(mu_static) + ", mu_kinetic = 0.3 }"));
  return w.body("box", 2, {0.02, 0.03, 0.04}, {0, 0, 0.1}, {}, {}) + w.join(all) + load;
}
std::string pushed_box(const World& w, double mu_static, double rtol) {
  return w.head(2.5, rtol) +
         feet(w, mu_static,
              "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"box\"\npoint = " +
                  w.local({0.02, 0.05, -0.05}) + "\nforce = " +
                  w.growing({}, w.unit(1, 1, -2) * (w.turn * Vec3{8, 5, 0}), "sin(3*" + w.seconds() + ")") + "\n");
}
std::string pushed_box_equal(const World& w, double rtol) { return pushed_box(w, 0.3, rtol); }
std::string pushed_box_static(const World& w, double rtol) { return pushed_box(w, 0.4, rtol); }
/// A box is pulled over the floor by a spring: it sticks and slips.
std::string dragged_box(const World& w, double rtol) {
  const Vec3 start = w.length * (w.turn * (Vec3{0.5, 0.1, 0.1} + w.shift)),
             rate = w.length * (w.turn * Vec3{0.2, 0.05, 0});
  std::string hand = "[[body]]\nname = \"hand\"\nmotion = { ";
  for (std::size_t i = 0; i < 3; ++i)
    hand += std::string(i > 0 ? ", " : "") + "xyz"[i] + " = \"" + digits(start[i]) + " + (" + digits(rate[i]) + ")*" +
            w.seconds() + "\"";
  return w.head(2, rtol) + hand + " }\n" +
         feet(w, 0.4,
              "[[force]]\nname = \"pull\"\ntype = \"spring_damper\"\nbodies = [\"hand\", \"box\"]\npoints = [" +
                  w.local({0, 0, 0}) + ", " + w.local({0.2, 0.03, 0}) + "]\nstiffness = " + w.number(150, 0, 1, -2) +
                  "\ndamping = " + w.number(0.4, 0, 1, -1) + "\nfree_length = " + w.number(0.3, 1) + "\n");
}
/// A box falls on one corner of its lower face, then on the others (up to where its impacts begin to accumulate).
std::string dropped_box(const World& w, double rtol) {
  const double m = 3.6, a = 0.3, b = 0.2, c = 0.1;
  return w.head(0.24, rtol) +
         w.body("box", m, {m * (b * b + c * c) / 12, m * (a * a + c * c) / 12, m * (a * a + b * b) / 12}, {0, 0, 0.2},
                {0.3, 0.1, 0}, {}, turn_about({1, 2, 0.5}, 0.2)) +
         w.on_plane("floor", {0, 0, 1}, "box", "shape = \"box\", sides = " + w.local({a, b, c}),
                    "restitution = 0.3\nfriction = { mu = 0.4 }");
}

struct Problem {
  std::string name;
  Maker make;
  std::size_t fewest_events;
  double speed, spin;  ///< sizes of the velocities that there are
};
const std::vector<Problem> problems{{"billiard ball", billiard, 1, 2, 60},
                                    {"pushed blocks", pushed_block, 2, 2, 1},
                                    {"rolling ball", rolling, 2, 0.3, 10},
                                    {"discs on pivots", pivots, 2, 1, 3},
                                    {"disc in a socket", socket, 1, 1, 5},
                                    {"bouncing sphere", bouncing, 20, 4, 40},
                                    {"shaft", shaft, 2, 1, 20},
                                    {"pushed box", pushed_box_equal, 2, 1, 5},
                                    {"pushed box, mu_static above mu_kinetic", pushed_box_static, 2, 1, 5},
                                    {"dragged box", dragged_box, 3, 1, 5},
                                    {"dropped box", dropped_box, 8, 2, 20}};

struct Way {
  std::string name;
  World world;
};
std::vector<Way> ways() {
  std::vector<Way> all;
  const auto add = [&](const std::string& name, auto&& change) {
    World w;
    change(w);
    all.push_back({name, w});
  };
  add("reversed", [](World& w) { w.reversed = true; });
  add("shifted", [](World& w) { w.shift = {3, -7, 2}; });
  add("turned", [](World& w) { w.turn = turn_about({1, -2, 0.7}, 2.1); });
  add("upside down", [](World& w) { w.turn = turn_about({1, 0, 0}, std::numbers::pi); });
  add("millimetres", [](World& w) { w.length = 1e3; });
  add("kilometres", [](World& w) { w.length = 1e-3; });
  add("tonnes", [](World& w) { w.mass = 1e-3; });
  add("grams", [](World& w) { w.mass = 1e3; });
  add("stiffer, by mass", [](World& w) { w.mass = 1e6; });
  add("stiffer, by time", [](World& w) { w.time = 1e-3; });
  add("slower", [](World& w) { w.time = 1e3; });
  add("later", [](World& w) { w.t0 = 1000; });
  add("everything", [](World& w) { w = {turn_about({0.2, 1, 0.4}, -1.3), {-1, 2, 0.5}, 1e3, 1e-3, 1e-3, 8, true}; });
  return all;
}

/// Events that must agree: see determinism.cpp for the tiny bounces. What happens at one instant in one order.
std::vector<EventRecord> demanded(const RunResult& r, const World& w) {
  std::vector<EventRecord> out;
  for (const EventRecord& e : r.events)
    if (!e.optional && !(e.kind == "impact" && std::abs(e.gap_velocity_before) < 1e-3 * w.unit(1, 0, -1)))
      out.push_back(e);
  for (auto from = out.begin(); from != out.end();) {
    const auto to = std::find_if(from, out.end(), [&](const auto& e) { return e.t > from->t + 1e-8 * w.time; });
    std::stable_sort(from, to, [](const auto& a, const auto& b) {
      return std::tie(a.element, a.kind) < std::tie(b.element, b.kind);
    });
    from = to;
  }
  return out;
}

double value(const RunResult& r, const std::vector<double>& y, const std::string& name) {
  for (std::size_t i = 0; i < r.state_names.size(); ++i)
    if (r.state_names[i] == name) return y[i];
  throw std::runtime_error("no state " + name);
}
struct Motion {
  Vec3 r, v, omega;
  Mat3 A;
};
/// As it is in the world that is not transformed.
Motion motion(const RunResult& run, const std::vector<double>& y, const std::string& body, const World& w) {
  const auto of = [&](const char* name) { return value(run, y, body + "." + name); };
  Motion m;
  m.r = transposed_times(w.turn, (1 / w.length) * Vec3{of("x"), of("y"), of("z")}) - w.shift;
  m.v = transposed_times(w.turn, (w.time / w.length) * Vec3{of("vx"), of("vy"), of("vz")});
  m.omega = w.time * Vec3{of("wx"), of("wy"), of("wz")};
  m.A = transposed(w.turn) * rotation_matrix({of("e0"), of("e1"), of("e2"), of("e3")});
  return m;
}
/// Largest difference of the states, velocities relative to the sizes that the problem has.
double difference(const Problem& p, const RunResult& one, const std::vector<double>& y, const RunResult& other,
                  const std::vector<double>& z, const World& w) {
  double worst = 0;
  for (const std::string& name : one.state_names) {
    if (name.size() < 3 || name.substr(name.size() - 2) != ".x") continue;
    const std::string body = name.substr(0, name.size() - 2);
    const Motion a = motion(one, y, body, {}), b = motion(other, z, body, w);
    worst = std::max({worst, norm(a.r - b.r), norm(a.v - b.v) / p.speed, norm(a.omega - b.omega) / p.spin});
    for (std::size_t i = 0; i < 3; ++i) worst = std::max(worst, norm(a.A[i] - b.A[i]));
  }
  return worst;
}

/// All that takes part in an event, "a: slip, b: slip": which of them comes first is round-off.
std::string who(const EventRecord& e) {
  std::vector<std::string> all{e.element + ": " + e.kind};
  const std::string also = "also ";
  if (e.note.rfind(also, 0) == 0) {
    const std::size_t end = std::min(e.note.find(';'), e.note.size());
    for (std::size_t from = also.size(); from < end;) {
      const std::size_t to = std::min(e.note.find(", ", from), end);
      all.push_back(e.note.substr(from, to - from));
      from = to + 2;
    }
  }
  std::sort(all.begin(), all.end());
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : ", ") + one;
  return text;
}

/// Events one to one, times within `time` and states within `state`.
void compare(const Problem& p, const RunResult& plain, const RunResult& other, const World& w, double time,
             double state) {
  INFO(p.name << ": " << other.outcome.message);
  CHECK(other.outcome.status == plain.outcome.status);
  const auto expected = demanded(plain, {}), events = demanded(other, w);
  REQUIRE(expected.size() >= p.fewest_events);
  std::string listed;
  for (const EventRecord& e : events) listed += digits(e.t / w.time - w.t0) + " " + who(e) + "\n";
  INFO(listed);
  CHECK(events.size() == expected.size());
  if (events.size() != expected.size()) return;
  const double ulp = 4 * std::numeric_limits<double>::epsilon() * w.t0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("event " << i << ", " << expected[i].kind << " of " << expected[i].element << " at " << expected[i].t);
    CHECK(who(events[i]) == who(expected[i]));
    const double off = std::abs(events[i].t / w.time - w.t0 - expected[i].t),
                 apart = difference(p, plain, expected[i].y_after, other, events[i].y_after, w);
    CHECK(off <= time * std::max(1.0, expected[i].t) + ulp);
    CHECK(apart <= state + 100 * ulp + off * std::max(p.speed, p.spin));  // (of instants that are `off` apart)
  }
  const double end = difference(p, plain, plain.y_end, other, other.y_end, w);
  CHECK(end <= state + 100 * ulp);
}

}  // namespace

TEST_CASE("how a spatial model is written down does not change what happens") {
  for (const Problem& p : problems) {
    const RunResult plain = run_text(p.make({}, 1e-12));
    INFO(p.name << ": " << plain.outcome.message);
    REQUIRE(plain.outcome.success());
    for (const Way& way : ways()) {
      INFO(way.name);
      compare(p, plain, run_text(p.make(way.world, 1e-12)), way.world, 1e-10, 1e-10);
    }
  }
}

TEST_CASE("a coarser tolerance finds the same events of a spatial model") {
  for (const Problem& p : problems) compare(p, run_text(p.make({}, 1e-12)), run_text(p.make({}, 1e-9)), {}, 1e-8, 1e-7);
}

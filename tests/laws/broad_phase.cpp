// tests/laws/broad_phase.cpp
//
// The broad phase must never lose a contact: as long as every body stays inside the room it was given, a contact that
// is not watched cannot have closed, whatever way the bodies go and turn; and a run of discs in a box must have the
// collisions of billiards, worked out here pair by pair.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "hstar/run.hpp"
#include "support/random.hpp"
#include "transition/broad_phase.hpp"
#include "transition/mechanism_process.hpp"

using namespace hstar;
using support::Random;

namespace {

constexpr double disc_radius = 0.35;

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

/// n bodies, each pair with a contact: discs, corners against discs, segments against discs.
std::string crowd(int n, Random& random) {
  std::string text = "gravity = [0.0, 0.0]\n[simulation]\nend = 1.0\n", pairs;
  for (int i = 0; i < n; ++i)
    text += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nmass = 1.0\ninertia = 0.1\nposition = [" +
            number(2.0 * (i % 5)) + ", " + number(2.0 * ((i - i % 5) / 5.0)) + "]\n";
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      const int kind = random.below(3);
      const std::string first = kind == 2 ? "shape = \"segment\", ends = [[-0.4, 0.0], [0.5, 0.1]]"
                                          : "shape = \"circle\", radius = 0.3, point = [0.1, 0.0]",
                        second = kind == 1 ? "shape = \"point\", point = [0.4, -0.2]"
                                           : "shape = \"circle\", radius = " + number(disc_radius);
      pairs += "[[contact]]\nname = \"c" + std::to_string(i) + "_" + std::to_string(j) + "\"\nbetween = [{ body = \"b" +
               std::to_string(i) + "\", " + first + " }, { body = \"b" + std::to_string(j) + "\", " + second + " }]\n";
    }
  return text + pairs;
}

/// A broad phase and what it looks at.
struct Looking {
  std::shared_ptr<const System> system;
  BroadPhase broad;
  Kinematics k;
  Mode mode;
  explicit Looking(const std::string& text) : system(build_system(parse_model(text, "crowd"))), broad(*system) {
    REQUIRE(broad.active());
    system->prepare(k);
    mode.closed.assign(system->contacts.size(), 0);
  }
};

}  // namespace

TEST_CASE("a contact that is not watched cannot close while all bodies are inside their rooms") {
  Random random(20261121);
  const int n = 30;
  Looking looking(crowd(n, random));
  auto& [system, broad, k, mode] = looking;
  std::vector<double> y = system->initial_state(), moved;
  std::size_t unwatched = 0, all = 0, closed_far = 0, touching = 0;
  for (int look = 0; look < 60; ++look) {
    for (int b = 0; b < n; ++b) {
      y[static_cast<std::size_t>(3 * b)] = random.uniform(0, 12);
      y[static_cast<std::size_t>(3 * b + 1)] = random.uniform(0, 12);
      y[static_cast<std::size_t>(3 * b + 2)] = random.uniform(-4, 4);
    }
    system->update(k, 0, y.data());
    std::vector<char> open;
    for (const auto& c : system->contacts) open.push_back(c->gap(k) > 0);
    broad.look(k, mode);
    for (std::size_t c = 0; c < open.size(); ++c) {
      all += open[c];
      unwatched += open[c] && !broad.is_near(c);
    }
    for (int way = 0; way < 9; ++way) {
      // Every body as far as its room lets it: towards another body or anywhere, turning or not.
      moved = y;
      for (int b = 0; b < n; ++b) {
        const auto at = static_cast<std::size_t>(3 * b);
        const int other = random.below(n);
        double dx = y[static_cast<std::size_t>(3 * other)] - y[at],
               dy = y[static_cast<std::size_t>(3 * other + 1)] - y[at + 1];
        if (way % 2 == 0) dx = random.uniform(-1, 1), dy = random.uniform(-1, 1);
        const double length = std::hypot(dx, dy) + 1e-9, turn = way % 3 == 0 ? random.uniform(-1, 1) : 0.0;
        double lo = 0, hi = 20;
        for (int half = 0; half < 40; ++half) {
          const double step = 0.5 * (lo + hi);
          moved[at] = y[at] + step * dx / length;
          moved[at + 1] = y[at + 1] + step * dy / length;
          moved[at + 2] = y[at + 2] + step * turn;
          system->update(k, 0, moved.data());
          (broad.room(b + 1, k) > 0 ? lo : hi) = step;  // body 0 is the ground
        }
        moved[at] = y[at] + lo * dx / length;
        moved[at + 1] = y[at + 1] + lo * dy / length;
        moved[at + 2] = y[at + 2] + lo * turn;
      }
      system->update(k, 0, moved.data());
      for (std::size_t c = 0; c < open.size(); ++c) {
        // (Behind a segment by more than its diameter, a disc has come round the end.)
        const Contact& contact = *system->contacts[c];
        const bool through = open[c] && contact.range(k) >= 0 && contact.gap(k) < 0 &&
                             (!contact.has_range() || contact.gap(k) > -2 * disc_radius);
        touching += through;
        closed_far += through && !broad.is_near(c);
      }
    }
  }
  INFO(unwatched << " of " << all << " not watched, " << touching << " closed by moves");
  CHECK(closed_far == 0);
  CHECK(touching > 1000);
  CHECK(unwatched > all / 2);
}

TEST_CASE("what moves together stays in its rooms, unless a wall stands in its way") {
  // All bodies go straight on at one velocity, or at one that differs by what a room's width in the time leaves.
  Random random(20261128);
  const int n = 30;
  const std::string bodies = crowd(n, random);
  const auto contact_with = [](const std::string& surface) {
    return "[[contact]]\nname = \"" + surface + "\"\nbetween = [{ body = \"ground\", shape = \"line\", normal = " +
           (surface == "floor" ? "[0, 1], point = [0, -100]" : "[1, 0], point = [-100, 0]") +
           " }, { body = \"b0\", shape = \"point\" }]\n";
  };
  const double level[] = {3, 0}, rising[] = {3, 2};
  struct Case {
    std::string more;
    const double* velocity;
    bool stays;
  };
  for (const Case& one : {Case{"", rising, true},
                          {contact_with("floor"), level, true},
                          {contact_with("floor"), rising, false},
                          {contact_with("wall"), level, false}}) {
    INFO(one.more << " at " << one.velocity[0] << ", " << one.velocity[1]);
    Looking looking(bodies + one.more);
    auto& [system, broad, k, mode] = looking;
    std::vector<double> y = system->initial_state();
    for (std::size_t b = 0; b < n; ++b)
      for (std::size_t axis = 0; axis < 2; ++axis) y[system->nq + 3 * b + axis] = one.velocity[axis];
    const double t = 100;
    system->update(k, t, y.data());
    broad.look(k, mode);
    for (std::size_t b = 0; b < n; ++b)
      for (std::size_t axis = 0; axis < 2; ++axis) y[3 * b + axis] += 50 * one.velocity[axis];
    system->update(k, t + 50, y.data());
    int inside = 0;
    for (int b = 1; b <= n; ++b) inside += broad.room(b, k) > 0;
    CHECK((inside == n) == one.stays);
  }
}

TEST_CASE("in space, surfaces that are not watched stay apart while all bodies are inside their rooms") {
  Random random(20261122);
  const int n = 12;
  const std::string shapes[] = {"shape = \"sphere\", radius = 0.3, point = [0.1, 0, 0.2]",
                                "shape = \"capsule\", radius = 0.2, ends = [[-0.3, 0, 0], [0.4, 0.1, 0]]",
                                "shape = \"box\", sides = [0.5, 0.4, 0.7]"};
  std::string text = "dimension = 3\ngravity = [0, 0, 0]\n[simulation]\nend = 1.0\n", pairs;
  const auto shape = [&](int i) { return "{ body = \"b" + std::to_string(i) + "\", " + shapes[i % 3] + " }"; };
  for (int i = 0; i < n; ++i) {
    text += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\n";
    for (int j = 0; j < i; ++j)
      pairs += "[[contact]]\nname = \"c" + std::to_string(i) + "_" + std::to_string(j) + "\"\nbetween = [" + shape(i) +
               ", " + shape(j) + "]\n";
  }
  Looking looking(text + pairs);
  auto& [system, broad, k, mode] = looking;
  std::vector<double> y = system->initial_state(), moved, step(static_cast<std::size_t>(system->nv));
  std::size_t unwatched = 0, all = 0, closed_far = 0, touching = 0;
  for (int look = 0; look < 30; ++look) {
    for (const Body& b : system->bodies) {
      if (b.prescribed) continue;
      double* q = y.data() + b.coordinate;
      for (int i = 0; i < 3; ++i) q[i] = random.uniform(0, 4);
      double square = 0;
      for (int i = 3; i < 7; ++i) q[i] = random.uniform(-1, 1), square += q[i] * q[i];
      for (int i = 3; i < 7; ++i) q[i] /= std::sqrt(square);
    }
    system->update(k, 0, y.data());
    broad.look(k, mode);
    std::vector<char> open;
    for (std::size_t c = 0; c < system->contacts.size(); ++c) {
      const Contact& contact = *system->contacts[c];
      // (A vertex may come behind a face round its rim.)
      const bool sharp =
          contact.name.find("vertex") != std::string::npos && contact.name.find("face") != std::string::npos;
      open.push_back(!sharp && contact.range(k) >= 0 && contact.open_gap(k) > 0);
      all += 1;
      unwatched += !broad.is_near(c);
    }
    for (int way = 0; way < 6; ++way) {
      moved = y;
      for (std::size_t b = 1; b < system->bodies.size(); ++b) {  // to the edge of its room, turning or not
        const Body& body = system->bodies[b];
        const Body& other = system->bodies[1 + static_cast<std::size_t>(random.below(n))];
        double length = 1e-9;
        Vec3 along{0, 0, 0};
        for (std::size_t i = 0; i < 3; ++i) {
          along[i] = way % 2 == 0 ? random.uniform(-1, 1)
                                  : y[static_cast<std::size_t>(other.coordinate) + i] -
                                        y[static_cast<std::size_t>(body.coordinate) + i];
          length += std::abs(along[i]);
        }
        std::vector<double> displacement(system->slots());
        for (std::size_t i = 0; i < 3; ++i) {
          displacement[6 * b + i] = along[i] / length;
          if (way % 3 == 0) displacement[6 * b + 3 + i] = random.uniform(-1, 1);
        }
        double lo = 0, hi = 6;
        const std::vector<double> start = moved;
        for (int half = 0; half < 30; ++half) {
          const double middle = 0.5 * (lo + hi);
          moved = start;
          system->displace(displacement.data(), middle, moved.data());
          system->update(k, 0, moved.data());
          (broad.room(static_cast<int>(b), k) > 0 ? lo : hi) = middle;
        }
        moved = start;
        system->displace(displacement.data(), lo, moved.data());
      }
      system->update(k, 0, moved.data());
      for (std::size_t c = 0; c < open.size(); ++c) {
        const Contact& contact = *system->contacts[c];
        const bool through = open[c] && contact.range(k) >= 0 && contact.open_gap(k) <= 0;
        touching += through;
        closed_far += !broad.is_near(c) && (through || !(contact.apart(k) > 0));
      }
    }
  }
  INFO(unwatched << " of " << all << " not watched, " << touching << " closed by moves");
  CHECK(closed_far == 0);
  CHECK(touching > 20);
  CHECK(unwatched > all / 4);
}

TEST_CASE("an edge of a polygon is watched where it is near, and not along its line to the end of the world") {
  // Four boxes 3 m from each other, and corners that pass through the lines of others' edges there all the time. With a
  // line of infinite reach every edge of a moving body would be watched for ever.
  std::string text = "gravity = [0.0, 0.0]\n[simulation]\nend = 1.0\n", pairs;
  for (int i = 0; i < 4; ++i) {
    text += "[[body]]\nname = \"b" + std::to_string(i) + "\"\nmass = 1.0\ninertia = 0.1\nposition = [" +
            number(3.0 * i) + ", 0.0]\nangular_velocity = " + number(30.0 + i) + "\n";
    const auto box = [](int body) {
      return "{ body = \"b" + std::to_string(body) +
             "\", shape = \"polygon\", corners = [[-0.3, -0.2], [0.3, -0.2], [0.3, 0.2], [-0.3, 0.2]] }";
    };
    for (int j = 0; j < i; ++j)
      pairs += "[[contact]]\nname = \"c" + std::to_string(j) + "_" + std::to_string(i) + "\"\nbetween = [" + box(j) +
               ", " + box(i) + "]\n";
  }
  const ModelSpec model = parse_model(text + pairs, "boxes");
  Looking looking(text + pairs);
  const std::vector<double> y = looking.system->initial_state();
  looking.system->update(looking.k, 0, y.data());
  for (const auto& c : looking.system->contacts) CHECK(c->apart(looking.k) > 2);
  const RunResult r = run(model);
  REQUIRE(r.outcome.success());
  CHECK(r.events.empty());
  // 5 turns of four boxes: corners pass through 2 lines each half turn of each edge, thousands of times in all. A body
  // leaves its room of half the distance every 0.08 s or so.
  CHECK(r.counters.transitions < 400);
}

TEST_CASE("discs in a box collide as billiards do") {
  struct Disc {
    long double x, y, vx, vy;
  };
  const int n = 24;
  const long double radius = 0.05L, width = 2, height = 1.5L;
  Random random(7);
  std::vector<Disc> disc;
  std::string text =
      "gravity = [0.0, 0.0]\n[simulation]\nend = 3.0\nintegrator = \"dop853\"\nrtol = 1e-12\nstop_after_events = 40\n";
  for (int i = 0; i < n; ++i) {
    const double x = 0.2 + 0.32 * (i % 6) + random.uniform(-0.05, 0.05),
                 y = 0.2 + 0.06 * (i - i % 6) + random.uniform(-0.05, 0.05), vx = random.uniform(-1, 1),
                 vy = random.uniform(-1, 1);
    disc.push_back({x, y, vx, vy});
    text += "[[body]]\nname = \"d" + std::to_string(i) + "\"\nmass = 1.0\nposition = [" + number(x) + ", " + number(y) +
            "]\nvelocity = [" + number(vx) + ", " + number(vy) + "]\n";
  }
  const auto circle = [](int i) {
    return "{ body = \"d" + std::to_string(i) + "\", shape = \"circle\", radius = 0.05 }";
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j)
      text += "[[contact]]\nname = \"c" + std::to_string(j) + "_" + std::to_string(i) + "\"\nbetween = [" + circle(j) +
              ", " + circle(i) + "]\nrestitution = 1.0\n";
    const char* walls[4][2] = {{"[0.0, 0.0]", "[1.0, 0.0]"},
                               {"[2.0, 0.0]", "[-1.0, 0.0]"},
                               {"[0.0, 0.0]", "[0.0, 1.0]"},
                               {"[0.0, 1.5]", "[0.0, -1.0]"}};
    for (int w = 0; w < 4; ++w)
      text += "[[contact]]\nname = \"wall" + std::to_string(w) + "_" + std::to_string(i) +
              "\"\nbetween = [{ body = \"ground\", shape = \"line\", point = " + walls[w][0] +
              ", normal = " + walls[w][1] + " }, " + circle(i) + "]\nrestitution = 1.0\n";
  }
  const ModelSpec model = parse_model(text, "billiards");
  REQUIRE(BroadPhase(*build_system(model)).active());
  const RunResult r = run(model);
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  REQUIRE(r.events.size() >= 40);
  long double t = 0;
  // Each collision multiplies errors by about the free path over the radius: ten collisions of one disc, 1e-12 to 1e-8.
  double bound = 1e-11;
  for (std::size_t event = 0; event < 40; ++event) {
    long double first = 1e9L;
    int a = -1, b = -1;
    for (int i = 0; i < n; ++i) {
      const Disc& p = disc[static_cast<std::size_t>(i)];
      const long double to_wall[4] = {
          p.vx < 0 ? (radius - p.x) / p.vx : 1e9L, p.vx > 0 ? (width - radius - p.x) / p.vx : 1e9L,
          p.vy < 0 ? (radius - p.y) / p.vy : 1e9L, p.vy > 0 ? (height - radius - p.y) / p.vy : 1e9L};
      for (int w = 0; w < 4; ++w)
        if (to_wall[w] < first) first = to_wall[w], a = i, b = -1 - w;
      for (int j = 0; j < i; ++j) {
        const Disc& q = disc[static_cast<std::size_t>(j)];
        const long double dx = p.x - q.x, dy = p.y - q.y, ux = p.vx - q.vx, uy = p.vy - q.vy, vv = ux * ux + uy * uy,
                          dv = dx * ux + dy * uy, root = dv * dv - vv * (dx * dx + dy * dy - 4 * radius * radius);
        if (dv >= 0 || root < 0) continue;
        const long double s = (-dv - std::sqrt(root)) / vv;
        if (s > -1e-15L && s < first) first = s, a = i, b = j;
      }
    }
    for (Disc& d : disc) d.x += d.vx * first, d.y += d.vy * first;
    t += first;
    Disc& p = disc[static_cast<std::size_t>(a)];
    if (b < 0) {
      (b >= -2 ? p.vx : p.vy) *= -1;
    } else {
      Disc& q = disc[static_cast<std::size_t>(b)];
      const long double dx = (p.x - q.x) / (2 * radius), dy = (p.y - q.y) / (2 * radius),
                        k = dx * (p.vx - q.vx) + dy * (p.vy - q.vy);
      p.vx -= k * dx, p.vy -= k * dy, q.vx += k * dx, q.vy += k * dy;
    }
    INFO("collision " << event << ", " << r.events[event].element << " at " << r.events[event].t);
    const std::string name = b < 0 ? "wall" + std::to_string(-1 - b) + "_" + std::to_string(a)
                                   : "c" + std::to_string(b) + "_" + std::to_string(a);
    CHECK(r.events[event].element == name);
    CHECK(std::abs(r.events[event].t - static_cast<double>(t)) < bound);
    bound *= 1.2;
  }
}

// tests/simulate/crowd_motion.cpp
//
// The motion of a crowd by itself: an elastic crowd keeps its energy, and with the impulses of the walls its momentum,
// to round-off; with its velocities turned round it goes back through the same impacts; no disc is ever inside another,
// wherever cells, their edges and those that lie a whole grid apart may be. First roots are right to round-off where
// quadratic formulas lose all digits.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "simulate/crowd/crowd.hpp"

using namespace hstar;
using namespace hstar::crowd;

namespace {

/// All may meet, under one law.
class Everybody final : public Meetings {
 public:
  [[nodiscard]] Meeting between(int a, int b) const override { return {std::min(a, b), std::max(a, b), 0}; }
};

struct Box {
  double side = 0;
  CrowdModel model;
  Everybody meetings;
};

ContactLaw law(const char* name, double e, double mu) { return {find_impact_law(name), e, 0, mu, mu > 0}; }

void fill(Box& box, unsigned seed, int n, double spread, ContactLaw contact, Vec2 gravity, bool walls) {
  std::mt19937 random(seed);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  const int side = static_cast<int>(std::ceil(std::sqrt(n)));
  box.side = side;
  box.model.gravity = gravity;
  box.model.laws = {contact};
  box.model.meetings = &box.meetings;
  for (int i = 0; i < n; ++i) {
    Disc d;
    d.radius = between(0.1, 0.4);
    d.mass = between(0.5, 2);
    d.inertia = i % 5 == 0 ? 0 : d.mass * d.radius * d.radius * between(0.3, 0.9);
    const double room = 0.5 - d.radius;
    d.position = {i % side + 0.5 + between(-room, room), i / side + 0.5 + between(-room, room)};
    d.velocity = {spread * between(-1, 1), spread * between(-1, 1)};
    d.spin = i % 5 == 0 ? 0 : between(-1, 1);
    box.model.discs.push_back(d);
  }
  box.model.walls.resize(static_cast<std::size_t>(n));
  const double s = box.side;
  if (walls)
    for (auto& own : box.model.walls)
      own = {{{0, 0}, {1, 0}, 0, 0}, {{0, 0}, {0, 1}, 0, 1}, {{s, s}, {-1, 0}, 0, 2}, {{s, s}, {0, -1}, 0, 3}};
}

double energy(const Crowd& crowd, double t) {
  double sum = 0;
  const Vec2 g = crowd.model().gravity;
  for (std::size_t i = 0; i < crowd.discs().size(); ++i) {
    const Disc& d = crowd.discs()[i];
    const Motion m = crowd.motion(static_cast<int>(i), t);
    sum += 0.5 * d.mass * (m.velocity[0] * m.velocity[0] + m.velocity[1] * m.velocity[1]) +
           0.5 * d.inertia * d.spin * d.spin - d.mass * (g[0] * m.position[0] + g[1] * m.position[1]);
  }
  return sum;
}

Vec2 momentum(const Crowd& crowd, double t) {
  Vec2 sum{0, 0};
  for (std::size_t i = 0; i < crowd.discs().size(); ++i)
    for (std::size_t k = 0; k < 2; ++k)
      sum[k] += crowd.discs()[i].mass * crowd.motion(static_cast<int>(i), t).velocity[k];
  return sum;
}

/// The least gap of all pairs and walls.
double least_gap(const Crowd& crowd, double t) {
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < crowd.discs().size(); ++i) {
    const Vec2 a = crowd.motion(static_cast<int>(i), t).position;
    for (std::size_t j = 0; j < i; ++j) {
      const Vec2 b = crowd.motion(static_cast<int>(j), t).position;
      least = std::min(least, std::hypot(a[0] - b[0], a[1] - b[1]) - crowd.discs()[i].radius - crowd.discs()[j].radius);
    }
    for (const Wall& wall : crowd.model().walls[i])
      least = std::min(least, (a[0] - wall.point[0]) * wall.normal[0] + (a[1] - wall.point[1]) * wall.normal[1] -
                                  crowd.discs()[i].radius);
  }
  return least;
}

struct Played {
  std::vector<Due> dues;
  double loss = 0;
  Vec2 impulse{0, 0};  ///< of walls
};

Played play(Crowd& crowd, double t_end, bool look = false) {
  Played out;
  Struck done;
  while (const auto due = crowd.next(t_end)) {
    REQUIRE(crowd.strike(*due, done));
    CHECK(done.before[0] < 0);
    CHECK(done.books.momentum < 1e-13);
    CHECK(done.books.energy < 1e-13);
    CHECK(done.books.cone < 1e-13);
    out.loss += done.loss;
    if (due->wall)
      for (std::size_t k = 0; k < 2; ++k) out.impulse[k] += done.impulse[k];
    if (look) CHECK(least_gap(crowd, due->t) > -1e-13);
    out.dues.push_back(*due);
  }
  REQUIRE_FALSE(crowd.halt());
  return out;
}

}  // namespace

TEST_CASE("First falls are right where the quadratic formula loses its digits") {
  // Long flights of slow bodies and short ones of fast: c + b x + a x^2/2 = 0 checked at what is found.
  std::mt19937 random(3);
  std::uniform_real_distribution<double> exponent(-8, 8), sign(-1, 1);
  int found = 0;
  for (int k = 0; k < 20000; ++k) {
    const double c = std::pow(10, exponent(random)), b = std::copysign(std::pow(10, exponent(random)), sign(random)),
                 a = std::copysign(std::pow(10, exponent(random)), sign(random));
    const double x = first_fall(c, b, a);
    if (!std::isfinite(x)) {
      CHECK((b >= 0 || b * b < 2 * a * c));
      continue;
    }
    ++found;
    REQUIRE(x > 0);
    const long double left = c + static_cast<long double>(b) * x + 0.5L * a * x * x, slope = b + a * x;
    // The nearest double to the root: its residual is that of eps x, and eps of the terms.
    CHECK(std::abs(static_cast<double>(left)) <=
          4e-16 * (c + std::abs(b) * x + std::abs(a) * x * x) + 4e-16 * std::abs(static_cast<double>(slope)) * x);
    // The first: no sign change before.
    CHECK(c + b * (0.5 * x) + 0.125 * a * x * x >= 0);
  }
  CHECK(found > 10000);
  CHECK(first_fall(0, 3, -2) == 3);   // thrown up from the floor
  CHECK(first_fall(0, -3, -2) == 0);  // it strikes now
  CHECK(std::isinf(first_fall(0, 3, 0)));
  CHECK(std::isinf(first_fall(1, 0, 0)));
}

TEST_CASE("Discs that nearly miss each other touch when they do") {
  // By construction: at the impact the line between the centres makes the angle `a` with the velocity.
  for (const double a : {0.0, 0.3, 1.2, 1.5, 1.57}) {
    const double reach = 0.5, speed = 3, time = 7;
    const Vec2 d{speed * time + reach * std::cos(a), reach * std::sin(a)};
    const double t = first_touch({d, {-speed, 0}, reach, d[0] + d[1] + reach, speed});
    CHECK(std::abs(t - time) < 1e-14 / std::max(1e-3, std::cos(a)));
  }
  CHECK(std::isinf(first_touch({{5, 0.5}, {-1, 0}, 0.5, 6, 1})));   // along the surface
  CHECK(std::isinf(first_touch({{5, 0.51}, {-1, 0}, 0.5, 6, 1})));  // beside it
  CHECK(std::isinf(first_touch({{5, 0}, {1, 0}, 0.5, 6, 1})));      // away
  CHECK(first_touch({{0.5, 0}, {-1, 0}, 0.5, 1, 1}) == 0);          // touching, on the way in
}

TEST_CASE("An elastic crowd keeps its energy, and its momentum but for the walls and the weight") {
  for (const Vec2 gravity : {Vec2{0, 0}, Vec2{0.3, -2}}) {
    Box box;
    fill(box, 11, 400, 1, law("newton", 1, 0), gravity, true);
    Crowd crowd(box.model, 0, 100);
    REQUIRE_FALSE(crowd.look_at_start());
    const double e0 = energy(crowd, 0), end = 60;
    const Vec2 p0 = momentum(crowd, 0);
    const Played played = play(crowd, end);
    CHECK(played.dues.size() > 20000);
    CHECK(std::abs(energy(crowd, end) + played.loss - e0) < 1e-12 * std::abs(e0));
    double mass = 0;
    for (const Disc& d : crowd.discs()) mass += d.mass;
    for (std::size_t k = 0; k < 2; ++k)
      CHECK(std::abs(momentum(crowd, end)[k] - p0[k] - mass * gravity[k] * end - played.impulse[k]) <
            1e-12 * mass * (1 + std::abs(gravity[k]) * end));
    CHECK(crowd.forecasts() < 100 * 400);  // what no longer holds is forgotten
  }
}

TEST_CASE("With its velocities turned round an elastic crowd goes back through the same impacts") {
  // Chaos makes the errors of 1e-16 grow by a factor of about ten an impact of a disc; three each are left.
  Box box;
  fill(box, 5, 150, 1, law("newton", 1, 0), {0, -1}, true);
  const double end = 1.5;
  Crowd forward(box.model, 0, 100);
  const Played there = play(forward, end);
  REQUIRE(there.dues.size() > 150);
  CrowdModel back = box.model;
  for (std::size_t i = 0; i < back.discs.size(); ++i) {
    const Motion m = forward.motion(static_cast<int>(i), end);
    back.discs[i].position = m.position;
    back.discs[i].velocity = {-m.velocity[0], -m.velocity[1]};
    back.discs[i].spin = -forward.discs()[i].spin;
  }
  Crowd backward(back, 0, 100);
  const Played home = play(backward, end);
  REQUIRE(home.dues.size() == there.dues.size());
  for (std::size_t i = 0; i < home.dues.size(); ++i) {
    const Due &x = home.dues[i], &y = there.dues[there.dues.size() - 1 - i];
    CHECK(x.first == y.first);
    CHECK(x.second == y.second);
    CHECK(std::abs(end - x.t - y.t) < 1e-9);
  }
  for (std::size_t i = 0; i < back.discs.size(); ++i)
    for (std::size_t k = 0; k < 2; ++k)
      CHECK(std::abs(backward.motion(static_cast<int>(i), end).position[k] - box.model.discs[i].position[k]) < 1e-9);
}

TEST_CASE("No disc is ever inside another or behind a wall, nor lost where an open crowd spreads") {
  for (const bool walls : {true, false})
    for (const char* name : {"newton", "poisson", "stronge"}) {
      Box box;
      fill(box, 7, 60, 1, law(name, 0.9, 0.4), {0, 0}, walls);
      // One from far outside: it comes in through cells that share their lists with others.
      box.model.discs[0].position = {-300.5, 4.1};
      box.model.discs[0].velocity = {100, 0.01};
      if (walls) box.model.walls[0].clear();
      Crowd crowd(box.model, 0, 100);
      const double e0 = energy(crowd, 0);
      const Played played = play(crowd, 12, true);
      CHECK(played.dues.size() > 60);
      CHECK(played.loss > 0);
      CHECK(std::abs(energy(crowd, 12) + played.loss - e0) < 1e-13 * e0);
    }
}

TEST_CASE("Where a crowd cannot go on it says so") {
  const auto one = [](Vec2 position, Vec2 velocity) {
    Disc d;
    d.radius = 0.5, d.mass = 1, d.position = position, d.velocity = velocity;
    return d;
  };
  Everybody everybody;
  CrowdModel model;
  model.laws = {law("newton", 0.5, 0)};
  model.meetings = &everybody;
  const auto outcome = [&] {
    model.walls.resize(model.discs.size());
    Crowd crowd(model, 0, 100);
    Struck done;
    if (!crowd.look_at_start())
      while (const auto due = crowd.next(1e3))
        if (!crowd.strike(*due, done)) break;
    const auto halt = crowd.halt();
    REQUIRE(halt);
    return *halt;
  };
  SECTION("a ball that comes to rest on the floor") {
    model.gravity = {0, -10};
    model.discs = {one({0, 3}, {1, 0})};
    model.walls = {{{{0, 0}, {0, 1}, 0, 4}}};
    const auto halt = outcome();
    CHECK((halt.why == Halt::Why::rests || halt.why == Halt::Why::accumulates));
  }
  SECTION("a plastic ball") {
    model.gravity = {0, -10};
    model.laws[0].restitution = 0;
    model.discs = {one({0, 3}, {0, 0})};
    model.walls = {{{{0, 0}, {0, 1}, 0, 4}}};
    const auto halt = outcome();
    CHECK(halt.why == Halt::Why::rests);
    CHECK(halt.contact == 4);
  }
  SECTION("two that touch when a third strikes them") {
    model.discs = {one({0, 0}, {0, 0}), one({1, 0}, {0, 0}), one({-4, 0}, {1, 0})};
    CHECK(outcome().why == Halt::Why::cluster);
  }
  SECTION("discs that overlap where they start") {
    model.discs = {one({0, 0}, {0, 0}), one({0.9, 0}, {0, 0})};
    CHECK(outcome().why == Halt::Why::overlap);
  }
  SECTION("one that starts behind a wall") {
    model.discs = {one({0, 0.4}, {0, 0})};
    model.walls = {{{{0, 0}, {0, 1}, 0, 4}}};
    const auto halt = outcome();
    CHECK(halt.why == Halt::Why::overlap);
    CHECK(halt.contact == 4);
  }
  SECTION("one that is squeezed between two others, ever faster") {
    model.laws[0].restitution = 0.05;
    model.discs = {one({-2, 0}, {1, 0}), one({0, 0}, {0, 0}), one({2.5, 0}, {-1, 0})};
    const auto halt = outcome();
    CHECK((halt.why == Halt::Why::cluster || halt.why == Halt::Why::accumulates));
  }
}

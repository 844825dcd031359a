// Inelastic collapse: three balls on a line, the middle one struck in turn from both sides, without other forces. Where
// e is small enough (equal balls: e < 7 - 4 sqrt 3 = 0.0718, McNamara & Young 1992) there are infinitely many impacts
// before a time that was computed with 60 digits outside hstar (CONTACT.md section 3, contact_spike/e9_collapse.py);
// else finitely many, and no limit may be told. Contacts that touch from the beginning collapse at one instant. What
// other bodies do meanwhile changes nothing.
#include <catch2/catch.hpp>

#include <array>
#include <cmath>

#include "transition/collapse.hpp"

using namespace hstar;

namespace {

/// Gaps and gap velocities of three balls of given masses; they carry their own round-off only.
struct Balls {
  double e;
  std::array<double, 3> mass;
  std::array<double, 2> gap{1.0, 0.3}, speed{-1.0, -0.7};  // gap velocities
  double t = 0;

  /// Moves on to the next impact; the contact that strikes, -1: none will.
  int next() {
    int i = -1;
    double wait = INFINITY;
    for (std::size_t c = 0; c < 2; ++c)
      if (speed[c] < 0 && gap[c] / -speed[c] < wait) wait = gap[c] / -speed[c], i = static_cast<int>(c);
    if (i < 0) return i;
    t += wait;
    for (std::size_t c = 0; c < 2; ++c) gap[c] += wait * speed[c];
    gap[static_cast<std::size_t>(i)] = 0;
    return i;
  }
  void strike(int contact) {
    const auto c = static_cast<std::size_t>(contact);
    const double p = -(1 + e) * speed[c] / (1 / mass[c] + 1 / mass[c + 1]);
    speed[c] += p * (1 / mass[c] + 1 / mass[c + 1]);
    speed[1 - c] -= p / mass[1];
  }
};

struct Seen {
  int impacts = 0;
  bool found = false;
  Collapse::Limit limit;
};

/// Impacts until the limit is known to `part` of the time seen.
Seen follow(Balls balls, double part, bool others = false) {
  Collapse collapse;
  Seen seen;
  for (; seen.impacts < 400; ++seen.impacts) {
    const int contact = balls.next();
    if (contact < 0) return seen;
    collapse.add(balls.t, contact, {contact + 1, contact + 2}, -balls.speed[static_cast<std::size_t>(contact)]);
    balls.strike(contact);
    seen.found = collapse.recognise(seen.limit);
    if (seen.found && seen.limit.remaining <= part * balls.t) return seen;
    // A ball far away that bounces on the ground now and then.
    if (others && seen.impacts % 3 == 0) collapse.add(balls.t, 7, {-1, 9}, 1 + seen.impacts);
  }
  return seen;
}

}  // namespace

TEST_CASE("three balls that collapse end at their limit, with few impacts seen", "[collapse]") {
  struct Case {
    double e;
    std::array<double, 3> mass;
    double limit;
  };
  for (const Case& c : {Case{0.05, {1, 1, 1}, 0.875}, Case{0.07, {1, 1, 1}, 0.8989354529826525},
                        Case{0.2, {20, 1, 20}, 0.7751022152762985}})
    for (const bool others : {false, true}) {
      INFO("e = " << c.e << ", masses " << c.mass[0] << " : " << c.mass[1] << ", others " << others);
      const Seen seen = follow({c.e, c.mass}, 1.5e-8, others);
      REQUIRE(seen.found);
      CHECK(seen.impacts < 60);
      CHECK(seen.limit.contacts == std::vector<int>{0, 1});
      CHECK(seen.limit.shrink < 1);
      CHECK(seen.limit.ratio < 1);
      // (Round-off of the times between impacts, which the ratio multiplies.)
      CHECK(std::abs(seen.limit.t - c.limit) <= 1e-11);
      CHECK(std::abs(seen.limit.t - c.limit) <= seen.limit.error + 1e-14);
    }
}

TEST_CASE("impacts that end after a finite number have no limit", "[collapse]") {
  for (const double e : {0.08, 0.1, 0.3, 0.6, 1.0}) {
    INFO("e = " << e);
    const Seen seen = follow({e, {1, 1, 1}}, 1.5e-8);
    CHECK_FALSE(seen.found);
    CHECK(seen.impacts < 20);
  }
}

TEST_CASE("contacts that touch collapse at one instant, in no time", "[collapse]") {
  Balls balls{0.05, {1, 1, 1}};
  balls.gap = {0, 0};
  const Seen seen = follow(balls, 0);
  REQUIRE(seen.found);
  CHECK(seen.limit.remaining == 0);
  CHECK(seen.impacts < 20);
  balls.e = 0.08;
  CHECK_FALSE(follow(balls, 0).found);
}

TEST_CASE("one contact that bounces under gravity, and two in no relation, are no collapse", "[collapse]") {
  Collapse collapse;
  Collapse::Limit limit;
  double t = 0, flight = 1;
  for (int i = 0; i < 60; ++i) {
    collapse.add(t, 0, {-1, 1}, flight);
    CHECK_FALSE(collapse.recognise(limit));
    collapse.add(t, 3, {-1, 2}, flight);
    CHECK_FALSE(collapse.recognise(limit));
    t += flight;
    flight *= 0.5;
  }
}

TEST_CASE("a ball between walls that close in on it: impacts crowd towards the instant at which the gap is gone",
          "[collapse]") {
  // Wall at 2 - t, ball of speed 1 thrown at it from 1 at t = 0: it meets the wall at 2 - 1.5 / n.
  Collapse collapse;
  Collapse::Limit limit;
  bool found = false;
  for (int n = 1; n <= 1000; ++n) {
    const double speed = 2 * n - 1;  // of the ball before impact n; the wall returns it with 2 n + 1
    collapse.add(2 - 1.5 / n, 1, {-1, 1}, speed + 1);
    found = collapse.recognise(limit);
    const double back = 2 - 1.5 / n + 1.5 / n / (speed + 2);
    collapse.add(back, 0, {-1, 1}, speed + 2);
    if (found && n > 20) CHECK(limit.t == Approx(2).margin(0.1 / n));
  }
  REQUIRE(found);
  CHECK(limit.crowds);
  CHECK(limit.remaining == Approx(1.5 / 1000).epsilon(1e-2));
}

TEST_CASE("a body that rattles on two corners and is struck into faster cycles twice does not crowd", "[collapse]") {
  // Speeds and intervals of a rattle shrink; two cycles that something else has made faster are no law of all of them.
  Collapse collapse;
  Collapse::Limit limit;
  double t = 0, speed = 1, interval = 0.1;
  for (int cycle = 0; cycle < 7; ++cycle) {
    const double struck = cycle < 4 ? 0.9 : 1.02;
    for (const int corner : {0, 1}) {
      collapse.add(t += interval, corner, {-1, 1}, speed);
      CHECK_FALSE((collapse.recognise(limit) && limit.crowds));
    }
    speed *= struck;
    interval *= 0.8;
  }
}

// Flights between impacts on gaps of their own, which keep all their digits. Bodies on a line, whose velocities change
// by Newton's law: three balls that collapse (equal balls: e < 7 - 4 sqrt 3 = 0.0718, McNamara & Young 1992) have the
// limit that was computed with 60 digits outside hstar (CONTACT.md section 3, contact_spike/e9_collapse.py); with a
// larger e they part. A bouncing ball has its closed form. Stops come before impacts, and what strikes at one instant
// does so together.
#include "transition/chatter.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>

using namespace hstar;

namespace {

/// Three balls: gaps and gap velocities.
struct Balls {
  double e;
  std::array<double, 3> mass;
  std::array<double, 2> gap{1.0, 0.3}, speed{-1.0, -0.7};

  void strike(int contact) {
    const auto c = static_cast<std::size_t>(contact);
    const double p = -(1 + e) * speed[c] / (1 / mass[c] + 1 / mass[c + 1]);
    speed[c] += p * (1 / mass[c] + 1 / mass[c + 1]);
    speed[1 - c] -= p / mass[1];
  }
};

struct Seen {
  int impacts = 0;
  double t = 0;
  bool parts = false;
};

/// Until nothing strikes, or no time passes any more.
Seen follow(Balls balls) {
  Chatter chatter(2);
  chatter.reset();
  chatter.follow({}, 0);
  for (std::size_t c = 0; c < 2; ++c) chatter[c].fly(balls.gap[c], 0, 0);
  Seen seen;
  for (; seen.impacts < 4000; ++seen.impacts) {
    for (std::size_t c = 0; c < 2; ++c) chatter[c].fly(chatter[c].gap(), balls.speed[c], 0);
    const Chatter::Flight flight = chatter.next();
    seen.parts = !flight.ends();
    if (seen.parts || flight.lasts < 1e-18) return seen;
    chatter.advance(flight);
    seen.t += flight.lasts;
    balls.strike(flight.contact);
  }
  return seen;
}

}  // namespace

TEST_CASE("three balls that collapse are followed to their limit", "[chatter]") {
  struct Case {
    double e;
    std::array<double, 3> mass;
    double limit;
  };
  for (const Case& c : {Case{0.05, {1, 1, 1}, 0.875}, Case{0.07, {1, 1, 1}, 0.8989354529826525},
                        Case{0.2, {20, 1, 20}, 0.7751022152762985}}) {
    INFO("e = " << c.e << ", masses " << c.mass[0] << " : " << c.mass[1]);
    const Seen seen = follow({c.e, c.mass});
    CHECK_FALSE(seen.parts);
    CHECK(seen.impacts < 4000);
    // (Near the critical e the round-off of each gap counts many times.)
    CHECK(std::abs(seen.t - c.limit) <= 1e-11);
  }
}

TEST_CASE("impacts that end after a finite number leave the balls parted", "[chatter]") {
  for (const double e : {0.08, 0.1, 0.3, 0.6, 1.0}) {
    INFO("e = " << e);
    const Seen seen = follow({e, {1, 1, 1}});
    CHECK(seen.parts);
    CHECK(seen.impacts < 20);
  }
}

TEST_CASE("a ball bounces to its limit, at flights far below any round-off of positions", "[chatter]") {
  // t = 2 u / g (1 + e + e^2 + ...), from the first rebound with speed u.
  constexpr double g = 9.81, e = 0.8, u = 1e-5;
  Chatter chatter(1);
  chatter.reset();
  chatter[0].fly(0, 0, 0);
  double speed = u, t = 0;
  for (int count = 0; count < 400; ++count, speed *= e) {
    chatter[0].fly(chatter[0].gap(), speed, -g);
    const Chatter::Flight flight = chatter.next();
    REQUIRE(flight.contact == 0);
    CHECK(chatter[0].height(flight.lasts) == Approx(speed * speed / (2 * g)).epsilon(1e-14));
    chatter.advance(flight);
    CHECK(chatter[0].touches());
    t += flight.lasts;
  }
  CHECK(t == Approx(2 * u / g / (1 - e)).epsilon(1e-14));
}

TEST_CASE("contacts that come back at one instant strike together, and a stop comes before", "[chatter]") {
  Chatter chatter(3);
  chatter.reset();
  chatter[0].fly(1e-20, -1e-8, 0);
  chatter[1].fly(3e-20, -3e-8, 0);
  chatter[2].fly(1e-19, -1e-8, 0);
  chatter.slide(7, 0.5e-12);
  Chatter::Flight flight = chatter.next();
  CHECK(flight.unit == 7);
  CHECK(flight.contact == -1);
  chatter.advance(flight);
  chatter.forget_stops();
  flight = chatter.next();
  CHECK(flight.lasts == Approx(0.5e-12));
  chatter.advance(flight);
  CHECK(chatter[0].touches());
  CHECK(chatter[1].touches());
  CHECK_FALSE(chatter[2].touches());
}

TEST_CASE("at the top of its flight a contact has no speed and comes back, in flight without force it does not",
          "[chatter]") {
  Chatter chatter(2);
  chatter.reset();
  chatter[0].fly(5e-13, 0, -10);
  chatter[1].fly(5e-13, 1e-9, 0);
  const Chatter::Flight flight = chatter.next();
  CHECK(flight.contact == 0);
  CHECK(flight.lasts == Approx(std::sqrt(1e-13)));
}

TEST_CASE("forces of a body that has all but come to rest bring nothing back at once", "[chatter]") {
  // sqrt(2 * 0.22 / 5e-324) = 3e161 s; a product of the two is zero, and so was the time (a box's upper corner struck a
  // floor 0.22 m below it).
  Chatter chatter(1);
  chatter.reset();
  chatter[0].fly(0.22, 0, -5e-324);
  CHECK(chatter.next().lasts > 1e100);
}

TEST_CASE("what comes from elsewhere later does not keep a sequence from its end", "[chatter]") {
  // A ball was left with some times what the last impact, with friction, can tell from zero (2^-30 of 3e-4 m/s);
  // nothing drives it back. Whether another ball flies towards it (or something slides and will stop) makes no
  // difference to that.
  for (const bool other : {false, true}) {
    INFO("another flies " << other);
    Chatter chatter(2);
    chatter.reset();
    chatter.follow({}, 0);
    chatter[0].fly(0, 8e-13, 0, 1e-13);
    chatter[0].touch();
    chatter.jump(0, 0, 3e-4, 3e-4);
    if (other) {
      chatter[1].fly(0.02, -0.7, 0);
      chatter.slide(0, 0.01);
    }
    const Chatter::Flight flight = chatter.next();
    CHECK(flight.contact == 0);
    CHECK(flight.lasts == 0);
    CHECK(chatter[0].rests());
  }
}

TEST_CASE("what is left of a sequence of its own does not wait for what strikes after its limit", "[chatter]") {
  // A ball that bounced on a wall has 5e-24 m/s left, of a number that is known to as much. Another strikes it 1e-12 s
  // later, long before all impacts have lasted: it finds the ball at rest. While a contact as slow as it strikes again
  // the sequence is not over, and with 1e-20 m/s neither.
  struct Case {
    double left;
    bool goes_on, rests;
  };
  for (const auto& [left, goes_on, rests] : {Case{5e-24, false, true}, {5e-24, true, false}, {1e-20, false, false}}) {
    INFO(left << " m/s are left, another goes on " << goes_on);
    Chatter chatter(3);
    chatter.reset();
    chatter[0].fly(0, 1e-11, 0, 1e-12);
    chatter[0].touch();
    chatter.follow({0, -1, 1}, 1e-3);
    chatter.jump(0, left - chatter[0].speed(), 1e-11, 0);
    chatter[1].fly(1e-13, -0.1, 0, 1e-12);
    chatter[1].touch();
    if (goes_on) {
      chatter[2].fly(1e-40, -1e-24, 0, 1e-12);
      chatter[2].touch();
    }
    const Chatter::Flight flight = chatter.next();
    CHECK(chatter[0].rests() == rests);
    CHECK(flight.contact == (rests ? 0 : goes_on ? 2 : 1));
  }
}

TEST_CASE("what has lost its speed strikes again only after an impact", "[chatter]") {
  FollowedGap gap;
  gap.fly(0, 1e-12, 0, 1e-13);
  gap.touch();
  CHECK(gap.bounces());
  gap.lose_speed();
  gap.touch();
  CHECK(gap.rests());
  gap.jump(1e-12, 1e-12, 1e-12);
  gap.touch();
  CHECK_FALSE(gap.rests());
}

TEST_CASE("round-off of forces that balance each other does not keep a sequence from its end", "[chatter]") {
  // What is left with some times the round-off of its velocity comes back if its forces bring it back within the time
  // that the impacts have lasted, and has lost its speed if that takes longer than all of them.
  for (const double force : {-1.0, -1e-30}) {
    INFO("acceleration " << force);
    Chatter chatter(1);
    chatter.reset();
    chatter.follow({}, 1e-3);
    chatter[0].fly(0, 8e-13, force, 1e-13, false);
    chatter[0].touch();
    const Chatter::Flight flight = chatter.next();
    CHECK(flight.contact == 0);
    CHECK(flight.lasts == (force == -1.0 ? Approx(1.6e-12) : Approx(0.0)));
    CHECK(chatter[0].rests() == (force != -1.0));
  }
}

TEST_CASE("what its forces let go is open for the next impact, however short the flight", "[chatter]") {
  // Three contacts in a row. The middle one has been struck without restitution and let go: at rest, accelerated away,
  // a gap of t^2 / 2 that soon is below every blur t and at last below the least double. The first strikes after t; the
  // middle one is driven back by that and strikes, alone, before anything else.
  constexpr double blur = 1e-13, a = 2.0;
  for (const double t : {1e-8, 1e-15, 1e-17, 1e-30, 1e-80, 1e-154, 1e-200}) {
    INFO("a flight of " << t << " s");
    Chatter chatter(3);
    chatter.reset();
    chatter.follow({}, 0);
    chatter[0].fly(t, -1, 0, blur);
    chatter[1].fly(0, 0, a, blur);
    chatter[1].let_go();
    chatter[2].fly(0, 0.25, 0, blur);
    const Chatter::Flight first = chatter.next();
    REQUIRE(first.contact == 0);
    CHECK(first.lasts == Approx(t));
    chatter.advance(first);
    CHECK(chatter[0].touches());
    CHECK_FALSE(chatter[1].touches());
    CHECK_FALSE(chatter[2].touches());
    if (t > 1e-150) CHECK(chatter[1].gap() == Approx(0.5 * a * t * t));

    // Impacts elsewhere, that do not reach it, leave it open.
    chatter[1].fly(chatter[1].gap(), 0, a, blur);
    chatter.advance({0, -1, t});
    CHECK_FALSE(chatter[1].touches());

    chatter[0].fly(0, 0.5, 0, blur);
    chatter[1].fly(chatter[1].gap(), -0.5, a, blur);
    chatter[2].fly(chatter[2].gap(), -0.01, 0, blur);
    const Chatter::Flight second = chatter.next();
    CHECK(second.contact == 1);
    CHECK(second.lasts > 0);
    chatter.advance(second);
    CHECK_FALSE(chatter[0].touches());
    CHECK(chatter[1].touches());
    CHECK_FALSE(chatter[2].touches());
  }
}

TEST_CASE("what has lost its speed touches at that instant, whatever its acceleration", "[chatter]") {
  // Of balls that come to rest the accelerations are round-off: they are asked whether they open, and not taken to.
  Chatter chatter(2);
  chatter.reset();
  chatter.follow({}, 0);
  for (std::size_t c = 0; c < 2; ++c) {
    chatter[c].fly(1e-40, 1e-14, 6e-48, 1e-13);
    chatter[c].touch();
  }
  REQUIRE(chatter.arrive_unseen());
  const Chatter::Flight flight = chatter.next();
  CHECK(flight.lasts == 0);
  chatter.advance(flight);
  CHECK(chatter[0].touches());
  CHECK(chatter[1].touches());
}

TEST_CASE("a speed that is followed is known below the round-off of the velocities it is a difference of",
          "[chatter]") {
  // Two contacts bounce between bodies at some 1 m/s (blur 1e-13 m/s). Impacts change speeds by sums of shares, and
  // what velocities tell agrees with that to their blur: the number followed holds. Where they differ by more, they are
  // right.
  constexpr double blur = 1e-13;
  Chatter chatter(1);
  chatter.reset();
  chatter[0].set_gap(0);
  chatter[0].fly(0, 1e-9, 0, blur);
  chatter[0].touch();
  CHECK(chatter.known(0, 1e-9 + 2e-14, blur).speed == 1e-9 + 2e-14);  // (not followed yet)
  chatter.follow({}, 0);
  chatter.jump(0, 3e-15 - 1e-9, 1e-9, 1e-9);
  CHECK(chatter.has_jumped());
  const Chatter::Known known = chatter.known(0, -5e-14, blur);
  CHECK(known.speed == Approx(3e-15).epsilon(1e-8));
  CHECK(known.zero < 1e-20);
  CHECK(chatter.known(0, 2e-13, blur).speed == 2e-13);
  // With friction, whose impulses hang on velocities of sliding, it is no better than they are.
  chatter.set_rough(0);
  CHECK(chatter.known(0, -5e-14, blur).speed == -5e-14);
  CHECK(chatter.known(0, -5e-14, blur).zero == blur);
}

TEST_CASE("the limit of flights lower than round-off is as uncertain as they are long", "[chatter]") {
  Followed followed;
  followed.add(3e-6);
  for (const double blur : {1e-6, 0.5, 1.0, 1e10}) {
    followed.blur = blur;
    CHECK(followed.error() == Approx(std::min(blur, 1.0) * 3e-6));
  }
}

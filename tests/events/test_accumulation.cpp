// tests/events/test_accumulation.cpp
//
// The limit of a geometric sequence of impacts is recognised and predicted; sequences that do not
// shrink geometrically are not.
#include <catch2/catch.hpp>
#include <cmath>

#include "hstar/events/accumulation.hpp"

using hstar::events::Accumulation;
using hstar::events::AccumulationLimit;

TEST_CASE("a bouncing ball comes to rest at the sum of its geometric series") {
  for (const double e : {0.1, 0.5, 0.8, 0.95, 0.99}) {
    const double v0 = 3.0, gravity = 9.81;
    Accumulation a;
    double t = 0.7, v = v0;  // first impact at t = 0.7
    const double limit = t + 2.0 * v0 / gravity * e / (1.0 - e);
    for (int k = 0; k < 8; ++k) {
      a.add(t, v);
      INFO("restitution " << e << " event " << k);
      if (k < 3) {
        CHECK_FALSE(a.limit().recognised);
      } else {
        const AccumulationLimit l = a.limit();
        CHECK(l.recognised);
        CHECK(l.ratio == Approx(e).epsilon(1e-6));
        CHECK(std::fabs(l.t_limit - limit) <= l.error + 1e-12 / (1.0 - e));
        CHECK(l.remaining == Approx(limit - t).epsilon(1e-6));
      }
      v *= e;
      t += 2.0 * v / gravity;
    }
    CHECK(a.count() == 8);
    CHECK(a.first_time() == 0.7);
  }
}

TEST_CASE("a slowly varying ratio is recognised and the error estimate covers what is left") {
  // intervals e^k (1 + 0.1 e^k): geometric in the limit
  const double e = 0.6;
  Accumulation a;
  double t = 0.0, limit = 0.0;
  const auto interval = [e](int k) { return std::pow(e, k) * (1.0 + 0.1 * std::pow(e, k)); };
  for (int k = 0; k < 200; ++k) limit += interval(k);
  for (int k = 0; k < 7; ++k) {
    a.add(t, std::pow(e, k));
    t += interval(k);
  }
  const AccumulationLimit l = a.limit();
  REQUIRE(l.recognised);
  CHECK(std::fabs(l.t_limit - limit) < 2.0 * l.error);
}

TEST_CASE("what is not an accumulation is not taken for one") {
  SECTION("equal intervals") {
    Accumulation a;
    for (int k = 0; k < 6; ++k) a.add(k, 1.0);
    CHECK_FALSE(a.limit().recognised);
  }
  SECTION("shrinking like 1/k: the sum diverges") {
    Accumulation a;
    double t = 0.0;
    for (int k = 1; k < 20; ++k) {
      a.add(t, 1.0 / k);
      t += 1.0 / k;
      CHECK_FALSE(a.limit().recognised);
    }
  }
  SECTION("intervals shrink but the impacts do not") {
    Accumulation a;
    double t = 0.0;
    for (int k = 0; k < 6; ++k) {
      a.add(t, 2.0);
      t += std::pow(0.5, k);
    }
    CHECK_FALSE(a.limit().recognised);
  }
  SECTION("ratios jump") {
    Accumulation a;
    double t = 0.0, d = 1.0, s = 1.0;
    for (int k = 0; k < 6; ++k) {
      a.add(t, s);
      const double q = k % 2 ? 0.3 : 0.8;
      t += d;
      d *= q;
      s *= q;
    }
    CHECK_FALSE(a.limit().recognised);
  }
  SECTION("after a reset it starts anew") {
    Accumulation a;
    for (int k = 0; k < 6; ++k) a.add(2.0 - std::pow(0.5, k), std::pow(0.5, k));
    CHECK(a.limit().recognised);
    a.reset();
    CHECK(a.count() == 0);
    CHECK_FALSE(a.limit().recognised);
  }
}

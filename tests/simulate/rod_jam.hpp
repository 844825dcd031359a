// tests/simulate/rod_jam.hpp
//
// A rod of 1 kg slides on its tip at 1 m/s, mu so large that its normal force would drive it into the floor: the
// impulse of the jam in closed form. Slip until the tip stands, then stick, until the normal velocity is zero again.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>

#include "hstar/run.hpp"

struct RodJam {
  double mu = 1.6, theta = 0.93, l = 0.5, J = l * l / 3;  ///< theta from the floor, the centre l from the tip
  double nn = 1 + l * l * std::cos(theta) * std::cos(theta) / J, tt = 1 + l * l * std::sin(theta) * std::sin(theta) / J,
         nt = -l * l * std::sin(theta) * std::cos(theta) / J;
  double p = nn + mu * nt;  ///< of the slip: negative
  double first = 1.0 / (nt + mu * tt), second = -p * first / (nn - nt * nt / tt), compression = first + second;

  template <class Run>
  void check(const Run& r, double e) const {
    REQUIRE(p < 0);
    REQUIRE(std::abs(nt) <= mu * tt);  // stick lies in the cone
    INFO("e = " << e << ": " << r.outcome.message);
    REQUIRE(r.outcome.success());
    REQUIRE(!r.events.empty());
    const hstar::EventRecord& jam = r.events.front();
    CHECK(jam.kind == "jam");
    CHECK(jam.impulse_n == Approx((1 + e) * compression).epsilon(1e-12));
    CHECK(jam.impulse_t == Approx(mu * first - nt / tt * (second + e * compression)).epsilon(1e-12));
    CHECK(jam.gap_velocity_after == Approx((nn - nt * nt / tt) * e * compression).margin(1e-12));
    CHECK(jam.energy_loss > 0);
  }
};

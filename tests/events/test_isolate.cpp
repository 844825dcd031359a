// tests/events/test_isolate.cpp
//
// isolate(): every root and touch of a scalar function, without and with a bound of its rate.
#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

#include "hstar/events/isolate.hpp"

using namespace hstar::events;

TEST_CASE("roots of the Chebyshev polynomial of degree 12") {
  const auto t12 = [](double x) { return std::cos(12.0 * std::acos(x)); };
  const Isolated r = isolate(t12, -1.0, 1.0);
  REQUIRE(r.complete);
  REQUIRE(r.roots.size() == 12);
  for (int k = 0; k < 12; ++k) CHECK(std::fabs(r.roots[k].t + std::cos((2 * k + 1) * M_PI / 24)) < 1e-14);
}

TEST_CASE("a narrow spike between the samples is found with a rate bound") {
  const auto spike = [](double t) { return 1.0 - 1.5 * std::exp(-std::pow((t - 0.4321) / 2e-3, 2)); };
  IsolateOptions o;
  o.rate_bound = 1000.0;  // largest slope: 1.5 sqrt(2/e) / 2e-3 = 643
  const Isolated r = isolate(spike, 0.0, 1.0, o);
  REQUIRE(r.roots.size() == 2);
  const double half = 2e-3 * std::sqrt(std::log(1.5));
  CHECK(std::fabs(r.roots[0].t - (0.4321 - half)) < 1e-14);
  CHECK(std::fabs(r.roots[1].t - (0.4321 + half)) < 1e-14);
}

TEST_CASE("a double root is a touch, a triple root a crossing") {
  const Isolated r = isolate([](double t) { return std::pow(t - 0.3, 2) * std::pow(t - 0.8, 3); }, 0.0, 1.0);
  REQUIRE(r.roots.size() == 2);
  CHECK(r.roots[0].direction == 0);
  CHECK(r.roots[0].t == Approx(0.3).margin(1e-7));
  CHECK(r.roots[1].direction == 1);
  CHECK(r.roots[1].t == Approx(0.8).margin(1e-5));
}

TEST_CASE("wrong arguments are named") {
  const auto g = [](double t) { return t; };
  CHECK_THROWS_AS(isolate(g, 1.0, 0.0), std::invalid_argument);
  CHECK_THROWS_AS(isolate({}, 0.0, 1.0), std::invalid_argument);
  IsolateOptions o;
  o.g_tol = -1.0;
  CHECK_THROWS_WITH(isolate(g, 0.0, 1.0, o), Catch::Contains("g_tol") && Catch::Contains("-1"));
  o = {};
  o.monitor.max_depth = 0;
  CHECK_THROWS_WITH(isolate(g, 0.0, 1.0, o), Catch::Contains("max_depth") && Catch::Contains("[1, 60]"));
  o = {};
  o.monitor.graze_factor = std::nan("");
  CHECK_THROWS_WITH(isolate(g, 0.0, 1.0, o), Catch::Contains("graze_factor"));
  o = {};
  o.rate_bound = -1.0;
  CHECK_THROWS_WITH(isolate(g, 0.0, 1.0, o), Catch::Contains("rate_bound"));
}

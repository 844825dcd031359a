// tests/events/test_monitor_allocation.cpp
//
// After the first looks of a mode, restart and look allocate nothing: counted by operator new. Bad
// options and guards are refused with their name, value and bound.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "clock_step.hpp"

namespace {
std::atomic<std::size_t> allocations{0};
}

void* operator new(std::size_t n) {
  ++allocations;
  if (void* p = std::malloc(n > 0 ? n : 1)) return p;
  throw std::bad_alloc();
}
// std::stable_sort asks without exceptions; a sanitizer would give it memory of its own.
void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(n > 0 ? n : 1);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace clock_test;

TEST_CASE("no allocation in look and restart, with roots, grazes, halving and ties") {
  FunctionGuards set;
  add(set, guard("linear", Crossing::falling, Role::active, Sign::from_value, 1), [](double t) { return 0.9 - t; });
  add(set, guard("tie", Crossing::falling), [](double t) { return std::cos(t) - std::cos(0.9); });
  add(set, guard("fast", Crossing::either, Role::passive), [](double t) { return std::sin(60.0 * t + 0.1); });
  add(set, guard("touch", Crossing::either, Role::passive), [](double t) { return (t - 0.4) * (t - 0.4); });
  add(set, guard("kink", Crossing::either, Role::passive), [](double t) { return std::fabs(t - 0.3); });
  Monitor m(set, 1);
  std::size_t before = 0;
  for (int round = 0; round < 4; ++round) {
    if (round == 1) before = allocations;
    restart(m, 0.0);
    ClockStep first(0.0, 0.5), second(0.5, 1.0);
    const bool quiet = !m.look(first).has_event();
    const Look& look = m.look(second);
    if (!quiet || look.active.size() != 2) FAIL("the events are not as expected");
    restart(m, look.t_event());
  }
  CHECK(allocations - before == 0);
}

TEST_CASE("bad options and guards are refused with name, value and bound") {
  FunctionGuards set;
  add(set, guard("good"), [](double t) { return t; });
  const auto with = [&set](auto change) {
    MonitorOptions o;
    change(o);
    Monitor m(set, 1, o);
  };
  CHECK_THROWS_WITH(with([](MonitorOptions& o) { o.max_depth = 0; }),
                    Catch::Contains("max_depth") && Catch::Contains("0"));
  CHECK_THROWS_WITH(with([](MonitorOptions& o) { o.max_polish = -3; }),
                    Catch::Contains("max_polish") && Catch::Contains(">= 1"));
  CHECK_THROWS_WITH(with([](MonitorOptions& o) { o.tie_ulps = 0.5; }), Catch::Contains("tie_ulps"));
  CHECK_THROWS_WITH(with([](MonitorOptions& o) { o.graze_factor = 0.0; }), Catch::Contains("graze_factor"));
  set.edit(0).g_tol = -1.0;
  CHECK_THROWS_WITH(Monitor(set, 1), Catch::Contains("'good'") && Catch::Contains("g_tol"));
  set.edit(0).g_tol = std::nan("");
  CHECK_THROWS_AS(Monitor(set, 1), std::invalid_argument);
  set.edit(0).g_tol = 0.0;
  set.edit(0).degree = -1;
  CHECK_THROWS_WITH(Monitor(set, 1), Catch::Contains("degree"));
  set.edit(0).degree = 0;
  set.edit(0).name.clear();
  CHECK_THROWS_WITH(Monitor(set, 1), Catch::Contains("name"));
  CHECK_THROWS_AS(set.add(guard("empty"), {}), std::invalid_argument);
}

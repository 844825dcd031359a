// tests/events/test_monitor_start.cpp
//
// Just after an event g is zero up to round-off. Knowledge (the declared sign) instead of nudging: no
// root may be made out of the zero that a segment begins with, and none that follows may be missed.
#include <algorithm>
#include <catch2/catch.hpp>

#include "clock_step.hpp"

using namespace clock_test;

namespace {

std::size_t events_of(std::function<double(double)> g, Sign start, double g_tol, double* t = nullptr,
                      std::size_t* grazes = nullptr, double from = 0.0) {
  FunctionGuards set;
  add(set, guard("g", Crossing::either, Role::passive, start, 0, g_tol), std::move(g));
  Monitor m(set, 1);
  restart(m, from);
  std::size_t n = 0;
  for (int i = 0; i < 4; ++i) {
    ClockStep step(from + 0.25 * i, from + 0.25 * (i + 1));
    for (const Root& r : m.look(step).passive) {
      if (r.direction == 0) {
        if (grazes) ++*grazes;
      } else {
        ++n;
        if (t) *t = r.t;
      }
    }
  }
  return n;
}

}  // namespace

TEST_CASE("leaving zero as tau, tau^2, tau^3 to the declared side is no event") {
  for (const double offset : {0.0, 1e-17, -1e-17, 1e-16, -1e-16})
    for (const int power : {1, 2, 3})
      for (const int side : {1, -1}) {
        INFO("offset " << offset << " power " << power << " side " << side);
        std::size_t grazes = 0;
        CHECK(events_of([=](double t) { return side * std::pow(t, power) + offset; },
                        side > 0 ? Sign::positive : Sign::negative, 2e-16, nullptr, &grazes) == 0);
        CHECK(grazes == 0);
      }
}

TEST_CASE("a guard at zero that says from_value is decided by where it goes") {
  for (const int power : {1, 2, 3})
    for (const int side : {1, -1})
      CHECK(events_of([=](double t) { return side * std::pow(t, power); }, Sign::from_value, 0.0) == 0);
}

TEST_CASE("leaving to the side opposite to the declared one is an event at the start itself") {
  for (const int power : {1, 2, 3})
    for (const int side : {1, -1}) {
      double t = -1.0;
      INFO("power " << power << " side " << side);
      CHECK(events_of([=](double x) { return -side * std::pow(x, power); }, side > 0 ? Sign::positive : Sign::negative,
                      0.0, &t) == 1);
      CHECK(t == 0.0);
    }
  double t = -1.0;
  CHECK(events_of([](double x) { return -1.0 - x; }, Sign::positive, 0.0, &t) == 1);
  CHECK(t == 0.0);
}

TEST_CASE("a flight that starts at zero and returns is found however short it is") {
  for (double v = 1.0; v > 1e-7; v /= 10.0) {
    // g = v t - t^2: back at t = v
    double t = -1.0;
    INFO("speed " << v);
    CHECK(events_of([v](double x) { return x * (0.9 * v - x); }, Sign::positive, 0.0, &t) == 1);
    CHECK(std::fabs(t - 0.9 * v) < 1e-15);
  }
}

TEST_CASE(
    "a guard that leaves zero, returns to it and turns round in a corner is never told to have left to the other "
    "side") {
  // g = |v t - t^2|, the distance of two edges: it has no sign change. A step too long for its interpolation may be
  // refused and taken again in pieces, as a run does, but no piece may invent an event at its start.
  for (double v = 0.5; v > 1e-5; v /= 1.7)
    for (double step = 1.0; step > 1e-3; step /= 2.0) {
      INFO("speed " << v << " step " << step);
      FunctionGuards set;
      add(set, guard("g", Crossing::falling, Role::active, Sign::positive, 0, 1e-16),
          [v](double t) { return std::fabs(t * (v - t)); });
      Monitor m(set, 1);
      restart(m, 0.0);
      ClockStep first(0.0, step);
      const Look& look = m.look(first);
      if (look.status == LookStatus::ok)
        CHECK(std::all_of(look.active.begin(), look.active.end(), [](const Root& r) { return r.direction == 0; }));
    }
}

TEST_CASE("told its side again, a guard comes back later from a hump below its tolerance") {
  // (That side is what was decided there. The same root again would be decided alike, for ever.)
  FunctionGuards set;
  add(set, guard("g", Crossing::falling, Role::active, Sign::positive, 0, 3e-16),
      [](double t) { return (1.0 + 1e-12 * t * (4e-5 - t)) - 1.0; });  // (with the round-off of positions near 1)
  Monitor m(set, 1);
  double t = 0.0;
  for (const double expected : {0.0, std::sqrt(2.5 * 1.11e-4)}) {  // (from there on it is rounded to -3 places)
    restart(m, 0.0);
    ClockStep step(0.0, 0.25);
    const Look& look = m.look(step);
    REQUIRE(look.active.size() == 1);
    CHECK(look.active[0].direction == -1);
    t = look.t_event();
    CHECK(std::fabs(t - expected) < 1e-4);
    CHECK(look.active[0].dt_error >= t);  // (it is somewhere since the start)
  }
  // Where it is then its side is another.
  restart(m, t);
  ClockStep step(t, t + 0.25);
  CHECK(m.look(step).t_event() == t);
}

TEST_CASE("triple zero at the start, then a real root") {
  double t = -1.0;
  CHECK(events_of([](double x) { return x * x * x * (0.6 - x); }, Sign::positive, 0.0, &t) == 1);
  CHECK(std::fabs(t - 0.6) < 1e-14);
  CHECK(events_of([](double x) { return x * x * x * (1e-3 - x); }, Sign::positive, 0.0, &t) == 1);
  CHECK(std::fabs(t - 1e-3) < 1e-14);
}

TEST_CASE("a guard that stays at zero has no root, exactly or within its tolerance") {
  CHECK(events_of([](double) { return 0.0; }, Sign::from_value, 0.0) == 0);
  CHECK(events_of([](double) { return 0.0; }, Sign::positive, 0.0) == 0);
  std::size_t grazes = 0;
  CHECK(events_of([](double t) { return 1e-15 * std::sin(1e6 * t); }, Sign::negative, 2e-15, nullptr, &grazes) == 0);
  CHECK(grazes == 0);
}

TEST_CASE("a guard that stays at zero for some steps and then leaves") {
  const auto g = [](double t) { return t < 0.5 ? 0.0 : (t - 0.5) * (t - 0.5); };
  CHECK(events_of(g, Sign::positive, 0.0) == 0);
  CHECK(events_of(g, Sign::from_value, 0.0) == 0);
  double t = -1.0;
  CHECK(events_of(g, Sign::negative, 0.0, &t) == 1);
  CHECK(std::fabs(t - 0.5) < 1e-9);
}

TEST_CASE("a root right after the start of a step is not swallowed") {
  for (double dt = 1e-2; dt > 1e-15; dt /= 10.0) {
    double t = -1.0;
    INFO("dt " << dt);
    CHECK(events_of([dt](double x) { return dt - x; }, Sign::positive, 0.0, &t) == 1);
    CHECK(std::fabs(t - dt) <= 1e-16);
    CHECK(events_of([dt](double x) { return dt - (x - 1.0); }, Sign::from_value, 0.0, &t, nullptr, 1.0) == 1);
    CHECK(std::fabs(t - 1.0 - dt) <= 5e-16);
  }
}

namespace {

/// y = t, from a restart on.
class ClockBegins final : public Beginning {
 public:
  bool at(double t, std::span<double> y) override {
    y[0] = t;
    return true;
  }
  double longest() const override { return 100.0; }
};

}  // namespace

TEST_CASE("a guard that begins at zero goes where the motion goes at first, not where a long step ends") {
  // sin(w t) with up to 40 half waves in the first step: it leaves zero upwards, and falls first at pi/w.
  for (const double sense : {1.0, -1.0})
    for (const double w : {3.0, 10.0, 30.0, 125.0}) {
      INFO("sense " << sense << ", w " << w);
      FunctionGuards set;
      add(set, guard("g", sense > 0 ? Crossing::falling : Crossing::rising, Role::active, Sign::from_value, 0, 1e-15),
          [=](double t) { return sense * std::sin(w * t); });
      Monitor m(set, 1);
      ClockBegins clock;
      const double y[1] = {0.0};
      m.restart(0.0, y, &clock);
      ClockStep step(0.0, 1.5);
      const Look& look = m.look(step);
      REQUIRE(look.has_event());
      CHECK(std::fabs(look.t_event() - M_PI / w) < 1e-14);
    }
}

TEST_CASE("a crossing at the instant of a restart that is not its own event is kept") {
  // g = 1 - t passes zero at 1, where a step ends and the motion restarts, by round-off before or after it.
  for (int ulps = -12; ulps <= 12; ++ulps) {
    INFO(ulps << " ulp");
    double restart_at = 1.0;
    for (int i = 0; i < std::abs(ulps); ++i) restart_at = std::nextafter(restart_at, ulps > 0 ? 2.0 : 0.0);
    FunctionGuards set;
    add(set, guard("g", Crossing::falling, Role::active, Sign::from_value, 1, 16e-16),
        [](double t) { return 1.0 - t; });
    Monitor m(set, 1);
    restart(m, 0.0);
    std::size_t events = 0;
    ClockStep before(0.0, restart_at);
    events += m.look(before).has_event();
    if (events == 0) {
      restart(m, restart_at);
      ClockStep after(restart_at, 2.0);
      events += m.look(after).has_event();
    }
    CHECK(events == 1);
  }
}

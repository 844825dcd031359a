// tests/events/test_monitor_error.cpp
//
// What the interpolant gets wrong is put right on the integrator's own steps: event times do not carry
// the interpolant's error, the order of two events is the solution's, and a crossing is told from a
// near miss wherever its depth exceeds ten times the step's error; the rest is a graze.
#include <catch2/catch.hpp>

#include "clock_step.hpp"

using namespace clock_test;

namespace {

struct Seen {
  std::size_t roots = 0, grazes = 0;
  double first = -1.0;
};

Seen look_at(PerturbedStep step, Role role = Role::passive) {
  FunctionGuards set;
  GuardInfo info = guard("g", Crossing::either, role, Sign::from_value, 1);
  set.add(info, [](double, std::span<const double> y) { return y[0]; });
  Monitor m(set, 1);
  double y[1];
  step.at(step.t0(), y);
  m.restart(step.t0(), y);
  const Look& look = m.look(step);
  Seen s;
  for (const auto* list : {&look.active, &look.passive})
    for (const Root& r : *list) {
      if (r.direction == 0) {
        ++s.grazes;
      } else {
        if (s.roots == 0) s.first = r.t;
        ++s.roots;
      }
    }
  return s;
}

}  // namespace

TEST_CASE("the event time is the integrator's, not the interpolant's") {
  for (const double e : {1e-2, 1e-4, 1e-8}) {
    const Seen s = look_at(
        {0.0, 1.0, [](double t) { return std::cos(2.0 * t); }, [e](double t) { return e * std::sin(7.0 * t); }, e},
        Role::active);
    REQUIRE(s.roots == 1);
    CHECK(std::fabs(s.first - M_PI / 4) < 4e-16);
  }
}

TEST_CASE("a crossing is found wherever the solution has it, however wrong the interpolant and its error are") {
  // Rates that change faster than a step tells (friction whose direction turns at 1e-14 m/s): the interpolant crosses
  // at 0.5, the solution at 0.1.
  const Seen s = look_at(
      {0.0, 1.0, [](double t) { return 0.1 - t; }, [](double t) { return 1.6 * t * (1 - t); }, 1e-12}, Role::active);
  REQUIRE(s.roots == 1);
  CHECK(std::fabs(s.first - 0.1) < 1e-15);
}

TEST_CASE("dips: crossing where deeper than ten errors, nothing where clear of it, a graze between") {
  for (const double e : {1e-3, 1e-6, 1e-9})
    for (const double wrong_sign : {1.0, -1.0})
      for (const double depth : {-100.0, -20.0, -10.5, -3.0, -0.5, 0.0, 0.5, 3.0, 10.5, 20.0, 100.0}) {
        const auto f = [e, depth](double t) { return (t - 0.37) * (t - 0.37) - depth * e; };
        const Seen s = look_at({0.0, 1.0, f, [=](double t) { return wrong_sign * e * std::sin(3.0 * t); }, e});
        INFO("error " << e << " depth " << depth << " errors, interpolant off by " << wrong_sign);
        if (depth > 10.0) {
          CHECK(s.roots == 2);
          CHECK(std::fabs(s.first - (0.37 - std::sqrt(depth * e))) < 1e-12);
        } else if (depth < -10.0) {
          CHECK(s.roots == 0);
          if (depth < -12.0) CHECK(s.grazes == 0);
        } else {
          CHECK((s.roots == 2) != (s.grazes == 1));
          if (depth <= 0.0) CHECK(s.roots == 0);
          if (std::fabs(depth) < 1.0) CHECK(s.grazes == 1);
        }
      }
}

TEST_CASE("an exact touch is a graze and never fires") {
  for (const double e : {0.0, 1e-6, 1e-12}) {
    const Seen s = look_at({0.0, 1.0, [](double t) { return (t - 0.4) * (t - 0.4); }, [](double) { return 0.0; }, e},
                           Role::active);
    INFO("error " << e);
    CHECK(s.roots == 0);
    CHECK(s.grazes == 1);
  }
}

TEST_CASE("a touch on the border of two steps is reported once") {
  FunctionGuards set;
  add(set, guard("g", Crossing::falling), [](double t) { return (t - 0.5) * (t - 0.5); });
  Monitor m(set, 1);
  restart(m, 0.0);
  std::size_t grazes = 0;
  for (int i = 0; i < 2; ++i) {
    ClockStep step(0.5 * i, 0.5 * (i + 1));
    const Look& look = m.look(step);
    CHECK_FALSE(look.has_event());
    grazes += look.passive.size();
  }
  CHECK(grazes == 1);
}

TEST_CASE("two guards closer than the interpolant's error fire in the order of the solution") {
  // y0 = y1 = t, but the interpolant is late in y0
  class Two final : public DenseStep {
   public:
    double t0() const override { return 0.0; }
    double t1() const override { return 1.0; }
    std::size_t size() const override { return 2; }
    int degree() const override { return 0; }
    void at(double t, std::span<double> y) const override {
      const double wrong = 1e-4 * t * (1.0 - t) * 4.0;
      y[0] = t - wrong;
      y[1] = t + wrong;
    }
    bool finish_at(double t, std::span<double> y) override {
      y[0] = y[1] = t;
      return true;
    }
    std::span<const double> error() const override { return error_; }

   private:
    double error_[2] = {1e-4, 1e-4};
  } step;
  for (const bool swapped : {false, true}) {
    FunctionGuards set;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
      const std::size_t component = swapped ? 1 - i : i;
      const double root = component == 0 ? 0.5 : 0.50001;
      set.add(guard("g", Crossing::falling, Role::active, Sign::from_value, 1),
              [=](double, std::span<const double> y) { return root - y[component]; });
    }
    Monitor m(set, 2);
    const double y[2] = {0.0, 0.0};
    m.restart(0.0, y);
    const Look& look = m.look(step);
    REQUIRE(look.active.size() == 1);
    CHECK(look.active[0].guard == (swapped ? 1u : 0u));
    CHECK(std::fabs(look.t_event() - 0.5) < 1e-15);
  }
}

TEST_CASE("the error of the event time is the error of the step over the slope") {
  FunctionGuards set;
  set.add(guard("g", Crossing::falling, Role::active, Sign::from_value, 1),
          [](double, std::span<const double> y) { return 4.0 * (0.5 - y[0]); });
  PerturbedStep step(
      0.0, 1.0, [](double t) { return t; }, [](double) { return 0.0; }, 1e-5);
  Monitor m(set, 1);
  const double y[1] = {0.0};
  m.restart(0.0, y);
  CHECK(m.look(step).active.at(0).dt_error == Approx(1e-5).epsilon(1e-3));
}

TEST_CASE("leaving zero: what the transition knows outweighs a value within the step's error") {
  // declared positive, leaves as t^2, but from the first step on the integrator is off by less than its error (the rate
  // at the start is exact)
  for (const double wrong : {0.0, 0.5e-6, -0.5e-6})
    for (const Sign start : {Sign::positive, Sign::from_value}) {
      FunctionGuards set;
      set.add(guard("g", Crossing::either, Role::active, start, 1),
              [](double, std::span<const double> y) { return y[0]; });
      Monitor m(set, 1);
      const double y[1] = {0.0};
      m.restart(0.0, y);
      std::size_t events = 0;
      for (const auto& [a, b] : {std::pair(0.0, 1e-4), std::pair(1e-4, 0.1), std::pair(0.1, 1.0)}) {
        PerturbedStep step(
            a, b, [wrong](double t) { return t * t + wrong * (1.0 - 1.0 / (1.0 + 1e10 * t * t)); },
            [](double) { return 0.0; }, 1e-6);
        events += m.look(step).has_event();
      }
      INFO("off by " << wrong);
      CHECK(events == 0);
    }
}

TEST_CASE("an event is the end of the look: what comes after it on the step is not followed") {
  // A guard that needs halving down to its kink, long after the event.
  const auto calls_with_event_at = [](double t_event) {
    int calls = 0;
    FunctionGuards set;
    add(set, guard("event", Crossing::falling), [=](double t) { return t_event - t; });
    add(set, guard("kink", Crossing::falling), [&calls](double t) {
      ++calls;
      return 1e-3 + std::fabs(t - 0.7);
    });
    Monitor m(set, 1);
    restart(m, 0.0);
    ClockStep step(0.0, 1.0);
    const Look& look = m.look(step);
    REQUIRE(look.has_event());
    CHECK(look.active.size() == 1);
    CHECK(std::fabs(look.t_event() - t_event) <= 2e-16);
    return calls;
  };
  CHECK(calls_with_event_at(0.1) < 0.5 * calls_with_event_at(0.9));
}

TEST_CASE("where only the interpolant crosses the look goes on to the end of the step") {
  // The interpolant says that y falls through zero before 0.2; the solution does not, and an event comes at 0.8.
  FunctionGuards set;
  set.add(guard("y", Crossing::falling), [](double, std::span<const double> y) { return y[0]; });
  set.add(guard("late", Crossing::falling), [](double t, std::span<const double>) { return 0.8 - t; });
  set.add(guard("kink", Crossing::falling),
          [](double t, std::span<const double>) { return 1e-3 + std::fabs(t - 0.7); });
  Monitor m(set, 1);
  const double y[1] = {0.02};
  m.restart(0.0, y);
  PerturbedStep step(
      0.0, 1.0, [](double) { return 0.02; }, [](double t) { return -0.04 * std::tanh(20.0 * t); }, 0.05);
  const Look& look = m.look(step);
  REQUIRE(look.has_event());
  CHECK(look.active.front().guard == 1);
  CHECK(std::fabs(look.t_event() - 0.8) < 1e-15);
}

TEST_CASE("a look that ends with an event has not passed another that the interpolant shows later") {
  // y = t, and the interpolant is late by up to 0.12: of what has a root at 0.2933 it is the one at 0.43. A root at 0.3
  // is known exactly, and the corner at 0.31 has the look end before 0.4.
  FunctionGuards set;
  set.add(guard("known", Crossing::falling), [](double t, std::span<const double>) { return 0.3 - t; });
  set.add(guard("late", Crossing::falling),
          [](double t, std::span<const double> y) { return 0.29 - y[0] + 0.2 * std::fabs(t - 0.31); });
  Monitor m(set, 1);
  restart(m, 0.0);
  PerturbedStep step(
      0.0, 1.0, [](double t) { return t; }, [](double t) { return -0.12 * std::sin(M_PI * t); }, 0.12);
  const Look& look = m.look(step);
  REQUIRE(look.has_event());
  CHECK(look.active.front().guard == 1);
  CHECK(std::fabs(look.t_event() - 0.352 / 1.2) < 1e-15);
}

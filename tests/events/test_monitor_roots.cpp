// tests/events/test_monitor_roots.cpp
//
// Every root of every guard on a step is found once, whatever the number, order and distance of the
// roots and the order of the guards: guards are polynomials and clocks on y = t, so the roots are known.
#include <algorithm>
#include <catch2/catch.hpp>

#include "clock_step.hpp"

using namespace clock_test;

TEST_CASE("one simple root is found to the last bits, with its direction and bracket") {
  FunctionGuards set;
  add(set, guard("down", Crossing::falling), [](double t) { return 0.3 - t; });
  Monitor m(set, 1);
  restart(m, 0.0);
  ClockStep step(0.0, 1.0);
  const Look& look = m.look(step);
  REQUIRE(look.has_event());
  const Root& r = look.active.front();
  CHECK(std::fabs(r.t - 0.3) <= 2e-16);
  CHECK(r.direction == -1);
  CHECK((r.t_lo <= 0.3 && 0.3 <= r.t_hi));
  CHECK(r.t_hi - r.t_lo < 1e-14);
  CHECK(m.event_state()[0] == r.t);
}

TEST_CASE("a crossing in the direction that is not wanted is no event") {
  FunctionGuards set;
  add(set, guard("up", Crossing::rising), [](double t) { return 0.3 - t; });
  Monitor m(set, 1);
  restart(m, 0.0);
  ClockStep step(0.0, 1.0);
  CHECK_FALSE(m.look(step).has_event());
}

TEST_CASE("pairs of roots inside one step are seen down to 1e-10 of the step") {
  for (const int degree : {0, 2})
    for (double width = 1e-1; width > 0.9e-10; width /= 10.0)
      for (const double centre : {0.1234, 0.5, 0.77}) {
        const double a = centre - 0.5 * width, b = centre + 0.5 * width;
        FunctionGuards set;
        add(set, guard("pair", Crossing::either, Role::passive, Sign::from_value, degree),
            [a, b](double t) { return (t - a) * (t - b); });
        Monitor m(set, 1);
        restart(m, 0.0);
        ClockStep step(0.0, 1.0);
        const Look& look = m.look(step);
        INFO("width " << width << " centre " << centre << " degree " << degree);
        REQUIRE(look.passive.size() == 2);
        CHECK(look.passive[0].direction == -1);
        CHECK(look.passive[1].direction == 1);
        CHECK(std::fabs(look.passive[0].t - a) < 1e-15);
        CHECK(std::fabs(look.passive[1].t - b) < 1e-15);
      }
}

TEST_CASE("the mirrored pair: a hump above zero") {
  for (double width = 1e-1; width > 0.9e-10; width /= 10.0) {
    const double a = 0.4 - 0.5 * width, b = 0.4 + 0.5 * width;
    FunctionGuards set;
    add(set, guard("hump", Crossing::rising), [a, b](double t) { return -(t - a) * (t - b); });
    Monitor m(set, 1);
    restart(m, 0.0);
    ClockStep step(0.0, 1.0);
    const Look& look = m.look(step);
    INFO("width " << width);
    REQUIRE(look.has_event());
    CHECK(std::fabs(look.t_event() - a) < 1e-15);
  }
}

TEST_CASE("many roots of a guard of unknown degree") {
  for (const double omega : {3.0, 10.0, 40.0, 150.0}) {
    FunctionGuards set;
    add(set, guard("sine", Crossing::either, Role::passive), [omega](double t) { return std::sin(omega * t + 0.3); });
    Monitor m(set, 1);
    restart(m, 0.0);
    ClockStep step(0.0, 1.0);
    const Look& look = m.look(step);
    std::size_t k = 0;
    for (int n = 1;; ++n) {
      const double t = (n * M_PI - 0.3) / omega;
      if (t >= 1.0) break;
      INFO("omega " << omega << " root " << n);
      REQUIRE(k < look.passive.size());
      CHECK(std::fabs(look.passive[k].t - t) < 1e-14);
      CHECK(look.passive[k].direction == (n % 2 ? -1 : 1));
      ++k;
    }
    CHECK(k == look.passive.size());
  }
}

TEST_CASE("the order of the guards does not matter") {
  std::vector<int> order = {0, 1, 2, 3};
  const auto g = [](int i, double t) {
    switch (i) {
      case 0:
        return 0.5 - t;
      case 1:
        return std::cos(M_PI * t);  // 0.5 too
      case 2:
        return 0.7 - t;
      default:
        return (t - 0.2) * (t - 0.9);  // rises at 0.9 only
    }
  };
  do {
    FunctionGuards set;
    for (const int i : order)
      add(set, guard("g", i == 3 ? Crossing::rising : Crossing::falling), [g, i](double t) { return g(i, t); });
    Monitor m(set, 1);
    restart(m, 0.0);
    ClockStep step(0.0, 1.0);
    const Look& look = m.look(step);
    REQUIRE(look.active.size() == 2);
    std::vector<int> fired = {order[look.active[0].guard], order[look.active[1].guard]};
    std::sort(fired.begin(), fired.end());
    CHECK(fired == std::vector<int>{0, 1});
    CHECK(std::fabs(look.t_event() - 0.5) < 1e-15);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("five events ten ulp apart are five events, in order") {
  const double ulp = std::nextafter(1.0, 2.0) - 1.0;
  FunctionGuards set;
  for (int i = 0; i < 5; ++i) {
    const double root = 1.0 + (4 - i) * 10 * ulp;
    add(set, guard("g", Crossing::falling), [root](double t) { return root - t; });
  }
  MonitorOptions o;
  o.tie_ulps = 2.0;
  Monitor m(set, 1, o);
  double t = 0.5;
  restart(m, t);
  std::vector<std::size_t> seen;
  for (int i = 0; i < 10; ++i) {
    ClockStep step(t, 2.0);
    const Look& look = m.look(step);
    if (!look.has_event()) break;
    REQUIRE(look.active.size() == 1);
    seen.push_back(look.active[0].guard);
    t = look.t_event();
    // the effect: this guard has fired and is negative now
    set.edit(seen.back()).start = Sign::negative;
    restart(m, t);
  }
  CHECK(seen == std::vector<std::size_t>{4, 3, 2, 1, 0});
}

TEST_CASE("declared ties: the same five within tie_ulps are one instant") {
  const double ulp = std::nextafter(1.0, 2.0) - 1.0;
  FunctionGuards set;
  for (int i = 0; i < 5; ++i) {
    const double root = 1.0 + i * 10 * ulp;
    add(set, guard("g", Crossing::falling), [root](double t) { return root - t; });
  }
  Monitor m(set, 1);  // 64 ulp
  restart(m, 0.5);
  ClockStep step(0.5, 2.0);
  CHECK(m.look(step).active.size() == 5);
}

TEST_CASE("guards whose tolerances overlap at the event are one instant, whatever their slopes and order") {
  for (const double slope : {0.1, 0.3, 1.0, 3.0, 10.0})
    for (const bool first : {true, false}) {
      FunctionGuards set;
      for (const bool steep : {first, !first})
        add(set, guard(steep ? "steep" : "flat", Crossing::falling, Role::active, Sign::from_value, 1, 1e-9),
            [k = steep ? slope : 1.0](double t) { return k * (0.5 - t); });
      Monitor m(set, 1);
      restart(m, 0.0);
      ClockStep step(0.0, 1.0);
      INFO("slope " << slope);
      CHECK(m.look(step).active.size() == 2);
    }
}

TEST_CASE("a passive guard within its tolerance at an event is recorded once, before or after it") {
  for (const double offset : {-2e-9, -5e-10, -1e-12, 0.0, 1e-12, 5e-10, 2e-9}) {
    FunctionGuards set;
    add(set, guard("passive", Crossing::either, Role::passive, Sign::from_value, 1, 1e-9),
        [offset](double t) { return 0.5 + offset - t; });
    add(set, guard("active", Crossing::falling, Role::active, Sign::from_value, 1, 1e-9),
        [](double t) { return 0.5 - t; });
    Monitor m(set, 1);
    restart(m, 0.0);
    ClockStep step(0.0, 1.0);
    std::size_t seen = m.look(step).passive.size();
    const double t = m.event_state()[0];
    set.edit(1).start = Sign::negative;
    restart(m, t);
    ClockStep rest(t, 1.0);
    seen += m.look(rest).passive.size();
    INFO("offset " << offset);
    CHECK(seen == 1);
  }
}

TEST_CASE("active guards a few round-offs apart, restarted by value, end after as many events") {
  // the value does not resolve the times: a guard that has fired must not fire again from what is left of it
  FunctionGuards set;
  for (const double shift : {0.0, 1e-16, 2e-16, 3e-16})
    add(set, guard("g"), [shift](double t) { return 0.06 * (0.5 + shift - t) + 0.94 - 0.94; });
  MonitorOptions o;
  o.tie_ulps = 1.0;
  Monitor m(set, 1, o);
  double t = 0.0;
  restart(m, t);
  int events = 0;
  for (; events < 20; ++events) {
    ClockStep step(t, 1.0);
    const Look& look = m.look(step);
    if (!look.has_event()) break;
    t = look.t_event();
    restart(m, t);
  }
  CHECK(events >= 1);
  CHECK(events <= 4);
}

TEST_CASE("passive roots before the event are recorded, those after it are seen again") {
  FunctionGuards set;
  add(set, guard("passive", Crossing::either, Role::passive), [](double t) { return (t - 0.2) * (t - 0.6); });
  add(set, guard("active", Crossing::falling), [](double t) { return 0.5 - t; });
  Monitor m(set, 1);
  restart(m, 0.0);
  ClockStep step(0.0, 1.0);
  {
    const Look& look = m.look(step);
    REQUIRE(look.passive.size() == 1);
    CHECK(std::fabs(look.passive[0].t - 0.2) < 1e-15);
    REQUIRE(look.active.size() == 1);
  }
  set.edit(1).start = Sign::negative;
  restart(m, 0.5);
  ClockStep next(0.5, 1.0);
  const Look& look = m.look(next);
  CHECK_FALSE(look.has_event());
  REQUIRE(look.passive.size() == 1);
  CHECK(std::fabs(look.passive[0].t - 0.6) < 1e-15);
}

TEST_CASE("a passive root at the instant of an event is recorded once") {
  for (const double shift : {0.0, 1e-16, -1e-16, 3e-16, -3e-16, 1e-15, -1e-15}) {
    FunctionGuards set;
    add(set, guard("passive", Crossing::either, Role::passive), [shift](double t) { return 3.0 * (0.5 + shift - t); });
    add(set, guard("active", Crossing::falling), [](double t) { return 0.5 - t; });
    Monitor m(set, 1);
    restart(m, 0.0);
    ClockStep step(0.0, 1.0);
    std::size_t seen = m.look(step).passive.size();
    set.edit(1).start = Sign::negative;
    const double t = m.event_state()[0];
    restart(m, t);
    ClockStep next(t, 1.0);
    seen += m.look(next).passive.size();
    INFO("shift " << shift);
    CHECK(seen == 1);
  }
}

TEST_CASE("a root exactly at the end of a step is found once") {
  for (const Role role : {Role::active, Role::passive}) {
    FunctionGuards set;
    add(set, guard("g", Crossing::falling, role), [](double t) { return 0.5 - t; });
    Monitor m(set, 1);
    restart(m, 0.0);
    std::size_t seen = 0;
    for (int i = 0; i < 4; ++i) {
      ClockStep step(0.25 * i, 0.25 * (i + 1));
      const Look& look = m.look(step);
      for (const auto* list : {&look.active, &look.passive})
        for (const Root& r : *list) {
          ++seen;
          CHECK(r.t == 0.5);
        }
      if (look.has_event()) break;
    }
    CHECK(seen == 1);
  }
}

TEST_CASE("steps of a few ulp neither hang nor lose an event") {
  FunctionGuards set;
  const double ulp = std::nextafter(1.0, 2.0) - 1.0;
  add(set, guard("g", Crossing::falling, Role::passive), [ulp](double t) { return 1.0 + 2.5 * ulp - t; });
  Monitor m(set, 1);
  double t = 1.0;
  restart(m, t);
  std::size_t seen = 0;
  for (int i = 0; i < 6; ++i) {
    ClockStep step(t, t + ulp);
    const Look& look = m.look(step);
    seen += look.passive.size();
    t += ulp;
  }
  CHECK(seen == 1);
  ClockStep empty(t, t);
  CHECK_FALSE(m.look(empty).has_event());
}

TEST_CASE("a guard that cannot be evaluated is told, and the step may be looked at again, shorter") {
  FunctionGuards set;
  add(set, guard("root", Crossing::falling), [](double t) { return std::sqrt(0.8 - t) - 0.6; });
  Monitor m(set, 1);
  restart(m, 0.0);
  ClockStep whole(0.0, 1.0);
  CHECK(m.look(whole).status == LookStatus::guards_failed);
  ClockStep part(0.0, 0.7);
  const Look& look = m.look(part);
  REQUIRE(look.status == LookStatus::ok);
  REQUIRE(look.has_event());
  CHECK(std::fabs(look.t_event() - 0.44) < 1e-15);
}

TEST_CASE("a kink at zero is a touch, a kink through zero a root") {
  FunctionGuards set;
  add(set, guard("touch", Crossing::either, Role::passive), [](double t) { return std::fabs(t - 0.3); });
  add(set, guard("through", Crossing::either, Role::passive),
      [](double t) { return t < 0.6 ? t - 0.6 : 5.0 * (t - 0.6); });
  Monitor m(set, 1);
  restart(m, 0.0);
  ClockStep step(0.0, 1.0);
  const Look& look = m.look(step);
  REQUIRE(look.passive.size() == 2);
  CHECK(look.passive[0].direction == 0);
  CHECK(std::fabs(look.passive[0].t - 0.3) < 1e-6);
  CHECK(look.passive[1].direction == 1);
  CHECK(std::fabs(look.passive[1].t - 0.6) < 1e-14);
}

namespace {

/// 1 - depth exp(-((t - middle)/width)^2) with its exact bounds.
class Dip final : public GuardSet {
 public:
  Dip(double depth, double middle, double width) : depth_(depth), middle_(middle), width_(width) {
    info_.name = "dip";
    info_.crossing = Crossing::either;
    info_.role = Role::passive;
  }
  std::size_t guard_count() const override { return 1; }
  const GuardInfo& info(std::size_t) const override { return info_; }
  bool values(double, std::span<const double> y, std::span<const std::size_t>, std::span<double> g) override {
    g[0] = value(y[0]);
    return true;
  }
  bool has_bounds(std::size_t) const override { return true; }
  bool bounds(std::size_t, double, double, std::span<const Range> y, std::span<const Range> rates, Range& g,
              Range& slope) override {
    CHECK(y[0].lo <= y[0].hi);
    CHECK(rates[0].lo <= 1.0);
    CHECK(rates[0].hi >= 1.0);
    const double far = std::max(std::fabs(y[0].lo - middle_), std::fabs(y[0].hi - middle_));
    const bool inside = y[0].lo <= middle_ && middle_ <= y[0].hi;
    const double near = inside ? 0.0 : std::min(std::fabs(y[0].lo - middle_), std::fabs(y[0].hi - middle_));
    g = {value(middle_ + near), value(middle_ + far)};
    // depth 2 x/width^2 exp(-(x/width)^2) lies between 0 and depth 2 far/width^2 exp(-(near/width)^2)
    const double most = 2.0 * depth_ * far / (width_ * width_) * std::exp(-near * near / (width_ * width_));
    const double least =
        inside ? 0.0 : 2.0 * depth_ * near / (width_ * width_) * std::exp(-far * far / (width_ * width_));
    slope = inside ? Range{-most, most} : y[0].lo > middle_ ? Range{least, most} : Range{-most, -least};
    return true;
  }

 private:
  double value(double t) const {
    const double x = (t - middle_) / width_;
    return 1.0 - depth_ * std::exp(-x * x);
  }
  GuardInfo info_;
  double depth_, middle_, width_;
};

/// 1 + t, of which nothing but [-1, 3] is known.
class Vague final : public GuardSet {
 public:
  Vague() { info_.name = "vague"; }
  std::size_t guard_count() const override { return 1; }
  const GuardInfo& info(std::size_t) const override { return info_; }
  bool values(double, std::span<const double> y, std::span<const std::size_t>, std::span<double> g) override {
    g[0] = 1.0 + y[0];
    return true;
  }
  bool has_bounds(std::size_t) const override { return true; }
  bool bounds(std::size_t, double, double, std::span<const Range>, std::span<const Range>, Range& g,
              Range& slope) override {
    g = {-1.0, 3.0};
    slope = {-1e20, 1e20};
    return true;
  }

 private:
  GuardInfo info_;
};

/// y = t, its interpolant given by its one row.
class RowClock final : public ClockStep {
 public:
  using ClockStep::ClockStep;
  std::span<const double> row(int) const override { return {&length_, 1}; }

 private:
  double length_ = t1() - t0();
};

}  // namespace

TEST_CASE("with bounds no dip is missed between samples, however narrow") {
  for (const double width : {0.3, 0.03, 3e-3, 1e-4})
    for (const double middle : {0.7071, 1.234, 0.31, 1.9}) {
      INFO("width " << width << ", middle " << middle);
      Dip dip(1.5, middle, width);
      Monitor m(dip, 1);
      restart(m, 0.0);
      RowClock step(0.0, 3.0);
      const Look& look = m.look(step);
      REQUIRE(look.passive.size() == 2);
      const double half = width * std::sqrt(std::log(1.5));
      CHECK(std::fabs(look.passive[0].t - (middle - half)) < 1e-12);
      CHECK(std::fabs(look.passive[1].t - (middle + half)) < 1e-12);
    }
}

TEST_CASE("a guard too flat to tell its time takes no other event with it") {
  // g_tol leaves 0.1 s of the first root open: what becomes zero within that is not zero yet.
  FunctionGuards set;
  add(set, guard("flat", Crossing::falling, Role::active, Sign::from_value, 1, 1e-15),
      [](double t) { return 1e-14 * (0.5 - t); });
  add(set, guard("steep", Crossing::falling, Role::active, Sign::from_value, 1, 1e-15),
      [](double t) { return 0.55 - t; });
  Monitor m(set, 1);
  restart(m, 0.0);
  ClockStep step(0.0, 1.0);
  const Look& look = m.look(step);
  REQUIRE(look.active.size() == 1);
  CHECK(look.active[0].guard == 0);
}

TEST_CASE("a step of a few ulp is not halved for a proof: its samples tell") {
  // (Between an event and a known instant 1.6e-14 s after it; the look was undecided, and the run ended.)
  for (const int ulps : {1, 10, 100, 142, 1000}) {
    INFO(ulps << " ulp");
    Vague vague;
    Monitor m(vague, 1);
    const double start = 0.954, end = start + ulps * 0x1p-53;
    restart(m, start);
    RowClock step(start, end);
    const Look& look = m.look(step);
    CHECK(look.status == LookStatus::ok);
    CHECK(!look.has_event());
  }
}

TEST_CASE("where bounds prove nothing at all samples tell, and sooner on the next step") {
  // (Such looks were undecided whatever the length of the step, which was halved without end.)
  Vague vague;
  Monitor m(vague, 1);
  restart(m, 0.0);
  std::size_t first = 0, last = 0;
  for (int i = 0; i < 10; ++i) {
    const std::size_t before = m.counters().guard_evaluations;
    RowClock step(i, i + 1.0);
    const Look& look = m.look(step);
    REQUIRE(look.status == LookStatus::ok);
    CHECK(!look.has_event());
    last = m.counters().guard_evaluations - before;
    if (i == 0) first = last;
  }
  CHECK(last < first / 16);
}

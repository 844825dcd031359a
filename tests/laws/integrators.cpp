// tests/laws/integrators.cpp
//
// Laws that every entry of integrators() must keep; a new method is tested by being registered.
//   - It converges with its stated order, at the end of steps, between them, and when a step ends early.
//   - Its interpolant joins the ends of the step exactly, and error() bounds what is wrong in between.
//   - Polynomials up to its order are followed exactly; a shift of time or a restart changes nothing.
//   - The error follows rtol from 1e-3 to 1e-12; steps end exactly where the caller says.
//   - After the first steps nothing allocates.
//   - What cannot be evaluated is told, never stored.
// Truth: closed forms.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "hstar/error.hpp"
#include "hstar/flow.hpp"
#include "support/allocations.hpp"

using namespace hstar;

namespace {

/// A right-hand side with its exact solution.
class Exact : public OdeProblem {
 public:
  virtual std::vector<double> solution(double t) const = 0;
};

class Oscillator final : public Exact {  // period 2 pi, both components alike
 public:
  std::size_t size() const override { return 2; }
  bool rates(double, const double* y, double* ydot) override {
    ydot[0] = y[1];
    ydot[1] = -y[0];
    return true;
  }
  std::vector<double> solution(double t) const override { return {std::cos(t), -std::sin(t)}; }
};

class Bell final : public Exact {  // y' = -y^3 sin t, y = (4 - 2 cos t)^(-1/2): nonlinear, depends on time
 public:
  std::size_t size() const override { return 1; }
  bool rates(double t, const double* y, double* ydot) override {
    ydot[0] = -y[0] * y[0] * y[0] * std::sin(t);
    return true;
  }
  std::vector<double> solution(double t) const override { return {1 / std::sqrt(4 - 2 * std::cos(t))}; }
};

class Power final : public Exact {  // y = t^p - t
 public:
  explicit Power(int p) : p_(p) {}
  std::size_t size() const override { return 1; }
  bool rates(double t, const double*, double* ydot) override {
    ydot[0] = p_ * std::pow(t, p_ - 1) - 1;
    return true;
  }
  std::vector<double> solution(double t) const override { return {std::pow(t, p_) - t}; }

 private:
  int p_;
};

class Shifted final : public OdeProblem {  // the same motion, later
 public:
  Shifted(OdeProblem& inner, double by) : inner_(inner), by_(by) {}
  std::size_t size() const override { return inner_.size(); }
  bool rates(double t, const double* y, double* ydot) override { return inner_.rates(t - by_, y, ydot); }

 private:
  OdeProblem& inner_;
  double by_;
};

/// Beyond t = 1 there is nothing: y = sqrt(1 - t).
class Wall final : public OdeProblem {
 public:
  std::size_t size() const override { return 1; }
  bool rates(double t, const double* y, double* ydot) override {
    ydot[0] = y[0] > 0 && t < 1 ? -0.5 / std::sqrt(1 - t) : NAN;
    return y[0] > -1;
  }
};

std::vector<IntegratorEntry> both_lists() {
  std::vector<IntegratorEntry> all(integrators().begin(), integrators().end());
  all.insert(all.end(), multistep_integrators().begin(), multistep_integrators().end());
  return all;
}
const std::vector<IntegratorEntry>& every_integrator() {
  static const std::vector<IntegratorEntry> all = both_lists();
  return all;
}

FlowOptions tolerance(double rtol, double t_end) {
  FlowOptions o;
  o.rtol = rtol;
  o.atol = rtol;
  o.t_end = t_end;
  return o;
}

FlowOptions fixed(double h, double t_end) {
  FlowOptions o;
  o.fixed_step = h;
  o.t_end = t_end;
  return o;
}

double distance(std::span<const double> a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
  }
  return worst;
}

/// Steps to t_end; false if a step fails.
bool go(Flow& flow, double t_end) {
  while (flow.t1() < t_end) {
    if (flow.step(t_end) != StepResult::accepted) {
      return false;
    }
  }
  return true;
}

/// Slope of log error over log h from the smallest errors that round-off does not reach.
double observed_order(const std::function<double(double)>& error, double h, double round_off = 5e-14) {
  std::vector<double> e;
  for (int k = 0; k < 12; ++k, h /= 2) {
    const double next = error(h);
    if (k > 1 && next < round_off) {
      break;
    }
    e.push_back(next);
  }
  return std::log2(e[e.size() - 2] / e[e.size() - 1]);
}

double margin(int order) { return order >= 8 ? 0.7 : 0.3; }

/// What the iteration of an implicit method leaves adds up over the steps.
double round_off(const IntegratorEntry& entry) { return entry.implicit ? 2e-12 : 5e-14; }
/// Errors of single steps add up over some periods: with a multistep method over more steps, with order 1 over
/// 1/sqrt(rtol) of them.
double allowed_error(const IntegratorEntry& entry, double rtol) {
  return entry.order == 1 ? 30 * std::sqrt(rtol) : entry.name == "bdf" ? 3000 * rtol : 100 * rtol;
}
/// First steps of an order study: those on which the implicit equation of a method of order 1 has a solution.
double first_h(const IntegratorEntry& entry, double h) { return entry.order == 1 ? 0.125 * h : h; }

}  // namespace

TEST_CASE("the registry names each method once and knows the usual aliases") {
  for (const IntegratorEntry& entry : every_integrator()) {
    CHECK(find_integrator(entry.name)->about == entry.about);
    CHECK(!entry.about.empty());
    CHECK(!entry.source.empty());
    Bell problem;
    CHECK(entry.make(problem, tolerance(1e-6, 1))->order() == entry.order);
  }
  CHECK(find_integrator("ode45")->name == "dopri5");
  CHECK(find_integrator("RK45")->name == "dopri5");
  CHECK(find_integrator("rk45")->name == "dopri5");
  CHECK(find_integrator("RK23")->name == "ode23");
  CHECK(find_integrator("DOP853")->name == "dop853");
  CHECK(find_integrator("ode46") == nullptr);
}

TEST_CASE("fixed steps converge with the stated order") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Oscillator oscillator;
    Bell bell;
    for (Exact* problem : {static_cast<Exact*>(&oscillator), static_cast<Exact*>(&bell)}) {
      const double order = observed_order(
          [&](double h) {
            auto flow = entry.make(*problem, fixed(h, 4));
            flow->restart(0.5, problem->solution(0.5));
            double worst = 0;  // over all steps: at one time alone errors may cancel
            while (flow->t1() < 4.5) {
              REQUIRE(flow->step(4.5) == StepResult::accepted);
              worst = std::max(worst, distance(flow->y1(), problem->solution(flow->t1())));
            }
            return worst;
          },
          first_h(entry, 1.0), round_off(entry));
      CHECK(order == Approx(entry.order).margin(margin(entry.order)));
    }
  }
}

TEST_CASE("the interpolant and steps that end early converge with their orders") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Oscillator oscillator;
    Bell bell;
    for (Exact* problem : {static_cast<Exact*>(&oscillator), static_cast<Exact*>(&bell)}) {
      std::vector<double> y(problem->size());
      const auto one_step = [&](double h) {
        auto flow = entry.make(*problem, fixed(h, 4));
        flow->restart(0.3, problem->solution(0.3));
        REQUIRE(flow->step(4) == StepResult::accepted);
        return flow;
      };
      int degree = 0;
      const double between = observed_order(
          [&](double h) {
            auto flow = one_step(h);
            degree = flow->degree();
            double worst = 0;
            for (int k = 1; k < 16; ++k) {
              const double t = 0.3 + h * k / 16;
              flow->at(t, y);
              worst = std::max(worst, distance(y, problem->solution(t)));
            }
            return worst;
          },
          first_h(entry, 1.6), round_off(entry));
      const int expected = std::min(degree, entry.order) + 1;
      CHECK(between > expected - margin(entry.order));
      // a run of nothing but steps that end early, as at events
      const double early = observed_order(
          [&](double h) {
            auto flow = entry.make(*problem, fixed(h, 8));
            y = problem->solution(0.5);
            double t = 0.5, worst = 0;
            while (t < 4.5) {
              flow->restart(t, y);
              REQUIRE(flow->step(8) == StepResult::accepted);
              t += 0.6 * h;
              REQUIRE(flow->finish_at(t, y) == StepResult::accepted);
              worst = std::max(worst, distance(y, problem->solution(t)));
            }
            return worst;
          },
          first_h(entry, 1.6), round_off(entry));
      CHECK(early > entry.order - margin(entry.order));
    }
  }
}

TEST_CASE("polynomials up to the order are followed exactly") {
  for (const IntegratorEntry& entry : every_integrator()) {
    for (int p = 1; p <= entry.order; ++p) {
      INFO(entry.name << ", degree " << p);
      Power problem(p);
      auto flow = entry.make(problem, fixed(0.25, 1));
      flow->restart(-1, problem.solution(-1));
      std::vector<double> y(1);
      while (flow->t1() < 1) {
        REQUIRE(flow->step(1) == StepResult::accepted);
        // Rosenbrock methods see df/dt through difference quotients, good to 1e-10.
        const double round_off = entry.implicit ? 1e-10 : 2e-14;
        CHECK(distance(flow->y1(), problem.solution(flow->t1())) < round_off);
        if (p <= flow->degree()) {
          flow->at(flow->t0() + 0.3 * (flow->t1() - flow->t0()), y);
          CHECK(distance(y, problem.solution(flow->t0() + 0.3 * (flow->t1() - flow->t0()))) < round_off);
        }
      }
    }
  }
}

TEST_CASE("the interpolant joins the ends, and error() bounds it") {
  for (const IntegratorEntry& entry : every_integrator()) {
    for (const double rtol : {1e-4, 1e-7, 1e-10}) {
      INFO(entry.name << " at rtol " << rtol);
      Oscillator oscillator;
      Bell bell;
      for (Exact* problem : {static_cast<Exact*>(&oscillator), static_cast<Exact*>(&bell)}) {
        auto flow = entry.make(*problem, tolerance(rtol, 6));
        flow->restart(0.1, problem->solution(0.1));
        std::vector<double> y(problem->size());
        double true_sum = 0, told_sum = 0;
        while (flow->t1() < 6) {
          // each step from the exact solution, so that only its own error is seen
          flow->restart(flow->t1(), problem->solution(flow->t1()));
          REQUIRE(flow->step(6) == StepResult::accepted);
          const double t0 = flow->t0(), t1 = flow->t1();
          flow->at(t0, y);
          CHECK(std::equal(y.begin(), y.end(), flow->y0().begin()));
          flow->at(t1, y);
          CHECK(std::equal(y.begin(), y.end(), flow->y1().begin()));
          flow->at(std::nextafter(t1, t0), y);
          CHECK(distance(flow->y1(), y) < 1e-14);
          flow->at(std::nextafter(t0, t1), y);
          CHECK(distance(flow->y0(), y) < 1e-14);
          double worst = 0;
          for (int k = 1; k <= 8; ++k) {
            const double t = std::min(t1, t0 + (t1 - t0) * k / 8);
            flow->at(t, y);
            worst = std::max(worst, distance(y, problem->solution(t)));
          }
          double told = 0;
          for (const double e : flow->error()) {
            told = std::max(told, e);
          }
          CHECK(worst < 3 * told + 1e-14);
          true_sum += worst;
          told_sum += told;
        }
        // Starting steps of multistep methods err by round-off only.
        CHECK(told_sum > true_sum - 1e-15 * static_cast<double>(flow->counters().steps));
      }
    }
  }
}

TEST_CASE("the rows are the interpolant") {  // events/dense_step.hpp states their form
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Oscillator problem;
    auto flow = entry.make(problem, tolerance(1e-5, 6));
    flow->restart(0.1, problem.solution(0.1));
    std::vector<double> y(2);
    while (flow->t1() < 6) {
      REQUIRE(flow->step(6) == StepResult::accepted);
      for (const double s : {0.25, 0.6}) {
        std::vector<double> sum(flow->y0().begin(), flow->y0().end());
        double basis = s;
        for (int r = 0; r < flow->degree(); ++r) {
          const auto row = flow->row(r);
          REQUIRE(row.size() == 2);
          for (std::size_t i = 0; i < 2; ++i) {
            sum[i] += basis * row[i];
          }
          basis *= r % 2 == 0 ? 1 - s : s;
        }
        flow->at(flow->t0() + s * (flow->t1() - flow->t0()), y);
        CHECK(distance(y, sum) < 1e-14);
      }
    }
  }
}

TEST_CASE("the error follows the tolerance") {
  for (const IntegratorEntry& entry : every_integrator()) {
    for (double rtol = 1e-3; rtol > 5e-13; rtol /= 10) {
      if (entry.order < 4 && rtol < (entry.order == 1 ? 1e-7 : 1e-10)) {
        continue;  // a million steps that prove nothing more
      }
      INFO(entry.name << " at rtol " << rtol);
      Oscillator problem;
      auto flow = entry.make(problem, tolerance(rtol, 10));
      flow->restart(0, problem.solution(0));
      REQUIRE(go(*flow, 10));
      const double error = distance(flow->y1(), problem.solution(10));
      CHECK(error < allowed_error(entry, rtol));
      CHECK(error > 1e-5 * rtol);
    }
  }
}

TEST_CASE("steps end exactly at the limit and leave no splinter before it") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Oscillator problem;
    auto flow = entry.make(problem, tolerance(1e-6, 100));
    flow->restart(0, problem.solution(0));
    for (const double limit : {0.3, 0.3 + 1e-9, 0.300001, 1.0 / 3, 7.7, 20.0, 99.9}) {
      double previous = INFINITY, last = 0;
      while (flow->t1() < limit) {
        REQUIRE(flow->step(limit) == StepResult::accepted);
        previous = last;
        last = flow->t1() - flow->t0();
      }
      CHECK(flow->t1() == limit);
      CHECK(last >= 0.09 * previous);
    }
    const double end = std::nextafter(99.9, 200.0);  // one ulp further on
    REQUIRE(flow->step(end) == StepResult::accepted);
    CHECK(flow->t1() == end);
  }
}

TEST_CASE("a step that ends early ends anywhere, down to one ulp, and leaves the accepted step alone") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Oscillator problem;
    auto flow = entry.make(problem, tolerance(1e-8, 100));
    flow->restart(3, problem.solution(3));
    REQUIRE(flow->step(100) == StepResult::accepted);
    const double t0 = flow->t0(), t1 = flow->t1();
    std::vector<double> before(2), after(2), y(2);
    flow->at(t0 + 0.4 * (t1 - t0), before);
    const std::vector<double> end(flow->y1().begin(), flow->y1().end());
    REQUIRE(flow->finish_at(std::nextafter(t0, t1), y) == StepResult::accepted);
    CHECK(distance(y, problem.solution(3)) < 1e-14);
    REQUIRE(flow->finish_at(t0 + 0.5 * (t1 - t0), y) == StepResult::accepted);
    CHECK(distance(y, problem.solution(t0 + 0.5 * (t1 - t0))) < 1e-7);
    REQUIRE(flow->finish_at(t1, y) == StepResult::accepted);
    CHECK(y == end);
    flow->at(t0 + 0.4 * (t1 - t0), after);
    CHECK(before == after);
    CHECK(distance(flow->y1(), end) == 0);
  }
}

TEST_CASE("a shift of time changes nothing beyond round-off") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Bell problem;
    Shifted later(problem, 64);
    for (const bool controlled : {false, true}) {
      auto a = entry.make(problem, controlled ? tolerance(1e-7, 4) : fixed(0.125, 4));
      auto b = entry.make(later, controlled ? tolerance(1e-7, 68) : fixed(0.125, 68));
      a->restart(0, problem.solution(0));
      b->restart(64, problem.solution(0));
      REQUIRE(go(*a, 4));
      REQUIRE(go(*b, 68));
      // An accepted or rejected step may hang on the last bit, so under control only the tolerance can be asked for.
      const double round_off = controlled       ? std::max(1e-7, 0.01 * allowed_error(entry, 1e-7))
                               : entry.implicit ? 1e-10
                                                : 1e-13;  // one ulp of 64 is 1.4e-14
      CHECK(std::abs(a->y1()[0] - b->y1()[0]) < round_off);
      CHECK(double(a->counters().steps) == Approx(double(b->counters().steps)).epsilon(entry.order == 1 ? 0.2 : 0.05));
    }
  }
}

TEST_CASE("a restart half-way costs no accuracy") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Oscillator problem;
    const double rtol = 1e-8;
    auto flow = entry.make(problem, tolerance(rtol, 10));
    flow->restart(0, problem.solution(0));
    for (const double t : {1.0, 2.5, 2.6, 7.0, 10.0}) {
      REQUIRE(go(*flow, t));
      const std::vector<double> y(flow->y1().begin(), flow->y1().end());
      flow->restart(t, y);
      CHECK(flow->t0() == t);
      CHECK(flow->t1() == t);
    }
    CHECK(distance(flow->y1(), problem.solution(10)) < allowed_error(entry, rtol));
  }
}

TEST_CASE("steps never exceed max_step") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Oscillator problem;
    FlowOptions options = tolerance(1e-3, 10);
    options.max_step = 0.01;
    auto flow = entry.make(problem, options);
    flow->restart(0, problem.solution(0));
    while (flow->t1() < 1) {
      REQUIRE(flow->step(1) == StepResult::accepted);
      CHECK(flow->t1() - flow->t0() < 0.011);
    }
  }
}

TEST_CASE("after the first steps nothing allocates") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Bell problem;
    auto flow = entry.make(problem, tolerance(1e-6, 50));
    std::vector<double> y = {1.0}, read(1);
    const auto a_bit_of_everything = [&](double t) {
      flow->restart(t, y);
      for (int k = 0; k < 4; ++k) {
        flow->step(t + 2);
        flow->at(0.5 * (flow->t0() + flow->t1()), read);
        flow->finish_at(0.7 * flow->t0() + 0.3 * flow->t1(), read);
        flow->error();
      }
    };
    a_bit_of_everything(0);
    const std::size_t before = allocations();
    for (int k = 1; k < 10; ++k) {
      a_bit_of_everything(k);
    }
    CHECK(allocations() == before);
  }
}

TEST_CASE("rates that do not exist end the steps in front of them") {
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    Wall problem;
    auto flow = entry.make(problem, tolerance(1e-6, 2));
    const std::vector<double> y = {1.0};
    flow->restart(0, y);
    StepResult result = StepResult::accepted;
    for (int k = 0; k < 100000 && result == StepResult::accepted; ++k) {
      result = flow->step(2);
      CHECK(std::isfinite(flow->y1()[0]));
      CHECK(flow->t1() <= 1);
    }
    CHECK(result != StepResult::accepted);
    CHECK(!describe(result).empty());
    CHECK(flow->t1() > 0.99);
    const std::vector<double> nan = {NAN};
    CHECK(flow->restart(0, nan) == StepResult::not_finite);
    CHECK(flow->step(1) == StepResult::not_finite);
    CHECK(flow->restart(0, y) == StepResult::accepted);
    CHECK(flow->step(1) == StepResult::accepted);
  }
}

TEST_CASE("a projection is part of the step") {
  class OnCircle final : public OdeProblem {  // the circle y0^2 + y1^2 = 1 is kept by hand
   public:
    std::size_t size() const override { return 2; }
    bool rates(double, const double* y, double* ydot) override {
      ydot[0] = y[1];
      ydot[1] = -y[0];
      return true;
    }
    bool project(double, double* y) override {
      const double r = std::hypot(y[0], y[1]);
      y[0] /= r;
      y[1] /= r;
      return true;
    }
  };
  for (const IntegratorEntry& entry : every_integrator()) {
    INFO(entry.name);
    OnCircle problem;
    auto flow = entry.make(problem, tolerance(1e-4, 20));
    std::vector<double> y = {1, 0};
    flow->restart(0, y);
    while (flow->t1() < 20) {
      REQUIRE(flow->step(20) == StepResult::accepted);
      CHECK(std::abs(std::hypot(flow->y1()[0], flow->y1()[1]) - 1) < 1e-15);
      flow->at(std::nextafter(flow->t1(), 0.0), y);
      CHECK(std::abs(y[0] - flow->y1()[0]) + std::abs(y[1] - flow->y1()[1]) < 1e-14);
      flow->finish_at(0.5 * (flow->t0() + flow->t1()), y);
      CHECK(std::abs(std::hypot(y[0], y[1]) - 1) < 1e-15);
    }
    CHECK(std::abs(flow->y1()[0] - std::cos(20)) < 0.02);
  }
}

TEST_CASE("bad options are refused with name, value, bound and remedy") {
  struct Case {
    std::function<void(FlowOptions&)> change;
    std::string says;
  };
  const std::vector<Case> cases = {
      {[](FlowOptions& o) { o.rtol = 0; }, "rtol = 0 must be between 1e-14 and 1e-1"},
      {[](FlowOptions& o) { o.rtol = 0.5; }, "rtol = 0.5 must be between 1e-14 and 1e-1"},
      {[](FlowOptions& o) { o.rtol = NAN; }, "rtol = nan must be between 1e-14 and 1e-1"},
      {[](FlowOptions& o) { o.atol = 0; }, "atol = 0 must be positive and finite"},
      {[](FlowOptions& o) { o.atol = -1e-9; }, "atol = -1e-09 must be positive and finite"},
      {[](FlowOptions& o) { o.max_step = 0; }, "max_step = 0 must be positive"},
      {[](FlowOptions& o) { o.first_step = -1; }, "first_step = -1 must be zero or positive"},
      {[](FlowOptions& o) { o.fixed_step = -0.1; }, "fixed_step = -0.1 must be zero or positive"},
      {[](FlowOptions& o) { o.fixed_step = 1, o.max_step = 0.5; }, "fixed_step = 1 must be at most max_step = 0.5"},
      {[](FlowOptions& o) { o.t_end = INFINITY; }, "t_end = inf must be finite"},
  };
  for (const IntegratorEntry& entry : every_integrator()) {
    for (const Case& bad : cases) {
      FlowOptions options = tolerance(1e-6, 1);
      bad.change(options);
      Bell problem;
      CHECK_THROWS_WITH(entry.make(problem, options), Catch::Matchers::StartsWith(bad.says + "; "));
    }
  }
}

TEST_CASE("an implicit method passes a stiff problem with few steps") {
  class Stiff final : public Exact {  // y' = -1e6 (y - cos t) - sin t, y = cos t
   public:
    std::size_t size() const override { return 1; }
    bool rates(double t, const double* y, double* ydot) override {
      ydot[0] = -1e6 * (y[0] - std::cos(t)) - std::sin(t);
      return true;
    }
    std::vector<double> solution(double t) const override { return {std::cos(t)}; }
  };
  for (const IntegratorEntry& entry : every_integrator()) {
    if (!entry.implicit) {
      continue;
    }
    INFO(entry.name);
    Stiff problem;
    auto flow = entry.make(problem, tolerance(1e-6, 10));
    const std::vector<double> y = {2.0};  // off the slow solution
    flow->restart(0, y);
    REQUIRE(go(*flow, 10));
    CHECK(flow->counters().steps < (entry.order == 1 ? 10000U : 500U));
    CHECK(distance(flow->y1(), problem.solution(10)) < 1e-5);
  }
}

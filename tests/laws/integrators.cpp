// tests/laws/integrators.cpp
//
// Laws of accuracy that every entry of integrators() and further_integrators() must keep; a new method is tested by
// being registered.
//   - It converges with its stated order, at the end of steps, between them, and when a step ends early.
//   - Its interpolant joins the ends of the step exactly, and error() bounds what is wrong in between.
//   - Polynomials up to its order are followed exactly.
//   - The error follows rtol from 1e-3 to 1e-12.
//   - An implicit method passes a stiff problem with few steps.
// Truth: closed forms.
#include <catch2/catch.hpp>

#include "laws/ode_problems.hpp"

using namespace hstar;
using namespace laws;

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
  CHECK(find_integrator("ode15s")->name == "bdf");
  CHECK(find_integrator("ode23s")->name == "rosenbrock4");
  CHECK(find_integrator("ode23t")->name == "trapezoidal");
  CHECK(find_integrator("ode23tb")->name == "rosenbrock4");
  for (const IntegratorAlias& alias : integrator_aliases()) CHECK(find_integrator(alias.name)->name == alias.target);
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

// tests/laws/second_order.cpp
//
// Laws of Newmark's family on x'' = f(t, x, x') (second_order_integrators()):
//   - One step is the formula of the textbook, whatever the order of the states in y.
//   - Fixed steps converge with the stated order, also beside first-order states; so do interpolant and early ends.
//   - Newmark(1/4, 1/2) keeps the energy of a linear oscillator and comes back when velocities are turned round;
//     Newmark(0.3025, 0.6) loses energy in every period.
//   - Full, modified and functional iteration give the same motion; the error follows the tolerance.
//   - Free bodies as a mechanism and the same equations as plain states move alike.
//   - After the first steps nothing allocates.
// Truth: closed forms.
#include <catch2/catch.hpp>

#include "hstar/error.hpp"
#include "hstar/run.hpp"
#include "laws/flow_allocations.hpp"
#include "laws/ode_problems.hpp"

using namespace hstar;
using namespace laws;

namespace {

class SecondOrder : public Exact {
 public:
  explicit SecondOrder(std::vector<int> velocity_of) : velocity_of_(std::move(velocity_of)) {}
  std::size_t size() const override { return velocity_of_.size(); }
  std::span<const int> velocity_of() const override { return velocity_of_; }

 private:
  std::vector<int> velocity_of_;
};

/// y = (v, s, x): x = cos t and s' = x - s, s = (cos t + sin t) / 2.
class Follower final : public SecondOrder {
 public:
  Follower() : SecondOrder({-1, -1, 0}) {}
  bool rates(double, const double* y, double* ydot) override {
    ydot[0] = -y[2];
    ydot[1] = y[2] - y[1];
    ydot[2] = y[0];
    return true;
  }
  std::vector<double> solution(double t) const override {
    return {-std::sin(t), 0.5 * (std::cos(t) + std::sin(t)), std::cos(t)};
  }
};

/// x = (4 - 2 cos t)^(-1/2): x'' depends on time, position and velocity, none of them linearly.
class SecondBell final : public SecondOrder {
 public:
  SecondBell() : SecondOrder({1, -1}) {}
  bool rates(double t, const double* y, double* ydot) override {
    ydot[0] = y[1];
    ydot[1] = -3 * y[0] * y[0] * y[1] * std::sin(t) - y[0] * y[0] * y[0] * std::cos(t);
    return true;
  }
  std::vector<double> solution(double t) const override {
    const double x = 1 / std::sqrt(4 - 2 * std::cos(t));
    return {x, -x * x * x * std::sin(t)};
  }
};

struct Case {
  const char* name;
  double order;
  std::function<void(FlowOptions&)> change;
};

std::vector<Case> cases() {
  const auto nothing = [](FlowOptions&) {};
  return {{"newmark", 1, nothing},
          {"newmark", 2, [](FlowOptions& o) { o.newmark_beta = 0.25, o.newmark_gamma = 0.5; }},
          {"hht", 2, nothing},
          {"hht", 2, [](FlowOptions& o) { o.hht_alpha = -0.3; }},
          {"generalized_alpha", 2, nothing},
          {"generalized_alpha", 2, [](FlowOptions& o) { o.rho_infinity = 0; }}};
}

std::unique_ptr<Flow> make(const Case& c, OdeProblem& problem, FlowOptions options) {
  c.change(options);
  return find_second_order_integrator(c.name)->make(problem, options);
}

double energy(std::span<const double> y) { return y[0] * y[0] + y[2] * y[2]; }

}  // namespace

TEST_CASE("one step of Newmark on a linear oscillator is its formula, whatever the order of the states") {
  constexpr double h = 0.1, beta = 0.3025, gamma = 0.6;
  const double a0 = -1, start = 1 + h * h * (0.5 - beta) * a0;
  const double a1 = -start / (1 + beta * h * h), x1 = start + beta * h * h * a1;
  const double v1 = h * ((1 - gamma) * a0 + gamma * a1);
  const double s1 = (0.5 + h * (1 - gamma) * (1 - 0.5) + h * gamma * x1) / (1 + h * gamma);
  Follower problem;
  auto flow = find_second_order_integrator("newmark")->make(problem, fixed(h, 4));
  flow->restart(0, problem.solution(0));
  REQUIRE(flow->step(4) == StepResult::accepted);
  CHECK(flow->y1()[2] == Approx(x1).epsilon(1e-15));
  CHECK(flow->y1()[0] == Approx(v1).epsilon(1e-15));
  CHECK(flow->y1()[1] == Approx(s1).epsilon(1e-15));
}

TEST_CASE("on second-order systems fixed steps, interpolant and early ends have the stated order") {
  Follower follower;
  SecondBell bell;
  for (Exact* problem : {static_cast<Exact*>(&follower), static_cast<Exact*>(&bell)})
    for (const Case& c : cases()) {
      INFO(c.name << ", order " << c.order);
      std::vector<double> y(problem->size());
      std::vector<double> ends, between, early;
      for (const int steps : {320, 640}) {  // A_0 = a: an error of h relative to that of the method
        const double h = 4.0 / steps;
        auto flow = make(c, *problem, fixed(h, 9));
        flow->restart(0.5, problem->solution(0.5));
        double worst[3] = {0, 0, 0};
        while (flow->t1() < 4.5) {
          REQUIRE(flow->step(9) == StepResult::accepted);
          worst[0] = std::max(worst[0], distance(flow->y1(), problem->solution(flow->t1())));
          const double t = flow->t0() + 0.6 * (flow->t1() - flow->t0());
          flow->at(t, y);
          worst[1] = std::max(worst[1], distance(y, problem->solution(t)));
          REQUIRE(flow->finish_at(t, y) == StepResult::accepted);
          worst[2] = std::max(worst[2], distance(y, problem->solution(t)));
        }
        ends.push_back(worst[0]);
        between.push_back(worst[1]);
        early.push_back(worst[2]);
      }
      CHECK(std::log2(ends[0] / ends[1]) == Approx(c.order).margin(0.1));
      CHECK(std::log2(between[0] / between[1]) == Approx(c.order).margin(0.1));
      CHECK(std::log2(early[0] / early[1]) == Approx(c.order).margin(0.1));
    }
}

TEST_CASE("interpolants of second-order methods join the ends of the step") {
  for (const Case& c : cases()) {
    INFO(c.name);
    SecondBell problem;
    auto flow = make(c, problem, tolerance(1e-5, 6));
    flow->restart(0.1, problem.solution(0.1));
    std::vector<double> y(2);
    while (flow->t1() < 6) {
      REQUIRE(flow->step(6) == StepResult::accepted);
      const double t0 = flow->t0(), t1 = flow->t1();
      flow->at(std::nextafter(t1, t0), y);
      CHECK(distance(flow->y1(), y) < 1e-14);
      flow->at(std::nextafter(t0, t1), y);
      CHECK(distance(flow->y0(), y) < 1e-14);
      for (const double s : {0.25, 0.6}) {  // events/dense_step.hpp states the form of the rows
        flow->at(t0 + s * (t1 - t0), y);
        for (std::size_t i = 0; i < 2; ++i) {
          const double inner = flow->row(1)[i] + s * flow->row(2)[i];
          const double first = flow->row(0)[i];
          CHECK(y[i] == Approx(flow->y0()[i] + s * (first + (1 - s) * inner)).margin(1e-14));
        }
      }
    }
  }
}

TEST_CASE("the trapezoidal member keeps a linear oscillator's energy and comes back; damping loses some each period") {
  Follower problem;
  const Case trapezoidal = cases()[1], damped = cases()[0];
  auto flow = make(trapezoidal, problem, fixed(0.05, 1000));
  flow->restart(0, problem.solution(0));
  for (int i = 0; i < 2000; ++i) {
    REQUIRE(flow->step(1000) == StepResult::accepted);
    CHECK(energy(flow->y1()) == Approx(1).epsilon(1e-12));
  }

  SecondBell bell;  // t -> -t, v -> -v is the same equation
  const double middle = 0.05 * 80;
  auto out = make(trapezoidal, bell, fixed(0.05, 100));
  out->restart(-middle, bell.solution(-middle));
  while (out->t1() < -1e-9) REQUIRE(out->step(0) == StepResult::accepted);
  const std::vector<double> turned{out->y1()[0], -out->y1()[1]};
  auto back = make(trapezoidal, bell, fixed(0.05, 100));
  back->restart(0, turned);
  while (back->t1() < middle - 1e-9) REQUIRE(back->step(middle) == StepResult::accepted);
  CHECK(back->y1()[0] == Approx(bell.solution(-middle)[0]).epsilon(1e-12));
  CHECK(-back->y1()[1] == Approx(bell.solution(-middle)[1]).epsilon(1e-12));

  auto losing = make(damped, problem, fixed(0.05, 1000));
  losing->restart(0, problem.solution(0));
  double before = 1;
  for (int period = 0; period < 10; ++period) {
    for (int i = 0; i < 126; ++i) REQUIRE(losing->step(1000) == StepResult::accepted);
    CHECK(energy(losing->y1()) < before);
    before = energy(losing->y1());
  }
}

TEST_CASE("on second-order systems all iterations end at the same motion and the error follows the tolerance") {
  for (const Case& c : cases()) {
    INFO(c.name);
    SecondBell problem;
    std::vector<std::vector<double>> ends;
    for (const Newton newton : {Newton::full, Newton::modified, Newton::functional}) {
      FlowOptions o = fixed(0.05, 4);
      o.newton = newton;
      auto flow = make(c, problem, o);
      flow->restart(0, problem.solution(0));
      REQUIRE(go(*flow, 4));
      ends.emplace_back(flow->y1().begin(), flow->y1().end());
      if (newton == Newton::full) CHECK(flow->counters().jacobians == flow->counters().iterations);
    }
    CHECK(distance(ends[1], ends[0]) < 1e-13);
    CHECK(distance(ends[2], ends[0]) < 1e-13);
    double before = INFINITY;
    for (double rtol = 1e-3; rtol > (c.order < 2 ? 5e-6 : 5e-8); rtol /= 10) {
      auto flow = make(c, problem, tolerance(rtol, 10));
      flow->restart(0, problem.solution(0));
      REQUIRE(go(*flow, 10));
      const double error = distance(flow->y1(), problem.solution(10));
      // A step's error is made equal to the tolerance: over 10 s it adds up to rtol^(order/(order + 1)).
      CHECK(error < 10 * std::pow(rtol, c.order / (c.order + 1)));
      CHECK(error < before);
      before = error;
    }
  }
}

TEST_CASE("a free body as a mechanism and the same equations as plain states move alike") {
  const std::string simulation = "[simulation]\nend = 2.0\nfixed_step = 0.01\n";
  const std::string body =
      "[[body]]\nname = \"m\"\nmass = 2.0\nposition = [0.5, 0.0]\nvelocity = [0.0, 0.25]\n[[force]]\nname = \"f\"\n"
      "type = \"point_force\"\nbody = \"m\"\nforce = [\"-3*m.x - 4*m.x^3 - 0.2*m.vx + sin(t)\", \"-m.y*m.x\"]\n";
  const std::string plain =
      "[[state]]\nname = \"vy\"\ninitial = 0.25\nrate = \"-x*y/2\"\n"
      "[[state]]\nname = \"x\"\ninitial = 0.5\nrate = \"vx\"\n"
      "[[state]]\nname = \"y\"\ninitial = 0.0\nrate = \"vy\"\n"
      "[[state]]\nname = \"vx\"\ninitial = 0.0\nrate = \"(-3*x - 4*x^3 - 0.2*vx + sin(t))/2\"\n";
  for (const IntegratorEntry& entry : second_order_integrators()) {
    INFO(entry.name);
    const std::vector<Override> how{{"simulation.integrator", entry.name}};
    const RunResult a = run(parse_model(simulation + body, "law", how)),
                    b = run(parse_model(simulation + plain, "law", how));
    const RunResult c = run(parse_model(simulation + body, "law", {how[0], {"simulation.formulation", "direct"}}));
    for (const RunResult* r : {&a, &b, &c}) REQUIRE(r->outcome.success());
    // x, y, vx, vy
    const std::size_t place[] = {1, 2, 3, 0};
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(b.y_end[place[i]] == Approx(a.y_end[i]).epsilon(1e-12));
      CHECK(c.y_end[i] == Approx(a.y_end[i]).epsilon(1e-12));
    }
  }
}

TEST_CASE("after the first steps second-order methods do not allocate") {
  for (const IntegratorEntry& entry : second_order_integrators()) {
    INFO(entry.name);
    SecondBell problem;
    auto flow = entry.make(problem, tolerance(1e-5, 50));
    laws::check_steps_do_not_allocate(*flow, problem.solution(0), 4, 10);
  }
}

TEST_CASE("second-order methods are refused where no state's rate is another state") {
  Bell problem;
  for (const IntegratorEntry& entry : second_order_integrators())
    CHECK_THROWS_WITH(entry.make(problem, tolerance(1e-6, 1)),
                      Catch::Matchers::Contains("no state's rate is another state"));
}

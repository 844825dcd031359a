// tests/validation/lectures_methods_test.cpp
//
// The methods of the lecture notes at work, on the problems of validation/lectures/lecture_numbers.toml:
//   - the coefficients BDF steps with are those of the notes; backward Euler gives the printed values under every
//     iteration; BDF 1 to 6 converge with their order; the formulas hold on what a run has written;
//   - how many iterations functional, Newton, modified and quasi-Newton iteration need is what their contraction says;
//   - the iteration matrix and the roots of the notes' Newton examples, from exact derivatives of formulas.
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "hstar/expression.hpp"
#include "hstar/run.hpp"
#include "integrator/bdf_history.hpp"
#include "integrator/linear_solve.hpp"

using namespace hstar;

namespace {

std::string state(const std::string& name, double initial, const std::string& rate) {
  return "[[state]]\nname = \"" + name + "\"\ninitial = " + std::to_string(initial) + "\nrate = \"" + rate + "\"\n";
}

struct How {
  std::string integrator;
  double start, end, h;
  std::string newton = "modified";
  int max_order = 5;
};

RunResult run_fixed(const std::string& model, const How& how) {
  char text[400];
  std::snprintf(text, sizeof text,
                "[simulation]\nstart = %.17g\nend = %.17g\nfixed_step = %.17g\noutput = %.17g\nintegrator = "
                "\"%s\"\nnewton = \"%s\"\nmax_order = %d\n",
                how.start, how.end, how.h, how.h, how.integrator.c_str(), how.newton.c_str(), how.max_order);
  return run(parse_model(text + model, "lecture.toml"));
}

/// A scalar problem of the notes with its solution.
struct Scalar {
  std::string name, rate;
  double start, end, initial;
  std::function<double(double)> exact;
  int steps;  ///< of order 5 and 6, with errors between those of large steps and of round-off
};

std::vector<Scalar> scalar_problems() {
  const auto hyperbola = [](double t) { return 1 / t; };
  return {{"linear forced", "-0.1*y + sin(t)", 0, 10, 0,
           [](double t) { return (0.1 * std::sin(t) - std::cos(t) + std::exp(-0.1 * t)) / 1.01; }, 400},
          {"quadratic", "-y^2", 0, 1, 2.4, [](double t) { return 2.4 / (1 + 2.4 * t); }, 200},
          {"t y^2, lambda -1", "-1*(t*y^2 - 1/t) - 1/t^2", 1, 10, 1, hyperbola, 800},
          {"t y^2, lambda -10", "-10*(t*y^2 - 1/t) - 1/t^2", 1, 10, 1, hyperbola, 800},
          {"BDF6 convergence", "-5*t*y^2 + 5/t - 1/t^2", 1, 4, 1, hyperbola, 200}};
}

double largest_error(const Scalar& p, const How& how) {
  const RunResult result = run_fixed(state("y", p.initial, p.rate), how);
  REQUIRE(result.outcome.success());
  double worst = 0;
  for (const auto& row : result.rows) worst = std::max(worst, std::abs(row[1] - p.exact(row[0])));
  return worst;
}

double iterations_per_step(const RunResult& r) {
  return static_cast<double>(r.counters.flow.iterations) / static_cast<double>(r.counters.flow.steps);
}

/// Iterations after which a contraction by `ratio` has taken the error of a prediction, `first`, below round-off.
double expected_iterations(double ratio, double first = 1) {
  return std::log(std::numeric_limits<double>::epsilon() / first) / std::log(ratio);
}

std::vector<double> gradient(const std::string& formula, const std::vector<std::string>& names,
                             const std::vector<double>& at, double& value) {
  const Expression e = Expression::compile(formula, {}, {});
  std::vector<double> vars, slopes(e.variables().size()), all(names.size(), 0.0);
  std::vector<std::size_t> place;
  for (const std::string& name : e.variables()) {
    place.push_back(static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
    vars.push_back(at[place.back()]);
  }
  value = e.gradient(vars.data(), slopes.data());
  for (std::size_t i = 0; i < place.size(); ++i) all[place[i]] = slopes[i];
  return all;
}

}  // namespace

TEST_CASE("on equal steps the coefficients BDF uses are those of the notes") {
  const std::vector<std::vector<double>> beta_alpha{
      {1, 1, -1},
      {2. / 3, 1, -4. / 3, 1. / 3},
      {6. / 11, 1, -18. / 11, 9. / 11, -2. / 11},
      {12. / 25, 1, -48. / 25, 36. / 25, -16. / 25, 3. / 25},
      {60. / 137, 1, -300. / 137, 300. / 137, -200. / 137, 75. / 137, -12. / 137},
      {60. / 147, 1, -360. / 147, 450. / 147, -400. / 147, 225. / 147, -72. / 147, 10. / 147}};
  for (std::size_t k = 1; k <= 6; ++k) {
    INFO("order " << k);
    integrator::BdfHistory history(k);
    for (std::size_t i = k; i >= 1; --i) {  // the state at t = -i is the i-th unit vector
      std::vector<double> unit(k, 0.0);
      unit[i - 1] = 1;
      history.push(-static_cast<double>(i), unit);
    }
    std::vector<double> past(k);
    const double c0 = history.derivative(0, k, 0, past);
    past[0] -= c0;  // (of differences to the newest)
    const std::vector<double>& printed = beta_alpha[k - 1];
    CHECK(1 / c0 == Approx(printed[0]).epsilon(1e-14));
    for (std::size_t i = 1; i <= k; ++i) CHECK(past[i - 1] / c0 == Approx(printed[i + 1]).epsilon(1e-13));
  }
}

TEST_CASE("backward Euler gives the values of the notes under every iteration") {
  struct Case {
    std::string rate;
    double initial, y1, y2, y10;
  };
  for (const Case& c : {Case{"-0.1*y + sin(t)", 0, 0.00988449669770575766, 0.0294568611655563161, 0.481340427890475635},
                        Case{"-y^2", 2.4, 2.0, 1.70820393249936909, 0.763933370838250505}})
    for (const char* newton : {"functional", "modified", "full"}) {
      INFO(c.rate << ", " << newton);
      const RunResult r = run_fixed(state("y", c.initial, c.rate), {"backward_euler", 0, 1, 0.1, newton});
      REQUIRE(r.outcome.success());
      REQUIRE(r.rows.size() == 11);
      CHECK(r.rows[1][1] == Approx(c.y1).epsilon(1e-14));
      CHECK(r.rows[2][1] == Approx(c.y2).epsilon(1e-14));
      CHECK(r.rows[10][1] == Approx(c.y10).epsilon(1e-14));
    }
}

TEST_CASE("BDF of order 1 to 6 converges with its order on the problems of the notes") {
  for (const Scalar& p : scalar_problems())
    for (int k = 1; k <= 6; ++k) {
      INFO(p.name << ", order " << k);
      const double h = (p.end - p.start) / (k < 3 ? 3200 : k < 5 ? 800 : p.steps);
      const double coarse = largest_error(p, {"bdf", p.start, p.end, h, "full", k});
      const double fine = largest_error(p, {"bdf", p.start, p.end, h / 2, "full", k});
      INFO(coarse << " -> " << fine);
      CHECK(fine > 1e-13);  // else the order could not be seen
      CHECK(std::log2(coarse / fine) == Approx(k).margin(0.3));
    }
}

TEST_CASE("BDF2 on a second-order system is the formula of the notes, as states and with constraints") {
  // x_n = 4/3 x1 - 1/3 x2 + 8/9 h v1 - 2/9 h v2 + 4/9 h^2 a_n,  v_n = 4/3 v1 - 1/3 v2 + 2/3 h a_n
  constexpr double h = 0.002;
  const auto check = [&](const RunResult& r, std::size_t ix, std::size_t iv) {
    REQUIRE(r.outcome.success());
    REQUIRE(r.rows.size() > 100);
    for (std::size_t n = 2; n < r.rows.size(); ++n) {
      const auto &now = r.rows[n], &one = r.rows[n - 1], &two = r.rows[n - 2];
      const double t = now[0], x = now[ix], v = now[iv];
      const double a = (std::sin(2 * t) - 200 * v * v * v - 400 * x * x * x) / 2;
      CHECK(x ==
            Approx(4. / 3 * one[ix] - two[ix] / 3 + 8. / 9 * h * one[iv] - 2. / 9 * h * two[iv] + 4. / 9 * h * h * a)
                .epsilon(1e-13));
      CHECK(v == Approx(4. / 3 * one[iv] - two[iv] / 3 + 2. / 3 * h * a).epsilon(1e-12));
    }
  };
  const std::string plain = state("x", 1, "v") + state("v", -1, "(sin(2*t) - 200*v^3 - 400*x^3)/2");
  check(run_fixed(plain, {"bdf", 0, 0.4, h, "full", 2}), 1, 2);
  const RunResult held =
      run(read_model(std::string(HSTAR_SOURCE_DIR) + "/validation/nonlinear_mass_spring_damper/model.toml",
                     {{"simulation.integrator", "bdf"},
                      {"simulation.formulation", "index3"},
                      {"simulation.max_order", "2"},
                      {"simulation.rtol", "1e-6"},
                      {"simulation.fixed_step", "0.002"},
                      {"simulation.output", "0.002"},
                      {"simulation.end", "0.4"}}));
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::find(held.columns.begin(), held.columns.end(), name) - held.columns.begin());
  };
  check(held, column("mass.x"), column("mass.vx"));
}

TEST_CASE("the nonlinear mass-spring-damper under BDF and Newmark: order, and the printed sample") {
  // x and v at t = 0.5 of validation/nonlinear_mass_spring_damper, twelve digits. The damper's rate at the start is
  // 300 / s: steps resolve it.
  const std::string plain = state("x", 1, "v") + state("v", -1, "(sin(2*t) - 200*v^3 - 400*x^3)/2");
  const auto error = [&](const How& how) {
    const RunResult r = run_fixed(plain, how);
    REQUIRE(r.outcome.success());
    return std::max(std::abs(r.y_end[0] - 0.5316455891883), std::abs(r.y_end[1] + 0.6730179554664));
  };
  for (int k = 1; k <= 4; ++k) {
    INFO("BDF " << k);
    const double h = k < 3 ? 0.00025 : 0.0005;
    CHECK(std::log2(error({"bdf", 0, 0.5, h, "full", k}) / error({"bdf", 0, 0.5, h / 2, "full", k})) ==
          Approx(k).margin(0.3));
  }
  CHECK(std::log2(error({"newmark", 0, 0.5, 0.0005, "full"}) / error({"newmark", 0, 0.5, 0.00025, "full"})) ==
        Approx(1).margin(0.1));
  CHECK(error({"bdf", 0, 0.5, 0.00025, "full", 5}) < 1e-9);
}

TEST_CASE("iterations: Newton is quadratic, functional iteration contracts by h |f_y| and stops where that is one") {
  // Linear: f_y = -0.1, so that h f_y = -0.01.
  const std::string linear = state("y", 0, "-0.1*y + sin(t)");
  const RunResult functional = run_fixed(linear, {"backward_euler", 0, 10, 0.1, "functional"});
  const RunResult full = run_fixed(linear, {"backward_euler", 0, 10, 0.1, "full"});
  const RunResult kept = run_fixed(linear, {"backward_euler", 0, 10, 0.1, "modified"});
  CHECK(iterations_per_step(functional) == Approx(expected_iterations(0.01)).margin(1.5));
  CHECK(iterations_per_step(full) <= 3.01);  // one to solve a linear equation, the others see that it is solved
  CHECK(kept.counters.flow.jacobians == 1);  // of a linear equation the first one serves for ever
  CHECK(kept.counters.flow.factorisations == 1);
  CHECK(full.counters.flow.jacobians == full.counters.flow.iterations);

  // y' = lambda (t y^2 - 1/t) - 1/t^2 on y = 1/t: f_y = 2 lambda at all times.
  const auto stiff = [](const std::string& lambda) { return state("y", 1, lambda + "*(t*y^2 - 1/t) - 1/t^2"); };
  const RunResult slow = run_fixed(stiff("-1"), {"backward_euler", 1, 10, 0.1, "functional"});
  // A line predicts y to h^2 y'' = 2 h^2 / t^2 of its value, 1e-3 on the average.
  CHECK(iterations_per_step(slow) == Approx(expected_iterations(0.2, 1e-3)).margin(2));
  const RunResult newton = run_fixed(stiff("-100"), {"backward_euler", 1, 10, 0.1, "full"});
  const RunResult modified = run_fixed(stiff("-100"), {"backward_euler", 1, 10, 0.1, "modified"});
  REQUIRE(newton.outcome.success());
  REQUIRE(modified.outcome.success());
  CHECK(iterations_per_step(newton) < 7);
  CHECK(modified.counters.flow.jacobians < newton.counters.flow.jacobians / 4);
  CHECK(modified.y_end[0] == Approx(newton.y_end[0]).epsilon(1e-11));
  const RunResult lost = run_fixed(stiff("-100"), {"backward_euler", 1, 10, 0.1, "functional"});
  CHECK(lost.outcome.status != RunStatus::reached_end);
}

TEST_CASE("exact and quasi-Newton iterations over the step: the driven pendulum and the stiff oscillator") {
  // In one coordinate the quasi-Newton matrix is J, the exact one J + gamma h c + beta h^2 k: the error of an iteration
  // is multiplied by (gamma h c + beta h^2 k) / J, k = k_spring + m g L/2 where it hangs.
  constexpr double J = 80. / 3, c = 10, k = 45 + 20 * 9.81, beta = 0.3025, gamma = 0.6;
  const auto pendulum = [](const char* newton, double h) {
    char step[32];
    std::snprintf(step, sizeof step, "%.17g", h);
    const RunResult r =
        run(read_model(std::string(HSTAR_SOURCE_DIR) + "/validation/lectures/driven_pendulum/model.toml",
                       {{"simulation.newton", newton}, {"simulation.fixed_step", step}}));
    REQUIRE(r.outcome.success());
    return r;
  };
  double before = INFINITY;
  for (const double h : {0.1, 0.05, 0.02, 0.01, 0.005, 0.001}) {
    INFO("h = " << h);
    const RunResult quasi = pendulum("quasi", h), exact = pendulum("full", h);
    const double expected = expected_iterations((gamma * h * c + beta * h * h * k) / J);
    CHECK(iterations_per_step(quasi) == Approx(expected).margin(2.5));
    CHECK(iterations_per_step(quasi) < before);
    CHECK(iterations_per_step(exact) < 4.5);
    CHECK(quasi.y_end[2] == Approx(exact.y_end[2]).epsilon(1e-11));
    before = iterations_per_step(quasi);
  }
  // The notes' rule of thumb, h = 1e-3: there the quasi-Newton matrix costs little more than the exact one.
  CHECK(iterations_per_step(pendulum("quasi", 0.001)) < iterations_per_step(pendulum("full", 0.001)) + 2.5);

  // 2 x'' + 200 x'^3 + 400 x^3 = sin 2t begins with gamma h 600 v^2 / 2 = 180 h: no contraction from h = 1/180 on.
  // There the exact matrix takes over, and the solution is that of Newton's method; before, it is not needed.
  const std::string stiff = state("x", 1, "v") + state("v", -1, "(sin(2*t) - 200*v^3 - 400*x^3)/2");
  const RunResult quasi = run_fixed(stiff, {"newmark", 0, 0.1, 0.01, "quasi"}),
                  exact = run_fixed(stiff, {"newmark", 0, 0.1, 0.01, "full"});
  REQUIRE(quasi.outcome.success());
  REQUIRE(exact.outcome.success());
  for (std::size_t i = 0; i < 2; ++i) CHECK(quasi.y_end[i] == Approx(exact.y_end[i]).epsilon(1e-11));
  // (With the quasi-Newton matrix alone there is one Jacobian a segment.)
  CHECK(quasi.counters.flow.jacobians > 1);
  const RunResult contracts = run_fixed(stiff, {"newmark", 0, 0.1, 0.002, "quasi"});
  CHECK(contracts.outcome.success());
  CHECK(contracts.counters.flow.jacobians == 1);
}

TEST_CASE("the iteration matrix of backward Euler for the Lengyel-Epstein problem") {
  // I - h f_y at (0, 2) is [[1 + 9 h, 0], [beta h, 1]].
  constexpr double h = 0.25;
  for (const double beta : {2.0, 4.0}) {
    double f;
    const auto row1 = gradient("10 - a - 4*a*b/(1 + a^2)", {"a", "b"}, {0, 2}, f);
    const auto row2 = gradient(std::to_string(beta) + "*a*(1 - b/(1 + a^2))", {"a", "b"}, {0, 2}, f);
    CHECK(1 - h * row1[0] == 1 + 9 * h);
    CHECK(-h * row1[1] == 0);
    CHECK(-h * row2[0] == beta * h);
    CHECK(1 - h * row2[1] == 1);
  }
}

TEST_CASE("the roots of the notes' Newton examples") {
  // x - e^y = 1, ln(1 + x) - cos y = 0: the root nearest to the origin on the side of negative y.
  const std::vector<std::string> names{"x", "y"};
  std::vector<double> z{1, -5.4}, errors;
  for (int i = 0; i < 8; ++i) {
    double f[2];
    integrator::DenseLu matrix(2);
    const auto g0 = gradient("x - exp(y) - 1", names, z, f[0]), g1 = gradient("log(1 + x) - cos(y)", names, z, f[1]);
    for (std::size_t j = 0; j < 2; ++j) {
      matrix.at(0, j) = g0[j];
      matrix.at(1, j) = g1[j];
    }
    REQUIRE(matrix.factorise());
    matrix.solve(f);
    z[0] -= f[0];
    z[1] -= f[1];
    errors.push_back(std::hypot(z[0] - 1.00416464138486139, z[1] + 5.48112510914442334));
  }
  CHECK(z[0] == Approx(1.00416464138486139).epsilon(1e-15));
  CHECK(z[1] == Approx(-5.48112510914442334).epsilon(1e-15));
  CHECK(errors[1] < 10 * errors[0] * errors[0]);  // quadratic
  CHECK(errors[2] < 10 * errors[1] * errors[1] + 1e-15);

  // sqrt(x) - sin x: zero at 0 alone; with its vertical tangent there, a Newton step leads out of the domain.
  double f;
  CHECK(Expression::compile("sqrt(x) - sin(x)", {}, {}).value(std::vector<double>{0.0}.data()) == 0);
  for (double x = 1e-6; x < 30; x *= 1.5) {
    gradient("sqrt(x) - sin(x)", {"x"}, {x}, f);
    CHECK(f > 0);
  }
  const auto slope = gradient("sqrt(x) - sin(x)", {"x"}, {1e-4}, f);
  CHECK(1e-4 - f / slope[0] == Approx(-1e-4).epsilon(0.05));
}

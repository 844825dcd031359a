// tests/integrator/long_steps.cpp
//
// A fixed step is solved as it stands, however long and stiff it is: every implicit method gives the solution of its
// own discrete equations, by every kind of Newton iteration, as plain states and as a mechanism. Truth: those equations
// solved to 30 digits by discrete_solutions.py, which knows nothing of hstar, for an oscillator with cubic spring and
// damper and for one with stiffness and damping 1e4.
// What decays must decay from the first step on, at the start and after an event, in every order of BDF; a method that
// begins with explicit steps would grow like the stability function of those.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <sstream>

#include "hstar/run.hpp"

using namespace hstar;

namespace {

struct Discrete {
  std::string problem, method, h;
  int steps;
  double x, v;
};

std::vector<Discrete> discrete_solutions() {
  std::ifstream in(std::string(HSTAR_SOURCE_DIR) + "/tests/integrator/discrete_solutions.csv");
  REQUIRE(in);
  std::vector<Discrete> out;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#' || line.compare(0, 8, "problem,") == 0) continue;
    std::istringstream cells(line);
    std::array<std::string, 6> c;
    for (std::string& cell : c) std::getline(cells, cell, ',');
    out.push_back({c[0], c[1], c[2], std::stoi(c[3]), std::stod(c[4]), std::stod(c[5])});
    if (c[1] != "bdf1") continue;
    out.push_back(out.back());  // the same by its own name
    out.back().method = "backward_euler";
  }
  REQUIRE(out.size() == 104);
  return out;
}

/// The integrator's keys: bdf3 is bdf with max_order = 3.
std::string integrator_keys(const std::string& method) {
  if (method.compare(0, 3, "bdf") == 0) return "integrator = \"bdf\"\nmax_order = " + method.substr(3) + "\n";
  return "integrator = \"" + method + "\"\n";
}

std::string simulation(const Discrete& d, const std::string& more) {
  std::ostringstream out;
  out.precision(17);
  out << "[simulation]\nend = " << std::stod(d.h) * d.steps << "\nfixed_step = " << d.h << "\n"
      << integrator_keys(d.method) << more;
  return out.str();
}

std::string as_states(const Discrete& d, const std::string& newton) {
  const bool cubic = d.problem == "cubic";
  return simulation(d, "newton = \"" + newton + "\"\n") + "[[state]]\nname = \"x\"\ninitial = 1\nrate = \"v\"\n" +
         "[[state]]\nname = \"v\"\ninitial = " + (cubic ? "-1" : "0") + "\nrate = \"" +
         (cubic ? "(sin(2*t) - 200*v^3 - 400*x^3)/2" : "-1e4*v - 1e4*x") + "\"\n";
}

/// `form`: the formulation of a body on a guide; empty: a free body.
std::string as_mechanism(const Discrete& d, const std::string& newton, const std::string& form) {
  const bool cubic = d.problem == "cubic", on_a_guide = !form.empty();
  return "gravity = [0, 0]\n" +
         simulation(d, "newton = \"" + newton + "\"\n" + (on_a_guide ? "formulation = \"" + form + "\"\n" : "")) +
         "[[body]]\nname = \"b\"\nmass = 2\ninertia = 1\nposition = [1, 0]\nvelocity = [" + (cubic ? "-1" : "0") +
         ", 0]\n[[force]]\nname = \"f\"\ntype = \"point_force\"\nbody = \"b\"\npoint = [0, 0]\nforce = [\"" +
         (cubic ? "sin(2*t) - 200*b.vx^3 - 400*b.x^3" : "-2e4*b.vx - 2e4*b.x") + "\", 0]\n" +
         (on_a_guide
              ? "[[joint]]\nname = \"g\"\ntype = \"translational\"\nbodies = [\"ground\", \"b\"]\naxis = [1, 0]\n"
              : "");
}

/// Formulations of constraints that a method solves; of those that are y' = f, `direct` and one of each other kind.
std::vector<std::string> forms(const std::string& method) {
  if (method == "radau") return {"", "index3", "direct", "projection", "partition_full", "ggl", "index1"};
  const std::vector<std::string> plain{"", "direct", "projection", "partition_full"};
  if (method == "trapezoidal" || method == "rosenbrock4") return plain;
  if (method.compare(0, 3, "bdf") == 0) return {"", "index3", "ggl", "direct", "projection", "partition_full"};
  if (method == "backward_euler") return {"", "index3", "direct"};
  return {"", "index3"};
}

void check_solution(const std::string& model, const Discrete& d) {
  const RunResult r = run(parse_model(model, "long steps"));
  INFO(r.outcome.message);
  REQUIRE(r.outcome.success());
  REQUIRE(r.counters.flow.steps == static_cast<std::size_t>(d.steps));
  const auto value = [&](std::string_view plain, std::string_view of_body) {
    for (std::size_t i = 0; i < r.columns.size(); ++i)
      if (r.columns[i] == plain || r.columns[i] == of_body) return r.rows.back()[i];
    FAIL("no column " << plain);
    return 0.0;
  };
  // Round-off of q comes back in v divided by h.
  CHECK(std::abs(value("x", "b.x") - d.x) < 1e-10);
  CHECK(std::abs(value("v", "b.vx") - d.v) < 1e-10);
}

}  // namespace

TEST_CASE("a fixed step is the solution of the method's own equations, as states") {
  for (const Discrete& d : discrete_solutions())
    for (const char* newton : {"modified", "full", "quasi"}) {
      if (std::string(newton) != "modified" && (d.method == "radau" || d.method == "rosenbrock4")) continue;
      INFO(d.problem << ", " << d.method << ", h = " << d.h << ", newton = " << newton);
      check_solution(as_states(d, newton), d);
    }
}

TEST_CASE("a fixed step is the solution of the method's own equations, as a mechanism") {
  for (const Discrete& d : discrete_solutions())
    for (const std::string& form : forms(d.method))
      for (const char* newton : {"modified", "full", "quasi"}) {
        INFO(d.problem << ", " << d.method << ", h = " << d.h << ", newton = " << newton << ", "
                       << (form.empty() ? "free" : form));
        check_solution(as_mechanism(d, newton, form), d);
      }
}

TEST_CASE("what decays, decays from the first step on and after every event") {
  // y' = -1000 (y - c): the distance from c may not grow at any row.
  for (const char* method : {"bdf1", "bdf2", "bdf3", "bdf4", "bdf5", "bdf6", "radau"}) {
    INFO(method);
    const RunResult r =
        run(parse_model("[simulation]\nend = 2\noutput = 0.1\nfixed_step = 0.1\n" + integrator_keys(method) +
                            "[[state]]\nname = \"y\"\ninitial = 1\nrate = \"-1000*y\"\n"
                            "[[guard]]\nname = \"kick\"\ntimes = [0.5, 0.73, 1.5]\nreset = { y = \"y + 1\" }\n",
                        "decay"));
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    for (std::size_t i = 0; i < r.rows.size(); ++i) {
      INFO("t = " << r.rows[i][0] << ", y = " << r.rows[i][1]);
      CHECK(std::abs(r.rows[i][1]) <= 1.05);
    }
    CHECK(std::abs(r.rows.back()[1]) < 0.05);
  }
}

TEST_CASE("damping that is stiff for the step makes no overshoot beyond the textbook's") {
  // c = k = 1e4, m = 1, h = 0.1: x goes from 1 to 0. The textbook's HHT swings to 1.31, Newmark's method to 1.32.
  for (const char* method : {"newmark", "hht", "generalized_alpha"})
    for (const bool mechanism : {false, true}) {
      Discrete d{"spring", method, "0.1", 50, 0, 0};
      const std::string model = mechanism ? as_mechanism(d, "modified", forms(d.method)[1]) : as_states(d, "modified");
      const RunResult r = run(parse_model(model, "overshoot"));
      INFO(method << (mechanism ? " as mechanism: " : " as states: ") << r.outcome.message);
      REQUIRE(r.outcome.success());
      double largest = 0;
      for (const auto& row : r.rows) largest = std::max(largest, std::abs(row[1]));
      CHECK(largest < 1.6);
    }
}

TEST_CASE("no step of a monotone equation is too long to be solved") {
  // The equation of every step has one root; iterates on the way to it may overflow, and must not pass for it.
  for (const char* method :
       {"newmark", "hht", "generalized_alpha", "bdf1", "bdf2", "bdf3", "bdf5", "radau", "trapezoidal"})
    for (const char* h : {"0.05", "0.2", "0.5", "1"})
      for (const bool mechanism : {false, true}) {
        const Discrete d{"cubic", method, h, 20, 0, 0};
        INFO(method << ", h = " << h << (mechanism ? " as mechanism" : " as states"));
        const RunResult r = run(parse_model(
            mechanism ? as_mechanism(d, "modified", forms(d.method)[1]) : as_states(d, "modified"), "long"));
        INFO(r.outcome.message);
        REQUIRE(r.outcome.success());
        CHECK(std::abs(r.rows.back()[1]) < 1);
      }
}

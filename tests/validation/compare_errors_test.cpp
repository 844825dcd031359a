// tests/validation/compare_errors_test.cpp
//
// A comparison must not be fooled. A run that has blown up is large itself: in units of its own size its error is one,
// or less than the accuracy asked for where only a rate has blown up. In units of the reference it is never small, so
// it is named and never recommended. Events are the same whatever the order in which two of one instant are written.
// The model is a mass behind a damper and a spring with c = k = 1e4: x(t) ~ exp(-t), beside a decay at 1e4 1/s, where
// explicit steps of 0.1 s are far outside every stability region.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "analysis/compare_errors.hpp"
#include "analysis/convergence.hpp"
#include "hstar/compare.hpp"

using namespace hstar;
using namespace hstar::analysis;

namespace {

std::string stiff_spring() {
  const auto file = std::filesystem::temp_directory_path() / "hstar_compare_stiff_spring.toml";
  std::ofstream(file) << "simulation = {end = 1.8}\n"
                         "state = [{name = \"x\", initial = 1, rate = \"v\"},"
                         " {name = \"v\", rate = \"-1e4*v - 1e4*x\"}]\n";
  return file.string();
}

EventRecord event(const char* kind, const char* element, double t) {
  EventRecord e;
  e.kind = kind;
  e.element = element;
  e.t = t;
  return e;
}

}  // namespace

TEST_CASE("runs that blow up are named and not recommended") {
  CompareOptions options;
  options.integrators = {"ode23", "dopri5", "dop853"};
  options.steps = {0.1};
  options.time_limit = 60;
  const double root = 5000 - std::sqrt(5000.0 * 5000.0 - 1e4);
  for (const bool exact : {false, true}) {
    if (exact) options.exact = {{"x", "exp(-" + std::to_string(root) + "*t)"}};
    const Comparison c = compare(stiff_spring(), {}, options);
    REQUIRE(c.rows.size() == 3);
    for (const CompareRow& r : c.rows) {
      INFO(r.integrator << ": " << r.failure);
      CHECK_FALSE(r.failure.empty());
      if (r.end_error) CHECK(*r.end_error > 1e10);
    }
    CHECK(recommendation(c)[0].find("No method can be recommended") == 0);
  }
}

TEST_CASE("among runs that are right and runs that blow up a right one is recommended") {
  CompareOptions options;
  options.integrators = {"dopri5", "backward_euler"};
  options.steps = {0.1, 1e-4};
  options.accuracy = 1e-3;
  options.time_limit = 60;
  const Comparison c = compare(stiff_spring(), {}, options);
  const auto lines = recommendation(c);
  INFO(lines[0]);
  CHECK(lines[0].find("at step 0.0001 s") != std::string::npos);
}

TEST_CASE("who asks for no accuracy is told the fastest of the runs that are as right as any") {
  Comparison c;
  const auto add = [&](const char* integrator, double error, double seconds) {
    CompareRow r;
    r.integrator = integrator;
    r.rtol = 1e-6;
    r.end_error = error;
    r.seconds = seconds;
    c.rows.push_back(r);
  };
  const auto named = [&](const char* integrator) {
    INFO(recommendation(c)[0]);
    return recommendation(c)[0].find(std::string("+ ") + integrator + " at") != std::string::npos;
  };
  add("exact_and_slow", 1e-12, 3.0);
  add("as_exact", 9e-12, 2.0);
  add("coarse", 1e-7, 1.0);
  CHECK(named("as_exact"));
  c.accuracy = 1e-6;
  CHECK(named("coarse"));
  // What is wrong by itself is not recommended because the others are worse.
  c.accuracy.reset();
  c.rows.clear();
  add("wrong", 1e-3, 1.0);
  add("worse", 0.5, 0.5);
  CHECK(recommendation(c)[0].find("No run comes within 1e-06; the closest is  + wrong") == 0);
}

TEST_CASE("an error is measured in the size of the reference on its way") {
  StateSizes sizes(1, 1);
  sizes.include(std::vector<double>{4.0, 0.5, 10.0});
  sizes.include(std::vector<double>{-2.0, -1.0, 0.0});
  const std::vector<double> truth{0.0, 0.0, 5.0};
  CHECK(end_error(std::vector<double>{1.0, 0.0, 5.0}, truth, sizes, 1) == Approx(0.25));
  CHECK(end_error(std::vector<double>{0.0, 1e30, 5.0}, truth, sizes, 1) == Approx(1e30));
  CHECK(end_error(std::vector<double>{0.0, 0.0, 7.0}, truth, sizes, 1) == Approx(0.2));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isinf(end_error(std::vector<double>{0.0, nan, 5.0}, truth, sizes, 1)));
  CHECK(end_error(std::vector<double>{1.0, 0.0, 5.0}, std::vector<double>{nan, 0.0, 5.0}, sizes, 1) == 0);
}

TEST_CASE("what stands still is measured by the motion that its companion would make of it") {
  // |q| stays 2 and v is 1e-17 for 4 s: a velocity error of 1e-16 is round-off, not ten times too much.
  StateSizes sizes(1, 1);
  sizes.include(std::vector<double>{2.0, 1e-17});
  CHECK(end_error(std::vector<double>{2.0, 1e-16}, std::vector<double>{2.0, 0.0}, sizes, 4) == Approx(2e-16));
  CHECK(end_error(std::vector<double>{2.0, 0.5}, std::vector<double>{2.0, 0.0}, sizes, 4) == Approx(1.0));
}

TEST_CASE("events of one instant may stand in any order; each is matched with its own kind and element") {
  const std::vector<EventRecord> truth{event("impact", "floor.corner1", 0.75), event("impact", "floor.corner2", 0.75),
                                       event("liftoff", "floor.corner1", 1.0)};
  const std::vector<EventRecord> swapped{event("impact", "floor.corner2", 0.75 + 1e-9),
                                         event("impact", "floor.corner1", 0.75 + 3e-9),
                                         event("liftoff", "floor.corner1", 1.0)};
  const EventComparison same = compare_events(swapped, truth);
  CHECK(same.difference.empty());
  REQUIRE(same.worst);
  CHECK(*same.worst == Approx(3e-9));

  CHECK(compare_events(std::vector<EventRecord>(truth.begin(), truth.begin() + 2), truth).difference ==
        "0 liftoff of floor, the reference has 1");
  std::vector<EventRecord> more = truth;
  more.push_back(event("stick", "floor.corner2", 1.5));
  CHECK(compare_events(more, truth).difference == "1 stick of floor, the reference has none");
  CHECK_FALSE(compare_events({}, {}).worst);
}

TEST_CASE("how many impacts are seen before an accumulation is recognised does not count; its limit does") {
  // Flights halve: impacts at 2 - 2^-k.
  const auto bounces = [](int count, double shift) {
    std::vector<EventRecord> out;
    for (int k = 0; k < count; ++k) out.push_back(event("impact", "floor", 2 - std::pow(0.5, k) + shift));
    out.push_back(event("zeno", "floor", 2.0 + shift));
    out.push_back(event("slip", "floor", 3.0));
    return out;
  };
  const EventComparison same = compare_events(bounces(13, 1e-9), bounces(16, 0));
  CHECK(same.difference.empty());
  REQUIRE(same.worst);
  CHECK(*same.worst == Approx(1e-9).epsilon(1e-6));
  CHECK(compare_events(bounces(5, 0), bounces(16, 0)).difference.empty());
  CHECK(*compare_events(bounces(5, 1e-3), bounces(16, 0)).worst == Approx(1e-3));
  std::vector<EventRecord> without = bounces(16, 0);
  without.erase(without.begin() + 16);
  CHECK(compare_events(without, bounces(16, 0)).difference.find("floor, the reference has") != std::string::npos);
  std::vector<EventRecord> touches = bounces(16, 0);
  touches.push_back(event("graze", "wall", 2.5));
  CHECK(compare_events(touches, bounces(16, 0)).difference.empty());
}

TEST_CASE("further keys are varied in every combination, and orders are measured from fixed steps") {
  // y' = -5 t y^2 + 5/t - 1/t^2, y = 1/t: the convergence problem of the BDF lecture.
  CompareOptions options;
  options.integrators = {"bdf"};
  options.vary = {{"max_order", {"1", "2", "3"}}, {"newton", {"full", "modified"}}};
  options.steps = {0.02, 0.01};
  options.exact = {{"y", "1/t"}};
  options.time_limit = 60;
  const Comparison c = compare(std::string(HSTAR_SOURCE_DIR) + "/docs/course/bdf6_convergence.toml", {}, options);
  REQUIRE(c.rows.size() == 12);
  CHECK(c.rows[0].variant == "max_order=1 newton=full");
  CHECK(c.rows[0].order == 1);
  CHECK(c.rows[11].variant == "max_order=3 newton=modified");
  CHECK(c.rows[11].counters.flow.iterations > 0);
  CHECK(c.rows[1].counters.flow.jacobians > c.rows[3].counters.flow.jacobians);  // full, modified
  const auto lines = convergence(c);
  REQUIRE(lines.size() == 6);
  for (const Convergence& line : lines) {
    INFO(line.name);
    CHECK(line.slope == Approx(line.order).margin(0.3));
  }
  options.exact.clear();
  options.vary = {{"newtn", {"full"}}};
  CHECK_THROWS_WITH(compare(stiff_spring(), {}, options), Catch::Matchers::Contains("simulation.newtn"));
}

TEST_CASE("integrators may be named as in MATLAB and SciPy") {
  CompareOptions options;
  options.integrators = {"ode15s", "Radau"};
  options.steps = {0.1};
  options.time_limit = 60;
  const Comparison c = compare(stiff_spring(), {}, options);
  REQUIRE(c.rows.size() == 2);
  CHECK(c.rows[0].integrator == "radau");
  CHECK(c.rows[1].integrator == "bdf");
}

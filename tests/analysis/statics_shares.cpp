// tests/analysis/statics_shares.cpp
//
// Where forces at rest are not unique, equilibrium reports those that a run of the same model has while it rests
// there: both ask the same contact problem. Closed forms of equally stiff feet stand beside some.
#include <fmt/core.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "hstar/equilibrium.hpp"
#include "hstar/run.hpp"

using namespace hstar;

namespace {

EquilibriumResult rest_of(const ModelSpec& model) {
  EquilibriumOptions options;
  options.intervals = false;
  EquilibriumResult r = find_equilibrium(model, options);
  REQUIRE(r.found);
  return r;
}

double last(const RunResult& run, const std::string& column) {
  for (std::size_t i = 0; i < run.columns.size(); ++i)
    if (run.columns[i] == column) return run.rows.back()[i];
  FAIL("no column " << column);
  return 0;
}

std::string asked_name(std::string element, const std::string& word) {
  std::replace(element.begin(), element.end(), '.', '_');
  return "asked_" + element + "_" + word;
}

/// Normal and friction force of every contact; returns how many contacts press.
int same_as_run(const std::string& text) {
  const ModelSpec model = parse_model(text, "m.toml");
  const EquilibriumResult rest = rest_of(model);
  CHECK(rest.notices.empty());
  // (Those of one feature of two boxes are columns if they are asked for.)
  std::string asked = text;
  for (const ElementAtRest& e : rest.elements) {
    std::vector<std::string> words{"normal", "tangential"};
    for (const auto& f : e.friction) words.push_back(f.name);
    for (const std::string& word : words)
      asked +=
          "\n[[measure]]\nname = \"" + asked_name(e.element, word) + "\"\nvalue = \"" + e.element + "." + word + "\"\n";
  }
  const RunResult result = run(parse_model(asked, "m.toml"));
  REQUIRE(result.outcome.success());
  double weight = 0;
  for (const ElementAtRest& e : rest.elements) weight = std::max(weight, e.normal);
  int pressing = 0;
  for (const ElementAtRest& e : rest.elements) {
    INFO(e.element);
    pressing += e.normal > 1e-9 * weight;
    CHECK(e.normal == Approx(last(result, asked_name(e.element, "normal"))).margin(1e-10 * weight));
    if (e.friction.empty())
      CHECK(e.tangential == Approx(last(result, asked_name(e.element, "tangential"))).margin(1e-10 * weight));
    else
      CHECK(e.tangential == Approx(std::abs(last(result, asked_name(e.element, "tangential")))).margin(1e-10 * weight));
    // (Of a run fx, fy, fz are friction and normal force together, which has no part along y in these models.)
    for (const FrictionAtRest& f : e.friction)
      if (f.name == "fy") CHECK(f.value == Approx(last(result, asked_name(e.element, f.name))).margin(1e-10 * weight));
  }
  return pressing;
}

std::string feet(const std::string& push) {
  std::string text =
      "gravity = [0, -9.81]\n[simulation]\nend = 0.1\n[[body]]\nname = \"bench\"\nmass = 1\ninertia = 1\n"
      "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"bench\"\nforce = [" +
      push + ", 0]\n";
  for (int i = 0; i < 3; ++i)
    text += fmt::format(
        "[[contact]]\nname = \"foot{}\"\nbetween = [{{ body = \"ground\", shape = \"line\" }}, {{ body = \"bench\", "
        "shape = \"point\", point = [{}, 0] }}]\nfriction = {{ mu = {} }}\n",
        i, i - 1, i == 1 ? 0.9 : 0.2);
  return text;
}

}  // namespace

TEST_CASE("three feet share the weight as equally stiff ones, and creep before they slide") {
  CHECK(same_as_run(feet("1.5")) == 3);
  CHECK(same_as_run(feet("4.1")) == 3);
  // A third of the weight each; the outer feet carry all their friction, the one in the middle the rest.
  const EquilibriumResult r = rest_of(parse_model(feet("4.1"), "m.toml"));
  for (const ElementAtRest& e : r.elements) CHECK(e.normal == Approx(9.81 / 3).epsilon(1e-12));
  CHECK(r.elements[0].reserve == Approx(0).margin(1e-12));
  CHECK(std::abs(r.elements[1].tangential) == Approx(4.1 - 2 * 0.2 * 9.81 / 3).epsilon(1e-12));
}

TEST_CASE("where other forces than those of equally stiff contacts hold it, that is said") {
  const EquilibriumResult r = rest_of(parse_model(feet("5"), "m.toml"));
  REQUIRE(r.notices.size() == 1);
  CHECK(r.notices[0].find("a run that begins here does not stay at rest") != std::string::npos);
}

TEST_CASE("a ball pressed between walls, and a block in a corner") {
  std::string ball =
      "gravity = [0, -9.81]\n[simulation]\nend = 0.1\n[[body]]\nname = \"ball\"\nmass = 1\ninertia = 0.004\n";
  for (const int side : {1, -1}) {
    const double x = side * std::cos(0.1), y = std::sin(0.1);
    ball += fmt::format(
        "[[contact]]\nname = \"{}\"\nbetween = [{{ body = \"ground\", shape = \"line\", point = [{:.17g}, {:.17g}], "
        "normal = [{:.17g}, {:.17g}] }}, {{ body = \"ball\", shape = \"circle\", radius = 0.1 }}]\nfriction = {{ mu = "
        "0.6 "
        "}}\n",
        side > 0 ? "left" : "right", -0.1 * x, -0.1 * y, x, y);
  }
  CHECK(same_as_run(ball) == 2);
  const std::string block =
      "gravity = [0, -9.81]\n[simulation]\nend = 0.1\n[[body]]\nname = \"block\"\nmass = 2\ninertia = 0.1\n"
      "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"block\"\nforce = [-30, -2]\n";
  std::string corner = block;
  for (const auto& [name, normal, point] :
       {std::array{"floor1", "[0, 1]", "[-0.2, 0]"}, std::array{"floor2", "[0, 1]", "[0.3, 0]"},
        std::array{"wall", "[1, 0]", "[-0.2, 0]"}})
    corner += fmt::format(
        "[[contact]]\nname = \"{}\"\nbetween = [{{ body = \"ground\", shape = \"line\", normal = {}, point = {} }}, {{ "
        "body = \"block\", shape = \"point\", point = {} }}]\nfriction = {{ mu = 0.5 }}\n",
        name, normal, name == std::string("wall") ? "[-0.2, 0]" : "[0, 0]", point);
  CHECK(same_as_run(corner) >= 2);
}

TEST_CASE("a ball clamped in a groove whose sides reach their limits together") {
  // Within the angle of friction; at any one force more than the least the sides would hold it, too.
  const double beta = 0.4;
  std::string text = fmt::format(
      "dimension = 3\ngravity = [0, 0, -10]\n[simulation]\nend = 0.1\n[[body]]\nname = \"ball\"\nmass = 2\n"
      "inertia = [0.01, 0.01, 0.01]\nposition = [0, 0, {:.17g}]\n[[force]]\nname = \"push\"\ntype = \"point_force\"\n"
      "body = \"ball\"\npoint = [0, 0, {:.17g}]\nforce = [0, 3, 0]\n",
      0.1 / std::sin(beta), -0.1 * std::sin(beta));
  for (const int side : {1, -1})
    text += fmt::format(
        "[[contact]]\nname = \"{}\"\nbetween = [{{ body = \"ground\", shape = \"plane\", normal = [{:.17g}, 0, "
        "{:.17g}] }}, "
        "{{ body = \"ball\", shape = \"sphere\", radius = 0.1 }}]\nfriction = {{ mu = 0.5 }}\n",
        side > 0 ? "left" : "right", side * std::cos(beta), std::sin(beta));
  CHECK(same_as_run(text) == 2);
}

TEST_CASE("a table on four legs with a load, a push and a twist") {
  std::string text =
      "dimension = 3\ngravity = [0, 0, -9.81]\n[simulation]\nend = 0.1\n[[body]]\nname = \"table\"\nmass = 6\n"
      "inertia = [1, 1, 1]\nposition = [0, 0, 0.5]\n"
      "[[force]]\nname = \"load\"\ntype = \"point_force\"\nbody = \"table\"\npoint = [0.3, 0.1, 0]\n"
      "force = [9, 4, -20]\n";
  for (int i = 0; i < 4; ++i)
    text += fmt::format(
        "[[contact]]\nname = \"leg{}\"\nbetween = [{{ body = \"ground\", shape = \"plane\" }}, {{ body = \"table\", "
        "shape = \"point\", point = [{}, {}, -0.5] }}]\nfriction = {{ mu = 0.4 }}\n",
        i, i % 2 ? 0.5 : -0.5, i / 2 ? 0.4 : -0.4);
  CHECK(same_as_run(text) == 4);
}

TEST_CASE("boxes on each other in space") {
  std::string text = "dimension = 3\ngravity = [0, 0, -9.81]\n[simulation]\nend = 0.1\n";
  for (int i = 0; i < 2; ++i)
    text += fmt::format(
        "[[body]]\nname = \"box{}\"\nmass = 1.5\ninertia = [0.02, 0.03, 0.03]\nposition = [{}, 0, {}]\n"
        "[[contact]]\nname = \"joint{}\"\nbetween = [{}, {{ body = \"box{}\", shape = \"box\", sides = [0.4, 0.3, 0.2] "
        "}}]\nfriction = {{ mu = 0.4 }}\n",
        i, 0.03 * i, 0.1 + 0.2 * i, i,
        i == 0 ? "{ body = \"ground\", shape = \"plane\" }"
               : "{ body = \"box0\", shape = \"box\", sides = [0.4, 0.3, 0.2] }",
        i);
  text += "[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"box1\"\nforce = [2, 1, 0]\n";
  CHECK(same_as_run(text) >= 8);
}

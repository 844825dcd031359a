// tests/cli/test_arguments.cpp
//
// What must hold: help is there for every verb and shows examples; a wrong argument, option or file is
// one line on standard error and exit code 2, never a run with something silently dropped.
#include <algorithm>
#include <catch2/catch.hpp>

#include "cli/shell.hpp"
#include "hstar/flow.hpp"

using hstar::test::Said;
using hstar::test::Scratch;
using hstar::test::source;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const char* const block = R"(
title = "Block"
gravity = [0.0, -10.0]
[simulation]
end = 5.0
[[body]]
name = "block"
mass = 2.0
[[joint]]
name = "plate"
type = "translational"
bodies = ["ground", "block"]
friction = { mu_static = 0.5, mu_kinetic = 0.3 }
[[force]]
name = "pull"
type = "point_force"
body = "block"
force = ["4*t", 0.0]
)";

}  // namespace

TEST_CASE("help says what every verb does, with an example") {
  const Scratch scratch;
  const Said top = scratch.hstar("--help");
  CHECK(top.code == 0);
  for (const char* verb :
       {"run", "info", "list", "validate", "assemble", "equilibrium", "inverse", "modes", "classify", "kinematics"}) {
    CHECK(has(top.out, verb));
    const Said said = scratch.hstar(std::string(verb) + " --help");
    INFO(verb);
    CHECK(said.code == 0);
    CHECK(said.err.empty());
    CHECK(has(said.out, "Example"));
    CHECK(has(said.out, std::string("hstar ") + verb));
  }
  const Said version = scratch.hstar("--version");
  CHECK(version.code == 0);
  CHECK(version.out.starts_with("hstar 0."));
}

TEST_CASE("wrong arguments are bad input: exit code 2 and a message") {
  const Scratch scratch;
  scratch.write("block.toml", block);
  struct Row {
    const char *arguments, *message;
  };
  const Row rows[] = {
      {"", "subcommand is required"},
      {"frobnicate", "no verb 'frobnicate'; there are: compare, demo, report, run, "},
      {"run", "MODEL is required"},
      {"run block.toml --tolerance 1", "--tolerance"},
      {"run missing.toml", "missing.toml"},
      {"run .", "."},
      {"run block.toml --set mu", "--set 'mu' must be path.to.value=x"},
      {"assemble block.toml --weight block", "--weight 'block' must be NAME=number"},
      {"assemble block.toml --keep blck", "there is no coordinate 'blck'; the coordinates are block.x, block.y"},
      {"equilibrium block.toml --vary mu", "there is no parameter 'mu' to vary; the parameters are none"},
      {"equilibrium block.toml --coordinate block.z", "there is no coordinate 'block.z'"},
      {"equilibrium block.toml --touching floor", "there is no contact 'floor' to be closed"},
      {"inverse block.toml", "no joint drives this mechanism"},
      {"modes block.toml", "nothing can move"},
      {"run block.toml --set =3", "--set '=3' must be path.to.value=x"},
      {"run block.toml --set simulation.nd=3", "nd"},
      {"run block.toml --rtol fast", "fast"},
      {"run block.toml --rtol -1", "rtol"},
      {"run block.toml --integrator rk99", "rk99"},
      {"run block.toml --formulation magic", "magic"},
      {"run block.toml --plot block.z", "no column 'block.z' is recorded"},
      {"info missing.toml", "missing.toml"},
      {"validate no_such_problem", "no_such_problem"},
  };
  for (const Row& row : rows) {
    const Said said = scratch.hstar(row.arguments);
    INFO("hstar " << row.arguments << "\n" << said.out << said.err);
    CHECK(said.code == 2);
    CHECK(has(said.err, row.message));
    CHECK_FALSE(has(said.err, "terminate called"));
  }
}

TEST_CASE("list names every integrator and the elements of a model file") {
  const Scratch scratch;
  const Said said = scratch.hstar("list");
  CHECK(said.code == 0);
  for (const auto& entry : hstar::integrators()) CHECK(has(said.out, entry.name));
  for (const char* word : {"direct",
                           "projection",
                           "coulomb",
                           "stribeck",
                           "viscous",
                           "table",
                           "revolute",
                           "translational",
                           "fixed",
                           "distance",
                           "absolute_x",
                           "absolute_y",
                           "absolute_angle",
                           "relative_angle",
                           "relative_translation",
                           "point_force",
                           "torque",
                           "spring_damper",
                           "rotational_spring_damper",
                           "newton"}) {
    INFO(word);
    CHECK(has(said.out, word));
  }
}

TEST_CASE("info describes a model without running it") {
  const Scratch scratch;
  const Said said = scratch.hstar("info " + source("examples/01_drag_sled.toml"));
  CHECK(said.code == 0);
  CHECK(has(said.out, "sled"));
  CHECK(has(said.out, "rtol"));
  CHECK(has(said.out, "stick"));
  CHECK_FALSE(has(scratch.shell("ls").out, "out"));
}

TEST_CASE("overrides reach the run, in the given order") {
  const Scratch scratch;
  scratch.write("block.toml", block);
  // Breakaway where 4 t = mu_static m g.
  REQUIRE(scratch.hstar("run block.toml -o a --rtol 1e-10").code == 0);
  REQUIRE(scratch.hstar("run block.toml -o b --rtol 1e-10 --set body.block.mass=3 --set simulation.end=4").code == 0);
  const auto a = hstar::test::read_csv(scratch.path("a/events.csv"));
  const auto b = hstar::test::read_csv(scratch.path("b/events.csv"));
  REQUIRE(a.rows.size() == 1);
  REQUIRE(b.rows.size() == 1);
  CHECK(a.number(0, "t") == Approx(2.5).epsilon(1e-10));
  CHECK(b.number(0, "t") == Approx(3.75).epsilon(1e-10));
  CHECK(std::count(b.comments.begin(), b.comments.end(), "# set: body.block.mass = 3") == 1);
}

TEST_CASE("quiet prints nothing of a run that ends well, and files go to out/NAME by default") {
  const Scratch scratch;
  scratch.write("block.toml", block);
  const Said said = scratch.hstar("run block.toml --quiet");
  CHECK(said.code == 0);
  CHECK(said.out.empty());
  CHECK(scratch.shell("ls out/block").out == "events.csv\nreport.html\nrun.h5\nsummary.json\ntrajectory.csv\n");
}

TEST_CASE("no progress bar in a pipe") {
  const Scratch scratch;
  const Said said = scratch.hstar("run " + source("examples/01_drag_sled.toml") + " --rtol 1e-13");
  CHECK(said.code == 0);
  CHECK_FALSE(has(said.out + said.err, "\r"));
  CHECK_FALSE(has(said.out + said.err, "\033"));
}

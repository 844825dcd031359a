// tests/cli/test_pages.cpp
//
// What must hold: `run --vary` makes a run for each value in a folder of its own, each as --set would make it, and a
// page of all; `report A B` makes the same of runs that are there; `view` draws a model without running it; `demo`
// carries its model; `run -` reads the model from standard input; misspelt verbs and options name the one that was
// meant; `help` and `version` are verbs; --open without a browser is a notice.
#include <catch2/catch.hpp>
#include <filesystem>

#include "cli/shell.hpp"
#include "hstar/report.hpp"

using hstar::test::read_csv;
using hstar::test::read_file;
using hstar::test::Scratch;
using hstar::test::source;

namespace {

std::size_t runs_on(const std::string& page) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = page.find("class=\"run\"", at)) != std::string::npos; ++at) ++count;
  return count;
}

}  // namespace

TEST_CASE("run --vary makes every run and one page") {
  const Scratch scratch;
  const std::string sled = source("examples/01_drag_sled.toml");
  REQUIRE(scratch.hstar("run " + sled + " --end 2 --vary mu_static=0.35,0.45 --vary pull=0.03:0.04:2 -q -o out").code ==
          0);
  REQUIRE(scratch.hstar("run " + sled + " --end 2 --set parameters.mu_static=0.45 --set parameters.pull=0.03 -q -o one")
              .code == 0);
  const std::string one = "out/mu_static=0.45_pull=0.03";
  CHECK(read_csv(scratch.path(one + "/events.csv")).rows == read_csv(scratch.path("one/events.csv")).rows);
  CHECK(std::filesystem::exists(scratch.path("out/mu_static=0.35_pull=0.04/report.html")));
  if (!hstar::report_is_interactive()) return;
  CHECK(runs_on(read_file(scratch.path("out/comparison.html"))) == 4);
  const auto said = scratch.hstar("report one " + one + " -o both.html");
  CHECK(said.code == 0);
  CHECK(said.out == "both.html\n");
  CHECK(runs_on(read_file(scratch.path("both.html"))) == 2);
}

TEST_CASE("more runs than a page compares are refused before the first") {
  const Scratch scratch;
  const auto said =
      scratch.hstar("run " + source("examples/01_drag_sled.toml") + " --vary mu_static=0.3:0.6:100 -o out");
  CHECK(said.code == 2);
  CHECK(said.err.find("100 runs") != std::string::npos);
  CHECK(said.err.find("hstar sweep") != std::string::npos);
  CHECK(!std::filesystem::exists(scratch.path("out")));
}

TEST_CASE("a picture of what is not recorded is refused before the run, and leaves older results alone") {
  const Scratch scratch;
  const std::string sled = source("examples/01_drag_sled.toml");
  REQUIRE(scratch.hstar("run " + sled + " --end 1 -q -o out").code == 0);
  const std::string before = read_file(scratch.path("out/trajectory.csv"));
  CHECK(scratch.hstar("run " + sled + " -q -o out --plot sled.x,nope").code == 2);
  CHECK(read_file(scratch.path("out/trajectory.csv")) == before);
  REQUIRE(scratch.hstar("run " + sled + " --end 1 -q -o out --plot sled.x,sled.vx,plate.tangential").code == 0);
  // One panel has one unit: three quantities in three units are three panels.
  const std::string picture = read_file(scratch.path("out/plot.svg"));
  for (const char* unit : {"[m]", "[m/s]", "[N]"}) CHECK(picture.find(unit) != std::string::npos);
  REQUIRE(scratch.hstar("run " + sled + " --end 1 -q -o out").code == 0);
  CHECK(!std::filesystem::exists(scratch.path("out/plot.svg")));
}

TEST_CASE("view draws a model that has not run") {
  const Scratch scratch;
  const auto said = scratch.hstar("view " + source("examples/16_clearance_pin.toml") + " -o page.html");
  CHECK(said.code == 0);
  CHECK(said.out.find("page.html") == 0);
  CHECK(read_file(scratch.path("page.html")).size() > 5000);
  CHECK(!std::filesystem::exists(scratch.path("out")));
}

TEST_CASE("demo runs a model that the program carries, and leaves it to be changed") {
  const Scratch scratch;
  const auto said = scratch.hstar("demo");
  CHECK(said.code == 0);
  CHECK(said.out.find("81 events") != std::string::npos);
  CHECK(read_file(scratch.path("out/demo/drag_sled.toml")) == read_file(source("examples/01_drag_sled.toml")));
  CHECK(std::filesystem::exists(scratch.path("out/demo/report.html")));
}

TEST_CASE("a model comes from standard input") {
  const Scratch scratch;
  const auto said = scratch.hstar("run - -q", "cat " + source("examples/09_thermostat.toml") + " |");
  CHECK(said.code == 0);
  CHECK(std::filesystem::exists(scratch.path("out/stdin/events.csv")));
}

TEST_CASE("misspelt verbs and options name the one that was meant") {
  const Scratch scratch;
  CHECK(scratch.hstar("rnu x.toml").err.find("did you mean \"run\"?") != std::string::npos);
  const auto option = scratch.hstar("run --rtoll 1e-3 x.toml");
  CHECK(option.code == 2);
  CHECK(option.err.find("did you mean \"--rtol\"?") != std::string::npos);
  CHECK(scratch.hstar("run x.toml y.toml").err.find("hstar run takes no 'y.toml' here") != std::string::npos);
  CHECK(scratch.hstar("version").out == scratch.hstar("--version").out);
  CHECK(scratch.hstar("help sweep").out == scratch.hstar("sweep --help").out);
  CHECK(scratch.hstar("help").out == scratch.hstar("--help").out);
}

TEST_CASE("a page that cannot be opened is written all the same") {
  const Scratch scratch;
  const auto said =
      scratch.hstar("run " + source("examples/09_thermostat.toml") + " -q --open -o out", "env PATH=/nowhere");
  CHECK(said.code == 0);
  CHECK(said.err.find("open ") != std::string::npos);
  CHECK(std::filesystem::exists(scratch.path("out/report.html")));
}

// tests/cli/test_result_files.cpp
//
// What must hold: run.h5 says what the CSV files say; the report made from it alone is the report of the run; a run
// that is killed at any moment leaves tables of whole lines and a readable run.h5, not older than one interval of
// writing.
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "cli/shell.hpp"
#include "hstar/record.hpp"

using hstar::test::read_csv;
using hstar::test::read_file;
using hstar::test::Scratch;
using hstar::test::source;

TEST_CASE("run.h5 holds what the tables hold, and makes the same report") {
  const Scratch scratch;
  REQUIRE(
      scratch.hstar("run " + source("examples/01_drag_sled.toml") + " --set parameters.mu_static=0.45 -o sled").code ==
      0);
  const auto stored = hstar::read_hdf5(scratch.path("sled/run.h5"));
  const auto rows = read_csv(scratch.path("sled/trajectory.csv")), events = read_csv(scratch.path("sled/events.csv"));
  REQUIRE(stored.result.rows.size() == rows.rows.size());
  REQUIRE(stored.result.columns == rows.header);
  for (std::size_t i = 0; i < rows.rows.size(); i += 97)
    for (std::size_t c = 0; c < rows.header.size(); ++c)
      CHECK(hstar::number_text(stored.result.rows[i][c]) == rows.rows[i][c]);
  REQUIRE(stored.result.events.size() == events.rows.size());
  for (std::size_t i = 0; i < events.rows.size(); ++i) {
    CHECK(stored.result.events[i].t == events.number(i, "t"));
    CHECK(stored.result.events[i].kind == events.word(i, "kind"));
    CHECK(stored.result.events[i].mode_after == events.word(i, "mode_after"));
  }
  const std::string page = read_file(scratch.path("sled/report.html"));
  std::filesystem::remove(scratch.path("sled/report.html"));
  REQUIRE(scratch.hstar("report sled").code == 0);
  CHECK(read_file(scratch.path("sled/report.html")) == page);
}

TEST_CASE("what is no result file is said") {
  const Scratch scratch;
  scratch.write("run.h5", "not HDF5");
  const auto said = scratch.hstar("report run.h5");
  CHECK(said.code == 2);
  CHECK(said.err.find("cannot read 'run.h5' as an HDF5 file") != std::string::npos);
  CHECK(scratch.hstar("report nowhere").err.find("nowhere") != std::string::npos);
}

// HSTAR_KILLS=50 kills more often.
TEST_CASE("a killed run leaves whole lines and a readable run.h5") {
  const Scratch scratch;
  scratch.write("long.toml", R"(
title = "van der Pol for a long time"
[simulation]
end = 1e6
output = 0.01
[[state]]
name = "x"
initial = 2.0
rate = "v"
[[state]]
name = "v"
initial = 0.0
rate = "(1 - x^2)*v - x"
[[guard]]
name = "up"
when = "x"
)");
  const char* wanted = std::getenv("HSTAR_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : 4;
  unsigned random = 12345;
  for (int i = 0; i < kills; ++i) {
    random = random * 1103515245u + 12345u;
    const int milliseconds = 100 + static_cast<int>(random / 65536u % 5000u);
    std::filesystem::remove_all(scratch.path("run"));
    const auto said =
        scratch.hstar("run long.toml --quiet -o run", "timeout -s KILL " + std::to_string(milliseconds / 1000.0));
    INFO("killed after " << milliseconds << " ms");
    CHECK(said.code == 128 + 9);
    const auto trajectory = read_csv(scratch.path("run/trajectory.csv"));
    const auto events = read_csv(scratch.path("run/events.csv"));
    // The last line may be cut; all before it are whole.
    for (std::size_t row = 0; row + 1 < trajectory.rows.size(); ++row)
      REQUIRE(trajectory.rows[row].size() == trajectory.header.size());
    for (std::size_t row = 0; row + 1 < events.rows.size(); ++row)
      REQUIRE(events.rows[row].size() == events.header.size());
    const auto stored = hstar::read_hdf5(scratch.path("run/run.h5"));
    CHECK_FALSE(stored.result.outcome.success());
    for (std::size_t row = 0; row < stored.result.rows.size(); row += 1009)
      REQUIRE(stored.result.rows[row].size() == trajectory.header.size());
    // At most one interval (2 s, or thirty times what writing takes) is lost.
    if (milliseconds > 3500) CHECK(stored.result.rows.size() > trajectory.rows.size() / 20);
  }
}

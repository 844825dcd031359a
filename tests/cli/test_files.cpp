// tests/cli/test_files.cpp
//
// What must hold: the drag sled's 81 events are written and agree with the reference data by the
// reference's own comparison script; the same run gives the same bytes; files read back and keep their
// promises (columns, units, two rows at a jump); a run that ends early or is interrupted says so, has
// exit code 1 and leaves everything computed so far.
#include <catch2/catch.hpp>
#include <cmath>

#include "cli/shell.hpp"

using hstar::test::Csv;
using hstar::test::read_csv;
using hstar::test::read_file;
using hstar::test::Said;
using hstar::test::Scratch;
using hstar::test::source;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string sled = source("validation/p02_sled_metal/model.toml");

}  // namespace

TEST_CASE("the drag sled: 81 events, matched by the reference's own script") {
  const Scratch scratch;
  const Said run = scratch.hstar("run " + sled + " -o sled --rtol 1e-12 --all-events");
  INFO(run.err);
  REQUIRE(run.code == 0);
  CHECK(has(run.out, "81 events: 41 slip, 40 stick"));
  CHECK(has(run.out, "  81  "));
  CHECK(read_csv(scratch.path("sled/events.csv")).rows.size() == 81);

  // time_sensitivity of this problem: 140 s, so 1e-10 * 140 s is what rtol 1e-12 must reach.
  const Said compared = scratch.shell("python3 " + source("tests/cli/compare_events.py") + " " +
                                      source("validation/p02_sled_metal/reference.toml") +
                                      " sled/events.csv --where --tol 1.4e-8 --json");
  INFO(compared.out << compared.err);
  CHECK(compared.code == 0);
  CHECK(has(compared.out, "\"matched\": 81"));
}

TEST_CASE("a long list is cut in the middle of the terminal's table only") {
  const Scratch scratch;
  const Said run = scratch.hstar("run " + sled + " -o sled");
  REQUIRE(run.code == 0);
  CHECK(has(run.out, "42 more"));
  CHECK(read_csv(scratch.path("sled/events.csv")).rows.size() == 81);
}

TEST_CASE("the same run twice gives the same bytes in every file") {
  const Scratch scratch;
  for (const char* model :
       {"examples/01_drag_sled.toml", "examples/04_bouncing_ball.toml", "examples/09_thermostat.toml"}) {
    REQUIRE(scratch.hstar("run " + source(model) + " -o one").code == 0);
    REQUIRE(scratch.hstar("run " + source(model) + " -o two").code == 0);
    const Said difference = scratch.shell("diff -r one two");
    INFO(model << difference.out);
    CHECK(difference.code == 0);
  }
}

TEST_CASE("trajectory.csv: header lines, units, rows in time order that read back") {
  const Scratch scratch;
  REQUIRE(scratch.hstar("run " + source("examples/01_drag_sled.toml") + " -o sled").code == 0);
  const Csv csv = read_csv(scratch.path("sled/trajectory.csv"));
  const std::string comments = scratch.shell("grep '^#' sled/trajectory.csv").out;
  for (const char* part :
       {"# hstar 0.", "# title: Drag sled", "hash ", "# options: ", "rtol = 1e-09", "sled.x [m]", "t [s]"}) {
    INFO(part);
    CHECK(has(comments, part));
  }
  REQUIRE(csv.header.front() == "t");
  REQUIRE(csv.rows.size() > 6000);
  for (std::size_t i = 0; i < csv.rows.size(); ++i) {
    REQUIRE(csv.rows[i].size() == csv.header.size());
    if (i > 0) REQUIRE(csv.number(i, "t") >= csv.number(i - 1, "t"));
  }
  CHECK(csv.number(0, "t") == 0.0);
  CHECK(csv.number(csv.rows.size() - 1, "t") == 60.0);
  // Stuck is stuck: before the first slip at 1.94 s the sled has not moved beyond round-off.
  for (std::size_t i = 0; csv.number(i, "t") < 1.94; ++i) REQUIRE(std::abs(csv.number(i, "sled.x")) < 1e-15);
}

TEST_CASE("a jump has two rows at one time, and the ledger its velocities") {
  const Scratch scratch;
  REQUIRE(scratch.hstar("run " + source("examples/04_bouncing_ball.toml") + " -o ball").code == 0);
  const Csv events = read_csv(scratch.path("ball/events.csv"));
  const Csv csv = read_csv(scratch.path("ball/trajectory.csv"));
  REQUIRE(events.word(0, "kind") == "impact");
  const double v = std::sqrt(2 * 9.81);  // speed after falling 1 m
  CHECK(events.number(0, "t") == Approx(std::sqrt(2 / 9.81)).epsilon(1e-9));
  CHECK(events.number(0, "gap_velocity_before") == Approx(-v).epsilon(1e-8));
  CHECK(events.number(0, "gap_velocity_after") == Approx(0.8 * v).epsilon(1e-8));
  CHECK(events.number(0, "impulse_n") == Approx(1.8 * v).epsilon(1e-8));
  CHECK(events.number(0, "energy_loss") == Approx(0.5 * v * v * (1 - 0.64)).epsilon(1e-8));
  std::size_t pairs = 0;
  for (std::size_t i = 1; i < csv.rows.size(); ++i) {
    if (csv.number(i, "t") != csv.number(i - 1, "t") || csv.number(i, "t") != events.number(0, "t")) continue;
    ++pairs;
    CHECK(csv.number(i - 1, "ball.vy") == Approx(-v).epsilon(1e-8));
    CHECK(csv.number(i, "ball.vy") == Approx(0.8 * v).epsilon(1e-8));
  }
  CHECK(pairs == 1);
}

TEST_CASE("events.csv has the promised columns") {
  const Scratch scratch;
  REQUIRE(scratch.hstar("run " + source("examples/09_thermostat.toml") + " -o room").code == 0);
  const std::string text = read_file(scratch.path("room/events.csv"));
  CHECK(has(text,
            "\nt,t_lo,t_hi,dt_error,kind,element,where,mode_before,mode_after,gap_velocity_before,gap_velocity_after,"
            "impulse_n,impulse_t,energy_loss,momentum_residual,energy_residual,cone_residual,note\n"));
}

TEST_CASE("summary.json is JSON and says how the run ended") {
  const Scratch scratch;
  REQUIRE(scratch.hstar("run " + sled + " -o sled").code == 0);
  const Said read = scratch.shell(
      "python3 -c \"import json; s = json.load(open('sled/summary.json')); "
      "print(s['outcome']['status'], s['outcome']['success'], s['counters']['events'], s['events_by_kind']['slip'], "
      "max(s['largest_residuals'].values()) < 1e-9, s['options']['rtol'], sorted(s['final_state']))\"");
  INFO(read.err);
  CHECK(read.code == 0);
  CHECK(has(read.out, "reached_end True 81 41 True 1e-09 ["));
  CHECK(has(read.out, "'sled.x'"));
}

TEST_CASE("report.html needs nothing from elsewhere") {
  const Scratch scratch;
  REQUIRE(scratch.hstar("run " + sled + " -o sled").code == 0);
  const std::string page = read_file(scratch.path("sled/report.html"));
  CHECK(has(page, "</html>"));
  // What scripts do is watched in a browser (tests/report); here everything around them.
  std::string rest;
  for (std::size_t from = 0;;) {
    const std::size_t script = page.find("<script>", from);
    rest += page.substr(from, script == std::string::npos ? script : script - from);
    if (script == std::string::npos) break;
    from = page.find("</script>", script);
    REQUIRE(from != std::string::npos);
  }
  for (const char* part : {"src=", "href=", "url(", "@import"}) CHECK_FALSE(has(rest, part));
}

TEST_CASE("a numerical end: exit code 1, the reason, and everything until then") {
  const Scratch scratch;
  scratch.write("blow_up.toml", R"(
title = "y' = y^2 ends at t = 1"
[simulation]
end = 2.0
rtol = 1e-8
[[state]]
name = "y"
initial = 1.0
rate = "y^2"
)");
  const Said said = scratch.hstar("run blow_up.toml -o blown");
  INFO(said.out << said.err);
  CHECK(said.code == 1);
  CHECK(has(said.err, "at t = "));
  const Csv csv = read_csv(scratch.path("blown/trajectory.csv"));
  REQUIRE(csv.rows.size() > 5);
  const double t = csv.number(csv.rows.size() - 1, "t");
  CHECK(t > 0.99);
  CHECK(t <= 1.0 + 1e-6);
  CHECK(has(read_file(scratch.path("blown/summary.json")), "\"success\": false"));
  CHECK(has(read_file(scratch.path("blown/report.html")), "</html>"));
}

// --foreground: one signal to hstar alone; otherwise a second one, to the whole group, ends it at once as it should.
TEST_CASE("Ctrl-C stops the run with what it has") {
  const Scratch scratch;
  const Said said = scratch.hstar("run " + sled + " -o cut --set simulation.end=1e9 --set simulation.output=1e9",
                                  "timeout --foreground --preserve-status -s INT 1");
  INFO(said.out << said.err);
  CHECK(said.code == 1);
  CHECK(has(said.err, "interrupted at t = "));
  CHECK(has(read_file(scratch.path("cut/summary.json")), "\"status\": \"interrupted\""));
  CHECK(read_csv(scratch.path("cut/events.csv")).rows.size() > 10);
}

// The kernel may cut a write at a page: what lies behind the last end of a line is the one line that may be cut.
TEST_CASE("a killed run leaves whole lines, and no summary of an earlier run beside them") {
  const Scratch scratch;
  REQUIRE(scratch.hstar("run " + sled + " -o cut").code == 0);
  const Said said = scratch.hstar("run " + sled + " -o cut --set simulation.end=1e9 --set simulation.output=1e9",
                                  "timeout -s KILL 1");
  CHECK(said.code != 0);
  const std::string text = read_file(scratch.path("cut/events.csv"));
  scratch.write("whole.csv", text.substr(0, text.rfind('\n') + 1));
  const Csv events = read_csv(scratch.path("whole.csv"));
  REQUIRE(events.rows.size() > 10);
  for (const auto& row : events.rows) REQUIRE(row.size() == events.header.size());
  CHECK(read_file(scratch.path("cut/summary.json")).empty());
}

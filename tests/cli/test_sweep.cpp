// tests/cli/test_sweep.cpp
//
// What must hold: a sweep's table has the same bytes on one thread, on several, on MPI ranks, by the jobs of an array
// (on a Dask cluster: dask_crew.py), and after an interruption anywhere and a kill, which loses no finished member; its
// numbers are those of single runs; a member that cannot run is a row with its reason; what cannot be swept is said
// before work begins.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "cli/shell.hpp"

using hstar::test::read_csv;
using hstar::test::read_file;
using hstar::test::Said;
using hstar::test::Scratch;
using hstar::test::source;

namespace {
const std::string grid = "sweep " + source("examples/02_coulomb_oscillator.toml") +
                         " --vary mu_static=0.26:0.6:6 --vary k=20,40,60 --collect events.count --collect end.mass.x"
                         " --collect 'max(mass.vx)' --collect event.2.t ";
}

TEST_CASE("a sweep's bytes do not depend on who computed it") {
  const Scratch scratch;
  REQUIRE(scratch.hstar(grid + "--threads 1 -o one.csv").code == 0);
  const std::string one = read_file(scratch.path("one.csv"));
  REQUIRE(one.size() > 1000);
  REQUIRE(scratch.hstar(grid + "--threads 2 -o two.csv").code == 0);
  CHECK(read_file(scratch.path("two.csv")) == one);
  REQUIRE(scratch.hstar(grid + "--threads 4 -o four.csv").code == 0);
  CHECK(read_file(scratch.path("four.csv")) == one);
  if (scratch.shell("command -v mpirun").code == 0) {
    const Said said = scratch.hstar(grid + "-o ranks.csv", "mpirun --allow-run-as-root --oversubscribe -n 2");
    INFO(said.err);
    if (said.err.find("built without MPI") == std::string::npos) CHECK(read_file(scratch.path("ranks.csv")) == one);
  }
}

TEST_CASE("an interrupted sweep goes on where it stopped, wherever that was") {
  const Scratch scratch;
  REQUIRE(scratch.hstar(grid + "-o whole.csv").code == 0);
  const std::string whole = read_file(scratch.path("whole.csv"));
  for (const double part : {0.0, 0.1, 0.5, 0.77, 0.999, 1.0}) {
    scratch.write("part.csv", whole.substr(0, static_cast<std::size_t>(part * static_cast<double>(whole.size()))));
    REQUIRE(scratch.hstar(grid + "-o part.csv").code == 0);
    INFO(part);
    CHECK(read_file(scratch.path("part.csv")) == whole);
  }
  const Said other =
      scratch.hstar("sweep " + source("examples/02_coulomb_oscillator.toml") + " --vary k=1,2 -o whole.csv");
  CHECK(other.code == 2);
  CHECK(other.err.find("holds something else than a part of this sweep") != std::string::npos);
  CHECK(read_file(scratch.path("whole.csv")) == whole);
}

TEST_CASE("a sweep that is killed half-way goes on to the same bytes") {
  const Scratch scratch;
  const std::string sleds = "sweep " + source("examples/01_drag_sled.toml") +
                            " --vary mu_static=0.31:0.6:15 --vary pull=0.01:0.1:15 --collect events.count ";
  REQUIRE(scratch.hstar(sleds + "--threads 1 -o whole.csv").code == 0);
  const std::string whole = read_file(scratch.path("whole.csv"));
  const std::string part = scratch.path("part.csv");
  const Said said = scratch.shell(std::string(HSTAR_PROGRAM) + " " + sleds + "--threads 2 -o part.csv > /dev/null & " +
                                  "while [ \"$(stat -c %s part.csv 2> /dev/null || echo 0)\" -lt " +
                                  std::to_string(whole.size() / 2) + " ]; do sleep 0.01; done; kill -9 $!; wait $!");
  CHECK(said.code == 128 + 9);
  const std::string kept = read_file(part);
  CHECK(kept.size() < whole.size());
  REQUIRE(scratch.hstar(sleds + "--threads 2 -o part.csv").code == 0);
  CHECK(read_file(part) == whole);
}

TEST_CASE("the jobs of an array join to the table of one job, whoever ends last and however often one is run") {
  const Scratch scratch;
  REQUIRE(scratch.hstar(grid + "-o whole.csv").code == 0);
  const std::string whole = read_file(scratch.path("whole.csv"));
  for (const int job : {2, 1, 3, 5}) {
    const Said said = scratch.hstar(grid + "-o parts.csv --array " + std::to_string(job) + "/5");
    CHECK(said.code == 0);
    CHECK(said.out.find("parts.csv: waits for the other parts") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(scratch.path("parts.csv")));
  }
  // A part that a kill has cut in the middle of a row goes on.
  const std::string part = read_file(scratch.path("parts.csv.3-of-5"));
  scratch.write("parts.csv.3-of-5", part.substr(0, part.size() - 7));
  CHECK(scratch.hstar(grid + "-o parts.csv --array 4/5").out.find("waits") != std::string::npos);
  CHECK(scratch.hstar(grid + "-o parts.csv --array 3/5").out.find("parts.csv: whole") != std::string::npos);
  CHECK(read_file(scratch.path("parts.csv")) == whole);
  for (int job = 1; job <= 5; ++job)
    CHECK_FALSE(std::filesystem::exists(scratch.path("parts.csv." + std::to_string(job) + "-of-5")));
  CHECK(scratch.hstar(grid + "-o parts.csv --array 2/5").out.find("4 of them were there") != std::string::npos);
  CHECK(read_file(scratch.path("parts.csv")) == whole);
  // More jobs than members; numbers as SLURM gives them.
  for (int job = 0; job <= 38; job += 2)
    REQUIRE(scratch
                .hstar(grid + "-o slurm.csv --array", "SLURM_ARRAY_TASK_ID=" + std::to_string(job) +
                                                          " SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=38 "
                                                          "SLURM_ARRAY_TASK_COUNT=20")
                .code == 0);
  CHECK(read_file(scratch.path("slurm.csv")) == whole);
  for (const auto& [arguments, message] :
       {std::pair{"--array", "SLURM_ARRAY_TASK_MIN is not set"}, std::pair{"--array 0/3", "must be K/N, job K of N"},
        std::pair{"--array 4/3", "must be K/N, job K of N"}, std::pair{"--lines 3", "must be FIRST:LAST"},
        std::pair{"--lines 3:18", "row 18 of a sweep of 18 members"},
        std::pair{"--crew somewhere", "a crew is dask://HOST:PORT"}}) {
    const Said said = scratch.hstar(grid + "-o bad.csv " + arguments);
    INFO(arguments);
    CHECK(said.code == 2);
    CHECK(said.err.find(message) != std::string::npos);
  }
}

TEST_CASE("members that were finished before their turn when a sweep was killed are not computed again") {
  const Scratch scratch;
  REQUIRE(scratch.hstar(grid + "-o whole.csv").code == 0);
  const std::string whole = read_file(scratch.path("whole.csv"));
  const auto row = [&](int member) {
    const std::size_t begin = whole.find("\n" + std::to_string(member) + ",") + 1;
    return whole.substr(begin, whole.find('\n', begin) + 1 - begin);
  };
  // (Words that no run writes tell that the line was taken.)
  std::string told = row(7), expected = whole;
  told.replace(told.find("reached_end"), 11, "reached_end,it was there");
  told.erase(told.size() - 2, 1);
  expected.replace(expected.find(row(7)), row(7).size(), told);
  scratch.write("part.csv", whole.substr(0, whole.find(row(3))));
  scratch.write("part.csv.waiting", told + row(12) + row(5).substr(0, 6));
  REQUIRE(scratch.hstar(grid + "-o part.csv").code == 0);
  CHECK(read_file(scratch.path("part.csv")) == expected);
  CHECK_FALSE(std::filesystem::exists(scratch.path("part.csv.waiting")));
}

TEST_CASE("a sweep counts the events that a run tells, those of guards that only record with them") {
  const Scratch scratch;
  const std::string model = source("examples/08_van_der_pol.toml");
  REQUIRE(scratch.hstar("run " + model + " -o single --no-report --set parameters.stiffness=3").code == 0);
  const auto events = read_csv(scratch.path("single/events.csv"));
  REQUIRE(events.rows.size() > 3);
  REQUIRE(scratch.hstar("sweep " + model + " --vary stiffness=3,4 --collect events.count,event.1.t,event.3.t -o mu.csv")
              .code == 0);
  const auto table = read_csv(scratch.path("mu.csv"));
  CHECK(table.number(0, "events.count") == static_cast<double>(events.rows.size()));
  CHECK(table.number(0, "event.1.t") == events.number(0, "t"));
  CHECK(table.number(0, "event.3.t") == events.number(2, "t"));
}

TEST_CASE("a sweep's numbers are those of single runs") {
  const Scratch scratch;
  REQUIRE(scratch.hstar(grid + "-o grid.csv").code == 0);
  const auto table = read_csv(scratch.path("grid.csv"));
  REQUIRE(table.rows.size() == 18);
  const std::string mu = table.word(7, "mu_static");
  CHECK(table.number(7, "k") == 40);
  REQUIRE(scratch
              .hstar("run " + source("examples/02_coulomb_oscillator.toml") + " -o single --set parameters.k=40 " +
                     "--set parameters.mu_static=" + mu)
              .code == 0);
  const auto events = read_csv(scratch.path("single/events.csv"));
  const auto rows = read_csv(scratch.path("single/trajectory.csv"));
  CHECK(table.number(7, "events.count") == static_cast<double>(events.rows.size()));
  CHECK(table.number(7, "event.2.t") == events.number(1, "t"));
  CHECK(table.number(7, "end.mass.x") == rows.number(rows.rows.size() - 1, "mass.x"));
  // Closed form: released at x = 1 m, the first half swing is x = a + (1 - a) cos(w t), a = mu_kinetic m g / k; the
  // greatest speed to the right comes in the second one, of amplitude 1 - 3 a.
  const double a = 0.25 * 2 * 9.81 / 40, w = std::sqrt(40 / 2.0);
  CHECK(table.number(7, "max(mass.vx)") == Approx((1 - 3 * a) * w).epsilon(1e-8));
}

TEST_CASE("a member that cannot run is a row with its reason") {
  const Scratch scratch;
  const Said said = scratch.hstar("sweep " + source("examples/02_coulomb_oscillator.toml") +
                                  " --vary mu_static=0.5,0.1,0.4 -o s.csv");  // mu_kinetic is 0.25
  CHECK(said.code == 0);
  CHECK(said.out.find("1 ended short") != std::string::npos);
  const auto table = read_csv(scratch.path("s.csv"));
  REQUIRE(table.rows.size() == 3);
  CHECK(table.word(1, "status") == "bad_input");
  CHECK(table.word(1, "message").find("mu_static") != std::string::npos);
  CHECK(table.word(2, "status") == "reached_end");
  // Also the first.
  REQUIRE(
      scratch.hstar("sweep " + source("examples/02_coulomb_oscillator.toml") + " --vary body.mass.mass=-1,1 -o m.csv")
          .code == 0);
  CHECK(read_csv(scratch.path("m.csv")).word(0, "status") == "bad_input");
  CHECK(read_csv(scratch.path("m.csv")).word(1, "status") == "reached_end");
}

TEST_CASE("a Latin hypercube has one member in every stratum of every axis") {
  const Scratch scratch;
  REQUIRE(scratch
              .hstar("sweep " + source("examples/02_coulomb_oscillator.toml") +
                     " --vary k=20:60:2 --vary mu_static=0.3:0.7:2 --latin-hypercube 20 -o l.csv --svg l.svg")
              .code == 0);
  const auto table = read_csv(scratch.path("l.csv"));
  REQUIRE(table.rows.size() == 20);
  for (const char* axis : {"k", "mu_static"}) {
    const double low = axis[0] == 'k' ? 20 : 0.3, high = axis[0] == 'k' ? 60 : 0.7;
    std::vector<int> seen(20, 0);
    for (std::size_t row = 0; row < 20; ++row)
      ++seen[static_cast<std::size_t>((table.number(row, axis) - low) / (high - low) * 20)];
    for (const int n : seen) CHECK(n == 1);
  }
  CHECK(read_file(scratch.path("l.svg")).find("</svg>") != std::string::npos);
}

TEST_CASE("what cannot be swept is said before work begins") {
  const Scratch scratch;
  const std::string model = "sweep " + source("examples/02_coulomb_oscillator.toml") + " -o s.csv ";
  const std::pair<std::string, std::string> bad[] = {
      {"--vary k", "--vary 'k' must be name=low:high:count"},
      {"--vary k=1:2", "a range is low:high:count"},
      {"--vary k=1:2:0", "0 values, must be a whole number from 1"},
      {"--vary k=-1:2:5:log", "both ends of a logarithmic range must be positive"},
      {"--vary k=1,x", "'x' is not a number"},
      {"--vary nobody=1,2", "nobody"},
      {"--vary k=20,30 --collect end.nothing", "nothing called 'nothing' is recorded"},
      {"--vary k=20,30 --collect frobnicate", "known are events.count"},
      {"--vary k=20,30 --collect 'max(mass.z)'", "mass.z"},
      {"--vary k=20,30 --collect 'strobe(mass.x, 0, 3)'", "the period must be a positive number"},
  };
  for (const auto& [arguments, message] : bad) {
    const Said said = scratch.hstar(model + arguments);
    INFO(arguments << ": " << said.err);
    CHECK(said.code == 2);
    CHECK(said.err.find(message) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(scratch.path("s.csv")));
  }
}

TEST_CASE("quantities may be listed with commas, and a kind of event is one word") {
  // (As one word, "events.count,end.t" counted events of a kind of that name: a column of zeros.)
  const Scratch scratch;
  const std::string sweep = "sweep " + source("examples/02_coulomb_oscillator.toml") + " --vary k=20,40 ";
  REQUIRE(scratch.hstar(sweep + "--collect events.count --collect 'max(min(mass.vx, 0.1))' -o one.csv").code == 0);
  REQUIRE(scratch.hstar(sweep + "--collect 'events.count, max(min(mass.vx, 0.1))' -o two.csv").code == 0);
  CHECK(read_file(scratch.path("one.csv")) == read_file(scratch.path("two.csv")));
  const Said said = scratch.hstar(sweep + "--collect 'events.slip stick' -o three.csv");
  CHECK(said.code == 2);
  CHECK(said.err.find("'events.slip stick': known are events.count") != std::string::npos);
}

TEST_CASE("counters are collected as summary.json has them, and others are refused with those there are") {
  const Scratch scratch;
  const std::string model = source("examples/02_coulomb_oscillator.toml");
  REQUIRE(
      scratch.hstar("sweep " + model + " --vary mu_static=0.3 --collect counters.steps,counters.evaluations -o c.csv")
          .code == 0);
  REQUIRE(scratch.hstar("run " + model + " --set parameters.mu_static=0.3 --set simulation.output=100 -o run").code ==
          0);
  const std::string summary = read_file(scratch.path("run/summary.json")), table = read_file(scratch.path("c.csv"));
  const auto number = [&](const std::string& name) {
    const std::size_t at = summary.find("\"" + name + "\": ");
    REQUIRE(at != std::string::npos);
    return std::to_string(std::stoul(summary.substr(at + name.size() + 4)));
  };
  CHECK(table.find("," + number("steps") + "," + number("evaluations") + ",") != std::string::npos);
  const Said said = scratch.hstar("sweep " + model + " --vary mu_static=0.3 --collect counters.step");
  CHECK(said.code == 2);
  CHECK(said.err.find("counters are events, transitions, mode_solves, steps, ") != std::string::npos);
}

TEST_CASE("a picture in decades has the values at its ticks, and a power law is a straight line in it") {
  const Scratch scratch;
  // max(h*h) over h: points of slope 2.
  const std::string sweep = "sweep " + source("examples/02_coulomb_oscillator.toml") +
                            " --vary k=1,10,100,1000 --collect 'max(k^2)' -o law.csv --svg law.svg --log xy";
  REQUIRE(scratch.hstar(sweep).code == 0);
  const std::string svg = read_file(scratch.path("law.svg"));
  for (const char* tick : {">1e0<", ">1e3<", ">1e2<", ">1e6<"}) CHECK(svg.find(tick) != std::string::npos);
  std::vector<double> x, y;
  for (std::size_t at = svg.find("<circle cx=\""); at != std::string::npos; at = svg.find("<circle cx=\"", at + 1)) {
    x.push_back(std::stod(svg.substr(at + 12)));
    y.push_back(std::stod(svg.substr(svg.find("cy=\"", at) + 4)));
  }
  REQUIRE(x.size() == 4);
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(x[i] - x[i - 1] == Approx((x[3] - x[0]) / 3).margin(0.11));  // tenths of a pixel are written
    CHECK(y[i] - y[i - 1] == Approx((y[3] - y[0]) / 3).margin(0.11));
  }
  CHECK(scratch.hstar(sweep + "z").code == 2);
}

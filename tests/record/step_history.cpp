// tests/record/step_history.cpp
//
// steps.csv tells every step of a run once, in order and without gaps: lengths add up to the run, work adds up to the
// counters but for what starts a run and what the error estimates cost; listening changes no state by a bit.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hstar/run.hpp"
#include "hstar/step_history.hpp"

using namespace hstar;

namespace {

struct Line {
  double t, h, order, error, iterations, rejected, evaluations, jacobians;
  std::string after;
};

std::vector<Line> lines_of(const std::string& path) {
  std::ifstream in(path);
  std::string text;
  std::getline(in, text);
  CHECK(text == "t,h,order,error,iterations,rejected,evaluations,jacobians,after");
  std::vector<Line> out;
  while (std::getline(in, text)) {
    std::istringstream cells(text);
    double x[8];
    char comma;
    for (double& value : x) cells >> value >> comma;
    std::string after;
    std::getline(cells, after);
    out.push_back({x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], after});
  }
  return out;
}

}  // namespace

TEST_CASE("steps.csv tells every step") {
  const std::string path = (std::filesystem::temp_directory_path() / "hstar_steps.csv").string();
  for (const char* integrator : {"dopri5", "ode23", "radau", "bdf", "ode113", "hht"}) {
    INFO(integrator);
    const ModelSpec model = parse_model(
        "[simulation]\nend = 3\nrtol = 1e-7\nintegrator = \"" + std::string(integrator) +
            "\"\n[[state]]\nname = \"x\"\ninitial = 1\nrate = \"v\"\n[[state]]\nname = \"v\"\nrate = \"-9.81\"\n"
            "[[guard]]\nname = \"floor\"\nwhen = \"x\"\ncrossing = \"falling\"\nreset = { v = \"-0.8*v\" }\n",
        "history");
    std::filesystem::remove(path);
    StepHistory history(path, model.simulation);
    const RunResult heard = run(model, nullptr, &history), alone = run(model);
    history.finish();
    CHECK(heard.y_end == alone.y_end);
    const std::vector<Line> lines = lines_of(path);
    REQUIRE(lines.size() == heard.counters.flow.steps);
    double reached = 0, rejected = 0, iterations = 0;
    for (const Line& line : lines) {
      CHECK(line.t - line.h == Approx(reached).margin(1e-12));
      reached = line.t;
      rejected += line.rejected;
      iterations += line.iterations;
      CHECK(line.order >= 1);
      CHECK(line.error >= 0);
    }
    CHECK(reached == 3);
    CHECK(rejected == double(heard.counters.flow.rejected));
    CHECK(iterations == double(heard.counters.flow.iterations));
    CHECK(lines.front().after == "start");
    CHECK(lines.back().after == "guard_down of floor");
  }
}

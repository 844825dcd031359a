// tests/record/step_history.cpp
//
// steps.csv tells every step of a run once, in order and without gaps: lengths add up to the run, work adds up to the
// counters but for what starts a run and what the error estimates cost; listening changes no state by a bit. The mode
// is that of the ledger, residuals are those of the recorded states.
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
  double t, h, order, error, iterations, rejected, evaluations, jacobians, position_residual, velocity_residual;
  std::string mode, after;
};

std::vector<Line> lines_of(const std::string& path) {
  std::ifstream in(path);
  std::string text;
  std::getline(in, text);
  CHECK(text ==
        "t,h,order,error,iterations,rejected,evaluations,jacobians,position_residual,velocity_residual,mode,after");
  std::vector<Line> out;
  while (std::getline(in, text)) {
    std::istringstream cells(text);
    double x[10];
    char comma;
    for (double& value : x) cells >> value >> comma;
    std::string mode, after;
    std::getline(cells, mode, ',');
    std::getline(cells, after);
    out.push_back({x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], mode, after});
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

TEST_CASE("steps.csv tells the mode of a step and what it leaves of the constraints") {
  // A pendulum with friction in its pin at the origin. Phi is the place of the rod's end, which the state of the row at
  // that time gives, and Phi_q v its rate. "direct" leaves the drift alone, so that there are residuals to compare.
  const std::string path = (std::filesystem::temp_directory_path() / "hstar_modes.csv").string();
  for (const char* formulation : {"projection", "direct"}) {
    INFO(formulation);
    const ModelSpec model = parse_model(
        "gravity = [0, -9.81]\n[simulation]\nend = 20\nrtol = 1e-5\noutput = \"steps\"\nformulation = \"" +
            std::string(formulation) +
            "\"\n[[body]]\nname = \"rod\"\nmass = 2\ninertia = 0.1\nposition = [0.5, 0]\n[[joint]]\nname = \"pin\"\n"
            "type = \"revolute\"\nbodies = [\"ground\", \"rod\"]\npoints = [[0, 0], [-0.5, 0]]\n"
            "friction = { mu = 0.3, radius = 0.1 }\n",
        "history");
    std::filesystem::remove(path);
    StepHistory history(path, model.simulation);
    const RunResult heard = run(model, nullptr, &history), alone = run(model);
    history.finish();
    CHECK(heard.y_end == alone.y_end);
    const std::vector<Line> lines = lines_of(path);
    REQUIRE(lines.size() == heard.counters.flow.steps);
    REQUIRE(!heard.events.empty());
    std::size_t row = 0;
    double worst = 0;
    std::vector<std::string> modes{"slip-"};
    for (const Line& line : lines) {
      while (heard.rows[row].front() < line.t) ++row;
      const double* y = heard.rows[row].data() + 1;
      const double c = 0.5 * std::cos(y[2]), s = 0.5 * std::sin(y[2]);
      CHECK(line.position_residual == Approx(std::max(std::abs(y[0] - c), std::abs(y[1] - s))).margin(1e-15));
      CHECK(line.velocity_residual ==
            Approx(std::max(std::abs(y[3] + s * y[5]), std::abs(y[4] - c * y[5]))).margin(1e-14));
      worst = std::max(worst, line.position_residual);
      if (line.mode != modes.back()) modes.push_back(line.mode);
    }
    std::vector<std::string> told{"slip-"};
    for (const EventRecord& e : heard.events)
      if (e.system_mode_after != told.back()) told.push_back(e.system_mode_after);
    CHECK(modes == told);
    CHECK((worst > 1e-9) == (std::string(formulation) == "direct"));
  }
}

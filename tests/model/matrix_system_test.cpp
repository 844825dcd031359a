// tests/model/matrix_system_test.cpp
//
// `[system]` must be the motion that its matrices mean, whichever way they are written, and tell what does not fit with
// its place. Truth: with M = [[2, 1], [1, 2]] and K = [[5, 4], [4, 5]] the modes (1, 1) and (1, -1) have omega^2 = 3
// and 1, and C = M / 5 damps both by exp(-t/10) (eigenvalues by hand).
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "hstar/error.hpp"
#include "hstar/run.hpp"

using namespace hstar;

namespace {

const std::string head = "simulation = {end = 2, rtol = 1e-12, integrator = \"dop853\"}\n[system]\n";
const std::string mass = "M = [[2, 1], [1, 2]]\n", stiffness = "K = [[5, 4], [4, 5]]\n";

std::string written(const std::string& name, const std::string& text) {
  const std::string path = (std::filesystem::temp_directory_path() / ("hstar_" + name)).string();
  std::ofstream(path) << text;
  return "\"" + path + "\"\n";
}

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(parse_model(text, "m.toml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("matrices give the motion of their modes", "[model]") {
  const std::string model = head + mass + "C = [[0.4, 0.2], [0.2, 0.4]]\n" + stiffness + "initial = [1, 0]\n";
  const RunResult r = run(parse_model(model, "m.toml"));
  REQUIRE(r.outcome.success());
  const auto mode = [](double squared, double& x, double& v) {
    const double damped = std::sqrt(squared - 0.01), d = std::exp(-0.2), c = std::cos(2 * damped),
                 s = std::sin(2 * damped);
    x = d * (c + 0.1 / damped * s);
    v = -d * squared / damped * s;
  };
  double x3 = 0, v3 = 0, x1 = 0, v1 = 0;
  mode(3, x3, v3);
  mode(1, x1, v1);
  // y = (x1, x1_rate, x2, x2_rate)
  CHECK(r.y_end[0] == Approx((x3 + x1) / 2).margin(1e-11));
  CHECK(r.y_end[1] == Approx((v3 + v1) / 2).margin(1e-11));
  CHECK(r.y_end[2] == Approx((x3 - x1) / 2).margin(1e-11));
  CHECK(r.y_end[3] == Approx((v3 - v1) / 2).margin(1e-11));
}

TEST_CASE("a force on one row moves the others through M, and may use the unknowns", "[model]") {
  // Resonance of the mode (1, -1) by feedback: force (x2 - x1)/1 on both rows with opposite signs takes its stiffness
  // away.
  const RunResult r = run(parse_model(head + "name = \"q\"\n" + mass + stiffness +
                                          "force = [\"(q1 - q2)/2\", \"(q2 - q1)/2\"]\ninitial_rate = [1, -1]\n",
                                      "m.toml"));
  REQUIRE(r.outcome.success());
  CHECK(r.y_end[0] == Approx(2.0).margin(1e-11));
  CHECK(r.y_end[2] == Approx(-2.0).margin(1e-11));
}

TEST_CASE("rows and Matrix Market files in each form are the same model", "[model]") {
  const auto states = [](const std::string& stiff) {
    const ModelSpec spec = parse_model(head + mass + stiff, "m.toml");
    std::string all;
    for (const StateSpec& s : spec.states) all += s.name + " " + s.rate.text() + "\n";
    return all;
  };
  const std::string rows = states(stiffness);
  CHECK(rows.find("x1 x1_rate") != std::string::npos);
  CHECK(states("K_file = " + written("general.mtx",
                                     "%%MatrixMarket matrix coordinate real general\n% by hand\n2 2 4\n"
                                     "1 1 5\n1 2 4\n2 1 4\n2 2 5\n")) == rows);
  CHECK(states("K_file = " + written("symmetric.mtx",
                                     "%%MatrixMarket matrix coordinate integer symmetric\n2 2 3\n"
                                     "1 1 5\n2 1 4\n2 2 5\n")) == rows);
  CHECK(states("K_file = " + written("array.mtx", "%%MatrixMarket matrix array real general\n2 2\n5\n4\n4\n5\n")) ==
        rows);
  CHECK(states("K_file = " + written("half.mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n5\n4\n5\n")) ==
        rows);
}

TEST_CASE("what does not fit is told with the matrix, the line and what to do", "[model]") {
  CHECK(complaint(head + stiffness).find("[system]: M") != std::string::npos);
  CHECK(complaint(head + "M = [[1, 2], [2, 4]]\n").find("M is singular: its row 1 depends on others") !=
        std::string::npos);
  CHECK(complaint(head + mass + "K = [[1]]\n").find("K has 1 rows, M has 2") != std::string::npos);
  CHECK(complaint(head + mass + "force = [\"t\"]\n").find("must have 2 formulas") != std::string::npos);
  CHECK(
      complaint(head + mass + "K_file = " + written("short.mtx", "%%MatrixMarket matrix array real general\n2 2\n5\n"))
          .find("line 4: the file ends before all entries are there") != std::string::npos);
  CHECK(complaint(head + mass +
                  "K_file = " + written("row.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 5\n"))
            .find("line 3: there is no row or column 3") != std::string::npos);
  CHECK(complaint(head + mass + "K_file = " + written("text.mtx", "5 4\n4 5\n")).find("line 1: must be") !=
        std::string::npos);
}

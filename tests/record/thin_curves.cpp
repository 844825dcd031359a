// tests/record/thin_curves.cpp
//
// What must hold: a thinned column, joined by lines, is within its tolerance of every row that it was made of: smooth
// curves, noise, jumps (two rows at one time), gaps (no number). So extremes stay, too. Twice as coarse is fewer
// points, and the tolerance holds for the rows there are. A line keeps little more than its ends, round-off two points.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "report/thin_curves.hpp"

using hstar::report::ThinCurve;
using hstar::report::ThinCurves;

namespace {

struct Row {
  double t, value;
};

/// Largest distance of the rows from the curve, which is read by rows as the page reads it.
double farthest(const ThinCurve& curve, const std::vector<Row>& rows) {
  const auto& points = curve.points();
  double worst = 0;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const auto &a = points[k], &b = points[k + 1];
    const double slope = b.t > a.t ? (b.value - a.value) / (b.t - a.t) : 0.0;
    for (std::uint32_t r = a.row; r <= b.row; ++r) {
      const double drawn = r == b.row ? b.value : a.value + slope * (rows[r].t - a.t);
      if (std::isnan(rows[r].value)) {
        CHECK((std::isnan(drawn) || r == a.row || r == b.row));
        continue;
      }
      worst = std::max(worst, std::abs(drawn - rows[r].value));
    }
  }
  return worst;
}

std::vector<Row> random_rows(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Row> rows;
  double t = 0, jump = 0;
  for (int i = 0; i < 5000; ++i) {
    const bool same_time = i > 0 && number(random) > 0.98;
    if (same_time) jump += number(random);
    t += same_time ? 0.0 : 0.01 * (1.1 + number(random));
    const double noise = i % 1000 < 200 ? 0.01 * number(random) : 0.0;
    const bool gap = i / 100 % 7 == 3;
    rows.push_back({t, gap ? std::nan("") : std::sin(t) + jump + noise});
  }
  return rows;
}

}  // namespace

TEST_CASE("thinned curves pass every row within the tolerance") {
  const unsigned seed = GENERATE(range(1U, 20U));
  const std::vector<Row> rows = random_rows(seed);
  ThinCurves thin({0.0});
  for (const Row& row : rows) thin.row(row.t, std::vector<double>{row.value});
  thin.finish();
  const ThinCurve& curve = thin.curves()[0];
  const double range = curve.high() - curve.low();
  std::size_t before = curve.points().size();
  CHECK(curve.points().back().row == rows.size() - 1);
  // What is thinned again is compared with points that were themselves as far away as the tolerance before.
  double tolerance = thin.tolerance();
  CHECK(farthest(curve, rows) <= tolerance * range * (1 + 1e-9));
  for (int k = 0; k < 14; ++k) {
    thin.coarsen();
    tolerance += thin.tolerance();
    CHECK(farthest(curve, rows) <= tolerance * range * (1 + 1e-9));
    CHECK(curve.points().size() <= before);
    CHECK(curve.points().back().row == rows.size() - 1);
    before = curve.points().size();
  }
  CHECK(before < rows.size() / 4);
}

TEST_CASE("a line keeps little more than its ends, round-off two points") {
  ThinCurves thin({0.0, 1e-13});
  std::mt19937 random(7);
  std::uniform_real_distribution<double> noise(-1e-16, 1e-16);
  for (int i = 0; i <= 1000; ++i) thin.row(0.001 * i, std::vector<double>{3.0 + 0.25 * i, noise(random)});
  thin.finish();
  // (The first rows are kept to a tolerance of the little range there is by then.)
  CHECK(thin.curves()[0].points().size() <= 4);
  CHECK(thin.curves()[1].points().size() == 2);
}

// tests/record/test_report.cpp
//
// What must hold: axes have few, round, distinct labels at every magnitude; a plot of many rows is
// small and still shows every spike; mode bands cover the run without gaps; text from a model cannot
// break the page.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "hstar/report.hpp"
#include "hstar/run.hpp"
#include "report/axis.hpp"
#include "report/curve.hpp"
#include "report/figure.hpp"
#include "report/mode_bands.hpp"
#include "report/scene.hpp"

namespace {

hstar::RunResult result_of_rows(std::size_t count) {
  hstar::RunResult result;
  result.columns = {"t", "mass.x"};
  result.units = {"s", "m"};
  for (std::size_t i = 0; i < count; ++i) {
    const double t = 1e-3 * static_cast<double>(i);
    result.rows.push_back({t, std::sin(t)});
  }
  return result;
}

hstar::EventRecord change(double t, const char* element, const char* before, const char* after) {
  hstar::EventRecord e;
  e.t = t;
  e.element = element;
  e.mode_before = before;
  e.mode_after = after;
  return e;
}

}  // namespace

TEST_CASE("axes have a few distinct labels inside the range, whatever the magnitude") {
  for (const double size : {1e-280, 1e-12, 1e-5, 0.034, 1.0, 7.3, 60.0, 1e4, 3.7e9, 1e200}) {
    for (const double offset : {0.0, 1.0, -3.0, 1e6}) {
      const double low = size * (offset - 0.4), high = size * (offset + 0.6);
      const auto axis = hstar::report::make_axis(low, high, 5, true);
      INFO("from " << low << " to " << high);
      CHECK(axis.low <= low);
      CHECK(axis.high >= high);
      CHECK(axis.ticks.size() >= 2);
      CHECK(axis.ticks.size() <= 12);
      CHECK(std::set<std::string>(axis.labels.begin(), axis.labels.end()).size() == axis.labels.size());
      for (const std::string& label : axis.labels) CHECK(label.size() <= 9);
      for (const double tick : axis.ticks) CHECK((tick >= axis.low - 1e-9 * size && tick <= axis.high + 1e-9 * size));
    }
  }
}

TEST_CASE("a constant gets an axis around it") {
  for (const double value : {0.0, 9.81, -1e-9}) {
    const auto axis = hstar::report::make_axis(value, value, 4, true);
    CHECK(axis.low < value);
    CHECK(axis.high > value);
    CHECK(!axis.ticks.empty());
  }
}

TEST_CASE("a curve of 100,000 rows is small and keeps its one-row spike") {
  hstar::RunResult result = result_of_rows(100000);
  result.rows[54321][1] = 5.0;
  const hstar::report::Scale x{0.0, 100.0, 0.0, 800.0}, y{-5.0, 5.0, 200.0, 0.0};
  const std::string path = hstar::report::curve_path(result.rows, 1, x, y);
  CHECK(path.size() < 60000);
  CHECK(path.find(" 0L") != std::string::npos);  // y = 0 px: the spike's top
}

TEST_CASE("NaN breaks a curve instead of drawing through it") {
  hstar::RunResult result = result_of_rows(30);
  result.rows[10][1] = std::nan("");
  const std::string path = hstar::report::curve_path(result.rows, 1, {0.0, 0.03, 0.0, 300.0}, {-1.0, 1.0, 100.0, 0.0});
  CHECK(std::count(path.begin(), path.end(), 'M') == 2);
}

TEST_CASE("mode bands cover the run, also with several changes at one instant") {
  hstar::RunResult result;
  result.events = {change(1.0, "plate", "stick", "slip+"), change(2.0, "plate", "slip+", "slip-"),
                   change(2.0, "plate", "slip-", "stick"), change(2.5, "floor", "closed", "open")};
  const auto bands = hstar::report::mode_bands(result, 0.0, 4.0);
  REQUIRE(bands.size() == 2);
  REQUIRE(bands[0].intervals.size() == 3);
  CHECK(bands[0].intervals[0].mode == "stick");
  CHECK(bands[0].intervals[1].mode == "slip+");
  CHECK(bands[0].intervals[2].mode == "stick");
  for (const auto& band : bands) {
    CHECK(band.intervals.front().from == 0.0);
    CHECK(band.intervals.back().to == 4.0);
    for (std::size_t i = 1; i < band.intervals.size(); ++i) {
      CHECK(band.intervals[i].from == band.intervals[i - 1].to);
    }
  }
}

TEST_CASE("mode bands know what other elements did at an event") {
  hstar::RunResult result;
  result.events = {change(1.0, "foot1", "open", "slip"), change(1.0, "foot2", "open", "slip"),
                   change(2.0, "foot1", "slip", "stick")};
  result.events.back().note = "also foot2: stick, foot3: liftoff; residual 1e-16";
  const auto bands = hstar::report::mode_bands(result, 0.0, 3.0);
  REQUIRE(bands.size() == 3);
  CHECK(bands[1].intervals.back().mode == "stick");
  CHECK(bands[1].intervals.back().from == 2.0);
  CHECK(bands[2].element == "foot3");
  CHECK(bands[2].intervals.back().mode == "open");
}

TEST_CASE("mode bands know what an impact leaves of other elements") {
  hstar::RunResult result;
  result.events = {change(1.0, "stop", "open", "open"), change(2.0, "stop", "open", "closed")};
  result.events[0].note = "with wall; leaves plate: slip+ -> slip-, foot: open -> stick";
  result.events[1].note = "7 impacts seen; leaves plate: slip- -> stick";
  const auto bands = hstar::report::mode_bands(result, 0.0, 3.0);
  REQUIRE(bands.size() == 3);
  CHECK(bands[0].element == "plate");
  REQUIRE(bands[0].intervals.size() == 3);
  CHECK(bands[0].intervals[0].mode == "slip+");
  CHECK(bands[0].intervals[1].mode == "slip-");
  CHECK(bands[0].intervals[2].mode == "stick");
  CHECK(bands[1].intervals[0].mode == "open");
}

TEST_CASE("an element that changes at the very start has no empty interval") {
  hstar::RunResult result;
  result.events = {change(0.0, "plate", "stick", "slip+")};
  const auto bands = hstar::report::mode_bands(result, 0.0, 1.0);
  REQUIRE(bands.size() == 1);
  REQUIRE(bands[0].intervals.size() == 1);
  CHECK(bands[0].intervals[0].mode == "slip+");
}

TEST_CASE("names with markup are text in a figure") {
  hstar::RunResult result = result_of_rows(5);
  result.columns[1] = "<script>&\"";
  const std::string svg = hstar::report::figure_svg(result, {{{1}}});
  CHECK(svg.find("<script>") == std::string::npos);
  CHECK(svg.find("&lt;script&gt;&amp;&quot;") != std::string::npos);
}

TEST_CASE("a run without rows still gives a figure") {
  hstar::RunResult result = result_of_rows(0);
  CHECK(hstar::report::figure_svg(result, {{{1}}}).find("</svg>") != std::string::npos);
}

TEST_CASE("an axis of decades has its ticks at powers of ten, and between them where these are few") {
  const hstar::report::Axis wide = hstar::report::make_log_axis(-16, -2, 6, false);
  CHECK(wide.labels == std::vector<std::string>{"1e-15", "1e-12", "1e-9", "1e-6", "1e-3"});
  CHECK(wide.ticks == std::vector<double>{-15, -12, -9, -6, -3});
  const hstar::report::Axis narrow = hstar::report::make_log_axis(0.2, 1.1, 6, false);
  CHECK(narrow.labels == std::vector<std::string>{"2e0", "5e0", "1e1"});
  CHECK(narrow.ticks[1] == Approx(std::log10(5.0)));
}

TEST_CASE("log(COLUMN) is drawn in decades beside the column itself") {
  hstar::RunResult result;
  result.columns = {"t", "a"};
  result.units = {"s", "m"};
  for (int k = 0; k <= 6; ++k) result.rows.push_back({0.1 * k, std::pow(10.0, -k)});
  const auto folder = std::filesystem::temp_directory_path() / "hstar_log_plot.svg";
  hstar::write_plot(result, {{"log(a)", "a"}}, folder.string());
  std::ifstream file(folder);
  const std::string svg((std::istreambuf_iterator<char>(file)), {});
  CHECK(svg.find(">1e-6<") != std::string::npos);
  CHECK(svg.find(">|a|<") != std::string::npos);
  CHECK(svg.find(">a<") != std::string::npos);
  CHECK_THROWS_WITH(hstar::write_plot(result, {{"log(b)"}}, folder.string()),
                    Catch::Matchers::Contains("no column 'b'"));
}

TEST_CASE("a planar body whose mass follows from a shape is drawn as that shape, about its centre") {
  const hstar::ModelSpec model = hstar::parse_model(R"(
[simulation]
end = 0.1
[[body]]
name     = "plate"
shape    = "rectangle"
sides    = [0.4, 0.2]
density  = 3
[[body]]
name     = "wheel"
shape    = "disc"
radius   = 0.15
density  = 2
position = [1, 0]
)",
                                                    "shapes");
  const hstar::report::Scene scene = hstar::report::make_scene(hstar::run(model), model);
  REQUIRE(scene.shapes.size() == 2);
  CHECK(scene.shapes[0].kind == "polygon");
  CHECK(scene.bodies[scene.shapes[0].place.body].name == "plate");
  CHECK(scene.shapes[0].points == std::vector<hstar::Vec2>{{-0.2, -0.1}, {0.2, -0.1}, {0.2, 0.1}, {-0.2, 0.1}});
  CHECK(scene.shapes[1].kind == "circle");
  CHECK(scene.bodies[scene.shapes[1].place.body].name == "wheel");
  CHECK(scene.shapes[1].radius == 0.15);
}

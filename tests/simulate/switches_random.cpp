// tests/simulate/switches_random.cpp
//
// Random formulas of relations of time and of a state that is known, nested up to six deep, as the rate of a state: the
// integral against the sum over the pieces between all places where any of their conditions changes. No switch may be
// integrated through. The reference knows the places by solving each condition by itself.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "hstar/flow.hpp"
#include "support/run_text.hpp"

using namespace hstar;
using namespace support;

namespace {

constexpr double end = 4.0, x0 = -1.3, speed = 0.7;  // x = x0 + speed t

/// a + b t + c x, or a + sin(b t), with the places where it is zero.
struct Condition {
  bool wave = false;
  double a = 0, b = 0, c = 0;
  double at(double t) const { return wave ? a + std::sin(b * t) : a + b * t + c * (x0 + speed * t); }
  std::string text() const {
    if (wave) return "(" + digits(a) + " + sin(" + digits(b) + "*t))";
    return "(" + digits(a) + " + " + digits(b) + "*t + " + digits(c) + "*x)";
  }
  void roots(std::vector<double>& out) const {
    if (!wave) {
      out.push_back(-(a + c * x0) / (b + c * speed));
      return;
    }
    const double first = std::asin(-a);
    for (int k = -1; k * 2 * M_PI < b * end + 4; ++k) {
      out.push_back((first + 2 * k * M_PI) / b);
      out.push_back((M_PI - first + 2 * k * M_PI) / b);
    }
  }
};

/// A formula, its value, and its text.
struct Node {
  int kind =
      0;  ///< 0 number, 1 line, 2 a ? b : c of a relation, 3 min or max of lines, 4 abs, 5 sum, 6 sign, 7 && or ||
  double number = 0;
  Condition condition, other;
  std::unique_ptr<Node> yes, no;

  double at(double t) const {
    const double g = condition.at(t);
    switch (kind) {
      case 1:
        return g;
      case 2:
        return (g > 0 ? yes : no)->at(t);
      case 3:
        return number > 0 ? std::max(g, other.at(t)) : std::min(g, other.at(t));
      case 4:
        return std::abs(g);
      case 5:
        return yes->at(t) + number * no->at(t);
      case 6:
        return g > 0 ? number : -number;
      case 7:
        return ((number > 0 ? g > 0 && other.at(t) < 0 : g > 0 || other.at(t) < 0) ? yes : no)->at(t);
      default:
        return number;
    }
  }
  std::string text() const {
    const std::string g = condition.text();
    switch (kind) {
      case 1:
        return g;
      case 2:
        return "(" + g + " > 0 ? " + yes->text() + " : " + no->text() + ")";
      case 3:
        return (number > 0 ? "max(" : "min(") + g + ", " + other.text() + ")";
      case 4:
        return "abs" + g;
      case 5:
        return "(" + yes->text() + " + " + digits(number) + "*" + no->text() + ")";
      case 6:
        return "(" + digits(number) + "*sign" + g + ")";
      case 7:
        return "(" + g + (number > 0 ? " > 0 && " : " > 0 || ") + other.text() + " < 0 ? " + yes->text() + " : " +
               no->text() + ")";
      default:
        return digits(number);
    }
  }
  void places(std::vector<double>& out) const {
    if (kind == 2 || kind == 4 || kind == 6 || kind == 7) condition.roots(out);
    if (kind == 7) other.roots(out);
    if (kind == 3) Condition{false, condition.a - other.a, condition.b - other.b, condition.c - other.c}.roots(out);
    if (yes) yes->places(out);
    if (no) no->places(out);
  }
};

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  double real(double lo, double hi) { return std::uniform_real_distribution<>(lo, hi)(random_); }
  int whole(int lo, int hi) { return std::uniform_int_distribution<>(lo, hi)(random_); }
  Condition line() { return {false, real(-2, 2), real(-1, 1), whole(0, 1) * real(-1, 1)}; }
  Condition condition() {
    if (whole(0, 3) > 0) return line();
    return {true, real(-0.9, 0.9), real(1, 30), 0};
  }
  std::unique_ptr<Node> node(int depth) {
    auto n = std::make_unique<Node>();
    n->kind = depth == 0 ? whole(0, 1) : whole(0, 7);
    n->number = real(-3, 3);
    const bool kink = n->kind == 1 || n->kind == 3 || n->kind == 4;
    n->condition = kink ? line() : condition();
    n->other = n->kind == 3 ? line() : condition();
    if (n->kind == 2 || n->kind == 5 || n->kind == 7) {
      n->yes = node(depth - 1);
      n->no = node(depth - 1);
    }
    return n;
  }

 private:
  std::mt19937 random_;
};

/// On each piece the formula is at most linear.
double integral(const Node& formula) {
  std::vector<double> places{0.0, end};
  formula.places(places);
  places.erase(std::remove_if(places.begin(), places.end(), [](double t) { return !(t >= 0 && t <= end); }),
               places.end());
  std::sort(places.begin(), places.end());
  double sum = 0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i)
    sum += (places[i + 1] - places[i]) * formula.at(0.5 * (places[i] + places[i + 1]));
  return sum;
}

}  // namespace

TEST_CASE("random formulas of relations of time and state are integrated piece by piece") {
  const auto all = integrators();
  std::size_t switches = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    Draw draw(seed);
    const auto formula = draw.node(draw.whole(1, 6));
    const std::string text = formula->text();
    const IntegratorEntry& entry = all[seed % all.size()];
    INFO("seed " << seed << ", " << entry.name << ": " << text);
    const RunResult r = run_with_switches(
        "simulation = { end = 4, rtol = 1e-9, integrator = \"" + entry.name +
        "\" }\nstate = [{ name = \"x\", initial = -1.3, rate = 0.7 }, { name = \"y\", rate = \"" + text + "\" }]\n");
    REQUIRE(r.outcome.status == RunStatus::reached_end);
    CHECK(std::abs(final_value(r, "y") - integral(*formula)) <= 1e-9 * 20);
    switches += count(r, "switch");
  }
  CHECK(switches > 1000);  // the formulas did switch
}

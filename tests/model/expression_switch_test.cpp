// tests/model/expression_switch_test.cpp
//
// Switches of a formula: on fixed branches it is the smooth formula of these branches, whatever its variables are; what
// is not taken is not live; bounds contain every value and rate in their box; roots over time are all found.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "hstar/expression.hpp"
#include "mechanism/time_roots.hpp"

using namespace hstar;

namespace {

Expression formula(const std::string& text) {
  Expression e = Expression::compile(text, {}, {});
  e.place_switches(0);
  return e;
}

std::vector<int> live(const Expression& e, const std::vector<double>& branches) {
  std::vector<char> found(branches.size());
  e.find_live(branches.data(), found.data());
  return {found.begin(), found.end()};
}

}  // namespace

TEST_CASE("on a branch a switch does not look at its condition") {
  const struct {
    const char *switching, *below, *above;
  } pairs[] = {{"x < 1 ? x^2 : 3*x", "x^2", "3*x"}, {"abs(x)", "-x", "x"},    {"min(x, x^2)", "x", "x^2"},
               {"max(x, x^2)", "x^2", "x"},         {"sign(x)*x", "-x", "x"}, {"x*(x >= 2)", "0*x", "x"}};
  for (const auto& p : pairs)
    for (const double branch : {-1.0, 1.0})
      for (const double x : {-3.0, -0.5, 0.25, 1.0, 4.0}) {
        INFO(p.switching << " on " << branch << " at " << x);
        const Expression e = formula(p.switching), smooth = formula(branch < 0 ? p.below : p.above);
        const double one = 1, zero = 0;
        double slope = 0, wanted = 0;
        CHECK(e.value(&x, &branch) == smooth.value(&x));
        e.gradient(&x, &slope, &branch);
        smooth.gradient(&x, &wanted);
        CHECK(slope == wanted);
        const auto a = e.jet(&x, &one, &zero, &branch), b = smooth.jet(&x, &one, &zero);
        CHECK(a.rate == b.rate);
        CHECK(a.acceleration == b.acceleration);
      }
}

TEST_CASE("a relation that is exactly zero and stays so counts as equal") {
  const double x = 2, none = 0;
  CHECK(formula("x == 2").value(&x, &none) == 1);
  CHECK(formula("x <= 2").value(&x, &none) == 1);
  CHECK(formula("x < 2").value(&x, &none) == 0);
  CHECK(formula("sign(x - 2)").value(&x, &none) == 0);
}

TEST_CASE("only what the value depends on is live") {
  // switches in the order of the text: t > 5, t < 5.1
  const Expression both = formula("t > 5 && t < 5.1 ? 100 : 0");
  CHECK(live(both, {-1, -1}) == std::vector<int>{1, 0});
  CHECK(live(both, {1, -1}) == std::vector<int>{1, 1});
  CHECK(live(both, {1, 1}) == std::vector<int>{0, 1});
  const Expression either = formula("t > 5 || t < 1 ? 100 : 0");
  CHECK(live(either, {-1, 1}) == std::vector<int>{1, 1});
  CHECK(live(either, {1, 1}) == std::vector<int>{1, 0});
  // x > 0, x > 1, x > 2
  const Expression nested = formula("x > 0 ? (x > 1 ? 1 : 2) : (x > 2 ? 3 : 4)");
  CHECK(live(nested, {1, -1, -1}) == std::vector<int>{1, 1, 0});
  CHECK(live(nested, {-1, -1, -1}) == std::vector<int>{1, 0, 1});
  // the outer condition is a number while no inner switch changes: it cannot change by itself
  CHECK(live(formula("(x > 0) + (x > 1) >= 2 ? 1 : 0"), {1, -1, -1}) == std::vector<int>{1, 1, 0});
  // the divisor x, 1/x > 3, abs(x)
  CHECK(live(formula("1/x > 3 ? abs(x) : 0"), {1, -1, 1}) == std::vector<int>{1, 1, 0});
  CHECK(live(formula("x > 3 ? 1/x > y : 0"), {-1, 1, 1}) == std::vector<int>{1, 0, 0});
}

TEST_CASE("conditions, their degrees and what hides them") {
  const Expression e = formula("abs(x - 1)*2 > x^2 + floor(x) ? 1 : 0");
  REQUIRE(e.switch_count() == 3);
  const double x = 3, branches[] = {1, 2, -1};
  CHECK(e.condition(0, &x, branches) == 2);
  CHECK(e.condition(1, &x, branches) == 3);
  CHECK(e.is_floor(1));
  CHECK(e.condition(2, &x, branches) == 4 - 9 - 2);
  CHECK(e.condition_degree(0) == 1);
  CHECK(e.condition_degree(2) == 2);
  CHECK(formula("sin(x) > 0").condition_degree(0) == -1);
  CHECK(formula("t > 1 ? x : 0").condition_reads_only(0, "t"));
  CHECK(!formula("t > x").condition_reads_only(0, "t"));
  CHECK(formula("noevent(abs(x)) + smooth(min(x, 1))").switch_count() == 0);
  CHECK(formula("noevent(abs(x))").has_hidden_switches());
  CHECK(formula("noevent(abs(x)) + abs(x)").switch_count() == 1);
  CHECK(formula("x").switch_count() == 0);
}

TEST_CASE("divisors of conditions are switches, each factor by itself, unless they cannot change sign") {
  CHECK(formula("1/x").switch_count() == 0);
  CHECK(formula("1/x > 3").switch_count() == 2);
  CHECK(formula("max(y/(x*(x - 1)^3), 0)").switch_count() == 3);
  CHECK(formula("1/(1 + x^2) > y/exp(x)").switch_count() == 1);
  CHECK(formula("tan(x) > 1").switch_count() == 2);
  const Expression e = formula("y/(x - 1) > 2");
  REQUIRE(e.is_divisor(0));
  CHECK(!e.is_divisor(1));
  CHECK(e.switches_read(1) == std::vector<int>{0});
  CHECK(e.condition_reads_only(0, "x"));
  // at its pole and beyond it a condition is what it is on the side of the pole where the branch says
  for (const double side : {-1.0, 1.0})
    for (const double x : {0.9, 1.0, 1.1}) {
      const double vars[] = {3, x}, branches[] = {side, 1};
      CHECK(e.condition(0, vars, branches) == x - 1);
      const bool beyond = side * (x - 1) <= 0;
      const double g = e.condition(1, vars, branches);
      CHECK((beyond ? side * g > 1e30 : g == 3 / (x - 1) - 2));
    }
}

TEST_CASE("round, mod and ceil are what they say") {
  for (double x = -4.9; x < 5; x += 0.173) {
    INFO(x);
    CHECK(formula("ceil(x)").value(&x) == std::ceil(x));
    CHECK(formula("round(x)").value(&x) == std::floor(x + 0.5));
    CHECK(formula("mod(x, 2)").value(&x) == Approx(x - 2 * std::floor(x / 2)));
    CHECK(formula("mod(x, -1.5)").value(&x) == Approx(x + 1.5 * std::floor(x / -1.5)));
  }
}

TEST_CASE("bounds contain all values and rates of their box") {
  const char* texts[] = {"sin(3*x)*y - cos(y)^2",
                         "exp(-x^2)/(1 + y^2)",
                         "abs(x)*min(x, y) - max(y, x^3)",
                         "sqrt(4 + x)*atan(y)",
                         "x > y ? x^2 : -y",
                         "floor(x) + sign(y)*x",
                         "log(5 + x) - log10(6 - y)",
                         "tanh(x*y) + sinh(x)/cosh(y)",
                         "(x - y)^3 + 1/(x + 10)",
                         "asin(x/4) + acos(y/5)",
                         "(x + 4)^1.5",
                         "x > 0 && y < 1 || !(x > -1) ? 2*x : y",
                         "tan(x/4)",
                         "(2 + sin(x))^-2",
                         "(2 + sin(x))^(y - 1)"};
  std::mt19937 random(14);
  const auto real = [&](double lo, double hi) { return std::uniform_real_distribution<>(lo, hi)(random); };
  for (const char* text : texts) {
    const Expression e = formula(text);
    INFO(text);
    for (int box = 0; box < 60; ++box) {
      const double width = std::pow(10.0, real(-3, 0.5));
      const double at[] = {real(-3, 3 - width), real(-3, 3 - width)}, speed[] = {real(-2, 2), real(-2, 2)};
      const Expression::Bounds vars[] = {{at[0], at[0] + width}, {at[1], at[1] + width}};
      const Expression::Bounds rates[] = {{speed[0], speed[0] + 0.1}, {speed[1] - 0.1, speed[1]}};
      const auto found = e.enclose(vars, rates, nullptr);
      for (int k = 0; k < 20; ++k) {
        const double v[] = {real(vars[0].lo, vars[0].hi), real(vars[1].lo, vars[1].hi)};
        const double r[] = {real(rates[0].lo, rates[0].hi), real(rates[1].lo, rates[1].hi)}, still[] = {0, 0};
        const auto jet = e.jet(v, r, still);
        CHECK(found.value.lo <= jet.value);
        CHECK(jet.value <= found.value.hi);
        CHECK(found.rate.lo <= jet.rate);
        CHECK(jet.rate <= found.rate.hi);
      }
    }
  }
}

TEST_CASE("bounds shrink with their box") {
  const Expression e = formula("sin(3*x)*exp(-x) + x^2");
  for (const double width : {1e-2, 1e-4, 1e-6}) {
    const Expression::Bounds x{1, 1 + width}, rate{1, 1};
    const auto found = e.enclose(&x, &rate, nullptr);
    CHECK(found.value.hi - found.value.lo < 10 * width);
    CHECK(found.rate.hi - found.rate.lo < 30 * width);
  }
}

TEST_CASE("bounds of a rate shrink where what one variable does in several places cancels") {
  const Expression e = formula("tanh(x) - x");
  const Expression::Bounds x{-1e-3, -5e-4}, rate{0.5, 1.5};
  const auto found = e.enclose(&x, &rate, nullptr);
  CHECK(found.rate.hi < 0);  // -x^2 x'
  CHECK(found.rate.lo > -2e-6);
}

TEST_CASE("all crossings of a function of time, in order") {
  const auto crossings = [](const std::string& text, double end, int side) {
    const Expression e = formula(text);
    const double none = 0;
    std::vector<double> times;
    double t = 0;
    bool irregular = false;
    for (;;) {
      t = first_crossing(
          t, end, side, [&](double time) { return e.condition(0, &time, &none); },
          [&](double a, double b) {
            const Expression::Bounds time{a, b}, rate{1, 1};
            return e.enclose_condition(0, &time, &rate, &none);
          },
          irregular);
      if (!(t <= end)) return times;
      times.push_back(t);
      side = -side;
    }
  };
  const auto wave = crossings("sin(40*t) > 0", 10, 1);
  REQUIRE(wave.size() == 127);
  for (std::size_t i = 0; i < wave.size(); ++i)
    CHECK(std::abs(wave[i] - static_cast<double>(i + 1) * M_PI / 40) < 4e-15);
  CHECK(crossings("t - 1.8441247456911654 > 0", 3, -1) == std::vector<double>{1.8441247456911654});
  // two roots a hundred thousandth of the way apart
  const auto narrow = crossings("(t - 3.7)^2 - 1e-8 > 0", 10, 1);
  REQUIRE(narrow.size() == 2);
  CHECK(narrow[0] == Approx(3.7 - 1e-4).epsilon(1e-14));
  CHECK(narrow[1] == Approx(3.7 + 1e-4).epsilon(1e-14));
  CHECK(crossings("t^2*exp(-t) - 3 > 0", 1e6, -1).empty());
  CHECK(crossings("sin(2*pi*1e6*t) > 0.3", 1e-3, -1).size() == 2000);
}

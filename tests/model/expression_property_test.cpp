// tests/model/expression_property_test.cpp
//
// For random formulas: the value equals that of an independent evaluator (the tree the text was
// printed from, in long double), and gradient and jet equal finite differences of it. This is what
// makes exact drivers and force Jacobians trustworthy: no formula shape is special.
#include <fmt/core.h>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <hstar/expression.hpp>
#include <limits>
#include <random>

using hstar::Expression;

namespace {

using Real = long double;
using Point = std::array<Real, 3>;
const char* const names[3] = {"x", "s.y", "t"};

/// A random smooth formula as text and as a function.
struct Formula {
  std::string text;
  std::function<Real(const Point&)> value;
};

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }

  Formula make(int depth) {
    if (depth == 0) return leaf();
    const int kind = std::uniform_int_distribution<int>(0, 15)(random_);
    if (kind == 0) return leaf();
    const Formula a = make(depth - 1);
    const auto f = a.value;
    const auto one = [&](const char* form, auto g) {
      return Formula{fmt::format(fmt::runtime(form), a.text), [f, g](const Point& p) { return g(f(p)); }};
    };
    switch (kind) {
      case 1:
        return one("sin({})", [](Real u) { return std::sin(u); });
      case 2:
        return one("cos({})", [](Real u) { return std::cos(u); });
      case 3:
        return one("exp(-({})^2)", [](Real u) { return std::exp(-u * u); });
      case 4:
        return one("sqrt(1 + ({})^2)", [](Real u) { return std::sqrt(1 + u * u); });
      case 5:
        return one("tanh({})", [](Real u) { return std::tanh(u); });
      case 6:
        return one("atan({})", [](Real u) { return std::atan(u); });
      case 7:
        return one("log(2 + abs(sin({})))", [](Real u) { return std::log(2 + std::abs(std::sin(u))); });
      case 8:
        return one("-({})^3", [](Real u) { return -u * u * u; });
      case 9:
        return one("(2 + cos({}))^1.5", [](Real u) { return std::pow(2 + std::cos(u), Real(1.5)); });
      default:
        break;
    }
    const Formula b = make(depth - 1);
    const auto g = b.value;
    const auto two = [&](const char* form, auto h) {
      return Formula{fmt::format(fmt::runtime(form), a.text, b.text),
                     [f, g, h](const Point& p) { return h(f(p), g(p)); }};
    };
    switch (kind) {
      case 10:
        return two("({} + {})", [](Real u, Real v) { return u + v; });
      case 11:
        return two("({} - {})", [](Real u, Real v) { return u - v; });
      case 12:
        return two("{}/(1 + ({})^2)", [](Real u, Real v) { return u / (1 + v * v); });
      case 13:
        return two("(1.5 + sin({}))^cos({})",
                   [](Real u, Real v) { return std::pow(Real(1.5) + std::sin(u), std::cos(v)); });
      case 14:
        return two("atan2({}, 3 + sin({}))", [](Real u, Real v) { return std::atan2(u, 3 + std::sin(v)); });
      default:
        return two("({})*({})", [](Real u, Real v) { return u * v; });
    }
  }

 private:
  Formula leaf() {
    const int kind = std::uniform_int_distribution<int>(0, 3)(random_);
    if (kind < 3) return {names[kind], [kind](const Point& p) { return p[static_cast<std::size_t>(kind)]; }};
    const double k = std::round(uniform(-3, 3) * 8) / 8;  // exact in text
    return {fmt::format("({})", k), [k](const Point&) { return Real(k); }};
  }

  std::mt19937 random_;
};

/// Central difference of sixth order; in long double good to about 1e-13 for these functions.
Real slope(const std::function<Real(Real)>& f, Real h) {
  return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60 * h);
}
Real curvature(const std::function<Real(Real)>& f, Real h) {
  return (270 * (f(h) + f(-h)) - 27 * (f(2 * h) + f(-2 * h)) + 2 * (f(3 * h) + f(-3 * h)) - 490 * f(0)) / (180 * h * h);
}

}  // namespace

TEST_CASE("random formulas: value, gradient and jet agree with an independent evaluation", "[expression][property]") {
  int compared = 0;
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    Generator generator(seed);
    const Formula formula = generator.make(4);
    if (formula.text.size() > 2000) continue;
    const Expression e = Expression::compile(formula.text, {}, {});
    Point p{};
    std::array<Real, 3> d{}, dd{};
    for (std::size_t i = 0; i < 3; ++i) {
      p[i] = generator.uniform(0.2, 1.8);
      d[i] = generator.uniform(-1, 1);
      dd[i] = generator.uniform(-1, 1);
    }
    const std::size_t n = e.variables().size();
    std::vector<double> vars(n), rates(n), accelerations(n), gradient(n);
    std::vector<std::size_t> slot(n);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < 3; ++i)
        if (e.variables()[k] == names[i]) slot[k] = i;
      vars[k] = static_cast<double>(p[slot[k]]);
      rates[k] = static_cast<double>(d[slot[k]]);
      accelerations[k] = static_cast<double>(dd[slot[k]]);
    }
    INFO("seed " << seed << ": " << formula.text);
    const Real value = formula.value(p);
    const Real h = 2e-3L;
    const auto along = [&](Real s) {
      Point q = p;
      for (std::size_t i = 0; i < 3; ++i) q[i] += s * d[i] + s * s / 2 * dd[i];
      return formula.value(q);
    };
    // Differences cannot follow a formula that varies within h (nested cubes make such); the two
    // step sizes tell. Kinks of |sin| near the point tell the same way.
    const Real first = slope(along, h), second = curvature(along, h);
    const Real size = 1 + std::abs(value) + std::abs(first) + std::abs(second);
    if (!(std::abs(second - curvature(along, h / 2)) < 1e-9L * size) || size > 1e6L) continue;
    ++compared;
    const double tolerance = 1e-8 * static_cast<double>(size);
    REQUIRE(e.value(vars.data()) == Approx(static_cast<double>(value)).epsilon(1e-11).margin(1e-11));
    // (Constants that are computed once have more round-off than their own.)
    const double off = static_cast<double>(std::abs(e.value(vars.data()) - value));
    if (!e.is_constant())
      REQUIRE(off <= 16 * std::numeric_limits<double>::epsilon() * e.sizes(vars.data(), rates.data()).value);
    REQUIRE(e.gradient(vars.data(), gradient.data()) == e.value(vars.data()));
    const Expression::Jet jet = e.jet(vars.data(), rates.data(), accelerations.data());
    REQUIRE(jet.value == e.value(vars.data()));
    REQUIRE(jet.rate == Approx(static_cast<double>(first)).margin(tolerance));
    REQUIRE(jet.acceleration == Approx(static_cast<double>(second)).margin(tolerance));
    // The chain rule ties the two: rate = gradient . rates, to round-off and without differences.
    double chained = 0, terms = 0;
    for (std::size_t k = 0; k < n; ++k) {
      chained += gradient[k] * rates[k];
      terms += std::abs(gradient[k] * rates[k]);
    }
    REQUIRE(jet.rate == Approx(chained).margin(1e-12 * (terms + static_cast<double>(size))));
    for (std::size_t k = 0; k < n; ++k) {
      const auto partial = [&](Real s) {
        Point q = p;
        q[slot[k]] += s;
        return formula.value(q);
      };
      if (!(std::abs(slope(partial, h) - slope(partial, h / 2)) < 1e-9L * size)) continue;
      REQUIRE(gradient[k] == Approx(static_cast<double>(slope(partial, h))).margin(tolerance));
    }
  }
  CHECK(compared > 2000);
}

// tests/model/expression_test.cpp
//
// Formulas mean what the user guide says: precedence, functions, kinks, folding, degree. Values and
// derivatives are compared with closed forms. A formula that is wrong fails at its own column.
#include <catch2/catch.hpp>
#include <cmath>
#include <hstar/expression.hpp>
#include <map>
#include <numbers>

using hstar::Expression;
using hstar::InputError;
using hstar::Location;

namespace {

Expression compile(const std::string& text, const std::map<std::string, double>& parameters = {}) {
  return Expression::compile(text, {"m.toml", 3, 10}, [&](std::string_view name) -> std::optional<double> {
    const auto i = parameters.find(std::string(name));
    return i == parameters.end() ? std::nullopt : std::optional(i->second);
  });
}

double constant(const std::string& text) {
  const Expression e = compile(text);
  INFO(text);
  REQUIRE(e.is_constant());
  return e.constant_value();
}

std::string error(const std::string& text) {
  try {
    static_cast<void>(compile(text));
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("operators bind as in mathematics", "[expression]") {
  CHECK(constant("1 + 2*3") == 7);
  CHECK(constant("2*3 + 1") == 7);
  CHECK(constant("8/4/2") == 1);
  CHECK(constant("8 - 4 - 2") == 2);
  CHECK(constant("2^3^2") == 512);
  CHECK(constant("-2^2") == -4);
  CHECK(constant("2^-1") == 0.5);
  CHECK(constant("(-2)^2") == 4);
  CHECK(constant("2*-3") == -6);
  CHECK(constant("- - 3") == 3);
  CHECK(constant("+3") == 3);
  CHECK(constant("1 < 2 && 2 < 1 || 1") == 1);
  CHECK(constant("1 || 0 && 0") == 1);
  CHECK(constant("!0 + 1") == 2);
  CHECK(constant("1 + 1 == 2") == 1);
  CHECK(constant("3 != 3") == 0);
  CHECK(constant("2 >= 2 && 2 <= 2 && 3 > 2") == 1);
  CHECK(constant("0 ? 1 : 0 ? 2 : 3") == 3);
  CHECK(constant("1 ? 2 ? 3 : 4 : 5") == 3);
  CHECK(constant("2 < 1 ? 10 : 20") == 20);
  CHECK(constant("1e3 + 1.5e-3 + .5") == 1000.5015);
  CHECK(constant("\t( 1 +\n 2 ) ") == 3);
}

TEST_CASE("functions and constants are those of mathematics", "[expression]") {
  CHECK(constant("pi") == std::numbers::pi);
  CHECK(constant("e") == std::numbers::e);
  CHECK(constant("atan2(1, -1)") == std::atan2(1.0, -1.0));
  CHECK(constant("sqrt(16) + abs(-3) + sign(-2) + sign(0) + sign(5)") == 7);
  CHECK(constant("min(3, 1, 2) + max(3, 1, 2)") == 4);
  CHECK(constant("pow(2, 10)") == 1024);
  CHECK(constant("floor(-1.5) + ceil(-1.5)") == -3);
  CHECK(constant("log(exp(2)) + log10(100)") == Approx(4).epsilon(1e-15));
  CHECK(constant("sinh(1)^2 - cosh(1)^2") == Approx(-1).epsilon(1e-14));
  CHECK(constant("tan(0.5) - sin(0.5)/cos(0.5)") == Approx(0).margin(1e-15));
  CHECK(constant("asin(0.3) + acos(0.3)") == Approx(std::numbers::pi / 2).epsilon(1e-15));
  CHECK(constant("tanh(0.5)") == std::tanh(0.5));
  CHECK(constant("atan(2)") == std::atan(2.0));
}

TEST_CASE("parameters are folded, other names become variables in order of first use", "[expression]") {
  const Expression e = compile("k*(sled.x - t) + c*sled.vx + sled.x", {{"k", 3.0}, {"c", 0.5}});
  CHECK_FALSE(e.is_constant());
  CHECK(e.variables() == std::vector<std::string>{"sled.x", "t", "sled.vx"});
  CHECK(e.where_variable(0).text() == "m.toml:3:13");
  CHECK(e.where_variable(2).text() == "m.toml:3:29");
  const double vars[] = {2.0, 0.5, 4.0};
  CHECK(e.value(vars) == 3.0 * 1.5 + 0.5 * 4.0 + 2.0);
  CHECK(e.text() == "k*(sled.x - t) + c*sled.vx + sled.x");
  CHECK(compile("2*k + e", {{"k", 3.0}, {"e", 0.9}}).constant_value() == 6.9);  // a parameter hides the constant
}

TEST_CASE("an expression without text is the constant zero", "[expression]") {
  const Expression zero;
  CHECK(zero.is_constant());
  CHECK(zero.constant_value() == 0.0);
  CHECK(zero.value(nullptr) == 0.0);
  CHECK(zero.polynomial_degree() == 0);
  CHECK(zero.variables().empty());
  CHECK(Expression::constant(2.5).constant_value() == 2.5);
}

TEST_CASE("a branch that a parameter switches off does no harm", "[expression]") {
  // 1/m is infinite for m = 0, but the value does not depend on it.
  const Expression e = compile("m > 0 ? x/m + 1/m : x", {{"m", 0.0}});
  const double x = 3.0;
  CHECK(e.value(&x) == 3.0);
  double g = 0;
  e.gradient(&x, &g);
  CHECK(g == 1.0);
}

TEST_CASE("the branch not taken does not spoil derivatives", "[expression]") {
  const Expression e = compile("x > 0 ? sqrt(x) : -x");
  const double x = -4.0, rate = 1.0, acceleration = 2.0;
  double g = 0;
  CHECK(e.gradient(&x, &g) == 4.0);
  CHECK(g == -1.0);
  const Expression::Jet j = e.jet(&x, &rate, &acceleration);
  CHECK(j.value == 4.0);
  CHECK(j.rate == -1.0);
  CHECK(j.acceleration == -2.0);
}

TEST_CASE("jets along time equal closed forms", "[expression]") {
  const double t = 0.7, one = 1.0, zero = 0.0;
  const auto jet = [&](const std::string& text) { return compile(text).jet(&t, &one, &zero); };
  const auto check = [](const Expression::Jet& j, double v, double d, double dd) {
    CHECK(j.value == Approx(v).epsilon(1e-14));
    CHECK(j.rate == Approx(d).epsilon(1e-14));
    CHECK(j.acceleration == Approx(dd).epsilon(1e-14).margin(1e-15));
  };
  check(jet("0.02*sin(60*t)"), 0.02 * std::sin(42.0), 1.2 * std::cos(42.0), -72.0 * std::sin(42.0));
  check(jet("t^3"), t * t * t, 3 * t * t, 6 * t);
  check(jet("t^-2"), std::pow(t, -2), -2 * std::pow(t, -3), 6 * std::pow(t, -4));
  check(jet("t^2.5"), std::pow(t, 2.5), 2.5 * std::pow(t, 1.5), 3.75 * std::pow(t, 0.5));
  check(jet("2^t"), std::exp2(t), std::log(2.0) * std::exp2(t), std::log(2.0) * std::log(2.0) * std::exp2(t));
  check(jet("exp(-t)*t"), t * std::exp(-t), (1 - t) * std::exp(-t), (t - 2) * std::exp(-t));
  check(jet("1/(1 + t^2)"), 1 / (1 + t * t), -2 * t / std::pow(1 + t * t, 2), (6 * t * t - 2) / std::pow(1 + t * t, 3));
  check(jet("atan2(sin(t), cos(t))"), t, 1, 0);
  check(jet("log(t)"), std::log(t), 1 / t, -1 / (t * t));
  check(jet("sqrt(t)"), std::sqrt(t), 0.5 / std::sqrt(t), -0.25 / (t * std::sqrt(t)));
}

TEST_CASE("at a kink the derivative along time is that of the branch just after", "[expression]") {
  const Expression abs = compile("abs(x)");
  const double x = 0.0, up = 2.0, down = -2.0, still = 0.0, a = -3.0;
  CHECK(abs.jet(&x, &up, &a).rate == 2.0);
  CHECK(abs.jet(&x, &down, &a).rate == 2.0);
  CHECK(abs.jet(&x, &down, &a).acceleration == 3.0);
  CHECK(abs.jet(&x, &still, &a).acceleration == 3.0);
  const Expression max = compile("max(x, 2*x)");
  CHECK(max.jet(&x, &up, &a).rate == 4.0);
  CHECK(max.jet(&x, &down, &a).rate == -2.0);
  const Expression min = compile("min(x, 2*x)");
  CHECK(min.jet(&x, &up, &a).rate == 2.0);
  CHECK(min.jet(&x, &down, &a).rate == -4.0);
}

TEST_CASE("a quantity at rest stays at rest where its slope is infinite", "[expression]") {
  const Expression e = compile("sqrt(x)");
  const double x = 0.0, zero = 0.0;
  const Expression::Jet j = e.jet(&x, &zero, &zero);
  CHECK(j.rate == 0.0);
  CHECK(j.acceleration == 0.0);
}

TEST_CASE("comparisons, sign, floor and ceil have slope zero", "[expression]") {
  const Expression e = compile("sign(x) + floor(x) + ceil(x) + (x > 1) + (x == 0.5)*3");
  const double x = 0.5, one = 1.0;
  double g = 7;
  CHECK(e.gradient(&x, &g) == 1.0 + 0.0 + 1.0 + 0.0 + 3.0);
  CHECK(g == 0.0);
  CHECK(e.jet(&x, &one, &one).rate == 0.0);
}

TEST_CASE("integer powers are exact and smooth at zero", "[expression]") {
  const double zero = 0.0, one = 1.0;
  const Expression e = compile("x^3 + x^2 + x");
  double g = 0;
  CHECK(e.gradient(&zero, &g) == 0.0);
  CHECK(g == 1.0);
  const Expression::Jet j = e.jet(&zero, &one, &zero);
  CHECK(j.rate == 1.0);
  CHECK(j.acceleration == 2.0);
}

TEST_CASE("the polynomial degree is known where it exists", "[expression]") {
  CHECK(compile("3*pi").polynomial_degree() == 0);
  CHECK(compile("a - 2*b/3").polynomial_degree() == 1);
  CHECK(compile("(1 - x^2)*y - x").polynomial_degree() == 3);
  CHECK(compile("(x + y)^4").polynomial_degree() == 4);
  CHECK(compile("x^2^1*-y").polynomial_degree() == 3);
  for (const char* text : {"1/x", "sin(x)", "x^0.5", "x^-1", "abs(x)", "x > 0 ? x : 0", "2^x", "min(x, 1)"})
    CHECK(compile(text).polynomial_degree() == -1);
  CHECK(compile("x*sin(0) + x").polynomial_degree() == 2 - 1);
}

TEST_CASE("a wrong formula fails at the column of the token", "[expression]") {
  CHECK(error("") == "m.toml:3:10: formula \"\": the formula is empty; write a number or a formula");
  CHECK(error("1 + ") == "m.toml:3:14: formula \"1 + \": ends where a number, a name or \"(\" is expected");
  CHECK(error("(1 + 2") == "m.toml:3:10: formula \"(1 + 2\": this \"(\" is never closed; add \")\"");
  CHECK(error("1 + 2)") == "m.toml:3:15: formula \"1 + 2)\": unexpected \")\" where end of the formula is expected");
  CHECK(error("2*sni(t)") == "m.toml:3:12: formula \"2*sni(t)\": unknown function \"sni\"; did you mean \"sin\"?");
  CHECK(error("sin + 1") ==
        "m.toml:3:10: formula \"sin + 1\": the function sin needs its argument in parentheses; write sin(...)");
  CHECK(error("sin(1, 2)") == "m.toml:3:10: formula \"sin(1, 2)\": sin takes 1 argument, not 2");
  CHECK(error("max(1)") == "m.toml:3:10: formula \"max(1)\": max takes at least 2 arguments, not 1");
  CHECK(error("atan2(1)") == "m.toml:3:10: formula \"atan2(1)\": atan2 takes 2 arguments, not 1");
  CHECK(error("2x") == "m.toml:3:11: formula \"2x\": \"x\" follows a number directly; write * between them");
  CHECK(error("0 < x < 1") == "m.toml:3:16: formula \"0 < x < 1\": comparisons do not chain; write a < b && b < c");
  CHECK(error("x = 1") == "m.toml:3:12: formula \"x = 1\": \"=\" is not an operator; write == to compare");
  CHECK(error("x ** 2") == "m.toml:3:12: formula \"x ** 2\": \"**\" is not an operator; write ^ for powers");
  CHECK(error("x & y") == "m.toml:3:12: formula \"x & y\": \"&\" is not an operator; write &&");
  CHECK(error("x ? 1") == "m.toml:3:15: formula \"x ? 1\": ends where \":\" of \"a ? b : c\" is expected");
  CHECK(error("3 $ 4") == "m.toml:3:12: formula \"3 $ 4\": unexpected \"$\" where end of the formula is expected");
  CHECK(error("µ*2") == "m.toml:3:10: formula \"µ*2\": unexpected \"µ\" where a number, a name or \"(\" is expected");
  CHECK(error("x*1e999") == "m.toml:3:12: formula \"x*1e999\": the number 1e999 is outside the range of doubles");
  CHECK(error("x + 1/0") == "m.toml:3:15: formula \"x + 1/0\": division by zero: \"/\" of 1 and 0 gives inf");
  CHECK(error("sqrt(1 - 2)*x") ==
        "m.toml:3:10: formula \"sqrt(1 - 2)*x\": not a finite number: \"sqrt\" of -1 gives nan");
}

TEST_CASE("formulas too deep or too long are refused, not crashed on", "[expression]") {
  CHECK(error(std::string(100000, '(')).find("the formula is nested more than 100 levels deep") != std::string::npos);
  CHECK(error(std::string(100000, '-') + "1").find("nested more than 100 levels") != std::string::npos);
  std::string longest = "x";
  for (int i = 0; i < 600; ++i) longest += "+x*" + std::to_string(i + 2);
  CHECK(error(longest).find("the formula has more than 512 operations") != std::string::npos);
  std::string same = "x";  // equal subterms are computed once
  for (int i = 0; i < 300; ++i) same += "+sin(x)";
  CHECK(error(same) == "no error");
}

// sin(w t + phi) is as uncertain as its argument, however small it is itself and however small t; so is its rate.
TEST_CASE("sizes: the round-off of an argument counts as it reaches the value", "[expression]") {
  const Expression e = compile("2*sin(3*t + 1000)");
  const double rate = 1;
  for (const double t : {0.0, 0.1, 5.0}) {
    const double argument = 3 * t + 1000;
    const Expression::Sizes sizes = e.sizes(&t, &rate);
    // (The argument is what is added up, and is rounded itself.)
    const double value = 2 * std::abs(std::cos(argument)) * argument,
                 slope = 6 * std::abs(std::sin(argument)) * argument;
    CHECK(sizes.value >= value);
    CHECK(sizes.value <= 3 * value + 6);
    CHECK(sizes.rate >= slope);
    CHECK(sizes.rate <= 3 * slope + 24);
  }
}

// tests/oracle/formulas/formula.cpp
#include "formulas/formula.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace oracle {
namespace {

double rounded(Draw& draw, double lo, double hi) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3f", draw.uniform(lo, hi));
  return std::strtod(digits, nullptr);
}

Formula number(double x) { return {Op::number, x, 0, {}}; }
Formula variable(Draw& draw, int variables) { return {Op::variable, 0, draw.below(variables), {}}; }
Formula node(Op op, std::vector<Formula> parts) { return {op, 0, 0, std::move(parts)}; }

/// a + b v of a variable v: what conditions are made of at the leaves.
Formula line(Draw& draw, int variables) {
  return node(Op::plus, {number(rounded(draw, -1.5, 1.5)),
                         node(Op::times, {number(rounded(draw, -2, 2)), variable(draw, variables)})});
}

Formula condition(Draw& draw, int depth, int variables);

Formula wave(Draw& draw, int variables) {
  return node(Op::sin, {node(Op::times, {number(rounded(draw, 1, 25)), variable(draw, variables)})});
}

/// Narrow ones are deeper: of two with the same depth the far tails lie below each other's round-off, and which is
/// larger no double can tell.
Formula dip(double narrow, Formula line) {
  Formula f = node(Op::dip, {node(Op::times, {number(narrow), std::move(line)})});
  f.number = std::round(100 + 20 * narrow) / 1000;
  return f;
}

Formula bounded(Draw& draw, int depth, int variables) {
  if (depth <= 0) return draw.chance(0.3) ? number(rounded(draw, -2, 2)) : line(draw, variables);
  const auto inner = [&] { return bounded(draw, depth - 1, variables); };
  switch (draw.below(14)) {
    case 0:
      return node(Op::plus, {inner(), inner()});
    case 1:
      return node(Op::minus, {inner(), inner()});
    case 2:
      return node(Op::times, {number(rounded(draw, -1.5, 1.5)), inner()});
    case 3:
      return node(Op::sin, {inner()});
    case 4:
      return wave(draw, variables);
    case 5:
      return dip(rounded(draw, 1, 8), line(draw, variables));
    case 6:
      return node(Op::abs, {inner()});
    case 7:
      return node(draw.chance(0.5) ? Op::min : Op::max, {inner(), inner()});
    case 8:
      return node(Op::sign, {inner()});
    case 9: {
      const Op whole[] = {Op::floor, Op::ceil, Op::round};
      return node(whole[draw.below(3)], {inner()});
    }
    case 10:
      return node(Op::mod, {inner(), number(rounded(draw, 0.2, 2))});
    default:
      return node(Op::choice, {condition(draw, depth - 1, variables), inner(), inner()});
  }
}

Formula condition(Draw& draw, int depth, int variables) {
  if (depth > 0 && draw.chance(0.3))
    return node(draw.chance(0.5) ? Op::both : Op::either,
                {condition(draw, depth - 1, variables), condition(draw, depth - 1, variables)});
  if (depth > 0 && draw.chance(0.1)) return node(Op::negation, {condition(draw, depth - 1, variables)});
  const Op relations[] = {Op::less, Op::less_equal, Op::greater, Op::greater_equal};
  return node(relations[draw.below(4)],
              {bounded(draw, depth - 1, variables),
               draw.chance(0.5) ? number(rounded(draw, -1, 1)) : bounded(draw, depth - 1, variables)});
}

std::string digits(double x) {
  char out[40];
  std::snprintf(out, sizeof out, x < 0 ? "(%.3f)" : "%.3f", x);
  return out;
}

}  // namespace

Formula draw_formula(Draw& draw, int depth, int variables) { return bounded(draw, depth, variables); }

std::string text(const Formula& f, const std::vector<std::string>& names) {
  const auto part = [&](std::size_t i) { return text(f.parts[i], names); };
  const auto infix = [&](const char* word) { return "(" + part(0) + word + part(1) + ")"; };
  const auto call = [&](const char* word) {
    return word + ("(" + part(0)) + (f.parts.size() > 1 ? ", " + part(1) : "") + ")";
  };
  switch (f.op) {
    case Op::number:
      return digits(f.number);
    case Op::variable:
      return names[static_cast<std::size_t>(f.variable)];
    case Op::plus:
      return infix(" + ");
    case Op::minus:
      return infix(" - ");
    case Op::times:
      return infix("*");
    case Op::dip:
      return "(exp(-" + part(0) + "^2) - " + digits(f.number) + ")";
    case Op::choice:
      return "(" + part(0) + " ? " + part(1) + " : " + part(2) + ")";
    case Op::negation:
      return "(!" + part(0) + ")";
    case Op::both:
      return infix(" && ");
    case Op::either:
      return infix(" || ");
    case Op::less:
      return infix(" < ");
    case Op::less_equal:
      return infix(" <= ");
    case Op::greater:
      return infix(" > ");
    case Op::greater_equal:
      return infix(" >= ");
    case Op::sin:
      return call("sin");
    case Op::mod:
      return call("mod");
    case Op::floor:
      return call("floor");
    case Op::ceil:
      return call("ceil");
    case Op::round:
      return call("round");
    case Op::sign:
      return call("sign");
    case Op::abs:
      return call("abs");
    case Op::min:
      return call("min");
    case Op::max:
      return call("max");
  }
  return {};
}

}  // namespace oracle

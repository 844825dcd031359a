// src/model/expression_enclosure.cpp
//
// Bounds of a formula and of its rate of change over a box of its variables: interval arithmetic on value and rate.
#include <algorithm>
#include <array>
#include <cmath>

#include "mechanism/held_branch.hpp"
#include "model/expression_program.hpp"
#include "model/interval.hpp"

namespace hstar {
namespace {

/// Bounds of a register and of its rate.
struct Tube {
  Interval v, d;
};

Tube hull(const Tube& x, const Tube& y) { return {Interval::hull(x.v, y.v), Interval::hull(x.d, y.d)}; }

/// f(x) with slope f'(x); at rest whatever the slope is.
Tube chain(const Tube& x, const Interval& f, const Interval& slope) {
  return {f, x.d.lo == 0 && x.d.hi == 0 ? Interval(0) : slope * x.d};
}

Tube function(Op op, const Tube& x, double k) {
  const Interval& v = x.v;
  switch (op) {
    case Op::neg:
      return {-v, -x.d};
    case Op::square:
      return chain(x, square(v), Interval(2) * v);
    case Op::power_int:
      return chain(x, power(v, k), Interval(k) * power(v, k - 1));
    case Op::power_real: {
      if (v.lo < 0) return {};
      const auto f = [](double e) { return [e](double y) { return std::pow(y, e); }; };
      const auto to = [&](double e) { return e >= 0 ? rising(v, f(e)) : Interval(1) / rising(v, f(-e)); };
      return chain(x, to(k), Interval(k) * to(k - 1));
    }
    case Op::sin:
      return chain(x, sin(v), cos(v));
    case Op::cos:
      return chain(x, cos(v), -sin(v));
    case Op::tan: {
      const Interval c = cos(v);
      if (c.contains(0)) return {};
      const Interval f = sin(v) / c;
      return chain(x, f, Interval(1) + square(f));
    }
    case Op::asin:
    case Op::acos: {
      const Interval rest = Interval(1) - square(v);
      const Interval slope =
          rest.lo > 0 ? Interval(1) / rising(rest, [](double y) { return std::sqrt(y); }) : Interval();
      if (op == Op::asin) return chain(x, rising(v, [](double y) { return std::asin(y); }), slope);
      return chain(x, -rising(v, [](double y) { return -std::acos(y); }), -slope);
    }
    case Op::atan:
      return chain(x, rising(v, [](double y) { return std::atan(y); }), Interval(1) / (Interval(1) + square(v)));
    case Op::sinh:
    case Op::cosh: {
      const Interval s = rising(v, [](double y) { return std::sinh(y); });
      const Interval size{v.contains(0) ? 0.0 : std::min(std::abs(v.lo), std::abs(v.hi)), v.size()};
      const Interval c = rising(size, [](double y) { return std::cosh(y); });
      return op == Op::sinh ? chain(x, s, c) : chain(x, c, s);
    }
    case Op::tanh: {
      const Interval f = rising(v, [](double y) { return std::tanh(y); });
      return chain(x, f, Interval(1) - square(f));
    }
    case Op::exp: {
      const Interval f = rising(v, [](double y) { return std::exp(y); });
      return chain(x, f, f);
    }
    case Op::log:
    case Op::log10: {
      if (v.lo <= 0) return {};
      const bool natural = op == Op::log;
      const Interval f = rising(v, [natural](double y) { return natural ? std::log(y) : std::log10(y); });
      return chain(x, f, Interval(natural ? 1 : 1 / std::numbers::ln10) / v);
    }
    case Op::sqrt: {
      if (v.lo < 0) return {};
      const Interval f = rising(v, [](double y) { return std::sqrt(y); });
      return chain(x, f, Interval(0.5) / f);
    }
    case Op::logical_not:
      return {v.contains(0) ? Interval(v.lo == 0 && v.hi == 0 ? 1 : 0, 1) : Interval(0), 0};
    default:
      return {};
  }
}

/// It grows; within a piece, or beyond one end, its rate lies between those at both ends.
Tube position(const Curve& curve, const Tube& x) {
  const Interval v = rising(x.v, [&](double at) { return curve.position(at); });
  auto [slow, fast] = std::minmax({curve.position_rate(x.v.lo), curve.position_rate(x.v.hi)});
  if (std::floor(v.lo) != std::floor(v.hi)) {
    slow = std::min(slow, curve.slowest());
    fast = std::max(fast, curve.fastest());
  }
  return chain(x, v, Interval(slow, fast));
}

Tube piece(const Curve::Polynomial& p, const Tube& x) {
  const Tube u{x.v - Interval(p.from), x.d};
  const auto value = [&](double a, double b, double c, double d) {
    return Interval(a) + u.v * (Interval(b) + u.v * (Interval(c) + u.v * Interval(d)));
  };
  return chain(u, value(p.c[0], p.c[1], p.c[2], p.c[3]), value(p.c[1], 2 * p.c[2], 3 * p.c[3], 0));
}

Tube over(const Tube& x, const Tube& y) {
  const Interval q = x.v / y.v;
  return {q, (x.d - q * y.d) / y.v};
}

/// x^y of x > 0, monotonic in each of both: its least and its largest value are in corners.
Tube power_of(const Tube& x, const Tube& y) {
  if (!(x.v.lo > 0) || !x.v.bounded() || !y.v.bounded()) return {};
  const auto [lo, hi] = std::minmax(
      {std::pow(x.v.lo, y.v.lo), std::pow(x.v.lo, y.v.hi), std::pow(x.v.hi, y.v.lo), std::pow(x.v.hi, y.v.hi)});
  const Interval f = Interval::outwards(lo, hi), log = rising(x.v, [](double v) { return std::log(v); });
  return {f, f * (y.d * log + y.v * x.d / x.v)};
}

/// atan2(y, x): what does not meet its cut has its least and its largest angle in corners.
Tube angle(const Tube& y, const Tube& x) {
  if (x.v.lo <= 0 && y.v.contains(0)) return {};
  const auto [lo, hi] = std::minmax(
      {std::atan2(y.v.lo, x.v.lo), std::atan2(y.v.lo, x.v.hi), std::atan2(y.v.hi, x.v.lo), std::atan2(y.v.hi, x.v.hi)});
  return {Interval::outwards(lo, hi), (x.v * y.d - y.v * x.d) / (square(x.v) + square(y.v))};
}

/// on_side() of a divisor.
Tube on_side(const Tube& y, double branch) {
  const Interval v{hstar::on_side(y.v.lo, branch), hstar::on_side(y.v.hi, branch)};
  return {v, v.lo == y.v.lo && v.hi == y.v.hi ? y.d : Interval::hull(y.d, 0)};
}

/// Of x - y, or of one of them alone.
Tube condition_of(const Instruction& in, const Tube* r) {
  if (in.op == Op::quotient) return r[in.b];
  if (operand_count(in.op) < 2) return r[in.a];
  return {r[in.a].v - r[in.b].v, r[in.a].d - r[in.b].d};
}

/// A switch on one side of its condition.
Tube side(const Instruction& in, const Tube* r, double branch) {
  const Tube& x = r[in.a];
  if (in.op == Op::quotient) return over(x, on_side(r[in.b], branch));
  if (in.op == Op::abs) return branch < 0 ? Tube{-x.v, -x.d} : x;
  if (in.op == Op::min || in.op == Op::max) return (branch < 0) == (in.op == Op::min) ? x : r[in.b];
  return {on_branch(in.op, 0, 0, branch), 0};
}

/// A switch whose branch is not given: what its condition allows. Where it may jump there is no bound of the rate.
Tube open_switch(const Instruction& in, const Tube* r) {
  if (in.op == Op::quotient) return over(r[in.a], r[in.b]);
  const Interval condition = condition_of(in, r).v;
  if (in.op == Op::floor) {
    const double lo = std::floor(condition.lo), hi = std::floor(condition.hi);
    return {Interval(lo, hi), lo == hi ? Interval(0) : Interval()};
  }
  if (condition.lo > 0) return side(in, r, 1);
  if (condition.hi < 0) return side(in, r, -1);
  Tube both = hull(side(in, r, -1), side(in, r, 1));
  const bool jumps = in.op != Op::abs && in.op != Op::min && in.op != Op::max;
  if (jumps) both = {Interval::hull(both.v, Interval(on_branch(in.op, 0, 0, 0))), Interval()};
  return both;
}

/// At the variables named by the box, operations 0 to n - 1.
void sweep(const std::vector<Instruction>& code, std::size_t n, const Expression::Bounds* vars,
           const Expression::Bounds* rates, const double* branches, Tube* r) {
  for (std::size_t i = 0; i < n; ++i) {
    const Instruction& in = code[i];
    const Tube &x = r[in.a], &y = r[in.b];
    const int which = switch_of(in);
    switch (in.op) {
      case Op::constant:
        r[i] = {in.k, 0};
        continue;
      case Op::variable:
        r[i] = {Interval(vars[in.a]), Interval(rates[in.a])};
        continue;
      case Op::add:
        r[i] = {x.v + y.v, x.d + y.d};
        continue;
      case Op::sub:
        r[i] = {x.v - y.v, x.d - y.d};
        continue;
      case Op::mul:
        r[i] = {x.v * y.v, x.d * y.v + x.v * y.d};
        continue;
      case Op::div:
        r[i] = over(x, y);
        continue;
      case Op::select: {
        const Tube& condition = x;
        if (!condition.v.contains(0))
          r[i] = y;
        else if (condition.v.lo == 0 && condition.v.hi == 0)
          r[i] = r[in.c];
        else
          r[i] = {Interval::hull(y.v, r[in.c].v), Interval()};
        continue;
      }
      case Op::logical_and:
      case Op::logical_or: {
        const auto truth = [](const Interval& v) { return v.contains(0) ? (v.lo == 0 && v.hi == 0 ? 0 : 2) : 1; };
        const int a = truth(x.v), b = truth(y.v), decides = in.op == Op::logical_and ? 0 : 1;
        if (a == decides || b == decides)
          r[i] = {Interval(decides), 0};
        else
          r[i] = a == 2 || b == 2 ? Tube{Interval(0, 1), Interval()} : Tube{Interval(1 - decides), 0};
        continue;
      }
      case Op::position:
        r[i] = position(*in.curve, x);
        continue;
      case Op::piece:
        r[i] = y.v.lo == y.v.hi ? piece(in.curve->polynomial(y.v.lo), x) : Tube{};
        continue;
      case Op::atan2:
        r[i] = angle(x, y);
        continue;
      case Op::power:
        r[i] = power_of(x, y);
        continue;
      default:
        break;
    }
    if (!can_switch(in.op))
      r[i] = function(in.op, x, in.k);
    else if (which < 0 || branches == nullptr || (in.op != Op::floor && is_held_branch(branches[which])))
      r[i] = open_switch(in, r);
    else
      r[i] = in.op == Op::floor ? Tube{branches[which], 0} : side(in, r, branches[which]);
  }
}

/// `at`(rates) is a formula and its rate. Where that has no sign, its rate is found once more, as slope by slope times
/// rate: what one variable does in several places (tanh(y) - y) cancels in its slope, not in bounds of its rates. (Of
/// rates that are numbers the first bounds are as good.)
template <class At>
Expression::Enclosure with_slopes(std::size_t variables, const Expression::Bounds* rates, At at) {
  Tube all = at(rates);
  const bool has_bounds = std::any_of(rates, rates + variables, [](const auto& r) { return r.lo < r.hi; });
  if (!has_bounds || !all.d.bounded() || all.d.lo > 0 || all.d.hi < 0) return {all.v, all.d};
  std::array<Expression::Bounds, Expression::Program::max_registers> only;
  std::fill_n(only.begin(), variables, Expression::Bounds{0, 0});
  Interval by_slopes = 0;
  for (std::size_t i = 0; i < variables; ++i) {
    if (rates[i].lo == 0 && rates[i].hi == 0) continue;
    only[i] = {1, 1};
    by_slopes = by_slopes + at(only.data()).d * Interval(rates[i]);
    only[i] = {0, 0};
  }
  return {all.v, {std::max(all.d.lo, by_slopes.lo), std::min(all.d.hi, by_slopes.hi)}};
}

}  // namespace

Expression::Enclosure Expression::enclose(const Bounds* vars, const Bounds* rates, const double* branches) const {
  if (!program_) return {{0, 0}, {0, 0}};
  const std::vector<Instruction>& code = program_->code;
  Tube r[Program::max_registers];
  return with_slopes(program_->variables.size(), rates, [&](const Bounds* moving) {
    sweep(code, code.size(), vars, moving, branches && first_switch_ >= 0 ? branches + first_switch_ : nullptr, r);
    return r[code.size() - 1];
  });
}

Expression::Enclosure Expression::enclose_condition(int which, const Bounds* vars, const Bounds* rates,
                                                    const double* branches) const {
  const std::size_t at = program_->switches[which];
  Tube r[Program::max_registers];
  return with_slopes(program_->variables.size(), rates, [&](const Bounds* moving) {
    sweep(program_->code, at, vars, moving, branches ? branches + first_switch_ : nullptr, r);
    return condition_of(program_->code[at], r);
  });
}

}  // namespace hstar

// src/model/expression_slopes.cpp
//
// Derivatives of formulas: the gradient (reverse sweep), and two derivatives along
// time (second-order Taylor arithmetic). At a kink (abs, min, max) the derivative is that of the
// branch that is active: for the gradient the branch the value is taken from, along time the branch
// that is active just after. Comparisons, sign and floor have derivative 0. On fixed
// branches the branch is the given one.
#include <algorithm>
#include <cmath>

#include "model/expression_sweep.hpp"

namespace hstar {
namespace {

/// First and second derivative of a function of one variable at x, where it has the value f.
struct Slopes {
  double first, second;
};

Slopes slopes(Op op, double x, double f, double k) noexcept {
  switch (op) {
    case Op::neg:
      return {-1.0, 0.0};
    case Op::square:
      return {2.0 * x, 2.0};
    case Op::power_int:
      return {k * integer_power(x, k - 1.0), k * (k - 1.0) * integer_power(x, k - 2.0)};
    case Op::power_real:
      return {k * std::pow(x, k - 1.0), k * (k - 1.0) * std::pow(x, k - 2.0)};
    case Op::sin:
      return {std::cos(x), -f};
    case Op::cos:
      return {-std::sin(x), -f};
    case Op::tan:
      return {1.0 + f * f, 2.0 * f * (1.0 + f * f)};
    case Op::asin: {
      const double r = 1.0 / std::sqrt((1.0 - x) * (1.0 + x));
      return {r, x * r * r * r};
    }
    case Op::acos: {
      const double r = 1.0 / std::sqrt((1.0 - x) * (1.0 + x));
      return {-r, -x * r * r * r};
    }
    case Op::atan: {
      const double r = 1.0 / (1.0 + x * x);
      return {r, -2.0 * x * r * r};
    }
    case Op::sinh:
      return {std::cosh(x), f};
    case Op::cosh:
      return {std::sinh(x), f};
    case Op::tanh: {
      const double c = 1.0 / std::cosh(x);  // 1 - f^2 cancels for large |x|
      return {c * c, -2.0 * f * c * c};
    }
    case Op::exp:
      return {f, f};
    case Op::log:
      return {1.0 / x, -1.0 / (x * x)};
    case Op::log10: {
      constexpr double ln10 = 2.302585092994045684;
      return {1.0 / (x * ln10), -1.0 / (x * x * ln10)};
    }
    case Op::sqrt:
      return {0.5 / f, -0.25 / (f * x)};
    case Op::abs:
      return {x < 0 ? -1.0 : 1.0, 0.0};
    default:
      return {0.0, 0.0};  // comparisons, sign, floor, !
  }
}

/// Partial derivatives of pow(x, y) = f and atan2(x, y).
struct Partials {
  double x, y, xx, xy, yy;
};

Partials power_partials(double x, double y, double f) noexcept {
  const double lg = x > 0 ? std::log(x) : (x == 0 && y > 0 ? 0.0 : std::log(x));
  const double p1 = std::pow(x, y - 1.0);
  return {y * p1, f * lg, y * (y - 1.0) * std::pow(x, y - 2.0), p1 * (1.0 + y * lg), f * lg * lg};
}

Partials atan2_partials(double x, double y) noexcept {  // atan2(x, y): angle of the point (y, x)
  const double r2 = x * x + y * y, r4 = r2 * r2;
  return {y / r2, -x / r2, -2.0 * x * y / r4, (x * x - y * y) / r4, 2.0 * x * y / r4};
}

/// Value and two time derivatives of one register.
struct Taylor {
  double v, d, dd;
};

/// -1, 0, +1: where a quantity that is zero now goes just after.
double sign_after(const Taylor& a) noexcept {
  return a.v != 0 ? sign_of(a.v) : a.d != 0 ? sign_of(a.d) : sign_of(a.dd);
}

Taylor chain(const Taylor& x, double f, const Slopes& s) noexcept {
  if (x.d == 0 && x.dd == 0) return {f, 0.0, 0.0};  // at rest, even where the slope is infinite
  return {f, s.first * x.d, s.second * x.d * x.d + s.first * x.dd};
}

Taylor chain(const Taylor& x, const Taylor& y, double f, const Partials& p) noexcept {
  Taylor r{f, 0.0, 0.0};
  const bool x_moves = x.d != 0 || x.dd != 0, y_moves = y.d != 0 || y.dd != 0;
  if (x_moves) {
    r.d += p.x * x.d;
    r.dd += p.xx * x.d * x.d + p.x * x.dd;
  }
  if (y_moves) {
    r.d += p.y * y.d;
    r.dd += p.yy * y.d * y.d + p.y * y.dd;
  }
  if (x_moves && y_moves) r.dd += 2.0 * p.xy * x.d * y.d;
  return r;
}

Taylor over(const Taylor& x, const Taylor& y) noexcept {
  const double q = x.v / y.v, dq = (x.d - q * y.d) / y.v;
  return {q, dq, (x.dd - 2.0 * dq * y.d - q * y.dd) / y.v};
}

Taylor advance_on_branch(const Instruction& in, const Taylor& x, const Taylor& y, double branch) noexcept {
  switch (in.op) {
    case Op::abs:
      return branch < 0 ? Taylor{-x.v, -x.d, -x.dd} : x;
    case Op::min:
      return branch <= 0 ? x : y;
    case Op::max:
      return branch >= 0 ? x : y;
    case Op::quotient:
      return over(x, {on_side(y.v, branch), y.d, y.dd});
    default:
      return {on_branch(in.op, x.v, y.v, branch), 0.0, 0.0};
  }
}

Taylor advance(const Instruction& in, const Taylor* r) noexcept {
  const Taylor &x = r[in.a], &y = r[in.b];
  switch (in.op) {
    case Op::add:
      return {x.v + y.v, x.d + y.d, x.dd + y.dd};
    case Op::sub:
      return {x.v - y.v, x.d - y.d, x.dd - y.dd};
    case Op::mul:
      return {x.v * y.v, x.d * y.v + x.v * y.d, x.dd * y.v + 2.0 * x.d * y.d + x.v * y.dd};
    case Op::div:
    case Op::quotient:
      return over(x, y);
    case Op::select:
      return x.v != 0 ? y : r[in.c];
    case Op::min:
      return sign_after({x.v - y.v, x.d - y.d, x.dd - y.dd}) <= 0 ? x : y;
    case Op::max:
      return sign_after({x.v - y.v, x.d - y.d, x.dd - y.dd}) >= 0 ? x : y;
    case Op::abs:
      return sign_after(x) < 0 ? Taylor{-x.v, -x.d, -x.dd} : x;
    case Op::position:
      return chain(x, in.curve->position(x.v), {in.curve->position_rate(x.v), 0.0});
    case Op::piece:
      return chain(x, in.curve->value(x.v, y.v), {in.curve->value(x.v, y.v, 1), in.curve->value(x.v, y.v, 2)});
    case Op::power: {
      const double f = std::pow(x.v, y.v);
      return chain(x, y, f, power_partials(x.v, y.v, f));
    }
    case Op::atan2:
      return chain(x, y, std::atan2(x.v, y.v), atan2_partials(x.v, y.v));
    default: {
      const double f = apply(in.op, x.v, y.v, r[in.c].v, in.k);
      return chain(x, f, slopes(in.op, x.v, f, in.k));
    }
  }
}

/// Of one operation: first and second derivatives by its operands at their values.
Partials partials(const Instruction& in, const double (&at)[3], const double* branch) noexcept {
  const auto along = [&](double x, double y) {
    const Taylor r[3] = {{at[0], x, 0.0}, {at[1], y, 0.0}, {at[2], 0.0, 0.0}};
    Instruction alone = in;
    alone.a = 0, alone.b = 1, alone.c = 2;
    return branch != nullptr ? advance_on_branch(alone, r[0], r[1], *branch) : advance(alone, r);
  };
  const bool two = operand_count(in.op) > 1;
  const Taylor x = along(1, 0), y = two ? along(0, 1) : Taylor{}, both = two ? along(1, 1) : x;
  return {x.d, y.d, x.dd, 0.5 * (both.dd - x.dd - y.dd), y.dd};
}

/// The value and its slopes; on branches of which none is held, or without branches.
double slopes(const Expression::Program& program, const double* vars, double* gradient,
              const double* branches) noexcept {
  const std::vector<Instruction>& code = program.code;
  double r[Expression::Program::max_registers];
  double w[Expression::Program::max_registers];  // d value / d register
  const double value =
      branches == nullptr ? sweep(code, vars, r) : sweep_on_branches(code, code.size(), vars, branches, r);
  for (std::size_t k = 0; k < program.variables.size(); ++k) gradient[k] = 0.0;
  const std::size_t n = code.size();
  for (std::size_t i = 0; i + 1 < n; ++i) w[i] = 0.0;
  w[n - 1] = 1.0;
  for (std::size_t i = n; i-- > 0;) {
    const double g = w[i];
    if (g == 0.0) continue;  // also keeps NaN of branches not taken out of the result
    const Instruction& in = code[i];
    const double x = r[in.a], y = r[in.b];
    const int which = branches == nullptr ? -1 : switch_of(in);
    if (which >= 0) {
      if (in.op == Op::abs) w[in.a] += branches[which] < 0 ? -g : g;
      if (in.op == Op::min) w[branches[which] <= 0 ? in.a : in.b] += g;
      if (in.op == Op::max) w[branches[which] >= 0 ? in.a : in.b] += g;
      if (in.op == Op::quotient) {
        const double divisor = on_side(y, branches[which]);
        w[in.a] += g / divisor, w[in.b] -= g * r[i] / divisor;
      }
      continue;
    }
    switch (in.op) {
      case Op::constant:
        break;
      case Op::variable:
        gradient[in.a] += g;
        break;
      case Op::add:
        w[in.a] += g, w[in.b] += g;
        break;
      case Op::sub:
        w[in.a] += g, w[in.b] -= g;
        break;
      case Op::mul:
        w[in.a] += g * y, w[in.b] += g * x;
        break;
      case Op::div:
      case Op::quotient:
        w[in.a] += g / y, w[in.b] -= g * r[i] / y;
        break;
      case Op::select:
        w[x != 0 ? in.b : in.c] += g;
        break;
      case Op::min:
        w[x <= y ? in.a : in.b] += g;
        break;
      case Op::max:
        w[x >= y ? in.a : in.b] += g;
        break;
      case Op::position:
        w[in.a] += g * in.curve->position_rate(x);
        break;
      case Op::piece:
        w[in.a] += g * in.curve->value(x, y, 1);
        break;
      case Op::power: {
        const Partials p = power_partials(x, y, r[i]);
        w[in.a] += g * p.x, w[in.b] += g * p.y;
        break;
      }
      case Op::atan2: {
        const Partials p = atan2_partials(x, y);
        w[in.a] += g * p.x, w[in.b] += g * p.y;
        break;
      }
      default: {
        const double s = slopes(in.op, x, r[i], in.k).first;
        if (s != 0.0) w[in.a] += g * s;
      }
    }
  }
  return value;
}

}  // namespace

double Expression::gradient(const double* vars, double* gradient, const double* branches) const noexcept {
  if (!program_) return 0.0;
  if (branches == nullptr || first_switch_ < 0) return slopes(*program_, vars, gradient, nullptr);
  branches += first_switch_;
  const double* held = find_held(*program_, branches);
  if (held == nullptr) return slopes(*program_, vars, gradient, branches);
  // Its share is taken as a constant.
  double taken[Program::max_registers], slope[Program::max_registers], value = 0;
  std::fill_n(gradient, program_->variables.size(), 0.0);
  for (const bool other : {false, true}) {
    take_side(*program_, vars, branches, other, taken);
    const double share = other ? 1 - share_of(*held) : share_of(*held);
    value += share * slopes(*program_, vars, slope, taken);
    for (std::size_t k = 0; k < program_->variables.size(); ++k) gradient[k] += share * slope[k];
  }
  return value;
}

Expression::Jet Expression::jet(const double* vars, const double* rates, const double* accelerations,
                                const double* branches) const noexcept {
  if (!program_) return {0.0, 0.0, 0.0};
  if (first_switch_ < 0) branches = nullptr;
  if (branches != nullptr) branches += first_switch_;
  const std::vector<Instruction>& code = program_->code;
  Taylor r[Program::max_registers];
  const std::size_t n = code.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Instruction& in = code[i];
    if (in.op == Op::constant) {
      r[i] = {in.k, 0.0, 0.0};
    } else if (in.op == Op::variable) {
      r[i] = {vars[in.a], rates[in.a], accelerations[in.a]};
    } else if (const int which = branches == nullptr ? -1 : switch_of(in); which >= 0) {
      r[i] = advance_on_branch(in, r[in.a], r[in.b], branches[which]);
    } else {
      r[i] = advance(in, r);
    }
  }
  return {r[n - 1].v, r[n - 1].d, r[n - 1].dd};
}

Expression::Sizes Expression::sizes(const double* vars, const double* rates, const double* branches) const noexcept {
  if (!program_) return {0.0, 0.0};
  if (first_switch_ < 0) branches = nullptr;
  if (branches != nullptr) branches += first_switch_;
  const std::vector<Instruction>& code = program_->code;
  Taylor r[Program::max_registers];
  Sizes size[Program::max_registers];
  const std::size_t n = code.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Instruction& in = code[i];
    if (in.op == Op::constant) {
      r[i] = {in.k, 0.0, 0.0};
      size[i] = {std::abs(in.k), 0.0};
      continue;
    }
    if (in.op == Op::variable) {
      r[i] = {vars[in.a], rates[in.a], 0.0};
      size[i] = {std::abs(vars[in.a]), 0.0};
      continue;
    }
    const int which = branches == nullptr ? -1 : switch_of(in);
    const double* branch = which >= 0 ? branches + which : nullptr;
    r[i] = branch != nullptr ? advance_on_branch(in, r[in.a], r[in.b], *branch) : advance(in, r);
    if (in.op == Op::select) {
      size[i] = r[in.a].v != 0 ? size[in.b] : size[in.c];
      continue;
    }
    const Partials p = partials(in, {r[in.a].v, r[in.b].v, r[in.c].v}, branch);
    const Sizes &x = size[in.a], &y = size[in.b];
    const double dx = r[in.a].d, dy = r[in.b].d;
    // (What is at rest is so whatever the slope is.)
    const auto part = [](double slope, double of) { return of == 0 ? 0.0 : std::abs(slope) * of; };
    size[i].value = std::abs(r[i].v) + part(p.x, x.value) + part(p.y, y.value);
    size[i].rate = std::abs(r[i].d) + part(p.x, x.rate) + part(p.y, y.rate) + part(p.xx * dx + p.xy * dy, x.value) +
                   part(p.xy * dx + p.yy * dy, y.value);
  }
  return size[n - 1];
}

}  // namespace hstar

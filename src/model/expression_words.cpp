// src/model/expression_words.cpp
#include "model/expression_words.hpp"

#include <cmath>
#include <numbers>

namespace hstar {
namespace {

constexpr FunctionEntry functions[] = {
    {"sin", Op::sin, 1},     {"cos", Op::cos, 1},   {"tan", Op::tan, 1},     {"asin", Op::asin, 1},
    {"acos", Op::acos, 1},   {"atan", Op::atan, 1}, {"atan2", Op::atan2, 2}, {"sinh", Op::sinh, 1},
    {"cosh", Op::cosh, 1},   {"tanh", Op::tanh, 1}, {"exp", Op::exp, 1},     {"log", Op::log, 1},
    {"log10", Op::log10, 1}, {"sqrt", Op::sqrt, 1}, {"abs", Op::abs, 1},     {"sign", Op::sign, 1},
    {"min", Op::min, 2},     {"max", Op::max, 2},   {"pow", Op::power, 2},   {"floor", Op::floor, 1}};

constexpr WrittenEntry written_functions[] = {
    {"ceil", Written::ceil, 1},       {"round", Written::round, 1},       {"mod", Written::mod, 2},
    {"noevent", Written::noevent, 1}, {"smooth", Written::smooth, 1},     {"clamp", Written::clamp, 3, true},
    {"step", Written::step, 2, true}, {"pulse", Written::pulse, 3, true}, {"ramp", Written::ramp, 3, true}};

struct UnitEntry {
  const char* name;
  double value;
};
constexpr UnitEntry units[] = {
    {"mm", 1e-3}, {"ms", 1e-3}, {"deg", std::numbers::pi / 180}, {"rpm", std::numbers::pi / 30}};

/// Of clamp, pulse and ramp, if both limits are known.
Node with_limits(ExpressionOperations& o, Node node, std::size_t token, Node lo, Node hi, bool may_be_equal) {
  if (!o.is_constant(lo) || !o.is_constant(hi)) return node;
  const double a = o.value_of(lo), b = o.value_of(hi);
  if (a < b || (may_be_equal && a == b)) return node;
  return o.refuse(node, token,
                  fmt::format("the limits of \"{}\" are {} and {}; the first must be {}", o.text().symbol(token), a, b,
                              may_be_equal ? "no more than the second" : "less than the second"));
}

}  // namespace

const WrittenEntry* find_written(std::string_view name) {
  for (const WrittenEntry& f : written_functions)
    if (name == f.name) return &f;
  return nullptr;
}

const FunctionEntry* find_function(std::string_view name) {
  for (const FunctionEntry& f : functions)
    if (name == f.name) return &f;
  return nullptr;
}

std::optional<double> find_unit(std::string_view name) {
  for (const UnitEntry& unit : units)
    if (name == unit.name) return unit.value;
  return std::nullopt;
}

std::vector<std::string> Expression::function_names() {
  std::vector<std::string> names;
  for (const FunctionEntry& f : functions) names.emplace_back(f.name);
  for (const WrittenEntry& f : written_functions) names.emplace_back(f.name);
  return names;
}

/// own.
Node emit_angle(ExpressionOperations& o, std::size_t token, Node y, Node x) {
  const auto turned = [&](double by, Node sine, Node cosine) {
    return o.emit(Op::add, token, o.constant(by, token), o.emit(Op::atan2, token, sine, cosine));
  };
  const Node ahead = o.emit(Op::greater_equal, token, x, o.constant(0, token));
  const Node plain = o.emit(Op::atan2, token, y, x);
  if (o.is(ahead, 1) || o.is_constant(plain)) return plain;
  const Node left = turned(std::numbers::pi / 2, o.emit(Op::neg, token, x), y);
  const Node right = turned(-std::numbers::pi / 2, x, o.emit(Op::neg, token, y));
  const Node above = o.emit(Op::greater_equal, token, y, o.constant(0, token));
  const Node behind =
      o.is_constant(above) ? (o.is(above, 1) ? left : right) : o.emit(Op::select, token, above, left, right);
  return o.is_constant(ahead) ? behind : o.emit(Op::select, token, ahead, plain, behind);
}

Node emit_written(ExpressionOperations& o, Written what, std::size_t token, const std::vector<Node>& x) {
  const auto floor_of = [&](Node n) { return o.emit(Op::floor, token, n); };
  switch (what) {
    case Written::ceil:  // -floor(-x)
      return o.emit(Op::neg, token, floor_of(o.emit(Op::neg, token, x[0])));
    case Written::round:  // halves upwards
      return floor_of(o.emit(Op::add, token, x[0], o.constant(0.5, token)));
    case Written::mod:  // x - y floor(x/y): of the sign of y
      return o.emit(Op::sub, token, x[0], o.emit(Op::mul, token, x[1], floor_of(o.emit(Op::div, token, x[0], x[1]))));
    case Written::clamp:
      return with_limits(o, o.emit(Op::min, token, o.emit(Op::max, token, x[0], x[1]), x[2]), token, x[1], x[2], true);
    case Written::step:
      return o.emit(Op::greater_equal, token, x[0], x[1]);
    case Written::pulse:
      return with_limits(o,
                         o.emit(Op::logical_and, token, o.emit(Op::greater_equal, token, x[0], x[1]),
                                o.emit(Op::less, token, x[0], x[2])),
                         token, x[1], x[2], true);
    case Written::ramp: {
      const Node share = o.emit(Op::div, token, o.emit(Op::sub, token, x[0], x[1]), o.emit(Op::sub, token, x[2], x[1]));
      return with_limits(
          o, o.emit(Op::min, token, o.emit(Op::max, token, share, o.constant(0, token)), o.constant(1, token)), token,
          x[1], x[2], false);
    }
    case Written::noevent:
    case Written::smooth:
      break;
  }
  return x[0];
}

Node emit_curve(ExpressionOperations& o, const Curve& curve, std::string_view word, std::size_t token, Node x) {
  if (o.is_constant(x)) {
    const double at = o.value_of(x), y = curve.value(at, std::floor(curve.position(at)));
    if (std::isnan(y)) o.text().fail(token, fmt::format("{} is beyond the table \"{}\"", at, word));
    return o.constant(y, token);
  }
  const Node position = o.append({Op::position, x, 0, 0, 0.0, &curve}, token);
  return o.append({Op::piece, x, o.emit(Op::floor, token, position), 0, 0.0, &curve}, token);
}

Node emit_truth(ExpressionOperations& o, Node x, std::size_t token) {
  const Op op = o.operation(x).op;
  const bool is_truth = (op >= Op::less && op <= Op::not_equal) || (op >= Op::logical_and && op <= Op::logical_not);
  return is_truth || o.is_constant(x) ? x : o.emit(Op::not_equal, token, x, o.constant(0.0, token));
}

}  // namespace hstar

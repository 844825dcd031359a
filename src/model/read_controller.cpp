// src/model/read_controller.cpp
//
// A sampled controller is states and a periodic guard: what stands in the model file is written out as these.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "model/reader.hpp"

namespace hstar::model {
namespace {

std::string number(double x) { return fmt::format("({:.17g})", x); }

/// Formulas of what a sample makes of the values just before it.
struct Sample {
  std::string output, integral, error;
};

/// u = K_p e + I + K_d (e - e_before)/T, the derivative from the second sample on; I is not added to while the output
/// stands at a limit towards which it would go (conditional integration).
Sample pid_sample(const Fields& fields, const std::string& name, const std::optional<Vec2>& limits) {
  const double kp = fields.number("kp"), ki = fields.number("ki"), kd = fields.number("kd"),
               period = fields.number("every");
  Sample s;
  s.error = fmt::format("(({}) - ({}))", fields.formula("setpoint").text(), fields.formula("measurement").text());
  const std::string added = number(ki * period) + "*" + s.error;
  std::string rest = number(kp) + "*" + s.error;
  if (kd != 0)
    rest += fmt::format(" + ({0}_samples > 0 ? {1}*({2} - {0}_error) : 0)", name, number(kd / period), s.error);
  s.integral = fmt::format("({}_integral + {})", name, added);
  s.output = fmt::format("({} + {})", rest, s.integral);
  if (limits) {
    const std::string lo = number((*limits)[0]), hi = number((*limits)[1]);
    s.integral = fmt::format("(({0} > {1} && {2} > 0) || ({0} < {3} && {2} < 0) ? {4}_integral : {5})", s.output, hi,
                             added, lo, name, s.integral);
    s.output = fmt::format("clamp({} + {}, {}, {})", rest, s.integral, lo, hi);
  }
  return s;
}

}  // namespace

void Reader::controller(const Value& table, std::size_t count) {
  const std::string owner = owner_of("controller", table, count);
  Fields fields(context_, section("controller"), table, owner);
  if (!fields.has("type")) fields.missing("type");
  fields.check_for(fields.word("type"));
  const std::string name = fields.name(NameUse::state);
  if (context_.is_parameter(name))
    fields.fail_plainly("name", fmt::format("the name \"{}\" is taken by a parameter; choose another", name));
  claim("element", name, fields.where("name"), owner);
  std::optional<Vec2> limits;
  if (fields.has("limits")) limits = fields.pair("limits");
  if (limits && !((*limits)[0] < (*limits)[1])) fields.fail("limits", "must be [lo, hi] with lo < hi");
  const double initial = fields.number("initial");
  if (limits && !(initial >= (*limits)[0] && initial <= (*limits)[1]))
    fields.fail_plainly("initial", fmt::format("initial = {} is outside of limits = [{}, {}]; give an output that they "
                                               "allow",
                                               initial, (*limits)[0], (*limits)[1]));
  const Sample sample = pid_sample(fields, name, limits);
  const auto state = [&](const std::string& called, double start) {
    claim("plain", called, fields.where("name"), owner);
    spec_.states.push_back({called, table.where, start, Expression::constant(0)});
  };
  GuardSpec guard;
  guard.name = name;
  guard.where = table.where;
  guard.kind = "sample";
  guard.times = ticks(fields, spec_.simulation);
  const auto keeps = [&](const std::string& suffix, double start, const std::string& formula) {
    state(name + suffix, start);
    Value text;
    text.kind = Value::Kind::text;
    text.where = table.where;
    text.text = formula;
    guard.reset.emplace_back(name + suffix, context_.compile(text, owner));
  };
  keeps("", initial, sample.output);
  keeps("_integral", 0, sample.integral);
  keeps("_error", 0, sample.error);
  keeps("_samples", 0, name + "_samples + 1");
  spec_.guards.push_back(std::move(guard));
}

}  // namespace hstar::model

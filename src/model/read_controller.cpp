// src/model/read_controller.cpp
//
// A sampled controller is states and a periodic guard, a continuous one states and a name for its output: what stands
// in the model file is written out as these.
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

/// u = K_p e + I + K_d (e - e_f)/T_f between its limits; e_f' = (e - e_f)/T_f; I' = K_i e + (u - u without limits)/T_t.
struct Continuous {
  std::string output, integral_rate, filtered_rate;
};

Continuous continuous_pid(const Fields& fields, const std::string& name, const std::optional<Vec2>& limits) {
  const double kp = fields.number("kp"), ki = fields.number("ki"), kd = fields.number("kd");
  for (const char* key : {"from", "until"})
    if (fields.has(key)) fields.fail_plainly(key, fmt::format("{} goes with every; remove it", key));
  if (kd != 0 && !fields.has("filter")) fields.missing("filter");
  if (kd == 0 && fields.has("filter")) fields.fail_plainly("filter", "filter goes with kd; remove it");
  const std::string error =
      fmt::format("(({}) - ({}))", fields.formula("setpoint").text(), fields.formula("measurement").text());
  Continuous c;
  c.output = fmt::format("({}*{} + {}_integral)", number(kp), error, name);
  c.integral_rate = fmt::format("{}*{}", number(ki), error);
  if (kd != 0) {
    const std::string filter = number(fields.number("filter"));
    c.filtered_rate = fmt::format("({} - {}_filtered)/{}", error, name, filter);
    c.output = fmt::format("({} + {}*{})", c.output, number(kd), c.filtered_rate);
  }
  if (!limits || ki == 0) {
    if (fields.has("tracking")) fields.fail_plainly("tracking", "tracking goes with ki and limits; remove it");
  } else {
    if (!fields.has("tracking") && !(kp / ki > 0)) fields.missing("tracking");
    const double tracking = fields.maybe_number("tracking").value_or(kp / ki);
    c.integral_rate += fmt::format(" + (clamp({0}, {1}, {2}) - {0})/{3}", c.output, number((*limits)[0]),
                                   number((*limits)[1]), number(tracking));
  }
  if (limits) c.output = fmt::format("clamp({}, {}, {})", c.output, number((*limits)[0]), number((*limits)[1]));
  return c;
}

std::optional<Vec2> limits_of(const Fields& fields) {
  if (!fields.has("limits")) return std::nullopt;
  const Vec2 limits = fields.pair("limits");
  if (!(limits[0] < limits[1])) fields.fail("limits", "must be [lo, hi] with lo < hi");
  return limits;
}

Value text_value(const std::string& formula, const Location& where) {
  Value text;
  text.kind = Value::Kind::text;
  text.where = where;
  text.text = formula;
  return text;
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
  const std::optional<Vec2> limits = limits_of(fields);
  if (!fields.has("every")) return continuous_controller(fields, name, owner);
  for (const char* key : {"filter", "tracking"})
    if (fields.has(key))
      fields.fail_plainly(key, fmt::format("{} is of a continuous controller; remove it or every", key));
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
    guard.reset.emplace_back(name + suffix, context_.compile(text_value(formula, table.where), owner));
  };
  keeps("", initial, sample.output);
  keeps("_integral", 0, sample.integral);
  keeps("_error", 0, sample.error);
  keeps("_samples", 0, name + "_samples + 1");
  spec_.guards.push_back(std::move(guard));
}

void Reader::controller_output(const Value& table, std::size_t count) {
  const Fields fields(context_, section("controller"), table, owner_of("controller", table, count));
  if (fields.has("every") || !fields.has("measurement")) return;
  const std::size_t known = context_.uses.size();
  const std::string name = fields.name(NameUse::state);
  context_.formulas[name] = context_.in_its_place(continuous_pid(fields, name, limits_of(fields)).output);
  context_.uses.resize(known);  // they are noted where the controller is read
}

void Reader::continuous_controller(const Fields& fields, const std::string& name, const std::string& owner) {
  const Continuous c = continuous_pid(fields, name, limits_of(fields));
  const auto add = [&](const std::string& suffix, double start, const std::string& rate) {
    claim("plain", name + suffix, fields.where("name"), owner);
    spec_.states.push_back(
        {name + suffix, fields.where(), start, context_.compile(text_value(rate, fields.where()), owner)});
  };
  add("_integral", fields.number("initial"), c.integral_rate);
  if (!c.filtered_rate.empty()) add("_filtered", 0, c.filtered_rate);
  claim("plain", name, fields.where("name"), owner);
  spec_.measures.push_back({name, "", fields.where(), context_.compile(text_value(c.output, fields.where()), owner)});
}

}  // namespace hstar::model

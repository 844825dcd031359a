// src/model/context.cpp
//
// Parameters and formulas: values in the order in which they need each other, cycles named.
#include <fmt/core.h>
#include <algorithm>
#include <cmath>

#include "model/excerpt.hpp"
#include "model/fields.hpp"
#include "model/nearest.hpp"

namespace hstar::model {
namespace {

constexpr std::size_t longest_cycle_shown = 10;

/// A number that needs no formula.
bool is_plain(const Value& value) { return value.is_number() && std::isfinite(value.number); }

/// `"a" depends on itself (a -> b -> a)`: of a longer cycle the first names and the last.
template <class Path>
std::string cycle_text(const Path& path, const std::string& name) {
  std::vector<std::string> cycle;
  for (const auto& pending : path)
    if (!cycle.empty() || pending.name == name) cycle.push_back(pending.name);
  if (cycle.size() > longest_cycle_shown) {
    cycle.erase(cycle.begin() + longest_cycle_shown - 1, cycle.end() - 1);
    cycle.insert(cycle.end() - 1, "...");
  }
  cycle.push_back(name);
  return fmt::format("parameters: \"{}\" depends on itself ({}); give one of them as a number", name,
                     joined(cycle, " -> "));
}

}  // namespace

void Context::set_parameters(const Value& table) {
  if (!table.is_table())
    throw InputError(
        table.where,
        fmt::format("parameters = {} must be a section; write [parameters] and name = value below it", table.shown()));
  for (const Member& m : table.members) {
    check_name(m.key, m.where, "parameters", NameUse::parameter);
    parameters_.emplace(m.key, Parameter{&m.value, std::nullopt});
    order_.push_back(m.key);
  }
  for (const std::string& name : order_) evaluate(name);
}

std::vector<std::pair<std::string, double>> Context::parameters() const {
  std::vector<std::pair<std::string, double>> all;
  for (const std::string& name : order_) all.emplace_back(name, *lookup(name));
  return all;
}

std::vector<std::string> Context::parameter_names() const { return order_; }

/// A stack of its own instead of recursion: thousands of parameters may each be defined by the next.
void Context::evaluate(const std::string& name) {
  struct Pending {
    std::string name;
    std::vector<std::string> needs;  ///< parameters of its formula without a value yet, the first one last
  };
  std::vector<Pending> path;
  const auto begin = [&](const std::string& next) {
    Parameter& p = parameters_.find(next)->second;
    if (p.result) return;
    if (p.busy) throw InputError(p.value->where, cycle_text(path, next));
    p.busy = true;
    path.push_back({next, {}});
  };
  begin(name);
  while (!path.empty()) {
    Pending& last = path.back();
    if (!last.needs.empty()) {
      const std::string next = std::move(last.needs.back());
      last.needs.pop_back();
      begin(next);
      continue;
    }
    Parameter& p = parameters_.find(last.name)->second;
    if (is_plain(*p.value)) {
      p.result = p.value->number;
      path.pop_back();
      continue;
    }
    const std::string owner = fmt::format("parameters: {}", last.name);
    const auto find = [&](std::string_view used) {
      const auto i = parameters_.find(used);
      if (i != parameters_.end() && !i->second.result) last.needs.emplace_back(used);
      return lookup(used);
    };
    const Expression formula = compile(*p.value, owner, find);
    std::reverse(last.needs.begin(), last.needs.end());
    if (!last.needs.empty()) continue;
    p.result = constant(formula, owner);
    path.pop_back();
  }
}

std::optional<double> Context::lookup(std::string_view name) const {
  if (const double* number = find_index(indices_, name)) return *number;
  const auto i = parameters_.find(name);
  return i == parameters_.end() ? std::nullopt : i->second.result;
}

Expression Context::compile(const Value& value, const std::string& owner) const {
  return compile(value, owner,
                 NamesAndCurves{[this](std::string_view name) { return lookup(name); }, &curves, &formulas});
}

Expression Context::compile(const Value& value, const std::string& owner, const Lookup& find) {
  if (value.is_text()) return Expression::compile(value.text, value.where, find, owner);
  if (is_plain(value)) return Expression::compile(value.shown(), value.where, {}, owner);
  throw InputError(value.where, fmt::format("{} = {} must be a {}number or a formula in quotes", owner, value.shown(),
                                            value.is_number() ? "finite " : ""));
}

double Context::constant(const Value& value, const std::string& owner) const {
  return is_plain(value) ? value.number : constant(compile(value, owner), owner);
}

double Context::constant(const Expression& formula, const std::string& owner) const {
  if (!formula.variables().empty()) {
    const std::string& name = formula.variables().front();
    const Location where = formula.where_variable(0);
    if (name == "t" || name.find('.') != std::string::npos)
      throw InputError(where, fmt::format("{} = \"{}\" must be constant: parameters may be used here, but not \"{}\"",
                                          owner, excerpt(formula.text()), name));
    std::vector<std::string> known = order_;
    known.emplace_back("pi");
    if (!is_parameter("e")) known.emplace_back("e");
    throw InputError(where, fmt::format("{}: unknown name \"{}\" in \"{}\"; {}", owner, name, excerpt(formula.text()),
                                        suggestion(name, known, "parameters and constants")));
  }
  return formula.constant_value();
}

}  // namespace hstar::model

// src/model/context.cpp
//
// Parameters and formulas: values on demand, cycles named.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "model/fields.hpp"
#include "model/nearest.hpp"

namespace hstar::model {

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
}

std::vector<std::pair<std::string, double>> Context::evaluate_parameters() {
  std::vector<std::pair<std::string, double>> all;
  for (const std::string& name : order_) all.emplace_back(name, *lookup(name));
  return all;
}

std::vector<std::string> Context::parameter_names() const { return order_; }

std::optional<double> Context::lookup(std::string_view name) {
  if (!index_name_.empty() && name == index_name_) return index_;
  const auto i = parameters_.find(name);
  if (i == parameters_.end()) return std::nullopt;
  Parameter& p = i->second;
  if (p.result) return p.result;
  if (p.busy) {
    const auto first = std::find(path_.begin(), path_.end(), name);
    std::vector<std::string> cycle(first, path_.end());
    cycle.emplace_back(name);
    throw InputError(p.value->where,
                     fmt::format("parameters: \"{}\" depends on itself ({}); give one of them as a number", name,
                                 joined(cycle, " -> ")));
  }
  p.busy = true;
  path_.emplace_back(name);
  p.result = constant(*p.value, fmt::format("parameters: {}", name));
  path_.pop_back();
  return p.result;
}

Expression Context::compile(const Value& value, const std::string& owner) {
  const auto find = [this](std::string_view name) { return lookup(name); };
  if (value.is_text()) return Expression::compile(value.text, value.where, find, owner);
  if (value.is_number() && std::isfinite(value.number))
    return Expression::compile(value.shown(), value.where, {}, owner);
  throw InputError(value.where, fmt::format("{} = {} must be a {}number or a formula in quotes", owner, value.shown(),
                                            value.is_number() ? "finite " : ""));
}

double Context::constant(const Value& value, const std::string& owner) {
  const Expression formula = compile(value, owner);
  if (!formula.variables().empty()) {
    const std::string& name = formula.variables().front();
    const Location where = formula.where_variable(0);
    if (name == "t" || name.find('.') != std::string::npos)
      throw InputError(where, fmt::format("{} = \"{}\" must be constant: parameters may be used here, but not \"{}\"",
                                          owner, formula.text(), name));
    std::vector<std::string> known = order_;
    known.emplace_back("pi");
    if (!is_parameter("e")) known.emplace_back("e");
    throw InputError(where, fmt::format("{}: unknown name \"{}\" in \"{}\"; {}", owner, name, formula.text(),
                                        suggestion(name, known, "parameters and constants")));
  }
  return formula.constant_value();
}

}  // namespace hstar::model

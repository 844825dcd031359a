// src/analysis/formula_set.cpp
//
// Formulas of accept.toml over the recorded columns of a run (validation.hpp).
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

#include "analysis/validation.hpp"

namespace hstar::validation {
namespace {

constexpr auto time_slot = static_cast<std::size_t>(-1);

std::string joined_words(const std::string& mode) {
  std::string out;
  for (const char c : mode) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      out += c;
    } else if (c == '+' || c == '-') {
      out += c == '+' ? "_plus" : "_minus";
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

}  // namespace

FormulaSet::FormulaSet(const NamedTexts& formulas, const std::vector<std::pair<std::string, double>>& parameters,
                       std::span<const std::string> columns, const std::string& path) {
  const auto parameter = [&](std::string_view name) -> std::optional<double> {
    for (const auto& [known, value] : parameters)
      if (known == name) return value;
    return std::nullopt;
  };
  for (const auto& [name, text] : formulas) {
    Formula formula{Expression::compile(text, Location{path, 0, 0}, parameter, name), {}};
    for (const std::string& variable : formula.expression.variables()) {
      const auto column = std::find(columns.begin(), columns.end(), variable);
      if (column == columns.end() && variable != "t") {
        std::string known;
        for (const std::string& c : columns) known += (known.empty() ? "" : ", ") + c;
        throw InputError(Location{path, 0, 0},
                         fmt::format("{}: the run records no quantity '{}'; it records: {}", name, variable, known));
      }
      formula.slots.push_back(column == columns.end() ? time_slot : static_cast<std::size_t>(column - columns.begin()));
    }
    names_.push_back(name);
    formulas_.push_back(std::move(formula));
  }
}

void FormulaSet::evaluate(double t, std::span<const double> columns, std::span<double> out) const {
  std::vector<double> variables;
  for (std::size_t i = 0; i < formulas_.size(); ++i) {
    variables.clear();
    for (const std::size_t slot : formulas_[i].slots) variables.push_back(slot == time_slot ? t : columns[slot]);
    out[i] = formulas_[i].expression.value(variables.data());
  }
}

std::vector<double> FormulaSet::values(double t, std::span<const double> columns) const {
  std::vector<double> out(size());
  evaluate(t, columns, out);
  return out;
}

void ScaleSink::begin(std::span<const std::string> columns, std::span<const std::string>) {
  set_.clear();
  set_.emplace_back(formulas_, model_.parameters, columns, path_);
  scale_.assign(set_.front().size(), 0.0);
  now_.assign(set_.front().size(), 0.0);
}

void ScaleSink::row(double t, std::span<const double> values) {
  set_.front().evaluate(t, values, now_);
  for (std::size_t i = 0; i < now_.size(); ++i) scale_[i] = std::max(scale_[i], std::abs(now_[i]));
}

ExtremeColumns extreme_columns(const RunResult& result) {
  ExtremeColumns out;
  for (const RunResult::Extreme& e : result.extremes) {
    const std::string base = e.measure + (e.mode.empty() ? "" : "." + joined_words(e.mode));
    out.names.push_back(base + ".min");
    out.values.push_back(e.min);
    out.names.push_back(base + ".max");
    out.values.push_back(e.max);
  }
  return out;
}

double digits(double error) {
  if (!(error > 0.0)) return std::isnan(error) ? 0.0 : 18.0;
  return std::clamp(-std::log10(error), 0.0, 18.0);
}

}  // namespace hstar::validation

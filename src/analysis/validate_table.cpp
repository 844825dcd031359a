// src/analysis/validate_table.cpp
//
// One problem of schema "truth-table-1": every [[case]] sets the model's parameters, the model is run,
// and formulas of the extremes of its measures are compared with the case's numbers and flags.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ostream>

#include "analysis/validation.hpp"

namespace hstar::validation {
namespace {

const std::string* find(const NamedTexts& table, const std::string& key) {
  for (const auto& [name, text] : table)
    if (name == key) return &text;
  return nullptr;
}

/// A flag is 1 or 0: formulas of flags are comparisons.
double wanted_value(const std::string& text) {
  if (text == "true") return 1.0;
  if (text == "false") return 0.0;
  return std::strtod(text.c_str(), nullptr);
}

/// Largest |value| of a key over all cases: the scale its errors are measured with.
double scale_of(const ReferenceFile& reference, const std::string& key) {
  double scale = 0.0;
  for (const NamedTexts& one : reference.cases)
    if (const std::string* text = find(one, key)) scale = std::max(scale, std::abs(wanted_value(*text)));
  return scale > 0.0 ? scale : 1.0;
}

}  // namespace

void validate_table(const Problem& problem, const ReferenceFile& reference, const AcceptFile& accept, bool details,
                    std::ostream& out, Verdict& verdict) {
  const std::string path = problem.folder + "/accept.toml";
  std::vector<std::string> wrong;
  double worst = 0.0;
  std::size_t compared = 0;
  for (std::size_t c = 0; c < reference.cases.size(); ++c) {
    const NamedTexts& one = reference.cases[c];
    try {
      std::vector<Override> overrides;
      for (const std::string& key : accept.case_parameters)
        if (const std::string* text = find(one, key)) overrides.push_back({"parameters." + key, *text});
      const ModelSpec model = read_model(problem.folder + "/model.toml", overrides);
      const RunResult result = hstar::run(model);
      if (!result.outcome.success()) {
        wrong.push_back(fmt::format("case {}: the run ended at t = {:.10g} with {}: {}", c + 1, result.outcome.t,
                                    name(result.outcome.status), result.outcome.message));
        continue;
      }
      const ExtremeColumns extremes = extreme_columns(result);
      const FormulaSet set(accept.case_results, model.parameters, extremes.names, path);
      const std::vector<double> ours = set.values(result.outcome.t, extremes.values);
      for (std::size_t i = 0; i < set.size(); ++i) {
        const std::string* text = find(one, set.name(i));
        if (text == nullptr) continue;
        const double wanted = wanted_value(*text),
                     error = std::abs(ours[i] - wanted) / scale_of(reference, set.name(i));
        ++compared;
        worst = std::max(worst, error);
        const std::string line = fmt::format("case {}: {} = {:.17g}, reference {}, error {:.1e} of its scale", c + 1,
                                             set.name(i), ours[i], *text, error);
        if (!(error <= accept.case_tolerance))
          wrong.push_back(line);
        else if (details)
          out << "    " << line << '\n';
      }
    } catch (const InputError& error) {
      wrong.push_back(fmt::format("case {}: {}", c + 1, error.what()));
    }
  }
  const bool pass = wrong.empty() && compared > 0;
  out << fmt::format(
      "{:26} {:3} cases, {:4} values compared; worst error {:.1e} of the value's scale, allowed {:.1e}, "
      "digits {:.1f}  {}\n",
      problem.name, reference.cases.size(), compared, worst, accept.case_tolerance, digits(worst),
      pass           ? "PASS"
      : accept.bonus ? "short (bonus)"
                     : "FAIL");
  for (std::size_t i = 0; i < wrong.size() && (details || i < 12); ++i) out << "    " << wrong[i] << '\n';
  verdict.add(pass, accept.bonus);
}

}  // namespace hstar::validation

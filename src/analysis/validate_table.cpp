// src/analysis/validate_table.cpp
//
// One problem of schema "truth-table-1": every [[case]] sets the model's parameters, the model is run or its consistent
// modes are found, or it is analysed, and formulas of what came out are compared with the case's numbers, flags and
// words. Formulas may use the extremes of measures, the first event and the states around it, or the forces of every
// mode.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <ostream>

#include "analysis/validation.hpp"
#include "hstar/modes.hpp"

namespace hstar::validation {
namespace {

const std::string* find(const NamedTexts& table, const std::string& key) {
  for (const auto& [name, text] : table)
    if (name == key) return &text;
  return nullptr;
}

std::vector<std::string> items_of(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t from = 0; from < list.size();) {
    const std::size_t end = std::min(list.find(", ", from), list.size());
    out.push_back(list.substr(from, end - from));
    from = end + 2;
  }
  return out;
}

/// A flag is 1 or 0 (formulas of flags are comparisons); 13/64 is a number.
double wanted_value(const std::string& text) {
  if (text == "true") return 1.0;
  if (text == "false") return 0.0;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return *end == '/' ? value / std::strtod(end + 1, nullptr) : value;
}

/// Largest |value| of a key over all cases: the scale its errors are measured with.
double scale_of(const ReferenceFile& reference, const std::string& key) {
  double scale = 0.0;
  for (const NamedTexts& one : reference.cases)
    if (const std::string* text = find(one, key))
      for (const std::string& item : items_of(*text)) scale = std::max(scale, std::abs(wanted_value(item)));
  return scale > 0.0 ? scale : 1.0;
}

Answer run_case(const ModelSpec& model) {
  const RunResult result = hstar::run(model);
  if (!result.outcome.success())
    throw InputError(fmt::format("the run ended at t = {:.10g} with {}: {}", result.outcome.t,
                                 name(result.outcome.status), result.outcome.message));
  Answer answer;
  answer.t = result.outcome.t;
  const ExtremeColumns extremes = extreme_columns(result);
  answer.names = extremes.names;
  answer.values = extremes.values;
  if (result.events.empty()) return answer;
  const EventRecord& first = result.events.front();
  answer.add("event.t", first.t);
  answer.add("event.impulse_n", first.impulse_n);
  answer.add("event.impulse_t", first.impulse_t);
  answer.add("event.energy_loss", first.energy_loss);
  for (std::size_t i = 0; i < result.state_names.size() && i < first.y_before.size(); ++i) {
    answer.add("before." + result.state_names[i], first.y_before[i]);
    answer.add("after." + result.state_names[i], first.y_after[i]);
  }
  return answer;
}

Answer classify_case(const ModelSpec& model, const std::map<std::string, std::string>& words) {
  const ModeAnswer found = consistent_modes(model);
  const auto word = [&](const std::string& mode) {
    const auto w = words.find(mode);
    return w == words.end() ? mode : w->second;
  };
  Answer answer;
  std::vector<std::string> list;
  for (const ConsistentMode& m : found.modes) list.push_back(word(m.text));
  std::sort(list.begin(), list.end());
  for (const std::string& m : list) answer.words["modes"] += (&m == list.data() ? "" : ", ") + m;
  answer.words["class"] = found.kind;
  if (found.kind == "unique") {
    std::string one = list.front();
    while (!one.empty() && (one.back() == '+' || one.back() == '-')) one.pop_back();
    answer.words["class"] = one;
  }
  for (const ContactNumbers& c : found.contacts) {
    answer.add(c.contact + ".b", c.b);
    answer.add(c.contact + ".p_plus", c.p_plus);
    answer.add(c.contact + ".p_minus", c.p_minus);
    // The forces of a mode that is not consistent are no numbers.
    for (const auto& [mode, name] : {std::pair{"stick", "stick"}, {"slip+", "slip_plus"}, {"slip-", "slip_minus"}}) {
      double n = std::numeric_limits<double>::quiet_NaN(), t = n;
      for (const ConsistentMode& m : found.modes)
        for (const ElementInMode& e : m.elements)
          if (e.element == c.contact && e.mode == mode) n = e.lambda_n, t = e.lambda_t;
      answer.add(fmt::format("{}.{}.lambda_n", c.contact, name), n);
      answer.add(fmt::format("{}.{}.lambda_t", c.contact, name), t);
    }
  }
  return answer;
}

std::vector<Override> overrides_of(const NamedTexts& one, const AcceptFile& accept, const TableVariant& variant) {
  std::vector<Override> out;
  for (const std::string& key : accept.case_parameters)
    if (const std::string* text = find(one, key)) out.push_back({"parameters." + key, *text});
  for (const auto& [key, prefix] : accept.case_lists)
    if (const std::string* text = find(one, key)) {
      int number = 0;
      for (const std::string& item : items_of(*text))
        out.push_back({fmt::format("parameters.{}{}", prefix, ++number), fmt::format("{:.17g}", wanted_value(item))});
    }
  for (const auto& [key, parameter] : accept.case_counts)
    if (const std::string* text = find(one, key))
      out.push_back({"parameters." + parameter, std::to_string(items_of(*text).size())});
  for (const auto& [path, value] : variant.set) out.push_back({path, value});
  return out;
}

/// The results this case has, one formula each; false if it has none.
bool asked(const NamedTexts& one, const TableVariant& variant, NamedTexts& formulas, std::vector<std::string>& wanted,
           std::vector<std::string>& keys) {
  for (const auto& [key, list] : variant.results) {
    const std::string* text = find(one, key);
    if (text == nullptr) continue;
    const std::vector<std::string> items = items_of(*text);
    for (std::size_t i = 0; i < items.size() && i < list.size(); ++i) {
      formulas.emplace_back(list.size() > 1 ? fmt::format("{}[{}]", key, i + 1) : key, list[i]);
      wanted.push_back(items[i]);
      keys.push_back(key);
    }
  }
  return !keys.empty();
}

}  // namespace

void validate_table(const Problem& problem, const ReferenceFile& reference, const AcceptFile& accept, bool details,
                    std::ostream& out, Verdict& verdict) {
  const std::string path = problem.folder + "/accept.toml";
  std::vector<std::string> wrong;
  double worst = 0.0;
  std::size_t compared = 0;
  std::map<std::string, double> scales;
  const auto one_case = [&](std::size_t c, const TableVariant& variant, bool words) {
    const NamedTexts& one = reference.cases[c];
    NamedTexts formulas;
    std::vector<std::string> wanted, keys;
    if (!asked(one, variant, formulas, wanted, keys) && !words) return;
    const std::string file = problem.folder + "/model.toml";
    const std::vector<Override> overrides = overrides_of(one, accept, variant);
    const ModelSpec model = read_model(file, overrides);
    const Answer answer = accept.case_analysis == "classify" ? classify_case(model, accept.case_words)
                          : accept.case_analysis == "run"    ? run_case(model)
                                                             : analysis_case(file, overrides, accept);
    const auto note = [&](bool good, const std::string& line) {
      ++compared;
      if (!good)
        wrong.push_back(line);
      else if (details)
        out << "    " << line << '\n';
    };
    for (const auto& [key, which] : accept.case_texts) {
      const std::string* text = words ? find(one, key) : nullptr;
      const auto ours = answer.words.find(which);
      if (text == nullptr || ours == answer.words.end()) continue;
      std::vector<std::string> items = items_of(*text);
      std::sort(items.begin(), items.end());
      std::string sorted;
      for (const std::string& item : items) sorted += (&item == items.data() ? "" : ", ") + item;
      note(ours->second == sorted, fmt::format("case {}: {} = {}, reference {}", c + 1, key, ours->second, *text));
    }
    const FormulaSet set(formulas, model.parameters, answer.names, path);
    const std::vector<double> ours = set.values(answer.t, answer.values);
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (!scales.count(keys[i])) scales[keys[i]] = scale_of(reference, keys[i]);
      const double error = std::abs(ours[i] - wanted_value(wanted[i])) / scales[keys[i]];
      worst = std::max(worst, error);
      note(error <= accept.case_tolerance, fmt::format("case {}: {} = {:.17g}, reference {}, error {:.1e} of its scale",
                                                       c + 1, set.name(i), ours[i], wanted[i], error));
    }
  };
  for (std::size_t c = 0; c < reference.cases.size(); ++c)
    for (const TableVariant& variant : accept.case_variants) {
      try {
        one_case(c, variant, &variant == accept.case_variants.data() && !accept.case_texts.empty());
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

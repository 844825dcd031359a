// src/analysis/validation.hpp
//
// What the parts of `hstar validate` share: formulas over recorded columns, the score of one run, and
// the verdict lines. One file each: motion (events and states), table (cases), ode23 (peer traces).
#pragma once

#include <iosfwd>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "hstar/expression.hpp"
#include "hstar/run.hpp"
#include "model/reference_file.hpp"

namespace hstar::validation {

/// A list of formulas over named columns, the parameters of a model and t.
class FormulaSet {
 public:
  /// @throws InputError at `path` for a formula that does not parse or names an unknown quantity.
  FormulaSet(const NamedTexts& formulas, const std::vector<std::pair<std::string, double>>& parameters,
             std::span<const std::string> columns, const std::string& path);
  [[nodiscard]] std::size_t size() const { return formulas_.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return names_[i]; }
  /// Values of all formulas at time t for the given values of the columns.
  void evaluate(double t, std::span<const double> columns, std::span<double> out) const;
  [[nodiscard]] std::vector<double> values(double t, std::span<const double> columns) const;

 private:
  struct Formula {
    Expression expression;
    std::vector<std::size_t> slots;  ///< column of each variable; npos: t
  };
  std::vector<std::string> names_;
  std::vector<Formula> formulas_;
};

/// Largest |value| of each formula over all recorded rows of a run: the scale of a state.
class ScaleSink final : public RunSink {
 public:
  ScaleSink(const NamedTexts& formulas, const ModelSpec& model, std::string path)
      : formulas_(formulas), model_(model), path_(std::move(path)) {}
  void begin(std::span<const std::string> columns, std::span<const std::string> units) override;
  void row(double t, std::span<const double> values) override;
  [[nodiscard]] const std::vector<double>& scale() const { return scale_; }

 private:
  const NamedTexts& formulas_;
  const ModelSpec& model_;
  std::string path_;
  std::vector<FormulaSet> set_;  ///< none before begin, one after
  std::vector<double> scale_, now_;
};

/// Extremes of the measures as columns: "a.max", "a.min" over the run and "a.plate_slip_plus.max" over
/// the time plate spent in slip+ (letters and digits of the mode's words, joined by _).
struct ExtremeColumns {
  std::vector<std::string> names;
  std::vector<double> values;
};
[[nodiscard]] ExtremeColumns extreme_columns(const RunResult& result);

/// -log10 of an error, at most 18 (no error at all), at least 0.
[[nodiscard]] double digits(double error);

/// Counts what falls short; the parts print their own lines.
struct Verdict {
  int passed = 0, failed = 0, bonus_failed = 0;
  void add(bool pass, bool bonus = false) { ++(pass ? passed : bonus ? bonus_failed : failed); }
};

/// What one case of a table gave: named numbers that formulas may use, and words.
struct Answer {
  std::vector<std::string> names;
  std::vector<double> values;
  double t = 0.0;
  std::map<std::string, std::string> words;
  void add(std::string name, double value) {
    names.push_back(std::move(name));
    values.push_back(value);
  }
};
/// Equilibrium, modes, inverse dynamics or assembly of a model; `overrides` are those it was read with from `file`.
[[nodiscard]] Answer analysis_case(const std::string& file, const std::vector<Override>& overrides,
                                   const AcceptFile& accept);

struct Problem {
  std::string name, folder;
};

void print_motion_header(std::ostream& out);
void validate_motion(const Problem& problem, const ReferenceFile& reference, const AcceptFile& accept, bool details,
                     std::ostream& out, Verdict& verdict);
void validate_table(const Problem& problem, const ReferenceFile& reference, const AcceptFile& accept, bool details,
                    std::ostream& out, Verdict& verdict);
void validate_samples(const Problem& problem, const AcceptFile& accept, bool details, std::ostream& out,
                      Verdict& verdict);
void validate_traces(const std::string& folder, bool details, std::ostream& out, Verdict& verdict);

}  // namespace hstar::validation

// src/model/fields.hpp
//
// Reads one section of a document by its key table: unknown keys, types, shapes, ranges and formulas
// are checked here, once for all sections; what is left to the readers is what the values mean.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hstar/model_spec.hpp"
#include "model/copy_index.hpp"
#include "model/curve.hpp"
#include "model/document.hpp"
#include "model/keys.hpp"

namespace hstar::model {

/// A formula with what it may use, kept until all names of the model are known (check_names).
struct FormulaUse {
  Expression formula;
  Scope scope;
  std::string owner;  ///< joint "plate": value
};

/// What reading shares: parameters, and the formulas seen so far.
class Context {
 public:
  /// Takes [parameters] and computes them; their order does not matter. @throws InputError for cycles, unknown names,
  /// NaN.
  void set_parameters(const Value& table);
  [[nodiscard]] std::vector<std::pair<std::string, double>> parameters() const;  ///< in the order of the file
  [[nodiscard]] std::vector<std::string> parameter_names() const;
  [[nodiscard]] bool is_parameter(std::string_view name) const { return parameters_.count(std::string(name)) > 0; }

  /// The indices of the element being read, which its formulas may use.
  void set_indices(CopyIndices indices) { indices_ = std::move(indices); }

  /// A formula with parameters folded. Numbers and strings only.
  [[nodiscard]] Expression compile(const Value& value, const std::string& owner) const;
  /// A formula that must be a finite constant.
  [[nodiscard]] double constant(const Value& value, const std::string& owner) const;

  std::vector<FormulaUse> uses;
  Curves curves;           ///< the tables, which formulas read after them may call
  NamedFormulas formulas;  ///< names in formulas read after them
  /// With the indices of the element being read, for a formula that is kept.
  [[nodiscard]] NamedFormula in_its_place(std::string text) const { return {std::move(text), indices_}; }

 private:
  struct Parameter {
    const Value* value;
    std::optional<double> result;
    bool busy = false;
  };
  using Lookup = std::function<std::optional<double>(std::string_view)>;
  void evaluate(const std::string& parameter);
  [[nodiscard]] std::optional<double> lookup(std::string_view name) const;
  [[nodiscard]] static Expression compile(const Value& value, const std::string& owner, const Lookup& find);
  [[nodiscard]] double constant(const Expression& formula, const std::string& owner) const;

  std::map<std::string, Parameter, std::less<>> parameters_;
  std::vector<std::string> order_;
  CopyIndices indices_;
};

/// Where a name will be used, which decides what words are reserved.
enum class NameUse : unsigned char {
  element,    ///< bodies, joints, ...: always followed by a dot in formulas
  parameter,  ///< alone in formulas; may be called e, and then hides the constant
  state,      ///< alone in formulas
  column      ///< measures: never in formulas
};

class Fields {
 public:
  /// Checks that `table` is a table with known keys only. `owner` stands in front of messages.
  Fields(Context& context, const SectionSpec& spec, const Value& table, std::string owner);

  /// Checks the keys against the element's type: keys of other types are refused, required ones asked for.
  void check_for(std::string_view type);

  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] const Value* find(std::string_view key) const;
  [[nodiscard]] const std::string& owner() const { return owner_; }
  [[nodiscard]] const Location& where() const { return table_.where; }
  [[nodiscard]] Location where(std::string_view key) const;  ///< of the key's value, or of the table

  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::string name(NameUse use = NameUse::element) const;  ///< key "name", checked
  [[nodiscard]] std::string word(std::string_view key) const;            ///< one of the key's choices, if it has any
  [[nodiscard]] bool boolean(std::string_view key) const;
  [[nodiscard]] long integer(std::string_view key) const;
  [[nodiscard]] double number(std::string_view key) const;
  [[nodiscard]] std::optional<double> maybe_number(std::string_view key) const;
  [[nodiscard]] Vec2 pair(std::string_view key) const;
  [[nodiscard]] Vec2 bounds(std::string_view key) const;     ///< a pair whose ends may be infinite
  [[nodiscard]] Vec2 direction(std::string_view key) const;  ///< a pair that is not (0, 0), made of length 1
  [[nodiscard]] Vec3 triple(std::string_view key) const;
  [[nodiscard]] Vec3 direction3(std::string_view key) const;  ///< made of length 1
  [[nodiscard]] std::vector<Vec3> triples(std::string_view key) const;
  /// A diagonal [a, b, c] or the rows of a 3x3 matrix.
  [[nodiscard]] Mat3 tensor(std::string_view key) const;
  [[nodiscard]] std::vector<double> numbers(std::string_view key) const;
  [[nodiscard]] std::vector<Vec2> pairs(std::string_view key) const;
  [[nodiscard]] Expression formula(std::string_view key) const;
  [[nodiscard]] std::optional<Expression> maybe_formula(std::string_view key) const;
  [[nodiscard]] std::array<Expression, 3> formulas3(std::string_view key, Scope scope) const;
  [[nodiscard]] std::array<Expression, 2> formulas(std::string_view key, Scope scope) const;
  [[nodiscard]] std::vector<std::string> body_pair(std::string_view key) const;
  /// Exactly two tables.
  [[nodiscard]] std::array<const Value*, 2> two_tables(std::string_view key) const;

  /// `owner: key = value <problem>; give <about>`
  [[noreturn]] void fail(std::string_view key, const std::string& problem) const;
  /// `owner: <message>` at the place of `key` (of the table if absent).
  [[noreturn]] void fail_plainly(std::string_view key, const std::string& message) const;
  [[noreturn]] void missing(std::string_view key) const;

 private:
  [[nodiscard]] const KeySpec& spec(std::string_view key) const;
  [[nodiscard]] std::string label(const KeySpec& key) const;
  [[noreturn]] void fail_at(const Location& where, const KeySpec& key, const std::string& value,
                            const std::string& problem) const;
  /// About an entry of a list: key[1] = part <problem>.
  [[noreturn]] void fail_part(const Value& part, const KeySpec& key, std::string_view index,
                              std::string_view problem) const;
  [[nodiscard]] double checked_number(const KeySpec& key, const Value& value) const;
  [[nodiscard]] Vec2 checked_pair(const KeySpec& key, const Value& value, const std::string& index = {},
                                  bool infinite = false) const;
  [[nodiscard]] Vec3 checked_triple(const KeySpec& key, const Value& value, const std::string& index = {}) const;
  /// Refuses what is neither a finite number nor text. `index` names the part of a list, "[1]".
  void check_is_number(const KeySpec& key, const Value& value, std::string_view index = {}) const;
  [[nodiscard]] Expression checked_formula(const KeySpec& key, const Value& value, Scope scope) const;

  Context& context_;
  const SectionSpec& spec_;
  const Value& table_;
  std::string owner_;
};

/// Throws unless `name` is a letter or _ followed by letters, digits or _, and means nothing else where it is used.
void check_name(const std::string& name, const Location& where, const std::string& owner, NameUse use);

}  // namespace hstar::model

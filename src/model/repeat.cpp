// src/model/repeat.cpp
//
// `count = n` in a repeated section: n copies of the element, numbered by an index that formulas may use and
// that {...} puts into names: link{i}, link{i+1}.
#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <optional>

#include "model/reader.hpp"

namespace hstar::model {
namespace {

constexpr double most_copies = 1e6;

/// One copy: {formula} in every text becomes the whole number the formula gives.
class Copy {
 public:
  Copy(Context& context, std::string owner) : context_(context), owner_(std::move(owner)) {}

  void fill(Value& value) const {
    if (value.is_text()) value.text = filled(value);
    for (Value& item : value.items) fill(item);
    for (Member& member : value.members) fill(member.value);
  }

 private:
  [[nodiscard]] std::string filled(const Value& value) const {
    const std::string& text = value.text;
    std::string out;
    for (std::size_t at = 0;;) {
      const std::size_t open = text.find('{', at), close = text.find('}', open == std::string::npos ? at : open);
      if ((open == std::string::npos) != (close == std::string::npos))
        throw InputError(value.where,
                         fmt::format("{}: \"{}\" has a brace without its partner; write {{formula}}", owner_, text));
      if (open == std::string::npos) return out + text.substr(at);
      Value formula = value;
      formula.text = text.substr(open + 1, close - open - 1);
      formula.where.column += value.where.line > 0 ? static_cast<int>(open) + 1 : 0;
      const double number = context_.constant(formula, owner_);
      if (number != std::floor(number))
        throw InputError(formula.where, fmt::format("{}: {{{}}} = {} must be a whole number; it becomes part of a name",
                                                    owner_, formula.text, number));
      out += text.substr(at, open - at) + fmt::format("{}", static_cast<long long>(number));
      at = close + 1;
    }
  }

  Context& context_;
  std::string owner_;
};

Value taken(Value& table, std::string_view key) {
  for (auto m = table.members.begin(); m != table.members.end(); ++m)
    if (m->key == key) {
      Value value = std::move(m->value);
      table.members.erase(m);
      return value;
    }
  Value none;
  none.kind = Value::Kind::boolean;
  none.where = table.where;
  return none;
}

void repeat(Value table, const std::string& section, Context& context, std::vector<Value>& out) {
  const Value index = taken(table, "index"), given = taken(table, "count");
  const Member* name = table.find("name");  // (after what is taken out: members move up)
  const bool named = name != nullptr && name->value.is_text();
  const std::string owner =
      named ? fmt::format("{} \"{}\"", section, name->value.text) : fmt::format("[[{}]]", section);
  if (index.kind != Value::Kind::boolean && !index.is_text())
    throw InputError(index.where, owner + ": index must be a name; the index is called i without it");
  const std::string index_name = index.is_text() ? index.text : "i";
  check_name(index_name, index.where, owner + ": index", NameUse::state);
  if (context.is_parameter(index_name))
    throw InputError(index.where, fmt::format("{}: the index \"{}\" is a parameter too; give another name as index",
                                              owner, index_name));
  const double count = context.constant(given, owner + ": count");
  if (!(count >= 0 && count <= most_copies && count == std::floor(count)))
    throw InputError(given.where, fmt::format("{}: count = {} must be a whole number in [0, {}]; give the number of "
                                              "copies",
                                              owner, count, most_copies));
  if (count > 1 && named && name->value.text.find('{') == std::string::npos)
    throw InputError(name->value.where, fmt::format("{}: {} copies need different names; put the index into the name, "
                                                    "as \"{}{{{}}}\"",
                                                    owner, count, name->value.text, index_name));
  for (long k = 0; k < static_cast<long>(count); ++k) {
    Value copy = table;
    copy.index_name = index_name;
    copy.index = static_cast<double>(k);
    context.set_index(index_name, copy.index);
    Copy(context, owner).fill(copy);
    out.push_back(std::move(copy));
  }
  context.set_index({}, 0.0);
}

}  // namespace

void expand_repetitions(Value& document) {
  const auto repeats = [](const Value& table) { return table.is_table() && table.find("count") != nullptr; };
  std::optional<Context> context;
  const Member* parameters = document.find("parameters");
  const auto read_parameters = [&] {
    context.emplace();
    if (parameters != nullptr) context->set_parameters(parameters->value);
  };
  if (parameters != nullptr && !parameters->value.is_table()) read_parameters();  // (which refuses them)
  for (const SectionSpec& s : sections()) {
    if (!s.repeated) continue;
    Member* m = document.find(s.name);
    if (m == nullptr || !m->value.is_array() || std::none_of(m->value.items.begin(), m->value.items.end(), repeats))
      continue;
    if (!context) read_parameters();
    std::vector<Value> all;
    for (Value& table : m->value.items) {
      if (repeats(table))
        repeat(std::move(table), std::string(s.name), *context, all);
      else
        all.push_back(std::move(table));
    }
    m->value.items = std::move(all);
  }
}

}  // namespace hstar::model

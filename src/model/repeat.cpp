// src/model/repeat.cpp
//
// `count = n` in a repeated section: n copies of the element, numbered by an index that formulas may use and
// that {...} puts into names: link{i}, link{i+1}. With `partner = "j"` a copy for every pair i < j of the n.
#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <optional>

#include "model/kept_pairs.hpp"
#include "model/reader.hpp"

namespace hstar::model {
namespace {

constexpr double most_copies = most_contacts_of_pairs;

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

std::optional<Value> taken(Value& table, std::string_view key) {
  for (auto m = table.members.begin(); m != table.members.end(); ++m)
    if (m->key == key) {
      Value value = std::move(m->value);
      table.members.erase(m);
      return value;
    }
  return std::nullopt;
}

/// The name that `key` gives to an index.
std::string index_named(const Value& given, const char* key, const std::string& owner) {
  if (!given.is_text())
    throw InputError(given.where, fmt::format("{0}: {1} must be a name, as {1} = \"k\"", owner, key));
  check_name(given.text, given.where, fmt::format("{}: {}", owner, key), NameUse::state);
  return given.text;
}

void check_no_parameter(const std::string& index, const Value& given, const std::string& owner,
                        const Context& context) {
  if (context.is_parameter(index))
    throw InputError(given.where,
                     fmt::format("{}: the index \"{}\" is a parameter too; give another name", owner, index));
}

/// `count` of a section, or with `partner` the pairs of so many: first < second.
class Copies {
 public:
  Copies(Value& table, std::string owner, Context& context) : owner_(std::move(owner)), context_(context) {
    const std::optional<Value> index = taken(table, "index"), partner = taken(table, "partner");
    if (index) first_ = index_named(*index, "index", owner_);
    check_no_parameter(first_, index ? *index : table, owner_, context);
    if (partner) {
      second_ = index_named(*partner, "partner", owner_);
      check_no_parameter(second_, *partner, owner_, context);
      if (second_ == first_)
        throw InputError(partner->where, fmt::format("{}: index and partner are both called \"{}\"; give another name",
                                                     owner_, first_));
    }
    const Value given = *taken(table, "count");
    const double count = context.constant(given, owner_ + ": count");
    if (!(count >= 0 && count <= most_copies && count == std::floor(count)))
      throw InputError(given.where, fmt::format("{}: count = {} must be a whole number in [0, {}]; give the number of "
                                                "copies",
                                                owner_, count, most_copies));
    count_ = static_cast<long>(count);
    where_ = given.where;
  }

  [[nodiscard]] long number() const { return second_.empty() ? count_ : count_ * (count_ - 1) / 2; }
  /// As "{i}", to be put into a name.
  [[nodiscard]] std::string in_a_name() const {
    return second_.empty() ? fmt::format("{{{}}}", first_) : fmt::format("{{{}}}_{{{}}}", first_, second_);
  }
  /// `apart`: why all must be written out, whatever they say; null: they need not.
  void make(const Value& table, const std::string* apart, std::vector<Value>& out) {
    const auto many = static_cast<double>(number());
    if (!second_.empty() && many > most_written_out) {
      const std::string why = apart != nullptr ? *apart : why_written_out(table, first_, second_);
      if (why.empty()) {
        KeptPairs kept = keep_pairs(table, first_, second_, count_, context_, owner_);
        add(table, {{first_, 0}, {second_, 1}}, out);
        out.back().pairs = std::make_shared<const KeptPairs>(std::move(kept));
        context_.set_indices({});
        return;
      }
      if (many > most_copies)
        throw InputError(where_, fmt::format("{}: count = {} makes {} pairs, more than {}; give fewer, or for a crowd "
                                             "that flies (docs/model-file.md) {}",
                                             owner_, count_, number(), most_copies, why));
    }
    for (long i = 0; i < count_; ++i) {
      if (second_.empty()) add(table, {{first_, static_cast<double>(i)}}, out);
      for (long j = i + 1; !second_.empty() && j < count_; ++j)
        add(table, {{first_, static_cast<double>(i)}, {second_, static_cast<double>(j)}}, out);
    }
    context_.set_indices({});
  }

 private:
  void add(const Value& table, const CopyIndices& indices, std::vector<Value>& out) {
    Value copy = table;
    copy.indices = indices;
    context_.set_indices(indices);
    fill_copy(copy, context_, owner_);
    out.push_back(std::move(copy));
  }

  std::string owner_;
  Context& context_;
  std::string first_ = "i", second_;
  long count_ = 0;
  Location where_;  ///< of the count
};

void repeat(Value table, const std::string& section, Context& context, const std::string* apart,
            std::vector<Value>& out) {
  const auto name_of = [&table]() -> const Value* {
    const Member* name = table.find("name");
    return name != nullptr && name->value.is_text() ? &name->value : nullptr;
  };
  const std::string owner =
      name_of() != nullptr ? fmt::format("{} \"{}\"", section, name_of()->text) : fmt::format("[[{}]]", section);
  Copies copies(table, owner, context);
  const Value* name = name_of();  // (after what is taken out: members move up)
  if (copies.number() > 1 && name != nullptr && name->text.find('{') == std::string::npos)
    throw InputError(name->where, fmt::format("{}: {} copies need different names; put the index into the name, "
                                              "as \"{}{}\"",
                                              owner, copies.number(), name->text, copies.in_a_name()));
  copies.make(table, apart, out);
}

}  // namespace

void fill_copy(Value& copy, Context& context, const std::string& owner) { Copy(context, owner).fill(copy); }

void expand_repetitions(Value& document, bool together) {
  const auto repeats = [](const Value& table) { return table.is_table() && table.find("count") != nullptr; };
  std::optional<Context> context;
  const Member* parameters = document.find("parameters");
  const std::string alone =
      together ? why_written_out(document) : "take `hstar run`, with no --set of a single contact";
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
        repeat(std::move(table), std::string(s.name), *context, alone.empty() && s.name == "contact" ? nullptr : &alone,
               all);
      else
        all.push_back(std::move(table));
    }
    m->value.items = std::move(all);
  }
}

}  // namespace hstar::model

// src/model/kept_pairs.cpp
#include "model/kept_pairs.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cctype>

#include "model/reader.hpp"

namespace hstar::model {
namespace {

/// Whether a text uses this name, in a formula or beside others.
bool uses(const std::string& text, const std::string& name) {
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !letter(text[at - 1])) && (end == text.size() || !letter(text[end]))) return true;
  }
  return false;
}

bool uses(const Value& value, const std::string& name) {
  return (value.is_text() && uses(value.text, name)) ||
         std::any_of(value.items.begin(), value.items.end(), [&](const Value& v) { return uses(v, name); }) ||
         std::any_of(value.members.begin(), value.members.end(), [&](const Member& m) { return uses(m.value, name); });
}

const Value* two_shapes(const Value& table) {
  const Member* between = table.find("between");
  return between != nullptr && between->value.is_array() && between->value.items.size() == 2 ? &between->value
                                                                                             : nullptr;
}

bool is_circle(const Value& shape) {
  const Member* word = shape.is_table() ? shape.find("shape") : nullptr;
  return word != nullptr && word->value.text == "circle";
}

/// "hit{i}_{j}" as parts with their formulas; none: a brace without its partner.
struct NamePart {
  std::string text, formula;
};
std::vector<NamePart> parts_of(const std::string& name) {
  std::vector<NamePart> parts;
  std::size_t at = 0;
  for (std::size_t open = name.find('{'); open != std::string::npos; open = name.find('{', at)) {
    const std::size_t close = name.find('}', open);
    if (close == std::string::npos) return {};
    parts.push_back({name.substr(at, open - at), name.substr(open + 1, close - open - 1)});
    at = close + 1;
  }
  parts.push_back({name.substr(at), {}});
  return parts;
}

}  // namespace

std::string why_written_out(const Value& document) {
  const Member* simulation = document.find("simulation");
  const auto setting = [&](const char* key) -> const Value* {
    const Member* m = simulation != nullptr && simulation->value.is_table() ? simulation->value.find(key) : nullptr;
    return m != nullptr ? &m->value : nullptr;
  };
  if (const Value* method = setting("integrator"); method == nullptr || method->text != "exact")
    return "set integrator = \"exact\" in [simulation]";
  if (const Value* islands = setting("islands");
      islands != nullptr && islands->kind == Value::Kind::boolean && !islands->boolean)
    return "leave out islands = false in [simulation]";
  if (const Member* dimension = document.find("dimension"); dimension != nullptr && dimension->value.number == 3)
    return "it must be planar";
  for (const char* other : {"joint", "force", "state", "guard", "measure", "controller", "system", "table"})
    if (const Member* m = document.find(other); m != nullptr && !(m->value.is_array() && m->value.items.empty()))
      return fmt::format("leave out [[{}]]", other);
  if (const Value* accelerations = setting("accelerations"); accelerations != nullptr && accelerations->boolean)
    return "leave out accelerations = true in [simulation]";
  return {};
}

std::string why_written_out(const Value& table, const std::string& first, const std::string& second) {
  const Value* between = two_shapes(table);
  if (between == nullptr || !is_circle(between->items[0]) || !is_circle(between->items[1]))
    return "give two circles in between";
  if (uses(between->items[0], second)) return fmt::format("the first shape must not depend on \"{}\"", second);
  if (uses(between->items[1], first)) return fmt::format("the second shape must not depend on \"{}\"", first);
  const Member* name = table.find("name");
  for (const Member& m : table.members)
    if (m.key != "name" && m.key != "between" && (uses(m.value, first) || uses(m.value, second)))
      return fmt::format("{} must be the same for all pairs", m.key);
  if (name == nullptr || !name->value.is_text()) return "give a name";
  // What stands between two numbers keeps the names apart.
  const std::vector<NamePart> parts = parts_of(name->value.text);
  bool has_first = false, has_second = false;
  for (std::size_t p = 0; p + 1 < parts.size(); ++p) {
    const bool of_first = parts[p].formula == first, of_second = parts[p].formula == second;
    has_first |= of_first;
    has_second |= of_second;
    if (!of_first && !of_second) return fmt::format("in the name write {{{}}} and {{{}}} alone", first, second);
    if (p > 0 && (parts[p].text.empty() || std::isdigit(static_cast<unsigned char>(parts[p].text.front())) != 0 ||
                  std::isdigit(static_cast<unsigned char>(parts[p].text.back())) != 0))
      return fmt::format("put a letter or _ between the numbers in the name, as {{{}}}_{{{}}}", first, second);
  }
  if (!has_first || !has_second) return fmt::format("put both indices into the name, as {{{}}}_{{{}}}", first, second);
  return {};
}

KeptPairs keep_pairs(const Value& table, const std::string& first, const std::string& second, long count,
                     Context& context, const std::string& owner) {
  KeptPairs kept;
  const Value& between = *two_shapes(table);
  for (int side = 0; side < 2; ++side)
    for (long k = 0; k < count; ++k) {
      Value shape = between.items[static_cast<std::size_t>(side)];
      shape.indices = {{side == 0 ? first : second, static_cast<double>(k)}};
      context.set_indices(shape.indices);
      fill_copy(shape, context, owner);
      (side == 0 ? kept.first : kept.second).push_back(std::move(shape));
    }
  context.set_indices({});
  kept.written = table.find("name")->value.text;
  for (const NamePart& part : parts_of(kept.written)) {
    kept.names.parts.push_back({part.text, part.formula.empty() ? -1 : part.formula == first ? 0 : 1});
    kept.names.numbers.emplace_back();
    for (long k = 0; k < count && !part.formula.empty(); ++k) kept.names.numbers.back().push_back(fmt::format("{}", k));
  }
  return kept;
}

// ---- [[contact]] whose copies stay together ---------------------------------------------------------

void Reader::pairs(const Value& first_copy, std::size_t number) {
  Value alone = first_copy;
  alone.pairs.reset();
  contact(alone, number);
  PairsSpec group;
  group.contact = std::move(spec_.contacts.back());
  spec_.contacts.pop_back();
  const KeptPairs& kept = *first_copy.pairs;
  group.contact.name = kept.written;
  group.names = kept.names;
  const std::string owner = "contact \"" + kept.written + "\"";
  for (std::size_t side = 0; side < 2; ++side)
    for (const Value& written : side == 0 ? kept.first : kept.second) {
      context_.set_indices(written.indices);
      (side == 0 ? group.first : group.second).push_back(shape(written, fmt::format("{}: between[{}]", owner, side)));
    }
  spec_.pairs.push_back(std::move(group));
}

}  // namespace hstar::model

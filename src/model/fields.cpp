// src/model/fields.cpp
#include "model/fields.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "model/nearest.hpp"

namespace hstar::model {
namespace {

/// The default of a key as a value: only numbers, pairs of numbers and words occur.
const Value& standard_value(const KeySpec& key) {
  // (Members of a sweep ask for the same again and again.)
  thread_local std::map<std::pair<std::string_view, std::string_view>, Value> known;
  const auto [at, is_new] = known.try_emplace({key.name, key.standard});
  if (!is_new) return at->second;
  if (key.kind == Kind::word || key.kind == Kind::text) {
    at->second.kind = Value::Kind::text;
    at->second.text = std::string(key.standard);
  } else {
    at->second = parse_override(std::string(key.name), std::string(key.standard));
  }
  return at->second;
}

/// What a formula takes a word for that stands alone.
enum class Meaning : unsigned char { name, constant, function };
Meaning meaning_of(const std::string& word) {
  constexpr std::size_t most_known = 4096;
  thread_local std::map<std::string, Meaning> known;
  if (const auto at = known.find(word); at != known.end()) return at->second;
  Meaning meaning = Meaning::function;
  try {
    meaning = Expression::compile(word, {}, {}).is_constant() ? Meaning::constant : Meaning::name;
  } catch (const InputError&) {  // (a function without its parentheses)
  }
  if (known.size() >= most_known) known.clear();
  return known.emplace(word, meaning).first->second;
}
}  // namespace

void check_name(const std::string& name, const Location& where, const std::string& owner, NameUse use) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto allowed = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  if (name.empty() || !letter(name.front()) || !std::all_of(name.begin(), name.end(), allowed))
    throw InputError(where, fmt::format("{}: the name \"{}\" must be a letter or _ followed by letters, digits and _, "
                                        "so that formulas can use it",
                                        owner, name));
  if (use == NameUse::element) {
    if (name == "ground")
      throw InputError(where,
                       fmt::format("{}: the name \"ground\" is reserved (the fixed body); choose another", owner));
    return;
  }
  if (use == NameUse::column) return;
  const Meaning alone = meaning_of(name);
  const char* meaning = name == "t"                                           ? "time"
                        : name == "pi"                                        ? "a constant"
                        : alone == Meaning::constant && use == NameUse::state ? "a constant"
                        : name == "energy" && use == NameUse::state           ? "the mechanical energy"
                        : name == "length"                                    ? "the length of a spring"
                        : name == "rate"                                      ? "the rate of a spring's length"
                        : alone == Meaning::function                          ? "a function"
                                                                              : nullptr;
  if (meaning != nullptr)
    throw InputError(where, fmt::format("{}: the name \"{}\" is reserved ({}); choose another", owner, name, meaning));
}

Fields::Fields(Context& context, const SectionSpec& spec, const Value& table, std::string owner)
    : context_(context), spec_(spec), table_(table), owner_(std::move(owner)) {
  if (!table.is_table())
    throw InputError(table.where, fmt::format("{} = {} must be a table; write {}", owner_, table.shown(), spec.header));
  const std::vector<std::string> names = spec.key_names();
  for (const Member& m : table.members) {
    const KeySpec* key = spec.find(m.key);
    if (key == nullptr)
      throw InputError(
          m.where, fmt::format("{}: unknown key \"{}\"; {}", owner_, m.key, suggestion(m.key, names, "known keys")));
    if (m.key != key->name && table.find(key->name) != nullptr)
      throw InputError(m.where, fmt::format("{}: {} and {} are the same; give one of them", owner_, m.key, key->name));
  }
}

void Fields::check_for(std::string_view type) {
  for (const Member& m : table_.members) {
    const KeySpec& key = *spec_.find(m.key);
    if (key.types.empty() || contains_word(key.types, type)) continue;
    std::vector<std::string> usable;
    for (const KeySpec& k : spec_.keys)
      if (k.types.empty() || contains_word(k.types, type)) usable.emplace_back(k.name);
    const std::string what =
        spec_.type_key.empty() ? fmt::format("a {} {}", type, spec_.name) : fmt::format("{} {}", spec_.type_key, type);
    throw InputError(m.where,
                     fmt::format("{}: \"{}\" does not apply to {}; it has {}", owner_, m.key, what, joined(usable)));
  }
  for (const KeySpec& key : spec_.keys)
    if (key.standard == required && (key.types.empty() || contains_word(key.types, type)) && !has(key.name))
      missing(key.name);
}

const KeySpec& Fields::spec(std::string_view key) const { return spec_.at(key); }

const Value* Fields::find(std::string_view key) const {
  const KeySpec& k = spec(key);
  const Member* m = table_.find(k.name);
  if (m == nullptr && !k.alias.empty()) m = table_.find(k.alias);
  return m == nullptr ? nullptr : &m->value;
}

Location Fields::where(std::string_view key) const {
  const Value* v = find(key);
  return v == nullptr ? table_.where : v->where;
}

std::string Fields::label(const KeySpec& key) const { return fmt::format("{}: {}", owner_, key.name); }

void Fields::fail_at(const Location& where, const KeySpec& key, const std::string& value,
                     const std::string& problem) const {
  throw InputError(where, refusal(owner_, key, value, problem));
}

void Fields::fail_part(const Value& part, const KeySpec& key, std::string_view index, std::string_view problem) const {
  KeySpec of = key;
  const std::string name = fmt::format("{}{}", key.name, index);
  of.name = name;
  throw InputError(part.where, refusal(owner_, of, part.shown(), problem));
}

void Fields::fail(std::string_view key, const std::string& problem) const {
  const Value* v = find(key);
  fail_at(where(key), spec(key), v == nullptr ? std::string(spec(key).standard) : v->shown(), problem);
}

void Fields::fail_plainly(std::string_view key, const std::string& message) const {
  throw InputError(where(key), fmt::format("{}: {}", owner_, message));
}

void Fields::missing(std::string_view key) const {
  const KeySpec& k = spec(key);
  throw InputError(table_.where, missing_text(owner_, k));
}

std::string Fields::text(std::string_view key) const {
  const KeySpec& k = spec(key);
  const Value* v = find(key);
  if (v == nullptr) return k.standard == required ? (missing(key), "") : std::string(k.standard);
  if (!v->is_text()) fail_at(v->where, k, v->shown(), "must be text in quotes");
  if (std::any_of(v->text.begin(), v->text.end(), [](char c) { return c == '\n' || c == '\r'; }))
    fail_at(v->where, k, v->shown(), "must be one line");
  return v->text;
}

std::string Fields::name(NameUse use) const {
  const std::string given = text("name");
  check_name(given, where("name"), owner_, use);
  return given;
}

std::string Fields::word(std::string_view key) const {
  const KeySpec& k = spec(key);
  const std::string given = text(key);
  if (k.choices.empty() || !has(key)) return given;
  if (const std::string problem = word_refusal(owner_, k, given); !problem.empty())
    throw InputError(where(key), problem);
  return given;
}

bool Fields::boolean(std::string_view key) const {
  const Value* v = find(key);
  if (v == nullptr) return spec(key).standard == "true";
  if (v->kind != Value::Kind::boolean) fail_at(v->where, spec(key), v->shown(), "must be true or false");
  return v->boolean;
}

void Fields::check_is_number(const KeySpec& key, const Value& value, std::string_view index) const {
  if (value.is_text() || (value.is_number() && std::isfinite(value.number))) return;
  const char* finite = value.is_number() ? "finite " : "";
  fail_part(value, key, index, fmt::format("must be a {}number or a formula in quotes", finite));
}

double Fields::checked_number(const KeySpec& key, const Value& value) const {
  check_is_number(key, value);
  const double x = context_.constant(value, label(key));
  const std::string shown = value.is_text() ? fmt::format("{} = {}", value.shown(), x) : value.shown();
  if (const std::string problem = number_refusal(owner_, key, x, shown); !problem.empty())
    throw InputError(value.where, problem);
  return x;
}

std::optional<double> Fields::maybe_number(std::string_view key) const {
  const KeySpec& k = spec(key);
  if (const Value* v = find(key)) return checked_number(k, *v);
  if (k.standard == required) missing(key);
  return std::nullopt;
}

double Fields::number(std::string_view key) const {
  const std::optional<double> given = maybe_number(key);
  return given ? *given : standard_value(spec(key)).number;
}

long Fields::integer(std::string_view key) const {
  const double x = number(key);
  if (x != std::floor(x) || std::abs(x) > 1e15) fail(key, "must be a whole number");
  return static_cast<long>(x);
}

Vec2 Fields::checked_pair(const KeySpec& key, const Value& value, const std::string& index, bool infinite) const {
  if (!value.is_array() || value.items.size() != 2) fail_part(value, key, index, "must be a pair [x, y]");
  Vec2 p{};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string position = fmt::format("{}[{}]", index, i);
    const Value& item = value.items[i];
    const bool endless = (item.is_number() && std::isinf(item.number)) || item.text == "inf" || item.text == "-inf";
    if (infinite && endless) {
      p[i] = item.is_number() ? item.number : item.text == "inf" ? HUGE_VAL : -HUGE_VAL;
      continue;
    }
    check_is_number(key, value.items[i], position);
    p[i] = context_.constant(value.items[i], label(key) + position);
  }
  return p;
}

Vec2 Fields::pair(std::string_view key) const {
  const KeySpec& k = spec(key);
  const Value* v = find(key);
  return checked_pair(k, v != nullptr ? *v : standard_value(k));
}

Vec2 Fields::bounds(std::string_view key) const { return checked_pair(spec(key), *find(key), {}, true); }

Vec2 Fields::direction(std::string_view key) const {
  const Vec2 p = pair(key);
  const double length = std::hypot(p[0], p[1]);
  if (!(length > 0.0)) fail(key, "must not be of zero length");
  return {p[0] / length, p[1] / length};
}

Vec3 Fields::checked_triple(const KeySpec& key, const Value& value, const std::string& index) const {
  if (!value.is_array() || value.items.size() != 3) fail_part(value, key, index, "must be three numbers [x, y, z]");
  Vec3 p{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string position = fmt::format("{}[{}]", index, i);
    check_is_number(key, value.items[i], position);
    p[i] = context_.constant(value.items[i], label(key) + position);
  }
  return p;
}

Vec3 Fields::triple(std::string_view key) const {
  const KeySpec& k = spec(key);
  const Value* v = find(key);
  return checked_triple(k, v != nullptr ? *v : standard_value(k));
}

Vec3 Fields::direction3(std::string_view key) const {
  const Vec3 p = triple(key);
  const double length = std::hypot(p[0], p[1], p[2]);
  if (!(length > 0.0)) fail(key, "must not be of zero length");
  return {p[0] / length, p[1] / length, p[2] / length};
}

std::vector<Vec3> Fields::triples(std::string_view key) const {
  const KeySpec& k = spec(key);
  const Value* v = find(key);
  if (v == nullptr) missing(key);
  if (!v->is_array() || v->items.empty()) fail_at(v->where, k, v->shown(), "must be a list [[x, y, z], ...]");
  std::vector<Vec3> all;
  for (std::size_t i = 0; i < v->items.size(); ++i)
    all.push_back(checked_triple(k, v->items[i], fmt::format("[{}]", i)));
  return all;
}

Mat3 Fields::tensor(std::string_view key) const {
  const Value* v = find(key);
  if (v == nullptr) missing(key);
  if (!v->is_array() || v->items.size() != 3) fail(key, "must be [a, b, c] or three rows [[..], [..], [..]]");
  if (v->items[0].is_array()) {
    const std::vector<Vec3> rows = triples(key);
    return {rows[0], rows[1], rows[2]};
  }
  const Vec3 d = triple(key);
  return {Vec3{d[0], 0, 0}, Vec3{0, d[1], 0}, Vec3{0, 0, d[2]}};
}

std::vector<double> Fields::numbers(std::string_view key) const {
  const KeySpec& k = spec(key);
  const Value* v = find(key);
  std::vector<double> all;
  if (v == nullptr) return all;
  if (!v->is_array() || v->items.empty()) fail_at(v->where, k, v->shown(), "must be a list [a, b, ...]");
  for (std::size_t i = 0; i < v->items.size(); ++i) {
    const std::string position = fmt::format("[{}]", i);
    check_is_number(k, v->items[i], position);
    all.push_back(context_.constant(v->items[i], label(k) + position));
  }
  return all;
}

std::vector<Vec2> Fields::pairs(std::string_view key) const {
  const KeySpec& k = spec(key);
  const Value* given = find(key);
  const Value fallback = given == nullptr ? standard_value(k) : Value{};
  const Value& v = given != nullptr ? *given : fallback;
  if (!v.is_array() || v.items.empty()) fail_at(v.where, k, v.shown(), "must be a list of pairs [[a, b], ...]");
  std::vector<Vec2> all;
  for (std::size_t i = 0; i < v.items.size(); ++i) all.push_back(checked_pair(k, v.items[i], fmt::format("[{}]", i)));
  return all;
}

Expression Fields::checked_formula(const KeySpec& key, const Value& value, Scope scope) const {
  check_is_number(key, value);
  Expression formula = context_.compile(value, label(key));
  if (formula.is_constant() && !key.range.contains(formula.constant_value()))
    static_cast<void>(checked_number(key, value));
  context_.uses.push_back({formula, scope, label(key)});
  return formula;
}

std::optional<Expression> Fields::maybe_formula(std::string_view key) const {
  const KeySpec& k = spec(key);
  if (const Value* v = find(key)) return checked_formula(k, *v, k.scope);
  if (k.standard == required) missing(key);
  return std::nullopt;
}

Expression Fields::formula(std::string_view key) const {
  const std::optional<Expression> given = maybe_formula(key);
  return given ? *given : Expression::constant(standard_value(spec(key)).number);
}

std::array<Expression, 2> Fields::formulas(std::string_view key, Scope scope) const {
  const KeySpec& k = spec(key);
  const Value* v = find(key);
  if (v == nullptr) return {};
  if (!v->is_array() || v->items.size() != 2) fail_at(v->where, k, v->shown(), "must be a pair [x, y]");
  return {checked_formula(k, v->items[0], scope), checked_formula(k, v->items[1], scope)};
}

std::array<Expression, 3> Fields::formulas3(std::string_view key, Scope scope) const {
  const KeySpec& k = spec(key);
  const Value* v = find(key);
  if (v == nullptr) return {};
  if (!v->is_array() || v->items.size() != 3) fail_at(v->where, k, v->shown(), "must be three formulas [x, y, z]");
  return {checked_formula(k, v->items[0], scope), checked_formula(k, v->items[1], scope),
          checked_formula(k, v->items[2], scope)};
}

std::vector<std::string> Fields::body_pair(std::string_view key) const {
  const Value* v = find(key);
  if (v == nullptr) missing(key);
  const bool good = v->is_array() && v->items.size() == 2 && v->items[0].is_text() && v->items[1].is_text();
  if (!good) fail(key, "must be two names of bodies [\"a\", \"b\"]");
  return {v->items[0].text, v->items[1].text};
}

std::array<const Value*, 2> Fields::two_tables(std::string_view key) const {
  const Value* v = find(key);
  if (v == nullptr) missing(key);
  const bool good = v->is_array() && v->items.size() == 2 && v->items[0].is_table() && v->items[1].is_table();
  if (!good) fail(key, "must be two tables [{ ... }, { ... }]");
  return {v->items.data(), v->items.data() + 1};
}

}  // namespace hstar::model

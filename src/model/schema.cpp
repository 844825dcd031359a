// src/model/schema.cpp: the key tables as JSON Schema.
#include <fmt/core.h>
#include <algorithm>
#include <cmath>

#include "hstar/model_reference.hpp"
#include "model/keys.hpp"
#include "model/nearest.hpp"
#include "model/resolve.hpp"

namespace hstar {
namespace {

using model::KeySpec;
using model::Kind;
using model::SectionSpec;
using model::Value;

Value text(std::string_view s) {
  Value v;
  v.kind = Value::Kind::text;
  v.text = s;
  return v;
}

Value boolean(bool b) {
  Value v;
  v.kind = Value::Kind::boolean;
  v.boolean = b;
  return v;
}

Value number(double x) {
  Value v;
  v.kind = Value::Kind::number;
  v.number = x;
  return v;
}

Value list(std::vector<Value> items) {
  Value v;
  v.kind = Value::Kind::array;
  v.items = std::move(items);
  return v;
}

Value table(std::vector<model::Member> members) {
  Value v;
  v.members = std::move(members);
  return v;
}

model::Member member(std::string_view key, Value value) { return {std::string(key), {}, std::move(value)}; }

Value of_type(const char* type) { return table({member("type", text(type))}); }

Value reference(std::string_view section) {
  return table({member("$ref", text(fmt::format("#/definitions/{}", section)))});
}

Value list_of(Value item, double least, double most) {
  Value v = table({member("type", text("array")), member("items", std::move(item)), member("minItems", number(least))});
  if (std::isfinite(most)) v.members.push_back(member("maxItems", number(most)));
  return v;
}

/// A number in its range, or a formula as text.
Value number_or_text(const KeySpec& key) {
  Value plain = of_type("number");
  if (std::isfinite(key.range.low))
    plain.members.push_back(member(key.range.above ? "exclusiveMinimum" : "minimum", number(key.range.low)));
  if (std::isfinite(key.range.high)) plain.members.push_back(member("maximum", number(key.range.high)));
  return table({member("anyOf", list({std::move(plain), of_type("string")}))});
}

Value type_of(const SectionSpec& section, const KeySpec& key) {
  constexpr double any_number = INFINITY;
  const Value entry = table({member("type", list({text("number"), text("string")}))});
  switch (key.kind) {
    case Kind::text:
    case Kind::name:
    case Kind::body:
      return of_type("string");
    case Kind::word: {
      if (key.choices.empty()) return of_type("string");
      std::vector<Value> words;
      for (const std::string& word : words_of(key.choices)) words.push_back(text(word));
      return table({member("enum", list(std::move(words)))});
    }
    case Kind::boolean:
      return of_type("boolean");
    case Kind::integer:
    case Kind::number:
    case Kind::formula:
      return number_or_text(key);
    case Kind::pair:
    case Kind::bounds:
    case Kind::formulas:
      return list_of(entry, 2, 2);
    case Kind::vector:
      return list_of(entry, 2, 3);
    case Kind::triple:
    case Kind::formulas3:
      return list_of(entry, 3, 3);
    case Kind::triples:
      return list_of(list_of(entry, 3, 3), 1, any_number);
    case Kind::tensor:
      return table({member("anyOf", list({list_of(entry, 3, 3), list_of(list_of(entry, 3, 3), 3, 3)}))});
    case Kind::texts:
      return list_of(of_type("string"), 1, any_number);
    case Kind::numbers:
    case Kind::formula_list:
      return list_of(entry, 1, any_number);
    case Kind::matrix:
      return list_of(list_of(entry, 1, any_number), 1, any_number);
    case Kind::pairs:
      return list_of(list_of(entry, 2, 2), 1, any_number);
    case Kind::bodies:
      return list_of(of_type("string"), 2, 2);
    case Kind::table:
      return reference(model::sub_section(section, key.name)->name);
    case Kind::tables:
      return list_of(reference(model::sub_section(section, key.name)->name), 2, 2);
    case Kind::resets:
      return table({member("type", text("object")), member("additionalProperties", entry)});
  }
  return {};
}

Value property(const SectionSpec& section, const KeySpec& key) {
  Value v = type_of(section, key);
  std::string about(key.about);
  if (!key.unit.empty()) about += fmt::format(" [{}]", key.unit);
  if (!key.standard.empty() && key.standard != model::required) about += fmt::format("; default {}", key.standard);
  if (!key.types.empty()) about += "; for " + joined(words_of(key.types), ", ");
  v.members.insert(v.members.begin(), member("description", text(about)));
  return v;
}

bool has_type(const KeySpec& key, const std::string& type) {
  const auto types = words_of(key.types);
  return types.empty() || std::find(types.begin(), types.end(), type) != types.end();
}

/// What holds for elements of one type: its required keys are there, keys of other types are not.
Value rules_of(const SectionSpec& section, const std::string& type, Value condition) {
  std::vector<Value> needed;
  std::vector<model::Member> others;
  for (const KeySpec& key : section.keys) {
    if (key.types.empty()) continue;
    if (!has_type(key, type))
      others.push_back(member(key.name, boolean(false)));
    else if (key.standard == model::required)
      needed.push_back(text(key.name));
  }
  Value then;
  if (!needed.empty()) then.members.push_back(member("required", list(std::move(needed))));
  if (!others.empty()) then.members.push_back(member("properties", table(std::move(others))));
  return table({member("if", std::move(condition)), member("then", std::move(then))});
}

Value definition(const SectionSpec& section) {
  std::vector<model::Member> properties;
  std::vector<Value> needed, rules;
  for (const KeySpec& key : section.keys) {
    properties.push_back(member(key.name, property(section, key)));
    if (!key.alias.empty()) properties.push_back(member(key.alias, property(section, key)));
    if (key.types.empty() && key.standard == model::required) needed.push_back(text(key.name));
  }
  if (section.repeated || section.name.starts_with("spatial_")) {  // copies
    properties.push_back(member("count", table({member("description", text("the number of copies of this element")),
                                                member("type", list({text("number"), text("string")}))})));
    properties.push_back(member("index", table({member("description", text("the name of the copies' index; default i")),
                                                member("type", text("string"))})));
    properties.push_back(
        member("partner", table({member("description", text("a second index: a copy for every pair, index < partner")),
                                 member("type", text("string"))})));
  }
  if (section.name == "body" || section.name == "spatial_body") {
    const Value moved = table({member("required", list({text("motion")}))});
    rules.push_back(rules_of(section, "prescribed", moved));
    const Value free = table({member("not", moved)});
    rules.push_back(rules_of(section, "free", free));
    const Value has_mass = table({member("required", list({text("mass")}))});
    const Value has_shape = table({member("required", list({text("shape"), text("density")}))});
    rules.push_back(table({member("if", free), member("then", table({member("oneOf", list({has_mass, has_shape}))}))}));
  } else if (!section.type_key.empty()) {
    const KeySpec& key = *section.find(section.type_key);
    for (const std::string& type : words_of(key.choices)) {
      Value condition = table({member("properties", table({member(key.name, table({member("const", text(type))}))}))});
      if (type != key.standard) condition.members.push_back(member("required", list({text(key.name)})));
      rules.push_back(rules_of(section, type, std::move(condition)));
    }
  }
  Value v = table({member("description", text(section.about)), member("type", text("object")),
                   member("properties", table(std::move(properties))), member("additionalProperties", boolean(false))});
  if (!needed.empty()) v.members.push_back(member("required", list(std::move(needed))));
  if (!rules.empty()) v.members.push_back(member("allOf", list(std::move(rules))));
  return v;
}

/// The elements of planar (spatial = false) or of spatial models.
Value elements(bool spatial) {
  std::vector<model::Member> properties;
  for (const SectionSpec& section : model::sections()) {
    const SectionSpec& other = model::spatial_section(section.name);
    if (&other == &section || !section.repeated || section.header.front() != '[') continue;
    const std::string_view name = spatial ? other.name : section.name;
    properties.push_back(member(section.name, table({member("items", reference(name))})));
  }
  return table({member("properties", table(std::move(properties)))});
}

/// Elements are those of the plane or of space, as the model's dimension says.
std::vector<model::Member> by_dimension() {
  Value three = table({member("dimension", table({member("const", number(3))}))});
  Value is_spatial = table({member("properties", std::move(three)), member("required", list({text("dimension")}))});
  return {member("if", std::move(is_spatial)), member("then", elements(true)), member("else", elements(false))};
}

/// An element of a repeated section, whose keys depend on the dimension if there is a spatial form of it.
Value element_of(const SectionSpec& section) {
  return &model::spatial_section(section.name) == &section ? reference(section.name) : of_type("object");
}

}  // namespace

std::string model_schema_json() {
  std::vector<model::Member> properties, definitions;
  for (const SectionSpec& section : model::sections()) {
    if (section.name == "model") {
      for (const KeySpec& key : section.keys) properties.push_back(member(key.name, property(section, key)));
    } else if (section.name == "parameters") {
      properties.push_back(member(
          section.name,
          table({member("description", text(section.about)), member("type", text("object")),
                 member("additionalProperties", table({member("type", list({text("number"), text("string")}))}))})));
    } else {
      if (section.header.front() == '[')
        properties.push_back(member(
            section.name, section.repeated ? list_of(element_of(section), 1, INFINITY) : reference(section.name)));
      definitions.push_back(member(section.name, definition(section)));
    }
  }
  Value schema = table(
      {member("$schema", text("http://json-schema.org/draft-07/schema#")), member("title", text("hstar model file")),
       member("type", text("object")), member("properties", table(std::move(properties))),
       member("additionalProperties", boolean(false)), member("required", list({text("simulation")}))});
  for (model::Member& rule : by_dimension()) schema.members.push_back(std::move(rule));
  schema.members.push_back(member("definitions", table(std::move(definitions))));
  return model::json_text(schema) + "\n";
}

}  // namespace hstar

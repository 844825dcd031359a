// src/model/keys.hpp
//
// Every key a model file may have: name, what it holds, unit, range, default, one line about it.
// This table drives reading, range checks, "did you mean", overrides and the printed reference.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hstar::model {

/// What a key holds.
enum class Kind : unsigned char {
  text,  ///< any string
  name,  ///< a new name
  word,  ///< one of `choices`
  boolean,
  integer,
  number,        ///< a number or a constant formula
  pair,          ///< [x, y] of numbers
  bounds,        ///< [lo, hi] of numbers, inf and -inf among them
  vector,        ///< [x, y], in space [x, y, z]
  triple,        ///< [x, y, z] of numbers
  triples,       ///< [[x, y, z], ...]
  numbers,       ///< [a, b, ...]
  texts,         ///< ["a", "b", ...]
  matrix,        ///< [[a, b, ...], ...]
  formula_list,  ///< [a, b, ...] of formulas
  pairs,         ///< [[a, b], ...]
  tensor,        ///< [a, b, c] or three rows of three
  formula,       ///< a number or a formula
  formulas,      ///< [x, y] of formulas
  formulas3,     ///< [x, y, z] of formulas
  body,          ///< the name of a body, or "ground"
  bodies,        ///< two of them
  table,         ///< a sub-table with its own keys
  tables,        ///< two sub-tables
  resets         ///< state = formula
};

/// What a formula may use besides parameters.
enum class Scope : unsigned char {
  constant,  ///< nothing
  time,      ///< t
  place,     ///< t and the coordinates x, y, angle of bodies
  measured,  ///< t, states, positions and velocities of bodies, lengths of springs
  element,   ///< the same, and the element's own `length` and `rate`
  reaction   ///< the same as measured, and accelerations, forces, gaps, energy
};

struct Range {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool above = false;  ///< low itself is excluded
  [[nodiscard]] bool contains(double x) const { return (above ? x > low : x >= low) && x <= high; }
  [[nodiscard]] std::string text() const;  ///< "> 0", "in [0, 1]", "" if unbounded
};
inline constexpr Range any{};
inline constexpr Range positive{.low = 0.0, .above = true};
inline constexpr Range not_negative{.low = 0.0};

/// `standard` of a key that has to be given, and of one that may be left out without a default.
inline constexpr std::string_view required = "required", optional = "";

struct KeySpec {
  std::string_view name{};
  Kind kind = Kind::text;
  Scope scope = Scope::constant;
  std::string_view unit{};  ///< "" = none
  Range range{};
  std::string_view standard{};  ///< default as written in a file, or `required`, or `optional`
  std::string_view types{};     ///< element types (laws, shapes) that have the key; "" = all
  std::string_view choices{};   ///< `word`: the words
  std::string_view about{};     ///< reads after "give": "the mass"
  std::string_view alias{};     ///< another name for the same key
};

struct SectionSpec {
  std::string_view name;      ///< "body"
  std::string_view header;    ///< as written: "[[body]]", or "friction = { ... }"
  bool repeated;              ///< [[...]], addressed by name
  std::string_view type_key;  ///< the key whose word `KeySpec::types` is about, or ""
  std::string_view about;
  std::span<const KeySpec> keys;

  [[nodiscard]] const KeySpec* find(std::string_view key) const;  ///< by name or alias
  [[nodiscard]] const KeySpec& at(std::string_view key) const;    ///< of a key that is in the table
  [[nodiscard]] std::vector<std::string> key_names() const;       ///< without aliases
};

/// Top of the file, then all sections in the order of the reference.
[[nodiscard]] std::span<const SectionSpec> sections();
[[nodiscard]] const SectionSpec& section(std::string_view name);
/// The same section in a model with dimension = 3: of bodies, joints, forces and contacts another one.
[[nodiscard]] const SectionSpec& spatial_section(std::string_view name);
/// The section a key of kind table/tables holds ("friction", "motion", "shape", "end"), or nullptr.
[[nodiscard]] const SectionSpec* sub_section(const SectionSpec& parent, std::string_view key);

[[nodiscard]] bool contains_word(std::string_view list, std::string_view word);  ///< words separated by spaces

// What is wrong with the value of a key, in the same words for a model file and for a model made in a program. `owner`
// stands in front: body "sled".

/// `owner: key = value <problem>; give <about>`
[[nodiscard]] std::string refusal(std::string_view owner, const KeySpec& key, std::string_view value,
                                  std::string_view problem);
/// Of a number, with its unit: `must be > 0`. "" if it is finite and in the key's range. `shown`: as it was written.
[[nodiscard]] std::string number_refusal(std::string_view owner, const KeySpec& key, double value,
                                         std::string_view shown);
/// `owner: key is missing; give <about>`
[[nodiscard]] std::string missing_text(std::string_view owner, const KeySpec& key);
/// `owner: key = "value" is unknown; ...`. "" if it is one of the key's choices, or the key has none.
[[nodiscard]] std::string word_refusal(std::string_view owner, const KeySpec& key, const std::string& value);

}  // namespace hstar::model

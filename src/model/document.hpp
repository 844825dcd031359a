// src/model/document.hpp
//
// A model file as a tree of values that know their places, in the order of the file. The only part
// of the reader that knows TOML is document.cpp; overrides are put into this tree before it is read.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hstar/error.hpp"
#include "model/copy_index.hpp"

namespace hstar::model {

struct Member;
struct KeptPairs;

struct Value {
  enum class Kind : unsigned char { boolean, integer, number, text, array, table, date };
  Kind kind = Kind::table;
  Location where;  ///< of the value; of a string's first character inside the quotes for `text`
  bool boolean = false;
  long long integer = 0;
  double number = 0.0;  ///< also of an integer
  std::string text;
  std::vector<Value> items;
  std::vector<Member> members;
  CopyIndices indices;                     ///< of a copy made by `count`
  std::shared_ptr<const KeptPairs> pairs;  ///< of the first copy of a section whose others are not written out

  [[nodiscard]] bool is_table() const { return kind == Kind::table; }
  [[nodiscard]] bool is_array() const { return kind == Kind::array; }
  [[nodiscard]] bool is_text() const { return kind == Kind::text; }
  [[nodiscard]] bool is_number() const { return kind == Kind::integer || kind == Kind::number; }
  [[nodiscard]] const Member* find(std::string_view key) const;
  [[nodiscard]] Member* find(std::string_view key);
  /// As a user would write it, shortened: 3.5, "2*mu", [1, 2], {...}.
  [[nodiscard]] std::string shown() const;
};

struct Member {
  std::string key;
  Location where;  ///< of the key
  Value value;
};

/// @throws InputError at the place of the mistake if `text` is not TOML.
[[nodiscard]] Value parse_document(const std::string& text, const std::string& name);

/// The value of an override: what TOML makes of the text, else the text itself (a formula, a word).
/// Its place is `--set path=value`, without a line.
[[nodiscard]] Value parse_override(const std::string& path, const std::string& text);

}  // namespace hstar::model

// src/model/formula_text.hpp
//
// The text of a formula that is compiled, and what is said of a place in it. Places are bytes of the text.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "hstar/expression.hpp"
#include "model/excerpt.hpp"

namespace hstar {

struct FormulaText {
  std::string_view text;  ///< of a named formula, while it is read in the place of its name
  const Location& where;
  std::string_view owner;
  int depth = 0;

  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  /// Characters (not bytes) before byte `end` of UTF-8 text: columns are counted in characters.
  [[nodiscard]] int characters_before(std::size_t end) const {
    return static_cast<int>(std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end),
                                          [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  }
  [[noreturn]] void fail(std::size_t byte, const std::string& message) const {
    Location place = where;
    if (place.line > 0) place.column += characters_before(byte);
    throw InputError(place, fmt::format("{}formula \"{}\": {}", owner.empty() ? "" : std::string(owner) + ": ",
                                        model::excerpt(text, byte), message));
  }
  /// The word, or the character, that stands there.
  [[nodiscard]] std::string_view symbol(std::size_t token) const {
    std::size_t end = token;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    return text.substr(token, std::max<std::size_t>(end - token, 1));
  }
};

/// Bounds the recursion of the parser, so that no text can overflow the stack.
class FormulaDepth {
 public:
  FormulaDepth(FormulaText& formula, std::size_t at) : formula_(formula) {
    if (++formula.depth > 200) formula.fail(at, "the formula is nested more than 100 levels deep; split it");
  }
  ~FormulaDepth() { --formula_.depth; }
  FormulaDepth(const FormulaDepth&) = delete;
  FormulaDepth& operator=(const FormulaDepth&) = delete;

 private:
  FormulaText& formula_;
};

}  // namespace hstar

// src/model/json_document.cpp
//
// A recursive descent over the text. Written here because the messages need the place of every value, which the
// usual libraries do not keep.
#include "model/json_document.hpp"

#include <fmt/core.h>
#include <charconv>
#include <cmath>

namespace hstar::model {
namespace {

class Json {
 public:
  Json(std::string_view text, const std::string& name) : text_(text), name_(name) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  Value document() {
    Value v = value(0);
    skip_space();
    if (at_ < text_.size()) fail("there is text behind the end of the model");
    return v;
  }

 private:
  static constexpr int deepest = 100;

  [[nodiscard]] Location place() const { return {name_, line_, column_}; }
  [[noreturn]] void fail(const std::string& why) const { throw InputError(place(), "not valid JSON: " + why); }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  char take() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++line_;
      column_ = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++column_;
    }
    return c;
  }

  void skip_space() {
    while (at_ < text_.size() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) take();
  }

  void expect(char c, const char* where) {
    skip_space();
    if (at_ >= text_.size()) fail(fmt::format("the text ends where '{}' is expected {}", c, where));
    if (peek() != c) fail(fmt::format("'{}' is expected {}", c, where));
    take();
  }

  Value value(int depth) {
    if (depth > deepest) fail("nested too deeply");
    skip_space();
    Value v;
    v.where = place();
    switch (peek()) {
      case '{':
        members(v, depth);
        return v;
      case '[':
        items(v, depth);
        return v;
      case '"':
        v.kind = Value::Kind::text;
        ++v.where.column;  // the first character inside the quotes, as for TOML
        v.text = string();
        return v;
      default:
        return word(std::move(v));
    }
  }

  void members(Value& v, int depth) {
    v.kind = Value::Kind::table;
    take();
    skip_space();
    if (peek() == '}') {
      take();
      return;
    }
    for (;;) {
      skip_space();
      Member m;
      m.where = place();
      if (peek() != '"') fail("a name in double quotes is expected");
      m.key = string();
      if (v.find(m.key) != nullptr)
        throw InputError(m.where, fmt::format("\"{}\" is given twice; give it once", m.key));
      expect(':', "behind a name");
      m.value = value(depth + 1);
      v.members.push_back(std::move(m));
      skip_space();
      if (peek() != ',') break;
      take();
    }
    expect('}', "(or a comma)");
  }

  void items(Value& v, int depth) {
    v.kind = Value::Kind::array;
    take();
    skip_space();
    if (peek() == ']') {
      take();
      return;
    }
    for (;;) {
      v.items.push_back(value(depth + 1));
      skip_space();
      if (peek() != ',') break;
      take();
    }
    expect(']', "(or a comma)");
  }

  std::string string() {
    take();
    std::string s;
    while (at_ < text_.size() && peek() != '"') {
      if (static_cast<unsigned char>(peek()) < 0x20) fail("a string must end on its line");
      const char c = take();
      if (c != '\\') {
        s += c;
        continue;
      }
      if (at_ >= text_.size()) break;
      const char escaped = take();
      constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
      if (const auto i = letters.find(escaped); i != std::string_view::npos)
        s += meanings[i];
      else if (escaped == 'u')
        unicode(s);
      else
        fail("unknown escape in a string");
    }
    if (at_ >= text_.size()) fail("the text ends inside a string");
    take();
    return s;
  }

  unsigned four_digits() {
    unsigned code = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + std::min(at_ + 4, text_.size()), code, 16);
    if (error != std::errc() || end != text_.data() + at_ + 4) fail("\\u needs four hexadecimal digits");
    for (int i = 0; i < 4; ++i) take();
    return code;
  }

  void unicode(std::string& s) {
    unsigned code = four_digits();
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
      take();
      take();
      const unsigned low = four_digits();
      if (low < 0xDC00 || low > 0xDFFF) fail("half a pair of \\u escapes");
      code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
    } else if (code >= 0xD800 && code < 0xE000) {
      fail("half a pair of \\u escapes");
    }
    const auto byte = [&s](unsigned b) { s += static_cast<char>(b); };
    if (code < 0x80) {
      byte(code);
    } else if (code < 0x800) {
      byte(0xC0U | code >> 6U);
      byte(0x80U | (code & 0x3FU));
    } else {
      if (code < 0x10000) {
        byte(0xE0U | code >> 12U);
      } else {
        byte(0xF0U | code >> 18U);
        byte(0x80U | (code >> 12U & 0x3FU));
      }
      byte(0x80U | (code >> 6U & 0x3FU));
      byte(0x80U | (code & 0x3FU));
    }
  }

  Value word(Value v) {
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '+' ||
                                  text_[end] == '-' || text_[end] == '.'))
      ++end;
    const std::string_view given = text_.substr(at_, end - at_);
    if (given == "true" || given == "false") {
      v.kind = Value::Kind::boolean;
      v.boolean = given == "true";
    } else if (given == "null") {
      fail("null has no meaning in a model; leave the name out");
    } else if (given.empty()) {
      fail(at_ < text_.size() ? "a value is expected" : "the text ends where a value is expected");
    } else {
      const std::size_t digit = given.front() == '-' ? 1 : 0;
      const auto [stop, error] = std::from_chars(given.data(), given.data() + given.size(), v.number);
      if (error != std::errc() || stop != given.data() + given.size() || !std::isfinite(v.number) ||
          digit >= given.size() || std::isdigit(static_cast<unsigned char>(given[digit])) == 0)
        fail(fmt::format("{} is not a number; write formulas in quotes", given));
      v.kind = Value::Kind::number;
      if (given.find_first_of(".eE") == std::string_view::npos && std::abs(v.number) < 9e15) {
        v.kind = Value::Kind::integer;
        v.integer = static_cast<long long>(v.number);
      }
    }
    while (at_ < end) take();
    return v;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1;
};

}  // namespace

bool looks_like_json(const std::string& text) {
  const std::size_t bom = text.starts_with("\xEF\xBB\xBF") ? 3 : 0, first = text.find_first_not_of(" \t\r\n", bom);
  return first != std::string::npos && text[first] == '{';
}

Value parse_json(const std::string& text, const std::string& name) { return Json(text, name).document(); }

}  // namespace hstar::model

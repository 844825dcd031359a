// src/model/excerpt.hpp
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace hstar::model {

/// What a message shows of a text: all of it, or about 60 bytes around the byte that the message is about. Names and
/// characters are not cut, unless they are as long themselves.
[[nodiscard]] inline std::string excerpt(std::string_view text, std::size_t about = 0) {
  constexpr std::size_t longest = 60, before = 24, longest_name = 30;
  if (text.size() <= longest) return std::string(text);
  std::size_t begin = std::min(about > before ? about - before : 0, text.size() - longest), end = begin + longest;
  const auto inside_word = [&](std::size_t at) {  // between two bytes of a name or of a character
    const auto joins = [&](std::size_t i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      return std::isalnum(byte) != 0 || byte == '_' || byte == '.' || byte >= 0x80U;
    };
    return at > 0 && at < text.size() && joins(at - 1) && joins(at);
  };
  for (std::size_t i = 0; i < longest_name && inside_word(begin); ++i) --begin;
  for (std::size_t i = 0; i < longest_name && inside_word(end); ++i) ++end;
  return (begin > 0 ? "... " : "") + std::string(text.substr(begin, end - begin)) + (end < text.size() ? " ..." : "");
}

}  // namespace hstar::model

// src/model/excerpt.hpp
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace hstar::model {

/// What a message shows of a text: all of it, or 60 bytes around the byte that the message is about.
[[nodiscard]] inline std::string excerpt(std::string_view text, std::size_t about = 0) {
  constexpr std::size_t longest = 60, before = 20;
  if (text.size() <= longest) return std::string(text);
  std::size_t begin = std::min(about > before ? about - before : 0, text.size() - longest), end = begin + longest;
  const auto inside_character = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  while (begin > 0 && inside_character(begin)) --begin;
  while (inside_character(end)) ++end;
  return (begin > 0 ? "..." : "") + std::string(text.substr(begin, end - begin)) + (end < text.size() ? "..." : "");
}

}  // namespace hstar::model

// src/model/key_depth.cpp
#include "model/key_depth.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "hstar/error.hpp"

namespace hstar::model {
namespace {

bool is_bare(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

/// Where the comment or string that begins at `at` ends; `at` itself if none begins there.
std::size_t behind_quotes_or_comment(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '#') return std::min(text.find('\n', at), text.size());
  if (c != '"' && c != '\'') return at;
  const std::string_view mark = text.substr(at, text.substr(at, 3) == std::string(3, c) ? 3 : 1);
  for (std::size_t i = at + mark.size(); i < text.size(); ++i) {
    if (c == '"' && text[i] == '\\') {
      ++i;
    } else if (text.substr(i, mark.size()) == mark) {
      return i + mark.size();
    } else if (mark.size() == 1 && text[i] == '\n') {
      return i;  // not closed on its line: the TOML reader says so
    }
  }
  return text.size();
}

Location place(std::string_view text, std::size_t at, const std::string& name) {
  const std::string_view before = text.substr(0, at);
  const auto line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {name, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(at - line_start) + 1};
}

}  // namespace

void check_key_depth(std::string_view text, const std::string& name) {
  // Outside of strings and comments a dot joins the parts of a key, or the digits of one number.
  int dots = 0;
  std::size_t begin = 0;
  bool joined = false;  // the last thing was a dot
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::size_t end = behind_quotes_or_comment(text, at);
    const bool part = is_bare(c) || (end > at && c != '#');
    if (is_bare(c))
      while (end < text.size() && is_bare(text[end])) ++end;
    if (part) {
      if (!joined) {
        dots = 0;
        begin = at;
      }
      joined = false;
    } else if (c == '.') {
      joined = true;
      if (++dots == most_key_parts)
        throw InputError(place(text, begin, name),
                         fmt::format("this key has more than {} parts with dots between; no key of a model has more "
                                     "than 2, see `hstar schema`",
                                     most_key_parts));
    } else if (c != ' ' && c != '\t') {
      joined = false;
      dots = 0;
    }
    at = std::max(end, at + 1);
  }
}

}  // namespace hstar::model

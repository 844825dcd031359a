// src/record/text.cpp
#include "record/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "hstar/record.hpp"

namespace hstar {

namespace record {

void append_number(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "nan";  // to_chars may write -nan, which depends on how the NaN came about
    return;
  }
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value);
  out.append(text, static_cast<std::size_t>(end.ptr - text));
}

void append_csv(std::string& out, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += field;
    return;
  }
  out += '"';
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_json(std::string& out, std::string_view text) {
  constexpr char hex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (const auto byte = static_cast<unsigned char>(c); byte < 0x20) {
          out += "\\u00";
          out += hex[byte >> 4];
          out += hex[byte & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void append_json(std::string& out, double value) {
  if (std::isfinite(value)) {
    append_number(out, value);
  } else {
    out += "null";
  }
}

std::uint64_t fnv1a(std::string_view text, std::uint64_t hash) {
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  return hash;
}

std::string readable_mode(std::string_view mode) {
  constexpr std::ptrdiff_t most = 8;
  if (std::count(mode.begin(), mode.end(), '/') < most) return std::string(mode);
  std::vector<std::pair<std::string_view, int>> counts;
  for (std::size_t from = 0; from <= mode.size();) {
    const std::size_t to = std::min(mode.find('/', from), mode.size());
    const std::string_view part = mode.substr(from, to - from);
    const auto known = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == part; });
    if (known == counts.end())
      counts.emplace_back(part, 1);
    else
      ++known->second;
    from = to + 1;
  }
  std::string text;
  for (const auto& [part, count] : counts) {
    if (!text.empty()) text += ", ";
    text += std::to_string(count) + " " + std::string(part);
  }
  return text;
}

std::string_view base_name(std::string_view path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace record

std::string number_text(double value) {
  std::string text;
  record::append_number(text, value);
  return text;
}

std::string model_hash(const ModelSpec& model, const std::vector<Override>& overrides) {
  std::uint64_t hash = record::fnv1a(model.text);
  for (const Override& change : overrides) {
    hash = record::fnv1a("\n" + change.path + "=" + change.value, hash);
  }
  constexpr char hex[] = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) text[i] = hex[hash & 15];
  return text;
}

}  // namespace hstar

// src/model/toml_text.cpp: document tree -> TOML.
#include "model/toml_text.hpp"

#include <fmt/core.h>

namespace hstar::model {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string value_text(const Value& v) {
  switch (v.kind) {
    case Value::Kind::boolean:
      return v.boolean ? "true" : "false";
    case Value::Kind::integer:
      return fmt::format("{}", v.integer);
    case Value::Kind::number: {
      std::string text = fmt::format("{}", v.number);
      return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
    }
    case Value::Kind::text:
      return quoted(v.text);
    case Value::Kind::array: {
      std::string out;
      for (const Value& item : v.items) out += (out.empty() ? "" : ", ") + value_text(item);
      return "[" + out + "]";
    }
    case Value::Kind::table: {
      std::string out;
      for (const Member& m : v.members) out += (out.empty() ? " " : ", ") + m.key + " = " + value_text(m.value);
      return "{" + out + (out.empty() ? "}" : " }");
    }
    case Value::Kind::date:
      break;
  }
  return "\"\"";
}

bool is_section(const Value& v) { return v.is_table() || (v.is_array() && !v.items.empty() && v.items[0].is_table()); }

void keys(const Value& table, std::string& out) {
  for (const Member& m : table.members) out += m.key + " = " + value_text(m.value) + "\n";
}

}  // namespace

std::string toml_text(const Value& document) {
  std::string out;
  for (const Member& m : document.members)
    if (!is_section(m.value)) out += m.key + " = " + value_text(m.value) + "\n";
  for (const Member& m : document.members) {
    if (!is_section(m.value)) continue;
    if (m.value.is_table()) {
      out += "\n[" + m.key + "]\n";
      keys(m.value, out);
      continue;
    }
    for (const Value& item : m.value.items) {
      out += "\n[[" + m.key + "]]\n";
      keys(item, out);
    }
  }
  return out;
}

}  // namespace hstar::model

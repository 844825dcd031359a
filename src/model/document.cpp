// src/model/document.cpp
//
// TOML (through toml++, here only) -> document tree with places.
#include "model/document.hpp"

#include <fmt/core.h>
#include <toml++/toml.h>
#include <algorithm>
#include <charconv>
#include <limits>

#include "model/excerpt.hpp"
#include "model/key_depth.hpp"

namespace hstar::model {
namespace {

/// Lines of the file, to find where the characters of a string begin behind its quotes.
class Source {
 public:
  Source(std::string_view text, std::string name) : name_(std::move(name)) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines_.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  [[nodiscard]] Location place(const toml::source_position& p) const {
    return {name_, static_cast<int>(p.line), static_cast<int>(p.column)};
  }

  /// Place of a string's first character, given the place of its opening quote.
  [[nodiscard]] Location inside_quotes(const toml::source_position& p) const {
    Location where = place(p);
    const std::string_view rest = after(where);
    if (rest.substr(0, 3) == "\"\"\"" || rest.substr(0, 3) == "'''") {
      const std::string_view behind = rest.substr(3);
      if (behind.empty() || behind == "\r") return {name_, where.line + 1, 1};  // TOML drops this line break
      where.column += 3;
    } else {
      where.column += 1;
    }
    return where;
  }

 private:
  [[nodiscard]] std::string_view after(const Location& where) const {
    if (where.line < 1 || static_cast<std::size_t>(where.line) > lines_.size()) return {};
    const std::string_view line = lines_[static_cast<std::size_t>(where.line) - 1];
    std::size_t byte = 0;
    for (int column = 1; byte < line.size(); ++byte) {  // columns count characters, not bytes
      if ((static_cast<unsigned char>(line[byte]) & 0xC0U) == 0x80U) continue;
      if (column++ == where.column) break;
    }
    return line.substr(std::min(byte, line.size()));
  }

  std::string name_;
  std::vector<std::string_view> lines_;
};

/// Why a text cannot be a model file, seen from its first bytes; "" if it may be one. TOML would say at which character
/// it stopped, which tells nothing to somebody with a file of another kind.
std::string foreign_format(std::string_view text) {
  const std::string_view begin = text.substr(0, std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const std::string_view first = text.substr(begin.size());
  const auto starts = [](std::string_view t, std::string_view with) { return t.substr(0, with.size()) == with; };
  constexpr std::string_view ours = "; hstar reads model files in TOML (docs/model-file.md) and JSON of simEngine2D";
  if (starts(text, "\xff\xfe") || starts(text, "\xfe\xff")) return "the text is UTF-16; save it as UTF-8";
  if (starts(first, "<")) return fmt::format("this is XML (URDF, SDF, MJCF or the like){}", ours);
  if (starts(first, "PK\x03\x04")) return fmt::format("this is a ZIP archive (an FMU?){}", ours);
  const bool key = first.substr(0, first.find('\n')).find('=') != std::string_view::npos;  // model = "..." is TOML
  for (const std::string_view word : {"model ", "within ", "package ", "partial model "})
    if (!key && starts(first, word)) return fmt::format("this is Modelica{}", ours);
  if (starts(first, "ADAMS") || starts(first, "! ") || starts(first, "!---"))
    return fmt::format("this is an ADAMS file{}", ours);
  return "";
}

/// Where the text stops being UTF-8, as the byte; npos if it is all UTF-8. (Of lengths alone: toml++ knows the rest.)
std::size_t not_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xc2 ? 0
                               : lead < 0xe0 ? 2
                               : lead < 0xf0 ? 3
                               : lead < 0xf5 ? 4
                                             : 0;
    if (length == 0 || i + length > text.size()) return i;
    for (std::size_t k = 1; k < length; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xc0U) != 0x80U) return i;
    i += length;
  }
  return std::string_view::npos;
}

/// @throws InputError for a text that is none of a model file, in the words of whoever saved it.
void refuse_foreign(const std::string& text, const std::string& name) {
  if (const std::string why = foreign_format(text); !why.empty()) throw InputError({name, 1, 1}, why);
  const auto place = [&](std::size_t at) {
    const std::size_t begin = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return Location{name, static_cast<int>(line), static_cast<int>(begin == std::string::npos ? at + 1 : at - begin)};
  };
  if (const std::size_t at = not_utf8(text); at != std::string::npos)
    throw InputError(place(at), fmt::format("byte 0x{:02X} is not UTF-8 (is the text Latin-1?); save it as UTF-8",
                                            static_cast<unsigned char>(text[at])));
  if (text.find('\n') == std::string::npos && text.find('\r') < text.size() - 1)
    throw InputError(place(text.find('\r')), "lines end with CR alone, as on old Macs; save them with LF or CR LF");
}

bool before(const Location& a, const Location& b) { return a.line != b.line ? a.line < b.line : a.column < b.column; }

Value convert(const toml::node& node, const Source& source) {
  Value v;
  v.where = source.place(node.source().begin);
  switch (node.type()) {
    case toml::node_type::table:
      v.kind = Value::Kind::table;
      for (const auto& [key, child] : *node.as_table())
        v.members.push_back({std::string(key.str()), source.place(key.source().begin), convert(child, source)});
      // toml++ sorts by name; messages and duplicate checks go by the order of the file.
      std::stable_sort(v.members.begin(), v.members.end(),
                       [](const Member& a, const Member& b) { return before(a.where, b.where); });
      break;
    case toml::node_type::array:
      v.kind = Value::Kind::array;
      for (const toml::node& child : *node.as_array()) v.items.push_back(convert(child, source));
      break;
    case toml::node_type::string:
      v.kind = Value::Kind::text;
      v.text = node.as_string()->get();
      v.where = source.inside_quotes(node.source().begin);
      break;
    case toml::node_type::integer:
      v.kind = Value::Kind::integer;
      v.integer = node.as_integer()->get();
      v.number = static_cast<double>(v.integer);
      break;
    case toml::node_type::floating_point:
      v.kind = Value::Kind::number;
      v.number = node.as_floating_point()->get();
      break;
    case toml::node_type::boolean:
      v.kind = Value::Kind::boolean;
      v.boolean = node.as_boolean()->get();
      break;
    default:
      v.kind = Value::Kind::date;
      break;
  }
  return v;
}

void set_place(Value& v, const Location& where) {
  v.where = where;
  for (Value& item : v.items) set_place(item, where);
  for (Member& member : v.members) {
    member.where = where;
    set_place(member.value, where);
  }
}

/// toml++'s words, without its preamble, and what to do about the commonest mistake.
std::string in_our_words(std::string_view description) {
  constexpr std::string_view preamble = "Error while parsing ";
  std::string message(description);
  if (description.starts_with(preamble)) message = "in " + message.substr(preamble.size());
  while (!message.empty() && (message.back() == ' ' || message.back() == '\n')) message.pop_back();
  std::string remedy;
  if (message.find("cannot redefine existing") != std::string::npos)
    remedy = "; give each key once, and write [[...]] for sections that repeat";
  else
    for (const char* part : {"in key-value pair", "in boolean", "integer: expected", "in floating-point", "in hex"})
      if (message.find(part) != std::string::npos) remedy = "; write key = value, with formulas and words in quotes";
  return message + remedy;
}

}  // namespace

const Member* Value::find(std::string_view key) const {
  const auto i = std::find_if(members.begin(), members.end(), [key](const Member& m) { return m.key == key; });
  return i == members.end() ? nullptr : &*i;
}

Member* Value::find(std::string_view key) {
  const auto i = std::find_if(members.begin(), members.end(), [key](const Member& m) { return m.key == key; });
  return i == members.end() ? nullptr : &*i;
}

std::string Value::shown() const {
  switch (kind) {
    case Kind::boolean:
      return boolean ? "true" : "false";
    case Kind::integer:
      return fmt::format("{}", integer);
    case Kind::number:
      return fmt::format("{}", number);
    case Kind::text:
      return fmt::format("\"{}\"", excerpt(text));
    case Kind::date:
      return "a date";
    case Kind::table:
      return "{...}";
    case Kind::array:
      break;
  }
  std::string s = "[";
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i == 4 && items.size() > 5) return s + ", ...]";
    s += (i == 0 ? "" : ", ") + items[i].shown();
  }
  return s + "]";
}

Value parse_document(const std::string& text, const std::string& name) {
  refuse_foreign(text, name);
  const Source source(text, name);
  check_key_depth(text, name);
  try {
    const toml::table table = toml::parse(std::string_view(text), std::string_view(name));
    return convert(table, source);
  } catch (const toml::parse_error& error) {
    throw InputError(source.place(error.source().begin), "not valid TOML: " + in_our_words(error.description()));
  }
}

namespace {

/// What TOML takes for a decimal number, without its signs of grouping; false: another value, or none.
bool read_decimal(std::string_view text, Value& value) {
  const auto digits = [&text](std::size_t& at) {
    const std::size_t begin = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - begin;
  };
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t first = at, whole = digits(at);
  constexpr std::size_t most_digits = std::numeric_limits<long long>::digits10;
  if (whole == 0 || whole > most_digits || (text[first] == '0' && whole > 1)) return false;
  const bool is_integer = at == text.size();
  if (!is_integer && text[at] == '.' && digits(++at) == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits(at) == 0) return false;
  }
  if (at < text.size()) return false;
  const char* end = text.data() + text.size();
  value.kind = is_integer ? Value::Kind::integer : Value::Kind::number;
  if (!is_integer) return std::from_chars(text.data(), end, value.number).ec == std::errc();
  std::from_chars(text.data(), end, value.integer);
  value.number = static_cast<double>(value.integer);
  return true;
}

/// One that means nothing to TOML.
bool is_bare_word(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); }) &&
         text != "true" && text != "false" && text != "inf" && text != "nan";
}

}  // namespace

Value parse_override(const std::string& path, const std::string& text) {
  Value value;
  value.where = {fmt::format("--set {}={}", path, text), 0, 0};
  // (Most are numbers and words, and a sweep has one for each of its members.)
  if (read_decimal(text, value)) return value;
  value.kind = Value::Kind::text;
  value.text = text;
  value.number = 0;
  if (is_bare_word(text)) return value;
  try {
    const std::string line = "value = " + text;
    check_key_depth(line, fmt::format("--set {}", path));
    const toml::table table = toml::parse(std::string_view(line));
    if (table.size() == 1) value = convert(*table.get("value"), Source(line, ""));
  } catch (const toml::parse_error&) {
    // Not TOML: a word or a formula, kept as text.
  }
  set_place(value, {fmt::format("--set {}={}", path, text), 0, 0});
  return value;
}

}  // namespace hstar::model

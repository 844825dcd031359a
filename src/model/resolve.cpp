// src/model/resolve.cpp: one key after the other by the key tables, so that a new key is here without a line of its
// own.
#include "model/resolve.hpp"

#include <fmt/core.h>
#include <algorithm>

#include "model/nearest.hpp"
#include "model/reader.hpp"

namespace hstar::model {
namespace {

Value number_value(double number) {
  Value v;
  v.kind = Value::Kind::number;
  v.number = number;
  return v;
}

Value text_value(std::string text) {
  Value v;
  v.kind = Value::Kind::text;
  v.text = std::move(text);
  return v;
}

Value list_of(std::vector<Value> items) {
  Value v;
  v.kind = Value::Kind::array;
  v.items = std::move(items);
  return v;
}

template <class Numbers>
Value number_list(const Numbers& numbers) {
  Value v = list_of({});
  for (const double x : numbers) v.items.push_back(number_value(x));
  return v;
}

class Resolver {
 public:
  explicit Resolver(Context& context) : context_(context) {}

  Value document(const Value& given) {
    Value out;
    for (const SectionSpec& s : sections()) {
      if (s.name == "model") {
        Value top;
        for (const Member& m : given.members)
          if (s.find(m.key) != nullptr) top.members.push_back(m);
        out = table(s, top);
      } else if (s.name == "parameters") {
        Value parameters;
        for (const auto& [name, x] : context_.parameters()) put(parameters, name, number_value(x));
        if (!parameters.members.empty()) put(out, s.name, std::move(parameters));
      } else if (!s.repeated && s.header.front() == '[') {
        const Member* m = given.find(s.name);
        if (m == nullptr && s.name != "simulation") continue;
        put(out, s.name, table(s, m != nullptr ? m->value : Value{}));
      } else if (s.repeated) {
        const Member* m = given.find(s.name);
        if (m == nullptr) continue;
        Value list = list_of({});
        for (const Value& element : m->value.items) {
          context_.set_indices(element.indices);
          indices_ = element.indices;
          list.items.push_back(table(is_spatial(given) ? spatial_section(s.name) : s, element));
          if (s.name == "body" && !has_inertia(element) && element.find("motion") == nullptr)
            points_.push_back(list.items.back().find("name")->value.text);
        }
        context_.set_indices({});
        put(out, s.name, std::move(list));
      }
    }
    return out;
  }

 private:
  static void put(Value& to, std::string_view key, Value value) {
    to.members.push_back({std::string(key), {}, std::move(value)});
  }

  static std::string type_of(const SectionSpec& s, const Value& given) {
    if (s.name == "body" || s.name == "spatial_body") return given.find("motion") != nullptr ? "prescribed" : "free";
    if (s.type_key.empty()) return {};
    const Member* m = given.find(s.type_key);
    return m != nullptr ? m->value.text : std::string(s.find(s.type_key)->standard);
  }

  /// Defaults that mean nothing beside what is given, or in its absence: the order of angles, an axis beside axes. A
  /// bushing without axis has the axes of its first body.
  static bool is_idle(const SectionSpec& s, const KeySpec& key, const Value& given) {
    if (s.name.substr(0, 8) != "spatial_") return false;
    if (key.name == "sequence") return given.find("angles") == nullptr;
    if (key.name != "axis") return false;
    const Member* type = given.find("type");
    return given.find("axes") != nullptr || (type != nullptr && type->value.text == "bushing");
  }

  static bool has_inertia(const Value& body) {
    return body.find("inertia") != nullptr || body.find("shape") != nullptr;
  }

  /// Whether a default means anything here: point masses have no angle, and joints do not hold it.
  [[nodiscard]] bool has_angle(const SectionSpec& s, const Value& given) const {
    if (s.name == "body") return has_inertia(given);
    const Member* bodies = given.find("bodies");
    return s.name != "joint" || bodies == nullptr ||
           std::none_of(bodies->value.items.begin(), bodies->value.items.end(), [this](const Value& body) {
             return std::find(points_.begin(), points_.end(), body.text) != points_.end();
           });
  }

  Value table(const SectionSpec& s, const Value& given) {
    const Fields fields(context_, s, given, std::string(s.name));
    const std::string type = type_of(s, given);
    Value out;
    for (const KeySpec& key : s.keys) {
      const bool there = fields.has(key.name);
      const bool of_angle = key.name == "angle" || key.name == "angular_velocity";
      const std::vector<std::string> types = words_of(key.types);
      if (!there && (key.standard == optional || key.standard == required || is_idle(s, key, given) ||
                     (of_angle && !has_angle(s, given)) ||
                     (!type.empty() && !types.empty() && std::find(types.begin(), types.end(), type) == types.end())))
        continue;
      put(out, key.name, value(s, fields, key));
    }
    return out;
  }

  static bool is_spatial(const Value& document) {
    const Member* dimension = document.find("dimension");
    return dimension != nullptr && dimension->value.is_number() && dimension->value.number == 3;
  }

  static Value rows(const std::vector<Vec3>& all) {
    Value list = list_of({});
    for (const Vec3& row : all) list.items.push_back(number_list(row));
    return list;
  }

  Value value(const SectionSpec& s, const Fields& fields, const KeySpec& key) {
    switch (key.kind) {
      case Kind::text:
      case Kind::name:
      case Kind::word:
      case Kind::body:
        return text_value(fields.text(key.name));
      case Kind::boolean: {
        Value v;
        v.kind = Value::Kind::boolean;
        v.boolean = fields.boolean(key.name);
        return v;
      }
      case Kind::integer: {
        Value v = number_value(fields.number(key.name));
        v.kind = Value::Kind::integer;
        v.integer = fields.integer(key.name);
        return v;
      }
      case Kind::number:
        return number_value(fields.number(key.name));
      case Kind::pair:
        return number_list(fields.pair(key.name));
      case Kind::bounds: {  // (JSON has no infinite numbers.)
        Value v = number_list(fields.bounds(key.name));
        for (Value& end : v.items)
          if (std::isinf(end.number)) end = text_value(end.number > 0 ? "inf" : "-inf");
        return v;
      }
      case Kind::texts:  // (include: none is left)
      case Kind::numbers:
        return number_list(fields.numbers(key.name));
      case Kind::vector:  // gravity, by default zero
        if (fields.has(key.name)) return number_list(fields.numbers(key.name));
        return number_list(std::vector<double>(static_cast<std::size_t>(fields.integer("dimension")), 0.0));
      case Kind::triple:
        return number_list(fields.triple(key.name));
      case Kind::triples:
        return rows(fields.triples(key.name));
      case Kind::tensor: {
        const Mat3 m = fields.tensor(key.name);
        return rows({m.begin(), m.end()});
      }
      case Kind::formulas3: {
        Value list = list_of({});
        for (const Expression& f : fields.formulas3(key.name, key.scope)) list.items.push_back(formula(f));
        return list;
      }
      case Kind::matrix:  // of [system], which is states by now
      case Kind::formula_list:
        return *fields.find(key.name);
      case Kind::pairs: {
        Value list = list_of({});
        for (const Vec2& p : fields.pairs(key.name)) list.items.push_back(number_list(p));
        return list;
      }
      case Kind::formula:
        return formula(fields.formula(key.name));
      case Kind::formulas: {
        Value list = list_of({});
        for (const Expression& f : fields.formulas(key.name, key.scope)) list.items.push_back(formula(f));
        return list;
      }
      case Kind::bodies: {
        Value list = list_of({});
        for (const std::string& body : fields.body_pair(key.name)) list.items.push_back(text_value(body));
        return list;
      }
      case Kind::table:
        return table(*sub_section(s, key.name), *fields.find(key.name));
      case Kind::tables: {
        Value list = list_of({});
        for (const Value* part : fields.two_tables(key.name))
          list.items.push_back(table(*sub_section(s, key.name), *part));
        return list;
      }
      case Kind::resets: {
        Value out;
        for (const Member& m : fields.find(key.name)->members)
          put(out, m.key, formula(context_.compile(m.value, m.key)));
        return out;
      }
    }
    return {};
  }

  /// A number where it is one; else the text, in which the indices of a copy become numbers.
  [[nodiscard]] Value formula(const Expression& f) const {
    return f.is_constant() ? number_value(f.constant_value()) : text_value(with_index(f.text()));
  }

  [[nodiscard]] std::string with_index(const std::string& text) const {
    if (indices_.empty()) return text;
    const auto of_a_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    };
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at + 1;
      while (of_a_word(text[at]) && end < text.size() && of_a_word(text[end])) ++end;
      const std::string word = text.substr(at, end - at);
      const double* number = find_index(indices_, word);
      out += number != nullptr ? fmt::format("{}", *number) : word;
      at = end;
    }
    return out;
  }

  Context& context_;
  CopyIndices indices_;              ///< of the copy at hand
  std::vector<std::string> points_;  ///< point masses
};

bool is_plain(const Value& v) {
  return !v.is_table() && (!v.is_array() || std::all_of(v.items.begin(), v.items.end(), [](const Value& item) {
    return !item.is_table() && (!item.is_array() || is_plain(item));
  }));
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + "\"";
}

}  // namespace

Value resolve(const Value& given) {
  Value document = given;
  Context context;
  if (const Member* parameters = document.find("parameters")) context.set_parameters(parameters->value);
  if (Member* tables = document.find("table"))
    for (Value& table : tables->value.items) {
      context.set_indices(table.indices);
      read_table(context, table, "table");
      table = with_points(context, table);
    }
  return Resolver(context).document(document);
}

std::string json_text(const Value& v, int depth) {
  const std::string inner(static_cast<std::size_t>(2 * depth + 2), ' '),
      outer(static_cast<std::size_t>(2 * depth), ' ');
  std::string out;
  if (v.is_table()) {
    for (const Member& m : v.members)
      out += fmt::format("{}{}{}: {}", out.empty() ? "" : ",\n", inner, quoted(m.key), json_text(m.value, depth + 1));
    return out.empty() ? "{}" : "{\n" + out + "\n" + outer + "}";
  }
  if (v.is_array() && is_plain(v)) {
    for (const Value& item : v.items) out += (out.empty() ? "" : ", ") + json_text(item);
    return "[" + out + "]";
  }
  if (v.is_array()) {
    for (const Value& item : v.items) out += (out.empty() ? "" : ",\n") + inner + json_text(item, depth + 1);
    return "[\n" + out + "\n" + outer + "]";
  }
  return v.is_text() ? quoted(v.text) : v.shown();
}

}  // namespace hstar::model

// src/model/overrides.cpp
//
// `--set path.to.value=x`: finds the value in the document by keys, names of elements and list
// positions ("body.sled.mass", "force.spring.between.0.point.1") and replaces or adds it.
#include <fmt/core.h>
#include <algorithm>
#include <charconv>

#include "model/nearest.hpp"
#include "model/reader.hpp"

namespace hstar::model {
namespace {

class Setter {
 public:
  Setter(Value& document, const Override& given) : document_(document), given_(given) {
    for (std::size_t begin = 0; begin <= given.path.size();) {
      const std::size_t end = std::min(given.path.find('.', begin), given.path.size());
      parts_.push_back(given.path.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  void run() {
    std::vector<std::string> known = section("model").key_names();
    for (const SectionSpec& s : sections())
      if (s.header.front() == '[') known.emplace_back(s.name);
    if (std::find(known.begin(), known.end(), parts_[0]) == known.end()) unknown(0, known);
    if (section("model").find(parts_[0]) != nullptr) return set(document_, &section("model"), 0);

    const SectionSpec& s = is_spatial() ? spatial_section(parts_[0]) : section(parts_[0]);
    if (parts_.size() == 1)
      refuse(fmt::format("is a whole section; name a value in it, as {}.{}", s.name,
                         s.repeated ? "<name>.<key>" : "<key>"));
    if (!section(parts_[0]).repeated) {
      Value& table = member(document_, std::string(s.name));
      return set(table, s.keys.empty() ? nullptr : &s, 1);
    }
    std::vector<std::string> names;
    if (Member* m = document_.find(parts_[0])) {
      for (Value& element : m->value.items) {
        const Member* name = element.find("name");
        if (name == nullptr || !name->value.is_text()) continue;
        if (name->value.text == parts_[1]) {
          if (parts_.size() == 2) refuse("is a whole element; name a key of it");
          return set(element, &s, 2);
        }
        names.push_back(name->value.text);
      }
    }
    unknown(1, names);
  }

 private:
  [[nodiscard]] bool is_spatial() const {
    const Member* dimension = document_.find("dimension");
    return dimension != nullptr && dimension->value.is_number() && dimension->value.number == 3;
  }

  /// The member `key` of a table; made (an empty table) if it is not there.
  static Value& member(Value& table, const std::string& key) {
    if (Member* m = table.find(key)) return m->value;
    Value empty;
    empty.where = table.where;
    table.members.push_back({key, table.where, empty});
    return table.members.back().value;
  }

  /// Sets parts_[i...] below `node`, a table with the keys of `spec` (free keys if null) or a list.
  void set(Value& node, const SectionSpec* spec, std::size_t i) {
    const std::string& part = parts_[i];
    const bool last = i + 1 == parts_.size();
    if (node.is_array()) {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
      if (error != std::errc() || end != part.data() + part.size() || index >= node.items.size())
        refuse(fmt::format("is not there: \"{}\" must be a position from 0 to {}", part,
                           static_cast<long>(node.items.size()) - 1));
      if (last) return assign(node.items[index]);
      return set(node.items[index], spec, i + 1);
    }
    if (!node.is_table()) refuse(fmt::format("is not there: {} is a single value", path_until(i)));
    std::string key = part;
    std::vector<std::string> known;
    if (spec != nullptr) {
      known = spec->key_names();
      const KeySpec* k = spec->find(part);
      if (k == nullptr) unknown(i, known);
      // The file may have used the alias.
      key = !k->alias.empty() && node.find(k->alias) != nullptr ? std::string(k->alias) : std::string(k->name);
      if (!last && node.find(key) == nullptr && k->kind != Kind::table)
        refuse(fmt::format("is not there: {} is not given in the file", path_until(i + 1)));
    } else {
      for (const Member& m : node.members) known.push_back(m.key);
      if (node.find(part) == nullptr) unknown(i, known);
    }
    Value& value = member(node, key);
    if (last) {
      assign(value);
      node.find(key)->where = value.where;
    } else {
      set(value, spec != nullptr ? sub_section(*spec, spec->find(part)->name) : nullptr, i + 1);
    }
  }

  void assign(Value& value) const { value = parse_override(given_.path, given_.value); }

  [[nodiscard]] std::string path_until(std::size_t end) const {
    return joined(std::span(parts_).first(std::min(end, parts_.size())), ".");
  }

  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError(fmt::format("--set {}={}: {} {}", given_.path, given_.value, given_.path, problem));
  }

  /// parts_[i] is none of `known`.
  [[noreturn]] void unknown(std::size_t i, const std::vector<std::string>& known) const {
    const std::string near = nearest_name(parts_[i], known);
    std::string advice = suggestion(parts_[i], known, i == 0 ? "paths begin with" : path_until(i) + " has");
    if (!near.empty()) {
      std::vector<std::string> whole = parts_;
      whole[i] = near;
      advice = fmt::format("did you mean \"{}\"?", joined(whole, "."));
    }
    refuse("is not there; " + advice);
  }

  Value& document_;
  const Override& given_;
  std::vector<std::string> parts_;
};

}  // namespace

void apply_overrides(Value& document, const std::vector<Override>& overrides) {
  for (const Override& given : overrides) Setter(document, given).run();
}

}  // namespace hstar::model

// src/model/include.cpp
#include "model/include.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "model/json_document.hpp"

namespace hstar::model {
namespace {

namespace fs = std::filesystem;

bool is_list_of_sections(const Value& v) { return v.is_array() && !v.items.empty() && v.items.front().is_table(); }

void merge(Value& into, Value from, bool wins) {
  for (Member& m : from.members) {
    Member* const known = into.find(m.key);
    if (known == nullptr) {
      into.members.push_back(std::move(m));
    } else if (is_list_of_sections(known->value) && is_list_of_sections(m.value)) {
      std::move(m.value.items.begin(), m.value.items.end(), std::back_inserter(known->value.items));
    } else if (known->value.is_table() && m.value.is_table()) {
      merge(known->value, std::move(m.value), wins);
    } else if (wins) {
      *known = std::move(m);
    } else {
      throw InputError(
          m.where, fmt::format("{} is given in {} too; leave out one of them, or give it in the model itself", m.key,
                               known->where.text()));
    }
  }
}

std::string text_of(const fs::path& path, const Value& item) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(
        item.where, fmt::format("include: \"{}\" cannot be read ({}: {}); paths are relative to the file that includes",
                                item.text, path.string(), why));
  };
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) refuse("it is a folder");
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The paths of its tables' CSV files stay right in a document of another folder.
void keep_paths(Value& part, const fs::path& folder) {
  Member* const tables = part.find("table");
  if (folder.empty() || tables == nullptr) return;
  for (Value& table : tables->value.items)
    if (Member* const file = table.find("file"); file != nullptr && file->value.is_text())
      file->value.text = fs::absolute(folder / file->value.text).string();
}

void take(Value& document, const fs::path& name, std::vector<fs::path>& open) {
  const auto at = std::find_if(document.members.begin(), document.members.end(),
                               [](const Member& m) { return m.key == "include"; });
  if (at == document.members.end()) return;
  const Value list = std::move(at->value);
  document.members.erase(at);
  const auto is_text = [](const Value& v) { return v.is_text(); };
  if (!list.is_array() || !std::all_of(list.items.begin(), list.items.end(), is_text))
    throw InputError(list.where,
                     fmt::format("include = {} must be a list of files, as [\"parts.toml\"]", list.shown()));
  open.push_back(fs::weakly_canonical(name));
  Value all;
  all.where = document.where;
  for (const Value& item : list.items) {
    const fs::path path = name.parent_path() / item.text;
    if (std::find(open.begin(), open.end(), fs::weakly_canonical(path)) != open.end())
      throw InputError(item.where, fmt::format("include: \"{}\" includes itself; remove one of the two", item.text));
    const std::string text = text_of(path, item);
    Value part = looks_like_json(text) ? parse_json(text, path.string()) : parse_document(text, path.string());
    take(part, path, open);
    keep_paths(part, fs::path(item.text).parent_path().empty() ? fs::path() : path.parent_path());
    merge(all, std::move(part), false);
  }
  open.pop_back();
  merge(all, std::move(document), true);
  document = std::move(all);
}

}  // namespace

bool include_files(Value& document, const std::string& name) {
  if (document.find("include") == nullptr) return false;
  std::vector<fs::path> open;
  take(document, name, open);
  return true;
}

}  // namespace hstar::model

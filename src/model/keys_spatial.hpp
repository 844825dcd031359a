// src/model/keys_spatial.hpp: the sections of models with dimension = 3 that planar ones do not share, for keys.cpp.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>

#include "model/keys.hpp"

namespace hstar::model {

/// In the order of the reference; their names begin with "spatial_".
[[nodiscard]] std::span<const SectionSpec> spatial_sections();

/// The types of a registry with spaces between: what the key `type` may say.
template <class Entries>
std::string_view types_of(const Entries& entries) {
  static std::deque<std::string> kept;  // as long as the tables of keys
  std::string& words = kept.emplace_back();
  for (const auto& entry : entries) words += (words.empty() ? "" : " ") + std::string(entry.type);
  return words;
}

}  // namespace hstar::model

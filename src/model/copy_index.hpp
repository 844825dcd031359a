// src/model/copy_index.hpp
//
// What tells one copy of an element from the others (repeat.cpp): the names and numbers of its indices.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hstar {

struct CopyIndex {
  std::string name;
  double number = 0;  ///< from 0
};

/// None for an element that is no copy, two for one that belongs to a pair.
using CopyIndices = std::vector<CopyIndex>;

/// The number of the index of this name; null if there is none.
inline const double* find_index(const CopyIndices& indices, std::string_view name) {
  for (const CopyIndex& index : indices)
    if (index.name == name) return &index.number;
  return nullptr;
}

}  // namespace hstar

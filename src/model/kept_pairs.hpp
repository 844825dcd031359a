// src/model/kept_pairs.hpp
//
// A contact of every two of a group that stays one section: what differs between its copies is the number of the first
// index in the first shape, that of the second in the second, and both in the name.
#pragma once

#include <string>
#include <vector>

#include "hstar/model_spec.hpp"
#include "model/fields.hpp"

namespace hstar::model {

struct KeptPairs {
  std::vector<Value> first, second;  ///< shapes, by number
  PairNames names;
  std::string written;  ///< "hit{i}_{j}"
};

/// More pairs than this stay together where they may.
constexpr double most_written_out = 1000;

/// Why the contacts of this model must be written out: what it has that no crowd has; empty: they need not.
[[nodiscard]] std::string why_written_out(const Value& document);
/// Why this section's copies must: something that differs in another way. `first`, `second`: the indices.
[[nodiscard]] std::string why_written_out(const Value& table, const std::string& first, const std::string& second);
/// The parts of the name, and the shapes, of `count` bodies.
[[nodiscard]] KeptPairs keep_pairs(const Value& table, const std::string& first, const std::string& second, long count,
                                   Context& context, const std::string& owner);
/// {formula} in every text of a copy becomes the whole number that the formula gives.
void fill_copy(Value& copy, Context& context, const std::string& owner);

}  // namespace hstar::model

// tests/oracle/cases/families.hpp: random models by kind of mechanism.
#pragma once

#include <string>
#include <vector>

#include "cases/draw.hpp"

namespace oracle {

struct Family {
  std::string name, about;
  Model (*make)(Draw& draw);
};

[[nodiscard]] const std::vector<Family>& families();

/// The model of one case: `index` chooses the family in turn, both choose its numbers.
[[nodiscard]] Model make_case(std::uint64_t seed, std::uint64_t index);

}  // namespace oracle

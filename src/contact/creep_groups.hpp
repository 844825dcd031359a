// src/contact/creep_groups.hpp
//
// Which units creep by nothing but each other. J xi tells the directions of the forces of what creeps, and not their
// sizes: where held rows have no part in J xi of units that creep together, all of it may be as large as one likes,
// and their forces are in balance at one load only, at which they slip.
#pragma once

#include <vector>

#include "contact/linear_laws.hpp"
#include "contact/pivoted_rows.hpp"
#include "contact/problem.hpp"

namespace hstar::contact {

class CreepGroups {
 public:
  void reserve(int rows);
  /// Of rows that are factored, what is held first, then what creeps. Cost: creeping rows x rank^2.
  void find(const Problem& p, PivotedRows& rows, const std::vector<Sliding>& sliding, const Status& status);
  /// Held rows have a part in it, or in what creeps with it: for the place of a creeping unit in `sliding`.
  [[nodiscard]] bool is_tied(std::size_t unit) const;

 private:
  void find_parts(const Problem& p, PivotedRows& rows, int row, char* part) const;

  std::size_t rank_ = 0;
  std::vector<char> part_;  ///< by unit and pivot: it is in one of the unit's rows
  std::vector<char> tied_;  ///< by pivot: what is held is in rows with it
};

}  // namespace hstar::contact

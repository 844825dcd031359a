// src/math/sparse_rank.hpp
//
// Which of many rows depend linearly on others, in the metric of M^-1: LDL^T of G M^-1 G^T in a fill-reducing order
// (up-looking: Davis 2005). A pivot that is lost in round-off is judged again by what is left of the row itself when
// the others' part has been taken off, iteratively refined, so that the answer is as sharp as that of Gram-Schmidt.
// Cost: that of the factorisation and of one solve for each row that is near to being dependent; linear for chains.
#pragma once

#include <vector>

#include "math/saddle_row.hpp"

namespace hstar::math {

/// Marks rows of which less than `tolerance` of the length (rows from `loose_from` on: less than `loose`) is new to
/// the rows before them. `inverse` has `columns` (3 or 6) entries a body, 0 where there is no freedom. Returns how
/// many.
int find_dependent_rows(const SaddleRow* rows, int m, const std::vector<double>& inverse, int columns, double tolerance,
                        int loose_from, double loose, char* redundant);

}  // namespace hstar::math

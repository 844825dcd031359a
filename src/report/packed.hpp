// src/report/packed.hpp
//
// A run as text of a page: JSON and thinned columns, compressed, in base64. report/src/packed.ts reads it.
#pragma once

#include <string>

#include "report/thin_curves.hpp"

namespace hstar::report {

/// Layout before gzip, numbers little-endian: length of the JSON (u32), JSON, number of rows (u32) and of columns
/// (u32), times of the rows (f64), then of each column the number of its points (u32), the length of its bytes (u32),
/// its smallest and largest value (f64); then those bytes: row of each point as difference to the one before, value of
/// each point in 2^-24 of the range as difference to the one before with its sign in the lowest bit, 2^25 for no
/// number; all in groups of 7 bits, lowest first, the highest bit set where more follow.
[[nodiscard]] std::string packed(const std::string& json, const ThinCurves& curves);

}  // namespace hstar::report

// include/hstar/output_rows.hpp: the values of SimulationSpec::output that are no interval.
#pragma once

namespace hstar {

/// Rows at the ends of steps, and between them so many that straight lines miss no column by more than 0.2 % of its
/// range.
inline constexpr double dense_rows = 0.0;
/// One row at the end of every step.
inline constexpr double every_step = -1.0;

}  // namespace hstar

// src/report/figure.hpp
//
// A picture of a run: panels of curves above each other on one time axis, with the events as marks
// and the modes of joints and contacts as bands under the axis.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hstar/run.hpp"

namespace hstar::report {

/// Columns (indices into RunResult::columns) that share an axis.
using Panel = std::vector<std::size_t>;

struct Figure {
  std::vector<Panel> panels;
  std::vector<std::size_t> decades{};  ///< columns that hold log10 of what their names say
  int panel_height = 190;              ///< [px]
  bool standalone = false;             ///< a file of its own: carries its colours and background with it
};

/// SVG text.
[[nodiscard]] std::string figure_svg(const RunResult& result, const Figure& figure);

/// The colours and line styles that figures need, for a page that holds some.
[[nodiscard]] std::string_view figure_style();

/// Text made safe for HTML and SVG.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace hstar::report

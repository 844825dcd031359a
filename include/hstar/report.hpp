// include/hstar/report.hpp
//
// A run as one self-contained HTML page: plots of the recorded columns with the events in them, the
// event table, options and model text. No network and no scripts from elsewhere.
#pragma once

#include <string>

#include "hstar/model_spec.hpp"
#include "hstar/run.hpp"

namespace hstar {

/// Writes the page to `path`. @throws InputError if the file cannot be written.
void write_report(const RunResult& result, const ModelSpec& model, const std::string& path);

/// How a single plot is drawn.
struct PlotOptions {
  int width = 860, height = 220;  ///< [px]
  bool standalone = false;        ///< an SVG file with its own colours instead of a part of the page
};

/// One plot (SVG text) of the named columns, which share a unit, with events and mode bands.
/// @throws InputError for a column that was not recorded.
[[nodiscard]] std::string plot_svg(const RunResult& result, const std::vector<std::string>& columns,
                                   const PlotOptions& options = {});

}  // namespace hstar

// include/hstar/report.hpp
//
// A run as one self-contained HTML page that needs no network: the mechanism animated, the timeline of modes and
// events, plots, tables, options and model text. An hstar built without npm writes the same tables and plots as a page
// without scripts.
#pragma once

#include <string>
#include <vector>

#include "hstar/model_spec.hpp"
#include "hstar/run.hpp"

namespace hstar {

/// Writes the page to `path`. @throws InputError if the file cannot be written.
void write_report(const RunResult& result, const ModelSpec& model, const std::string& path);

/// False if this hstar was built without npm: the page is the plain one.
[[nodiscard]] bool report_is_interactive();

/// Writes an SVG picture: one panel above the other, each with the columns it names (of several units: one each), on
/// one time axis with the events and the modes. @throws InputError for a column that was not recorded, naming those
/// that were, and if the file cannot be written.
void write_plot(const RunResult& result, const std::vector<std::vector<std::string>>& panels, const std::string& path);

}  // namespace hstar

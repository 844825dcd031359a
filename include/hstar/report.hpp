// include/hstar/report.hpp
//
// A run as one self-contained HTML page: plots of the recorded columns with the events in them, the
// event table, options and model text. No network and no scripts.
#pragma once

#include <string>
#include <vector>

#include "hstar/model_spec.hpp"
#include "hstar/run.hpp"

namespace hstar {

/// Writes the page to `path`. @throws InputError if the file cannot be written.
void write_report(const RunResult& result, const ModelSpec& model, const std::string& path);

/// Writes an SVG picture: one panel above the other, each with the columns it names, on one time axis
/// with the events and the modes. @throws InputError for a column that was not recorded, naming those
/// that were, and if the file cannot be written.
void write_plot(const RunResult& result, const std::vector<std::vector<std::string>>& panels, const std::string& path);

}  // namespace hstar

// include/hstar/report.hpp
//
// A run as one self-contained HTML page that needs no network: the mechanism animated, the timeline of modes and
// events, plots, tables, options and model text. An hstar built without npm writes the same tables and plots as a page
// without scripts.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hstar/model_spec.hpp"
#include "hstar/run.hpp"

namespace hstar {

/// Gives `take` all rows of a run in order, t first in each.
using RowSource = std::function<void(const std::function<void(std::span<const double> row)>& take)>;

/// Writes the page to `path`, 5 MB at most: long runs with fewer points a curve, every one within 1 % of the column's
/// range. @throws InputError if the file cannot be written.
void write_report(const RunResult& result, const ModelSpec& model, const std::string& path);
/// The same of a run whose result does not keep all rows.
void write_report(const RunResult& result, const ModelSpec& model, const RowSource& rows, const std::string& path);

/// One of several runs on a page, with the words that tell it from the others.
struct LabelledRun {
  std::string label;
  RunResult result;
  ModelSpec model;
};
/// Writes one page of several runs: the mechanism, events and tables of the first, the curves of all, what differs.
/// @throws InputError for an hstar built without npm, and if the file cannot be written.
void write_comparison(std::span<const LabelledRun> runs, const std::string& path);

/// False if this hstar was built without npm: the page is the plain one.
[[nodiscard]] bool report_is_interactive();

/// @throws InputError for a panel with a column that is not among `columns` (those after t): before a run what
/// write_plot says after it.
void check_plot(const std::vector<std::vector<std::string>>& panels, std::span<const std::string> columns);

/// Writes an SVG picture: one panel above the other, each with the columns it names (of several units: one each), on
/// one time axis with the events and the modes. @throws InputError for a column that was not recorded, naming those
/// that were, and if the file cannot be written.
void write_plot(const RunResult& result, const std::vector<std::vector<std::string>>& panels, const std::string& path);

}  // namespace hstar

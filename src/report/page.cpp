// src/report/page.cpp
//
// report.html: the interactive page if it was built in, the plain one otherwise.
#include "hstar/report.hpp"

#include <algorithm>

#include "record/round_off.hpp"
#include "record/text.hpp"
#include "record/text_file.hpp"
#include "report/app.hpp"
#include "report/figure.hpp"
#include "report/page_data.hpp"
#include "report/plain_page.hpp"

namespace hstar {
namespace {

constexpr std::size_t most_bytes = 5'000'000;

std::string title_of(const ModelSpec& model) {
  return model.title.empty() ? std::string(record::base_name(model.file)) : model.title;
}

/// The page around `count` runs; `packed(i, room)` is one of them.
std::string interactive_page(const report::App& app, const std::string& title, std::size_t count,
                             const std::function<std::string(std::size_t i, std::size_t room)>& packed) {
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">";
  page += "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>";
  page += report::escaped(title);
  page += "</title>\n<style>";
  page += app.style;
  page +=
      "</style></head>\n<body><main id=\"page\"><noscript>This page needs scripts; the same run is in trajectory.csv "
      "and events.csv.</noscript></main>\n";
  const std::string begin = "<script type=\"text/plain\" class=\"run\">", close = "</script>\n";
  const std::string end = "<script>" + std::string(app.script) + "</script></body></html>\n";
  const std::size_t used = page.size() + end.size() + count * (begin.size() + close.size());
  const std::size_t room = (most_bytes - std::min(used, most_bytes)) / count;
  for (std::size_t i = 0; i < count; ++i) page += begin + packed(i, room) + close;
  return page + end;
}

RowSource rows_of(const RunResult& result) {
  return [&](const std::function<void(std::span<const double>)>& take) {
    for (const auto& row : result.rows) take(row);
  };
}

}  // namespace

bool report_is_interactive() { return !report::app().script.empty(); }

void write_report(const RunResult& result, const ModelSpec& model, const std::string& path) {
  write_report(result, model, rows_of(result), path);
}

void write_report(const RunResult& result, const ModelSpec& model, const RowSource& rows, const std::string& path) {
  const report::App app = report::app();
  const RunResult shown = record::without_round_off(result);
  const auto packed = [&](std::size_t, std::size_t room) { return report::page_data(shown, model, rows, room); };
  record::write_text_file(
      path, app.script.empty() ? report::plain_page(shown, model) : interactive_page(app, title_of(model), 1, packed));
}

void write_comparison(std::span<const LabelledRun> runs, const std::string& path) {
  if (runs.empty()) throw InputError("no runs to compare; give at least one");
  const report::App app = report::app();
  if (app.script.empty())
    throw InputError("this hstar was built without npm and has no page for several runs; compare their trajectory.csv");
  const auto packed = [&](std::size_t i, std::size_t room) {
    const RunResult shown = record::without_round_off(runs[i].result);
    return report::page_data(shown, runs[i].model, rows_of(runs[i].result), room, runs[i].label);
  };
  record::write_text_file(path, interactive_page(app, title_of(runs.front().model), runs.size(), packed));
}

}  // namespace hstar

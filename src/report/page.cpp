// src/report/page.cpp
//
// report.html: the interactive page if it was built in, the plain one otherwise.
#include "hstar/report.hpp"
#include "record/round_off.hpp"
#include "record/text.hpp"
#include "record/text_file.hpp"
#include "report/app.hpp"
#include "report/figure.hpp"
#include "report/page_data.hpp"
#include "report/plain_page.hpp"

namespace hstar {
namespace {

std::string interactive_page(const report::App& app, const RunResult& result, const ModelSpec& model) {
  const report::PageData data = report::page_data(result, model);
  const std::string title = model.title.empty() ? std::string(record::base_name(model.file)) : model.title;
  std::string page;
  page.reserve(app.script.size() + app.style.size() + data.json.size() + data.values.size() + 1000);
  page += "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">";
  page += "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>";
  page += report::escaped(title);
  page += "</title>\n<style>";
  page += app.style;
  page +=
      "</style></head>\n<body><main id=\"page\"><noscript>This page needs scripts; the same run is in trajectory.csv "
      "and events.csv.</noscript></main>\n<script type=\"application/json\" id=\"run-data\">";
  page += data.json;
  page += "</script>\n<script type=\"text/plain\" id=\"run-values\">";
  page += data.values;
  page += "</script>\n<script>";
  page += app.script;
  page += "</script></body></html>\n";
  return page;
}

}  // namespace

bool report_is_interactive() { return !report::app().script.empty(); }

void write_report(const RunResult& result, const ModelSpec& model, const std::string& path) {
  const report::App app = report::app();
  const RunResult shown = record::without_round_off(result);
  const std::string page = app.script.empty() ? report::plain_page(shown, model) : interactive_page(app, shown, model);
  record::write_text_file(path, page);
}

}  // namespace hstar

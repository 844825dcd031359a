// src/report/plain_page.cpp
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "hstar/record.hpp"
#include "hstar/version.hpp"
#include "record/text.hpp"
#include "report/curve.hpp"
#include "report/figure.hpp"
#include "report/page_data.hpp"
#include "report/plain_page.hpp"

namespace hstar {
namespace {

using report::escaped;

constexpr std::size_t most_table_rows = 4000;  // a browser still scrolls this smoothly

constexpr std::string_view page_style = R"(
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:1000px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:26px;line-height:1.25;margin:0 0 4px}
h2{font-size:17px;margin:36px 0 10px;padding-top:10px;border-top:1px solid var(--line)}
p{margin:4px 0}.soft{color:var(--soft)}
.outcome{display:inline-block;margin:14px 0 4px;padding:4px 12px;border-radius:6px;border-left:4px solid var(--c2);background:var(--line)}
.outcome.short{border-left-color:var(--c1)}
.figure{display:block;width:100%;height:auto;margin:2px 0 14px}
table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
th,td{padding:3px 12px 3px 0;text-align:left;vertical-align:top;white-space:nowrap}
th{color:var(--soft);font-weight:600}
td.n,th.n{text-align:right}
td.note{white-space:normal;min-width:16em}
.scroll{max-height:520px;overflow:auto;border:1px solid var(--line);border-radius:6px;padding:0 10px}
.scroll th{position:sticky;top:0;background:var(--paper);padding-top:8px}
.scroll tr+tr td{border-top:1px solid var(--line)}
pre{overflow:auto;font:12.5px/1.5 ui-monospace,"DejaVu Sans Mono",monospace;border:1px solid var(--line);border-radius:6px;padding:12px;margin:0}
ul{margin:4px 0;padding-left:20px}
@media print{.scroll{max-height:none;overflow:visible}}
)";

class Page {
 public:
  Page(const RunResult& result, const ModelSpec& model) : result_(result), model_(model) {}

  std::string write() {
    const std::string title = model_.title.empty() ? std::string(record::base_name(model_.file)) : model_.title;
    add("<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><meta name=\"color-scheme\" "
        "content=\"light dark\">"
        "<title>{}</title>\n<style>{}{}</style></head>\n<body><main>\n",
        escaped(title), report::figure_style(), page_style);
    add("<h1>{}</h1>\n", escaped(title));
    heading();
    plots();
    events();
    extremes();
    final_state();
    options();
    if (!model_.text.empty()) add("<h2>Model</h2>\n<pre>{}</pre>\n", escaped(model_.text));
    add("<p class=\"soft\">hstar {}, model hash {}</p>\n</main></body></html>\n", HSTAR_VERSION, model_hash(model_));
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> pattern, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), pattern, std::forward<Args>(args)...);
  }

  void heading() {
    const RunOutcome& o = result_.outcome;
    std::string counts;
    for (const auto& [kind, count] : tally(result_.events).kinds) {
      counts += fmt::format("{}{} {}", counts.empty() ? ": " : ", ", count, escaped(kind));
    }
    add("<p class=\"soft\">{} event{}{}. {} steps, {} evaluations, {} restarts.</p>\n", result_.events.size(),
        result_.events.size() == 1 ? "" : "s", counts, result_.counters.flow.steps, result_.counters.flow.evaluations,
        result_.counters.flow.restarts);
    std::string status(name(o.status));
    std::replace(status.begin(), status.end(), '_', ' ');
    add("<p class=\"outcome{}\">{} at t = {} s{}</p>\n", o.success() ? "" : " short", status, number_text(o.t),
        o.mode.empty() ? "" : ", mode " + escaped(record::readable_mode(o.mode)));
    if (!o.message.empty()) add("<p>{}</p>\n", escaped(o.message));
    if (!result_.notices.empty()) {
      add("<ul>");
      for (const std::string& notice : result_.notices) add("<li>{}</li>", escaped(notice));
      add("</ul>\n");
    }
  }

  void plots() {
    std::vector<std::string> constants;
    const std::vector<report::Panel> panels = report::panels_of(result_, constants);
    if (!panels.empty()) add("<h2>Motion</h2>\n");
    for (const report::Panel& panel : panels) text_ += report::figure_svg(result_, {{panel}});
    if (constants.empty()) return;
    add("<p class=\"soft\">Constant throughout: ");
    for (std::size_t i = 0; i < constants.size(); ++i) add("{}{}", i == 0 ? "" : ", ", escaped(constants[i]));
    add(".</p>\n");
  }

  void event_row(const EventRecord& e) {
    add("<tr><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{:.0e}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td><td class=\"n\">{:.6g}</td><td class=\"n\">{:.6g}</td><td class=\"n\">{:.6g}</td>"
        "<td class=\"n\">{:.6g}</td><td class=\"n\">{:.6g}</td><td class=\"note\">{}</td></tr>\n",
        e.index, number_text(e.t), e.dt_error, escaped(e.kind), escaped(e.element), escaped(e.mode_before),
        escaped(e.mode_after), e.gap_velocity_before, e.gap_velocity_after, e.impulse_n, e.impulse_t, e.energy_loss,
        escaped(e.note));
  }

  void events() {
    const auto& all = result_.events;
    if (all.empty()) return;
    add("<h2>Events</h2>\n<div class=\"scroll\"><table><tr><th class=\"n\">#</th><th class=\"n\">t [s]</th>"
        "<th class=\"n\">error [s]</th><th>kind</th><th>element</th><th>before</th><th>after</th>"
        "<th class=\"n\">velocity before</th><th class=\"n\">after</th><th class=\"n\">normal impulse [N s]</th>"
        "<th class=\"n\">tangential [N s]</th><th class=\"n\">energy loss [J]</th><th>note</th></tr>\n");
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all.size() > most_table_rows && i == most_table_rows / 2) {
        const std::size_t left_out = all.size() - most_table_rows;
        add("<tr><td></td><td colspan=\"12\">{} more events are in events.csv</td></tr>\n", left_out);
        i += left_out;
      }
      event_row(all[i]);
    }
    add("</table></div>\n");
  }

  void extremes() {
    if (result_.extremes.empty()) return;
    add("<h2>Extremes</h2>\n<table><tr><th>quantity</th><th>mode</th><th class=\"n\">smallest</th><th class=\"n\">at t "
        "[s]</th>"
        "<th class=\"n\">largest</th><th class=\"n\">at t [s]</th></tr>\n");
    for (const RunResult::Extreme& e : result_.extremes) {
      add("<tr><td>{}</td><td>{}</td><td class=\"n\">{:.10g}</td><td class=\"n\">{:.10g}</td><td "
          "class=\"n\">{:.10g}</td>"
          "<td class=\"n\">{:.10g}</td></tr>\n",
          escaped(e.measure), e.mode.empty() ? "all" : escaped(e.mode), e.min, e.t_min, e.max, e.t_max);
    }
    add("</table>\n");
  }

  void final_state() {
    if (result_.y_end.empty()) return;
    add("<h2>Final state</h2>\n<table>\n");
    for (std::size_t i = 0; i < result_.state_names.size() && i < result_.y_end.size(); ++i) {
      add("<tr><th>{}</th><td class=\"n\">{}</td></tr>\n", escaped(result_.state_names[i]),
          number_text(result_.y_end[i]));
    }
    add("</table>\n");
  }

  void options() {
    add("<h2>Options</h2>\n<table>\n");
    for (const auto& [option, value] : options_as_run(model_, result_))
      add("<tr><th>{}</th><td>{}</td></tr>\n", option, escaped(value));
    for (const auto& [parameter, value] : model_.parameters) {
      add("<tr><th>parameter {}</th><td>{}</td></tr>\n", escaped(parameter), number_text(value));
    }
    add("</table>\n");
  }

  const RunResult& result_;
  const ModelSpec& model_;
  std::string text_;
};

}  // namespace

namespace report {

std::string plain_page(const RunResult& result, const ModelSpec& model) { return Page(result, model).write(); }

}  // namespace report
}  // namespace hstar

// src/report/figure.cpp
#include "report/figure.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/axis.hpp"
#include "report/curve.hpp"
#include "report/mode_bands.hpp"

namespace hstar::report {
namespace {

constexpr int width = 900;  // all lengths in SVG units, which are pixels at full size
constexpr int left = 86;    // room for tick labels and element names
constexpr int right = width - 14;
constexpr int title_height = 26;
constexpr int band_height = 9;
constexpr int band_pitch = 13;
constexpr int colours = 6;
constexpr std::size_t most_event_lines = 150;  // more would hide the curves

class Canvas {
 public:
  Canvas(const RunResult& result, const Figure& figure) : result_(result), figure_(figure) {
    double t_low = result.rows.empty() ? 0.0 : result.rows.front()[0];
    double t_high = result.rows.empty() ? 1.0 : result.rows.back()[0];
    if (!(t_high > t_low)) t_high = t_low + 1.0;
    time_ = make_axis(t_low, t_high, 8, false);
    x_ = {t_low, t_high, double(left), double(right)};
    bands_ = mode_bands(result, t_low, t_high);
  }

  std::string draw() {
    int top = 0;
    for (const Panel& panel : figure_.panels) {
      draw_panel(panel, top + title_height, top + title_height + figure_.panel_height);
      top += title_height + figure_.panel_height + 6;
    }
    top = draw_bands(top + 2);
    draw_time_labels(top);
    const int height = top + 40;
    std::string head = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" viewBox=\"0 0 {} {}\" role=\"img\" "
        "aria-label=\"{}\">\n",
        width, height, escaped(names_of_all()));
    if (figure_.standalone) {
      head += fmt::format("<style>{}</style>\n<rect class=\"paper\" width=\"{}\" height=\"{}\"/>\n", figure_style(),
                          width, height);
    }
    return head + body_ + "</svg>\n";
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> pattern, Args&&... args) {
    fmt::format_to(std::back_inserter(body_), pattern, std::forward<Args>(args)...);
  }

  [[nodiscard]] std::string names_of_all() const {
    std::string names = "against time:";
    for (const Panel& panel : figure_.panels) {
      for (const std::size_t column : panel) names += " " + result_.columns[column];
    }
    return names;
  }

  void draw_panel(const Panel& panel, int top, int bottom) {
    Range all{0, 0};
    bool first = true;
    for (const std::size_t column : panel) {
      const Range range = range_of(result_.rows, column);
      if (range.low > range.high) continue;
      all = first ? range : Range{std::min(all.low, range.low), std::max(all.high, range.high)};
      first = false;
    }
    const bool decades =
        std::find(figure_.decades.begin(), figure_.decades.end(), panel.front()) != figure_.decades.end();
    const Axis axis = decades ? make_log_axis(all.low, all.high, 6, true) : make_axis(all.low, all.high, 4, true);
    const Scale y{axis.low, axis.high, double(bottom), double(top)};

    for (const double tick : time_.ticks) add("<path class=\"grid\" d=\"M{0:.1f} {1}V{2}\"/>", x_(tick), top, bottom);
    for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
      add("<path class=\"grid\" d=\"M{0} {1:.1f}H{2}\"/>", left, y(axis.ticks[i]), right);
      add("<text class=\"tick\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", left - 6, y(axis.ticks[i]) + 4,
          axis.labels[i]);
    }
    body_ += '\n';
    draw_events(top, bottom);
    add("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", left, top, right - left,
        bottom - top);
    for (std::size_t i = 0; i < panel.size(); ++i) {
      add("<path class=\"curve c{}\" d=\"{}\"/>\n", i % colours, curve_path(result_.rows, panel[i], x_, y));
    }
    draw_title(panel, axis.note, top - 9);
  }

  /// Names of the curves in their colours, and the unit they share.
  void draw_title(const Panel& panel, const std::string& note, int baseline) {
    double x = left;
    for (std::size_t i = 0; i < panel.size(); ++i) {
      const std::string& name = result_.columns[panel[i]];
      add("<path class=\"curve c{}\" d=\"M{:.0f} {}h18\"/>", i % colours, x, baseline - 4);
      add("<text class=\"name\" x=\"{:.0f}\" y=\"{}\">{}</text>", x + 23, baseline, escaped(name));
      x += 23 + 7.6 * static_cast<double>(name.size()) + 18;
    }
    std::string unit = result_.units[panel.front()];
    if (const auto square = unit.find("^2"); square != std::string::npos) unit.replace(square, 2, "\u00b2");
    add("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", left - 6, baseline,
        escaped("[" + (unit.empty() ? "1" : unit) + "]"));
    if (!note.empty()) {
      add("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">labels {}</text>\n", right, baseline,
          escaped(note));
    }
  }

  /// A line through the panel for each event; a short mark where lines would stand too close.
  void draw_events(int top, int bottom) {
    const bool lines = result_.events.size() <= most_event_lines;
    double last = -10;
    for (const EventRecord& e : result_.events) {
      const double x = x_(e.t);
      if (!lines && x - last < 1.0) continue;
      last = x;
      if (lines) {
        add("<path class=\"event\" d=\"M{:.1f} {}V{}\"><title>{}</title></path>", x, top, bottom,
            escaped(fmt::format("{} {} {}, t = {:.12g} s", e.index, e.kind, e.element, e.t)));
      } else {
        add("<path class=\"event\" d=\"M{:.1f} {}v-7\"/>", x, bottom);
      }
    }
    if (!result_.events.empty()) body_ += '\n';
  }

  int draw_bands(int top) {
    std::vector<std::string> seen;
    for (const ModeBand& band : bands_) {
      std::string name = band.element;
      if (name.size() > 12) name = name.substr(0, 11) + "\u2026";
      add("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", left - 6, top + band_height,
          escaped(name));
      for (const ModeInterval& interval : band.intervals) {
        const double from = x_(interval.from), to = x_(interval.to);
        add("<rect class=\"mode {}\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\"><title>{}</title></rect>",
            mode_class(interval.mode), from, top, std::max(to - from, 0.3), band_height,
            escaped(fmt::format("{}: {}, t = {:.9g} to {:.9g} s", band.element, interval.mode, interval.from,
                                interval.to)));
        if (std::find(seen.begin(), seen.end(), interval.mode) == seen.end()) seen.push_back(interval.mode);
      }
      body_ += '\n';
      top += band_pitch;
    }
    double x = right;
    for (auto mode = seen.rbegin(); mode != seen.rend(); ++mode) {
      x -= 7.0 * static_cast<double>(mode->size()) + 24;
      add("<rect class=\"mode {}\" x=\"{:.0f}\" y=\"{}\" width=\"10\" height=\"10\"/>", mode_class(*mode), x, top + 24);
      add("<text class=\"tick\" x=\"{:.0f}\" y=\"{}\">{}</text>\n", x + 15, top + 33, escaped(*mode));
    }
    return top;
  }

  void draw_time_labels(int top) {
    for (std::size_t i = 0; i < time_.ticks.size(); ++i) {
      add("<text class=\"tick\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", x_(time_.ticks[i]), top + 14,
          time_.labels[i]);
    }
    add("\n<text class=\"name\" x=\"{}\" y=\"{}\">t [s]{}{}</text>\n", left, top + 33,
        time_.note.empty() ? "" : ", labels ", escaped(time_.note));
  }

  static std::string_view mode_class(std::string_view mode) {
    if (mode == "stick") return "stick";
    if (mode == "slip+") return "plus";
    if (mode == "slip-") return "minus";
    if (mode == "open") return "open";
    return "other";
  }

  const RunResult& result_;
  const Figure& figure_;
  Axis time_;
  Scale x_{};
  std::vector<ModeBand> bands_;
  std::string body_;
};

}  // namespace

std::string figure_svg(const RunResult& result, const Figure& figure) { return Canvas(result, figure).draw(); }

std::string_view figure_style() {
  return R"(
:root{--paper:#fff;--ink:#1c2430;--soft:#5b6675;--line:#e3e7ec;--frame:#aab3bf;--event:#8a94a3;
--c0:#0067a8;--c1:#c44f00;--c2:#00805d;--c3:#a8478a;--c4:#9a6b00;--c5:#2f7fb5;
--stick:#5f7f9e;--plus:#e08a3c;--minus:#4fae9a;--open:#dfe4ea;--other:#a98fc4}
@media (prefers-color-scheme:dark){:root{--paper:#14181e;--ink:#e6e9ee;--soft:#9aa5b4;--line:#262d37;--frame:#4a5563;--event:#76818f;
--c0:#5db4f0;--c1:#ff9a57;--c2:#4fd0a5;--c3:#e59acb;--c4:#e3b95a;--c5:#9ad1f5;
--stick:#6d8fb3;--plus:#d98a45;--minus:#4fae9a;--open:#2c3440;--other:#9b85b8}}
.paper{fill:var(--paper)}
.figure text{font-family:system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;font-size:12px;fill:var(--soft)}
.figure .name{font-size:13px;fill:var(--ink)}
.grid{stroke:var(--line);fill:none;stroke-width:1}
.frame{stroke:var(--frame);fill:none;stroke-width:1}
.event{stroke:var(--event);fill:none;stroke-width:1;stroke-opacity:.35}
.curve{fill:none;stroke-width:1.6;stroke-linejoin:round}
.c0{stroke:var(--c0)}.c1{stroke:var(--c1)}.c2{stroke:var(--c2)}.c3{stroke:var(--c3)}.c4{stroke:var(--c4)}.c5{stroke:var(--c5)}
.stick{fill:var(--stick)}.plus{fill:var(--plus)}.minus{fill:var(--minus)}.open{fill:var(--open)}.other{fill:var(--other)}
)";
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace hstar::report

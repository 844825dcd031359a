// src/analysis/sweep/picture.cpp
//
// A sweep as a picture: curves over one axis, points for strobe(), a map over two axes.
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>

#include "hstar/sweep.hpp"
#include "record/text_file.hpp"
#include "report/axis.hpp"
#include "report/curve.hpp"
#include "report/figure.hpp"

namespace hstar {
namespace {

constexpr int width = 900, left = 84, right = 720, first_top = 24;
constexpr int one_panel = 476, panel = 200, panel_gap = 22, below = 60;  ///< heights [px]
constexpr std::size_t few_points = 40;                                   ///< so few are marked on their curve
constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Table {
  std::size_t axes = 0;
  std::vector<std::string> names;         ///< member, axes, quantities
  std::vector<std::vector<double>> rows;  ///< as many numbers as names; NaN for what is none
};

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields{""};
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"')
        fields.back() += line[i++];
      else
        quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

Table read_table(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError("cannot read '" + path + "': " + std::strerror(errno));
  Table table;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("# axes: ", 0) == 0)
      table.axes = static_cast<std::size_t>(std::strtoul(line.c_str() + 8, nullptr, 10));
    if (line.empty() || line.front() == '#') continue;
    const auto fields = fields_of(line);
    if (fields.size() < 3) continue;
    if (table.names.empty()) {
      table.names.assign(fields.begin(), fields.end() - 2);  // without status and message
      continue;
    }
    std::vector<double> row(table.names.size(), none);
    for (std::size_t i = 0; i < std::min(row.size(), fields.size()); ++i) {
      double value = none;
      const auto [end, error] = std::from_chars(fields[i].data(), fields[i].data() + fields[i].size(), value);
      if (error == std::errc() && end == fields[i].data() + fields[i].size()) row[i] = value;
    }
    table.rows.push_back(std::move(row));
  }
  if (table.axes == 0 || table.names.size() < table.axes + 2 || table.rows.empty())
    throw InputError("'" + path + "' is not a table of `hstar sweep`, or holds no rows");
  return table;
}

class Picture {
 public:
  /// `log`: "x", "y" or "xy", the axes in decades.
  Picture(Table table, std::string_view log) : table_(std::move(table)), log_(log) {
    for (std::size_t column = 1; column < table_.names.size(); ++column)
      if (in_decades(column))
        for (auto& row : table_.rows)
          row[column] = std::abs(row[column]) > 0 ? std::log10(std::abs(row[column])) : none;
  }

  std::string draw() {
    const std::vector<Curves> panels = table_.axes >= 2 ? std::vector<Curves>(1) : curves_by_name();
    const int high = panels.size() == 1 ? one_panel : panel;
    const int height = first_top + static_cast<int>(panels.size()) * (high + panel_gap) - panel_gap + below;
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"system-ui,sans-serif\" "
        "font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        width, height);
    top_ = first_top;
    bottom_ = first_top + high;
    for (std::size_t i = 0; i < panels.size(); ++i) {
      if (table_.axes >= 2)
        map();
      else
        curves(panels[i], i + 1 == panels.size());
      top_ += high + panel_gap;
      bottom_ += high + panel_gap;
    }
    return text_ + "</svg>\n";
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> pattern, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), pattern, std::forward<Args>(args)...);
  }

  /// Column 0 is the number of the run, then come the varied quantities.
  [[nodiscard]] bool in_decades(std::size_t column) const {
    return log_.find(column <= table_.axes ? 'x' : 'y') != std::string_view::npos;
  }

  report::Scale axis(std::size_t first, std::size_t last, bool horizontal, bool padded) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t column = first; column < last; ++column) {
      const report::Range range = report::range_of(table_.rows, column);
      low = std::min(low, range.low);
      high = std::max(high, range.high);
    }
    if (!(low <= high)) throw InputError("no run of the sweep gave a number for '" + table_.names[first] + "'");
    const int wanted = horizontal ? 8 : 7;
    const report::Axis a = in_decades(first) ? report::make_log_axis(low, high, wanted, padded)
                                             : report::make_axis(low, high, wanted, padded);
    const report::Scale scale =
        horizontal ? report::Scale{a.low, a.high, left, right} : report::Scale{a.low, a.high, bottom_, top_};
    for (std::size_t i = 0; i < a.ticks.size(); ++i) {
      const double at = scale(a.ticks[i]);
      if (horizontal)
        add("<path d=\"M{:.1f} {}V{}\" stroke=\"#dfe3e8\"/><text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\" "
            "fill=\"#5b6570\">{}</text>\n",
            at, top_, bottom_, at, bottom_ + 18, a.labels[i]);
      else
        add("<path d=\"M{} {:.1f}H{}\" stroke=\"#dfe3e8\"/><text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\" "
            "fill=\"#5b6570\">{}</text>\n",
            left, at, right, left - 7, at + 4, a.labels[i]);
    }
    if (!a.note.empty()) {
      if (horizontal)
        add("<text x=\"{}\" y=\"{}\" fill=\"#5b6570\">{}</text>\n", right + 8, bottom_ + 18, report::escaped(a.note));
      else
        add("<text x=\"{}\" y=\"{}\" fill=\"#5b6570\">{}</text>\n", left, top_ - 8, report::escaped(a.note));
    }
    return scale;
  }

  void axis_names(const std::string& x, const std::string& y) {
    add("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (left + right) / 2, bottom_ + 44,
        report::escaped(x));
    add("<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n", (top_ + bottom_) / 2,
        report::escaped(y));
  }

  /// One quantity has one panel, since two have no unit in common; the points of one strobe() are one quantity.
  struct Curves {
    std::string name;
    std::vector<std::size_t> columns;
    bool points = false;
  };

  std::vector<Curves> curves_by_name() const {
    std::vector<Curves> all;
    for (std::size_t column = table_.axes + 1; column < table_.names.size(); ++column) {
      const std::string& name = table_.names[column];
      const bool points = name.rfind("strobe ", 0) == 0;
      const std::string shown = points ? name.substr(7, name.rfind(' ') - 7) : name;
      auto found = std::find_if(all.begin(), all.end(), [&](const Curves& c) { return c.name == shown; });
      if (found == all.end()) found = all.insert(all.end(), {shown, {}, points});
      found->columns.push_back(column);
    }
    return all;
  }

  void curves(const Curves& drawn, bool lowest) {
    const char* colour = "#1d4ed8";
    const report::Scale x = axis(1, 2, true, false),
                        y = axis(drawn.columns.front(), drawn.columns.back() + 1, false, true);
    const bool marks = drawn.points || table_.rows.size() < few_points;
    for (const std::size_t column : drawn.columns) {
      std::string path;
      bool drawing = false;
      for (const auto& row : table_.rows) {
        if (!std::isfinite(row[column])) {
          drawing = false;
          continue;
        }
        if (marks)
          add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", x(row[1]), y(row[column]),
              drawn.points ? 1.1 : 2.2, colour);
        path += fmt::format("{}{:.1f} {:.1f}", drawing ? "L" : "M", x(row[1]), y(row[column]));
        drawing = true;
      }
      if (!drawn.points && !path.empty())
        add("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", path, colour);
    }
    axis_names(lowest ? table_.names[1] : "", drawn.name);
  }

  /// Dark blue to yellow, about equal steps of lightness.
  static std::string shade(double part) {
    static constexpr double stops[5][3] = {{38, 32, 84}, {44, 92, 138}, {38, 150, 135}, {134, 197, 82}, {250, 227, 60}};
    const double at = std::clamp(part, 0.0, 1.0) * 4;
    const auto i = std::min<std::size_t>(static_cast<std::size_t>(at), 3);
    const double f = at - static_cast<double>(i);
    const auto mix = [&](std::size_t c) {
      return static_cast<int>(std::lround(stops[i][c] + f * (stops[i + 1][c] - stops[i][c])));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2));
  }

  void map() {
    const std::size_t quantity = table_.axes + 1;
    const report::Scale x = axis(2, 3, true, false), y = axis(1, 2, false, false);
    const report::Range range = report::range_of(table_.rows, quantity);
    if (!(range.low <= range.high))
      throw InputError("no run of the sweep gave a number for '" + table_.names[quantity] + "'");
    const auto steps = [&](std::size_t column) {
      std::set<double> values;
      for (const auto& row : table_.rows) values.insert(row[column]);
      return std::max<double>(1.0, static_cast<double>(values.size()));
    };
    const bool scattered = steps(1) * steps(2) > 4.0 * static_cast<double>(table_.rows.size());  // a Latin hypercube
    const double w = scattered ? 8 : (right - left) / std::max(1.0, steps(2) - 1),
                 h = scattered ? 8 : (bottom_ - top_) / std::max(1.0, steps(1) - 1);
    add("<clipPath id=\"f\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n<g "
        "clip-path=\"url(#f)\">\n",
        left, top_, right - left, bottom_ - top_);
    const double span = range.high > range.low ? range.high - range.low : 1;
    for (const auto& row : table_.rows) {
      const bool there = std::isfinite(row[quantity]);
      add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", x(row[2]) - w / 2,
          y(row[1]) - h / 2, w + 0.3, h + 0.3, there ? shade((row[quantity] - range.low) / span) : "#bbb");
    }
    add("</g>\n");
    const report::Axis bar = in_decades(quantity) ? report::make_log_axis(range.low, range.high, 6, false)
                                                  : report::make_axis(range.low, range.high, 6, false);
    for (int i = 0; i < 100; ++i)
      add("<rect x=\"{}\" y=\"{:.1f}\" width=\"16\" height=\"3.4\" fill=\"{}\"/>\n", right + 24, 400.0 - 3.3 * i,
          shade(i / 99.0));
    for (std::size_t i = 0; i < bar.ticks.size(); ++i) {
      const double part = (bar.ticks[i] - range.low) / span;
      if (part < -1e-9 || part > 1 + 1e-9) continue;
      add("<text x=\"{}\" y=\"{:.1f}\" fill=\"#5b6570\">{}</text>\n", right + 46, 405.0 - 330 * part, bar.labels[i]);
    }
    add("<text x=\"{}\" y=\"56\">{}</text><text x=\"{}\" y=\"424\" fill=\"#5b6570\">{}</text>\n", right + 20,
        report::escaped(table_.names[quantity]), right + 20, report::escaped(bar.note));
    axis_names(table_.names[2], table_.names[1]);
  }

  Table table_;
  std::string_view log_;
  double top_ = 0, bottom_ = 0;  ///< of the panel that is drawn
  std::string text_;
};

}  // namespace

void write_sweep_picture(const std::string& csv, const std::string& svg, const std::string& log) {
  if (log.find_first_not_of("xy") != std::string::npos)
    throw InputError("--log " + log + " must be x, y or xy, the axes in decades");
  record::write_text_file(svg, Picture(read_table(csv), log).draw());
}

}  // namespace hstar

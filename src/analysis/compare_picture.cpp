// src/analysis/compare_picture.cpp
//
// Pictures of a comparison: wall time or the fixed step across, end-state error upward, both logarithmic, a curve a
// method. Colour says the formulation, the dashes the integrator; failed runs are not drawn.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>

#include "analysis/convergence.hpp"
#include "hstar/compare.hpp"
#include "report/curve.hpp"
#include "report/figure.hpp"

namespace hstar {
namespace {

constexpr int least_width = 900, letter = 7, left = 74, top = 30, plot_height = 420, right = 640, line_pitch = 17;
constexpr std::size_t colours = 6;
constexpr std::array<const char*, 8> dashes{"", "6 3", "2 3", "8 3 2 3", "12 4", "4 2", "1 4", "10 2 2 2 2 2"};
constexpr double least_error = 1e-16, least_time = 1e-6;

struct Curve {
  std::string formulation, integrator;            ///< what colour and dashes say
  std::string name;                               ///< in the legend
  std::vector<std::pair<double, double>> points;  ///< log10 of seconds or of h, and of the error
};

std::vector<Curve> curves_of(const Comparison& c) {
  std::vector<Curve> all;
  for (const CompareRow& r : c.rows) {
    if (!r.finished() || !r.end_error || !(*r.end_error < 1e3)) continue;
    const std::string integrator = r.integrator + (r.variant.empty() ? "" : " (" + r.variant + ")");
    if (all.empty() || all.back().formulation != r.formulation || all.back().integrator != integrator)
      all.push_back({r.formulation, integrator, r.formulation + " + " + integrator, {}});
    all.back().points.emplace_back(std::log10(std::max(r.seconds, least_time)),
                                   std::log10(std::max(*r.end_error, least_error)));
  }
  return all;
}

std::vector<Curve> convergence_curves_of(const Comparison& c) {
  std::vector<Curve> all;
  for (const analysis::Convergence& line : analysis::convergence(c)) {
    const std::size_t plus = line.name.find(" + ");
    all.push_back({line.name.substr(0, plus),
                   line.name.substr(plus + 3),
                   fmt::format("{}: {:.2f} ({})", line.name, line.slope, line.order),
                   {}});
    for (const auto& [h, e] : line.points)
      all.back().points.emplace_back(std::log10(h), std::log10(std::max(e, least_error)));
  }
  return all;
}

template <class Get>
std::size_t place_of(const std::vector<Curve>& curves, const std::string& name, Get get) {
  std::vector<std::string> seen;
  for (const Curve& c : curves)
    if (std::find(seen.begin(), seen.end(), get(c)) == seen.end()) seen.push_back(get(c));
  return static_cast<std::size_t>(std::find(seen.begin(), seen.end(), name) - seen.begin());
}

class Picture {
 public:
  /// `across` says what the first coordinate of the points is.
  Picture(const Comparison& comparison, std::vector<Curve> curves, std::string across)
      : comparison_(comparison), curves_(std::move(curves)), across_(std::move(across)) {
    double t0 = 0, t1 = 0, e0 = 0, e1 = 0;
    bool first = true;
    for (const Curve& c : curves_)
      for (const auto& [t, e] : c.points) {
        t0 = first ? t : std::min(t0, t), t1 = first ? t : std::max(t1, t);
        e0 = first ? e : std::min(e0, e), e1 = first ? e : std::max(e1, e);
        first = false;
      }
    t0 = std::floor(t0), t1 = std::max(std::ceil(t1), t0 + 1);
    e0 = std::floor(e0), e1 = std::max(std::ceil(e1), e0 + 1);
    x_ = {t0, t1, double(left), double(right)};
    y_ = {e0, e1, double(top + plot_height), double(top)};
  }

  std::string draw() {
    decades(x_, [&](int power, double x) {
      add("<path class=\"grid\" d=\"M{:.1f} {}v{}\"/><text class=\"tick\" x=\"{:.1f}\" y=\"{}\" "
          "text-anchor=\"middle\">1e{}</text>\n",
          x, top, plot_height, x, top + plot_height + 16, power);
    });
    decades(y_, [&](int power, double y) {
      add("<path class=\"grid\" d=\"M{} {:.1f}H{}\"/><text class=\"tick\" x=\"{}\" y=\"{:.1f}\" "
          "text-anchor=\"end\">1e{}</text>\n",
          left, y, right, left - 6, y + 4, power);
    });
    add("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", left, top, right - left, plot_height);
    int legend = top + 10;
    for (const Curve& c : curves_) {
      const std::size_t colour = place_of(curves_, c.formulation, [](const Curve& k) { return k.formulation; });
      const std::size_t dash = place_of(curves_, c.integrator, [](const Curve& k) { return k.integrator; });
      const std::string style =
          fmt::format("class=\"curve c{}\" stroke-dasharray=\"{}\"", colour % colours, dashes[dash % dashes.size()]);
      std::string path;
      for (const auto& [t, e] : c.points) {
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_(t), y_(e));
        add("<circle class=\"curve c{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.4\"/>", colour % colours, x_(t), y_(e));
      }
      add("<path {} d=\"{}\"><title>{}</title></path>\n", style, path, report::escaped(c.name));
      add("<path {} d=\"M{} {}h26\"/><text class=\"tick\" x=\"{}\" y=\"{}\">{}</text>\n", style, right + 14, legend - 4,
          right + 46, legend, report::escaped(c.name));
      legend += line_pitch;
    }
    add("<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>\n", left, top + plot_height + 34, across_);
    add("<text class=\"name\" x=\"{}\" y=\"{}\">end-state error: {}</text>\n", left, top - 10,
        report::escaped(comparison_.title));
    const int height = std::max(top + plot_height + 46, legend + 10);
    int width = least_width;
    for (const Curve& c : curves_) width = std::max(width, right + 46 + letter * static_cast<int>(c.name.size()));
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "aria-label=\"end-state error against {4}\">\n<style>{2}</style>\n"
        "<rect class=\"paper\" width=\"{0}\" height=\"{1}\"/>\n{3}</svg>\n",
        width, height, report::figure_style(), body_, across_);
  }

 private:
  template <class Use>
  static void decades(const report::Scale& scale, Use&& use) {
    for (int power = static_cast<int>(scale.low); power <= static_cast<int>(scale.high); ++power)
      use(power, scale(power));
  }
  template <typename... Args>
  void add(fmt::format_string<Args...> pattern, Args&&... args) {
    fmt::format_to(std::back_inserter(body_), pattern, std::forward<Args>(args)...);
  }

  const Comparison& comparison_;
  std::vector<Curve> curves_;
  std::string across_;
  report::Scale x_{}, y_{};
  std::string body_;
};

}  // namespace

namespace {
void write(const std::string& picture, const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  out << picture;
  out.flush();
  if (!out) throw InputError("compare: cannot write \"" + path + "\"; give a path in a folder that exists");
}
}  // namespace

void write_comparison_svg(const Comparison& c, const std::string& path) {
  write(Picture(c, curves_of(c), "wall time [s]").draw(), path);
}

void write_convergence_svg(const Comparison& c, const std::string& path) {
  write(Picture(c, convergence_curves_of(c), "step h [s]; behind a name: measured slope (order)").draw(), path);
}

}  // namespace hstar

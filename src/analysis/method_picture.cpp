// src/analysis/method_picture.cpp: where an integrator is stable in the plane of z = h lambda, and its order star.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>

#include "hstar/error.hpp"
#include "hstar/flow.hpp"
#include "hstar/method.hpp"
#include "integrator/stability.hpp"
#include "report/axis.hpp"
#include "report/curve.hpp"
#include "report/figure.hpp"

namespace hstar {
namespace {

using Complex = std::complex<double>;

constexpr int size = 400, left = 60, top = 40, apart = 70, below = 40;  // [px]
constexpr int cells = 200;                                              // along each side
using integrator::no_growth;

/// Half the side of the square about 0 that shows how far the method is stable, and for an A-stable one its poles.
double half_side(integrator::Amplification& R) {
  constexpr double most = 16, least = 3;
  double reach = 0;
  while (reach < most && R(-reach) <= 1 + no_growth) reach += 0.125;
  return reach >= most ? 10 : std::max(least, std::ceil(1.5 * reach));
}

class Picture {
 public:
  Picture(integrator::Amplification& R, double half) : R_(R), half_(half) {}

  /// Paints the cells in whose middle `inside` holds.
  template <class Inside>
  void panel(const std::string& title, const Inside& inside) {
    const int from = left + panels_++ * (size + apart);
    const report::Scale x{-half_, half_, double(from), double(from + size)},
        y{-half_, half_, double(top + size), double(top)};
    const double cell = 2 * half_ / cells;
    const auto middle = [&](int i) { return -half_ + (i + 0.5) * cell; };
    for (int row = 0; row < cells; ++row)
      for (int begin = 0; begin < cells;) {
        int end = begin;
        while (end < cells && inside(Complex(middle(end), middle(row)))) ++end;
        if (end > begin)
          add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#9db8e8\"/>\n",
              x(-half_ + begin * cell), y(-half_ + (row + 1) * cell), (end - begin) * x_width(x, cell),
              x_width(x, cell));
        begin = end + 1;
      }
    const report::Axis axis = report::make_axis(-half_, half_, 6, false);
    for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
      add("<path class=\"grid\" d=\"M{0:.1f} {1}v{2}M{3} {4:.1f}h{2}\"/>", x(axis.ticks[i]), top, size, from,
          y(axis.ticks[i]));
      add("<text class=\"tick\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", x(axis.ticks[i]),
          top + size + 16, axis.labels[i]);
      add("<text class=\"tick\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}i</text>\n", from - 5, y(axis.ticks[i]) + 4,
          axis.labels[i]);
    }
    add("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", from, top, size, size);
    add("<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>\n", from, top - 12, report::escaped(title));
  }

  [[nodiscard]] std::string svg(const std::string& name) const {
    const int width = left + panels_ * (size + apart), height = top + size + below;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "aria-label=\"stability of {2}\">\n<style>{3}</style>\n<rect class=\"paper\" width=\"{0}\" "
        "height=\"{1}\"/>\n{4}</svg>\n",
        width, height, report::escaped(name), report::figure_style(), body_);
  }

  [[nodiscard]] double amplification(Complex z) { return R_(z); }

 private:
  static double x_width(const report::Scale& x, double cell) { return x(cell) - x(0); }
  template <typename... Args>
  void add(fmt::format_string<Args...> pattern, Args&&... args) {
    fmt::format_to(std::back_inserter(body_), pattern, std::forward<Args>(args)...);
  }

  integrator::Amplification& R_;
  double half_;
  int panels_ = 0;
  std::string body_;
};

}  // namespace

std::string method_picture(const std::string& name, int max_order) {
  const IntegratorEntry* entry = find_integrator(name);
  if (entry == nullptr)
    throw InputError("method: '" + name +
                     "' has no stability region in the plane of h lambda: it is not known, or steps "
                     "equations of second order (`hstar method " +
                     name + "` prints its spectral radii)");
  FlowOptions options;
  if (max_order > 0) options.max_order = max_order;
  integrator::Amplification R(*entry, options);
  const bool multistep = entry->name == "bdf" || entry->name == "ode113";
  const std::string shown = multistep ? fmt::format("{} of order {}", entry->name, options.max_order) : entry->name;
  Picture picture(R, half_side(R));
  picture.panel(shown + ": stable where painted (plane of h lambda)", [&](Complex z) { return R(z) <= 1 + no_growth; });
  // Of methods with memory the star lies on a surface of several sheets.
  if (!multistep)
    picture.panel("order star: |R(z)| > |exp z| where painted", [&](Complex z) { return R(z) > std::exp(z.real()); });
  return picture.svg(shown);
}

}  // namespace hstar

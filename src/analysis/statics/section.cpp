// src/analysis/statics/section.cpp
#include "analysis/statics/section.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/statics/tolerances.hpp"

namespace hstar {

SectionEnd section_end(const std::function<SectionPoint(double)>& at, double start, int direction,
                       const SectionOptions& options) {
  double inside = start, margin_inside = 0, step = options.first_step;
  SectionPoint outside;
  double beyond = start;
  for (;;) {
    beyond = inside + direction * step;
    if (std::abs(beyond - start) > options.furthest) return {inside, false, {}};
    outside = at(beyond);
    if (!outside.exists || outside.margin < options.threshold) break;
    inside = beyond;
    margin_inside = outside.margin;
    step = std::min(1.5 * step, options.longest_step);
  }
  if (inside == start) margin_inside = at(start).margin;
  // Illinois' rule where both ends have a margin, bisection where the outside does not exist.
  double f_in = margin_inside - options.threshold, f_out = outside.margin - options.threshold;
  int side = 0;
  SectionEnd end{inside, true, outside.why};
  for (int i = 0; i < 200; ++i) {
    const double width = std::abs(beyond - inside);
    if (width <= statics::position_round_off * std::max(std::abs(inside), std::abs(beyond)) || width == 0) break;
    double middle = 0.5 * (inside + beyond);
    if (outside.exists && i % 8 != 7 && f_in - f_out > 0) middle = inside + (beyond - inside) * f_in / (f_in - f_out);
    if (!(std::abs(middle - inside) < width && std::abs(middle - beyond) < width)) middle = 0.5 * (inside + beyond);
    if (middle == inside || middle == beyond) break;
    const SectionPoint point = at(middle);
    if (point.exists && point.margin >= options.threshold) {
      inside = middle;
      f_in = point.margin - options.threshold;
      if (f_in == 0) break;
      if (side == 1) f_out *= 0.5;
      side = 1;
    } else {
      beyond = middle;
      outside = point;
      f_out = point.margin - options.threshold;
      if (!point.why.empty()) end.why = point.why;
      if (side == -1) f_in *= 0.5;
      side = -1;
    }
  }
  end.value = inside;
  return end;
}

}  // namespace hstar

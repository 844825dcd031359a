// src/model/defects.cpp
#include "model/defects.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hstar/dae.hpp"
#include "hstar/flow.hpp"
#include "model/nearest.hpp"

namespace hstar::model {
namespace {

std::optional<Defect> table_defect(std::span<const Vec2> table) {
  if (table.empty()) return Defect{"table", "the table has no rows; give rows [speed, mu]"};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::string row = fmt::format("row {} = [{}, {}]", i + 1, table[i][0], table[i][1]);
    if (i == 0 && table[i][0] != 0.0)
      return Defect{"table", row + " of the table must begin at speed 0; give the first row as [0, mu]"};
    if (i > 0 && !(table[i][0] > table[i - 1][0]))
      return Defect{"table", fmt::format("{} of the table must have a speed > {}, that of the row before; "
                                         "order the rows by speed",
                                         row, table[i - 1][0])};
    if (!(table[i][1] >= 0.0))
      return Defect{"table", row + " of the table must have mu >= 0; give a coefficient of friction"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Defect> friction_defect(const FrictionSpec& f) {
  if (f.law == "table")
    if (auto defect = table_defect(f.table)) return defect;
  if (!f.mu_static_formula && !f.mu_kinetic_formula && f.mu_static < f.mu_kinetic)
    return Defect{"mu_static",
                  fmt::format("mu_static = {} must be >= {} = {}; a stuck contact holds at least what a "
                              "sliding one does",
                              f.mu_static, f.law == "table" ? "mu(0) of the table" : "mu_kinetic", f.mu_kinetic)};
  return std::nullopt;
}

std::optional<Defect> limits_defect(const LimitsSpec& l) {
  if (l.lower < l.upper) return std::nullopt;
  return Defect{l.coordinate == 0 ? "limits" : "second_limits", "must be [lo, hi] with lo < hi"};
}

std::optional<Defect> polygon_defect(std::span<const Vec2> corners) {
  const std::size_t n = corners.size();
  if (n < 3) return Defect{"corners", fmt::format("{} corners are not a polygon; give three or more", n)};
  double turned = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 a = corners[i], b = corners[(i + 1) % n], c = corners[(i + 2) % n];
    const double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - b[0], vy = c[1] - b[1];
    const double cross = ux * vy - uy * vx;
    constexpr double straight = 1e-12;  // sine of an angle that is round-off of the corners
    if (!(cross > straight * std::hypot(ux, uy) * std::hypot(vx, vy)))
      return Defect{"corners",
                    fmt::format("the polygon does not turn left at corner {} = [{}, {}]; give the corners of "
                                "a convex polygon counterclockwise, without points in between",
                                (i + 1) % n + 1, b[0], b[1])};
    turned += std::atan2(cross, ux * vx + uy * vy);
  }
  if (turned > 3 * std::numbers::pi)
    return Defect{"corners", "the polygon goes round more than once; give every corner once"};
  return std::nullopt;
}

bool is_arc(const Vec2& angles) { return angles[0] < angles[1] && angles[1] - angles[0] < 2 * std::numbers::pi; }

std::optional<Defect> times_defect(std::span<const double> times) {
  for (std::size_t i = 1; i < times.size(); ++i)
    if (!(times[i] > times[i - 1]))
      return Defect{"times",
                    fmt::format("times must increase, but {} s follows {} s; order the list", times[i], times[i - 1])};
  return std::nullopt;
}

std::optional<Defect> output_defect(const SimulationSpec& s) {
  constexpr double most_rows = 1e8;  // at 20 columns 40 GB of text
  const double interval = s.output > 0 ? s.output : s.fixed_step;
  const double rows = interval > 0 ? (s.end - s.start) / interval : 0;
  if (rows <= most_rows) return std::nullopt;
  if (!(s.output > 0))
    return Defect{"fixed_step", fmt::format("fixed_step = {} s asks for {:.3g} rows, one a step, at most {:g} are "
                                            "written; give output = an interval of {:.3g} s or more",
                                            s.fixed_step, rows, most_rows, (s.end - s.start) / most_rows)};
  return Defect{"output", fmt::format("output = {} s asks for {:.3g} rows from start to end, at most {:g} are written; "
                                      "give an interval of {:.3g} s or more",
                                      s.output, rows, most_rows, (s.end - s.start) / most_rows)};
}

std::optional<Defect> integrator_defect(const std::string& name) {
  if (find_integrator(name) != nullptr || find_dae_integrator(name) != nullptr) return std::nullopt;
  std::vector<std::string> known;
  for (const IntegratorEntry& entry : integrators()) known.push_back(entry.name);
  for (const IntegratorEntry& entry : further_integrators()) known.push_back(entry.name);
  for (const DaeIntegratorEntry& entry : dae_integrators())
    if (find_integrator(entry.name) == nullptr) known.push_back(entry.name);
  // Names of other codes may be meant; a list of what there is leaves them out.
  std::vector<std::string> meant = known;
  for (const IntegratorAlias& alias : integrator_aliases()) meant.emplace_back(alias.name);
  const bool near = !nearest_name(name, meant).empty();
  return Defect{"integrator", fmt::format("integrator = \"{}\" is unknown; {}", name,
                                          suggestion(name, near ? meant : known, "choose one of"))};
}

std::optional<Defect> order_defect(const ShapeSpec& first, const ShapeSpec& second) {
  if (second.shape == "line")
    return Defect{"between[1]", first.shape == "line"
                                    ? "two lines cannot touch at one point; make one of them a circle or a point"
                                    : "the line must come first, so that its normal points to the other; swap the two"};
  if (first.shape == "point" && (second.shape == "point" || second.shape == "circle"))
    return Defect{"between[0]", fmt::format("the first shape must be a line or a circle, not a point; {}",
                                            second.shape == "point" ? "give one of them a radius" : "swap the two")};
  return std::nullopt;
}

}  // namespace hstar::model

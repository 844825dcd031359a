// src/analysis/convergence.cpp
#include "analysis/convergence.hpp"

#include <algorithm>
#include <cmath>

namespace hstar::analysis {

std::vector<Convergence> convergence(const Comparison& comparison) {
  std::vector<Convergence> all;
  for (const CompareRow& r : comparison.rows) {
    if (!(r.step > 0) || !r.finished() || !r.failure.empty() || !r.end_error || !(*r.end_error > 0)) continue;
    const std::string name = r.formulation + " + " + r.integrator + (r.variant.empty() ? "" : " (" + r.variant + ")");
    if (all.empty() || all.back().name != name) all.push_back({name, r.order, 0.0, {}});
    all.back().points.emplace_back(r.step, *r.end_error);
  }
  std::erase_if(all, [](const Convergence& c) { return c.points.size() < 2; });
  for (Convergence& c : all) {
    std::sort(c.points.begin(), c.points.end());
    double mean_h = 0, mean_e = 0, hh = 0, he = 0;
    for (const auto& [h, e] : c.points) {
      mean_h += std::log(h) / static_cast<double>(c.points.size());
      mean_e += std::log(e) / static_cast<double>(c.points.size());
    }
    for (const auto& [h, e] : c.points) {
      const double x = std::log(h) - mean_h;
      hh += x * x;
      he += x * (std::log(e) - mean_e);
    }
    c.slope = hh > 0 ? he / hh : 0.0;
  }
  return all;
}

}  // namespace hstar::analysis

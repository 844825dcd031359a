// src/analysis/convergence.hpp: how the errors of a comparison fall with the step.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hstar/compare.hpp"

namespace hstar::analysis {

struct Convergence {
  std::string name;                               ///< formulation + integrator (variant)
  int order;                                      ///< of the formula
  double slope;                                   ///< of log error over log h, least squares
  std::vector<std::pair<double, double>> points;  ///< h and error, by h
};

/// Of every method that came to its end with two fixed steps at least.
[[nodiscard]] std::vector<Convergence> convergence(const Comparison& comparison);

}  // namespace hstar::analysis

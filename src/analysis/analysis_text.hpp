// src/analysis/analysis_text.hpp: numbers as the reports of the analyses print them.
#pragma once

#include <fmt/core.h>

#include <cmath>
#include <string>

namespace hstar {

[[nodiscard]] inline std::string short_number(double x) {
  return std::isinf(x) ? (x > 0 ? "unbounded" : "-unbounded") : fmt::format("{:.10g}", x == 0 ? 0.0 : x);
}

}  // namespace hstar

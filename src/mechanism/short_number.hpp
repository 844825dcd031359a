// src/mechanism/short_number.hpp: numbers in messages.
#pragma once

#include <cstdio>
#include <string>

namespace hstar {

/// x with at most so many significant digits, as "%g" writes it.
[[nodiscard]] inline std::string short_number(double x, int digits = 9) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  return text;
}

}  // namespace hstar

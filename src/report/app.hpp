// src/report/app.hpp
//
// The interactive page's script and style, built from report/ with npm and embedded here.
#pragma once

#include <string_view>

namespace hstar::report {

struct App {
  std::string_view script, style;
};

/// Empty texts if this hstar was built without npm.
[[nodiscard]] App app();

}  // namespace hstar::report

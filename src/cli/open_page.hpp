// src/cli/open_page.hpp
#pragma once

#include <string>

namespace hstar::cli {

/// Shows a page in the browser of this machine (xdg-open); says how where there is none.
void open_page(const std::string& path);

}  // namespace hstar::cli

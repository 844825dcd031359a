// src/report/plain_page.hpp
//
// A run as a page without scripts: plots with the events in them, tables, options and model text.
#pragma once

#include <string>

#include "hstar/model_spec.hpp"
#include "hstar/run.hpp"

namespace hstar::report {

[[nodiscard]] std::string plain_page(const RunResult& result, const ModelSpec& model);

}  // namespace hstar::report

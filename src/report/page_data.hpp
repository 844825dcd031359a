// src/report/page_data.hpp
//
// A run as the interactive page reads it: JSON for everything small, base64 of doubles for the columns.
#pragma once

#include <string>
#include <vector>

#include "hstar/model_spec.hpp"
#include "hstar/run.hpp"
#include "report/figure.hpp"

namespace hstar::report {

struct PageData {
  std::string json;    ///< safe inside a <script> element
  std::string values;  ///< base64 of little-endian doubles, column after column
};

[[nodiscard]] PageData page_data(const RunResult& result, const ModelSpec& model);

/// Columns that are worth a plot, grouped so that what is compared shares an axis: the same quantity (the part after
/// the last dot) of all bodies, in one unit. Columns that never change go to `constants`, in words.
[[nodiscard]] std::vector<Panel> panels_of(const RunResult& result, std::vector<std::string>& constants);

}  // namespace hstar::report

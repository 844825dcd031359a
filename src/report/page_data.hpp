// src/report/page_data.hpp
//
// A run as the interactive page reads it: JSON for everything small, thinned columns for the rest.
#pragma once

#include <string>
#include <vector>

#include "hstar/model_spec.hpp"
#include "hstar/report.hpp"
#include "hstar/run.hpp"
#include "report/figure.hpp"

namespace hstar::report {

/// `packed` (packed.hpp), of `room` characters at most wherever a picture of 1 % allows it. `rows` gives all rows, of
/// which the result may have fewer. `label` tells the run from others on the page.
[[nodiscard]] std::string page_data(const RunResult& result, const ModelSpec& model, const RowSource& rows,
                                    std::size_t room, const std::string& label = {});

/// Columns that are worth a plot, grouped so that what is compared shares an axis: the same quantity (the part after
/// the last dot) of all bodies, in one unit. Columns that never change go to `constants`, in words.
[[nodiscard]] std::vector<Panel> panels_of(const RunResult& result, std::vector<std::string>& constants);

}  // namespace hstar::report

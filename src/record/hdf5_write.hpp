// src/record/hdf5_write.hpp
#pragma once

#include <string>
#include <vector>

#include "hstar/record.hpp"
#include "record/spool.hpp"

namespace hstar::record {

/// hstar::write_hdf5 with the rows and events of `trace` in place of those in `result`.
void write_hdf5(const RunResult& result, Trace& trace, const ModelSpec& model, const std::vector<Override>& overrides,
                bool finished, const std::string& path);

}  // namespace hstar::record

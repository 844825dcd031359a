// src/cli/dask_crew.hpp
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hstar/sweep.hpp"

namespace hstar::cli {

/// The workers of a Dask cluster, each of which runs `command` with `--lines FIRST:LAST` for the members that it is
/// given. `where` is "dask://HOST:PORT", the scheduler. Needs a python3 (or what the environment's
/// HSTAR_PYTHON names) with the package `distributed` here, and on the workers this folder and this hstar. A worker
/// that dies is Dask's to replace.
[[nodiscard]] std::unique_ptr<SweepCrew> dask_crew(const std::string& where, std::vector<std::string> command);

}  // namespace hstar::cli

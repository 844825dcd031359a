// src/cli/mpi_crew.hpp
#pragma once

#include <memory>

#include "hstar/sweep.hpp"

namespace hstar::cli {

/// The ranks of the MPI job this process belongs to; null outside mpirun.
/// @throws InputError under mpirun if this hstar was built without MPI.
[[nodiscard]] std::unique_ptr<SweepCrew> mpi_crew();

}  // namespace hstar::cli

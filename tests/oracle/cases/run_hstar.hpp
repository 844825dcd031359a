// tests/oracle/cases/run_hstar.hpp
#pragma once

#include "cases/verdict.hpp"

namespace oracle {

/// Writes the model as text, has hstar read and run it in this process, and takes down what it told.
[[nodiscard]] Run run_hstar(const Model& model);

}  // namespace oracle

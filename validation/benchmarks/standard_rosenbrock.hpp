// validation/benchmarks/standard_rosenbrock.hpp
#pragma once

#include <vector>

namespace bench {

/// The state at the end of a stiff problem of standard_problems.hpp; empty if a step fails.
template <class Problem>
std::vector<double> odeint_rosenbrock(double tolerance);

}  // namespace bench

// tests/support/allocations.hpp
//
// Counts heap allocations of the whole test program. Add support/allocations.cpp to the sources of the test.
#pragma once

#include <cstddef>

/// Number of calls of operator new so far.
[[nodiscard]] std::size_t allocations() noexcept;

// tests/support/malloc_calls.hpp
//
// Counts calls of malloc, calloc, realloc and aligned_alloc from this program's own code and hstar's. Add
// support/malloc_calls.cpp to the sources of the test and HSTAR_WRAP_MALLOC to its link options.
#pragma once

#include <cstddef>

/// Number of calls so far; those of operator new are among them if support/allocations.cpp is linked too.
[[nodiscard]] std::size_t malloc_calls() noexcept;

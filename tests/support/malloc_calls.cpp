// tests/support/malloc_calls.cpp
//
// Counts the calls of malloc and its relatives from the statically linked parts of the test program, Eigen's among
// them (it does not use operator new). The linker sends them here: link with HSTAR_WRAP_MALLOC (tests/CMakeLists.txt).
#include "support/malloc_calls.hpp"

#include <atomic>

namespace {
std::atomic<std::size_t> count{0};
}

std::size_t malloc_calls() noexcept { return count; }

// The names are the linker's (ld --wrap).
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t number, std::size_t size);
void* __real_realloc(void* p, std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);

void* __wrap_malloc(std::size_t size) {
  ++count;
  return __real_malloc(size);
}
void* __wrap_calloc(std::size_t number, std::size_t size) {
  ++count;
  return __real_calloc(number, size);
}
void* __wrap_realloc(void* p, std::size_t size) {
  ++count;
  return __real_realloc(p, size);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  ++count;
  return __real_aligned_alloc(alignment, size);
}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

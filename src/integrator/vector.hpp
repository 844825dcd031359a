// src/integrator/vector.hpp
//
// States inside the methods: std::vector<double>, or std::array<double, N> where the compiler knows the size.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace hstar::integrator {

template <class Vector>
[[nodiscard]] Vector zeros(std::size_t n) {
  if constexpr (requires(Vector v) { v.resize(n); }) {
    return Vector(n);
  } else {
    return Vector{};
  }
}

}  // namespace hstar::integrator

// include/hstar/integrator/vector.hpp
//
// States inside the methods: std::vector<double>, or std::array<double, N> where the compiler knows the size.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>
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

/// Calls f(i) for every component. Unrolled for a std::array: with so few numbers the loop would cost more than they
/// do.
template <class Vector, class Function>
[[gnu::always_inline]] inline void each(const Vector& v, Function&& f) {
  if constexpr (requires { std::tuple_size<Vector>::value; }) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) { (f(I), ...); }
    (std::make_index_sequence<std::tuple_size_v<Vector>>{});
  } else {
    for (std::size_t i = 0; i < v.size(); ++i) {
      f(i);
    }
  }
}

}  // namespace hstar::integrator

// src/mechanism/user_elements.hpp: what elements of a program's own (hstar/elements.hpp) need in both dimensions.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "hstar/elements.hpp"

namespace hstar {

constexpr std::size_t most_user_bodies = 8;

/// Thrown by functions that an element would have to override to be used in this dimension; it does not know its name.
class OtherDimension : public InputError {
 public:
  explicit OtherDimension(const std::string& function);
};

/// A call of an element's function, with its name in what it throws of that kind.
template <class Element, class Call>
void call_user(const Element& element, const char* kind, const Call& call) {
  try {
    call();
  } catch (const OtherDimension& error) {
    throw InputError(element.where, std::string(kind) + " \"" + element.name + "\": " + error.what());
  }
}

/// Step of a central difference at x: the error of second order is that of round-off.
[[nodiscard]] inline double difference_step(double x) { return 6e-6 * std::max(1e-3, std::abs(x)); }

}  // namespace hstar

// src/mechanism/contact_measure.hpp: the gap of a contact and its rate, as formulas read them.
#pragma once

#include <memory>

#include "mechanism/elements.hpp"

namespace hstar {

/// An element without force whose output 0 is the gap of a contact [m], output 1 its rate. `contact` must outlive it.
[[nodiscard]] std::unique_ptr<Force> make_contact_measure(const Contact& contact);

}  // namespace hstar

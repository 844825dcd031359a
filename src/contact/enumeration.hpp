// src/contact/enumeration.hpp
//
// All answers of a small contact problem whose units have one direction: each combination of open, stick and slip is
// held against the laws by one walk (exchange.hpp).
#pragma once

#include <cstddef>
#include <vector>

#include "contact/exchange.hpp"

namespace hstar::contact {

/// Of open, stick and slip.
[[nodiscard]] double combinations(const Problem& p);
/// Of all answers the one that sticks most, and of these the one that is closed most, those on a boundary of the laws
/// last: into `guess`, by a walk. False: none, or more combinations than seven contacts with friction have.
bool enumerate(const Problem& p, Exchange& exchange, Guess& guess);
/// Answers with all that press closed and all that hold stuck, most sticking first, then most closed; at most `limit`.
/// None where there are more than 4096 combinations.
std::vector<Status> list(const Problem& p, Exchange& exchange, std::size_t limit = 64);
/// How many these are, without writing them down.
std::size_t count(const Problem& p, Exchange& exchange);

}  // namespace hstar::contact

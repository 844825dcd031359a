// src/transition/impact/sequential.hpp
//
// Several contacts at one instant as a sequence of single impacts, until none approaches.
#pragma once

#include <functional>

#include "transition/impact/impact_law.hpp"

namespace hstar {

/// Which of the approaching contacts collides next, given all gap velocities; -1 ends the sequence.
using NextContact = std::function<int(std::span<const double> gap_velocity)>;
/// The approaching contact with the greatest approach speed (the first of equals); "approaching" beyond round-off
/// `tiny` [m/s].
[[nodiscard]] NextContact fastest_first(double tiny);

/// The first approaching contact in the order of the problem, or the last.
[[nodiscard]] NextContact in_order(double tiny, bool first);

/// Where a sequence is followed; kept, it needs no new memory for the next.
struct SequenceRoom {
  ImpactProblem one;
  ImpactSolution single;
  std::vector<double> v, gap;
};
/// `total`, empty, gets impulses summed over the sequence; `order` the contacts in their order; `law` by contact. A
/// sequence that has not ended after `most` impacts but gets slower comes to its limit (McNamara & Young 1992), one
/// plastic impact of all contacts. Not solved if a single impact is not, or if it gets no slower.
void sequential_impact(const ImpactProblem& problem, std::span<const ImpactLawEntry* const> law,
                       const NextContact& next, int most, SequenceRoom& room, ImpactSolution& total,
                       std::vector<int>* order = nullptr);
/// The same with one law and room of its own.
ImpactSolution sequential_impact(const ImpactProblem& problem, const ImpactLawEntry& law, const NextContact& next,
                                 int most, std::vector<int>* order = nullptr);

}  // namespace hstar

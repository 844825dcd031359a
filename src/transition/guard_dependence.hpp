// src/transition/guard_dependence.hpp
//
// Which components of the state a guard of a mechanism can depend on. Gaps and sliding velocities: their two bodies.
// Forces (friction limits, normal forces): the bodies of their island and whatever the forces on those read. In a
// chain of n blocks that is a handful of components out of 4n.
#pragma once

#include <span>
#include <vector>

#include "formulation/mode_equations.hpp"
#include "transition/mechanism_guards.hpp"

namespace hstar {

class GuardDependence {
 public:
  explicit GuardDependence(const System& system);

  /// Follows the islands of the rows last chosen. Cost: linear in the mechanism if they have changed.
  void update(const ModeEquations& equations);
  /// Indices in y, in rising order.
  [[nodiscard]] std::span<const std::size_t> of(const WatchRef& ref) const;

 private:
  /// Lists of indices, one after the other.
  struct Lists {
    std::vector<std::size_t> first{0}, index;
    [[nodiscard]] std::span<const std::size_t> of(std::size_t i) const {
      return std::span(index).subspan(first[i], first[i + 1] - first[i]);
    }
  };
  void add_body(int body, bool velocity, std::vector<std::size_t>& out) const;

  const System& system_;
  Lists unit_, contact_, body_, user_, branch_;     ///< kinematic guards
  Lists island_;                                    ///< by island, in the order of their first bodies
  std::vector<int> island_of_;                      ///< by body: first body of its island, as last seen
  std::vector<int> number_;                         ///< by first body: number of the island
  std::vector<std::pair<int, std::size_t>> reach_;  ///< (first body, index in y), while updating
};

}  // namespace hstar

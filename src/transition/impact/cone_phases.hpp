// src/transition/impact/cone_phases.hpp
//
// Impacts in space, all contacts together, as problems over exact cones (math/cone_problem.hpp): one for Newton's law,
// two for Poisson's, compression and expansion (Glocker & Pfeiffer 1995 in the plane). Whatever has friction takes
// part: sliding, rolling and spinning at contacts, joints by their reactions.
#pragma once

#include <vector>

#include "math/cone_friction.hpp"
#include "transition/impact/impact_law.hpp"

namespace hstar {

class ConePhases {
 public:
  /// Room, once: no heap memory for problems up to these sizes afterwards. `reactions`: of `parts` parts of joints.
  void reserve(int contacts, int units, int rows, int parts = 0, int reactions = 0);

  /// The problem to solve, filled by the caller; c: velocities before, for newton() with what it restores added.
  math::ConeProblem cones;
  /// The same from matrices, contacts with their sliding friction: velocities (1 + e) gamma_N and (1 + e_t) gamma_T if
  /// `restored`.
  void take(const ImpactProblem& problem, bool restored);

  bool newton();  ///< one phase; false if no impulses were found
  /// Compression to 0 <= gamma_N _|_ Lambda_N >= 0; then expansion with Lambda_N = e * compression's + x,
  /// 0 <= gamma_N _|_ x >= 0, and friction, by this phase's normal impulses and reactions, against the sliding
  /// velocities at its end. `e` by contact. Null, or which phase has no answer.
  const char* poisson(const double* e);

  [[nodiscard]] const std::vector<double>& impulse() const { return impulse_; }  ///< by row of the problem, or longer
  [[nodiscard]] bool closed(int contact) const { return closed_[static_cast<std::size_t>(contact)] != 0; }
  [[nodiscard]] bool sticks(int unit) const { return sticks_[static_cast<std::size_t>(unit)] != 0; }

 private:
  bool solve();
  void begin_expansion(const double* e);

  math::ConeSolver solver_;
  std::vector<double> impulse_, least_;
  std::vector<char> closed_, sticks_;
  std::vector<int> loaded_;  ///< by contact: the part that carries `least`, -1: none
};

/// Room for laws on matrices, one for each thread; grows to the largest problem so far.
ConePhases& cone_phases();

}  // namespace hstar

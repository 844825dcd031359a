// src/transition/impact/phases.hpp
//
// Impacts of all elements together, as contact problems of velocities and impulses (contact/problem.hpp), in the plane
// and in space: one phase for laws that restore nothing or a part of the velocity (Moreau 1988), compression and
// expansion for laws that restore a part of the impulse (Glocker & Pfeiffer 1995). Whatever has friction takes part:
// sliding, rolling and spinning at contacts, joints by their reactions.
#pragma once

#include <vector>

#include "contact/share.hpp"
#include "transition/impact/impact_law.hpp"
#include "transition/impact/last_answers.hpp"

namespace hstar {

/// The elements of an island before the impact.
struct ImpactStatement {
  contact::Problem problem;  ///< c: velocities before
  std::vector<double> e;     ///< by contact of the problem
  std::vector<double> e_t;   ///< by unit, restitution of its sliding velocity

  void resize(int contacts, int units, int rows, int parts = 0, int reactions = 0);
};

class ImpactPhases {
 public:
  /// Room, once: no heap memory for problems up to these sizes afterwards. `reactions`: of `parts` parts of joints.
  void reserve(int contacts, int units, int rows, int parts = 0, int reactions = 0);

  /// Null, or why no impulses are known. Restores::own has none. Elements with names begin with what they did
  /// when the same contact struck last: an impact of a sequence is like those before it.
  const char* solve(const ImpactStatement& before, ImpactLawEntry::Restores restores, const ElementNames& names = {});

  /// A new run begins with no impacts before it.
  void forget() {
    compressed_.forget();
    expanded_.forget();
  }

  [[nodiscard]] const std::vector<double>& impulse() const { return impulse_; }  ///< by row of the problem, or longer
  /// A contact that is closed at the end of a phase: it has an impulse, or neither impulse nor velocity.
  [[nodiscard]] bool closed(int contact) const { return closed_[contact] != 0; }
  /// Of the terms of its velocities, of which some round-off is left (contact/tolerances.hpp) [m/s].
  [[nodiscard]] double size() const { return size_; }
  [[nodiscard]] bool sticks(int unit) const { return sticks_[unit] != 0; }

 private:
  const char* one_phase(const ImpactStatement& before, bool restored, const ElementNames& names);
  const char* two_phases(const ImpactStatement& before, const ElementNames& names);
  void begin(const ImpactStatement& before);
  void begin_expansion(const std::vector<double>& e);
  bool solve_phase(const ElementNames& names, LastAnswers& last);

  contact::Problem now_;  ///< the problem of the present phase
  contact::Solver solver_;
  std::vector<double> impulse_, least_;
  double size_ = 0;
  std::vector<char> closed_, sticks_;
  std::vector<int> loaded_;            ///< by contact: the part that carries `least`, -1: none
  LastAnswers compressed_, expanded_;  ///< of a phase that ends alone or compresses, of one that expands
};

/// The statement of contacts with their sliding friction, given as matrices.
void state(const ImpactProblem& problem, ImpactStatement& out);

}  // namespace hstar

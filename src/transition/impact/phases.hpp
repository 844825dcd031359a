// src/transition/impact/phases.hpp
//
// Impacts of all elements together, as problems over exact cones (math/cone_problem.hpp), in the plane and in space:
// one phase for laws that restore nothing or a part of the velocity (Moreau 1988), compression and expansion for laws
// that restore a part of the impulse (Glocker & Pfeiffer 1995). Whatever has friction takes part: sliding, rolling and
// spinning at contacts, joints by their reactions.
#pragma once

#include <vector>

#include "math/cone_friction.hpp"
#include "math/coulomb.hpp"
#include "math/shortest_solution.hpp"
#include "transition/impact/impact_law.hpp"

namespace hstar {

/// The elements of an island before the impact.
struct ImpactStatement {
  math::ConeProblem problem;  ///< c: velocities before
  std::vector<double> e;      ///< by contact of the problem
  std::vector<double> e_t;    ///< by unit, restitution of its sliding velocity
  /// By row: how much it gives way where impulses are not unique (corners of one face), 1 [1/kg], 1/lever^2 of moments.
  std::vector<double> compliance;

  void resize(int contacts, int units, int rows, int parts = 0, int reactions = 0);
};

class ImpactPhases {
 public:
  /// Room, once: no heap memory for problems up to these sizes afterwards. `reactions`: of `parts` parts of joints.
  void reserve(int contacts, int units, int rows, int parts = 0, int reactions = 0);

  /// Null, or why no impulses are known. Restores::own has none.
  const char* solve(const ImpactStatement& before, ImpactLawEntry::Restores restores);

  [[nodiscard]] const std::vector<double>& impulse() const { return impulse_; }  ///< by row of the problem, or longer
  /// A contact that is closed at the end of a phase: it has an impulse, or neither impulse nor velocity.
  [[nodiscard]] bool closed(int contact) const { return closed_[static_cast<std::size_t>(contact)] != 0; }
  [[nodiscard]] bool sticks(int unit) const { return sticks_[static_cast<std::size_t>(unit)] != 0; }

 private:
  const char* one_phase(const ImpactStatement& before, bool restored);
  const char* two_phases(const ImpactStatement& before);
  void begin(const ImpactStatement& before);
  void begin_expansion(const std::vector<double>& e);
  bool solve_phase(const ImpactStatement& before);
  bool solve_in_plane();
  void share(const std::vector<double>& compliance);
  bool share_among();
  /// Unit j slips on the contact whose normal row this is; and its friction impulse for each unit of the normal one.
  [[nodiscard]] bool slips_on(std::size_t j, int row) const;
  [[nodiscard]] double slip_force(std::size_t j, int direction) const;

  math::ConeProblem now_;  ///< the problem of the present phase
  math::ConeSolver solver_;
  math::CoulombProblem planar_;
  math::CoulombSolver combinations_;
  std::vector<double> impulse_, least_;
  // Impulses that are not unique.
  struct Share {
    int row;        ///< a contact's normal, with what slips on it, or a direction of a unit that sticks
    double weight;  ///< size of its column in the norm of the compliances
  };
  std::vector<Share> shares_;
  std::vector<double> step_, column_, trial_, right_;  ///< this phase's impulses; a share's column of them
  math::ShortestSolution shortest_;
  std::vector<char> closed_, sticks_;
  std::vector<int> loaded_;  ///< by contact: the part that carries `least`, -1: none
};

/// The statement of contacts with their sliding friction, given as matrices.
void state(const ImpactProblem& problem, ImpactStatement& out);

}  // namespace hstar

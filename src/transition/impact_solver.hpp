// src/transition/impact_solver.hpp
//
// One impact of a mechanism: whatever touches and rubs becomes matrices, island by island (impact_reduction.hpp), a law
// answers with impulses (impact/impact_law.hpp), and these are carried to all bodies.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "formulation/mode_equations.hpp"
#include "transition/impact/impact_law.hpp"
#include "transition/impact/phases.hpp"
#include "transition/impact/sequential.hpp"
#include "transition/impact_reduction.hpp"

namespace hstar {

struct ImpactOptions {
  enum class Order : unsigned char {
    together,  ///< one problem
    fastest,   ///< one after the other, the fastest approach first
    forward,   ///< ..., of those that approach the first in the model
    backward   ///< ..., the last
  } order = Order::together;
  bool energy_error = false;  ///< a law that gains energy ends the run
};

/// What an impact did, by contact.
struct ImpactOutcome {
  bool found = false;
  std::string why;                           ///< if not
  std::vector<char> closed;                  ///< took part: an impulse, or a bound gap velocity
  std::vector<char> sticks;                  ///< the contact does not slide after its impulse
  std::vector<double> impulse_n, impulse_t;  ///< [N s]; in space impulse_t is |Lambda_T|
  std::vector<Vec3> friction_impulse;        ///< in space: on the second body, global axes [N s]
  std::vector<char>
      stuck_unit;  ///< friction units of joints, and of rolling and spinning, that stuck during the impact
  /// By friction unit and direction: impulse of friction [N s], [N m s].
  std::vector<std::array<double, most_directions>> impulse_unit;
  std::vector<double> v_plus;    ///< System::slots()
  std::vector<double> jumps;     ///< System::slots(): sum of the sizes of the jumps that each impulse made
  std::vector<double> reaction;  ///< by joint row: impulse of the constraint [N s], [N m s]
  double size = 0;               ///< of the terms of velocities, of which some round-off is left [m/s]
  std::string sequence;          ///< phases of a single contact, "slip+, stick"; "" if not followed
};

class ImpactSolver {
 public:
  ImpactSolver(ModeEquations& equations, const ImpactOptions& options);
  void start() { phases_.forget(); }  ///< of a run
  /// At the last evaluated state. gap_velocity and restitution by contact; contacts that are `active` touch. Islands in
  /// which nothing approaches keep their velocities, unless given motion jumps there: `driven`, by joint, or empty.
  const ImpactOutcome& solve(const std::vector<char>& active, const double* gap_velocity, const double* restitution,
                             std::span<const char> driven = {});

  /// One plastic impact of all that is `active`, whatever the laws of the contacts: where a sequence of impacts ends.
  const ImpactOutcome& strike_together(const std::vector<char>& active, const double* gap_velocity);

  /// What the last impact has changed along a row.
  [[nodiscard]] ImpactReduction::Change change_along(const Row& row) const { return reduction_.change_along(row); }
  /// The friction coefficient of a unit that slides with this speed into an impact.
  [[nodiscard]] double friction(int unit, double speed) const { return reduction_.friction(unit, speed); }
  /// Friction of joints that takes no part in impacts of this model, in words; "" if there is none.
  [[nodiscard]] std::string notice() const;

  /// A tangential impact without collision of one sliding contact at gamma_N = 0: the normal impulse grows until the
  /// contact leaves; then restitution, for laws that state it by impulse or work.
  const ImpactOutcome& jam(int contact);

 private:
  void refuse(std::size_t contact) const;
  void reserve();
  [[nodiscard]] bool in_sequence(std::size_t contacts) const;
  void clear();
  /// @returns null or why there is no answer
  const char* by_phases(const ImpactLawEntry& law, ImpactReduction::Island& island);
  const char* by_code(const ImpactLawEntry& law, ImpactReduction::Island& island);
  void give_matrices(const ImpactReduction::Island& island);
  bool answer(const ImpactLawEntry& law, ImpactReduction::Island& island);
  void take_units(const ImpactReduction::Island& island);
  void finish();
  [[nodiscard]] Vec3 on_second_body(int contact, const double* tangential) const;

  ModeEquations& equations_;
  ImpactReduction reduction_;
  ImpactOptions options_;
  std::vector<const ImpactLawEntry*> law_;   ///< by contact
  std::vector<double> sliding_restitution_;  ///< by contact
  bool joint_friction_ = false;              ///< a joint whose friction follows its reaction
  int directions_ = 1;                       ///< of contacts
  ImpactOutcome outcome_;
  ImpactPhases phases_;

  // Laws with code.
  ImpactProblem problem_;
  ImpactSolution solution_;
  SequenceRoom sequence_;
  std::vector<const ImpactLawEntry*> laws_;  ///< of the contacts of one island
  std::vector<int> row_;                     ///< of the island, by row of `problem_`; -1 none

  std::vector<char> jams_;
  std::vector<double> none_, jam_restitution_;
};

}  // namespace hstar

// src/transition/impact_solver.hpp
//
// One impact of a mechanism: touching contacts become a small matrix problem (impact/impact_law.hpp), a
// law answers with impulses, the constraints carry them to all bodies. In space Newton's law, and Poisson's unless one
// contact slides alone, are problems over cones in which the friction of joints and rolling and spinning friction take
// part.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "formulation/mode_equations.hpp"
#include "transition/impact/cone_phases.hpp"
#include "transition/impact/impact_law.hpp"
#include "transition/impact/sequential.hpp"
#include "transition/mode_problem.hpp"

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
  /// By friction unit and direction: impulse of friction [N s], [N m s]; in the plane of joints only.
  std::vector<std::array<double, most_directions>> impulse_unit;
  std::vector<double> constraint_impulse;  ///< by joint row [N s], [N m s]
  std::vector<double> v_plus;              ///< System::slots()
  std::string sequence;                    ///< phases of a single contact, "slip+, stick"; "" if not followed
};

class ImpactSolver {
 public:
  ImpactSolver(ModeEquations& equations, ModeSolver& solver, const ImpactOptions& options);
  /// At the last evaluated state. gap_velocity and restitution by contact.
  const ImpactOutcome& solve(const std::vector<char>& active, const double* gap_velocity, const double* restitution);

  /// mu of a unit in an impact that finds it sliding at this speed.
  [[nodiscard]] double impact_friction(int unit, double speed) const;
  /// Friction of joints that takes no part in impacts of this model, in words; "" if there is none.
  [[nodiscard]] std::string notice() const;

  /// A tangential impact without collision of one sliding contact at gamma_N = 0: the normal impulse grows until the
  /// contact leaves; then restitution, for laws that state it by impulse or work.
  const ImpactOutcome& jam(int contact);

 private:
  void by_enumeration(const std::vector<char>& active, const double* gap_velocity, const double* restitution);
  void by_law(const ImpactLawEntry& law, const double* gap_velocity, const double* restitution);
  void refuse_unknown(const Contact& contact, const ImpactLawEntry& law) const;
  void clear();
  /// Factorises the bilateral rows; v_plus and multipliers of the motion before.
  bool hold_constraints();
  /// Velocities and multipliers that a unit impulse along `row` causes.
  void respond(const Row& row, double* velocities);
  [[nodiscard]] Vec3 on_second_body(int contact, const double* tangential) const;
  // impact_cones.cpp
  void reserve_cones();
  [[nodiscard]] bool slides_alone() const;  ///< nothing rubs but the contacts that take part, sliding
  void by_cones(const ImpactLawEntry& law, const double* gap_velocity, const double* restitution);
  void collect_units();
  /// With (1 + e) gamma- where `restored`, gamma- where not.
  void describe_cones(const double* gap_velocity, const double* restitution, bool restored);
  void take_cones();
  /// v_plus and the impulses of the constraints from all others, booked in load_.
  void carry_out();

  ModeEquations& equations_;
  ModeSolver& solver_;
  ImpactOptions options_;
  std::vector<const ImpactLawEntry*> law_;  ///< by contact
  std::vector<double> tangential_;          ///< restitution of the sliding velocity by contact
  bool joint_friction_ = false;             ///< a joint whose friction follows its reaction
  ImpactOutcome outcome_;
  Mode mode_;
  std::vector<int> contacts_;
  std::vector<double> momentum_, target_, lambda_, load_, response_, jam_restitution_, zero_;
  ImpactProblem problem_;
  ImpactSolution solution_;
  SequenceRoom sequence_;
  int directions_ = 1;  ///< of contacts
  std::vector<Row> rows_;

  // All contacts together in space.
  ConePhases phases_;
  std::vector<int> units_;  ///< friction units that take part
  std::vector<double> lambda_before_, restitution_;
};

}  // namespace hstar

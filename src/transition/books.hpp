// src/transition/books.hpp
//
// What a run proves about each of its events, from the numbers that the ledger tells:
//   momentum   M (v+ - v-) = sum J^T Lambda       over contacts, friction and constraints,
//   energy     T- - T+ = the losses of the ledger's lines,
//   cones      0 <= Lambda_N, |Lambda_T| <= mu Lambda_N,
//   gaps       no contact behind its surface.
// v+ comes from the restart, Lambda from the impact law: a restart that takes a velocity away without an impulse, or
// an impulse that no line tells, shows here. All residuals are relative to the size of what is added up.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "formulation/consistent_restart.hpp"
#include "formulation/mode_equations.hpp"
#include "hstar/run.hpp"
#include "transition/impact_solver.hpp"
#include "transition/instant.hpp"

namespace hstar {

/// Of a residual, in terms of the sizes that are added up. What is `nothing` stays below tolerances::books of them.
[[nodiscard]] double part_of(double residual, double size, double nothing);
/// Of what impulses are outside their cones by; `largest_momentum`: of any freedom of the bodies [N s].
[[nodiscard]] double part_outside_cones(double excess, double largest_impulse, double largest_momentum);
/// What of the impulses is farthest outside its cone [N s]. At the last evaluated state, that just before the impact.
[[nodiscard]] double excess_of(const ModeEquations& equations, const ImpactOutcome& impact, const ImpactSolver& solver);

class Books {
 public:
  explicit Books(const ModeEquations& equations);

  /// At the state y just before; nothing is booked.
  void open(std::span<const double> y);
  /// An impulse along a row: of a contact, of friction, of a constraint [N s], [N m s].
  void book(const Row& row, double impulse);
  /// All impulses of an impact, at the last evaluated state, that just before it; and what of them is outside its cone.
  void book(const ImpactOutcome& impact, const ImpactSolver& solver);
  /// A user's reset, or forces between two impacts, have changed the velocities from `before` to `after`: given, no
  /// impulse of the mechanism.
  void book_given(std::span<const double> before, std::span<const double> after);
  /// Of a velocity [m/s], of a rotation at the radius of gyration.
  [[nodiscard]] static double largest_change(const ModeEquations& equations, std::span<const double> before,
                                             std::span<const double> after);
  /// A restart has changed the velocities, which ends an impact to the last digits: impulses of its rows, and their
  /// loss. False: their largest change is more than `most` [m/s], and nothing is booked.
  bool book_restart(const ConsistentRestart& restart, std::span<const double> before, std::span<const double> after,
                    double most);
  /// Energy that a line of the ledger calls lost [J].
  void book_loss(double energy) { loss_ += energy; }
  /// Something has been booked since open().
  [[nodiscard]] bool any() const { return any_; }

  /// Residuals at the state y just after. Cost: one pass over the velocities.
  [[nodiscard]] EventBooks close(std::span<const double> y, const Instant& instant) const;
  /// What is wrong with them in words, "" if nothing is.
  [[nodiscard]] static std::string complaint(const EventBooks& books);

 private:
  [[nodiscard]] double mass(std::size_t slot) const { return std::max(equations_.motion.mass()[slot], 0.0); }

  const ModeEquations& equations_;
  std::vector<double> v_before_;        ///< by velocity
  std::vector<double> impulse_, size_;  ///< by slot: sum J^T Lambda, and of the sizes of its terms
  double given_energy_ = 0, loss_ = 0, excess_ = 0, largest_impulse_ = 0;
  bool any_ = false;
  int impacts_ = 0;
};

}  // namespace hstar

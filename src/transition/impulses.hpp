// src/transition/impulses.hpp
//
// Impulses at an instant, from the laws of impact: solved, taken into the velocities and into the books.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "formulation/consistent_restart.hpp"
#include "transition/books.hpp"
#include "transition/chatter.hpp"

namespace hstar {

class Impulses {
 public:
  Impulses(ModeEquations& equations, ConsistentRestart& restart, Instant& instant, Books& books, Chatter& chatter,
           const ImpactOptions& options);

  /// Of the active contacts with these gap velocities, or of joints that are driven, at the last evaluated state.
  const ImpactOutcome& strike(const std::vector<char>& active, const std::vector<double>& gap_velocity,
                              std::span<const char> driven);
  /// The solver itself, for impulses without collision.
  [[nodiscard]] ImpactSolver& solver() { return solver_; }
  [[nodiscard]] const ImpactSolver& solver() const { return solver_; }
  [[nodiscard]] double restitution(std::size_t contact) const { return restitution_[contact]; }

  /// The impulses' velocities into y, and into the speeds that are followed; the energy lost. At the state just before.
  double take(const ImpactOutcome& impact, std::span<double> y);
  /// By friction unit: what the impact has left without sliding.
  void tell_stuck(const ImpactOutcome& impact, std::vector<char>& stuck) const;
  /// Energy that the impulses created: 0 if they took some. At the velocities after the impact.
  [[nodiscard]] double gained_energy(const ImpactOutcome& impact, const std::vector<char>& active,
                                     const std::vector<double>& gap_velocity) const;
  /// In space: the friction impulse as a vector, and the phases of sliding.
  [[nodiscard]] std::string friction_text(const ImpactOutcome& impact, std::size_t contact) const;
  /// Impulses bring all closed contacts to rest along their normals, whether these push or pull; what stuck goes on.
  /// False: no velocities are, or one would change by more than `most` [m/s] (a rotation at its radius of gyration).
  bool hold_closed(double t, std::span<double> y, const Mode& mode, std::vector<char>& stuck, double most);

 private:
  const System& system_;
  ModeEquations& equations_;
  ConsistentRestart& restart_;
  Instant& instant_;
  Books& books_;
  Chatter& chatter_;
  ImpactSolver solver_;
  std::vector<double> restitution_;                                ///< by contact
  std::vector<std::array<double, most_directions>> slide_before_;  ///< by unit: gamma_T before an impact
  Mode rows_;
  std::vector<double> y_before_, jumps_;
};

}  // namespace hstar

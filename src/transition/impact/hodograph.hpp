// src/transition/impact/hodograph.hpp
//
// One contact in space with friction, followed along its normal impulse (Keller 1986; Batlle 1993; Stronge 2000,
// ch. 4): the sliding velocity moves on its hodograph, stops or runs into a direction that stays, sticks or slips on
// in the one direction that leaves the origin, until the restitution is complete.
#pragma once

#include <array>
#include <string>

#include "transition/impact/impact_law.hpp"
#include "transition/impact/slide_piece.hpp"

namespace hstar {

class Hodograph {
 public:
  enum class Restitution : unsigned char {
    impulse,  ///< Poisson: ends when restitution has given e times the impulse of compression
    work      ///< Stronge: when it has given e^2 times the work that compression took
  };
  /// `sequence`: told there.
  Hodograph(const ImpactProblem& problem, std::string& sequence);

  /// Follows compression and restitution to their end. A contact whose normal velocity turns again while the direction
  /// of sliding swings is compressed twice: impulses and works of compression are then sums.
  /// False if compression or restitution never ends; why() tells.
  bool follow(Restitution law, double e);

  [[nodiscard]] std::array<double, 3> impulse() const;  ///< Lambda_N, Lambda_T1, Lambda_T2
  [[nodiscard]] const char* why() const { return why_; }

 private:
  enum class Phase : unsigned char { slip, leave, stick };
  void choose_phase();                 ///< at w = 0
  [[nodiscard]] bool locked() const;   ///< sticks, and can then not move along the normal either
  SlidePiece next_piece(bool& stops);  ///< `stops`: w = 0 at its end
  bool ends_in(const SlidePiece& piece, Restitution law, double e);

  SlideInertia inertia_;
  Vector2 first_axis_{1, 0};  ///< of the principal axes
  SlideState now_;
  Phase phase_ = Phase::slip;
  Vector2 leaving_{0, 0};
  bool restoring_ = false;
  double approach_ = 0, fastest_ = 0;
  double compression_ = 0, compression_work_ = 0, restitution_ = 0, restitution_work_ = 0;
  std::string& sequence_;
  const char* why_ = "";
};

/// The impact of a single contact in space.
void along_hodograph(const ImpactProblem& problem, Hodograph::Restitution law, ImpactSolution& solution);

}  // namespace hstar

// src/simulate/crowd/strike.hpp
//
// One impact of two discs, or of a disc and a wall, as the registered laws of impact say (hstar/impact_law.hpp): a
// contact of two directions whose matrix is diagonal, since the normal goes through both centres of mass.
#pragma once

#include <array>
#include <string>

#include "hstar/run.hpp"
#include "simulate/crowd/disc.hpp"

namespace hstar::crowd {

/// What one impact did.
struct Struck {
  std::array<double, 2> before{0, 0}, after{0, 0};  ///< gamma_N, gamma_T [m/s]
  double normal = 0, tangential = 0;                ///< impulses on the second body [N s]
  Vec2 impulse{0, 0};                               ///< the same as a vector [N s]
  double loss = 0;                                  ///< of kinetic energy [J]
  double gain = 0;                                  ///< energy that the law has created, beyond round-off [J]
  double time_error = 0;                            ///< what round-off leaves open of the instant [s]
  bool sticks = false;
  EventBooks books;
  [[nodiscard]] bool grazes() const { return !(before[0] < 0); }  ///< they touch and do not approach: no impulse
};

class Striker {
 public:
  /// The discs are where they touch; first: null for a wall. Changes their velocities. Null, or why the law has no
  /// answer.
  const char* strike(Disc* first, Disc& second, const Vec2& normal, const ContactLaw& law, Struck& done);

 private:
  ImpactProblem problem_;
  ImpactSolution solution_;
};

}  // namespace hstar::crowd

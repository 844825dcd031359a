// src/formulation/mode.hpp
//
// The mode: which contacts are closed and which frictional joints and contacts stick or slip, where to.
// Within one mode the motion is a smooth differential-algebraic equation.
#pragma once

#include <string>
#include <vector>

namespace hstar {

enum class Slide : signed char {
  none,   ///< contact open, or purely viscous joint: no dry friction acts
  stick,  ///< gamma_T = 0, lambda_T unknown
  slip    ///< lambda_T = -direction mu N
};

struct FrictionMode {
  Slide slide = Slide::none;
  signed char direction = 0;  ///< slip: sign of gamma_T; +1 for units with several directions, whose sliding direction
                              ///< ModeEquations keeps; of one that creeps: of the sliding that lambda_T resists
  signed char side = 0;       ///< bilateral guide: sign of its normal multiplier; 0 where it does not matter
  short piece = 0;            ///< slip: piece of the friction law
  bool creeps = false;        ///< stick: |lambda_T| = mu_static N, without motion, since others hold the bodies
  bool kinetic = false;       ///< creeps: |lambda_T| = mu_kinetic N; it had begun to slide, and that made others hold
  friend bool operator==(const FrictionMode&, const FrictionMode&) = default;
};

/// Mode::closed of a contact that touches, without force, because others hold the bodies apart.
constexpr char unloaded = 2;
/// Mode::closed of a contact without load that a part of its viscous friction keeps on its surface (contact/skim.hpp).
constexpr char skimming = 3;

struct Mode {
  std::vector<char> closed;            ///< by contact: 0 open, 1, `unloaded` or `skimming`
  std::vector<FrictionMode> friction;  ///< by friction unit
  friend bool operator==(const Mode&, const Mode&) = default;
};

class System;
/// The unit's contact is kept on its surface by the unit's viscous friction.
[[nodiscard]] bool skims(const System& system, const Mode& mode, int unit);
/// "stick", "slip+", "slip-" ("slip" with several directions), "open", "closed" of one element. A contact with rolling
/// or spinning friction also says whether it rolls or spins: "stick,roll".
[[nodiscard]] std::string friction_mode_text(const System& system, const Mode& mode, int unit);
[[nodiscard]] std::string friction_mode_text(const FrictionMode& mode);  ///< of one direction
[[nodiscard]] std::string contact_mode_text(const System& system, const Mode& mode, int contact);
/// The element of a friction unit: "plate", "wheel.rolling".
[[nodiscard]] std::string unit_name(const System& system, int unit);
/// All elements that have a mode, joints before contacts, joined by "/".
[[nodiscard]] std::string mode_text(const System& system, const Mode& mode);

}  // namespace hstar

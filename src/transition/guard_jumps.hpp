// src/transition/guard_jumps.hpp
//
// Guards that read discrete states: a reset, or a state that tells what has become of a contact, may carry one through
// zero at an instant. That is its event as much as a crossing.
#pragma once

#include <optional>
#include <vector>

#include "mechanism/system.hpp"

namespace hstar {

class GuardJumps {
 public:
  explicit GuardJumps(const System& system);

  [[nodiscard]] bool any() const { return !watched_.empty(); }
  /// Values before the event, k at it.
  void begin(Kinematics& k);
  /// Guard has crossed zero by itself and is beyond it.
  void crossed(std::size_t guard, int direction);
  struct Jump {
    std::size_t guard;
    int direction;
  };
  /// The first guard that has been carried through zero since, in the direction that counts; k at the state now.
  std::optional<Jump> next(Kinematics& k);

 private:
  struct Watched {
    std::size_t guard;
    double value;
  };
  [[nodiscard]] double value(const Watched& w, Kinematics& k) const;

  const System& system_;
  std::vector<Watched> watched_;
};

}  // namespace hstar

// src/transition/guard_jumps.hpp
//
// Guards that read discrete states or forces: a reset, a state that tells what has become of a contact, or a mode that
// ends may carry one through zero at an instant. That is its event as much as a crossing.
#pragma once

#include <optional>
#include <vector>

#include "formulation/solved_signals.hpp"

namespace hstar {

class GuardJumps {
 public:
  explicit GuardJumps(const System& system);

  [[nodiscard]] bool any() const { return !watched_.empty(); }
  [[nodiscard]] bool read_forces() const;
  /// Values before the event, k at it: of those that read no forces.
  void begin(Kinematics& k);
  /// Of those that do, in the mode before.
  void begin(const SolvedSignals& forces);
  /// Guard has crossed zero by itself and is beyond it.
  void crossed(std::size_t guard, int direction);
  struct Jump {
    std::size_t guard;
    int direction;
  };
  /// The first guard that has been carried through zero since, in the direction that counts; k at the state now.
  /// Without `forces`, which are those of the next mode, none that reads forces.
  std::optional<Jump> next(Kinematics& k, const SolvedSignals* forces);

 private:
  struct Watched {
    std::size_t guard;
    bool reads_forces;
    double value;     ///< its sign is the guard's
    double last = 0;  ///< the value itself, of one that reads forces
  };
  [[nodiscard]] double value(const Watched& w, Kinematics& k) const;
  /// More has changed than what a root leaves of the value.
  [[nodiscard]] bool has_jumped(const Watched& w, double now, const SolvedSignals& forces) const;

  const System& system_;
  std::vector<Watched> watched_;
};

}  // namespace hstar

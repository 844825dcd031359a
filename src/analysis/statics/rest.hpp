// src/analysis/statics/rest.hpp
//
// A state of rest of a mechanism: closed contacts, units that stick or slide (belts), coordinates, and forces that
// satisfy the laws. With dry friction the states of rest are a set; the one nearest to the estimate is taken: where
// it is, if friction can hold it there, else where the applied forces balance without friction.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/statics/relax.hpp"
#include "formulation/admissible_forces.hpp"

namespace hstar {

struct RestOptions {
  bool nearest = false;               ///< also positions that are not stable
  bool friction = true;               ///< false: dry friction at rest is left out
  std::vector<std::string> touching;  ///< contacts that are to be closed, however far apart in the estimate
};

class Rest {
 public:
  /// The estimate: initial positions of the system onto its joints and closed contacts, all velocities zero.
  /// @throws InputError if that cannot be, or a contact is penetrated.
  /// `estimate`: another state to begin from than the model's; empty: none.
  Rest(std::shared_ptr<const System> system, double t, RestOptions options, const std::vector<double>& estimate = {});

  /// Looks for a state of rest. False: why() says what was found instead.
  bool find();
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] bool held() const { return held_; }  ///< by friction, in the position of the estimate

  [[nodiscard]] ForceBalance& balance() { return m_; }
  /// All forces with which it stays at rest; rows are those of the mode with units sticking.
  [[nodiscard]] AdmissibleForces& forces() { return *forces_; }
  /// Of these those that a run has here; where it would not stay at rest those furthest inside, and a notice says so.
  [[nodiscard]] const Eigen::VectorXd& lambda();

  /// Units of dry friction that are at rest: they stick, or (for positions) do not count.
  void let_stick(bool stick);
  [[nodiscard]] bool any_can_stick() const;
  /// Relaxes what is free at m.y with everything that can stick stuck, and finds the forces there.
  bool settle_here();
  /// The same with these coordinates held and friction only afterwards. False: the position does not exist (why()).
  bool settle_along(std::span<const HeldCoordinate> held);
  /// Margin of the present forces: >= 0 at rest.
  [[nodiscard]] double margin() const;
  /// The elements that are nearest to their limit: "floor slips, wall opens".
  [[nodiscard]] std::string tightest() const;
  /// Coordinates that friction alone holds: as many as there are independent sliding directions. `first`: this one
  /// among them (-1: any). Those of joints come first, then displacements, then turns.
  [[nodiscard]] std::vector<int> held_coordinates(int first);

  std::vector<std::string> notices;

 private:
  void close_touching();
  /// Whether surfaces lie ahead of each other at m.y; what is penetrated is said by comparison with the last look.
  void look_ahead();
  [[nodiscard]] bool penetrated(int contact, double tolerance) const;
  void decide_sliding();
  bool contacts_agree(bool& changed);
  bool without_friction();
  struct Stretch {
    int coordinate = -1;
    double least = 0, largest = 0;
  };
  bool along_one_coordinate(Stretch& stretch);
  [[nodiscard]] std::string nearly_touching();

  ForceBalance m_;
  RestOptions options_;
  std::vector<char> at_rest_;
  std::vector<char> ahead_;  ///< by contact: surfaces were not behind each other (behind an edge a gap means nothing)
  std::optional<AdmissibleForces> forces_;
  std::optional<Eigen::VectorXd> lambda_;  ///< once asked for
  std::string why_;
  bool held_ = false;
};

}  // namespace hstar

// src/transition/broad_phase.hpp
//
// Which contacts are near enough to be watched. Every body gets some room around the place where it was last
// looked at; a gap larger than the rooms of both bodies cannot close while both stay inside theirs. That a body
// leaves its room is an event like any other, isolated on the step (its guard is a polynomial of the state), so no
// contact is ever missed: neighbour lists (Verlet 1967) with the skin as a guard. Rooms move with the
// bodies, at the part of their mean velocity that no fixed surface stands in the way of: a load stays in its rooms on
// the vehicle that it rides on, over level ground, too.
#pragma once

#include <array>
#include <vector>

#include "formulation/mode.hpp"
#include "mechanism/system.hpp"

namespace hstar {

class BroadPhase {
 public:
  explicit BroadPhase(const System& system);
  /// Worth its events: many more contacts than bodies.
  [[nodiscard]] bool active() const { return active_; }
  /// Gives every body new room around its place in `k`, if one has left half of it. O(contacts).
  void look(const Kinematics& k, const Mode& mode);
  [[nodiscard]] bool is_near(std::size_t contact) const { return !active_ || near_[contact]; }
  /// > 0 while the body is inside its room [m^2].
  [[nodiscard]] double room(int body, const Kinematics& k) const;
  /// A body without room is not watched: all its contacts are.
  [[nodiscard]] bool has_room(int body) const { return room_[body] > 0; }

 private:
  [[nodiscard]] bool can_be_far(const Contact& contact) const;
  /// All bodies are well within their rooms.
  [[nodiscard]] bool still_tells(const Kinematics& k, const Mode& mode) const;

  const System& system_;
  bool active_ = false;
  std::vector<char> near_, may_be_far_;
  std::vector<double> reach_;  ///< by body: how far from its centre the points lie that gaps depend on
  std::vector<double> least_;  ///< by body: the least room
  std::vector<double> room_, gap_;
  struct Place {
    Vec3 r{0, 0, 0};
    std::array<double, 4> turn{};  ///< angle, or Euler parameters
  };
  [[nodiscard]] static Place place_of(int body, const Kinematics& k);
  void find_wind(const Kinematics& k);
  /// What rooms move with leaves the distance to a fixed surface as it is.
  void find_walls(const Kinematics& k);
  bool knows_walls_ = false;
  std::vector<Vec3> walls_;   ///< directions in which rooms do not move, of length 1 and orthogonal; three: in none
  std::vector<Place> place_;  ///< by body: where it was looked at
  Vec3 wind_{0, 0, 0};        ///< velocity of all rooms
  double looked_at_ = 0;      ///< t
  std::vector<std::vector<double>> smallest_;  ///< by body: the smallest gaps
};

}  // namespace hstar

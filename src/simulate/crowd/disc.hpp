// src/simulate/crowd/disc.hpp
//
// A crowd: free discs that fly on parabolas and spin evenly until they touch each other or a wall.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "hstar/impact_law.hpp"

namespace hstar::crowd {

using Vec2 = std::array<double, 2>;

/// Each disc has a clock of its own: position, velocity and angle are those at t0.
struct Disc {
  Vec2 position{0, 0}, velocity{0, 0};  ///< of the centre, which is the centre of mass [m], [m/s]
  double angle = 0, spin = 0;           ///< [rad], [rad/s]
  double t0 = 0;                        ///< [s]
  double radius = 0;                    ///< [m]
  double mass = 0, inertia = 0;         ///< [kg], [kg m^2]; inertia 0: it does not turn
  std::uint32_t struck = 0;             ///< how many impacts have changed its motion
};

struct Motion {
  Vec2 position, velocity;
};

/// Where it is at t, and how fast.
[[nodiscard]] inline Motion at(const Disc& disc, const Vec2& gravity, double t) {
  const double h = t - disc.t0;
  Motion now{};
  for (std::size_t i = 0; i < 2; ++i) {
    now.position[i] = disc.position[i] + h * (disc.velocity[i] + 0.5 * h * gravity[i]);
    now.velocity[i] = disc.velocity[i] + h * gravity[i];
  }
  return now;
}

[[nodiscard]] inline double angle_at(const Disc& disc, double t) { return disc.angle + (t - disc.t0) * disc.spin; }

/// Its clock is put forward to t.
inline void advance(Disc& disc, const Vec2& gravity, double t) {
  const Motion now = at(disc, gravity, t);
  disc.angle = angle_at(disc, t);
  disc.position = now.position;
  disc.velocity = now.velocity;
  disc.t0 = t;
}

/// What happens where two bodies touch.
struct ContactLaw {
  const ImpactLawEntry* law = nullptr;
  double restitution = 0, restitution_tangential = 0;
  double mu = 0;
  bool rubs = false;  ///< it has friction, even if mu = 0
  bool operator==(const ContactLaw&) const = default;
};

/// A half-plane that one disc may touch: the normal points to where the disc is.
struct Wall {
  Vec2 point, normal;
  int law;      ///< index into Crowd's laws
  int contact;  ///< whose name is told
};

/// The contact of two discs.
struct Meeting {
  int first, second;  ///< discs; the normal points from first to second
  int law;            ///< -1: they pass through each other
};

/// Which discs may touch which: the crowd's model.
class Meetings {
 public:
  virtual ~Meetings() = default;
  [[nodiscard]] virtual Meeting between(int a, int b) const = 0;
};

}  // namespace hstar::crowd

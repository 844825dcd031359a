// tests/laws/elements_bodies.hpp
//
// Two bodies "a" and "b" on known smooth random motions, each of one kind (free, point mass,
// prescribed, fixed, ground): the stage on which every element of the registries is tested.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "mechanism/system.hpp"
#include "support/random.hpp"

namespace laws {

enum class Kind { ground, fixed, prescribed, free, point };
[[nodiscard]] std::string word(Kind kind);
inline constexpr std::array<Kind, 5> all_kinds{Kind::ground, Kind::fixed, Kind::prescribed, Kind::free, Kind::point};

[[nodiscard]] inline bool free_kind(Kind kind) { return kind == Kind::free || kind == Kind::point; }

/// c + a sin(w t + p), with its derivatives and as text.
struct Wave {
  double c = 0, a = 0, w = 1, p = 0;
  [[nodiscard]] double at(double t, int derivative) const;
  [[nodiscard]] std::string text() const;
};

struct Actor {
  Kind kind = Kind::free;
  std::array<Wave, 3> q;  ///< x, y, angle
  Actor(Kind k, hstar::Vec2 around, support::Random& random);
  [[nodiscard]] bool moves_freely() const { return free_kind(kind); }
  /// Name in a model file: "a", or "ground".
  [[nodiscard]] std::string reference(const std::string& name) const { return kind == Kind::ground ? "ground" : name; }
};

/// The mechanism of the two actors and the elements written in `elements` (TOML).
struct Stage {
  Actor a, b;
  std::shared_ptr<const hstar::System> system;

  Stage(Actor first, Actor second, const std::string& elements);
  [[nodiscard]] std::vector<double> state(double t) const;  ///< y(t) of the free bodies
  /// Kinematics on the motion at t (accelerations of free bodies too).
  [[nodiscard]] hstar::Kinematics at(double t) const;
  /// Kinematics at time t but with state y.
  [[nodiscard]] hstar::Kinematics at(double t, const std::vector<double>& y) const;
  /// sum J v - nu and sum J a - gamma over the free bodies of a folded row.
  [[nodiscard]] double velocity(const hstar::Row& row, const hstar::Kinematics& k) const;
  [[nodiscard]] double acceleration(const hstar::Row& row, const hstar::Kinematics& k) const;
};

[[nodiscard]] std::string number(double x);
[[nodiscard]] std::string vector(hstar::Vec2 v);  ///< "[x, y]"

}  // namespace laws

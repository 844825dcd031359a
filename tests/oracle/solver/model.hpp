// tests/oracle/solver/model.hpp
//
// The systems the oracle can solve: planar point masses, flat contacts, guides, springs along fixed directions, and
// functions of time made of polynomials and sines. Between two events their motion is a linear differential equation
// with constant coefficients.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "solver/decimal.hpp"

namespace oracle {

using Pair = std::array<Decimal, 2>;

struct Sine {
  Decimal amplitude, frequency, phase;  ///< amplitude * sin(frequency * t + phase)
};

/// c0 + c1 s + c2 s^2 + sines of t, where s = t - from; each later piece holds from its `from` on.
struct TimeLaw {
  struct Piece {
    Decimal from;  ///< 0 in the first piece
    std::array<Decimal, 3> polynomial;
    std::vector<Sine> sines;
  };
  std::vector<Piece> pieces{Piece{}};

  static TimeLaw constant(const Decimal& c) { return {{Piece{{}, {c, 0, 0}, {}}}}; }
  [[nodiscard]] bool is_zero() const;
  /// As a formula of t.
  [[nodiscard]] std::string text() const;
};

struct Body {
  std::string name;
  std::optional<std::array<TimeLaw, 2>> motion;  ///< prescribed; then the rest has no meaning
  Decimal mass = 1;
  Pair position, velocity;
};

inline constexpr int ground = -1;

struct Friction {
  Decimal mu_static, mu_kinetic;
  std::optional<TimeLaw> normal_force;  ///< in place of the reaction
};

/// The second body slides along `axis` on the first.
struct Guide {
  std::string name;
  int first = ground, second = 0;
  Pair axis{1, 0};  ///< any length whose square is a square: [4, 3]
  std::optional<Friction> friction;
};

/// A line on the first body and a point (radius 0) or circle on the second; or two circles whose centres move on one
/// line along `normal`, which points from the first to the second.
struct Contact {
  std::string name;
  int first = ground, second = 0;
  Pair normal{0, 1};  ///< of length 1: [0.6, 0.8]
  bool circles = false;
  Pair point;                    ///< of the line, in the first body
  Decimal first_radius, radius;  ///< of the first (circles only) and the second
  TimeLaw surface_velocity;      ///< of the line, along its normal turned by -90 degrees
  Decimal restitution;
  std::string law = "newton";
  std::optional<Friction> friction;
};

struct PointForce {
  int body = 0;
  std::array<TimeLaw, 2> force;
};

/// A spring and damper along `axis` between two bodies, or from a point on the ground that may be moved.
struct Spring {
  int first = ground, second = 0;
  Pair axis{1, 0};  ///< of length 1
  TimeLaw anchor;   ///< x of the first end, if that is the ground
  Decimal stiffness, damping, free_length;
};

struct Model {
  std::string family, title;
  Pair gravity;
  Decimal end = 1;
  std::vector<Body> bodies;
  std::vector<Guide> guides;
  std::vector<Contact> contacts;
  std::vector<PointForce> forces;
  std::vector<Spring> springs;
  std::vector<Decimal> told_times;  ///< times of switches that a [[guard]] tells
  // How hstar is to solve it.
  std::string integrator = "dopri5";
  std::string rtol = "1e-9";
};

/// The model file.
[[nodiscard]] std::string toml(const Model& model);

}  // namespace oracle

// src/mechanism/signals.hpp
//
// Measured quantities that formulas may use: a name in a model file becomes a SignalRef when the
// system is built, and a number when it is read.
#pragma once

#include <array>
#include <vector>

#include "hstar/expression.hpp"
#include "mechanism/kinematics.hpp"

namespace hstar {

enum class SignalKind : unsigned char {
  time,
  body_x,
  body_y,
  body_angle,
  body_vx,
  body_vy,
  body_omega,      // kinematics
  spatial_motion,  // index: 16 * body + one of x y z e0 e1 e2 e3 vx vy vz wx wy wz omega_x omega_y omega_z
  state,           // y[index]
  own_length,
  own_rate,  // of the spring the formula stands in
  force_length,
  force_rate,
  force_value,  // springs
  body_ax,
  body_ay,
  body_alpha,            // need a solve of the mode
  spatial_acceleration,  // index: 6 * body + one of ax ay az alpha_x alpha_y alpha_z (global axes)
  joint_wrench,          // index: 6 * joint + one of fx fy fz tx ty tz
  joint_fx,
  joint_fy,
  joint_torque,
  joint_normal,
  joint_tangential,
  joint_slip_velocity,
  contact_gap,
  contact_gap_velocity,
  contact_slip_velocity,
  contact_normal,
  contact_tangential,
  contact_vector,  // in space; index: 6 * contact + one of slip_x slip_y slip_z fx fy fz (global axes)
  whole_contact,   // of many features; index: 8 * whole contact + one of gap normal fx fy fz px py pz (global axes)
  energy,
  drift_position,
  drift_velocity  // of the joints: max |Phi|, max |Phi_q v - nu|
};

/// Words of the spatial signals after the element's name, in the order of their indices.
inline constexpr std::array<const char*, 16> spatial_motion_words{
    "x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "wx", "wy", "wz", "omega_x", "omega_y", "omega_z"};
inline constexpr std::array<const char*, 6> spatial_acceleration_words{"ax",      "ay",      "az",
                                                                       "alpha_x", "alpha_y", "alpha_z"};
inline constexpr std::array<const char*, 6> contact_vector_words{"slip_x", "slip_y", "slip_z", "fx", "fy", "fz"};
inline constexpr std::array<const char*, 8> whole_contact_words{"gap", "normal", "fx", "fy", "fz", "px", "py", "pz"};
inline constexpr std::array<const char*, 6> spatial_wrench_words{"fx", "fy", "fz", "tx", "ty", "tz"};

struct SignalRef {
  SignalKind kind = SignalKind::time;
  int index = 0;
};

/// A formula with its variables bound to signals.
struct BoundExpression {
  Expression formula;
  std::vector<SignalRef> refs;
  bool constant = true;
  double value = 0;  ///< if constant
};

constexpr std::size_t max_signals = 32;  ///< variables in one formula

/// SignalKind::spatial_motion.
[[nodiscard]] double read_spatial(int index, const Kinematics& k) noexcept;
/// Kinematic signals only (time ... state); elements read theirs through System.
[[nodiscard]] double read_kinematic(const SignalRef& ref, const Kinematics& k) noexcept;

/// Value of a formula that is no constant, as evaluate().
[[nodiscard]] double evaluate_formula(const BoundExpression& e, const Kinematics& k, double own_length,
                                      double own_rate) noexcept;

/// Value of a formula over kinematic signals; own_length, own_rate as given. Most coefficients are constants: those
/// cost no call.
[[nodiscard]] inline double evaluate(const BoundExpression& e, const Kinematics& k, double own_length = 0,
                                     double own_rate = 0) noexcept {
  return e.constant ? e.value : evaluate_formula(e, k, own_length, own_rate);
}

}  // namespace hstar

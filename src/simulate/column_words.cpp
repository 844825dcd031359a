// src/simulate/column_words.cpp
#include "simulate/column_words.hpp"

#include <array>

namespace hstar {

std::span<const ColumnEntry> column_words() noexcept {
  using enum ColumnOwner;
  using enum SignalKind;
  constexpr auto& wrench = spatial_wrench_words;
  constexpr auto& vector = contact_vector_words;
  constexpr auto& whole = whole_contact_words;
  static constexpr ColumnEntry entries[] = {
      {planar_joint, joint_fx, 0, "fx", "N", "force on the second body, with that of friction"},
      {planar_joint, joint_fy, 0, "fy", "N", "force on the second body, with that of friction"},
      {planar_joint, joint_torque, 0, "torque", "N m", "torque on the second body about its point of the joint"},
      {spatial_joint, joint_wrench, 0, wrench[0], "N", "force on the second body, with that of friction"},
      {spatial_joint, joint_wrench, 1, wrench[1], "N", "force on the second body, with that of friction"},
      {spatial_joint, joint_wrench, 2, wrench[2], "N", "force on the second body, with that of friction"},
      {spatial_joint, joint_wrench, 3, wrench[3], "N m", "torque on the second body about its point of the joint"},
      {spatial_joint, joint_wrench, 4, wrench[4], "N m", "torque on the second body about its point of the joint"},
      {spatial_joint, joint_wrench, 5, wrench[5], "N m", "torque on the second body about its point of the joint"},
      {joint_friction, joint_normal, 0, "normal", "N", "normal force that friction takes its limit from"},
      {joint_friction, joint_tangential, 0, "tangential", "N", "force or moment of friction", "N m"},
      {joint_friction, joint_slip_velocity, 0, "slip_velocity", "m/s", "speed of sliding", "rad/s"},
      {contact, contact_gap, 0, "gap", "m", "distance of the surfaces"},
      {contact, contact_normal, 0, "normal", "N", "normal force, 0 while open"},
      {contact_friction, contact_slip_velocity, 0, "slip_velocity", "m/s", "speed of sliding"},
      {contact_friction, contact_tangential, 0, "tangential", "N", "force of friction"},
      {spatial_contact_friction, contact_vector, 0, vector[0], "m/s", "velocity of sliding, global axes"},
      {spatial_contact_friction, contact_vector, 1, vector[1], "m/s", "velocity of sliding, global axes"},
      {spatial_contact_friction, contact_vector, 2, vector[2], "m/s", "velocity of sliding, global axes"},
      {spatial_contact, contact_vector, 3, vector[3], "N", "force on the second body, with that of friction"},
      {spatial_contact, contact_vector, 4, vector[4], "N", "force on the second body, with that of friction"},
      {spatial_contact, contact_vector, 5, vector[5], "N", "force on the second body, with that of friction"},
      {contact_as_whole, whole_contact, 0, whole[0], "m", "distance of the surfaces"},
      {contact_as_whole, whole_contact, 1, whole[1], "N", "sum of the normal forces, 0 while open"},
      {contact_as_whole, whole_contact, 2, whole[2], "N", "force on the second body, with that of friction"},
      {contact_as_whole, whole_contact, 3, whole[3], "N", "force on the second body, with that of friction"},
      {contact_as_whole, whole_contact, 4, whole[4], "N", "force on the second body, with that of friction"},
      {contact_as_whole, whole_contact, 5, whole[5], "m", "centre of the normal forces; nan without force"},
      {contact_as_whole, whole_contact, 6, whole[6], "m", "centre of the normal forces; nan without force"},
      {contact_as_whole, whole_contact, 7, whole[7], "m", "centre of the normal forces; nan without force"},
      {mechanism, energy, 0, "energy", "J", "kinetic energy and that of gravity and springs"},
      {constraints, drift_position, 0, "drift.position", "m or rad", "largest |Phi| of the joints"},
      {constraints, drift_velocity, 0, "drift.velocity", "m/s or rad/s", "largest |Phi_q v - nu| of the joints"},
  };
  return entries;
}

std::string_view name(ColumnOwner owner) noexcept {
  constexpr std::array<std::string_view, 10> names{"joints in the plane",
                                                   "joints in space",
                                                   "joints with friction",
                                                   "contacts",
                                                   "contacts with friction",
                                                   "contacts in space",
                                                   "contacts with friction in space",
                                                   "contacts of a box or hull and no plane",
                                                   "the mechanism",
                                                   "the mechanism, if it has joints"};
  return names[static_cast<std::size_t>(owner)];
}

std::span<const AskedColumnEntry> asked_column_words() noexcept {
  static constexpr AskedColumnEntry entries[] = {
      {"impacts", "", "impacts of a contact so far"},
      {"closed", "", "1 while a contact is closed, else 0"},
      {"stuck", "", "1 while a contact or joint is held by friction, else 0"},
      {"angle", "rad", "angle of a rotational spring or joint in space over whole turns"},
  };
  return entries;
}

std::span<const BodyColumnEntry> body_column_words() noexcept {
  static constexpr BodyColumnEntry entries[] = {
      {"x", "m", "place of the centre of mass", false},
      {"y", "m", "place of the centre of mass", false},
      {"angle", "rad", "angle of the body's axes", false},
      {"vx", "m/s", "velocity of the centre of mass", false},
      {"vy", "m/s", "velocity of the centre of mass", false},
      {"omega", "rad/s", "angular velocity", false},
      {"x", "m", "place of the centre of mass", true},
      {"y", "m", "place of the centre of mass", true},
      {"z", "m", "place of the centre of mass", true},
      {"e0", "", "Euler parameter", true},
      {"e1", "", "Euler parameter", true},
      {"e2", "", "Euler parameter", true},
      {"e3", "", "Euler parameter", true},
      {"vx", "m/s", "velocity of the centre of mass", true},
      {"vy", "m/s", "velocity of the centre of mass", true},
      {"vz", "m/s", "velocity of the centre of mass", true},
      {"wx", "rad/s", "angular velocity in the axes of the body", true},
      {"wy", "rad/s", "angular velocity in the axes of the body", true},
      {"wz", "rad/s", "angular velocity in the axes of the body", true},
  };
  return entries;
}

}  // namespace hstar

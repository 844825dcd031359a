// src/cli/list_verb.cpp
//
// `hstar list`: every name a model file may use where a choice is to be made, one line each.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/verbs.hpp"
#include "hstar/flow.hpp"

namespace hstar::cli {
namespace {

struct Entry {
  std::string_view name, about;
};

void print_group(std::string_view title, std::span<const Entry> entries) {
  fmt::print("\n{}\n", title);
  std::size_t wide = 0;
  for (const Entry& entry : entries) wide = std::max(wide, entry.name.size());
  for (const Entry& entry : entries) fmt::print("  {:<{}}  {}\n", entry.name, wide, entry.about);
}

constexpr Entry formulations[] = {
    {"direct", "accelerations and multipliers from M, Phi_q and gamma at once; constraints drift with the tolerance"},
    {"projection", "direct, then positions and velocities put back onto the constraints after each step"}};
constexpr Entry joints[] = {
    {"revolute", "the two points coincide; pin friction with `radius`"},
    {"translational", "the second point stays on a line of the first body; guide friction"},
    {"fixed", "points coincide, relative angle fixed"},
    {"distance", "the two points keep `length`, a number or a function of t"},
    {"absolute_x", "x of a point is value(t)"},
    {"absolute_y", "y of a point is value(t)"},
    {"absolute_angle", "angle of a body is value(t)"},
    {"relative_angle", "angle of the second body less that of the first is value(t)"},
    {"relative_translation", "coordinate of the second point along an axis of the first body is value(t)"}};
constexpr Entry friction_laws[] = {{"coulomb", "mu_kinetic N when sliding, up to mu_static N when stuck"},
                                   {"stribeck", "mu falls from mu_static to mu_kinetic over stribeck_velocity"},
                                   {"viscous", "a force in proportion to the sliding velocity; never sticks"},
                                   {"table", "mu from (speed, mu) rows, linear between them"}};
constexpr Entry forces[] = {{"point_force", "a force at a point, in global or body axes"},
                            {"torque", "a torque on a body, or between two"},
                            {"spring_damper", "TSDA: along the line between two points, or along an axis"},
                            {"rotational_spring_damper", "RSDA: between two bodies"}};
constexpr Entry contacts[] = {{"line - circle", "a ball on a surface; rolls, slides, bounces"},
                              {"line - point", "a corner or particle on a surface"},
                              {"circle - circle", "two balls"},
                              {"impact_law newton", "normal velocity after = -restitution * before"}};

}  // namespace

int list_verb() {
  fmt::print("integrators (simulation.integrator)\n");
  std::size_t wide = 0;
  for (const IntegratorEntry& entry : integrators()) wide = std::max(wide, entry.name.size());
  for (const IntegratorEntry& entry : integrators()) {
    fmt::print("  {:<{}}  {} [{}]\n", entry.name, wide, entry.about, entry.source);
  }
  print_group("formulations (simulation.formulation)", formulations);
  print_group("friction laws (friction.law)", friction_laws);
  print_group("joints ([[joint]] type)", joints);
  print_group("forces ([[force]] type)", forces);
  print_group("contacts ([[contact]] between)", contacts);
  return 0;
}

}  // namespace hstar::cli

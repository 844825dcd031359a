// src/mechanism/planar/joints.hpp
//
// The registry of planar joints and drivers. A new joint is one file with a maker and one line in joints.cpp.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "mechanism/elements.hpp"
#include "mechanism/signals.hpp"
#include "mechanism/time_function.hpp"

namespace hstar {

/// What a maker needs to know about the bodies besides the spec.
struct JointContext {
  bool first_turns = false, second_turns = false;  ///< has an angle of its own (degree of freedom or prescribed)
  int second = 0;                                  ///< the second body
  BoundExpression formula;                         ///< of an equation: its left side
};

struct JointEntry {
  std::string_view type, about;
  std::unique_ptr<Joint> (*make)(const JointSpec&, const JointContext&);
};
[[nodiscard]] std::span<const JointEntry> planar_joints();

std::unique_ptr<Joint> make_revolute(const JointSpec&, const JointContext&);
std::unique_ptr<Joint> make_translational(const JointSpec&, const JointContext&);
std::unique_ptr<Joint> make_fixed(const JointSpec&, const JointContext&);
std::unique_ptr<Joint> make_distance(const JointSpec&, const JointContext&);
std::unique_ptr<Joint> make_absolute_x(const JointSpec&, const JointContext&);
std::unique_ptr<Joint> make_absolute_y(const JointSpec&, const JointContext&);
std::unique_ptr<Joint> make_absolute_angle(const JointSpec&, const JointContext&);
std::unique_ptr<Joint> make_relative_angle(const JointSpec&, const JointContext&);
std::unique_ptr<Joint> make_relative_translation(const JointSpec&, const JointContext&);
std::unique_ptr<Joint> make_equation(const JointSpec&, const JointContext&);

}  // namespace hstar

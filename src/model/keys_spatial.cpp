// src/model/keys_spatial.cpp
//
// The tables of keys of models with dimension = 3: bodies, joints, forces and contacts in space.
#include "model/keys_spatial.hpp"

#include <array>

#include "hstar/impact_law.hpp"
#include "mechanism/spatial/forces.hpp"
#include "mechanism/spatial/joints.hpp"

namespace hstar::model {
namespace {

// One key, one or two lines.
// clang-format off
constexpr KeySpec spatial_body_keys[] = {
    {.name = "name", .kind = Kind::name, .standard = required, .about = "the name of the body"},
    {.name = "mass", .kind = Kind::number, .unit = "kg", .range = positive, .standard = optional, .types = "free",
     .about = "the mass (required without a shape)"},
    {.name = "inertia", .kind = Kind::tensor, .unit = "kg m^2", .standard = optional, .types = "free",
     .about = "the inertia about the centre of mass in body axes, [Jxx, Jyy, Jzz] or the rows of a symmetric matrix "
              "(required without a shape)"},
    {.name = "shape", .kind = Kind::word, .standard = optional, .types = "free", .choices = "box cylinder rod sphere",
     .about = "a homogeneous shape that gives mass and inertia; a cylinder's axis is z, a rod's x"},
    {.name = "density", .kind = Kind::number, .unit = "kg/m^3", .range = positive, .standard = optional, .types = "free",
     .about = "the density of the shape"},
    {.name = "sides", .kind = Kind::triple, .unit = "m", .standard = optional, .types = "free",
     .about = "the sides of a box along x, y, z"},
    {.name = "radius", .kind = Kind::number, .unit = "m", .range = positive, .standard = optional, .types = "free",
     .about = "the radius of a cylinder, rod or sphere"},
    {.name = "length", .kind = Kind::number, .unit = "m", .range = positive, .standard = optional, .types = "free",
     .about = "the length of a cylinder or rod"},
    {.name = "position", .kind = Kind::triple, .unit = "m", .standard = "[0, 0, 0]", .types = "free",
     .about = "the initial position of the centre of mass as [x, y, z]"},
    {.name = "euler_parameters", .kind = Kind::numbers, .standard = optional,
     .about = "the initial orientation as [e0, e1, e2, e3] of length 1, e0 the scalar; without any orientation the body "
              "frame is parallel to the global one"},
    {.name = "axis", .kind = Kind::triple, .standard = optional,
     .about = "the initial orientation as a turn by `angle` about this axis (any length but zero)"},
    {.name = "angle", .kind = Kind::number, .unit = "rad", .standard = optional, .about = "the angle about `axis`"},
    {.name = "matrix", .kind = Kind::triples, .standard = optional,
     .about = "the initial orientation as the rows of the rotation matrix that takes body axes to global ones"},
    {.name = "angles", .kind = Kind::triple, .unit = "rad", .standard = optional,
     .about = "the initial orientation as three turns about the body's own axes, in the order of `sequence`"},
    {.name = "sequence", .kind = Kind::word, .standard = "zxz",
     .choices = "xyx xyz xzx xzy yxy yxz yzx yzy zxy zxz zyx zyz", .about = "the axes of `angles`, first turn first"},
    {.name = "velocity", .kind = Kind::triple, .unit = "m/s", .standard = "[0, 0, 0]", .types = "free",
     .about = "the initial velocity of the centre of mass as [x, y, z]"},
    {.name = "angular_velocity", .kind = Kind::triple, .unit = "rad/s", .standard = "[0, 0, 0]", .types = "free",
     .about = "the initial angular velocity as [x, y, z], in the axes that `angular_velocity_frame` says"},
    {.name = "angular_velocity_frame", .kind = Kind::word, .standard = "body", .types = "free",
     .choices = "body global", .about = "the axes of `angular_velocity`"},
    {.name = "motion", .kind = Kind::table, .standard = optional, .types = "prescribed",
     .about = "the prescribed motion; such a body has no mass and no initial values but its orientation"},
};

constexpr KeySpec spatial_motion_keys[] = {
    {.name = "x", .kind = Kind::formula, .scope = Scope::time, .unit = "m", .standard = "0",
     .about = "x as a formula of t"},
    {.name = "y", .kind = Kind::formula, .scope = Scope::time, .unit = "m", .standard = "0",
     .about = "y as a formula of t"},
    {.name = "z", .kind = Kind::formula, .scope = Scope::time, .unit = "m", .standard = "0",
     .about = "z as a formula of t"},
    {.name = "angle", .kind = Kind::formula, .scope = Scope::time, .unit = "rad", .standard = "0",
     .about = "the turn about `axis`, from the orientation given, as a formula of t"},
    {.name = "axis", .kind = Kind::triple, .standard = "[0, 0, 1]",
     .about = "the axis of the turn in body axes (any length but zero)"},
};

constexpr std::string_view spatial_drivers = "rotation translation point_on_plane dp1 dp2 d cd screw gear";

constexpr std::string_view limited_joints = "revolute translational cylindrical screw point_on_line universal";

const KeySpec spatial_joint_keys[] = {
    {.name = "name", .kind = Kind::name, .standard = required, .about = "the name of the joint"},
    {.name = "type", .kind = Kind::word, .standard = required,
     .choices = types_of(spatial_joints()),
     .about = "the type of the joint"},
    {.name = "bodies", .kind = Kind::bodies, .standard = required, .about = "the two bodies, first and second"},
    {.name = "at", .kind = Kind::triple, .unit = "m", .standard = optional,
     .about = "the place of the joint in global coordinates, the bodies being where they are given; without `at` and "
              "`points` it is the first body's origin"},
    {.name = "points", .kind = Kind::triples, .unit = "m", .standard = optional,
     .about = "one point in each body's coordinates as [[xa, ya, za], [xb, yb, zb]], in place of `at`"},
    {.name = "axis", .kind = Kind::triple, .standard = "[0, 0, 1]",
     .types = "universal cylindrical revolute translational point_on_plane point_on_line screw gear rotation translation "
              "dp1 dp2 cd",
     .about = "the joint's axis in global axes, the bodies being turned as they are given (any length but zero): of "
              "turning or sliding, the normal of a plane, the direction of a line, the vector in the first body"},
    {.name = "second_axis", .kind = Kind::triple, .standard = optional, .types = "universal gear dp1",
     .about = "the axis in the second body, in global axes as `axis`"},
    {.name = "axes", .kind = Kind::triples, .standard = optional,
     .types = "universal cylindrical revolute translational point_on_plane point_on_line screw rotation translation dp1 dp2",
     .about = "the axis in each body's own axes, in place of `axis` and `second_axis`"},
    {.name = "length", .kind = Kind::formula, .scope = Scope::time, .unit = "m", .range = positive,
     .standard = required, .types = "distance",
     .about = "the distance of the two points (constant or a formula of t)"},
    {.name = "value", .kind = Kind::formula, .scope = Scope::time, .unit = "m or rad", .standard = "0",
     .types = spatial_drivers,
     .about = "the driven coordinate as a formula of t; the angle of a rotation counts from the position given"},
    {.name = "pitch", .kind = Kind::number, .unit = "m", .standard = required, .types = "screw",
     .about = "the way along the axis for one turn, positive for a right-handed screw"},
    {.name = "teeth", .kind = Kind::numbers, .standard = required, .types = "gear",
     .about = "the numbers of teeth of the two wheels, negative for an internal one"},
    {.name = "limits", .kind = Kind::bounds, .standard = optional, .types = limited_joints,
     .about = "the least and the largest slide [m] or angle from the position given [rad] as [lo, hi], stops at both "
              "ends; inf or -inf is none; of two coordinates the first (slide, angle1)"},
    {.name = "second_limits", .kind = Kind::bounds, .standard = optional, .types = "cylindrical screw universal",
     .about = "the least and the largest of the second coordinate (angle, angle2) [rad] as [lo, hi]"},
    {.name = "restitution", .kind = Kind::number, .range = {.low = 0.0, .high = 1.0}, .standard = optional,
     .types = limited_joints, .about = "the coefficient of restitution of the stops (default: 0)"},
    {.name = "friction", .kind = Kind::table, .standard = optional, .types = "revolute translational cylindrical spherical",
     .about = "the friction of the joint"},
};

constexpr std::string_view spatial_pairs = "torque spring_damper rotational_spring_damper bushing";

const KeySpec spatial_force_keys[] = {
    {.name = "name", .kind = Kind::name, .standard = required, .about = "the name of the force"},
    {.name = "type", .kind = Kind::word, .standard = required,
     .choices = types_of(spatial_forces()), .about = "the type of the force"},
    {.name = "body", .kind = Kind::body, .standard = optional, .types = "point_force torque",
     .about = "the body acted on"},
    {.name = "bodies", .kind = Kind::bodies, .standard = optional, .types = spatial_pairs,
     .about = "two bodies: what is given acts on the second, the opposite on the first"},
    {.name = "point", .kind = Kind::triple, .unit = "m", .standard = "[0, 0, 0]", .types = "point_force",
     .about = "the point acted on in the body's coordinates"},
    {.name = "points", .kind = Kind::triples, .unit = "m", .standard = optional, .types = "spring_damper bushing",
     .about = "one point in each body's coordinates as [[xa, ya, za], [xb, yb, zb]]"},
    {.name = "at", .kind = Kind::triple, .unit = "m", .standard = optional, .types = "bushing",
     .about = "the place of the bushing in global coordinates, the bodies being where they are given, in place of `points`"},
    {.name = "axis", .kind = Kind::triple, .standard = "[0, 0, 1]", .types = "rotational_spring_damper bushing",
     .about = "the axis in global axes, the bodies being turned as they are given; without it a bushing has the axes of "
              "the first body"},
    {.name = "axes", .kind = Kind::triples, .standard = optional, .types = "rotational_spring_damper",
     .about = "the axis in each body's own axes, in place of `axis`"},
    {.name = "force", .kind = Kind::formulas3, .scope = Scope::measured, .unit = "N", .standard = optional,
     .types = "point_force", .about = "the force as [fx, fy, fz]"},
    {.name = "torque", .kind = Kind::formulas3, .scope = Scope::measured, .unit = "N m", .standard = optional,
     .types = "torque", .about = "the torque as [tx, ty, tz]"},
    {.name = "frame", .kind = Kind::word, .standard = "global", .types = "point_force torque", .choices = "global body",
     .about = "the axes of the force or torque: global ones, or those of the (second) body"},
    {.name = "stiffness", .kind = Kind::formula, .scope = Scope::element, .unit = "N/m or N m/rad", .standard = "0",
     .types = "spring_damper rotational_spring_damper", .about = "the stiffness"},
    {.name = "damping", .kind = Kind::formula, .scope = Scope::element, .unit = "N s/m or N m s/rad", .standard = "0",
     .types = "spring_damper rotational_spring_damper", .about = "the damping"},
    {.name = "free_length", .kind = Kind::formula, .scope = Scope::element, .unit = "m", .standard = "0",
     .types = "spring_damper", .about = "the length without force"},
    {.name = "free_angle", .kind = Kind::formula, .scope = Scope::element, .unit = "rad", .standard = "0",
     .types = "rotational_spring_damper",
     .about = "the angle without torque, from the position given; whole turns count"},
    {.name = "actuator", .kind = Kind::formula, .scope = Scope::element, .unit = "N or N m", .standard = "0",
     .types = "spring_damper rotational_spring_damper", .about = "a force added to the spring's and the damper's"},
    {.name = "stiffness_matrix", .kind = Kind::numbers, .unit = "N/m, N m/rad", .standard = optional, .types = "bushing",
     .about = "the stiffness along and about the three axes, 6 numbers, or 36 by rows"},
    {.name = "damping_matrix", .kind = Kind::numbers, .unit = "N s/m, N m s/rad", .standard = optional,
     .types = "bushing", .about = "the damping likewise"},
};

const KeySpec spatial_contact_keys[] = {
    {.name = "name", .kind = Kind::name, .standard = required, .about = "the name of the contact"},
    {.name = "between", .kind = Kind::tables, .standard = required, .about = "the two shapes"},
    {.name = "restitution", .kind = Kind::number, .range = {.low = 0.0, .high = 1.0}, .standard = "0",
     .about = "the coefficient of restitution"},
    {.name = "restitution_tangential", .kind = Kind::number, .range = {.low = 0.0, .high = 1.0}, .standard = "0",
     .about = "the same of the sliding velocity, with friction (impact_law newton)"},
    {.name = "impact_law", .kind = Kind::word, .standard = "newton", .choices = impact_law_words(),
     .about = "the impact law"},
    {.name = "friction", .kind = Kind::table, .standard = optional, .about = "the friction of the contact"},
};

constexpr KeySpec spatial_shape_keys[] = {
    {.name = "body", .kind = Kind::body, .standard = required, .about = "the body the shape is fixed to"},
    {.name = "shape", .kind = Kind::word, .standard = required, .choices = "plane sphere point capsule box hull",
     .about = "the shape"},
    {.name = "point", .kind = Kind::triple, .unit = "m", .standard = "[0, 0, 0]",
     .about = "a point of the plane, the centre of a sphere or box, or the origin of ends and points, in the body's "
              "coordinates"},
    {.name = "normal", .kind = Kind::triple, .standard = "[0, 0, 1]", .types = "plane",
     .about = "the outward normal in the body's axes (any length but zero)"},
    {.name = "surface_velocity", .kind = Kind::formulas3, .scope = Scope::time, .unit = "m/s", .standard = optional,
     .types = "plane", .about = "the velocity of the surface in the body's axes: a belt; its part along the normal does nothing"},
    {.name = "radius", .kind = Kind::number, .unit = "m", .range = positive, .standard = required,
     .types = "sphere capsule", .about = "the radius"},
    {.name = "ends", .kind = Kind::triples, .unit = "m", .standard = required, .types = "capsule",
     .about = "the two ends of the middle line"},
    {.name = "sides", .kind = Kind::triple, .unit = "m", .standard = required, .types = "box",
     .about = "the sides along the body's x, y, z"},
    {.name = "points", .kind = Kind::triples, .unit = "m", .standard = required, .types = "hull",
     .about = "points; the shape is the smallest convex body that contains them"},
};
// clang-format on

constexpr std::array<SectionSpec, 6> all_sections = {{
    {"spatial_body", "of a spatial model: [[body]]", false, "",
     "With `dimension = 3`: a rigid body with seven coordinates (x, y, z, Euler parameters) and six velocities, or a "
     "body with prescribed motion.",
     spatial_body_keys},
    {"spatial_motion", "of a spatial model: motion = { ... }", false, "", "Prescribed motion of a spatial body.",
     spatial_motion_keys},
    {"spatial_joint", "of a spatial model: [[joint]]", false, "type",
     "With `dimension = 3`: a constraint between two bodies, or a driver.", spatial_joint_keys},
    {"spatial_force", "of a spatial model: [[force]]", false, "type",
     "With `dimension = 3`: a force or torque besides gravity.", spatial_force_keys},
    {"spatial_contact", "of a spatial model: [[contact]]", false, "",
     "With `dimension = 3`: a one-sided contact with impact and friction.", spatial_contact_keys},
    {"spatial_shape", "of a spatial model: between = [{ ... }, { ... }] of a contact", false, "shape",
     "One of the two shapes.", spatial_shape_keys},
}};

}  // namespace

std::span<const SectionSpec> spatial_sections() { return all_sections; }

}  // namespace hstar::model

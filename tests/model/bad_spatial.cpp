// tests/model/bad_spatial.cpp
//
// Bad input of spatial models: orientations, inertia, axes, joints, forces and contacts that cannot be.
#include "model/bad_inputs.hpp"

namespace hstar::test {
namespace {

// clang-format off
constexpr const char* two_bodies = R"toml(title     = "Two spatial bodies"
dimension = 3
gravity   = [0.0, 0.0, -9.81]

[simulation]
end = 1.0

[[body]]
name             = "arm"
mass             = 2.0
inertia          = [0.1, 0.2, 0.25]
position         = [0.5, 0.0, 0.0]
euler_parameters = [1.0, 0.0, 0.0, 0.0]
velocity         = [0.0, 0.0, 0.1]

[[body]]
name    = "wheel"
shape   = "cylinder"
radius  = 0.2
length  = 0.1
density = 1000.0
axis    = [0.0, 1.0, 0.0]
angle   = 0.5

[[joint]]
name   = "pin"
type   = "revolute"
bodies = ["ground", "arm"]
at     = [0.0, 0.0, 0.0]
axis   = [0.0, 1.0, 0.0]

[[joint]]
name        = "cross"
type        = "universal"
bodies      = ["arm", "wheel"]
points      = [[0.5, 0.0, 0.0], [0.0, 0.0, 0.0]]
axis        = [1.0, 0.0, 0.0]
second_axis = [0.0, 1.0, 0.0]

[[force]]
name      = "spring"
type      = "spring_damper"
bodies    = ["ground", "wheel"]
points    = [[0.0, 0.0, 1.0], [0.0, 0.1, 0.0]]
stiffness = 10.0

[[force]]
name   = "push"
type   = "point_force"
body   = "wheel"
force  = ["10*sin(t)", 0.0, 1.0]
)toml";

constexpr const char* contacts = R"toml(title     = "A ball and a box"
dimension = 3

[simulation]
end = 1.0

[[body]]
name    = "ball"
shape   = "sphere"
radius  = 0.1
density = 1000.0

[[body]]
name    = "block"
mass    = 1.0
inertia = [0.1, 0.1, 0.1]

[[contact]]
name        = "floor"
between     = [{ body = "ground", shape = "plane", normal = [0.0, 0.0, 1.0] }, { body = "ball", shape = "sphere", radius = 0.1 }]
restitution = 0.5
friction    = { mu = 0.3 }

[[contact]]
name    = "stack"
between = [{ body = "ball", shape = "capsule", ends = [[0, 0, 0], [0, 0, 1]], radius = 0.1 }, { body = "block", shape = "box", sides = [1, 1, 1] }]
)toml";

constexpr BadInput table[] = {
    {two_bodies, R"~(type   = "revolute")~", R"~(type   = "cylindrical"
second_limits = [1, -1])~",
     R"~(m.toml:28:17: joint "pin": second_limits = [1, -1] must be [lo, hi] with lo < hi; give the least and the largest of the second coordinate)~"},
    {two_bodies, R"~(type   = "revolute")~", R"~(type   = "revolute"
second_limits = [-1, 1])~",
     R"~(m.toml:28:1: joint "pin": "second_limits" does not apply to type revolute; it has name, type, bodies, at, points, axis, axes, limits, restitution, friction)~"},
    {two_bodies, R"~(euler_parameters = [1.0, 0.0, 0.0, 0.0])~", R"~(euler_parameters = [1.0, 0.5, 0.0, 0.0])~",
     R"~(m.toml:13:20: body "arm": euler_parameters = [1, 0.5, 0, 0] have length 1.11803, it must be 1 within 0.001; write cos(angle/2), axis * sin(angle/2), or give axis and angle)~"},
    {two_bodies, R"~(euler_parameters = [1.0, 0.0, 0.0, 0.0])~", R"~(euler_parameters = [1.0, 0.0, 0.0])~",
     R"~(m.toml:13:20: body "arm": euler_parameters = [1, 0, 0] must be four numbers [e0, e1, e2, e3]; give the initial orientation as [e0, e1, e2, e3] of length 1, e0 the scalar)~"},
    {two_bodies, R"~(euler_parameters = [1.0, 0.0, 0.0, 0.0])~", R"~(matrix = [[1, 0, 0], [0, 1, 0.2], [0, 0, 1]])~",
     R"~(m.toml:13:10: body "arm": matrix is not a rotation: its columns are off unit length or a right angle by 0.1, at most 0.001 is allowed; give more digits or axis and angle)~"},
    {two_bodies, R"~(euler_parameters = [1.0, 0.0, 0.0, 0.0])~", R"~(matrix = [[1, 0, 0], [0, 1, 0], [0, 0, -1]])~",
     R"~(m.toml:13:10: body "arm": matrix is a reflection, its determinant is -1, it must be +1; exchange two columns or change the sign of one)~"},
    {two_bodies, R"~(euler_parameters = [1.0, 0.0, 0.0, 0.0])~", R"~(angles = [0.1, 0.2, 0.3]
sequence = "zxx")~",
     R"~(m.toml:14:13: body "arm": sequence = "zxx" is unknown; did you mean "xzx"?)~"},
    {two_bodies, R"~(euler_parameters = [1.0, 0.0, 0.0, 0.0])~", R"~(angle = 0.3)~",
     R"~(m.toml:13:9: body "arm": angle needs the axis it turns about)~"},
    {two_bodies, R"~(euler_parameters = [1.0, 0.0, 0.0, 0.0])~", R"~(euler_parameters = [1.0, 0.0, 0.0, 0.0]
angles = [0, 0, 0])~",
     R"~(m.toml:14:10: body "arm": euler_parameters and angles both say the orientation; give one of them)~"},
    {two_bodies, R"~(axis    = [0.0, 1.0, 0.0])~", R"~(axis    = [0.0, 0.0, 0.0])~",
     R"~(m.toml:22:11: body "wheel": axis = [0, 0, 0] has no direction; give a vector that is not zero)~"},
    {two_bodies, R"~(angle   = 0.5)~", R"~(sequence = "zxz")~",
     R"~(m.toml:23:13: body "wheel": sequence is of angles; give them)~"},
    {two_bodies, R"~(inertia          = [0.1, 0.2, 0.25])~", R"~(inertia          = [0.1, -0.2, 0.25])~",
     R"~(m.toml:11:20: body "arm": inertia = [0.1, -0.2, 0.25] must be positive definite: about some axis it is zero or less; give the inertia about the centre of mass in body axes, [Jxx, Jyy, Jzz] or the rows of a symmetric matrix in kg m^2)~"},
    {two_bodies, R"~(inertia          = [0.1, 0.2, 0.25])~", R"~(inertia          = [[0.1, 0.01, 0], [0, 0.2, 0], [0, 0, 0.25]])~",
     R"~(m.toml:11:20: body "arm": inertia = [[0.1, 0.01, 0], [0, 0.2, 0], [0, 0, 0.25]] must be symmetric: entry [0][1] = 0.01 but [1][0] = 0; give the inertia about the centre of mass in body axes, [Jxx, Jyy, Jzz] or the rows of a symmetric matrix in kg m^2)~"},
    {two_bodies, R"~(inertia          = [0.1, 0.2, 0.25])~", R"~(inertia          = [0.1, 0.2])~",
     R"~(m.toml:11:20: body "arm": inertia = [0.1, 0.2] must be [a, b, c] or three rows [[..], [..], [..]]; give the inertia about the centre of mass in body axes, [Jxx, Jyy, Jzz] or the rows of a symmetric matrix in kg m^2)~"},
    {two_bodies, R"~(inertia          = [0.1, 0.2, 0.25]
)~", R"~()~",
     R"~(m.toml:8:1: body "arm": inertia is missing; give the inertia about the centre of mass in body axes, [Jxx, Jyy, Jzz] or the rows of a symmetric matrix in kg m^2)~"},
    {two_bodies, R"~(mass             = 2.0)~", R"~(mass             = 2.0
shape            = "box"
density = 1.0)~",
     R"~(m.toml:10:20: body "arm": mass follows from shape and density; remove it)~"},
    {two_bodies, R"~(radius  = 0.2)~", R"~(radius  = -0.2)~",
     R"~(m.toml:19:11: body "wheel": radius = -0.2 m must be > 0; give the radius of a cylinder, rod or sphere in m)~"},
    {two_bodies, R"~(radius  = 0.2
)~", R"~()~",
     R"~(m.toml:16:1: body "wheel": radius is missing; give the radius of a cylinder, rod or sphere in m)~"},
    {two_bodies, R"~(density = 1000.0)~", R"~(density = 1000.0
sides = [1, 1, 1])~",
     R"~(m.toml:22:9: body "wheel": a cylinder has no sides; remove it)~"},
    {two_bodies, R"~(position         = [0.5, 0.0, 0.0])~", R"~(position         = [0.5, 0.0])~",
     R"~(m.toml:12:20: body "arm": position = [0.5, 0] must be three numbers [x, y, z]; give the initial position of the centre of mass as [x, y, z] in m)~"},
    {two_bodies, R"~(gravity   = [0.0, 0.0, -9.81])~", R"~(gravity   = [0.0, -9.81])~",
     R"~(m.toml:3:13: model: gravity = [0, -9.81] must be three numbers [x, y, z]; give the acceleration of gravity as [x, y], with dimension = 3 as [x, y, z] in m/s^2)~"},
    {two_bodies, R"~(dimension = 3)~", R"~(dimension = 4)~",
     R"~(m.toml:2:13: model: dimension = 4 must be in [2, 3]; give 2 for a planar model, 3 for a spatial one, whose bodies, joints, forces and contacts have keys of their own)~"},
    {two_bodies, R"~(type   = "revolute")~", R"~(type   = "absolute_x")~",
     R"~(m.toml:27:11: joint "pin": type = "absolute_x" is unknown; choose one of: spherical, universal, cylindrical, revolute, translational, fixed, point_on_plane, point_on_line, distance, screw, gear, rotation, translation, dp1, dp2, d, cd)~"},
    {two_bodies, R"~(axis   = [0.0, 1.0, 0.0])~", R"~(axis   = [0.0, 0.0, 0.0])~",
     R"~(m.toml:30:10: joint "pin": axis = [0, 0, 0] must not be of zero length; give the joint's axis in global axes, the bodies being turned as they are given)~"},
    {two_bodies, R"~(axis   = [0.0, 1.0, 0.0])~", R"~(axis   = [0.0, 1.0, 0.0]
axes = [[0, 1, 0], [0, 1, 0]])~",
     R"~(m.toml:30:10: joint "pin": axis and axes say the same; give one of them)~"},
    {two_bodies, R"~(at     = [0.0, 0.0, 0.0])~", R"~(at     = [0.0, 0.0, 0.0]
points = [[0, 0, 0], [0, 0, 0]])~",
     R"~(m.toml:29:10: joint "pin": at and points both say where the joint is; give one of them)~"},
    {two_bodies, R"~(bodies = ["ground", "arm"])~", R"~(bodies = ["ground", "leg"])~",
     R"~(m.toml:28:22: joint "pin": unknown body "leg"; bodies: ground, arm, wheel)~"},
    {two_bodies, R"~(bodies = ["ground", "arm"])~", R"~(bodies = ["arm", "arm"])~",
     R"~(m.toml:28:10: joint "pin": both bodies are "arm"; give two different bodies)~"},
    {two_bodies, R"~(second_axis = [0.0, 1.0, 0.0])~", R"~(second_axis = [1.0, 0.1, 0.0])~",
     R"~(m.toml:34:16: joint "cross": the two axes of a universal joint cross at a right angle; these are nearly parallel)~"},
    {two_bodies, R"~(second_axis = [0.0, 1.0, 0.0]
)~", R"~()~",
     R"~(m.toml:32:1: joint "cross": second_axis is missing; give the axis in the second body, in global axes as `axis`)~"},
    {two_bodies, R"~(type   = "revolute")~", R"~(type   = "screw"
pitch = 0)~",
     R"~(m.toml:28:9: joint "pin": pitch = 0 must not be 0: without pitch the joint is revolute; give the way along the axis for one turn, positive for a right-handed screw in m)~"},
    {two_bodies, R"~(type   = "revolute")~", R"~(type   = "gear"
teeth = [12, 0]
second_axis = [0, 1, 0])~",
     R"~(m.toml:28:9: joint "pin": teeth = [12, 0] must be two whole numbers other than 0; give the numbers of teeth of the two wheels, negative for an internal one)~"},
    {two_bodies, R"~(type   = "revolute")~", R"~(type   = "distance")~",
     R"~(m.toml:30:1: joint "pin": "axis" does not apply to type distance; it has name, type, bodies, at, points, length)~"},
    {two_bodies, R"~(points    = [[0.0, 0.0, 1.0], [0.0, 0.1, 0.0]]
)~", R"~()~",
     R"~(m.toml:40:1: force "spring": points is missing; give one point in each body's coordinates as [[xa, ya, za], [xb, yb, zb]] in m)~"},
    {two_bodies, R"~(stiffness = 10.0
)~", R"~()~",
     R"~(m.toml:42:14: force "spring": has neither stiffness nor damping nor actuator, so it does nothing; give one of them)~"},
    {two_bodies, R"~(type      = "spring_damper")~", R"~(type      = "bushing")~",
     R"~(m.toml:45:1: force "spring": "stiffness" does not apply to type bushing; it has name, type, bodies, points, at, axis, stiffness_matrix, damping_matrix)~"},
    {two_bodies, R"~(force  = ["10*sin(t)", 0.0, 1.0])~", R"~(force  = ["10*sin(t)", 0.0])~",
     R"~(m.toml:51:10: force "push": force = ["10*sin(t)", 0] must be three formulas [x, y, z]; give the force as [fx, fy, fz] in N)~"},
    {two_bodies, R"~(force  = ["10*sin(t)", 0.0, 1.0])~", R"~(force  = ["arm.angle", 0.0, 1.0])~",
     R"~(m.toml:51:12: force "push": force = "arm.angle": unknown name "arm.angle"; did you mean "pin.angle"?)~"},
    {two_bodies, R"~(body   = "wheel")~", R"~(body   = "ground")~",
     R"~(m.toml:50:11: force "push": body = "ground" does not move freely, so a force on it does nothing; give the body acted on)~"},
    {contacts, R"~(normal = [0.0, 0.0, 1.0])~", R"~(normal = [0.0, 0.0, 0.0])~",
     R"~(m.toml:20:61: contact "floor": between[0]: normal = [0, 0, 0] must not be of zero length; give the outward normal in the body's axes)~"},
    {contacts, R"~(shape = "sphere", radius = 0.1)~", R"~(shape = "sphere", radius = -0.1)~",
     R"~(m.toml:20:124: contact "floor": between[1]: radius = -0.1 m must be > 0; give the radius in m)~"},
    {contacts, R"~(shape = "sphere", radius = 0.1)~", R"~(shape = "spere", radius = 0.1)~",
     R"~(m.toml:20:106: contact "floor": between[1]: shape = "spere" is unknown; did you mean "sphere"?)~"},
    {contacts, R"~(shape = "sphere", radius = 0.1)~", R"~(shape = "line")~",
     R"~(m.toml:20:106: contact "floor": between[1]: shape = "line" is unknown; choose one of: plane, sphere, point, capsule, box, hull)~"},
    {contacts, R"~(shape = "sphere", radius = 0.1)~", R"~(shape = "sphere")~",
     R"~(m.toml:20:80: contact "floor": between[1]: radius is missing; give the radius in m)~"},
    {contacts, R"~(shape = "sphere", radius = 0.1)~", R"~(shape = "point", radius = 0.1)~",
     R"~(m.toml:20:114: contact "floor": between[1]: "radius" does not apply to shape point; it has body, shape, point)~"},
    {contacts, R"~({ body = "ball", shape = "sphere", radius = 0.1 })~", R"~({ body = "bell", shape = "point" })~",
     R"~(m.toml:20:90: contact "floor": between[1]: unknown body "bell"; did you mean "ball"?)~"},
    {contacts, R"~(shape = "sphere", radius = 0.1)~", R"~(shape = "plane")~",
     R"~(m.toml:18:1: contact "floor": a plane and a plane cannot touch at one point; make one of them a sphere, a capsule, a box or a hull)~"},
    {contacts, R"~({ body = "ball", shape = "sphere", radius = 0.1 })~", R"~({ body = "ground", shape = "point" })~",
     R"~(m.toml:20:15: contact "floor": both bodies are "ground"; give two different bodies)~"},
    {contacts, R"~(sides = [1, 1, 1])~", R"~(sides = [1, 0, 1])~",
     R"~(m.toml:26:136: contact "stack": between[1]: sides = [1, 0, 1] must be three lengths > 0; give the sides along the body's x, y, z in m)~"},
    {contacts, R"~(ends = [[0, 0, 0], [0, 0, 1]])~", R"~(ends = [[0, 0, 1], [0, 0, 1]])~",
     R"~(m.toml:26:55: contact "stack": between[0]: ends = [[0, 0, 1], [0, 0, 1]] must be two different points [[xa, ya, za], [xb, yb, zb]]; give the two ends of the middle line in m)~"},
    {contacts, R"~(shape = "box", sides = [1, 1, 1])~", R"~(shape = "hull", points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]])~",
     R"~(m.toml:26:138: contact "stack": between[1]: 3 points are no body; give four or more)~"},
    {contacts, R"~(shape = "box", sides = [1, 1, 1])~", R"~(shape = "hull", points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0.5, 0.3, 0]])~",
     R"~(m.toml:26:138: contact "stack": between[1]: the points lie in one plane, so they are no body; give points that are not all in one plane)~"},
    {contacts, R"~(shape = "box", sides = [1, 1, 1])~", R"~(shape = "hull", points = [[0, 0], [1, 0, 0]])~",
     R"~(m.toml:26:139: contact "stack": between[1]: points[0] = [0, 0] must be three numbers [x, y, z]; give points in m)~"},
    {contacts, R"~(shape = "box", sides = [1, 1, 1])~", R"~(shape = "plane", surface_velocity = ["ball.x", 0, 0])~",
     R"~(m.toml:26:151: contact "stack": between[1]: surface_velocity = "ball.x": "ball.x" may not be used here, only t and parameters)~"},
    {contacts, R"~(restitution = 0.5)~", R"~(restitution = 1.5)~",
     R"~(m.toml:21:15: contact "floor": restitution = 1.5 must be in [0, 1]; give the coefficient of restitution)~"},
    {contacts, R"~(restitution = 0.5)~", R"~(impact_law = "stronger")~",
     R"~(m.toml:21:15: contact "floor": impact_law = "stronger" is unknown; did you mean "stronge"?)~"},
    {contacts, R"~(restitution = 0.5)~", R"~(gap = "ball.z")~",
     R"~(m.toml:21:1: contact "floor": unknown key "gap"; known keys: name, between, restitution, restitution_tangential, impact_law, friction)~"},
    {contacts, R"~(friction    = { mu = 0.3 })~", R"~(friction    = { mu = -0.3 })~",
     R"~(m.toml:22:22: contact "floor": friction: mu = -0.3 must be >= 0; give mu_static and mu_kinetic in one)~"},
    {contacts, R"~(friction    = { mu = 0.3 })~", R"~(friction    = { mu = 0.3, radius = 0.1 })~",
     R"~(m.toml:22:36: contact "floor": friction: radius is for joints that turn only (the pin's, shaft's or ball's); remove it)~"},
    {contacts, R"~(friction    = { mu = 0.3 })~", R"~(friction    = { mu_static = 0.2, mu_kinetic = 0.3 })~",
     R"~(m.toml:22:29: contact "floor": friction: mu_static = 0.2 must be >= mu_kinetic = 0.3; a stuck contact holds at least what a sliding one does)~"},
    {two_bodies, R"~(axis   = [0.0, 1.0, 0.0])~", R"~(axis   = [0.0, 1.0, 0.0]
friction = { mu = 0.2 })~",
     R"~(m.toml:31:12: joint "pin": friction: radius is missing; give the radius of the pin, shaft or ball in m)~"},
    {two_bodies, R"~(axis   = [0.0, 1.0, 0.0])~", R"~(axis   = [0.0, 1.0, 0.0]
friction = { mu = 0.2, radius = 0.0 })~",
     R"~(m.toml:31:33: joint "pin": friction: radius = 0 m must be > 0; give the radius of the pin, shaft or ball in m)~"},
    {two_bodies, R"~(axis   = [0.0, 1.0, 0.0])~", R"~(axis   = [0.0, 1.0, 0.0]
friction = { mu = 0.2, thrust_radius = -0.01 })~",
     R"~(m.toml:31:40: joint "pin": friction: thrust_radius = -0.01 m must be > 0; give the radius at which the axial force of a revolute joint rubs in m)~"},
    {two_bodies, R"~(type   = "revolute")~", R"~(type   = "translational"
friction = { mu = 0.2, radius = 0.01 })~",
     R"~(m.toml:28:33: joint "pin": friction: radius is for joints that turn only (the pin's, shaft's or ball's); remove it)~"},
    {two_bodies, R"~(type   = "revolute")~", R"~(type   = "cylindrical"
friction = { mu = 0.2, radius = 0.01, thrust_radius = 0.01 })~",
     R"~(m.toml:28:55: joint "pin": friction: thrust_radius is for revolute joints of spatial models only; remove it)~"},
    {two_bodies, R"~(type   = "revolute")~", R"~(type   = "cylindrical"
friction = { law = "viscous", viscous = 0.1 })~",
     R"~(m.toml:28:12: joint "pin": friction: radius is missing; give the radius of the pin, shaft or ball in m)~"},
    {two_bodies, R"~(type        = "universal")~", R"~(type        = "universal"
friction = { mu = 0.2 })~",
     R"~(m.toml:35:1: joint "cross": "friction" does not apply to type universal; it has name, type, bodies, at, points, axis, second_axis, axes, limits, second_limits, restitution)~"},
    {contacts, R"~(friction    = { mu = 0.3 })~", R"~(friction    = { mu = 0.3, rolling = -0.1 })~",
     R"~(m.toml:22:37: contact "floor": friction: rolling = -0.1 m must be > 0; give the largest moment that resists rolling, over the normal force in m)~"},
};
// clang-format on

}  // namespace

std::span<const BadInput> bad_spatial() { return table; }

}  // namespace hstar::test

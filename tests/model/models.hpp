// tests/model/models.hpp
//
// Small complete models that the tests of the reader vary.
#pragma once

namespace hstar::test {

/// The drag sled of DESIGN section 6. (clang-format must leave these texts alone.)
inline constexpr const char* sled = R"toml(title   = "Drag sled, dry metal on metal"
gravity = [0.0, -9.81]

[parameters]
mu_static  = 0.4
mu_kinetic = 0.3
pull = 0.034            # driver speed, m/s

[simulation]
end        = 60.0
integrator = "dopri5"
rtol       = 1e-9
output     = 0.01       # report interval, s; never shortens a step

[[body]]
name = "sled"
mass = 12.5
position = [0.0, 0.0]

[[joint]]
name = "plate"
type = "translational"
bodies = ["ground", "sled"]
axis = [1.0, 0.0]
friction = { law = "coulomb", mu_static = "mu_static", mu_kinetic = "mu_kinetic" }

[[force]]
name = "spring"
type = "spring_damper"
between = [ { body = "ground", point = ["pull*t", 0.0] }, { body = "sled" } ]
stiffness = 742.5
free_length = 0.0
)toml";

/// Every kind of section and element at least once.
inline constexpr const char* everything = R"toml(gravity = [0, "-g"]
[parameters]
g = 9.81
m = "rho*0.5"
rho = 4
[simulation]
start = 1
end = 3
integrator = "ode45"
formulation = "projection"
RelTol = 1e-8
AbsTol = 1e-10
max_step = 0.1
first_step = 1e-4
output = 0.01
stop_after_events = 7
max_events_per_instant = 50
[[body]]
name = "rod"
mass = "m"
inertia = 0.1
position = [0.5, 0]
angle = "pi/2"
velocity = [0, 1]
angular_velocity = 2
[[body]]
name = "ball"
mass = 0.2
inertia = 1e-4
position = [0, 2]
[[body]]
name = "bead"
mass = 0.1
[[body]]
name = "table"
motion = { y = "0.02*sin(60*t)" }
[[joint]]
name = "pin"
type = "revolute"
bodies = ["ground", "rod"]
points = [[0, 0], [0, 0.5]]
friction = { mu = 0.3, radius = 0.02 }
[[joint]]
name = "slide"
type = "translational"
bodies = ["table", "bead"]
axis = [3, 4]
friction = { law = "stribeck", mu_static = 0.4, mu_kinetic = 0.3, stribeck_velocity = 0.1, stribeck_exponent = 2, viscous = 0.5, normal_force = "5 + sin(t)" }
[[joint]]
name = "rope"
type = "distance"
bodies = ["rod", "ball"]
length = "1 + 0.1*t"
[[joint]]
name = "motor"
type = "relative_angle"
bodies = ["ground", "rod"]
value = "2*t"
[[joint]]
name = "push"
type = "absolute_x"
body = "ball"
point = [0, 0.1]
value = "t^2"
[[joint]]
name = "weld"
type = "fixed"
bodies = ["rod", "ball"]
angle = 0.25
[[force]]
name = "wind"
type = "point_force"
body = "ball"
point = [0, 0.05]
force = ["-0.1*ball.vx", "spring.length"]
frame = "body"
[[force]]
name = "motor_torque"
type = "torque"
bodies = ["ground", "rod"]
torque = "u*rod.omega"
[[force]]
name = "spring"
type = "spring_damper"
between = [{ body = "ground", point = ["0.1*t", 1] }, { body = "bead", point = [0, 0.1] }]
axis = [0, 2]
stiffness = "100*(1 + length^2)"
damping = 3
free_length = 0.2
actuator = "u + rate"
[[force]]
name = "twist"
type = "rotational_spring_damper"
bodies = ["rod", "ball"]
stiffness = 5
free_angle = "pi/6"
[[contact]]
name = "floor"
between = [{ body = "table", shape = "line", normal = [0, 2], surface_velocity = "0.3*t" }, { body = "ball", shape = "circle", radius = 0.05 }]
restitution = 0.8
friction = { law = "table", table = [[0, 0.4], [0.1, 0.3], [1, 0.2]] }
[[state]]
name = "u"
initial = "2*rho"
rate = "-u + rod.angle*spring.rate"
[[guard]]
name = "switch"
when = "u - 1"
crossing = "falling"
kind = "thermostat"
reset = { u = "u + 1" }
g_tol = 1e-9
[[guard]]
name = "clock"
times = [1.5, 2, "2 + 0.5"]
terminal = true
[[measure]]
name = "pin_force"
value = "sqrt(pin.fx^2 + pin.fy^2) + floor.gap + bead.ax + rod.alpha + slide.normal + spring.force + energy"
unit = "N"
)toml";

/// A bouncing ball as a hybrid automaton.
inline constexpr const char* automaton = R"toml([parameters]
g = 9.81
e = 0.8
[simulation]
end = 3
[[state]]
name = "h"
initial = 1
rate = "v"
[[state]]
name = "v"
rate = "-g"
[[guard]]
name = "floor"
when = "h"
crossing = "falling"
kind = "impact"
reset = { h = 0, v = "-e*v" }
)toml";

/// A pendulum in the JSON of simEngine2D.
inline constexpr const char* imported_pendulum = R"json({
  "name": "Pendulum",
  "gravity": [0, -9.81],
  "vis": { "xlim": [-6, 6] },
  "bodies": [
    {
      "name": "pend", "id": 1, "mass": 10.0, "jbar": 10.0,
      "q0": [0.6, -0.8, -0.9272952180016123], "qd0": [0, 0, 0],
      "vis": { "RGB": [0.5, 0.5, 1.0] }
    }
  ],
  "constraints": [
    { "name": "absX", "id": 1, "type": "AbsoluteX", "body1": 1, "sP1": [-1, 0], "fun": "0" },
    { "name": "absY", "id": 2, "type": "AbsoluteY", "body1": 1, "sP1": [-1, 0], "fun": "0.1*sin(2*t)" }
  ],
  "forces": [
    { "name": "RSDA", "id": 1, "type": "RSDA1", "body1": 1, "theta0": 0.1, "k": 25, "c": 5, "fun": "0" }
  ]
}
)json";

/// A four-bar with a motor and springs in the same JSON; body 0 is the ground.
inline constexpr const char* imported_four_bar = R"json({
  "name": "Four-bar", "gravity": [0, -9.81],
  "bodies": [
    { "name": "crank", "id": 1, "mass": 1, "jbar": 0.1, "q0": [0, 0.5, "pi/2"], "qd0": [0, 0, 0] },
    { "name": "coupler", "id": 2, "mass": 2, "jbar": 0.8, "q0": [1, 1.5, 0.4636476090008061], "qd0": [0, 0, 0] },
    { "name": "rocker", "id": 3, "mass": 1.5, "jbar": 0.6, "q0": [2, 1, "pi/2"], "qd0": [0, 0, 0] }
  ],
  "constraints": [
    { "name": "pin", "type": "RevoluteJoint", "body1": 0, "sP1": [0, 0], "body2": 1, "sP2": [-0.5, 0], "fun": "NONE" },
    { "name": "left", "type": "RevoluteJoint", "body1": 1, "sP1": [0.5, 0], "body2": 2, "sP2": [-1.118033988749895, 0], "fun": "NONE" },
    { "name": "right", "type": "RevoluteJoint", "body1": 2, "sP1": [1.118033988749895, 0], "body2": 3, "sP2": [1, 0], "fun": "NONE" },
    { "name": "foot_x", "type": "AbsoluteX", "body1": 3, "sP1": [-1, 0], "fun": "2" },
    { "name": "foot_y", "type": "AbsoluteY", "body1": 3, "sP1": [-1, 0], "fun": "0" }
  ],
  "forces": [
    { "name": "motor", "type": "Torque", "body1": 1, "fun": "6*sin(2*t).^2" },
    { "name": "spring", "type": "TSDA", "body1": 2, "sP1": [0.2, 0.1], "body2": 0, "sP2": [1, 3], "k": 20, "c": 0.5, "l0": 1.2, "fun": "t" },
    { "name": "knee", "type": "RSDA2", "body1": 2, "body2": 3, "theta0": 1, "k": 3, "c": 0.2, "fun": "0" },
    { "name": "wind", "type": "PointForce", "body1": 3, "sP1": [1, 0], "frame": "LRF", "funX": "cos(t)", "funY": "0.3" }
  ]
}
)json";

/// A rack above a pinion whose angle is driven (Haug 1989, example 3.4.2).
inline constexpr const char* imported_rack = R"json({
  "gravity": [0, -9.81],
  "bodies": [
    { "name": "rack", "id": 1, "mass": 1, "jbar": 1, "q0": [1, 0.2, 0], "qd0": [0, 0, 0] },
    { "name": "pinion", "id": 2, "mass": 1, "jbar": 1, "q0": [0, 0, 0], "qd0": [0, 0, 0] }
  ],
  "constraints": [
    { "name": "px", "type": "AbsoluteX", "body1": 2, "sP1": [0, 0], "fun": "0" },
    { "name": "py", "type": "AbsoluteY", "body1": 2, "sP1": [0, 0], "fun": "0" },
    { "name": "height", "type": "AbsoluteY", "body1": 1, "sP1": [0, 0], "fun": "0.2" },
    { "name": "rp", "type": "RackPinion", "body1": 1, "body2": 2, "sP1": [0, 0], "sQ1": [-1, 0], "sP2": [0, 0],
      "theta1": -3.141592653589793, "theta2": 1.570796326794897, "R2": 0.2, "fun": "0" },
    { "name": "driver", "type": "AbsoluteAngle", "body1": 2, "fun": "sin(t)" }
  ]
}
)json";

}  // namespace hstar::test

// tests/support/two_bodies.hpp: the head of a spatial model with bodies "a" and "b" whose principal axes are not
// theirs.
#pragma once

namespace support {

inline constexpr const char* two_bodies = R"(
dimension = 3
[simulation]
end = 1.0
[[body]]
name = "a"
mass = 1.3
inertia = [[0.9, 0.2, -0.1], [0.2, 0.7, 0.15], [-0.1, 0.15, 1.1]]
position = [0.3, -0.4, 0.2]
[[body]]
name = "b"
mass = 0.8
inertia = [[0.5, -0.1, 0.05], [-0.1, 0.6, 0.0], [0.05, 0.0, 0.4]]
position = [-0.7, 0.5, 0.9]
axis = [1.0, 2.0, -0.5]
angle = 0.8
)";

}  // namespace support

// tests/support/lifted.hpp
//
// A planar model written as a spatial one: bodies in the plane z = 0 with out-of-plane inertias of their own, joints
// about and along axes of that plane, and the plane itself turned in space so that nothing lies along an axis. Its
// motion must be that of the plane.
#pragma once

#include <stdexcept>
#include <string>

#include "hstar/run.hpp"
#include "mechanism/spatial/vec3.hpp"

namespace support {

/// Something in a planar model has no counterpart in space; what() says what.
class NoCounterpart : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Joints with friction: of the same type, or with more freedom, which a planar motion does not use: a ball joint for a
/// revolute one (three directions of sliding), a cylindrical one for a guide (two).
enum class FrictionJoints { same, freer };

/// The text of the spatial model: a planar (x, y) becomes turn * (x, y, 0). Measures are left out.
/// @throws NoCounterpart
[[nodiscard]] std::string lifted(const hstar::ModelSpec& model, const hstar::Mat3& turn,
                                 FrictionJoints joints = FrictionJoints::same);

/// A body of a run, planar or lifted, as seen in the plane; `off` how far it has left the plane [m, m/s, rad, rad/s].
struct PlaneMotion {
  double x = 0, y = 0, vx = 0, vy = 0;
  double cosine = 1, sine = 0, omega = 0;  ///< of bodies that have an angle
  double off = 0;
};
[[nodiscard]] PlaneMotion planar_motion(const hstar::RunResult& run, const std::vector<double>& y,
                                        const hstar::BodySpec& body);
[[nodiscard]] PlaneMotion lifted_motion(const hstar::RunResult& run, const std::vector<double>& y,
                                        const hstar::BodySpec& body, const hstar::Mat3& turn);

}  // namespace support

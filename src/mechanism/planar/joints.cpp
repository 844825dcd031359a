// src/mechanism/planar/joints.cpp: the registry, and what joints have in common.
#include "mechanism/planar/joints.hpp"

#include <array>

namespace hstar {

std::span<const JointEntry> planar_joints() {
  static constexpr std::array<JointEntry, 10> entries{{
      {"revolute", "two points coincide; friction torque mu R |F| in the pin", make_revolute},
      {"translational", "a point slides on an axis of the first body, no relative turning; friction mu |N|",
       make_translational},
      {"fixed", "two bodies are one", make_fixed},
      {"distance", "two points keep a length, constant or a function of time", make_distance},
      {"absolute_x", "global x of a point is a function of time", make_absolute_x},
      {"absolute_y", "global y of a point is a function of time", make_absolute_y},
      {"absolute_angle", "angle of a body is a function of time", make_absolute_angle},
      {"relative_angle", "angle between two bodies is a function of time", make_relative_angle},
      {"relative_translation", "coordinate of a point along an axis of the first body is a function of time",
       make_relative_translation},
      {"equation", "a formula of the coordinates of one or two bodies, and t, is zero", make_equation},
  }};
  return entries;
}

double Joint::normal_force(const double*, int, double*) const { return 0.0; }

std::array<double, 3> Joint::reaction(const Kinematics& k, const double* lambda) const {
  std::array<Row, 3> row;
  for (auto& r : row) r.body = {first.body, second.body};
  rows_at(k, row.data());
  std::array<double, 3> sum{0, 0, 0};
  for (int i = 0; i < rows(); ++i)
    for (int c = 0; c < 3; ++c) sum[c] += row[i].J[1][c] * lambda[i];
  // The generalised torque is about the centre of mass; the joint's is about its point.
  const Vec2 s = k.of(second.body).global(second.local);
  sum[2] -= s[0] * sum[1] - s[1] * sum[0];
  return sum;
}

}  // namespace hstar

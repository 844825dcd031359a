// src/mechanism/spatial/joint_slide.cpp
#include "mechanism/spatial/joint_slide.hpp"

#include <algorithm>
#include <cmath>

namespace hstar {
namespace {

/// The component of the relative angular velocity along `axis` of the first body, times `factor`:
///   h_1 . (omega_2 - omega_1),  h_1 = A_1 h.
void turn_row(const Vec3& h, double factor, const SpatialMotion& b1, const SpatialMotion& b2, Row& row) {
  const Vec3 seen = b2.bar(b1.global(h));
  // d h_1/dt . (omega_2 - omega_1) is what its rate has beside J a.
  const double turning = dot(b1.global(cross(b1.omega_bar, h)), b2.global(b2.omega_bar));
  for (std::size_t i = 0; i < 3; ++i) {
    row.J[0][i] = row.J[1][i] = 0;
    row.J[0][3 + i] = -factor * h[i];
    row.J[1][3 + i] = factor * seen[i];
  }
  row.nu = 0;
  row.gamma = -factor * turning;
}

void turn_slope(const Vec3& h, double factor, const SpatialMotion& b1, const SpatialMotion& b2, SpatialRowSlope& out) {
  out = SpatialRowSlope{};
  const Mat3 to_second = transposed(b2.A) * b1.A;
  // seen = A_2^T A_1 h: by a turn of body 1 -A_2^T A_1 h~, of body 2 seen~.
  const Mat3 by_first = -1.0 * (to_second * skew(h)), by_second = skew(to_second * h);
  const Vec3 rate = cross(b1.omega_bar, h);
  const Vec3 gamma_first = cross(transposed_times(to_second, b2.omega_bar), rate),
             gamma_second = cross(b2.omega_bar, to_second * rate);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      out.J[9 + i][3 + j] = factor * by_first[i][j];
      out.J[9 + i][9 + j] = factor * by_second[i][j];
    }
    out.gamma[3 + i] = factor * gamma_first[i];
    out.gamma[9 + i] = -factor * gamma_second[i];
  }
}

}  // namespace

JointSlide::JointSlide(std::string_view type, const SpatialJoint& joint, const FrictionSpec& friction)
    : slide_(joint.free.slide) {
  const auto add_part = [&](double weight, int first, int size) {
    NormalPart& part = part_[part_count_++];
    part.weight = weight;
    part.size = size;
    for (int i = 0; i < size; ++i) part.by_lambda[i][first + i] = 1;
  };
  const Triad& axes = joint.frame.axes1;
  if (type == "revolute") {
    turns_ = 1;
    axis_[0] = axes.h;
    if (friction.radius > 0) add_part(1, 0, 2);
    if (friction.thrust_radius > 0) add_part(friction.thrust_radius / friction.lever(), 2, 1);
  } else if (type == "translational" || type == "cylindrical") {
    slides_ = true;
    add_part(1, 0, 2);
    if (type == "cylindrical") {
      turns_ = 1;
      axis_[0] = axes.h;
      factor_ = friction.radius;
    }
  } else if (type == "spherical") {
    turns_ = 3;
    axis_ = {axes.f, axes.g, axes.h};
    factor_ = friction.radius;
    add_part(1, 0, 3);
  }
}

void JointSlide::rows(const SpatialMotion& b1, const SpatialMotion& b2, Row* out) const {
  if (slides_) slide_.row(b1, b2, 0, *out++);
  for (int i = 0; i < turns_; ++i) turn_row(axis_[i], factor_, b1, b2, *out++);
}

void JointSlide::slopes(const SpatialMotion& b1, const SpatialMotion& b2, SpatialRowSlope* out) const {
  if (slides_) slide_.slope(b1, b2, *out++);
  for (int i = 0; i < turns_; ++i) turn_slope(axis_[i], factor_, b1, b2, *out++);
}

int JointSlide::normal_parts(NormalPart* out) const {
  std::copy(part_.begin(), part_.begin() + part_count_, out);
  return part_count_;
}

int JointSlide::side_row() const {
  for (int p = 0; p < part_count_; ++p) {
    const NormalPart& part = part_[p];
    for (int r = 0; part.size == 1 && r < 6; ++r)
      if (part.by_lambda[0][r] != 0) return r;
  }
  return -1;
}

double JointSlide::normal_force(const double* lambda, int count, int side, double* derivative) const {
  for (int r = 0; r < count; ++r) derivative[r] = 0;
  double normal = 0;
  for (int p = 0; p < part_count_; ++p) {
    const NormalPart& part = part_[p];
    double along[3] = {0, 0, 0};
    for (int i = 0; i < part.size; ++i)
      for (int r = 0; r < count; ++r) along[i] += part.by_lambda[i][r] * lambda[r];
    const bool continued = part.size == 1 && side != 0;
    const double force = continued ? side * along[0] : std::hypot(along[0], along[1], along[2]);
    normal += part.weight * force;
    if (continued) along[0] = side;
    if (!continued && force == 0) along[0] = 1;
    for (int i = 0; i < part.size; ++i)
      for (int r = 0; r < count; ++r)
        derivative[r] += part.weight * part.by_lambda[i][r] * along[i] / (!continued && force > 0 ? force : 1.0);
  }
  return normal;
}

}  // namespace hstar

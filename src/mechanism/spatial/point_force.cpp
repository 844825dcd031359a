// src/mechanism/spatial/point_force.cpp: applied force at a point, applied torque, and the bushing.
#include <algorithm>

#include "mechanism/spatial/forces.hpp"
#include "mechanism/spatial/signal_slopes.hpp"

namespace hstar {
namespace {

void add(const SpatialLoad& load, int first, int second, double* f) {
  for (int i = 0; i < 6; ++i) {
    f[6 * first + i] += load.f[i];
    f[6 * second + i] += load.f[6 + i];
  }
}

/// Three formulas, in global axes or in the axes of the second body.
class Applied : public Force {
 public:
  Applied(const SpatialForceSpec& spec, const SpatialForceContext& c)
      : first_(c.first), second_(c.second), turns_(spec.in_body_frame), axes_(c.second_axes) {
    for (std::size_t i = 0; i < 3; ++i)
      component_[i] = c.bind(spec.vector[i], spec.type == "torque" ? "torque" : "force");
  }
  void apply(const Kinematics& k, double* f) const final {
    SpatialLoad load;
    add_load(own(value(k)), k, load);
    add(load, first_, second_, f);
  }
  void slopes(const Kinematics& k, ForceSlopes& out) const final {
    SpatialLoadSlope slope;
    add_slope(own(value(k)), k, slope);
    add_entries(slope, first_, second_, out);
    for (std::size_t i = 0; i < 3; ++i) {
      Vec3 unit{0, 0, 0};
      unit[i] = 1;
      SpatialLoad load;
      add_load(own(unit), k, load);
      SpatialDirection direction{{first_, second_}, {}};
      std::copy(load.f, load.f + 12, direction.g);
      (void)add_formula(direction, component_[i], k, 0, 0, 1, out);
    }
  }

 protected:
  virtual void add_load(const Vec3& x, const Kinematics& k, SpatialLoad& out) const = 0;
  virtual void add_slope(const Vec3& x, const Kinematics& k, SpatialLoadSlope& out) const = 0;
  int first_, second_;
  bool turns_;

 private:
  [[nodiscard]] Vec3 value(const Kinematics& k) const {
    return {evaluate(component_[0], k), evaluate(component_[1], k), evaluate(component_[2], k)};
  }
  /// Components as written to those the body computes with.
  [[nodiscard]] Vec3 own(const Vec3& x) const { return turns_ ? transposed_times(axes_, x) : x; }
  Mat3 axes_;
  BoundExpression component_[3];
};

class PointForce final : public Applied {
 public:
  PointForce(const SpatialForceSpec& spec, const SpatialForceContext& c)
      : Applied(spec, c), point_(spec.markers[1].point) {}

 private:
  void add_load(const Vec3& x, const Kinematics& k, SpatialLoad& out) const override {
    add_point_force(1, point_, x, turns_, k.spatial_of(second_), out);
  }
  void add_slope(const Vec3& x, const Kinematics& k, SpatialLoadSlope& out) const override {
    add_point_force_slope(1, point_, x, turns_, k.spatial_of(second_), out);
  }
  Vec3 point_;
};

class Torque final : public Applied {
 public:
  using Applied::Applied;

 private:
  void add_load(const Vec3& x, const Kinematics& k, SpatialLoad& out) const override {
    add_torque(x, turns_, k.spatial_of(first_), k.spatial_of(second_), out);
  }
  void add_slope(const Vec3& x, const Kinematics& k, SpatialLoadSlope& out) const override {
    add_torque_slope(x, turns_, k.spatial_of(first_), k.spatial_of(second_), out);
  }
};

/// 6 numbers are a diagonal, 36 the rows of a matrix, none zero.
std::array<double, 36> full(const std::vector<double>& given) {
  std::array<double, 36> m{};
  if (given.size() == 36) std::copy(given.begin(), given.end(), m.begin());
  if (given.size() == 6)
    for (std::size_t i = 0; i < 6; ++i) m[7 * i] = given[i];
  return m;
}

class BushingForce final : public Force {
 public:
  BushingForce(const SpatialForceSpec& spec, const SpatialForceContext& c)
      : first_(c.first),
        second_(c.second),
        law_(spec.markers[0].point, spec.markers[1].point, axes(spec.markers[0]), axes(spec.markers[1]),
             full(spec.stiffness_matrix).data(), full(spec.damping_matrix).data()) {}
  void apply(const Kinematics& k, double* f) const override {
    SpatialLoad load;
    law_.load(k.spatial_of(first_), k.spatial_of(second_), load);
    add(load, first_, second_, f);
  }
  void slopes(const Kinematics& k, ForceSlopes& out) const override {
    SpatialLoadSlope slope;
    law_.slope(k.spatial_of(first_), k.spatial_of(second_), slope);
    add_entries(slope, first_, second_, out);
  }
  double potential_energy(const Kinematics& k) const override {
    return law_.energy(k.spatial_of(first_), k.spatial_of(second_));
  }

 private:
  static Triad axes(const SpatialMarkerSpec& m) { return {m.f, m.g, m.h}; }
  int first_, second_;
  Bushing law_;
};

}  // namespace

std::unique_ptr<Force> make_spatial_point_force(const SpatialForceSpec& spec, const SpatialForceContext& c) {
  return std::make_unique<PointForce>(spec, c);
}
std::unique_ptr<Force> make_spatial_torque(const SpatialForceSpec& spec, const SpatialForceContext& c) {
  return std::make_unique<Torque>(spec, c);
}
std::unique_ptr<Force> make_bushing(const SpatialForceSpec& spec, const SpatialForceContext& c) {
  return std::make_unique<BushingForce>(spec, c);
}

}  // namespace hstar

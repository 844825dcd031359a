// src/mechanism/spatial/force_element.cpp
#include "mechanism/spatial/force_element.hpp"

#include <algorithm>

#include "mechanism/spatial/loads.hpp"
#include "mechanism/system.hpp"

namespace hstar {
namespace {

class TwoBodyLoad : public Force {
 public:
  TwoBodyLoad(int first, int second) : first_(first), second_(second) {}
  void apply(const Kinematics& k, double* f) const final {
    SpatialLoad load;
    add(k, load);
    for (int c = 0; c < 6; ++c) {
      f[6 * first_ + c] += load.f[c];
      f[6 * second_ + c] += load.f[6 + c];
    }
  }
  void slopes(const Kinematics&, ForceSlopes&) const final {}  // of planar forces

 protected:
  virtual void add(const Kinematics& k, SpatialLoad& load) const = 0;
  [[nodiscard]] const SpatialMotion& one(const Kinematics& k) const { return k.spatial_of(first_); }
  [[nodiscard]] const SpatialMotion& two(const Kinematics& k) const { return k.spatial_of(second_); }

 private:
  int first_, second_;
};

/// A vector of formulas; in body axes it is written in the user's frame.
class VectorLoad : public TwoBodyLoad {
 public:
  VectorLoad(const SpatialForceSpec& spec, const Body& body, int first, int second, const BindFormula& bind)
      : TwoBodyLoad(first, second),
        vector_{bind(spec.vector[0], spec.type), bind(spec.vector[1], spec.type), bind(spec.vector[2], spec.type)},
        turns_(spec.in_body_frame),
        own_axes_(spec.in_body_frame ? transposed(body.axes) : identity3) {}

 protected:
  [[nodiscard]] Vec3 value(const Kinematics& k) const {
    const Vec3 written{evaluate(vector_[0], k), evaluate(vector_[1], k), evaluate(vector_[2], k)};
    return turns_ ? own_axes_ * written : written;
  }
  [[nodiscard]] bool turns() const { return turns_; }

 private:
  std::array<BoundExpression, 3> vector_;
  bool turns_;
  Mat3 own_axes_;
};

class SpatialPointForce final : public VectorLoad {
 public:
  SpatialPointForce(const SpatialForceSpec& spec, const Body& body, int first, int second, const BindFormula& bind)
      : VectorLoad(spec, body, first, second, bind), point_(spec.markers[1].point) {}

 protected:
  void add(const Kinematics& k, SpatialLoad& load) const override {
    add_point_force(1, point_, value(k), turns(), two(k), load);
  }

 private:
  Vec3 point_;
};

class SpatialTorque final : public VectorLoad {
 public:
  using VectorLoad::VectorLoad;

 protected:
  void add(const Kinematics& k, SpatialLoad& load) const override {
    add_torque(value(k), turns(), one(k), two(k), load);
  }
};

/// Along the line between two points, or about an axis: a law on one measured quantity.
class SpatialSpring final : public TwoBodyLoad {
 public:
  SpatialSpring(const SpatialForceSpec& spec, SpatialScalar quantity, int first, int second, const BindFormula& bind)
      : TwoBodyLoad(first, second),
        quantity_(std::move(quantity)),
        stiffness_(bind(spec.stiffness, "stiffness")),
        damping_(bind(spec.damping, "damping")),
        free_length_(bind(spec.free_length, quantity_.is_angle() ? "free_angle" : "free_length")),
        actuator_(bind(spec.actuator, "actuator")) {}

  double output(int which, const Kinematics& k) const override {
    const double length = quantity_.value(one(k), two(k), k.t);
    if (which == 0) return length;
    if (!quantity_.is_angle() && length == 0) return 0;
    Row row;
    quantity_.row(one(k), two(k), k.t, row);
    const double rate = row.speed(one(k), two(k));
    return which == 1 ? rate : effort(k, length, rate);
  }
  double potential_energy(const Kinematics& k) const override {
    const double length = output(0, k), rate = output(1, k), stretch = length - evaluate(free_length_, k, length, rate);
    return 0.5 * evaluate(stiffness_, k, length, rate) * stretch * stretch;
  }

 protected:
  void add(const Kinematics& k, SpatialLoad& load) const override {
    const double length = quantity_.value(one(k), two(k), k.t);
    // Where the points coincide the line has no direction, and a spring of free length 0 no force.
    if (!quantity_.is_angle() && length == 0) return;
    Row row;
    quantity_.row(one(k), two(k), k.t, row);
    const double w = effort(k, length, row.speed(one(k), two(k)));
    add_load({&row, 1}, &w, load);
  }

 private:
  [[nodiscard]] double effort(const Kinematics& k, double length, double rate) const {
    return evaluate(stiffness_, k, length, rate) * (length - evaluate(free_length_, k, length, rate)) +
           evaluate(damping_, k, length, rate) * rate + evaluate(actuator_, k, length, rate);
  }
  SpatialScalar quantity_;
  BoundExpression stiffness_, damping_, free_length_, actuator_;
};

class SpatialBushing final : public TwoBodyLoad {
 public:
  SpatialBushing(Bushing bushing, int first, int second) : TwoBodyLoad(first, second), bushing_(std::move(bushing)) {}
  double potential_energy(const Kinematics& k) const override { return bushing_.energy(one(k), two(k)); }

 protected:
  void add(const Kinematics& k, SpatialLoad& load) const override { bushing_.load(one(k), two(k), load); }

 private:
  Bushing bushing_;
};

std::array<double, 36> full(const std::vector<double>& given) {
  std::array<double, 36> m{};
  if (given.size() == 36) std::copy(given.begin(), given.end(), m.begin());
  for (std::size_t i = 0; given.size() == 6 && i < 6; ++i) m[7 * i] = given[i];
  return m;
}

std::unique_ptr<Force> element(const SpatialForceSpec& spec, const Body& body, int first, int second,
                               const BindFormula& bind) {
  const auto triad = [&](std::size_t i) { return Triad{spec.markers[i].f, spec.markers[i].g, spec.markers[i].h}; };
  const Vec3 &s1 = spec.markers[0].point, &s2 = spec.markers[1].point;
  if (spec.type == "point_force") return std::make_unique<SpatialPointForce>(spec, body, first, second, bind);
  if (spec.type == "torque") return std::make_unique<SpatialTorque>(spec, body, first, second, bind);
  if (spec.type == "spring_damper")
    return std::make_unique<SpatialSpring>(spec, SpatialScalar::distance(s1, s2), first, second, bind);
  if (spec.type == "rotational_spring_damper")
    return std::make_unique<SpatialSpring>(spec, SpatialScalar::angle(triad(0), triad(1)), first, second, bind);
  const auto K = full(spec.stiffness_matrix), C = full(spec.damping_matrix);
  return std::make_unique<SpatialBushing>(Bushing(s1, s2, triad(0), triad(1), K.data(), C.data()), first, second);
}

}  // namespace

std::unique_ptr<Force> make_spatial_force(const SpatialForceSpec& spec, const Body& second_body, int first, int second,
                                          const BindFormula& bind) {
  auto force = element(spec, second_body, first, second, bind);
  force->name = spec.name;
  force->where = spec.where;
  return force;
}

}  // namespace hstar

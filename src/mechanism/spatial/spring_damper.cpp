// src/mechanism/spatial/spring_damper.cpp: spring-damper-actuators between two points and about an axis (Haug 1989,
// sec. 11.2). The force draws the points together, the torque turns the second body back, when
//   stiffness (length - free_length) + damping rate + actuator > 0.
#include <algorithm>

#include "mechanism/spatial/coordinates.hpp"
#include "mechanism/spatial/forces.hpp"
#include "mechanism/spatial/signal_slopes.hpp"
#include "mechanism/spring_law.hpp"

namespace hstar {
namespace {

class Spring final : public Force {
 public:
  Spring(const SpatialForceSpec& spec, const SpatialForceContext& c)
      : first_(c.first),
        second_(c.second),
        law_{c.bind(spec.stiffness, "stiffness"), c.bind(spec.damping, "damping"),
             c.bind(spec.free_length, "free_length"), c.bind(spec.actuator, "actuator")},
        point1_(spec.markers[0].point),
        point2_(spec.markers[1].point),
        turn_state_(c.turn_state) {
    const auto axes = [](const SpatialMarkerSpec& m) { return Triad{m.f, m.g, m.h}; };
    measure_ = spec.type == "spring_damper" ? SpatialScalar::distance(point1_, point2_)
                                            : SpatialScalar::angle(axes(spec.markers[0]), axes(spec.markers[1]));
  }

  void apply(const Kinematics& k, double* f) const override {
    SpatialRow row;
    const double length = length_and_row(k, row), rate = row.speed(first(k), second(k));
    const double pull = law_.force(k, length, rate);
    for (int i = 0; i < 6; ++i) {
      f[6 * first_ + i] -= pull * row.J[0][i];
      f[6 * second_ + i] -= pull * row.J[1][i];
    }
  }

  void slopes(const Kinematics& k, ForceSlopes& out) const override {
    SpatialRow row;
    const double length = length_and_row(k, row), rate = row.speed(first(k), second(k));
    SpatialDirection against{{first_, second_}, {}};
    for (int i = 0; i < 12; ++i) against.g[i] = -row.J[i / 6][i % 6];
    const double stretch = length - evaluate(law_.free_length, k, length, rate);
    const double hard = evaluate(law_.stiffness, k, length, rate);
    Effort effort;
    effort.w[0] = law_.force(k, length, rate);
    effort.by_x[0] = hard;
    effort.by_rate[0] = evaluate(law_.damping, k, length, rate);
    const auto formula = [&](const BoundExpression& e, double factor) {
      const OwnSlope own = add_formula(against, e, k, length, rate, factor, out);
      effort.by_x[0] += own.by_length;
      effort.by_rate[0] += own.by_rate;
    };
    formula(law_.stiffness, stretch);
    formula(law_.free_length, -hard);
    formula(law_.damping, rate);
    formula(law_.actuator, 1);
    SpatialRowSlope of;
    SpatialLoadSlope slope;
    if (coincident(k)) {
      // Only a force that is k d there has a derivative: the same across the line as along it.
      const Triad line = triad_along(direction(k));
      of = SpatialRowSlope{};
      along(line.h).slope(first(k), second(k), of);
      effort.w[0] = 0;
      add_slope({&row, 1}, {&of, 1}, effort, first(k), second(k), slope);
      for (const Vec3* across : {&line.f, &line.g}) {
        Effort spring;
        spring.by_x[0] = hard;
        along(*across).row(first(k), second(k), 0, row);
        along(*across).slope(first(k), second(k), of);
        add_slope({&row, 1}, {&of, 1}, spring, first(k), second(k), slope);
      }
    } else {
      measure_.slope(first(k), second(k), of);
      add_slope({&row, 1}, {&of, 1}, effort, first(k), second(k), slope);
    }
    add_entries(slope, first_, second_, out);
  }

  void output_slope(int which, const Kinematics& k, OutputSlope& out) const override {
    SpatialRow row;
    SpatialRowSlope of;
    (void)length_and_row(k, row);
    out = OutputSlope{};
    out.body = {first_, second_};
    if (coincident(k))
      along(direction(k)).slope(first(k), second(k), of);
    else
      measure_.slope(first(k), second(k), of);
    add_output_slope(which, row, of, first(k), second(k), out);
  }

  double output(int which, const Kinematics& k) const override {
    SpatialRow row;
    const double length = length_and_row(k, row), rate = row.speed(first(k), second(k));
    return which == 0 ? length : which == 1 ? rate : law_.force(k, length, rate);
  }
  double potential_energy(const Kinematics& k) const override {
    SpatialRow row;
    const double length = length_and_row(k, row);
    return law_.energy(k, length, row.speed(first(k), second(k)));
  }

 private:
  [[nodiscard]] const SpatialMotion& first(const Kinematics& k) const { return k.spatial_of(first_); }
  [[nodiscard]] const SpatialMotion& second(const Kinematics& k) const { return k.spatial_of(second_); }
  [[nodiscard]] bool coincident(const Kinematics& k) const {
    return !measure_.is_angle() && measure_.value(first(k), second(k), 0) == 0;
  }
  /// The way along a global direction that is held.
  [[nodiscard]] SpatialScalar along(const Vec3& n) const {
    return SpatialScalar::dot_product(VectorField::fixed(n), VectorField::between(point1_, point2_));
  }
  /// Where the points coincide, the line's direction is the one in which they part.
  [[nodiscard]] Vec3 direction(const Kinematics& k) const {
    const Vec3 apart = second(k).velocity(point2_) - first(k).velocity(point1_);
    const double speed = norm(apart);
    return speed > 0 ? (1 / speed) * apart : Vec3{1, 0, 0};
  }
  double length_and_row(const Kinematics& k, SpatialRow& row) const {
    const double value = measure_.value(first(k), second(k), 0);
    if (coincident(k)) {
      along(direction(k)).row(first(k), second(k), 0, row);
      return 0;
    }
    measure_.row(first(k), second(k), 0, row);
    return turn_state_ < 0 ? value : unwrapped(value, k.y[turn_state_]);
  }

  int first_, second_;
  SpringCoefficients law_;
  Vec3 point1_, point2_;
  SpatialScalar measure_;
  int turn_state_;
};

}  // namespace

std::unique_ptr<Force> make_spatial_spring(const SpatialForceSpec& spec, const SpatialForceContext& c) {
  return std::make_unique<Spring>(spec, c);
}
std::unique_ptr<Force> make_spatial_rotational_spring(const SpatialForceSpec& spec, const SpatialForceContext& c) {
  return std::make_unique<Spring>(spec, c);
}

}  // namespace hstar

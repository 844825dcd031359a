// src/mechanism/spatial/joint_element.cpp
#include "mechanism/spatial/joint_element.hpp"

#include "mechanism/spatial/coordinates.hpp"
#include "mechanism/spatial/joint_slide.hpp"
#include "mechanism/time_function.hpp"

namespace hstar {
namespace {

class SpatialElement final : public Joint, public JointCoordinates, public ReadsTurns {
 public:
  SpatialElement(SpatialJoint joint, const JointSlide& slide) : joint_(std::move(joint)), slide_(slide) {}

  [[nodiscard]] int rows() const override { return joint_.rows(); }
  void position(const Kinematics& k, double* phi) const override {
    const double turns[2] = {turn(0, k), turn(1, k)};
    joint_.position(k.spatial_of(first.body), k.spatial_of(second.body), k.now(), phi, counts() ? turns : nullptr);
  }
  void rows_at(const Kinematics& k, Row* out) const override {
    joint_.rows_at(k.spatial_of(first.body), k.spatial_of(second.body), k.now(), out);
  }
  void slopes(const Kinematics& k, SpatialRowSlope* out) const override {
    joint_.slopes(k.spatial_of(first.body), k.spatial_of(second.body), out);
  }
  [[nodiscard]] std::string_view row_name(int row) const override { return joint_.names[row]; }
  [[nodiscard]] bool turned_over(const Kinematics& k) const override {
    return joint_.turned_over(k.spatial_of(first.body), k.spatial_of(second.body));
  }
  [[nodiscard]] std::array<double, 6> wrench(const Kinematics& k, const Row* rows,
                                             const double* lambda) const override {
    const Wrench w = hstar::reaction({rows, static_cast<std::size_t>(joint_.rows())}, lambda, k.spatial_of(second.body),
                                     joint_.frame.point2);
    return {w.force[0], w.force[1], w.force[2], w.torque[0], w.torque[1], w.torque[2]};
  }
  void read_turns(std::span<const int> states, const Kinematics& k) override {
    std::copy(states.begin(), states.end(), turn_state_.begin());
    joint_.count_from(k.spatial_of(first.body), k.spatial_of(second.body), k.now());
  }
  [[nodiscard]] int free_coordinates() const override {
    return joint_.free.crosses ? 2 : joint_.free.slides + joint_.free.turns;
  }
  [[nodiscard]] const char* free_name(int which) const override {
    if (joint_.free.crosses) return which == 0 ? "angle1" : "angle2";
    return free_is_angle(which) ? "angle" : "slide";
  }
  [[nodiscard]] bool free_is_angle(int which) const override { return which == 1 || !joint_.free.slides; }
  [[nodiscard]] double free_value(int which, const Kinematics& k) const override {
    return free(which).value(k.spatial_of(first.body), k.spatial_of(second.body), k.now());
  }
  void free_row(int which, const Kinematics& k, Row& out) const override {
    free(which).row(k.spatial_of(first.body), k.spatial_of(second.body), k.now(), out);
  }
  void free_slope(int which, const Kinematics& k, SpatialRowSlope& out) const override {
    free(which).slope(k.spatial_of(first.body), k.spatial_of(second.body), out);
  }
  [[nodiscard]] double length() const override {
    return std::max(norm(joint_.frame.point1), norm(joint_.frame.point2));
  }

  [[nodiscard]] bool slides() const override { return slide_.directions() > 0; }
  [[nodiscard]] int directions() const override { return slide_.directions(); }
  void tangent(const Kinematics& k, Row& row) const override { tangents(k, &row); }
  void tangents(const Kinematics& k, Row* out) const override {
    slide_.rows(k.spatial_of(first.body), k.spatial_of(second.body), out);
  }
  void tangent_slopes(const Kinematics& k, SpatialRowSlope* out) const override {
    slide_.slopes(k.spatial_of(first.body), k.spatial_of(second.body), out);
  }
  double normal_force(const double* lambda, int side, double* derivative) const override {
    return slide_.normal_force(lambda, joint_.rows(), side, derivative);
  }
  [[nodiscard]] int side_row() const override { return slide_.side_row(); }
  [[nodiscard]] bool normal_force_is_linear() const override { return false; }
  int normal_parts(NormalPart* out) const override { return slide_.normal_parts(out); }

 private:
  [[nodiscard]] const SpatialScalar& free(int which) const {
    if (which == 1 && !joint_.free.slides) return joint_.free.second_angle;
    return free_is_angle(which) ? joint_.free.angle : joint_.free.slide;
  }
  [[nodiscard]] bool counts() const { return turn_state_[0] >= 0; }
  [[nodiscard]] double turn(std::size_t which, const Kinematics& k) const {
    return turn_state_[which] < 0 ? 0.0 : k.y[turn_state_[which]];
  }
  SpatialJoint joint_;
  JointSlide slide_;
  std::array<int, 2> turn_state_{-1, -1};  ///< of a screw's angle, of those of a gear's wheels
};

}  // namespace

std::unique_ptr<Joint> make_spatial_element(const SpatialJointSpec& spec, int first, int second) {
  const auto triad = [](const SpatialMarkerSpec& m) { return Triad{m.f, m.g, m.h}; };
  const JointFrame frame{spec.markers[0].point, spec.markers[1].point, triad(spec.markers[0]), triad(spec.markers[1])};
  JointNumbers numbers;
  numbers.f = TimeFunction(spec.value, "joint \"" + spec.name + "\": value");
  numbers.pitch = spec.pitch;
  numbers.teeth1 = spec.teeth1;
  numbers.teeth2 = spec.teeth2;
  const auto& ground = spec.ground_axes;
  numbers.ground1 = {ground[0][0], ground[0][1], ground[0][2]};
  numbers.ground2 = {ground[1][0], ground[1][1], ground[1][2]};
  numbers.direction = spec.direction;
  // Along its own axes the multipliers of a joint with friction are the forces that press.
  numbers.along_axes = spec.friction.has_value();
  try {
    SpatialJoint joint = make_spatial_joint(spec.type, frame, numbers);
    const JointSlide slide(spec.friction ? spec.type : "", joint, spec.friction.value_or(FrictionSpec{}));
    if (spec.friction && slide.directions() == 0)
      throw InputError("type \"" + spec.type +
                       "\" has no friction; use revolute, translational, cylindrical or spherical");
    auto element = std::make_unique<SpatialElement>(std::move(joint), slide);
    element->name = spec.name;
    element->where = spec.where;
    element->first.body = first;
    element->second.body = second;
    return element;
  } catch (const InputError& error) {
    throw InputError(spec.where, "joint \"" + spec.name + "\": " + error.what());
  }
}

}  // namespace hstar

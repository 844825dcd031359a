// src/mechanism/planar/distance.cpp: two points keep a length f(t) > 0, Phi = |d| - f(t), so that the
// multiplier is the force in the rod (positive pushes the points apart).
#include "mechanism/planar/geometry.hpp"
#include "mechanism/planar/joints.hpp"

namespace hstar {
namespace {

class Distance final : public Joint {
 public:
  explicit Distance(TimeFunction length) : length_(std::move(length)) {}
  int rows() const override { return 1; }
  void position(const Kinematics& k, double* phi) const override {
    phi[0] = norm(PointPair(k, first, second).d) - length_.at(k.now()).value;
  }
  void rows_at(const Kinematics& k, Row* out) const override {
    const PointPair p(k, first, second);
    const double length = norm(p.d);
    distance_row(p, (1 / length) * p.d, length, out[0]);
    const auto f = length_.at(k.now());
    out[0].nu += f.rate;
    out[0].gamma += f.acceleration;
  }
  void slopes(const Kinematics& k, RowSlope* out) const override {
    const PointPair p(k, first, second);
    const double length = norm(p.d);
    distance_slope(p, (1 / length) * p.d, length, out[0]);
  }
  std::string_view row_name(int) const override { return "length"; }

 private:
  TimeFunction length_;
};

}  // namespace

std::unique_ptr<Joint> make_distance(const JointSpec& spec, const JointContext&) {
  return std::make_unique<Distance>(TimeFunction(*spec.value, "joint \"" + spec.name + "\": length"));
}

}  // namespace hstar

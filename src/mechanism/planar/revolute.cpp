// src/mechanism/planar/revolute.cpp: two points coincide (Haug 1989, eq. 3.3.10).
// Friction: the pin of radius R carries the reaction F = (lambda_x, lambda_y); sliding moment mu R |F|.
#include <cmath>

#include "mechanism/joint_stops.hpp"
#include "mechanism/planar/geometry.hpp"
#include "mechanism/planar/joints.hpp"

namespace hstar {
namespace {

class Revolute final : public Joint, public PlanarCoordinate {
 public:
  int rows() const override { return 2; }
  void position(const Kinematics& k, double* phi) const override {
    const PointPair p(k, first, second);
    phi[0] = p.d[0];
    phi[1] = p.d[1];
  }
  void rows_at(const Kinematics& k, Row* out) const override {
    const PointPair p(k, first, second);
    fixed_direction_row(p, {1, 0}, out[0]);
    fixed_direction_row(p, {0, 1}, out[1]);
  }
  void slopes(const Kinematics& k, RowSlope* out) const override {
    const PointPair p(k, first, second);
    fixed_direction_slope(p, {1, 0}, out[0]);
    fixed_direction_slope(p, {0, 1}, out[1]);
  }
  std::string_view row_name(int row) const override { return row == 0 ? "x" : "y"; }

  bool slides() const override { return true; }
  void tangent(const Kinematics&, Row& row) const override { angle_row(row); }
  void tangent_slope(const Kinematics&, RowSlope& out) const override { out = RowSlope{}; }
  bool tangent_is_linear(bool, bool) const override { return true; }
  double coordinate(const Kinematics& k) const override { return k.of(second.body).angle - k.of(first.body).angle; }
  bool is_angle() const override { return true; }
  double coordinate_scale(const Kinematics& k) const override {
    return std::abs(k.of(second.body).angle) + std::abs(k.of(first.body).angle);
  }
  double normal_force(const double* lambda, int, double* derivative) const override {
    const double force = std::hypot(lambda[0], lambda[1]);
    derivative[0] = force > 0 ? lambda[0] / force : 1.0;
    derivative[1] = force > 0 ? lambda[1] / force : 0.0;
    return force;
  }
  int normal_parts(NormalPart* out) const override {
    *out = NormalPart{1, 2, {}};
    out->by_lambda[0][0] = out->by_lambda[1][1] = 1;
    return 1;
  }
  bool normal_force_is_linear() const override { return false; }
};

}  // namespace

std::unique_ptr<Joint> make_revolute(const JointSpec&, const JointContext&) { return std::make_unique<Revolute>(); }

}  // namespace hstar

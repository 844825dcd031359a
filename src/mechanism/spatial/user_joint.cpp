// src/mechanism/spatial/user_joint.cpp: a joint of a program's own in space; the derivatives of its rows are central
// differences.
#include "mechanism/spatial/joints.hpp"
#include "mechanism/spatial/user_elements.hpp"
#include "mechanism/system.hpp"

namespace hstar {
namespace {

using Rows = std::array<SpatialJointRow, most_spatial_user_rows>;

class OwnJoint final : public Joint {
 public:
  explicit OwnJoint(std::shared_ptr<const UserJoint> joint)
      : joint_(std::move(joint)), rows_(static_cast<std::size_t>(joint_->rows())) {}

  [[nodiscard]] int rows() const override { return static_cast<int>(rows_); }
  void position(const Kinematics& k, double* phi) const override {
    call_user(*this, "joint", [&] {
      joint_->position_in_space(k.t, spatial_view(k, first.body), spatial_view(k, second.body), {phi, rows_});
    });
  }
  void rows_at(const Kinematics& k, Row* out) const override {
    const Rows rows = at(k, spatial_view(k, first.body), spatial_view(k, second.body));
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t b = 0; b < 2; ++b) std::copy(rows[i].J[b].begin(), rows[i].J[b].end(), out[i].J[b]);
      out[i].nu = rows[i].nu;
      out[i].gamma = rows[i].gamma;
    }
  }
  void slopes(const Kinematics& k, SpatialRowSlope* out) const override {
    std::array<SpatialBodyView, 2> views{spatial_view(k, first.body), spatial_view(k, second.body)};
    for (int column = 0; column < 12; ++column) {
      SpatialBodyView& moves = views[column / 6];
      const Body& body = (*k.bodies)[column < 6 ? first.body : second.body];
      const SpatialBodyView here = moves;
      const double h = spatial_step(here, column % 6);
      moves = moved(here, body, column % 6, h);
      const Rows above = at(k, views[0], views[1]);
      moves = moved(here, body, column % 6, -h);
      const Rows below = at(k, views[0], views[1]);
      moves = here;
      for (std::size_t i = 0; i < rows_; ++i) {
        for (std::size_t a = 0; a < 12; ++a)
          out[i].J[a][column] = (above[i].J[a / 6][a % 6] - below[i].J[a / 6][a % 6]) / (2 * h);
        out[i].gamma[column] = (above[i].gamma - below[i].gamma) / (2 * h);
      }
    }
  }
  [[nodiscard]] std::array<double, 6> wrench(const Kinematics& k, const Row* rows,
                                             const double* lambda) const override {
    const Wrench w = hstar::reaction({rows, rows_}, lambda, k.spatial_of(second.body), {0, 0, 0});
    return {w.force[0], w.force[1], w.force[2], w.torque[0], w.torque[1], w.torque[2]};
  }
  [[nodiscard]] std::string_view row_name(int row) const override {
    constexpr std::string_view names[] = {"row 1", "row 2", "row 3", "row 4", "row 5", "row 6"};
    return names[row];
  }

 private:
  /// Pi_bar in the axes that the system computes with.
  [[nodiscard]] Rows at(const Kinematics& k, const SpatialBodyView& a, const SpatialBodyView& b) const {
    Rows rows{};
    call_user(*this, "joint", [&] { joint_->rows_in_space(k.t, a, b, std::span(rows).first(rows_)); });
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t side = 0; side < 2; ++side) {
        auto& J = rows[i].J[side];
        const int body = side == 0 ? first.body : second.body;
        const Vec3 turn = to_system_axes((*k.bodies)[body], {J[3], J[4], J[5]});
        std::copy(turn.begin(), turn.end(), J.begin() + 3);
      }
    return rows;
  }

  std::shared_ptr<const UserJoint> joint_;
  std::size_t rows_;
};

}  // namespace

std::unique_ptr<Joint> make_spatial_user_joint(std::shared_ptr<const UserJoint> joint) {
  return std::make_unique<OwnJoint>(std::move(joint));
}

}  // namespace hstar

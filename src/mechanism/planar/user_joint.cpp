// src/mechanism/planar/user_joint.cpp: a joint of a program's own; the derivatives of its rows are central differences.
#include "mechanism/planar/user_elements.hpp"

namespace hstar {
namespace {

using Rows = std::array<JointRow, most_user_rows>;

class OwnJoint final : public Joint {
 public:
  explicit OwnJoint(std::shared_ptr<const UserJoint> joint)
      : joint_(std::move(joint)), rows_(static_cast<std::size_t>(joint_->rows())) {}

  int rows() const override { return static_cast<int>(rows_); }
  void position(const Kinematics& k, double* phi) const override {
    call_user(*this, "joint", [&] {
      joint_->position(k.t, view(k.of(first.body)), view(k.of(second.body)), {phi, rows_});
    });
  }
  void rows_at(const Kinematics& k, Row* out) const override {
    const Rows rows = at(k.t, view(k.of(first.body)), view(k.of(second.body)));
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t c = 0; c < 3; ++c) out[i].J[b][c] = rows[i].J[b][c];
      out[i].nu = rows[i].nu;
      out[i].gamma = rows[i].gamma;
    }
  }
  void slopes(const Kinematics& k, RowSlope* out) const override {
    std::array<BodyView, 2> views{view(k.of(first.body)), view(k.of(second.body))};
    for (int column = 0; column < 6; ++column) {
      double& x = component(views[column / 3], column % 3);
      const double here = x, h = difference_step(here);
      x = here + h;
      const Rows above = at(k.t, views[0], views[1]);
      x = here - h;
      const Rows below = at(k.t, views[0], views[1]);
      x = here;
      for (std::size_t i = 0; i < rows_; ++i) {
        for (std::size_t a = 0; a < 6; ++a)
          out[i].J[a][column] = (above[i].J[a / 3][a % 3] - below[i].J[a / 3][a % 3]) / (2 * h);
        out[i].gamma[column] = (above[i].gamma - below[i].gamma) / (2 * h);
      }
    }
  }
  std::string_view row_name(int row) const override {
    constexpr std::string_view names[] = {"row 1", "row 2", "row 3"};
    return names[row];
  }

 private:
  [[nodiscard]] Rows at(double t, const BodyView& a, const BodyView& b) const {
    Rows rows{};
    call_user(*this, "joint", [&] { joint_->rows_at(t, a, b, std::span(rows).first(rows_)); });
    return rows;
  }

  std::shared_ptr<const UserJoint> joint_;
  std::size_t rows_;
};

}  // namespace

std::unique_ptr<Joint> make_user_joint(std::shared_ptr<const UserJoint> joint) {
  return std::make_unique<OwnJoint>(std::move(joint));
}

}  // namespace hstar

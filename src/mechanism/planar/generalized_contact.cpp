// src/mechanism/planar/generalized_contact.cpp: a contact the model writes in coordinates, g_N = gap(q, t) and
// gamma_T = d/dt slide(q, t), as in linearised or reduced models (Glocker and Pfeiffer, Nonlinear Dynamics 7,
// 1995: the woodpecker).
#include "mechanism/planar/contacts.hpp"
#include "mechanism/planar/coordinate_function.hpp"

namespace hstar {
namespace {

class GeneralizedContact final : public Contact {
 public:
  GeneralizedContact(CoordinateFunction gap, CoordinateFunction slide)
      : gap_(std::move(gap)), slide_(std::move(slide)) {}
  double gap(const Kinematics& k) const override { return gap_.value(k); }
  void rows_at(const Kinematics& k, Row& normal, Row& tangent) const override {
    gap_.row(k, normal);
    slide_.row(k, tangent);
  }
  void slopes(const Kinematics& k, RowSlope& normal, RowSlope& tangent) const override {
    gap_.slope(k, normal);
    slide_.slope(k, tangent);
  }
  bool gap_is_linear(bool, bool) const override { return gap_.is_linear(); }
  double length_scale(const Kinematics& k) const override { return gap_.scale(k); }

 private:
  CoordinateFunction gap_, slide_;
};

}  // namespace

std::unique_ptr<Contact> make_generalized_contact(BoundExpression gap, BoundExpression slide, int second) {
  return std::make_unique<GeneralizedContact>(CoordinateFunction(std::move(gap), second),
                                              CoordinateFunction(std::move(slide), second));
}

}  // namespace hstar

// src/mechanism/planar/equation.cpp: a constraint the model writes as a formula of t and the coordinates of
// at most two bodies, Phi = formula. The multiplier's generalised force is the gradient of the formula.
#include "mechanism/planar/coordinate_function.hpp"
#include "mechanism/planar/joints.hpp"

namespace hstar {
namespace {

class Equation final : public Joint {
 public:
  explicit Equation(CoordinateFunction f) : f_(std::move(f)) {}
  int rows() const override { return 1; }
  void position(const Kinematics& k, double* phi) const override { phi[0] = f_.value(k); }
  void rows_at(const Kinematics& k, Row* out) const override { f_.row(k, out[0]); }
  void slopes(const Kinematics& k, RowSlope* out) const override { f_.slope(k, out[0]); }
  std::string_view row_name(int) const override { return "equation"; }

 private:
  CoordinateFunction f_;
};

}  // namespace

std::unique_ptr<Joint> make_equation(const JointSpec&, const JointContext& context) {
  return std::make_unique<Equation>(CoordinateFunction(context.formula, context.second));
}

}  // namespace hstar

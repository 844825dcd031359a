// src/formulation/projection.cpp: direct, and after each accepted step the mass-orthogonal projection of
// positions and velocities (Eich 1993). The projection moves y by no more than the step's own error, so
// order and error estimate are those of the integrator.
#include "formulation/formulation.hpp"

namespace hstar {
namespace {

class Projection final : public Formulation {
 public:
  explicit Projection(ModeEquations& equations) : equations_(equations), restart_(equations) {}
  bool rates(const Mode& mode, double t, const double* y, double* ydot) override {
    return equations_.rates_at(mode, t, y, ydot);
  }
  [[nodiscard]] bool plain() const override { return true; }
  bool project(const Mode& mode, double t, double* y) override {
    restart_.positions_and_velocities(mode, t, y);
    projections_ += restart_.moved();
    return restart_.moved();
  }

 private:
  ModeEquations& equations_;
  ConsistentRestart restart_;
};

}  // namespace

std::unique_ptr<Formulation> make_projection(ModeEquations& e, const FormulationOptions&) {
  return std::make_unique<Projection>(e);
}

}  // namespace hstar

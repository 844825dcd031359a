// src/formulation/direct.cpp: the acceleration-level saddle-point system, nothing else. Positions and
// velocities drift off the constraints; the baseline by whose drift the others are judged.
#include "formulation/formulation.hpp"

namespace hstar {
namespace {

class Direct final : public Formulation {
 public:
  explicit Direct(ModeEquations& equations) : equations_(equations) {}
  bool rates(const Mode& mode, double t, const double* y, double* ydot) override {
    return equations_.rates_at(mode, t, y, ydot);
  }
  [[nodiscard]] bool plain() const override { return true; }

 private:
  ModeEquations& equations_;
};

}  // namespace

std::unique_ptr<Formulation> make_direct(ModeEquations& e, const FormulationOptions&) {
  return std::make_unique<Direct>(e);
}

}  // namespace hstar

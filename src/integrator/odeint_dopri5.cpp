// src/integrator/odeint_dopri5.cpp
//
// `dopri5`: the 5(4) pair of Dormand & Prince (J. Comput. Appl. Math. 6, 1980) on Odeint's stepper, which supplies
// step, embedded error and the quartic between the ends. Odeint's own controllers are not used: they cannot restart
// at an event without starting over, and cannot refuse a point where the rates do not exist.
#include <boost/numeric/odeint/algebra/array_algebra.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <functional>

#include "hstar/integrator/one_step_flow.hpp"
#include "hstar/integrator/step_control.hpp"
#include "integrator/odeint.hpp"

namespace hstar::integrator {
namespace {

template <class State>
class Dopri5 {
 public:
  using Vector = State;
  static constexpr int order = 5;
  static constexpr int degree = 4;
  static constexpr bool gives_end_rates = true;
  using Control = ElementaryControl<5>;

  Dopri5(std::size_t n, const FlowOptions&) : error_(zeros<Vector>(n)), middle_(error_), unused_(error_) {
    stepper_.adjust_size(middle_);
  }

  bool step(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new, Vector& f_new) {
    OdeintSystem<Rates, Vector> system{rates};
    stepper_.do_step(std::ref(system), y, f, t, y_new, f_new, h, error_);
    return system.ok;
  }

  bool finish(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new) {
    return step(rates, t, y, f, h, y_new, unused_);
  }

  void local_error(double /*h*/, Vector& e) const {
    for (std::size_t i = 0; i < e.size(); ++i) {
      e[i] = std::abs(error_[i]);
    }
  }

  /// Odeint's quartic has y and y' at both ends; its value half-way fixes the one row that is left.
  bool dense(const Rates&, double /*t*/, double h, const Vector& y0, const Vector& f0, const Vector& y1,
             const Vector& f1, DenseRows<Vector, degree>& rows) {
    stepper_.calc_state(0.5 * h, middle_, y0, f0, 0.0, y1, f1, h);
    hermite_rows(h, y0, f0, y1, f1, rows);
    for (std::size_t i = 0; i < y0.size(); ++i) {
      rows[3][i] = 16 * (middle_[i] - y0[i]) - 8 * rows[0][i] - 4 * rows[1][i] - 2 * rows[2][i];
    }
    return true;
  }

 private:
  boost::numeric::odeint::runge_kutta_dopri5<Vector> stepper_;
  Vector error_, middle_, unused_;
};

}  // namespace

std::unique_ptr<Flow> make_dopri5(OdeProblem& problem, const FlowOptions& options) {
  return make_flow_of_size<Dopri5>(problem, options);
}

}  // namespace hstar::integrator

// src/integrator/odeint_rosenbrock4.cpp
//
// `rosenbrock4`: the stiffly accurate Rosenbrock method of order 4(3) with a cubic between the ends, RODAS of Hairer
// & Wanner (Solving ODEs II, 1996, IV.7), with the coefficients that Odeint's rosenbrock4 carries. Odeint's stepper
// itself allocates in every step and asks for the Jacobian anew after every rejection and for every step that ends at
// an event, so only its coefficients are used.
#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>
#include <cmath>

#include "hstar/integrator/one_step_flow.hpp"
#include "hstar/integrator/step_control.hpp"
#include "integrator/linear_solve.hpp"
#include "integrator/odeint.hpp"
#include "integrator/rate_slopes.hpp"

namespace hstar::integrator {
namespace {

const boost::numeric::odeint::default_rosenbrock_coefficients<double> kC;

/// Weight of df/dt in the fourth stage. Boost 1.74 gives it the wrong sign, which leaves order 1 when f depends on t:
/// the row sum of (1/gamma - c_ij)^-1 that it must equal is negative (checked in tests/laws/integrators.cpp by order).
const double kD4 = -std::abs(kC.d4);

class Rosenbrock4 {
 public:
  using Vector = std::vector<double>;
  static constexpr int order = 4;
  static constexpr int degree = 3;
  static constexpr bool gives_end_rates = false;
  using Control = ElementaryControl<4>;

  Rosenbrock4(std::size_t n, const FlowOptions& options) : n_(n), slopes_(n, options), lu_(n), stage_(n), error_(n) {
    for (Vector& g : g_) g.resize(n);
  }

  bool step(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new, Vector&) {
    return finish(rates, t, y, f, h, y_new);
  }

  bool finish(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new) {
    if (!slopes_.evaluate(rates, t, y, f, h)) return false;
    const Vector& rates_t = slopes_.by_t();
    ++rates.counters->factorisations;
    for (std::size_t r = 0; r < n_; ++r) {
      for (std::size_t c = 0; c < n_; ++c) lu_.at(r, c) = -slopes_.by_y(r, c);
      lu_.at(r, r) += 1 / (kC.gamma * h);
    }
    if (!lu_.factorise()) return false;
    auto& [g1, g2, g3, g4, g5] = g_;
    for (std::size_t i = 0; i < n_; ++i) g1[i] = f[i] + h * kC.d1 * rates_t[i];
    lu_.solve(g1.data());

    for (std::size_t i = 0; i < n_; ++i) stage_[i] = y[i] + kC.a21 * g1[i];
    if (!rates(t + kC.c2 * h, stage_.data(), g2.data())) return false;
    for (std::size_t i = 0; i < n_; ++i) g2[i] += h * kC.d2 * rates_t[i] + kC.c21 * g1[i] / h;
    lu_.solve(g2.data());

    for (std::size_t i = 0; i < n_; ++i) stage_[i] = y[i] + kC.a31 * g1[i] + kC.a32 * g2[i];
    if (!rates(t + kC.c3 * h, stage_.data(), g3.data())) return false;
    for (std::size_t i = 0; i < n_; ++i) g3[i] += h * kC.d3 * rates_t[i] + (kC.c31 * g1[i] + kC.c32 * g2[i]) / h;
    lu_.solve(g3.data());

    for (std::size_t i = 0; i < n_; ++i) stage_[i] = y[i] + kC.a41 * g1[i] + kC.a42 * g2[i] + kC.a43 * g3[i];
    if (!rates(t + kC.c4 * h, stage_.data(), g4.data())) return false;
    for (std::size_t i = 0; i < n_; ++i) {
      g4[i] += h * kD4 * rates_t[i] + (kC.c41 * g1[i] + kC.c42 * g2[i] + kC.c43 * g3[i]) / h;
    }
    lu_.solve(g4.data());

    for (std::size_t i = 0; i < n_; ++i) {
      stage_[i] = y[i] + kC.a51 * g1[i] + kC.a52 * g2[i] + kC.a53 * g3[i] + kC.a54 * g4[i];
    }
    if (!rates(t + h, stage_.data(), g5.data())) return false;
    for (std::size_t i = 0; i < n_; ++i) {
      g5[i] += (kC.c51 * g1[i] + kC.c52 * g2[i] + kC.c53 * g3[i] + kC.c54 * g4[i]) / h;
    }
    lu_.solve(g5.data());

    for (std::size_t i = 0; i < n_; ++i) stage_[i] += g5[i];
    if (!rates(t + h, stage_.data(), error_.data())) return false;
    for (std::size_t i = 0; i < n_; ++i) {
      error_[i] += (kC.c61 * g1[i] + kC.c62 * g2[i] + kC.c63 * g3[i] + kC.c64 * g4[i] + kC.c65 * g5[i]) / h;
    }
    lu_.solve(error_.data());
    for (std::size_t i = 0; i < n_; ++i) y_new[i] = stage_[i] + error_[i];
    return true;
  }

  void local_error(double /*h*/, Vector& e) const {
    for (std::size_t i = 0; i < n_; ++i) e[i] = std::abs(error_[i]);
  }

  bool dense(const Rates&, double /*t*/, double /*h*/, const Vector& y0, const Vector&, const Vector& y1, const Vector&,
             DenseRows<Vector, degree>& rows) const {
    const auto& [g1, g2, g3, g4, g5] = g_;
    for (std::size_t i = 0; i < n_; ++i) {
      rows[0][i] = y1[i] - y0[i];
      rows[1][i] = kC.d21 * g1[i] + kC.d22 * g2[i] + kC.d23 * g3[i] + kC.d24 * g4[i] + kC.d25 * g5[i];
      rows[2][i] = kC.d31 * g1[i] + kC.d32 * g2[i] + kC.d33 * g3[i] + kC.d34 * g4[i] + kC.d35 * g5[i];
    }
    return true;
  }

 private:
  std::size_t n_;
  RateSlopes slopes_;
  DenseLu lu_;
  Vector stage_, error_;
  std::array<Vector, 5> g_;
};

}  // namespace

std::unique_ptr<Flow> make_rosenbrock4(OdeProblem& problem, const FlowOptions& options) {
  return make_flow<Rosenbrock4>(problem, options);
}

}  // namespace hstar::integrator

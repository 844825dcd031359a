// src/integrator/odeint_rosenbrock4.cpp
//
// `rosenbrock4`: the stiffly accurate Rosenbrock method of order 4(3) with a cubic between the ends, RODAS of Hairer
// & Wanner (Solving ODEs II, 1996, IV.7), with the coefficients that Odeint's rosenbrock4 carries. Odeint's stepper
// itself allocates in every step and asks for the Jacobian anew after every rejection and for every step that ends at
// an event, so only its coefficients are used. The Jacobian is taken by central differences.
#include <algorithm>
#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>
#include <cmath>

#include "hstar/integrator/one_step_flow.hpp"
#include "hstar/integrator/step_control.hpp"
#include "integrator/linear_solve.hpp"
#include "integrator/odeint.hpp"

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

  Rosenbrock4(std::size_t n, const FlowOptions& options)
      : n_(n),
        small_(options.atol / options.rtol),
        lu_(n),
        jacobian_(n * n),
        rates_t_(n),
        y_at_(n),
        f_at_(n),
        stage_(n),
        plus_(n),
        minus_(n),
        error_(n) {
    for (Vector& g : g_) g.resize(n);
  }

  bool step(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new, Vector&) {
    return finish(rates, t, y, f, h, y_new);
  }

  bool finish(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new) {
    if (!linearise(rates, t, y, f, h)) return false;
    ++rates.counters->factorisations;
    for (std::size_t r = 0; r < n_; ++r) {
      for (std::size_t c = 0; c < n_; ++c) lu_.at(r, c) = -jacobian_[r * n_ + c];
      lu_.at(r, r) += 1 / (kC.gamma * h);
    }
    if (!lu_.factorise()) return false;
    auto& [g1, g2, g3, g4, g5] = g_;
    for (std::size_t i = 0; i < n_; ++i) g1[i] = f[i] + h * kC.d1 * rates_t_[i];
    lu_.solve(g1.data());

    for (std::size_t i = 0; i < n_; ++i) stage_[i] = y[i] + kC.a21 * g1[i];
    if (!rates(t + kC.c2 * h, stage_.data(), g2.data())) return false;
    for (std::size_t i = 0; i < n_; ++i) g2[i] += h * kC.d2 * rates_t_[i] + kC.c21 * g1[i] / h;
    lu_.solve(g2.data());

    for (std::size_t i = 0; i < n_; ++i) stage_[i] = y[i] + kC.a31 * g1[i] + kC.a32 * g2[i];
    if (!rates(t + kC.c3 * h, stage_.data(), g3.data())) return false;
    for (std::size_t i = 0; i < n_; ++i) g3[i] += h * kC.d3 * rates_t_[i] + (kC.c31 * g1[i] + kC.c32 * g2[i]) / h;
    lu_.solve(g3.data());

    for (std::size_t i = 0; i < n_; ++i) stage_[i] = y[i] + kC.a41 * g1[i] + kC.a42 * g2[i] + kC.a43 * g3[i];
    if (!rates(t + kC.c4 * h, stage_.data(), g4.data())) return false;
    for (std::size_t i = 0; i < n_; ++i) {
      g4[i] += h * kD4 * rates_t_[i] + (kC.c41 * g1[i] + kC.c42 * g2[i] + kC.c43 * g3[i]) / h;
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
  /// df/dy and df/dt at (t, y) by central differences; kept until the point or f changes.
  bool linearise(const Rates& rates, double t, const Vector& y, const Vector& f, double h) {
    if (known_ && t == t_at_ && y == y_at_ && f == f_at_) return true;
    known_ = false;
    ++rates.counters->jacobians;
    const double root = std::cbrt(std::numeric_limits<double>::epsilon());
    stage_ = y;
    for (std::size_t c = 0; c < n_; ++c) {
      const double size = std::max({std::abs(y[c]), std::abs(h * f[c]), small_});
      if (!difference(rates, t, t, f, root * size, &stage_[c])) return false;
      for (std::size_t r = 0; r < n_; ++r) jacobian_[r * n_ + c] = plus_[r];
    }
    if (!difference(rates, t, t, f, root * std::max(h, root * std::abs(t)), nullptr)) return false;
    rates_t_ = plus_;
    t_at_ = t;
    y_at_ = y;
    f_at_ = f;
    known_ = true;
    return true;
  }

  /// Difference quotient of the rates into plus_, moving *coordinate of stage_ or, if null, the time; one-sided where
  /// only one side can be evaluated. The distance used is the one that round-off really left.
  bool difference(const Rates& rates, double t, double centre, const Vector& f, double step, double* coordinate) {
    if (coordinate != nullptr) centre = *coordinate;
    const double above = centre + step;
    const double below = centre - step;
    const auto probe = [&](double at, Vector& out) {
      if (coordinate != nullptr) *coordinate = at;
      const bool ok = rates(coordinate != nullptr ? t : at, stage_.data(), out.data());
      return ok && std::all_of(out.begin(), out.end(), [](double v) { return std::isfinite(v); });
    };
    const bool up = probe(above, plus_);
    const bool down = probe(below, minus_);
    if (coordinate != nullptr) *coordinate = centre;
    if (!up && !down) return false;
    const double width = (up ? above : centre) - (down ? below : centre);
    for (std::size_t r = 0; r < n_; ++r) plus_[r] = ((up ? plus_[r] : f[r]) - (down ? minus_[r] : f[r])) / width;
    return true;
  }

  std::size_t n_;
  double small_;  ///< [unit of y] below this size a state counts as this large in the difference quotients
  DenseLu lu_;
  Vector jacobian_, rates_t_, y_at_, f_at_, stage_, plus_, minus_, error_;
  std::array<Vector, 5> g_;
  double t_at_ = 0;
  bool known_ = false;
};

}  // namespace

std::unique_ptr<Flow> make_rosenbrock4(OdeProblem& problem, const FlowOptions& options) {
  return make_flow<Rosenbrock4>(problem, options);
}

}  // namespace hstar::integrator

// src/integrator/odeint_bulirsch_stoer.cpp
//
// `bulirsch_stoer`: extrapolation of the modified midpoint rule (Gragg 1965; Bulirsch & Stoer 1966) on Odeint's
// midpoint stepper, four columns with 2, 6, 10 and 14 substeps: order 8. That sequence leaves every column a value in
// the middle of the step, so y and its derivatives there can be extrapolated too and make a polynomial of degree 9
// without further evaluations (Hairer & Ostermann, Dense output for extrapolation methods, Numer. Math. 58, 1990).
// Odeint's own bulirsch_stoer classes allocate in every step; of them only the midpoint stepper is used.
#include <array>
#include <boost/numeric/odeint/algebra/default_operations.hpp>
#include <boost/numeric/odeint/algebra/range_algebra.hpp>
#include <boost/numeric/odeint/stepper/modified_midpoint.hpp>
#include <cmath>
#include <functional>

#include "hstar/integrator/one_step_flow.hpp"
#include "hstar/integrator/step_control.hpp"
#include "integrator/linear_solve.hpp"
#include "integrator/odeint.hpp"

namespace hstar::integrator {
namespace {

constexpr std::size_t kColumns = 4;
constexpr std::array<unsigned short, kColumns> kSubsteps = {2, 6, 10, 14};
constexpr std::size_t kMiddle = 4;  ///< derivatives 1 to 4 half-way; y itself is only good to h^8 there and left out

/// Neville's step for a function of (1/substeps)^2: extrapolates the columns first..last of x[] to zero, in place.
template <class Get>
void extrapolate(std::size_t first, Get x) {
  for (std::size_t j = first + 1; j < kColumns; ++j) {
    for (std::size_t k = j; k-- > first;) {  // x(k) becomes the value extrapolated from columns k..j
      const double ratio = static_cast<double>(kSubsteps[j]) / kSubsteps[k];
      x(k) = x(k + 1) + (x(k + 1) - x(k)) / (ratio * ratio - 1);
    }
  }
}

class BulirschStoer {
  using Midpoint = boost::numeric::odeint::modified_midpoint_dense_out<std::vector<double>>;

 public:
  using Vector = std::vector<double>;
  static constexpr int order = 2 * static_cast<int>(kColumns);
  static constexpr int degree = 3 + static_cast<int>(kMiddle);
  static constexpr bool gives_end_rates = false;
  using Control = ElementaryControl<7>;

  BulirschStoer(std::size_t n, const FlowOptions&) : n_(n), error_(n), rates_at_start_(n), rows_of_middle_(kMiddle) {
    for (std::size_t j = 0; j < kColumns; ++j) {
      ends_[j].resize(n);
      middles_[j].resize(n);
      slopes_[j].resize(kSubsteps[j]);
      for (auto& s : slopes_[j]) s.m_v.resize(n);
    }
    midpoint_.adjust_size(error_);
    prepare_middle();
  }

  bool step(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new, Vector&) {
    return finish(rates, t, y, f, h, y_new);
  }

  bool finish(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new) {
    rates_at_start_ = f;
    OdeintSystem<Rates, Vector> system{rates};
    for (std::size_t j = 0; j < kColumns && system.ok; ++j) {
      midpoint_.set_steps(kSubsteps[j]);
      midpoint_.do_step(std::ref(system), y, f, t, ends_[j], h, middles_[j], slopes_[j]);
    }
    if (!system.ok) return false;
    for (std::size_t i = 0; i < n_; ++i) {
      extrapolate(0, [&](std::size_t k) -> double& { return ends_[k][i]; });
      y_new[i] = ends_[0][i];
      error_[i] = std::abs(ends_[0][i] - ends_[1][i]);
    }
    return true;
  }

  void local_error(double /*h*/, Vector& e) const { e = error_; }

  bool dense(const Rates&, double /*t*/, double h, const Vector& y0, const Vector& f0, const Vector& y1,
             const Vector& f1, DenseRows<Vector, degree>& rows) {
    hermite_rows(h, y0, f0, y1, f1, rows);
    for (std::size_t i = 0; i < n_; ++i) {
      std::array<double, kMiddle> x;  // derivatives by s = (t - t0)/h half-way, less those of the cubic
      for (std::size_t l = 0; l < kMiddle; ++l) x[l] = middle(l + 1, i, h);
      const double r0 = rows[0][i], r1 = rows[1][i], r2 = rows[2][i];
      x[0] -= r0 + r2 / 4;  // s r0 + s(1-s) r1 + s^2(1-s) r2
      x[1] += 2 * r1 + r2;
      x[2] += 6 * r2;
      rows_of_middle_.solve(x.data());
      for (std::size_t l = 0; l < kMiddle; ++l) rows[3 + l][i] = x[l];
    }
    return true;
  }

 private:
  /// h^l times the l-th derivative of y half-way, extrapolated from all columns that are fine enough to have it.
  double middle(std::size_t l, std::size_t i, double h) const {
    std::array<double, kColumns> x{};
    std::size_t first = 0;
    for (std::size_t j = 0; j < kColumns; ++j) {
      const std::size_t half = kSubsteps[j] / 2;
      if (half + 1 < l) {
        first = j + 1;
        continue;
      }
      // central difference of order l-1 of the slopes, distance two substeps
      double difference = 0;
      double binomial = 1;
      double scale = h;
      for (std::size_t m = 0; m < l; ++m) {
        difference += (m % 2 == 0 ? binomial : -binomial) * slope(j, half + l - 1 - 2 * m, i);
        binomial *= static_cast<double>(l - 1 - m) / static_cast<double>(m + 1);
        if (m > 0) scale *= static_cast<double>(half);
      }
      x[j] = scale * difference;
    }
    extrapolate(first, [&](std::size_t k) -> double& { return x[k]; });
    return x[first];
  }

  double slope(std::size_t column, std::size_t index, std::size_t i) const {
    return index == 0 ? rates_at_start_[i] : slopes_[column][index - 1].m_v[i];
  }

  /// Derivatives half-way of the basis polynomials of rows 3, 4, ... : the constant matrix that `dense` solves with.
  void prepare_middle() {
    for (std::size_t c = 0; c < kMiddle; ++c) {
      // s^p (1-s)^q in powers of u = s - 1/2, multiplied out factor by factor
      const std::size_t row = 3 + c;
      std::array<double, 3 + kMiddle + 1> poly{};
      poly[0] = 1;
      std::size_t size = 1;
      for (std::size_t factor = 0; factor <= row; ++factor) {
        const double sign = factor % 2 == 0 ? 1 : -1;  // s = 1/2 + u, 1-s = 1/2 - u
        for (std::size_t k = size; k-- > 0;) {
          poly[k + 1] += sign * poly[k];
          poly[k] *= 0.5;
        }
        ++size;
      }
      double factorial = 1;
      for (std::size_t l = 1; l <= kMiddle; ++l) {
        factorial *= static_cast<double>(l);
        rows_of_middle_.at(l - 1, c) = factorial * poly[l];
      }
    }
    rows_of_middle_.factorise();
  }

  std::size_t n_;
  Midpoint midpoint_;
  std::array<Vector, kColumns> ends_, middles_;
  std::array<Midpoint::deriv_table_type, kColumns> slopes_;
  Vector error_, rates_at_start_;
  DenseLu rows_of_middle_;
};

}  // namespace

std::unique_ptr<Flow> make_bulirsch_stoer(OdeProblem& problem, const FlowOptions& options) {
  return make_flow<BulirschStoer>(problem, options);
}

}  // namespace hstar::integrator

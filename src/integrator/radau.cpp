// src/integrator/radau.cpp
//
// `radau`: the collocation method on the three Radau points (Radau IIA of order 5: Hairer & Wanner, Solving ODEs II,
// 1996, IV.5 and IV.8). A-stable, and what decays faster than the step can resolve is gone after one step. With
// Z_i = Y_i - y0 the stages solve
//   Z = h (A x I) F(t0 + c h, y0 + Z),      y1 = y0 + Z_3,
// by Newton's method with df/dy at the start of the step.
#include "integrator/radau.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "hstar/integrator/one_step_flow.hpp"
#include "hstar/integrator/step_control.hpp"
#include "integrator/damped_newton.hpp"
#include "integrator/linear_solve.hpp"
#include "integrator/radau_rule.hpp"
#include "integrator/rate_slopes.hpp"

namespace hstar::integrator {
namespace {

using radau::kA, radau::kC, radau::kE, radau::kGamma0;

class Radau : public radau::Step {
 public:
  Radau(std::size_t n, const FlowOptions& options)
      : Step(n, options, true),
        n_(n),
        slopes_(n, options),
        stage_slopes_(n, options),
        stages_lu_(3 * n),
        error_lu_(n),
        damped_(options.fixed_step > 0 ? 3 * n : 0),
        change_(3 * n),
        f_stages_(3 * n),
        y_stage_(n),
        f_stage_(n) {}

  bool step(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new, Vector&) {
    return finish(rates, t, y, f, h, y_new) && estimate(rates, t, y, f, h);
  }

  bool finish(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new) {
    if (!slopes_.evaluate(rates, t, y, f, h)) return false;
    std::fill(z_.begin(), z_.end(), 0.0);
    if (!iterate(rates, t, y, f, h)) {
      // Under error control a shorter step is the cheaper way out; a fixed step has no other than to iterate better.
      if (options_.fixed_step <= 0) return false;
      std::fill(z_.begin(), z_.end(), 0.0);
      Damped system{*this, rates, t, y, h};
      if (damped_.solve(system, 3 * n_, z_.data()) != NewtonEnd::solved) return false;
    }
    for (std::size_t i = 0; i < n_; ++i) y_new[i] = y[i] + z_[2 * n_ + i];
    return true;
  }

 private:
  /// The stages as damped_newton.hpp asks for them, with df/dy at each of them.
  struct Damped {
    Radau& radau;
    const Rates& rates;
    double t;
    const Vector& y;
    double h;

    bool residual(const double* z, double* r) { return radau.residual(rates, t, y, h, z, r); }
    bool linearise(const double* z) {
      const std::size_t n = radau.n_;
      ++rates.counters->factorisations;
      for (std::size_t j = 0; j < 3; ++j) {
        radau.stage(y, z, j);
        std::copy_n(radau.f_stages_.begin() + static_cast<std::ptrdiff_t>(j * n), n, radau.f_stage_.begin());
        if (!radau.stage_slopes_.evaluate(rates, t + kC[j] * h, radau.y_stage_, radau.f_stage_, h)) return false;
        radau.write_columns(radau.stage_slopes_, j, h);
      }
      radau.scale_ = radau.size_of(y, z);
      return radau.stages_lu_.factorise();
    }
    void solve(double* r) {
      ++rates.counters->iterations;
      radau.stages_lu_.solve(r);
    }
    [[nodiscard]] double size(const double* change) const { return radau.relative(change); }
  };

  void stage(const Vector& y, const double* z, std::size_t j) {
    for (std::size_t i = 0; i < n_; ++i) y_stage_[i] = y[i] + z[j * n_ + i];
  }

  /// Z - h A F.
  bool residual(const Rates& rates, double t, const Vector& y, double h, const double* z, double* r) {
    for (std::size_t j = 0; j < 3; ++j) {
      stage(y, z, j);
      if (!rates(t + kC[j] * h, y_stage_.data(), &f_stages_[j * n_])) return false;
    }
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < n_; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < 3; ++j) sum += kA[k][j] * f_stages_[j * n_ + i];
        r[k * n_ + i] = z[k * n_ + i] - h * sum;
      }
    return true;
  }

  /// The columns of I - h A x J that belong to stage j.
  void write_columns(const RateSlopes& slopes, std::size_t j, double h) {
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t r = 0; r < n_; ++r)
        for (std::size_t c = 0; c < n_; ++c)
          stages_lu_.at(k * n_ + r, j * n_ + c) = (k == j && r == c ? 1.0 : 0.0) - h * kA[k][j] * slopes.by_y(r, c);
  }

  /// Largest value of any state in the step. States of one size would each be better served by their own; one that is
  /// zero would not.
  double size_of(const Vector& y, const double* z) const {
    double out = std::numeric_limits<double>::min();
    for (std::size_t i = 0; i < n_; ++i) {
      out = std::max(out, std::abs(y[i]));
      for (std::size_t k = 0; k < 3; ++k) out = std::max(out, std::abs(z[k * n_ + i]));
    }
    return out;
  }
  [[nodiscard]] double relative(const double* change) const {
    double out = 0, poison = 0;  // 0 * inf and 0 * nan are nan
    for (std::size_t i = 0; i < 3 * n_; ++i) {
      out = std::max(out, std::abs(change[i]) / scale_);
      poison += 0 * change[i];
    }
    return out + poison;
  }

  bool iterate(const Rates& rates, double t, const Vector& y, const Vector& f, double h) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    constexpr double round_off = 4 * eps;
    constexpr double noise = 32768 * eps;  // what the rounding of f may leave of a correction that stands still
    const double part = radau::kNewtonPart / allowance_;
    constexpr int most = 30;
    ++rates.counters->factorisations;
    for (std::size_t j = 0; j < 3; ++j) write_columns(slopes_, j, h);
    if (!stages_lu_.factorise()) return false;
    double before = 0;
    for (int iteration = 0; iteration < most; ++iteration) {
      if (!residual(rates, t, y, h, z_.data(), change_.data())) {
        // A driver that has run far ahead of where the body was has no rates there, but near the tangent.
        if (iteration > 0) return false;
        for (std::size_t i = 0; i < 3 * n_; ++i) z_[i] = kC[i / n_] * h * f[i % n_];
        if (!residual(rates, t, y, h, z_.data(), change_.data())) return false;
      }
      stages_lu_.solve(change_.data());
      ++rates.counters->iterations;
      for (std::size_t i = 0; i < 3 * n_; ++i) z_[i] -= change_[i];
      scale_ = size_of(y, z_.data());
      const double now = relative(change_.data());
      if (!std::isfinite(now)) return false;
      const double rate = iteration == 0 ? 0.5 : now / before;
      if (now <= round_off || (now <= noise && rate >= 0.5)) return true;
      if (options_.fixed_step <= 0 && rate < 1 && weighted(y, change_) * rate / (1 - rate) <= part) return true;
      if (iteration > 2 && rate > 2) return false;
      before = now;
    }
    return false;
  }

  /// In units of the tolerance; `x` holds one or more vectors as long as y.
  [[nodiscard]] double weighted(const Vector& y, const Vector& x) const {
    double out = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      out = std::max(out, std::abs(x[i]) / (options_.atol + options_.rtol * std::abs(y[i % n_])));
    return out;
  }

  /// The difference from an embedded formula of order 3, through (I - h gamma0 J)^-1 so that it stays bounded for
  /// stiff y. Where it refuses the step, it is asked once more at y + error, which tells what is stiff from what is
  /// inaccurate.
  bool estimate(const Rates& rates, double t, const Vector& y, const Vector& f, double h) {
    for (std::size_t r = 0; r < n_; ++r)
      for (std::size_t c = 0; c < n_; ++c) error_lu_.at(r, c) = (r == c ? 1.0 : 0.0) - h * kGamma0 * slopes_.by_y(r, c);
    ++rates.counters->factorisations;
    if (!error_lu_.factorise()) return false;
    const auto fill = [&](const Vector& rate) {
      for (std::size_t i = 0; i < n_; ++i)
        error_[i] = kGamma0 * h * rate[i] + kE[0] * z_[i] + kE[1] * z_[n_ + i] + kE[2] * z_[2 * n_ + i];
      error_lu_.solve(error_.data());
    };
    fill(f);
    if (options_.fixed_step > 0 || !(weighted(y, error_) > 1)) return true;
    for (std::size_t i = 0; i < n_; ++i) y_stage_[i] = y[i] + error_[i];
    if (rates(t, y_stage_.data(), f_stage_.data())) fill(f_stage_);
    return true;
  }

  std::size_t n_;
  RateSlopes slopes_, stage_slopes_;
  DenseLu stages_lu_, error_lu_;
  DampedNewton damped_;
  Vector change_, f_stages_, y_stage_, f_stage_;
  double scale_ = 1;  ///< of the iteration's corrections
};

}  // namespace

const RadauTableau& radau_tableau() {
  static const RadauTableau tableau{kC, kA};
  return tableau;
}

std::unique_ptr<Flow> make_radau(OdeProblem& problem, const FlowOptions& options) {
  return make_flow<Radau>(problem, options);
}

}  // namespace hstar::integrator

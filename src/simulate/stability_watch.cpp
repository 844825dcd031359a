// src/simulate/stability_watch.cpp
#include "simulate/stability_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hstar/affine_rates.hpp"
#include "integrator/rate_slopes.hpp"
#include "math/dense_eigen.hpp"

namespace hstar {
namespace {

/// Eigenvalues cost the cube of the number of states, for each mode.
constexpr std::size_t most_states = 128;
/// Errors may double over the run before it is worth a word.
constexpr double doubled = std::numbers::ln2;
/// Eigenvalues of constrained equations are double zeros, which round-off moves by its square root.
const double round_off = std::sqrt(std::numeric_limits<double>::epsilon());

std::string eigenvalue(std::complex<double> lambda) {
  return lambda.imag() == 0 ? fmt::format("{:.4g} 1/s", lambda.real())
                            : fmt::format("{:.4g} +- {:.4g} i 1/s", lambda.real(), std::abs(lambda.imag()));
}

}  // namespace

StabilityWatch::StabilityWatch(HybridProcess& process, const LoopOptions& options)
    : process_(process), options_(options) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  if (entry != nullptr && options.flow.fixed_step > 0 && process.size() > 0 && process.size() <= most_states)
    step_ = std::make_unique<integrator::Amplification>(*entry, options.flow);
}

void StabilityWatch::segment_begin(double t, std::span<const double> y) {
  if (!step_ || !notices_.empty() || !(t < options_.flow.t_end) || !seen_.insert(process_.mode_text()).second) return;
  // (Under "exact" a linear mode has no region to leave, and the others are those of dop853.)
  if (auto* affine = dynamic_cast<AffineRatesProblem*>(&process_);
      affine && options_.integrator == "exact" && affine->affine_rates())
    return;
  const std::size_t n = process_.size();
  FlowCounters uncounted;
  const integrator::Rates rates{&process_, &uncounted};
  const std::vector<double> at(y.begin(), y.end());
  std::vector<double> f(n);
  integrator::RateSlopes slopes(n, options_.flow);
  if (!rates(t, at.data(), f.data()) || !slopes.evaluate(rates, t, at, f, options_.flow.fixed_step)) return;
  Eigen::MatrixXd J(n, n);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < n; ++c)
      J(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = slopes.by_y(r, c);
  if (!J.allFinite()) return;
  const Eigen::VectorXcd all = math::general_eigenvalues(J);
  const double largest = all.cwiseAbs().maxCoeff(), time = options_.flow.t_end - t;
  std::complex<double> worst = 0;
  double most = doubled;
  for (const std::complex<double> lambda : all) {
    if (lambda.real() > round_off * largest) continue;
    const double g = growth(lambda, options_.flow.fixed_step, time);
    if (g > most) {
      most = g;
      worst = lambda;
    }
  }
  if (most > doubled) warn(worst, time);
}

double StabilityWatch::growth(std::complex<double> lambda, double h, double time) {
  const double R = (*step_)(h * lambda);
  return R > 1 ? time / h * (std::log(R) - h * std::max(lambda.real(), 0.0)) : 0.0;
}

void StabilityWatch::warn(std::complex<double> lambda, double time) {
  const double h = options_.flow.fixed_step;
  double stable = h;
  for (int halvings = 0; halvings < 60 && growth(lambda, stable, time) > doubled; ++halvings) stable /= 2;
  double unstable = 2 * stable;
  for (int k = 0; k < 20; ++k) {
    const double middle = 0.5 * (stable + unstable);
    (growth(lambda, middle, time) > doubled ? unstable : stable) = middle;
  }
  notices_.push_back(fmt::format(
      "fixed_step = {:.6g} s lies outside the stability region of {}: the motion with eigenvalue {} does not grow, but "
      "each step enlarges it {:.4g} times; steps up to {:.3g} s would do",
      h, options_.integrator, eigenvalue(lambda), (*step_)(h * lambda), stable));
}

}  // namespace hstar

// src/integrator/stability.cpp
#include "integrator/stability.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "integrator/adams.hpp"
#include "integrator/bdf_history.hpp"
#include "math/dense_eigen.hpp"

namespace hstar::integrator {
namespace {

using Complex = std::complex<double>;

/// Of sum c_j r^(k-j) = 0, c_0 = 1. The companion matrix is written with real numbers: the roots are its eigenvalues,
/// and so are their conjugates.
double largest_root(const std::vector<Complex>& c) {
  const auto k = static_cast<Eigen::Index>(c.size()) - 1;
  Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(2 * k, 2 * k);
  for (Eigen::Index j = 0; j < k; ++j) {
    const Complex entry = -c[static_cast<std::size_t>(j) + 1];
    companion(0, j) = companion(k, k + j) = entry.real();
    companion(k, j) = entry.imag();
    companion(0, k + j) = -entry.imag();
  }
  for (Eigen::Index j = 1; j < k; ++j) companion(j, j - 1) = companion(k + j, k + j - 1) = 1;
  return math::general_eigenvalues(companion).cwiseAbs().maxCoeff();
}

}  // namespace

std::vector<double> bdf_coefficients(std::size_t k) {
  BdfHistory history(k);
  for (std::size_t i = k; i >= 1; --i) {
    std::vector<double> unit(k, 0.0);
    unit[i - 1] = 1;
    history.push(-static_cast<double>(i), unit);
  }
  std::vector<double> past(k), all;
  all.push_back(history.derivative(0, k, 0, past));
  past[0] -= all[0];  // (of differences to the newest)
  all.insert(all.end(), past.begin(), past.end());
  return all;
}

bool Amplification::Linear::rates(double, const double* y, double* ydot) {
  const Complex rate = z * Complex(y[0], y[1]);
  ydot[0] = rate.real();
  ydot[1] = rate.imag();
  return true;
}

Amplification::Amplification(const IntegratorEntry& entry, const FlowOptions& options) {
  if (entry.name == "bdf" || entry.name == "backward_euler") {
    bdf_ = bdf_coefficients(entry.name == "bdf" ? static_cast<std::size_t>(options.max_order) : 1);
    return;
  }
  if (entry.name == "ode113") {
    const auto k = static_cast<std::size_t>(options.max_order);
    predict_ = adams_weights(std::max<std::size_t>(k - 1, 1), false);
    correct_ = adams_weights(k, true);
    return;
  }
  FlowOptions o;
  o.fixed_step = 1;
  o.t_end = 2;
  flow_ = entry.make(problem_, o);
}

double Amplification::operator()(Complex z) {
  if (!bdf_.empty()) {
    std::vector<Complex> c(bdf_.begin(), bdf_.end());
    c[0] -= z;
    for (std::size_t j = 1; j < c.size(); ++j) c[j] /= c[0];
    return largest_root(c);
  }
  if (!correct_.empty()) {
    // y_1 = y_0 + z (c_0 (y_0 + z sum b_i y_-i) + sum c_i y_1-i)
    std::vector<Complex> c(predict_.size() + 1);
    c[0] = 1;
    c[1] = -1.0 - z * correct_[0];
    for (std::size_t i = 0; i < predict_.size(); ++i) c[i + 1] -= z * z * correct_[0] * predict_[i];
    for (std::size_t i = 1; i < correct_.size(); ++i) c[i] -= z * correct_[i];
    return largest_root(c);
  }
  problem_.z = z;
  const std::array<double, 2> one{1, 0};
  if (flow_->restart(0, one) != StepResult::accepted || flow_->step(2) != StepResult::accepted) return HUGE_VAL;
  return std::hypot(flow_->y1()[0], flow_->y1()[1]);
}

}  // namespace hstar::integrator

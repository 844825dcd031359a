// src/analysis/statics/relax.cpp
#include "analysis/statics/relax.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analysis/statics/tolerances.hpp"
#include "math/dense_eigen.hpp"

namespace hstar {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
constexpr double longest_step = 0.3;  ///< dimensionless
using namespace statics;
constexpr double far_away = 1e3;  ///< of its size: a mechanism that gets there runs away

/// What is cut where a step would be too long.
enum class Cut { whole, by_direction };

/// The step of a Newton method that goes downhill whatever the curvature: along each principal direction of the
/// stiffness by the force over the size of the curvature.
Vector downhill(const Tangent& at, Cut cut) {
  const math::RealModes principal = math::symmetric_modes(0.5 * (at.stiffness + at.stiffness.transpose()));
  const Vector& k = principal.values;
  const double largest = k.cwiseAbs().maxCoeff(),
               floor = std::max(no_stiffness * largest, at.along.norm() * least_stiffness);
  const auto in_reach = [&](const Vector& x) -> Vector {
    if (cut == Cut::whole) return x;
    const Vector part = principal.vectors.transpose() * x;
    return principal.vectors * part.cwiseMax(-longest_step).cwiseMin(longest_step);
  };
  if (k[0] > no_stiffness * largest) {
    const Vector x = math::solve_regular(at.stiffness, at.along);
    if (x.dot(at.along) > 0) return in_reach(x);
  }
  const Vector force = principal.vectors.transpose() * at.along;
  return in_reach(principal.vectors * force.cwiseQuotient(k.cwiseAbs().cwiseMax(floor)));
}

}  // namespace

Tangent tangent(ForceBalance& m, std::span<const HeldCoordinate> held) {
  const int rows = m.rows(), n = m.system().nv, all = rows + static_cast<int>(held.size());
  const Vector& size = m.size();
  Tangent out;
  out.lambda = Vector::Zero(all);
  Matrix G(all, n), H(n, all);
  ForceBalance::Slopes slopes;
  // Multipliers of least norm; sliding friction of pins is not linear in them.
  for (int repetition = 0; repetition < 30; ++repetition) {
    m.evaluate(out.lambda.head(rows));
    if (repetition == 0) {
      G.topRows(rows) = m.jacobian();
      for (int i = rows; i < all; ++i) G.row(i) = m.coordinate_row(held[i - rows].coordinate);
    }
    slopes = m.slopes();
    H.leftCols(rows) = slopes.force_lambda;
    H.rightCols(all - rows) = G.bottomRows(all - rows).transpose();
    const Vector force = m.force() + H.rightCols(all - rows) * out.lambda.tail(all - rows);
    if (repetition == 0) out.force_size = size.cwiseProduct(force).lpNorm<Eigen::Infinity>();
    out.residual = size.cwiseProduct(force);
    if (all == 0) break;
    Matrix scaled = size.asDiagonal() * H;
    Vector column(all);
    for (int j = 0; j < all; ++j) {
      column[j] = scaled.col(j).norm() > 0 ? 1 / scaled.col(j).norm() : 1.0;
      scaled.col(j) *= column[j];
    }
    const Vector change = math::least_norm(scaled, -out.residual);
    out.force_size = std::max(out.force_size, change.lpNorm<Eigen::Infinity>());
    out.lambda += column.cwiseProduct(change);
    if (change.lpNorm<Eigen::Infinity>() <= 4 * force_round_off * out.force_size) break;
  }
  m.evaluate(out.lambda.head(rows));
  slopes = m.slopes();
  // Forces that cancel have the round-off of what they change by over the mechanism's size.
  out.force_size = std::max(out.force_size, cancelled * slopes.stiffness_size);
  out.residual = size.cwiseProduct(m.force() + H.rightCols(all - rows) * out.lambda.tail(all - rows));
  out.symmetric = H.isApprox(G.transpose(), same_rows) || all == 0;
  out.Z = math::null_space(G * size.asDiagonal());
  out.Y = out.Z;
  if (!out.symmetric) {
    // Scaled so that along Z the forces do work as they do where nothing slides: Z^T Y = 1.
    const Matrix Y = math::null_space((size.asDiagonal() * H).transpose());
    const Matrix work = math::product(out.Z.transpose(), Y);
    if (Y.cols() == out.Z.cols())
      out.Y = math::product(Y, math::solve_regular(work, Matrix::Identity(Y.cols(), Y.cols())));
  }
  out.along = out.Y.transpose() * out.residual;
  const Matrix force_by_size = size.asDiagonal() * slopes.force_q * size.asDiagonal();
  out.stiffness = math::product(math::product(-out.Y.transpose(), force_by_size), out.Z);
  return out;
}

namespace {

Relaxed relax_by(Cut cut, ForceBalance& m, std::span<const HeldCoordinate> held, const RelaxOptions& options) {
  Relaxed out;
  const Vector weight = Vector::Ones(m.system().nv);
  const std::vector<double> start = m.y;
  std::vector<double> best = m.y;
  double best_force = HUGE_VAL;
  Tangent at = tangent(m, held);
  for (out.iterations = 0; out.iterations < 300; ++out.iterations) {
    if (at.Z.cols() == 0 || at.along.size() == 0) {
      out.found = true;
      return out;
    }
    const double force = at.along.norm();
    const bool better = force < best_force;
    if (better) {
      best = m.y;
      best_force = force;
    }
    if (force <= force_round_off * at.force_size || (force <= balanced_at * at.force_size && !better)) break;
    Vector x = !options.nearest ? downhill(at, cut) : math::least_norm(at.stiffness, at.along);
    if (const double length = x.norm(); length > longest_step) x *= longest_step / length;
    const Vector path = at.Z * x;
    const double work = x.dot(at.along);
    const std::vector<double> from = m.y;
    Tangent next;
    bool moved = false;
    for (double part = 1; part > shortest_step; part /= 2) {
      m.y = from;
      m.move(part * m.size().cwiseProduct(path));
      if (!close_positions(m, held, weight).closed) continue;
      next = tangent(m, held);
      moved = true;
      const bool enough = options.nearest ? next.along.norm() <= (1 - enough_gained * part) * force
                                          : (next.Z.transpose() * path).dot(next.along) >= -0.9 * std::abs(work);
      if (enough || force <= balanced_at * at.force_size) break;
    }
    if (!moved) {
      m.y = from;
      break;
    }
    at = std::move(next);
    for (int i = 0; i < m.system().nq; ++i)
      if (std::abs(m.y[i] - start[i]) > far_away * (m.coordinates().unit(i) == "m" ? m.system().length : 1.0)) {
        out.why = fmt::format("nothing holds {}: it runs away", m.coordinates().name(i));
        return out;
      }
  }
  m.y = best;
  at = tangent(m, held);
  out.found = at.along.norm() <= balanced_at * at.force_size || at.force_size == 0;
  if (!out.found) {
    // The coordinate along which the forces that are not balanced act most.
    const Vector left = m.coordinates().as_written<Vector>(at.Y * at.along);
    int worst = 0;
    left.cwiseAbs().maxCoeff(&worst);
    out.why =
        fmt::format("no equilibrium was found; at the best position a force of {:.6g} {} along {} is not balanced",
                    left[worst] / m.size()[worst], m.coordinates().freedom_turns(worst) ? "N m" : "N",
                    m.coordinates().freedom_name(worst));
  }
  return out;
}

}  // namespace

Relaxed relax(ForceBalance& m, std::span<const HeldCoordinate> held, const RelaxOptions& options) {
  const std::vector<double> start = m.y;
  Relaxed out = relax_by(Cut::whole, m, held, options);
  if (out.found || options.nearest) return out;
  // What is soft and far from its rest held up what is stiff: once more, each as far as it may go.
  const std::vector<double> left = m.y;
  m.y = start;
  if (Relaxed again = relax_by(Cut::by_direction, m, held, options); again.found) return again;
  m.y = left;
  return out;
}

}  // namespace hstar

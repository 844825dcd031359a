// src/analysis/statics/positions.cpp
#include "analysis/statics/positions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/statics/tolerances.hpp"
#include "math/dense_eigen.hpp"

namespace hstar {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using namespace statics;
constexpr double longest_step = 0.5;  ///< dimensionless: half the model's length, half a radian

}  // namespace

ScaledRows scaled_rows(ForceBalance& m, std::span<const HeldCoordinate> held, const Vector& weight) {
  m.evaluate(Vector::Zero(m.rows()));
  const int rows = m.rows(), n = m.system().nv, all = rows + static_cast<int>(held.size());
  ScaledRows out;
  out.scale = m.size().cwiseQuotient(weight);
  out.residual.resize(all);
  out.jacobian.resize(all, n);
  out.residual.head(rows) = m.positions();
  out.jacobian.topRows(rows) = m.jacobian();
  for (int i = rows; i < all; ++i) {
    const HeldCoordinate& h = held[i - rows];
    out.residual[i] = m.coordinate(h.coordinate) - h.value;
    if (m.coordinates().wraps(h.coordinate)) out.residual[i] = std::remainder(out.residual[i], 2 * std::numbers::pi);
    out.jacobian.row(i) = m.coordinate_row(h.coordinate);
  }
  // The size of a row is what a displacement of size 1 changes it by, whatever the weights.
  out.row_size = (out.jacobian * m.size().asDiagonal()).rowwise().norm();
  for (int i = 0; i < all; ++i)
    if (!(out.row_size[i] > 0)) out.row_size[i] = m.system().length;
  out.residual = out.residual.cwiseQuotient(out.row_size);
  out.jacobian = out.row_size.cwiseInverse().asDiagonal() * out.jacobian * out.scale.asDiagonal();
  return out;
}

ClosedPositions close_positions(ForceBalance& m, std::span<const HeldCoordinate> held, const Vector& weight) {
  ClosedPositions out;
  if (m.rows() + static_cast<int>(held.size()) == 0) {
    out.closed = true;
    return out;
  }
  double damping = first_damping;
  ScaledRows at = scaled_rows(m, held, weight);
  std::vector<double> good = m.y;
  const auto note = [&] { out.iterates.push_back({at.residual.norm(), m.y}); };
  note();
  for (int iteration = 0; iteration < 300; ++iteration) {
    const double norm = at.residual.norm();
    if (norm <= nearly_closed || !(at.jacobian.transpose() * at.residual).allFinite()) break;
    const Vector downhill = -(at.jacobian.transpose() * at.residual);
    if (downhill.norm() <= no_slope * norm * (1 + at.jacobian.norm())) break;
    Matrix normal = math::product(at.jacobian.transpose(), at.jacobian);
    normal.diagonal().array() += damping * norm * norm + least_shift * normal.trace();
    Vector x = math::solve_symmetric(normal, downhill);
    if (const double length = x.norm(); length > longest_step) x *= longest_step / length;
    m.move(at.scale.cwiseProduct(x));
    ScaledRows next = scaled_rows(m, held, weight);
    const double expected = norm * norm - (at.residual + at.jacobian * x).squaredNorm(),
                 gained = norm * norm - next.residual.squaredNorm();
    if (!(gained > enough_gained * expected)) {
      m.y = good;
      damping *= 4;
      if (damping * norm * norm > 1e12) break;
      continue;
    }
    if (gained > 0.75 * expected) damping = std::max(damping / 4, least_damping);
    at = std::move(next);
    good = m.y;
    note();
  }
  // The last digits by Newton's method.
  for (int polish = 0; polish < 6 && at.residual.norm() <= near_solution; ++polish) {
    if (at.residual.lpNorm<Eigen::Infinity>() <= position_round_off) break;
    m.move(at.scale.cwiseProduct(math::least_norm(at.jacobian, -at.residual)));
    ScaledRows next = scaled_rows(m, held, weight);
    if (!(next.residual.norm() < at.residual.norm())) {
      m.y = good;
      break;
    }
    at = std::move(next);
    good = m.y;
    note();
  }
  m.evaluate(Vector::Zero(m.rows()));
  out.residual = at.residual.lpNorm<Eigen::Infinity>();
  out.closed = out.residual <= statics::closed;
  out.gaps = at.residual.cwiseProduct(at.row_size);
  return out;
}

void nearest_positions(ForceBalance& m, std::span<const HeldCoordinate> held, const Vector& weight,
                       const std::vector<double>& estimate) {
  const auto distance = [&](const ScaledRows& rows) { return Vector(m.away(estimate).cwiseQuotient(rows.scale)); };
  ScaledRows at = scaled_rows(m, held, weight);
  Vector away = distance(at);
  for (int iteration = 0; iteration < 100; ++iteration) {
    // Newton's method on the Lagrangian |away|^2/2 + mu Phi in the tangent space; where that has no minimum, the
    // tangential part of the way back to the estimate.
    const Matrix Z = math::null_space(at.jacobian);
    if (Z.cols() == 0) return;
    const Vector back = Z.transpose() * away;
    const Vector mu = math::least_norm(at.jacobian.transpose(), away).cwiseQuotient(at.row_size).head(m.rows());
    m.evaluate(mu);
    Matrix curvature = m.slopes().force_q;
    m.evaluate(Vector::Zero(m.rows()));
    curvature -= m.slopes().force_q;
    // In space the order of two turns matters: along a line in the group only the symmetric part is felt.
    const Matrix scaled = at.scale.asDiagonal() * (0.5 * (curvature + curvature.transpose())) * at.scale.asDiagonal();
    const Matrix own = m.coordinates().distance_curvature(m.away(estimate));  // weights of one orientation are the same
    Vector along = back;
    const bool newton = math::solve_positive(math::product(math::product(Z.transpose(), own + scaled), Z), back, along);
    Vector x = Z * along;
    if (const double length = x.norm(); length > longest_step) x *= longest_step / length;
    const double step = x.norm();
    if (step <= position_round_off * (1 + away.norm())) return;
    const std::vector<double> good = m.y;
    bool shorter = false;
    for (double part = 1; part > shortest_part && !shorter; part /= 2) {
      m.move(part * at.scale.cwiseProduct(x));
      if (close_positions(m, held, weight).closed) {
        ScaledRows there = scaled_rows(m, held, weight);
        const Vector next = distance(there);
        // Near the least distance it changes by less than its round-off: Newton's step is trusted there.
        shorter = next.norm() < away.norm() || (newton && step <= trusted_step * (1 + away.norm()));
        if (shorter) {
          at = std::move(there);
          away = next;
        }
      }
      if (!shorter) m.y = good;
    }
    if (!shorter || (newton && step <= last_step * (1 + away.norm()))) {
      at = scaled_rows(m, held, weight);
      return;
    }
  }
}

}  // namespace hstar

// src/contact/force_program.cpp
#include "contact/force_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dense_eigen.hpp"

namespace hstar::contact {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
/// Of a goal of size 1: what is less lies outside of the null space, whose rank is judged by the same.
constexpr double unseen = math::dependent_row;

/// Calls use(k, row, n) for the k-th cone, n rows from `row` on.
template <class Use>
void each_cone(const std::vector<int>& size, Use use) {
  int row = 0;
  for (std::size_t k = 0; k < size.size(); row += size[k++]) use(k, row, size[k]);
}

}  // namespace

BalancedForces::BalancedForces(const Matrix& A, const Vector& load, double least_scale)
    : scale(std::max({load.lpNorm<Eigen::Infinity>(), least_scale, std::numeric_limits<double>::min()})),
      column(A.cols()),
      origin(A.cols()),
      left(load),
      null(A.cols(), 0) {
  if (A.cols() == 0) return;
  for (long j = 0; j < A.cols(); ++j) column[j] = A.col(j).norm() > 0 ? 1 / A.col(j).norm() : 1.0;
  const Matrix scaled = A * column.asDiagonal();
  const math::RowSpace balance(scaled);
  const Vector shortest = balance.solve(load);
  left -= scaled * shortest;
  null = balance.kernel();
  scale = std::max(scale, shortest.lpNorm<Eigen::Infinity>());
  origin = shortest / scale;
}

ForceProgram::ForceProgram(const std::vector<ForceCone>& cones, const BalancedForces& balanced)
    : balanced_(balanced), seen_(balanced.null.rows(), 0) {
  int rows = 0;
  for (const ForceCone& cone : cones) rows += program_.size.emplace_back(1 + cone.directions);
  Matrix slope = Matrix::Zero(rows, balanced.origin.size());
  Vector value = Vector::Zero(rows);
  each_cone(program_.size, [&](std::size_t k, int row, int n) {
    const ForceCone& cone = cones[k];
    if (n == 1) {
      slope(row, cone.row) = 1;
      return;
    }
    // In units of the force along the cone's own rows, all in the same.
    const double unit = std::sqrt(cone.directions) / balanced.column.segment(cone.row, cone.directions).norm();
    for (std::size_t i = 0; i < cone.rows.size(); ++i)
      slope(row, cone.rows[i]) += unit * cone.mu * cone.slope[i] * balanced.column[cone.rows[i]];
    value[row] = unit * cone.mu * cone.given / balanced.scale;
    for (int i = 0; i < cone.directions; ++i) slope(row + 1 + i, cone.row + i) = unit * balanced.column[cone.row + i];
  });
  program_.h = slope * balanced.origin + value;
  const Matrix all = math::product(slope, balanced.null);
  program_.A.resize(rows, 0);
  if (all.size() > 0) {
    const math::RowSpace felt(all);
    const Matrix basis = felt.basis();
    seen_ = math::product(balanced.null, basis);
    program_.A = math::product(all, basis);
  }
  program_.c = Vector::Zero(seen_.cols());
}

Vector ForceProgram::forces(const Vector& w) const {
  return balanced_.scale * balanced_.column.cwiseProduct(balanced_.origin + seen_ * w);
}

double ForceProgram::slack_at(const Vector& w) const { return math::least_slack(program_, w); }

math::SocProgram ForceProgram::with_variable(int last) const {
  math::SocProgram more;
  const long rows = program_.A.rows(), k = program_.A.cols();
  more.resize(static_cast<int>(rows) + last, static_cast<int>(k) + 1);
  more.size = program_.size;
  more.size.push_back(last);
  more.A.topLeftCorner(rows, k) = program_.A;
  more.h.head(rows) = program_.h;
  return more;
}

double ForceProgram::centre(Vector& lambda) const {
  Vector w = Vector::Zero(seen_.cols());
  const double slack = program_.size.empty() ? 1 : centre_at(w);
  lambda = forces(w);
  return std::min(slack, 1.0);
}

double ForceProgram::centre_at(Vector& w) const {
  const long rows = program_.A.rows(), k = program_.A.cols();
  if (k == 0) return slack_at(w);
  // One slack x for all cones, no more than twice what is asked for: room for the second program.
  constexpr double most = 2;
  math::SocProgram largest = with_variable(1);
  each_cone(program_.size, [&](std::size_t, int row, int) { largest.A(row, k) = -1; });
  largest.A(rows, k) = -1;
  largest.h[rows] = most;
  largest.c[k] = 1;
  Vector start = Vector::Zero(k + 1);
  start << w, std::min(slack_at(w), most) - 1;
  w = math::maximise(largest, start).x.head(k);
  const double slack = slack_at(w);
  if (slack < (1 + most) / 2) return slack;
  // Prestress is as large as one likes: the shortest with slack 1, |w| <= x.
  math::SocProgram shortest = with_variable(static_cast<int>(k) + 1);
  each_cone(program_.size, [&](std::size_t, int row, int) { shortest.h[row] -= 1; });
  shortest.A(rows, k) = 1;
  shortest.A.bottomLeftCorner(k, k).setIdentity();
  shortest.c[k] = -1;
  start << w, 2 * w.norm() + 1;
  w = math::maximise(shortest, start).x.head(k);
  return slack_at(w);
}

bool ForceProgram::push(const Vector& goal, Vector& lambda) const {
  Vector scaled = balanced_.column.cwiseProduct(goal);
  scaled /= scaled.norm();
  math::SocProgram far = program_;
  far.c = seen_.transpose() * scaled;
  // What no cone sees is not bounded by any.
  if ((balanced_.null * (balanced_.null.transpose() * scaled) - seen_ * far.c).norm() > unseen) return false;
  if (far.c.norm() <= unseen) return true;  // the same for all forces
  Vector start = seen_.transpose() * (lambda.cwiseQuotient(balanced_.column) / balanced_.scale - balanced_.origin);
  constexpr double room = 2 * tolerance;
  if (!(slack_at(start) > room)) centre_at(start = Vector::Zero(start.size()));
  each_cone(far.size, [&](std::size_t, int row, int n) {
    const Vector w = far.A.middleRows(row, n) * start + far.h.segment(row, n);
    // A cone without room (an unloaded contact) gets what counts as none.
    far.h[row] += std::max(0.0, room - (w[0] - w.tail(n - 1).norm()));
  });
  const math::SocSolution solution = math::maximise(far, start);
  if (solution.bounded) lambda = forces(solution.x);
  return solution.bounded;
}

}  // namespace hstar::contact

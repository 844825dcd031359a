// src/analysis/statics/force_program.cpp
#include "analysis/statics/force_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/statics/dense_eigen.hpp"
#include "math/soc_program.hpp"

namespace hstar {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
constexpr double infinity = std::numeric_limits<double>::infinity();
std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

bool ForceCones::linear() const {
  return std::none_of(size.begin(), size.end(), [](int n) { return n > 2; });
}

ForceProgram::ForceProgram(const ForceCones& cones, const Vector& origin, const Matrix& null)
    : linear_(cones.linear()),
      size_(cones.size),
      origin_(origin),
      inside_(cones.slope * origin + cones.value),
      null_(null.rows(), 0),
      seen_(cones.slope.rows(), 0),
      all_(null) {
  const Matrix seen = cones.slope * null;
  if (seen.size() == 0) return;
  const Spectrum spectrum(seen);
  null_ = null * spectrum.row_space();
  seen_ = seen * spectrum.row_space();
}

double ForceProgram::centre(Vector& xi) {
  Vector w = Vector::Zero(null_.cols());
  const double slack = size_.empty() ? 1 : linear_ ? linear_centre(w) : cone_centre(w);
  xi = origin_ + null_ * w;
  return std::min(slack, 1.0);
}

bool ForceProgram::push(const Vector& goal, double slack, double tolerance, Vector& xi) {
  const double size = goal.norm();
  const Vector along = null_.transpose() * goal / size;
  // What no cone sees is not bounded by any.
  if ((all_ * (all_.transpose() * goal) / size - null_ * along).norm() > 1e-9) return false;
  if (along.norm() <= 1e-9) return true;  // the multiplier is unique
  Vector w = null_.transpose() * (xi - origin_);
  const bool no_room = slack < 10 * tolerance;
  const math::LpStatus status =
      linear_ ? linear_push(along, no_room ? 2 * tolerance : 0.0, w) : cone_push(along, tolerance, w);
  if (status == math::LpStatus::solved) xi = origin_ + null_ * w;
  return status != math::LpStatus::unbounded;
}

void ForceProgram::inequalities(Matrix& slope, Vector& value) const {
  const auto lines = std::count(size_.begin(), size_.end(), 2);
  slope.resize(static_cast<long>(size_.size()) + lines, seen_.cols());
  value.resize(slope.rows());
  int row = 0, i = 0;
  for (const int n : size_) {
    for (const double sign : {1.0, -1.0}) {
      if (n == 1 && sign < 0) break;
      slope.row(i) = seen_.row(row);
      value[i] = inside_[row];
      if (n == 2) {
        slope.row(i) += sign * seen_.row(row + 1);
        value[i] += sign * inside_[row + 1];
      }
      ++i;
    }
    row += n;
  }
}

double ForceProgram::linear_centre(Vector& w) {
  Matrix B;
  Vector c0;
  inequalities(B, c0);
  const int k = static_cast<int>(B.cols()), n = k + 1, count = static_cast<int>(c0.size());
  // The least slack is maximised, then the next: constraints that hold it down are fixed at it.
  std::vector<double> fixed(at(count), infinity), A, b, goal(at(n), 0.0), x(at(n), 0.0), y;
  goal[at(k)] = 1;
  double slack = 1;
  for (int round = 0; round <= k; ++round) {
    A.clear();
    b.clear();
    std::vector<int> open;
    const auto add = [&](int j, double weight, double bound) {
      for (int d = 0; d < k; ++d) A.push_back(-B(j, d));
      A.push_back(weight);
      b.push_back(bound);
    };
    for (int j = 0; j < count; ++j)
      if (fixed[at(j)] == infinity) {
        open.push_back(j);
        add(j, 1, c0[j]);
      }
    if (open.empty()) break;
    for (int j = 0; j < count; ++j)
      if (fixed[at(j)] != infinity) add(j, 0, c0[j] - fixed[at(j)] + 1e-14);
    for (int d = 0; d < k; ++d) A.push_back(0);
    A.push_back(1);
    b.push_back(1);
    y.assign(b.size(), 0.0);
    if (lp_.maximise(goal.data(), A.data(), b.data(), n, static_cast<int>(b.size()), x.data(), y.data()) !=
        math::LpStatus::solved)
      break;
    for (int d = 0; d < k; ++d) w[d] = x[at(d)];
    if (round == 0) slack = (c0 + B * w).minCoeff();
    bool held = false;
    for (std::size_t j = 0; j < open.size(); ++j)
      if (y[j] > 1e-9) {
        fixed[at(open[j])] = x[at(k)];
        held = true;
      }
    if (!held) break;  // only the bound 1 holds it
  }
  return slack;
}

math::LpStatus ForceProgram::linear_push(const Vector& along, double outside, Vector& w) {
  Matrix B;
  Vector c0;
  inequalities(B, c0);
  const int k = static_cast<int>(B.cols()), count = static_cast<int>(c0.size());
  std::vector<double> A, b, x(at(k), 0.0), y(at(count), 0.0);
  for (int j = 0; j < count; ++j) {
    for (int d = 0; d < k; ++d) A.push_back(-B(j, d));
    // What is outside by round-off counts as inside.
    b.push_back(c0[j] + outside);
  }
  const math::LpStatus status = count == 0
                                    ? math::LpStatus::unbounded
                                    : lp_.maximise(along.data(), A.data(), b.data(), k, count, x.data(), y.data());
  if (status == math::LpStatus::solved) w = Eigen::Map<const Vector>(x.data(), k);
  return status;
}

/// Cones with room for one slack t: h + A w - t e_0, and t <= `most`.
double ForceProgram::cone_centre(Vector& w) const {
  math::SocProgram program;
  const long k = seen_.cols(), rows = inside_.size();
  const auto slack_at = [&](const Vector& x) { return math::least_slack({size_, seen_, inside_, Vector::Zero(k)}, x); };
  if (k == 0) return slack_at(w);
  constexpr double enough = 2;  // twice what is asked for: room for the second program
  program.resize(static_cast<int>(rows) + 1, static_cast<int>(k) + 1);
  program.size = size_;
  program.size.push_back(1);
  program.A.topLeftCorner(rows, k) = seen_;
  program.h.head(rows) = inside_;
  for (int row = 0; const int n : size_) {
    program.A(row, k) = -1;
    row += n;
  }
  program.A(rows, k) = -1;
  program.h[rows] = enough;
  program.c[k] = 1;
  Vector start = Vector::Zero(k + 1);
  start[k] = std::min(slack_at(w), enough) - 1;
  w = math::maximise(program, start).x.head(k);
  const double slack = slack_at(w);
  if (slack < 1.01) return slack;
  // Prestress is as large as one likes: the shortest with slack 1.
  program.resize(static_cast<int>(rows + k) + 1, static_cast<int>(k) + 1);
  program.size = size_;
  program.size.push_back(static_cast<int>(k) + 1);
  program.A.topLeftCorner(rows, k) = seen_;
  program.h.head(rows) = inside_;
  for (int row = 0; const int n : size_) {
    program.h[row] -= 1;
    row += n;
  }
  program.A(rows, k) = 1;
  program.A.bottomLeftCorner(k, k).setIdentity();
  program.c[k] = -1;
  start << w, 2 * w.norm() + 1;
  w = math::maximise(program, start).x.head(k);
  return slack_at(w);
}

math::LpStatus ForceProgram::cone_push(const Vector& along, double tolerance, Vector& w) const {
  math::SocProgram program{size_, seen_, inside_, along};
  Vector start = w;
  if (!(math::least_slack(program, start) > 2 * tolerance)) cone_centre(start = Vector::Zero(w.size()));
  for (int row = 0; const int n : size_) {
    const Vector u = seen_.middleRows(row, n) * start + inside_.segment(row, n);
    // A cone without room (an unloaded contact) gets what counts as none.
    if (const double slack = u[0] - u.tail(n - 1).norm(); slack < 2 * tolerance)
      program.h[row] += 2 * tolerance - slack;
    row += n;
  }
  const math::SocSolution far = math::maximise(program, start);
  w = far.x;
  return far.bounded ? math::LpStatus::solved : math::LpStatus::unbounded;
}

}  // namespace hstar

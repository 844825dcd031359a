// src/analysis/statics/admissible_forces.cpp
#include "analysis/statics/admissible_forces.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
constexpr double rank_tolerance = 1e-9;
/// More guides than this are tried on the side of their least-norm force only.
constexpr int most_guides = 6;
constexpr double infinity = std::numeric_limits<double>::infinity();
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// An SVD whose small singular values are cut off.
struct Spectrum {
  explicit Spectrum(const Matrix& a) : svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV) {
    const Vector& s = svd.singularValues();
    while (rank < s.size() && s[rank] > rank_tolerance * s[0]) ++rank;
  }
  [[nodiscard]] Vector solve(const Vector& b) const {
    const Vector c = (svd.matrixU().leftCols(rank).transpose() * b).cwiseQuotient(svd.singularValues().head(rank));
    return svd.matrixV().leftCols(rank) * c;
  }
  Eigen::BDCSVD<Matrix> svd;
  int rank = 0;
};

}  // namespace

AdmissibleForces::AdmissibleForces(ForceBalance& m, Vector target) : m_(m), target_(std::move(target)) {
  const System& s = m.system();
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (!m.mode.closed[c]) continue;
    Cone cone;
    cone.row = m.contact_row(static_cast<int>(c));
    cones_.push_back(cone);
  }
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    const FrictionMode& mode = m.mode.friction[u];
    if (mode.slide == Slide::slip && !unit.normal_force) linear_ = false;
    if (mode.slide != Slide::stick) continue;
    Cone cone;
    cone.unit = static_cast<int>(u);
    cone.row = m.stick_row(cone.unit);
    cone.mu = unit.law.mu_static();
    if (unit.normal_force) {
      cone.given = cone.mu * unit.lever * std::max(evaluate(*unit.normal_force, m.kinematics()), 0.0);
    } else if (unit.contact >= 0) {
      cone.rows = {m.contact_row(unit.contact)};
      cone.slope = {unit.lever};
    } else {
      const Joint& joint = *s.joints[at(unit.joint)];
      for (int i = 0; i < joint.rows(); ++i) cone.rows.push_back(s.joint_row[at(unit.joint)] + i);
      cone.slope.resize(std::max<std::size_t>(cone.rows.size(), 4));
      cone.guide = joint.side_row() >= 0;
      pins_ |= !cone.guide;
    }
    cones_.push_back(cone);
  }

  Vector lambda = Vector::Zero(m.rows());
  lambda_ = lambda;
  if (!linearise(lambda)) return;
  const Vector start = column_scale_.cwiseProduct(base_);
  lambda_ = start;
  if (!balanced()) return;
  for (int choice = 0; choice < side_choices(); ++choice) {
    lambda = start;
    take_sides(choice);
    double slack = -infinity;
    if (!centre(lambda, slack) || !(slack > slack_ || choice == 0)) continue;
    slack_ = slack;
    lambda_ = lambda;
  }
}

int AdmissibleForces::side_choices() const {
  const auto guides = std::count_if(cones_.begin(), cones_.end(), [](const Cone& c) { return c.guide; });
  return guides > most_guides ? 1 : 1 << guides;
}

void AdmissibleForces::take_sides(int choice) {
  const bool all = side_choices() > 1;
  for (Cone& cone : cones_) {
    if (!cone.guide) continue;
    cone.side = static_cast<signed char>(!all ? 0 : choice % 2 == 0 ? 1 : -1);
    choice /= 2;
  }
}

void AdmissibleForces::aim(Cone& cone, const Vector& lambda) const {
  if (cone.unit < 0) return;
  const FrictionUnit& unit = m_.system().frictions[at(cone.unit)];
  if (unit.normal_force || unit.contact >= 0) return;
  m_.system().joints[at(unit.joint)]->normal_force(lambda.data() + cone.rows[0], cone.side, cone.slope.data());
  for (double& x : cone.slope) x *= unit.lever;
}

bool AdmissibleForces::linearise(const Vector& lambda) {
  if (!m_.evaluate(lambda)) return false;
  const ForceBalance::Slopes slopes = m_.slopes();
  const Matrix& H = slopes.force_lambda;
  const Vector b = target_ - m_.force() + H * lambda;
  const Vector& size = m_.size();
  const Matrix A = size.asDiagonal() * H;
  const Vector load = size.cwiseProduct(b);
  column_scale_.resize(A.cols());
  for (int j = 0; j < A.cols(); ++j) {
    const double norm = A.col(j).norm();
    column_scale_[j] = norm > 0 ? 1 / norm : 1.0;
  }
  // Forces that cancel have the round-off of what they change by over the mechanism's size.
  scale_ = std::max({load.lpNorm<Eigen::Infinity>(), 1e-4 * slopes.stiffness_size, std::numeric_limits<double>::min()});
  if (A.cols() == 0) {
    base_ = Vector(0);
    null_ = Matrix(0, 0);
  } else {
    const Spectrum spectrum(A * column_scale_.asDiagonal());
    base_ = spectrum.solve(load);
    null_ = spectrum.svd.matrixV().rightCols(A.cols() - spectrum.rank);
    scale_ = std::max(scale_, base_.lpNorm<Eigen::Infinity>());
  }
  const Vector left = load - A * column_scale_.asDiagonal() * base_;
  imbalance_ = left.lpNorm<Eigen::Infinity>() / scale_;
  unbalanced_ = left.cwiseQuotient(size);
  return true;
}

/// slope . xi + value >= 0 for xi the scaled multipliers over scale_; every friction cone is two of them.
void AdmissibleForces::inequalities(Matrix& slope, Vector& value) const {
  const auto friction = std::count_if(cones_.begin(), cones_.end(), [](const Cone& c) { return c.unit >= 0; });
  slope = Matrix::Zero(static_cast<long>(cones_.size()) + friction, column_scale_.size());
  value = Vector::Zero(slope.rows());
  int i = 0;
  for (const Cone& cone : cones_) {
    // In units of the force along the cone's own row.
    const double unit = 1 / column_scale_[cone.row];
    if (cone.unit < 0) {
      slope(i++, cone.row) = 1;
      continue;
    }
    for (const double sign : {1.0, -1.0}) {
      for (std::size_t k = 0; k < cone.rows.size(); ++k)
        slope(i, cone.rows[k]) += unit * cone.mu * cone.slope[k] * column_scale_[cone.rows[k]];
      slope(i, cone.row) += sign;
      value[i++] = unit * cone.given / scale_;
    }
  }
}

bool AdmissibleForces::centre(Vector& lambda, double& slack) {
  if (cones_.empty()) {
    slack = 1;
    if (linear_) return true;
  }
  Matrix slope;
  Vector value;
  double last = infinity;
  for (int repetition = 0; repetition < 60; ++repetition) {
    if (!linear_ && !linearise(lambda)) return false;
    for (Cone& cone : cones_) aim(cone, lambda);
    inequalities(slope, value);
    const Vector origin = base_ / scale_;
    const Vector c0 = slope * origin + value;
    const Matrix seen = slope * null_;
    // Only directions that the cones see matter to them.
    const Spectrum spectrum(seen.size() > 0 ? seen : Matrix::Zero(1, 1));
    const int k = seen.size() > 0 ? spectrum.rank : 0, n = k + 1, count = static_cast<int>(c0.size());
    const Matrix directions = k > 0 ? Matrix(null_ * spectrum.svd.matrixV().leftCols(k)) : Matrix(null_.rows(), 0);
    const Matrix B = k > 0 ? Matrix(seen * spectrum.svd.matrixV().leftCols(k)) : Matrix(count, 0);
    // The least slack is maximised, then the next: constraints that hold it down are fixed at it.
    std::vector<double> fixed(at(count), infinity), A, b, goal(at(n), 0.0), x(at(n), 0.0), y;
    goal[at(k)] = 1;
    slack = 1;
    Vector w = Vector::Zero(k);
    for (int round = 0; round <= k && count > 0; ++round) {
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
    slack = std::min(slack, 1.0);
    const Vector next = scale_ * column_scale_.cwiseProduct(origin + directions * w);
    const double change = (next - lambda).cwiseQuotient(column_scale_).lpNorm<Eigen::Infinity>() / scale_;
    lambda = next;
    if ((linear_ && !pins_ && repetition > 0) || change <= 1e-15 || (change <= 1e-9 && change >= last)) break;
    last = change;
  }
  return true;
}

bool AdmissibleForces::push(const Vector& goal, Vector& lambda) {
  Matrix slope;
  Vector value;
  double last = infinity;
  for (int repetition = 0; repetition < 60; ++repetition) {
    if (!linear_ && !linearise(lambda)) return true;
    for (Cone& cone : cones_) aim(cone, lambda);
    inequalities(slope, value);
    const Vector origin = base_ / scale_, scaled_goal = column_scale_.cwiseProduct(goal);
    const Vector along = null_.transpose() * scaled_goal;
    const double size = scaled_goal.norm();
    if (along.norm() <= 1e-9 * size) return true;  // the multiplier is unique
    Matrix seen(slope.rows() + 1, null_.cols());
    seen << slope * null_, along.transpose() / size;
    const Spectrum spectrum(seen);
    const int k = spectrum.rank, count = static_cast<int>(slope.rows());
    const Matrix V = spectrum.svd.matrixV().leftCols(k);
    const Matrix B = slope * null_ * V;
    const Vector c0 = slope * origin + value, c = V.transpose() * along / size;
    std::vector<double> A, b, x(at(k), 0.0), y(at(count), 0.0);
    for (int j = 0; j < count; ++j) {
      for (int d = 0; d < k; ++d) A.push_back(-B(j, d));
      // What is outside by round-off counts as inside.
      b.push_back(c0[j] + (slack_ < 10 * tolerance ? 2 * tolerance : 0.0));
    }
    const math::LpStatus status = count == 0 ? math::LpStatus::unbounded
                                             : lp_.maximise(c.data(), A.data(), b.data(), k, count, x.data(), y.data());
    if (status == math::LpStatus::unbounded) return false;
    if (status == math::LpStatus::infeasible) return true;
    const Vector next = scale_ * column_scale_.cwiseProduct(origin + null_ * V * Eigen::Map<const Vector>(x.data(), k));
    const double change = (next - lambda).cwiseQuotient(column_scale_).lpNorm<Eigen::Infinity>() / scale_;
    lambda = next;
    if ((linear_ && !pins_ && repetition > 0) || change <= 1e-15 || (change <= 1e-9 && change >= last)) break;
    last = change;
  }
  return true;
}

void AdmissibleForces::range(int row, double& least, double& largest) {
  least = largest = lambda_[row];
  if (!admissible()) return;
  for (int choice = 0; choice < side_choices(); ++choice) {
    take_sides(choice);
    Vector centre_of = column_scale_.cwiseProduct(base_);
    double slack = -infinity;
    if (!centre(centre_of, slack) || slack < -tolerance) continue;
    for (const double sign : {1.0, -1.0}) {
      Vector lambda = centre_of;
      const bool bounded = push(sign * Vector::Unit(lambda.size(), row), lambda);
      const double value = bounded ? lambda[row] : sign * infinity;
      (sign > 0 ? largest : least) = sign > 0 ? std::max(largest, value) : std::min(least, value);
    }
  }
  // Round-off of the programs is no range.
  const double unit = scale_ * column_scale_[row];
  if (largest - least <= 1e-12 * unit) least = largest = lambda_[row];
}

double AdmissibleForces::normal_force(int unit, const Vector& lambda) const {
  const FrictionUnit& u = m_.system().frictions[at(unit)];
  if (u.normal_force) return u.lever * std::max(evaluate(*u.normal_force, m_.kinematics()), 0.0);
  if (u.contact >= 0) {
    const int row = m_.contact_row(u.contact);
    return row < 0 ? 0.0 : u.lever * lambda[row];
  }
  const Joint& joint = *m_.system().joints[at(u.joint)];
  std::vector<double> derivative(std::max(joint.rows(), 4));
  return u.lever * joint.normal_force(lambda.data() + m_.system().joint_row[at(u.joint)], 0, derivative.data());
}

double AdmissibleForces::limit(int unit, const Vector& lambda) const {
  return m_.system().frictions[at(unit)].law.mu_static() * normal_force(unit, lambda);
}

}  // namespace hstar

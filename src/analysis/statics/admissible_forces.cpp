// src/analysis/statics/admissible_forces.cpp
#include "analysis/statics/admissible_forces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/statics/dense_eigen.hpp"

namespace hstar {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
/// More guides than this are tried on the side of their least-norm force only.
constexpr int most_guides = 6;
constexpr double infinity = std::numeric_limits<double>::infinity();
std::size_t at(int i) { return static_cast<std::size_t>(i); }

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
    cone.directions = unit.directions;
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
    null_ = spectrum.kernel();
    scale_ = std::max(scale_, base_.lpNorm<Eigen::Infinity>());
  }
  const Vector left = load - A * column_scale_.asDiagonal() * base_;
  imbalance_ = left.lpNorm<Eigen::Infinity>() / scale_;
  unbalanced_ = left.cwiseQuotient(size);
  return true;
}

/// Of the scaled multipliers over scale_.
ForceCones AdmissibleForces::force_cones() const {
  ForceCones out;
  int rows = 0;
  for (const Cone& cone : cones_) rows += out.size.emplace_back(1 + cone.directions);
  out.slope = Matrix::Zero(rows, column_scale_.size());
  out.value = Vector::Zero(rows);
  int i = 0;
  for (const Cone& cone : cones_) {
    if (cone.unit < 0) {
      out.slope(i++, cone.row) = 1;
      continue;
    }
    // In units of the force along the cone's own rows, all in the same.
    const double unit = std::sqrt(cone.directions) / column_scale_.segment(cone.row, cone.directions).norm();
    for (std::size_t k = 0; k < cone.rows.size(); ++k)
      out.slope(i, cone.rows[k]) += unit * cone.mu * cone.slope[k] * column_scale_[cone.rows[k]];
    out.value[i++] = unit * cone.given / scale_;
    for (int k = 0; k < cone.directions; ++k)
      out.slope(i++, cone.row + k) = cone.directions == 1 ? 1 : unit * column_scale_[cone.row + k];
  }
  return out;
}

/// Repeats `solve` with the cones linear about the forces it finds, until those stay. False: they do not exist.
bool AdmissibleForces::repeat(Vector& lambda, const std::function<bool(ForceProgram&, Vector& xi)>& solve) {
  double last = infinity;
  for (int repetition = 0; repetition < 60; ++repetition) {
    if (!linear_ && !linearise(lambda)) return false;
    for (Cone& cone : cones_) aim(cone, lambda);
    const ForceCones cones = force_cones();
    ForceProgram program(cones, base_ / scale_, null_);
    Vector xi = lambda.cwiseQuotient(column_scale_) / scale_;
    if (!solve(program, xi)) return false;
    const Vector next = scale_ * column_scale_.cwiseProduct(xi);
    const double change = (next - lambda).cwiseQuotient(column_scale_).lpNorm<Eigen::Infinity>() / scale_;
    lambda = next;
    if ((linear_ && !pins_) || change <= 1e-15 || (change <= 1e-9 && change >= last)) break;
    last = change;
  }
  return true;
}

bool AdmissibleForces::centre(Vector& lambda, double& slack) {
  return repeat(lambda, [&](ForceProgram& program, Vector& xi) {
    slack = program.centre(xi);
    return true;
  });
}

bool AdmissibleForces::push(const Vector& goal, Vector& lambda) {
  bool bounded = true;
  repeat(lambda, [&](ForceProgram& program, Vector& xi) {
    return bounded = program.push(column_scale_.cwiseProduct(goal), slack_, tolerance, xi);
  });
  return bounded;
}

void AdmissibleForces::range(int row, double& least, double& largest) {
  range(Vector::Unit(lambda_.size(), row), least, largest);
}

void AdmissibleForces::range(const Vector& goal, double& least, double& largest) {
  const double here = goal.dot(lambda_);
  least = largest = here;
  const Vector scaled = column_scale_.cwiseProduct(goal);
  if (!admissible() || scaled.norm() == 0) return;
  for (int choice = 0; choice < side_choices(); ++choice) {
    take_sides(choice);
    Vector centre_of = lambda_;
    double slack = slack_;
    if (side_choices() > 1) {
      centre_of = column_scale_.cwiseProduct(base_);
      if (!centre(centre_of, slack) || slack < -tolerance) continue;
    }
    for (const double sign : {1.0, -1.0}) {
      Vector lambda = centre_of;
      const bool bounded = push(sign * goal, lambda);
      const double value = bounded ? goal.dot(lambda) : sign * infinity;
      (sign > 0 ? largest : least) = sign > 0 ? std::max(largest, value) : std::min(least, value);
    }
  }
  // Round-off of the programs is no range, and no force.
  const double size = scale_ * scaled.norm();
  if (largest - least <= 1e-12 * size) least = largest = here;
  for (double* end : {&least, &largest})
    if (std::abs(*end) <= 1e-14 * size) *end = 0;
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

double AdmissibleForces::friction_force(int unit, const Vector& lambda) const {
  const int directions = m_.system().frictions[at(unit)].directions;
  const auto held = lambda.segment(m_.stick_row(unit), directions);
  return directions == 1 ? held[0] : held.norm();
}

double AdmissibleForces::limit(int unit, const Vector& lambda) const {
  return m_.system().frictions[at(unit)].law.mu_static() * normal_force(unit, lambda);
}

}  // namespace hstar

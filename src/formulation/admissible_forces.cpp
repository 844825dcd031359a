// src/formulation/admissible_forces.cpp
#include "formulation/admissible_forces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "formulation/tolerances.hpp"

namespace hstar {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
/// More guides than this are tried on the side of their least-norm force only.
constexpr int most_guides = 6;
constexpr double infinity = std::numeric_limits<double>::infinity();
std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

AdmissibleForces::AdmissibleForces(const ModeEquations& equations, const Mode& mode,
                                   const std::vector<double>& acceleration, double least_scale)
    : equations_(equations),
      mode_(mode),
      least_scale_(least_scale),
      load_(-Eigen::Map<const Vector>(equations.load().data(), static_cast<long>(equations.load().size()))),
      lambda_(Vector::Zero(equations.rows.count())) {
  for (std::size_t k = 0; k < acceleration.size(); ++k)
    if (equations.motion.mass()[k] > 0) load_[static_cast<long>(k)] += equations.motion.mass()[k] * acceleration[k];
  list_cones();
  if (!linearise(lambda_)) return;
  const Vector start = lambda_ = balanced_->shortest();
  if (!balanced()) return;
  for (int choice = 0; choice < side_choices(); ++choice) {
    Vector lambda = start;
    take_sides(choice);
    double slack = -infinity;
    const bool exist = repeat(lambda, [&](const contact::ForceProgram& program) {
      slack = program.centre(lambda);
      return true;
    });
    if (!exist || !(slack > slack_ || choice == 0)) continue;
    slack_ = slack;
    lambda_ = lambda;
  }
}

void AdmissibleForces::list_cones() {
  const System& s = equations_.system();
  for (int c = 0; c < static_cast<int>(s.contacts.size()); ++c)
    if (const int row = equations_.rows.of_contact(c); row >= 0) cones_.emplace_back().row = row;
  for (int u = 0; u < static_cast<int>(s.frictions.size()); ++u) {
    const FrictionUnit& unit = s.frictions[at(u)];
    const FrictionMode& mode = mode_.friction[at(u)];
    if (mode.slide == Slide::slip && unit.joint >= 0 && !unit.normal_force) linear_ = false;
    // (A contact that touches without load has no friction to hold by.)
    if (mode.slide != Slide::stick || equations_.rows.of_stuck(u) < 0) continue;
    contact::ForceCone& cone = cones_.emplace_back();
    cone.row = equations_.rows.of_stuck(u);
    cone.directions = unit.directions;
    cone.mu = unit.mu_static(equations_.motion.kinematics());
    if (unit.normal_force) {
      cone.given = normal_force(u, lambda_);
    } else if (unit.contact >= 0) {
      cone.rows = {equations_.rows.of_contact(unit.contact)};
      cone.slope = {unit.lever};
    } else {
      const Joint& joint = *s.joints[at(unit.joint)];
      for (int i = 0; i < joint.rows(); ++i) cone.rows.push_back(s.joint_row[at(unit.joint)] + i);
      cone.slope.resize(std::max<std::size_t>(cone.rows.size(), 4));
      reactions_.push_back({cones_.size() - 1, u, joint.side_row() >= 0 && mode.side == 0, mode.side});
    }
  }
}

int AdmissibleForces::side_choices() const {
  const auto guides = std::count_if(reactions_.begin(), reactions_.end(), [](const auto& r) { return r.both_sides; });
  return guides > most_guides ? 1 : 1 << guides;
}

void AdmissibleForces::take_sides(int choice) {
  const bool all = side_choices() > 1;
  for (Reaction& reaction : reactions_) {
    if (!reaction.both_sides) continue;
    reaction.side = static_cast<signed char>(!all ? 0 : choice % 2 == 0 ? 1 : -1);
    choice /= 2;
  }
}

bool AdmissibleForces::linearise(const Vector& lambda) {
  const System& s = equations_.system();
  Matrix A = Matrix::Zero(load_.size(), lambda.size());
  Vector load = load_, along(load_.size());
  const auto direction = [&](const Row& row) {
    along.setZero();
    row.add(1, along.data(), equations_.system().columns);
  };
  for (int i = 0; i < lambda.size(); ++i) {
    direction(equations_.rows[i]);
    A.col(i) += along;
  }
  std::vector<double> slope;
  for (int u = 0; u < static_cast<int>(s.frictions.size()); ++u) {
    SlideForce force;
    if (!slide_force(equations_.motion, mode_, u, force)) continue;
    direction(force.row);
    load -= force.known * along;
    if (force.coefficient == 0) continue;
    const FrictionUnit& unit = s.frictions[at(u)];
    if (unit.contact >= 0) {
      A.col(equations_.rows.of_contact(unit.contact)) += force.coefficient * along;
      continue;
    }
    const Joint& joint = *s.joints[at(unit.joint)];
    const int first = s.joint_row[at(unit.joint)];
    slope.assign(static_cast<std::size_t>(std::max(joint.rows(), 4)), 0.0);
    double normal = joint.normal_force(lambda.data() + first, mode_.friction[at(u)].side, slope.data());
    for (int i = 0; i < joint.rows(); ++i) {
      A.col(first + i) += force.coefficient * slope[at(i)] * along;
      normal -= slope[at(i)] * lambda[first + i];
    }
    load -= force.coefficient * normal * along;
  }
  // Moments count over the model's length; what has no freedom does not count.
  for (std::size_t k = 0; k < equations_.motion.mass().size(); ++k) {
    const auto i = static_cast<long>(k);
    const double size = equations_.motion.mass()[k] < 0 ? 0 : s.turns(static_cast<int>(k) % s.columns) ? 1 : s.length;
    load[i] *= size;
    A.row(i) *= size;
  }
  if (!A.allFinite() || !load.allFinite()) return false;
  balanced_.emplace(A, load, least_scale_);
  imbalance_ = load_.size() == 0 ? 0 : balanced_->left.lpNorm<Eigen::Infinity>() / balanced_->scale;
  return true;
}

/// Repeats `solve` with the cones linear about the forces it finds, until those stay. False: they do not exist.
bool AdmissibleForces::repeat(Vector& lambda, const std::function<bool(const contact::ForceProgram&)>& solve) {
  const System& s = equations_.system();
  constexpr int most_repetitions = 60;
  double last = infinity;
  for (int repetition = 0; repetition < most_repetitions; ++repetition) {
    if (!linear_ && !linearise(lambda)) return false;
    bool curved = !linear_;
    for (const Reaction& reaction : reactions_) {
      const FrictionUnit& unit = s.frictions[at(reaction.unit)];
      const Joint& joint = *s.joints[at(unit.joint)];
      contact::ForceCone& cone = cones_[reaction.cone];
      joint.normal_force(lambda.data() + cone.rows[0], reaction.side, cone.slope.data());
      for (double& x : cone.slope) x *= unit.lever;
      curved |= joint.side_row() < 0;
    }
    const Vector before = lambda;
    if (!solve(contact::ForceProgram(cones_, *balanced_))) return false;
    if (!curved) break;
    const double change =
        (lambda - before).cwiseQuotient(balanced_->column).lpNorm<Eigen::Infinity>() / balanced_->scale;
    if (change <= formulation::ended || (change <= formulation::near_end && change >= last)) break;
    last = change;
  }
  return true;
}

void AdmissibleForces::range(int row, double& least, double& largest) {
  range(Vector::Unit(lambda_.size(), row), least, largest);
}

void AdmissibleForces::range(const Vector& goal, double& least, double& largest) {
  const double here = goal.dot(lambda_);
  least = largest = here;
  if (!admissible() || goal.isZero(0)) return;
  for (int choice = 0; choice < side_choices(); ++choice) {
    take_sides(choice);
    Vector centre = lambda_;
    if (side_choices() > 1) {
      centre = balanced_->shortest();
      double slack = -infinity;
      const bool exist = repeat(centre, [&](const contact::ForceProgram& program) {
        slack = program.centre(centre);
        return true;
      });
      if (!exist || slack < -tolerance) continue;
    }
    for (const double sign : {1.0, -1.0}) {
      Vector lambda = centre;
      bool bounded = true;
      repeat(lambda, [&](const contact::ForceProgram& program) { return bounded = program.push(sign * goal, lambda); });
      const double value = bounded ? goal.dot(lambda) : sign * infinity;
      (sign > 0 ? largest : least) = sign > 0 ? std::max(largest, value) : std::min(least, value);
    }
  }
  const double size = balanced_->scale * balanced_->column.cwiseProduct(goal).norm();
  if (largest - least <= formulation::narrow * size) least = largest = here;
  for (double* end : {&least, &largest})
    if (std::abs(*end) <= formulation::no_force * size) *end = 0;
}

double AdmissibleForces::normal_force(int unit, const Vector& lambda) const {
  const System& s = equations_.system();
  const FrictionUnit& u = s.frictions[at(unit)];
  if (u.normal_force) return u.given_normal(equations_.motion.kinematics());
  if (u.contact >= 0) {
    const int row = equations_.rows.of_contact(u.contact);
    return row < 0 ? 0.0 : u.lever * lambda[row];
  }
  const Joint& joint = *s.joints[at(u.joint)];
  std::vector<double> slope(at(std::max(joint.rows(), 4)));
  return u.lever * joint.normal_force(lambda.data() + s.joint_row[at(u.joint)], 0, slope.data());
}

double AdmissibleForces::limit(int unit, const Vector& lambda) const {
  return equations_.system().frictions[at(unit)].mu_static(equations_.motion.kinematics()) * normal_force(unit, lambda);
}

}  // namespace hstar

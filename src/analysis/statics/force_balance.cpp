// src/analysis/statics/force_balance.cpp
#include "analysis/statics/force_balance.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analysis/statics/tolerances.hpp"
#include "transition/mode_problem.hpp"

namespace hstar {
namespace {

Mode nothing_closed(const System& s) {
  Mode mode;
  mode.closed.assign(s.contacts.size(), 0);
  mode.friction.assign(s.frictions.size(), {});
  return mode;
}

/// What is within rows x columns; extra states that only count turns are beyond.
Eigen::MatrixXd dense(const DaeEntries& entries, int rows, int columns) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(rows, columns);
  for (const DaeEntry& e : entries)
    if (e.row < rows && e.column < columns) out(e.row, e.column) += e.value;
  return out;
}

}  // namespace

ForceBalance::ForceBalance(std::shared_ptr<const System> system, double time)
    : t(time),
      y(system->initial_state()),
      mode(nothing_closed(*system)),
      system_(std::move(system)),
      dae_(system_, mode, DaeForm::index3),
      equations_(system_, false),
      coordinates_(*system_),
      size_(system_->nv) {
  for (const Body& body : system_->bodies)
    for (int c = 0; c < body.dofs; ++c) size_[body.dof + c] = system_->turns(c) ? 1.0 : system_->length;
  dae_.share_slide_references(equations_);
  choose_rows();
}

void ForceBalance::choose_rows() {
  dae_.begin(t, y.data());
  equations_.rows.choose(mode);
}

std::vector<double> ForceBalance::by_slot(const Vector& x) const {
  std::vector<double> out(system_->slots(), 0.0);
  for (const Freedom& f : equations_.motion.freedoms()) out[f.slot] = x[f.velocity];
  return out;
}

void ForceBalance::move(const Vector& change) { system_->displace(by_slot(change).data(), 1.0, y.data()); }

bool ForceBalance::evaluate(const Vector& lambda) {
  equations_.motion.evaluate(t, y.data());
  follow_turns(*system_, equations_.motion.kinematics(), y.data());
  return dae_.evaluate(t, y.data(), lambda.data()) && force().allFinite();
}

ForceBalance::Vector ForceBalance::positions() const {
  Vector phi(rows());
  equations_.rows.positions(phi.data());
  return phi;
}

ForceBalance::Matrix ForceBalance::jacobian() {
  DaeEntries entries;
  dae_.jacobian(entries);
  return dense(entries, rows(), system_->nv);
}

ForceBalance::Slopes ForceBalance::slopes() {
  DaeSlopes d;
  dae_.differentiate(nullptr, d);
  const int n = system_->nv, k = written_states(*system_);
  double largest = 0;
  for (const DaeEntry& e : d.force_q) largest = std::max(largest, std::abs(e.value) * size_[e.row] * size_[e.column]);
  return {dense(d.force_q, n, n), dense(d.force_v, n, n), dense(d.force_s, n, k), dense(d.force_lambda, n, rows()),
          dense(d.rate_q, k, n),  dense(d.rate_v, k, n),  dense(d.rate_s, k, k),  largest};
}

AdmissibleForces ForceBalance::admissible_forces(const Vector& acceleration) {
  evaluate(Vector::Zero(rows()));
  // Forces that cancel have the round-off of what they change by over the mechanism's size.
  const double cancels = statics::cancelled * slopes().stiffness_size;
  equations_.evaluate(t, y.data());
  equations_.rows.fill();
  return {equations_, mode, acceleration.size() > 0 ? by_slot(acceleration) : std::vector<double>(), cancels};
}

std::optional<ForceBalance::Vector> ForceBalance::forces_of_run() {
  ModeProblem problem;
  problem.contacts.resize(mode.closed.size());
  problem.units.resize(mode.friction.size());
  for (std::size_t c = 0; c < mode.closed.size(); ++c) problem.contacts[c].touching = mode.closed[c] != 0;
  for (std::size_t u = 0; u < mode.friction.size(); ++u)
    problem.units[u].at_zero = mode.friction[u].slide == Slide::stick;
  equations_.evaluate(t, y.data());
  ModeSolver solver(equations_);
  Mode decided = mode;
  bool rests = solver.accelerations(problem, decided, false).found;
  for (std::size_t c = 0; c < mode.closed.size(); ++c) rests &= (mode.closed[c] != 0) == (decided.closed[c] != 0);
  for (std::size_t u = 0; u < mode.friction.size(); ++u) rests &= mode.friction[u].slide == decided.friction[u].slide;
  std::optional<Vector> lambda;
  if (rests) lambda = Eigen::Map<const Vector>(equations_.multipliers().data(), rows());
  equations_.rows.choose(mode);
  equations_.rows.fill();
  return lambda;
}

ForceBalance::Vector ForceBalance::slide_velocity(int unit) const {
  Vector gamma(system_->frictions[unit].directions);
  equations_.motion.slide_velocities(unit, gamma.data());
  return gamma;
}

ForceBalance::Vector ForceBalance::slide_acceleration(int unit, const Vector& acceleration) const {
  const std::vector<double> a = by_slot(acceleration);
  Vector out(system_->frictions[unit].directions);
  long k = 0;
  for (const Row& row : equations_.motion.tangents(unit)) out[k++] = row.times(a.data(), system_->columns) - row.gamma;
  return out;
}

FrictionMode ForceBalance::sliding(int unit, const Vector& direction, double speed, double floor) {
  FrictionMode out;
  out.slide = Slide::slip;
  out.direction = direction.size() > 1 || direction[0] > 0 ? 1 : -1;
  out.piece = static_cast<short>(system_->frictions[unit].law.piece_of(std::abs(speed), 1));
  if (direction.size() > 1) equations_.motion.reference(unit).slide(direction.data(), speed, floor);
  return out;
}

double ForceBalance::coordinate(int i) {
  equations_.motion.evaluate(t, y.data());
  return coordinates_.value(i, y.data(), equations_.motion.kinematics());
}

Eigen::RowVectorXd ForceBalance::coordinate_row(int i) {
  equations_.motion.evaluate(t, y.data());
  return coordinates_.row(i, y.data(), equations_.motion.kinematics());
}

std::vector<double> ForceBalance::joint_reaction(int joint, const Vector& lambda) {
  const auto j = static_cast<std::size_t>(joint);
  const double* own = lambda.data() + system_->joint_row[j];
  const Joint& element = *system_->joints[j];
  if (!system_->is_spatial()) {
    const auto planar = element.reaction(equations_.motion.kinematics(), own);
    return {planar.begin(), planar.end()};
  }
  equations_.rows.fill();
  const auto wrench = element.wrench(equations_.motion.kinematics(), &equations_.rows[system_->joint_row[j]], own);
  return {wrench.begin(), wrench.end()};
}

std::string ForceBalance::unit_name(int unit) const {
  const FrictionUnit& u = system_->frictions[unit];
  return u.joint >= 0 ? system_->joints[u.joint]->name : system_->contacts[u.contact]->name;
}

}  // namespace hstar

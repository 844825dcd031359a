// src/analysis/statics/force_balance.cpp
#include "analysis/statics/force_balance.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "transition/mode_problem.hpp"

namespace hstar {
namespace {

/// Part of a change over the mechanism's size that counts among forces that cancel.
constexpr double cancelled = 1e-4;

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
  rotation_.resize(static_cast<std::size_t>(freedoms()));
  for (const Body& body : system_->bodies)
    for (int c = 0; c < body.dofs; ++c) {
      rotation_[static_cast<std::size_t>(body.dof + c)] = system_->turns(c);
      size_[body.dof + c] = system_->turns(c) ? 1.0 : system_->length;
    }
  dae_.share_slide_references(equations_);
  choose_rows();
}

void ForceBalance::choose_rows() {
  dae_.begin(t, y.data());
  equations_.choose_rows(mode);
}

void ForceBalance::stop() { std::fill_n(y.begin() + system_->nq, freedoms(), 0.0); }

std::vector<double> ForceBalance::by_slot(const Vector& x) const {
  std::vector<double> out(system_->slots(), 0.0);
  for (std::size_t b = 0; b < system_->bodies.size(); ++b)
    for (int c = 0; c < system_->bodies[b].dofs; ++c) out[system_->slot(b, c)] = x[system_->bodies[b].dof + c];
  return out;
}

void ForceBalance::move(const Vector& change) { system_->displace(by_slot(change).data(), 1.0, y.data()); }

bool ForceBalance::evaluate(const Vector& lambda) {
  equations_.evaluate_kinematics(t, y.data());
  follow_turns(*system_, equations_.kinematics(), y.data());
  return dae_.evaluate(t, y.data(), lambda.data()) && force().allFinite();
}

ForceBalance::Vector ForceBalance::positions() const {
  Vector phi(rows());
  equations_.positions(phi.data());
  return phi;
}

ForceBalance::Matrix ForceBalance::jacobian() {
  DaeEntries entries;
  dae_.jacobian(entries);
  return dense(entries, rows(), freedoms());
}

ForceBalance::Slopes ForceBalance::slopes() {
  DaeSlopes d;
  dae_.differentiate(nullptr, d);
  const int n = freedoms(), k = states();
  double largest = 0;
  for (const DaeEntry& e : d.force_q) largest = std::max(largest, std::abs(e.value) * size_[e.row] * size_[e.column]);
  return {dense(d.force_q, n, n), dense(d.force_v, n, n), dense(d.force_s, n, k), dense(d.force_lambda, n, rows()),
          dense(d.rate_q, k, n),  dense(d.rate_v, k, n),  dense(d.rate_s, k, k),  largest};
}

AdmissibleForces ForceBalance::admissible_forces(const Vector& acceleration) {
  evaluate(Vector::Zero(rows()));
  // Forces that cancel have the round-off of what they change by over the mechanism's size.
  const double cancels = cancelled * slopes().stiffness_size;
  equations_.evaluate(t, y.data());
  equations_.fill_rows(mode);
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
  equations_.choose_rows(mode);
  equations_.fill_rows(mode);
  return lambda;
}

double ForceBalance::open_gap(int contact) const {
  return system_->contacts[static_cast<std::size_t>(contact)]->open_gap(equations_.kinematics());
}

bool ForceBalance::has_range(int contact) const {
  return system_->contacts[static_cast<std::size_t>(contact)]->has_range();
}

bool ForceBalance::in_range(int contact) const {
  const Contact& c = *system_->contacts[static_cast<std::size_t>(contact)];
  return !c.has_range() || c.range(equations_.kinematics()) >= -1e-12 * system_->length;
}

ForceBalance::Vector ForceBalance::slide_velocity(int unit) const {
  Vector gamma(system_->frictions[static_cast<std::size_t>(unit)].directions);
  equations_.slide_velocities(unit, gamma.data());
  return gamma;
}

ForceBalance::Vector ForceBalance::slide_acceleration(int unit, const Vector& acceleration) const {
  std::array<Row, most_directions> rows;
  equations_.tangent_rows(unit, rows.data());
  Vector out(system_->frictions[static_cast<std::size_t>(unit)].directions);
  for (long k = 0; k < out.size(); ++k) {
    const Row& row = rows[static_cast<std::size_t>(k)];
    out[k] = -row.gamma;
    for (std::size_t i = 0; i < 2; ++i) {
      const Body& body = system_->bodies[static_cast<std::size_t>(row.body[i])];
      for (int c = 0; c < body.dofs; ++c) out[k] += row.J[i][c] * acceleration[body.dof + c];
    }
  }
  return out;
}

FrictionMode ForceBalance::sliding(int unit, const Vector& direction, double speed, double floor) {
  FrictionMode out;
  out.slide = Slide::slip;
  out.direction = direction.size() > 1 || direction[0] > 0 ? 1 : -1;
  out.piece = static_cast<short>(system_->frictions[static_cast<std::size_t>(unit)].law.piece_of(std::abs(speed), 1));
  if (direction.size() > 1) equations_.set_slide_reference(unit, direction.data(), speed, floor);
  return out;
}

ForceBalance::Vector ForceBalance::sliding_force(int unit, double N) const {
  const auto u = static_cast<std::size_t>(unit);
  const FrictionUnit& own = system_->frictions[u];
  const Vector gamma = slide_velocity(unit);
  const double speed = gamma.norm();
  Vector d(gamma.size());
  if (d.size() > 1) {
    Row row;
    equations_.tangent_row(unit, row, d.data());
  } else {
    d[0] = mode.friction[u].direction;
  }
  const double mu = own.mu_kinetic(speed, mode.friction[u].piece, kinematics());
  return -(mu * N + own.law.viscous() * speed) * d;
}

ForceBalance::FrictionWrench ForceBalance::friction_wrench(int unit) const {
  std::array<Row, most_directions> rows;
  equations_.tangent_rows(unit, rows.data());
  const int k = system_->frictions[static_cast<std::size_t>(unit)].directions;
  FrictionWrench out{Matrix::Zero(3, k), Matrix::Zero(3, k)};
  for (int i = 0; i < k; ++i) {
    const Row& row = rows[static_cast<std::size_t>(i)];
    // Rows leave prescribed bodies out.
    const auto prescribed = [&](std::size_t b) {
      return system_->bodies[static_cast<std::size_t>(row.body[b])].prescribed;
    };
    const std::size_t b = prescribed(1) ? 0 : 1;
    const double sign = b == 1 ? 1 : -1;
    const SpatialMotion& motion = kinematics().spatial_of(row.body[b]);
    const Vec3 along{row.J[b][0], row.J[b][1], row.J[b][2]};
    const Vec3 about = motion.global({row.J[b][3], row.J[b][4], row.J[b][5]});
    const bool slides = along != Vec3{0, 0, 0};
    for (int c = 0; c < 3; ++c) {
      const auto at = static_cast<std::size_t>(c);
      (slides ? out.force : out.torque)(c, i) = sign * (slides ? along : about)[at];
    }
  }
  return out;
}

double ForceBalance::row_rate(int row) {
  equations_.fill_rows(mode);
  return equations_.row(row).nu;
}

double ForceBalance::coordinate(int i) {
  equations_.evaluate_kinematics(t, y.data());
  return coordinates_.value(i, y.data(), equations_.kinematics());
}

Eigen::RowVectorXd ForceBalance::coordinate_row(int i) {
  equations_.evaluate_kinematics(t, y.data());
  return coordinates_.row(i, y.data(), equations_.kinematics());
}

std::vector<double> ForceBalance::joint_reaction(int joint, const Vector& lambda) {
  const auto j = static_cast<std::size_t>(joint);
  const double* own = lambda.data() + system_->joint_row[j];
  const Joint& element = *system_->joints[j];
  if (!system_->is_spatial()) {
    const auto planar = element.reaction(equations_.kinematics(), own);
    return {planar.begin(), planar.end()};
  }
  equations_.fill_rows(mode);
  const auto wrench = element.wrench(equations_.kinematics(), &equations_.row(system_->joint_row[j]), own);
  return {wrench.begin(), wrench.end()};
}

std::string ForceBalance::unit_name(int unit) const {
  const FrictionUnit& u = system_->frictions[static_cast<std::size_t>(unit)];
  return u.joint >= 0 ? system_->joints[static_cast<std::size_t>(u.joint)]->name
                      : system_->contacts[static_cast<std::size_t>(u.contact)]->name;
}

}  // namespace hstar

// src/formulation/mode_slide.cpp: how friction units slide - their velocity, and with several directions the one they
// slide in, d = sign(gamma_T . d_ref) gamma_T / |gamma_T| (docs/spatial-friction.md, way a').
#include <algorithm>
#include <cmath>

#include "formulation/mode_equations.hpp"
#include "formulation/tolerances.hpp"

namespace hstar {
namespace {
using formulation::crept;
using formulation::stopped;
/// A direction held at the beginning of a slide is let go gradually, until the speed is so many times that up to which
/// it is held: the friction does not jump.
constexpr double let_go = 2;
}  // namespace

void ModeEquations::set_slide_reference(int unit, const double* direction, double speed, double floor) {
  SlideReference& r = (*reference_)[unit];
  r.largest = std::max(r.largest, speed);
  r.speed = speed;
  r.floor = std::max(floor, crept * r.largest);
  set_slide_direction(unit, direction);
}

void ModeEquations::set_slide_floor(int unit, double floor) {
  (*reference_)[unit].speed = 0;
  (*reference_)[unit].floor = floor;
}

void ModeEquations::raise_slide_floor(int unit, double floor) {
  double& now = (*reference_)[unit].floor;
  now = std::max(now, floor);
}

void ModeEquations::set_slide_direction(int unit, const double* direction) {
  SlideReference& r = (*reference_)[unit];
  const int k = system_->frictions[unit].directions;
  double size = 0;
  for (int i = 0; i < k; ++i) size = std::hypot(size, direction[i]);
  if (!(size > 0)) return;
  for (int i = 0; i < k; ++i) r.direction[i] = direction[i] / size;
}

void ModeEquations::update_slide_references(const Mode& mode) {
  for (std::size_t u = 0; u < reference_->size(); ++u) {
    const int k = system_->frictions[u].directions;
    if (k == 1 || mode.friction[u].slide != Slide::slip) continue;
    const SlideReference& r = (*reference_)[u];
    std::array<double, most_directions> gamma{};
    const double speed = slide_velocities(static_cast<int>(u), gamma.data());
    double along = 0;
    for (int i = 0; i < k; ++i) along += gamma[i] * r.direction[i];
    // Where gamma_T . d_ref has just come to zero an event says what follows.
    const double held = r.speed > 0 ? std::max(stopped * r.speed, r.floor) : let_go * r.floor;
    if (along > held) set_slide_reference(static_cast<int>(u), gamma.data(), speed, 0);
  }
}

void ModeEquations::tangent_rows(int unit, Row* rows) const {
  const auto u = static_cast<std::size_t>(unit);
  if (system_->frictions[u].velocity_is_linear)
    rows[0] = tangent_row_[u];
  else
    compute_tangent_rows(unit, rows);
}

void ModeEquations::tangent_row(int unit, Row& row, double* direction) const {
  const auto u = static_cast<std::size_t>(unit);
  const int k = system_->frictions[u].directions;
  if (k == 1) {
    tangent_rows(unit, &row);
    if (direction) direction[0] = 1;
    return;
  }
  std::array<Row, most_directions> rows;
  compute_tangent_rows(unit, rows.data());
  const SlideReference& r = (*reference_)[u];
  std::array<double, most_directions> d = r.direction, gamma{};
  double speed = 0, along = 0;
  for (int i = 0; i < k; ++i) {
    const auto c = static_cast<std::size_t>(i);
    gamma[c] = free_speed(rows[c]);
    speed = std::hypot(speed, gamma[c]);
    along += gamma[c] * d[c];
  }
  if (const double held = std::max(stopped * r.speed, r.floor); speed > held) {
    double weight = 1, size = 0;
    if (!(r.speed > 0) && speed < let_go * held) {
      const double x = (speed / held - 1) / (let_go - 1);
      weight = x * x * (3 - 2 * x);
    }
    for (std::size_t c = 0; c < static_cast<std::size_t>(k); ++c) {
      d[c] = (1 - weight) * d[c] + weight * (along < 0 ? -gamma[c] : gamma[c]) / speed;
      size = std::hypot(size, d[c]);
    }
    if (weight < 1)
      for (std::size_t c = 0; c < static_cast<std::size_t>(k); ++c) d[c] /= size;
  }
  row = Row{};
  row.body = rows[0].body;
  for (std::size_t c = 0; c < static_cast<std::size_t>(k); ++c) {
    for (std::size_t i = 0; i < 2; ++i)
      for (int j = 0; j < system_->columns; ++j) row.J[i][j] += d[c] * rows[c].J[i][j];
    row.nu += d[c] * rows[c].nu;
    row.gamma += d[c] * rows[c].gamma;
  }
  if (direction) std::copy(d.begin(), d.begin() + k, direction);
}

double ModeEquations::slide_velocity(int unit) const {
  const auto u = static_cast<std::size_t>(unit);
  if (system_->frictions[u].velocity_is_linear) return free_speed(tangent_row_[u]);
  Row row;
  tangent_row(unit, row);
  return free_speed(row);
}

double ModeEquations::slide_velocity(int unit, const double* y) const {
  const Row& row = tangent_row_[unit];
  double sum = -row.nu;
  for (std::size_t i = 0; i < 2; ++i) {
    const Body& body = system_->bodies[row.body[i]];
    const double* v = y + system_->nq + body.dof;
    for (int c = 0; c < body.dofs; ++c) sum += row.J[i][c] * v[c];
  }
  return sum;
}

double ModeEquations::slide_velocities(int unit, double* gamma) const {
  std::array<Row, most_directions> rows;
  tangent_rows(unit, rows.data());
  double speed = 0;
  for (int i = 0; i < system_->frictions[unit].directions; ++i) {
    gamma[i] = free_speed(rows[i]);
    speed = std::hypot(speed, gamma[i]);
  }
  return speed;
}

double ModeEquations::slide_speed(int unit) const {
  std::array<double, most_directions> gamma;
  return slide_velocities(unit, gamma.data());
}

double ModeEquations::slide_along_reference(int unit) const {
  const auto u = static_cast<std::size_t>(unit);
  const int k = system_->frictions[u].directions;
  if (k == 1) return slide_velocity(unit);
  std::array<double, most_directions> gamma;
  slide_velocities(unit, gamma.data());
  double sum = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) sum += gamma[i] * (*reference_)[u].direction[i];
  return sum;
}

double ModeEquations::held_force(int unit) const {
  if (stick_row_[unit] < 0) return 0;  // its contact touches without force
  const auto row = static_cast<std::size_t>(stick_row_[unit]);
  const int k = system_->frictions[unit].directions;
  if (k == 1) return lambda_[row];
  double size = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) size = std::hypot(size, lambda_[row + i]);
  return size;
}

void ModeEquations::friction_forces(int unit, double* lambda) const {
  const auto u = static_cast<std::size_t>(unit);
  const int k = system_->frictions[u].directions;
  if (k == 1) {
    lambda[0] = friction_[u];
  } else if (stick_row_[u] >= 0) {
    std::copy_n(lambda_.begin() + stick_row_[u], k, lambda);
  } else {
    for (int i = 0; i < k; ++i) lambda[i] = friction_[u] * slide_direction_[u][i];
  }
}

}  // namespace hstar

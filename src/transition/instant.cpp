// src/transition/instant.cpp
#include "transition/instant.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace hstar {

Instant::Instant(const ModeEquations& equations)
    : equations_(equations),
      size_(static_cast<std::size_t>(equations.system().nv), 0.0),
      struck_(equations.system().bodies.size(), 0) {}

void Instant::start(double t) {
  t_ = t;
  span_ = 0;
}

double Instant::radius_of(const Freedom& f) const {
  const double mass = equations_.motion.mass()[f.slot],
               whole = equations_.motion.mass()[equations_.system().slot(f.body, 0)];
  return mass > 0 && whole > 0 ? std::sqrt(mass / whole) : 0.0;
}

void Instant::begin(double t, std::span<const double> y) {
  const System& s = equations_.system();
  if (t > t_) span_ = t - t_;
  t_ = t;
  // Forces of one body reach the others through reactions: the largest acceleration stands for all. Of a rotation the
  // speed is that at the radius of gyration.
  double fastest = 0;
  for (const Freedom& f : equations_.motion.freedoms())
    if (const double radius = radius_of(f); radius > 0)
      fastest = std::max(fastest, radius * std::abs(equations_.load()[f.slot]) / equations_.motion.mass()[f.slot]);
  for (const Freedom& f : equations_.motion.freedoms()) {
    const double radius = radius_of(f), speed = std::abs(y[s.nq + f.velocity]);
    size_[f.velocity] = speed + (radius > 0 ? span_ * fastest / radius : 0.0);
    fastest_[f.turns] = std::max(fastest_[f.turns], speed);
  }
  pass();
  given_ = 0;
}

void Instant::pass() {
  std::fill(struck_.begin(), struck_.end(), 0);
  all_jumped_ = false;
}

void Instant::reset(std::span<const double> y) {
  const auto first = static_cast<std::size_t>(equations_.system().nq);
  for (std::size_t i = 0; i < size_.size(); ++i) size_[i] += std::abs(y[first + i]);
  all_jumped_ = true;
}

void Instant::jump(const std::vector<double>& jumps) {
  for (const Freedom& f : equations_.motion.freedoms()) {
    size_[f.velocity] += jumps[f.slot];
    if (jumps[f.slot] > 0) struck_[f.body] = 1;
  }
}

bool Instant::jumped() const {
  return all_jumped_ || std::any_of(struck_.begin(), struck_.end(), [](char struck) { return struck != 0; });
}

void Instant::strike(const Row& row) {
  const System& s = equations_.system();
  std::array<double, 2> size{}, answer{};  // along the row; the velocity that an impulse gives
  for (std::size_t b = 0; b < 2; ++b)
    for (int c = 0; c < s.bodies[row.body[b]].dofs; ++c) {
      const double J = row.J[b][c], mass = equations_.motion.mass()[s.slot(row.body[b], c)];
      size[b] += std::abs(J) * size_[s.bodies[row.body[b]].dof + c];
      if (mass > 0) answer[b] += J * J / mass;
    }
  for (std::size_t b = 0; b < 2; ++b) {
    const double impulse = size[1 - b] > 0 ? 2 * size[1 - b] / (answer[0] + answer[1]) : 0;  // (restitution: up to 2)
    for (int c = 0; c < s.bodies[row.body[b]].dofs; ++c) {
      const double mass = equations_.motion.mass()[s.slot(row.body[b], c)];
      double& met = size_[s.bodies[row.body[b]].dof + c];
      if (mass > 0) met = std::max(met, std::abs(row.J[b][c]) / mass * impulse);
    }
  }
}

void Instant::put_on(const Row& row) {
  const double left = std::abs(equations_.motion.free_speed(row));
  if (left <= zero_speed(row)) return;
  const System& s = equations_.system();
  double terms = 0;
  for (std::size_t b = 0; b < 2; ++b)
    for (int c = 0; c < s.bodies[row.body[b]].dofs; ++c) terms += std::abs(row.J[b][c]);
  // (The next evaluation may leave as much again.)
  const double size = 2 * left / (tolerances::zero_velocity * terms);
  for (std::size_t b = 0; b < 2; ++b) {
    const Body& body = s.bodies[row.body[b]];
    for (int c = 0; c < body.dofs; ++c)
      if (row.J[b][c] != 0) size_[body.dof + c] += size;
  }
}

double Instant::zero_slide(int unit) const {
  const System& s = equations_.system();
  const Kinematics& k = equations_.motion.kinematics();
  const int contact = s.frictions[unit].contact;
  double sum = contact >= 0 ? tolerances::zero_velocity * s.contacts[contact]->running_size(k) : 0;
  for (const Row& row : equations_.motion.tangents(unit))
    sum += zero_speed(row) + tolerances::zero_velocity * s.given_sizes(k, row).rate;
  return sum;
}

double Instant::fastest() const {
  double fastest = given_;
  for (const Freedom& f : equations_.motion.freedoms()) fastest = std::max(fastest, radius_of(f) * size_[f.velocity]);
  return fastest;
}

double Instant::speed_size(const Row& row) const {
  // A prescribed velocity is as uncertain as t. (Round-off of round-off of what has been is nothing, whatever else is
  // left now.)
  const System& s = equations_.system();
  const auto led = [&](int body) { return s.bodies[body].prescribed && !s.bodies[body].fixed; };
  double sum = std::abs(row.nu);
  if (row.nu != 0 || led(row.body[0]) || led(row.body[1]))
    sum += std::abs(row.gamma * equations_.motion.kinematics().t);
  given_ = std::max(given_, sum);
  for (std::size_t b = 0; b < 2; ++b) {
    const Body& body = s.bodies[row.body[b]];
    for (int c = 0; c < body.dofs; ++c)
      sum += std::abs(row.J[b][c]) * (size_[body.dof + c] + tolerances::zero_velocity * fastest_[s.turns(c) ? 1 : 0]);
  }
  return sum;
}

}  // namespace hstar

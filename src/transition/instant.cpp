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

void Instant::begin(double t, std::span<const double> y) {
  const System& s = equations_.system();
  if (t > t_) span_ = t - t_;
  t_ = t;
  // Forces of one body reach the others through reactions: the largest acceleration stands for all. Of a rotation the
  // speed is that at the radius of gyration.
  double fastest = 0;
  const auto each = [&](auto&& use) {
    for (std::size_t b = 0; b < s.bodies.size(); ++b)
      for (int c = 0; c < s.bodies[b].dofs; ++c) {
        const std::size_t slot = s.slot(b, c);
        const double mass = equations_.motion.mass()[slot], whole = equations_.motion.mass()[s.slot(b, 0)];
        const double radius = mass > 0 && whole > 0 ? std::sqrt(mass / whole) : 0.0;
        use(static_cast<std::size_t>(s.bodies[b].dof + c), slot, mass, radius);
      }
  };
  each([&](std::size_t, std::size_t slot, double mass, double radius) {
    if (radius > 0) fastest = std::max(fastest, radius * std::abs(equations_.load()[slot]) / mass);
  });
  each([&](std::size_t v, std::size_t, double, double radius) {
    size_[v] = std::abs(y[static_cast<std::size_t>(s.nq) + v]) + (radius > 0 ? span_ * fastest / radius : 0.0);
  });
  for (const Body& body : s.bodies)
    for (int c = 0; c < body.dofs; ++c) {
      double& fastest_so_far = fastest_[s.turns(c) ? 1 : 0];
      fastest_so_far = std::max(fastest_so_far, std::abs(y[s.nq + body.dof + c]));
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
  const System& s = equations_.system();
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) {
      size_[s.bodies[b].dof + c] += jumps[s.slot(b, c)];
      if (jumps[s.slot(b, c)] > 0) struck_[b] = 1;
    }
}

bool Instant::jumped() const {
  return all_jumped_ || std::any_of(struck_.begin(), struck_.end(), [](char struck) { return struck != 0; });
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
  std::array<Row, most_directions> rows;
  equations_.motion.tangent_rows(unit, rows.data());
  double sum = 0;
  for (int d = 0; d < equations_.system().frictions[unit].directions; ++d) sum += zero_speed(rows[d]);
  return sum;
}

double Instant::fastest() const {
  const System& s = equations_.system();
  double fastest = given_;
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) {
      const double mass = equations_.motion.mass()[s.slot(b, c)], whole = equations_.motion.mass()[s.slot(b, 0)];
      const double part = mass > 0 && whole > 0 ? std::sqrt(mass / whole) : 0.0;
      fastest = std::max(fastest, part * size_[s.bodies[b].dof + c]);
    }
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

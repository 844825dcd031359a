// src/transition/partings.cpp
#include "transition/partings.hpp"

#include <algorithm>
#include <cmath>

#include "transition/tolerances.hpp"

namespace hstar {

Partings::Partings(ModeEquations& equations, ModeSolver& solver, Later& later)
    : equations_(equations),
      solver_(solver),
      later_(later),
      slow_(equations.system().bodies.size()),
      y_(equations.system().size()) {
  touching_.reserve(equations.system().contacts.size());
  now_.reserve(equations.system().contacts.size());
}

void Partings::find_slow(const double* y, double speed) {
  const System& s = equations_.system();
  std::fill(slow_.begin(), slow_.end(), 1);
  for (const Freedom& f : equations_.motion.freedoms())
    if (!(std::abs(y[s.nq + f.velocity]) * f.arm <= tolerances::small_part * speed)) slow_[f.body] = 0;
}

double Partings::largest_acceleration() const {
  double largest = later_.largest_acceleration();
  for (const Freedom& f : equations_.motion.freedoms())
    if (const double mass = equations_.motion.mass()[f.slot]; mass > 0)
      largest = std::max(largest, std::abs(equations_.load()[f.slot]) / mass * f.arm);
  return largest;
}

double Partings::rate(std::size_t contact) const {
  return equations_.motion.normal_row(static_cast<int>(contact))
      .rate(equations_.acceleration().data(), equations_.system().columns);
}

bool Partings::set_in_motion(double t, const double* y, double largest, double speed, const Mode& mode) {
  const System& s = equations_.system();
  const double moment = tolerances::until_parted * later_.first_moment(largest);
  later_.begin(y);
  if (!later_.solve(mode, t, y, moment)) return false;
  double fastest = 0;
  const auto follows = [&](const Freedom& f) {
    return slow_[f.body] ? y[s.nq + f.velocity] + moment * equations_.acceleration()[f.slot] : 0.0;
  };
  for (const Freedom& f : equations_.motion.freedoms()) fastest = std::max(fastest, std::abs(follows(f)) * f.arm);
  if (!(fastest > contact::clear * largest * moment)) return false;
  std::copy(y, y + s.size(), y_.begin());
  for (const Freedom& f : equations_.motion.freedoms()) y_[s.nq + f.velocity] += speed * follows(f) / fastest;
  return true;
}

bool Partings::open(double t, const double* y, Mode& mode) {
  if (std::find(mode.closed.begin(), mode.closed.end(), unloaded) == mode.closed.end()) return false;
  equations_.evaluate(t, y);
  solver_.solve_in(mode);
  // At this speed what turns about the mechanism's length has the acceleration that forces give.
  const double largest = largest_acceleration(), speed = std::sqrt(equations_.system().length * largest);
  find_slow(y, speed);
  touching_.clear();
  now_.clear();
  for (std::size_t c = 0; c < mode.closed.size(); ++c) {
    const Contact& contact = *equations_.system().contacts[c];
    if (mode.closed[c] != unloaded || !slow_[contact.first] || !slow_[contact.second]) continue;
    touching_.push_back(c);
    now_.push_back(rate(c));
  }
  if (touching_.empty() || !(largest > 0) || !set_in_motion(t, y, largest, speed, mode)) return true;
  equations_.evaluate(t, y_.data());
  if (!equations_.solve(mode)) return true;
  double curved = 0;  // what rows of slow bodies turn by at this speed [m/s^2]
  for (int i = 0; i < equations_.rows.count(); ++i)
    if (const Row& row = equations_.rows[i]; slow_[row.body[0]] && slow_[row.body[1]])
      curved = std::max(curved, std::abs(row.gamma));
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    const double own = std::abs(equations_.motion.normal_row(static_cast<int>(touching_[i])).gamma),
                 clear = std::max(contact::clear * largest, tolerances::small_part * (own + curved));
    if (!(rate(touching_[i]) - now_[i] > clear)) continue;
    mode.closed[touching_[i]] = 0;
    for (std::size_t u = 0; u < mode.friction.size(); ++u)
      if (equations_.system().frictions[u].contact == static_cast<int>(touching_[i])) mode.friction[u] = {};
  }
  return true;
}

}  // namespace hstar

// src/transition/partings.cpp
#include "transition/partings.hpp"

#include <algorithm>
#include <cmath>

#include "transition/tolerances.hpp"

namespace hstar {

Partings::Partings(ModeEquations& equations, ModeSolver& solver, Later& later)
    : equations_(equations), solver_(solver), later_(later), y_(equations.system().size()) {}

bool Partings::rests(std::size_t contact, const double* y, double still) const {
  const System& s = equations_.system();
  const Contact& c = *s.contacts[contact];
  return std::all_of(equations_.motion.freedoms().begin(), equations_.motion.freedoms().end(), [&](const Freedom& f) {
    const bool its = static_cast<int>(f.body) == c.first || static_cast<int>(f.body) == c.second;
    return !its || std::abs(y[s.nq + f.velocity]) * f.arm <= still;
  });
}

double Partings::rate(std::size_t contact) const {
  return equations_.motion.normal_row(static_cast<int>(contact))
      .rate(equations_.acceleration().data(), equations_.system().columns);
}

bool Partings::set_in_motion(double t, const double* y, double largest, const Mode& mode) {
  const System& s = equations_.system();
  later_.begin(y);
  if (!(largest > 0) || !later_.solve(mode, t, y, tolerances::until_parted * later_.first_moment(largest)))
    return false;
  double fastest = 0;
  for (const Freedom& f : equations_.motion.freedoms())
    fastest = std::max(fastest, std::abs(equations_.acceleration()[f.slot]) * f.arm);
  if (!(fastest > contact::clear * largest)) return false;
  // At this speed what turns about the mechanism's length has the acceleration that forces give.
  const double speed = std::sqrt(s.length * largest);
  std::copy(y, y + s.size(), y_.begin());
  for (const Freedom& f : equations_.motion.freedoms())
    y_[s.nq + f.velocity] += speed * equations_.acceleration()[f.slot] / fastest;
  return true;
}

bool Partings::open(double t, const double* y, double still, Mode& mode) {
  touching_.clear();
  at_rest_.clear();
  for (std::size_t c = 0; c < mode.closed.size(); ++c)
    if (mode.closed[c] == unloaded && rests(c, y, still)) touching_.push_back(c);
  if (touching_.empty()) return false;
  equations_.evaluate(t, y);
  solver_.solve_in(mode);
  for (const std::size_t c : touching_) at_rest_.push_back(rate(c));
  const double largest = later_.largest_acceleration();
  if (!set_in_motion(t, y, largest, mode)) return true;
  equations_.evaluate(t, y_.data());
  if (!equations_.solve(mode)) return true;
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    if (!(rate(touching_[i]) - at_rest_[i] > tolerances::small_part * largest)) continue;
    mode.closed[touching_[i]] = 0;
    for (std::size_t u = 0; u < mode.friction.size(); ++u)
      if (equations_.system().frictions[u].contact == static_cast<int>(touching_[i])) mode.friction[u] = {};
  }
  return true;
}

}  // namespace hstar

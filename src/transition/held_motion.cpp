// src/transition/held_motion.cpp
#include "transition/held_motion.hpp"

#include <algorithm>
#include <cmath>

#include "transition/tolerances.hpp"

namespace hstar {

HeldMotion::HeldMotion(ModeEquations& equations, Switches& switches, const Mode& mode)
    : system_(equations.system()),
      equations_(equations),
      switches_(switches),
      mode_(mode),
      surface_(system_, switches) {
  for (std::vector<double>& rates : side_rates_) rates.resize(system_.size());
  terms_.resize(system_.size());
}

bool HeldMotion::find_share(double t, const double* y) {
  bool both = true;
  return !surface_.any() || share_sides(t, y, both);
}

bool HeldMotion::solve_on_branches(double t, const double* y) {
  equations_.evaluate(t, y);
  return equations_.solve(mode_);
}

void HeldMotion::lose_if_left() {
  if (surface_.any() && surface_.is_left(equations_.motion.kinematics())) surface_.lose(equations_.motion.kinematics());
}

bool HeldMotion::share_sides(double t, const double* y, bool& both_drive_back) {
  double driven[2];
  std::fill(terms_.begin(), terms_.end(), 0.0);
  for (const int positive : {0, 1}) {
    surface_.share(positive);
    if (!solve_on_branches(t, y)) return false;
    rates(side_rates_[positive]);
    for (std::size_t i = 0; i < terms_.size(); ++i) terms_[i] = std::max(terms_[i], std::abs(side_rates_[positive][i]));
    for (const Freedom& f : equations_.motion.freedoms())
      if (const double mass = equations_.motion.mass()[f.slot]; mass > 0) {
        double& term = terms_[static_cast<std::size_t>(system_.nq + f.velocity)];
        term = std::max(term, std::abs(equations_.load()[f.slot]) / mass);
      }
    if (!surface_.push(equations_.motion.kinematics(), side_rates_[positive].data(), driven[positive])) return false;
  }
  both_drive_back = surface_.settle(driven[0], driven[1], equations_.motion.kinematics(), terms_.data());
  return true;
}

void HeldMotion::put_back(double t, std::span<double> y, OdeProblem& motion) {
  Kinematics& k = equations_.motion.kinematics();
  bool both = false;
  if (!share_sides(t, y.data(), both) || surface_.jump() == 0) return;
  std::vector<double> apart(y.size(), 0.0);  // of the rates of velocities and states; coordinates have the same
  for (std::size_t i = static_cast<std::size_t>(system_.nq); i < y.size(); ++i)
    apart[i] = side_rates_[1][i] - side_rates_[0][i];
  system_.update(k, t, y.data());
  double left = surface_.left(k);
  if (surface_.is_second_order()) {
    // Rates of what moves with these differences; the step of the quotient is one of the state's own size.
    double size = 0, length = 0;
    for (const double value : y) size = std::max(size, std::abs(value));
    for (const double value : apart) length = std::max(length, std::abs(value));
    const double by = std::sqrt(tolerances::eps) * (size > 0 ? size : length) / length;
    std::vector<double> moved(y.begin(), y.end()), here(y.size()), there(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) moved[i] += by * apart[i];
    if (!motion.rates(t, y.data(), here.data()) || !motion.rates(t, moved.data(), there.data())) return;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] -= left / surface_.jump() * (there[i] - here[i]) / by;
    if (!share_sides(t, y.data(), both)) return;
    left = surface_.left_rate(equations_.motion.kinematics(), side_rates_[0].data());
  }
  for (std::size_t i = 0; i < y.size(); ++i) y[i] -= left / surface_.jump() * apart[i];
  find_share(t, y.data());
}

bool HeldMotion::hold(std::size_t pushed_back, double t, std::span<const double> y) {
  if (!allowed_ || surface_.any() || !solve_on_branches(t, y.data())) return false;
  rates(side_rates_[0]);
  if (!surface_.begin(pushed_back, t, y, side_rates_[0], equations_.motion.kinematics())) return false;
  do {
    bool both = false;
    if (!share_sides(t, y.data(), both)) break;
    if (!both) continue;
    switches_.begin_trials();
    return true;
  } while (surface_.look_deeper());
  surface_.forget();
  return false;
}

bool HeldMotion::holds_otherwise(double t, std::span<const double> y) {
  if (!surface_.any()) return false;
  const double before = surface_.share();
  bool both = false;
  if (share_sides(t, y.data(), both) && both) return surface_.share() != before;
  surface_.end(equations_.motion.kinematics());
  switches_.begin_trials();
  return true;
}

void HeldMotion::rates(std::vector<double>& ydot) const {
  const System& s = system_;
  for (const Freedom& f : equations_.motion.freedoms()) ydot[s.nq + f.velocity] = equations_.acceleration()[f.slot];
  for (int i = 0; i < s.ns; ++i) ydot[s.nq + s.nv + i] = evaluate(s.states[i].rate, equations_.motion.kinematics());
}

}  // namespace hstar

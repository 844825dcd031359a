// src/integrator/ida_scales.cpp
#include "integrator/ida_scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar::integrator {

IdaScales::IdaScales(const DaeProblem& problem)
    : of_(static_cast<std::size_t>(problem.coordinates())),
      of_place_(static_cast<std::size_t>(problem.places())),
      along_(static_cast<std::size_t>(problem.max_rows())),
      about_(along_.size()) {
  for (std::size_t i = 0; i < of_.size(); ++i) of_[i] = problem.is_angle(static_cast<int>(i)) ? 1 : 0;
  for (std::size_t i = 0; i < of_place_.size(); ++i) of_place_[i] = problem.is_turned(static_cast<int>(i)) ? 1 : 0;
}

void IdaScales::begin(DaeProblem& problem, const double* y, const double* a, const double* lambda) {
  kind_[0].size = kShort;
  kind_[1].size = kTurn;
  force_ = 1e-6;
  for (Kind& k : kind_) k.acceleration = 0;
  for (std::size_t i = 0; i < of_place_.size(); ++i) {
    Kind& k = kind_[of_place_[i]];
    k.size = std::max(k.size, std::abs(y[i]));
  }
  for (std::size_t i = 0; i < of_.size(); ++i) {
    Kind& k = kind_[of_[i]];
    k.acceleration = std::max(k.acceleration, std::abs(a[i]));
    force_ = std::max(force_, std::abs(problem.mass()[i] * a[i]));
  }
  for (int i = 0; i < problem.rows(); ++i) force_ = std::max(force_, std::abs(lambda[i]));
  // A body whose centre of mass is in the origin may have long levers: they are what the rows say of its angle.
  rows_.clear();
  problem.jacobian(rows_);
  std::fill(along_.begin(), along_.end(), 0.0);
  std::fill(about_.begin(), about_.end(), 0.0);
  for (const DaeEntry& e : rows_) {
    double& slope = (of_[e.column] == 0 ? along_ : about_)[e.row];
    slope = std::max(slope, std::abs(e.value));
  }
  double lever = 0;
  for (std::size_t i = 0; i < along_.size(); ++i)
    if (along_[i] > 0) lever = std::max(lever, about_[i] / along_[i]);
  kind_[0].size = std::max(kind_[0].size, lever);
  // Round-off of positions turns bodies by that over the lever, and that of speeds where nothing turns.
  if (lever > 0) kind_[1].size = std::max(kind_[1].size, kind_[0].size / lever);
  // A mechanism at rest has no speed yet, but its accelerations and lengths say how fast it is going to be.
  see(y);
  for (Kind& k : kind_) k.speed = std::max(k.speed, std::sqrt(k.acceleration * k.size));
  if (lever > 0) kind_[1].speed = std::max(kind_[1].speed, kind_[0].speed / lever);
}

void IdaScales::see(const double* y) {
  for (std::size_t i = 0; i < of_.size(); ++i) {
    Kind& k = kind_[of_[i]];
    k.speed = std::max(k.speed, std::abs(y[of_place_.size() + i]));
  }
}

double IdaScales::time_to_change(double share) const {
  double time = std::numeric_limits<double>::infinity();
  for (const Kind& k : kind_)
    if (k.acceleration > 0) time = std::min(time, share * k.speed / k.acceleration);
  return time;
}

double IdaScales::time_to_move(double atol, double rtol) const {
  double time = std::numeric_limits<double>::infinity();
  for (const Kind& k : kind_)
    if (k.acceleration > 0) time = std::min(time, std::sqrt((atol + rtol * k.size) / k.acceleration));
  return time;
}

}  // namespace hstar::integrator

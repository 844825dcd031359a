// src/transition/projection_check.cpp
#include "transition/projection_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanism/short_number.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

ProjectionCheck::ProjectionCheck(std::shared_ptr<const System> system, double rtol)
    : system_(std::move(system)),
      rtol_(std::max(rtol, tolerances::same_place)),
      t_undone_(std::numeric_limits<double>::quiet_NaN()),
      q_dot_(static_cast<std::size_t>(system_->nq)),
      size_(q_dot_.size(), system_->length) {
  if (rtol == 0) rtol_ = std::numeric_limits<double>::infinity();
  for (const Body& b : system_->bodies)
    for (int i = 0; i < b.coordinates && !b.prescribed; ++i)
      if (system_->turns(i)) size_[static_cast<std::size_t>(b.coordinate + i)] = 1;
  before_.reserve(q_dot_.size());
}

void ProjectionCheck::after(double t, const double* y) {
  const System& s = *system_;
  bool known = false;
  for (std::size_t i = 0; i < before_.size(); ++i) {
    const double by = std::abs(y[i] - before_[i]);
    if (!(by > tolerances::projected * rtol_ * std::max(std::abs(y[i]), size_[i]))) continue;
    if (!known) s.coordinate_rates(y, q_dot_.data());
    known = true;
    if (!(by > tolerances::undone * std::abs(q_dot_[i]) * (t - t_begin_))) continue;
    t_undone_ = t;
    undone_ = static_cast<int>(i);
    by_ = by;
    return;
  }
}

std::string ProjectionCheck::complaint(double t) const {
  if (t_undone_ != t) return {};
  return "at t = " + short_number(t) + " s " + system_->state_names()[static_cast<std::size_t>(undone_)] +
         " has been put back by " + short_number(by_, 3) + " after a step of " + short_number(t - t_begin_, 3) +
         " s, which undoes its motion: a contact or joint holds what its velocity leaves";
}

}  // namespace hstar

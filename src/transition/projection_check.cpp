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
      rtol_(rtol > 0 ? std::max(rtol, tolerances::same_place) : std::numeric_limits<double>::infinity()),
      t_off_(std::numeric_limits<double>::quiet_NaN()),
      before_(static_cast<std::size_t>(system_->nq + system_->nv)),
      q_dot_(static_cast<std::size_t>(system_->nq)),
      size_(q_dot_.size(), system_->length) {
  for (const Body& b : system_->bodies)
    for (int i = 0; i < b.coordinates && !b.prescribed; ++i)
      if (system_->turns(i)) size_[static_cast<std::size_t>(b.coordinate + i)] = 1;
}

void ProjectionCheck::before(const double* y) { std::copy_n(y, before_.size(), before_.begin()); }

bool ProjectionCheck::is_off(std::size_t i, double by, double size, double change, double t) {
  if (!(by > tolerances::projected * rtol_ * size && by > tolerances::unaccounted * change)) return false;
  t_off_ = t;
  off_ = i;
  by_ = by;
  return true;
}

void ProjectionCheck::after(double t, const double* y, double fastest) {
  const System& s = *system_;
  if (t == t_off_) t_off_ = std::numeric_limits<double>::quiet_NaN();  // (another attempt)
  if (span(t) <= tolerances::eps * std::abs(t)) return;  // no step: what is put back is the uncertainty of t
  const auto nq = static_cast<std::size_t>(s.nq);
  s.coordinate_rates(y, q_dot_.data());
  for (std::size_t i = 0; i < nq; ++i)
    if (is_off(i, std::abs(y[i] - before_[i]), std::max(std::abs(y[i]), size_[i]), std::abs(q_dot_[i]) * span(t), t))
      return;
  for (std::size_t i = nq; i < before_.size(); ++i)
    if (is_off(i, std::abs(y[i] - before_[i]), fastest, std::abs(y[i]), t)) return;
}

std::string ProjectionCheck::complaint(double t) const {
  if (t_off_ != t) return {};
  return "at t = " + short_number(t) + " s " + system_->state_names()[off_] + " has been put back by " +
         short_number(by_, 3) + " after a step of " + short_number(span(t), 3) +
         " s, far more than its error: a contact or joint holds what its velocity leaves";
}

}  // namespace hstar

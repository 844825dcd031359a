// src/transition/impact/incremental.cpp
#include "transition/impact/incremental.hpp"

#include <cmath>
#include <limits>

#include "transition/tolerances.hpp"

namespace hstar {

IncrementalImpact::IncrementalImpact(const ImpactProblem& p)
    : nn_(p.g(0, 0)), nt_(p.g(0, 1)), tt_(p.g(1, 1)), mu_(p.mu[0]), vn_(p.c[0]), vt_(p.c[1]), approach_(std::abs(vn_)) {
  if (vt_ == 0) {
    choose_phase();
  } else {
    phase_ = vt_ > 0 ? Phase::plus : Phase::minus;
    sequence_ = vt_ > 0 ? "slip+" : "slip-";
  }
  first_ = false;
}

void IncrementalImpact::choose_phase() {
  vt_ = 0;
  const std::string word = first_ ? "slip" : "reverse slip";
  if (!sequence_.empty()) sequence_ += ", ";
  // Sticking needs d Lambda_T / d Lambda_N = -G_TN / G_TT inside the cone.
  if (std::abs(nt_) <= mu_ * tt_) {
    phase_ = Phase::stick;
    sequence_ += "stick";
  } else {
    // The slip that the remaining tangential push starts.
    phase_ = nt_ > 0 ? Phase::plus : Phase::minus;
    sequence_ += word + (nt_ > 0 ? "+" : "-");
  }
}

double IncrementalImpact::normal_rate() const {
  if (locked()) return 0;
  return phase_ == Phase::stick ? nn_ - nt_ * nt_ / tt_ : nn_ - static_cast<int>(phase_) * mu_ * nt_;
}

double IncrementalImpact::slide_rate() const {
  return phase_ == Phase::stick ? 0.0 : nt_ - static_cast<int>(phase_) * mu_ * tt_;
}

double IncrementalImpact::slide_end() const {
  if (phase_ == Phase::stick) return std::numeric_limits<double>::infinity();
  const double rate = slide_rate();
  return rate * static_cast<int>(phase_) < 0 ? -vt_ / rate : std::numeric_limits<double>::infinity();
}

bool IncrementalImpact::locked() const {
  return phase_ == Phase::stick && nn_ * tt_ - nt_ * nt_ <= tolerances::impact_round_off * nn_ * tt_;
}

void IncrementalImpact::advance(double impulse) {
  const double rate = normal_rate();
  work_ += impulse * (vn_ + 0.5 * rate * impulse);
  vn_ += rate * impulse;
  vt_ += slide_rate() * impulse;
  normal_ += impulse;
  tangential_ += impulse * (phase_ == Phase::stick ? -nt_ / tt_ : -static_cast<int>(phase_) * mu_);
}

bool IncrementalImpact::compress() {
  for (int phase = 0; phase < 4; ++phase) {
    const double end = slide_end(), rate = normal_rate();
    const double stop = rate > 0 ? -vn_ / rate : std::numeric_limits<double>::infinity();
    if (std::isinf(end) && std::isinf(stop)) return false;
    if (stop <= end) {
      advance(stop);
      vn_ = 0;
      return true;
    }
    advance(end);
    choose_phase();
    // A point with one way to move only stops in both directions at once, up to round-off.
    if (locked() && std::abs(vn_) <= tolerances::impact_round_off * approach_) {
      vn_ = 0;
      return true;
    }
  }
  return false;
}

void IncrementalImpact::restore_impulse(double left) {
  for (int phase = 0; phase < 4; ++phase) {
    const double end = slide_end();
    if (left <= end) {
      advance(left);
      return;
    }
    advance(end);
    left -= end;
    choose_phase();
  }
}

bool IncrementalImpact::restore_work(double work) {
  if (!(work > 0)) return true;
  const double target = work_ + work;
  for (int phase = 0; phase < 4; ++phase) {
    const double end = slide_end(), rate = normal_rate(), left = target - work_;
    // left = vn p + rate p^2 / 2
    double p = std::numeric_limits<double>::infinity();
    if (const double root = vn_ * vn_ + 2 * rate * left; root >= 0 && vn_ + std::sqrt(root) > 0)
      p = 2 * left / (vn_ + std::sqrt(root));
    if (std::isinf(p) && std::isinf(end)) return locked();  // wedged: no impulse can do work
    if (p <= end) {
      advance(p);
      return true;
    }
    advance(end);
    choose_phase();
  }
  return false;
}

}  // namespace hstar

// events/src/accumulation.cpp
#include "hstar/events/accumulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar::events {

void Accumulation::reset() { *this = Accumulation{}; }

void Accumulation::add(double t, double strength) {
  if (count_ == 0) first_ = t;
  if (count_ < kept) {
    t_[count_] = t;
    s_[count_] = strength;
  } else {
    std::copy(t_ + 1, t_ + kept, t_);
    std::copy(s_ + 1, s_ + kept, s_);
    t_[kept - 1] = t;
    s_[kept - 1] = strength;
  }
  ++count_;
}

double Accumulation::last_interval() const {
  const std::size_t m = std::min(count_, kept);
  return m < 2 ? 0.0 : t_[m - 1] - t_[m - 2];
}

AccumulationLimit Accumulation::limit() const {
  AccumulationLimit out;
  const std::size_t m = std::min(count_, kept);
  if (m < 4) return out;
  double ratio = 0.0, ratio_before = 0.0, t_limit = 0.0, limit_before = 0.0;
  for (std::size_t i = 2; i < m; ++i) {
    const double d0 = t_[i - 1] - t_[i - 2], d1 = t_[i] - t_[i - 1];
    if (!(d0 > 0.0) || !(d1 > 0.0) || !(d1 < d0) || !(s_[i] > 0.0) || !(s_[i] < s_[i - 1])) return out;
    ratio_before = ratio;
    limit_before = t_limit;
    ratio = d1 / d0;
    t_limit = t_[i] + d1 * d1 / (d0 - d1);
  }
  const double strength_ratio = s_[m - 1] / s_[m - 2];
  const double ulp = std::numeric_limits<double>::epsilon() * std::fabs(t_limit);
  out.t_limit = t_limit;
  out.remaining = t_limit - t_[m - 1];
  out.ratio = ratio;
  out.error = std::fabs(t_limit - limit_before) + ulp;
  out.recognised = std::fabs(ratio - ratio_before) <= 0.1 * (1.0 - ratio) * (1.0 - ratio) &&
                   std::fabs(strength_ratio - ratio) <= 0.5 * (1.0 - ratio);
  return out;
}

}  // namespace hstar::events

// events/src/polish.cpp
#include "polish.hpp"

#include <algorithm>
#include <cmath>

namespace hstar::events::detail {

Polished polish(Sampler& sampler, const PolishStart& s, int max_steps) {
  const std::size_t which[1] = {s.guard};
  const double ulp = sampler.ulp();
  double lo = s.lo, hi = s.hi, g_lo = 0.0, g_hi = 0.0;
  bool lo_known = s.lo_known, hi_known = s.hi_known, lo_valued = false, hi_valued = false;
  double t = std::clamp(s.t, lo, hi), slope = s.slope;
  double t_before = 0.0, g_before = 0.0, step_before = hi - lo;
  bool have_before = false, free_step = true;

  Polished best;
  best.g = HUGE_VAL;
  const auto finish = [&](Polished::Status status) {
    best.status = status;
    if (slope == 0.0 || !std::isfinite(slope)) slope = s.slope;
    best.slope = slope;
    // what is left of g, by the slope, and the resolution of t
    const double left = 2.0 * ulp + (slope != 0.0 ? 2.0 * (std::fabs(best.g) + s.g_tol) / std::fabs(slope) : hi - lo);
    best.t_lo = std::min(best.t, std::max(lo, best.t - left));
    best.t_hi = std::max(best.t, std::min(hi, best.t + left));
    return best;
  };

  for (int i = 0; i < max_steps; ++i) {
    double g[1];
    if (!sampler.on_solution(t, which, g)) return finish(Polished::Status::failed);
    if (std::fabs(g[0]) < std::fabs(best.g)) {
      best.g = g[0];
      best.t = t;
    }
    const bool is_before = s.before * g[0] > 0.0;
    if (have_before && t != t_before) {
      const double secant = (g[0] - g_before) / (t - t_before);
      if (s.before * secant < 0.0) slope = secant;
    }
    if (std::fabs(g[0]) <= s.g_tol) return finish(Polished::Status::found);
    if (is_before) {
      if (t >= hi && !hi_known) return finish(Polished::Status::never);
      lo = t;
      g_lo = g[0];
      lo_known = lo_valued = true;
    } else {
      if (t <= lo && !lo_known) return finish(Polished::Status::behind);
      hi = t;
      g_hi = g[0];
      hi_known = hi_valued = true;
    }
    if (lo_known && hi_known && hi - lo <= 2.0 * ulp) return finish(Polished::Status::found);

    double next = s.before * slope < 0.0 ? t - g[0] / slope : (is_before ? hi : lo);
    const double step = std::fabs(next - t);
    const bool good_slope = s.before * slope < 0.0;
    if (good_slope && step <= 2.0 * ulp) return finish(Polished::Status::found);
    if (good_slope && i >= 2 && free_step && std::fabs(g[0]) >= 0.5 * std::fabs(g_before) &&
        step <= 1e-10 * sampler.length())
      return finish(Polished::Status::found);
    free_step = true;
    if (!(next > lo && next < hi)) {
      free_step = false;
      if (next >= hi && !hi_known) {
        next = hi;  // must prove that the sign changes at all
      } else if (next <= lo && !lo_known) {
        next = lo;
      } else if (lo_valued && hi_valued) {
        next = lo + (hi - lo) * (g_lo / (g_lo - g_hi));
        if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
      } else {
        next = 0.5 * (lo + hi);
      }
    } else if (i >= 3 && step > 0.5 * step_before) {
      free_step = false;
      next = 0.5 * (lo + hi);
    }
    step_before = std::fabs(next - t);
    t_before = t;
    g_before = g[0];
    have_before = true;
    if (next == t) return finish(Polished::Status::found);
    t = next;
  }
  return finish(Polished::Status::found);
}

}  // namespace hstar::events::detail

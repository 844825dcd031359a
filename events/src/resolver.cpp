// events/src/resolver.cpp
//
// Active guards first: the earliest candidate is polished, and with it every other one that could come
// before it within the interpolant's error. Then the guards that fire at the same instant, and last the
// passive roots and grazes up to that instant.
#include "resolver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar::events::detail {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kCarry = 4.0;  // what a root leaves of g may grow this much while the state is restarted
/// Of g_tol: what is not more than this at an event whose time a flat guard leaves open is at zero there, too. g_tol is
/// a round-off, and 2^6 the reserve that others have.
constexpr double kSameInstant = 64.0;

/// It fired so at this very time, and nothing has happened since: a root that lies within round-off of the start.
bool has_fired(const Followed& f, double t, int direction) { return t == f.fired_t && direction == f.fired_direction; }

bool earlier(const Root& a, const Root& b) { return a.t < b.t || (a.t == b.t && a.guard < b.guard); }

}  // namespace

Resolver::Resolver(std::size_t guards, std::size_t state_size, Sampler& sampler, const MonitorOptions& options)
    : sampler_(sampler), options_(options) {
  roots_.reserve(8 * guards + 64);
  passive_roots_.reserve(64);
  g_event_.assign(guards, 0.0);
  row_.assign(guards, 0.0);
  event_state_.assign(state_size, 0.0);
  fired_.assign(guards, 0);
}

bool Resolver::with_error(Located& root, double slope, double g_tol) {
  if (slope != 0.0) root.give = std::min(g_tol / std::fabs(slope), sampler_.length());
  double error = 0.0;
  if (!sampler_.error_of(root.guard, std::clamp(sampler_.tau(root.t), 0.0, 1.0), error)) return false;
  root.dt_error = sampler_.ulp();
  if (error > 0.0)
    root.dt_error += slope != 0.0 ? std::min(error / std::fabs(slope), sampler_.length()) : sampler_.length();
  return true;
}

bool Resolver::cross(const Candidate& c, const Followed& f, std::vector<Located>& out) {
  if (!wants(f.info->crossing, -c.before)) return true;
  Located root;
  root.guard = c.guard;
  root.direction = -c.before;
  root.t = root.t_lo = root.t_hi = sampler_.t0();
  if (!c.at_start) {
    PolishStart s;
    s.guard = c.guard;
    s.before = c.before;
    s.t = sampler_.time(c.tau);
    s.slope = c.slope / sampler_.length();
    s.lo = sampler_.time(c.lo);
    s.hi = sampler_.time(c.hi);
    s.lo_known = c.lo <= 0.0 && !c.hump;
    s.hi_known = c.hi >= 1.0;
    s.g_tol = f.info->g_tol;
    Polished p = polish(sampler_, s, options_.max_polish);
    if (p.status == Polished::Status::behind && !c.hump && c.lo > 0.0) {
      // Where rates change faster than a step tells, another solution ends there: between that and the start.
      const std::size_t which[1] = {c.guard};
      double g[1];
      if (!sampler_.on_solution(sampler_.t0(), which, g)) return false;
      if (c.before * g[0] > f.info->g_tol) {
        s.hi = s.lo;
        s.lo = sampler_.t0();
        s.t = 0.5 * (s.lo + s.hi);
        s.lo_known = s.hi_known = true;
        p = polish(sampler_, s, options_.max_polish);
      }
    }
    if (p.status == Polished::Status::failed) return false;
    if (p.status == Polished::Status::found) {
      root.t = p.t;
      root.t_lo = p.t_lo;
      root.t_hi = p.t_hi;
      if (!with_error(root, p.slope, f.info->g_tol)) return false;
    } else if (!c.hump || p.status == Polished::Status::never) {
      // the proxy crossed, the solution does not: nearer to zero than the interpolant can tell, or a corner at zero
      root.direction = 0;
      root.t = s.t;
      root.t_lo = sampler_.time(c.clear);
      root.t_hi = s.hi;
    }
    // a hump that the solution does not have: the guard left the start to the other side at once
  } else if (c.hi > 0.0) {
    // It says so of a guard without corners, or of one whose corners the step does not reach: else in shorter steps.
    const std::size_t which[1] = {c.guard};
    double g[1], error = 0.0;
    if (!sampler_.on_solution(sampler_.time(c.hi), which, g) || !sampler_.error_of(c.guard, c.hi, error)) return false;
    if (c.before * g[0] > error + f.info->g_tol) return false;
    if (!leave(c, f, sampler_.time(c.hi), root)) return false;
  }
  if (has_fired(f, root.t, root.direction)) return true;
  out.push_back(root);
  return true;
}

bool Resolver::leave(const Candidate& c, const Followed& f, double beyond, Located& root) {
  root.t = root.t_lo = root.t_hi = sampler_.t0();
  if (f.left_t != root.t || has_fired(f, root.t, -c.before)) return true;
  // Told its side again after an event here, it comes back from a hump that is lower than its tolerance.
  const std::size_t which[1] = {c.guard};
  double within = root.t, g[1];
  if (!sampler_.on_solution(within, which, g)) return false;
  if (c.before * g[0] < -f.info->g_tol) return true;
  for (double middle; beyond - within > sampler_.ulp(); (c.before * g[0] < -f.info->g_tol ? beyond : within) = middle)
    if (middle = within + 0.5 * (beyond - within); !sampler_.on_solution(middle, which, g)) return false;
  root.t = root.t_lo = within;
  root.t_hi = beyond;
  root.dt_error = within - sampler_.t0();
  return true;
}

bool Resolver::half(const Candidate& c, const Followed& f, double t_deep, double g_deep, bool first,
                    std::vector<Located>& out) {
  const int direction = first ? -c.before : c.before;
  if (!wants(f.info->crossing, direction)) return true;
  Located root;
  root.guard = c.guard;
  root.direction = direction;
  const double outer = sampler_.time(first ? c.lo : c.hi);
  if (first && c.from_zero && c.lo <= 0.0) {
    if (!leave(c, f, t_deep, root)) return false;
    if (!has_fired(f, root.t, direction)) out.push_back(root);
    return true;
  }
  PolishStart s;
  s.guard = c.guard;
  s.before = first ? c.before : -c.before;
  (first ? s.lo : s.hi) = outer;
  (first ? s.hi : s.lo) = t_deep;
  (first ? s.hi_known : s.lo_known) = true;
  s.g_tol = f.info->g_tol;
  // near an extremum g is a parabola: through the deepest place and the outer end
  const std::size_t which[1] = {c.guard};
  double g_outer[1];
  if (!sampler_.on_solution(outer, which, g_outer)) return false;
  const double share = -g_deep / (g_outer[0] - g_deep);
  if (g_outer[0] * c.before > 0.0 && share > 0.0 && share < 1.0) {
    (first ? s.lo_known : s.hi_known) = true;
    s.t = t_deep + (outer - t_deep) * std::sqrt(share);
    s.slope = 2.0 * (g_outer[0] - g_deep) * std::sqrt(share) / (outer - t_deep);
  } else {
    s.t = 0.5 * (s.lo + s.hi);
  }
  const Polished p = polish(sampler_, s, options_.max_polish);
  if (p.status == Polished::Status::failed) return false;
  if (p.status != Polished::Status::found) return true;
  root.t = p.t;
  root.t_lo = p.t_lo;
  root.t_hi = p.t_hi;
  if (!with_error(root, p.slope, f.info->g_tol)) return false;
  if (!has_fired(f, root.t, direction)) out.push_back(root);
  return true;
}

bool Resolver::touch(const Candidate& c, const Followed& f, std::vector<Located>& out) {
  const double t = sampler_.time(c.tau);
  const std::size_t which[1] = {c.guard};
  double g[1], error = 0.0;
  if (!sampler_.on_solution(t, which, g)) return false;
  if (!sampler_.error_of(c.guard, c.tau, error)) return false;
  const double tol = std::max(f.info->g_tol, f.track.carry);
  double t_deep = t, deep = g[0];
  // Beside a jump of the guard (two bodies that have passed through each other) neither its value nor its error tells
  // anything: then on the way there from where it lies clearly on the side before.
  for (double left = 0.5; left > 0.05 && c.clear < c.tau && c.before * deep >= -(error + tol); left *= 0.5) {
    const double before = c.tau - left * (c.tau - c.clear);
    double g_before[1], error_before = 0.0;
    if (!sampler_.on_solution(sampler_.time(before), which, g_before)) return false;
    if (!sampler_.error_of(c.guard, before, error_before)) return false;
    if (c.before * g_before[0] >= -(error_before + tol)) continue;
    t_deep = sampler_.time(before);
    deep = g_before[0];
    error = error_before;
  }
  if (c.before * deep < -(error + tol))
    return half(c, f, t_deep, deep, true, out) && half(c, f, t_deep, deep, false, out);
  if (c.leading || std::fabs(g[0]) > options_.graze_factor * error + std::max(tol, c.eps)) return true;
  Located root;
  root.guard = c.guard;
  root.t = t;
  root.t_lo = sampler_.time(c.clear);
  root.t_hi = sampler_.time(c.hi);
  root.dt_error = 0.5 * (root.t_hi - root.t_lo);
  out.push_back(root);
  return true;
}

bool Resolver::decide(const Candidate& c, const Followed& f, std::vector<Located>& out) {
  return c.touch ? touch(c, f, out) : cross(c, f, out);
}

/// May the candidate come before `best`, or at the same instant, once it is polished?
bool Resolver::reach(const Candidate& c, double best, double best_proxy, bool& near) {
  const double tie = options_.tie_ulps * sampler_.ulp();
  near = true;
  if (sampler_.time(c.touch ? c.clear : c.tau) <= best + tie) return true;
  if (c.touch) {
    near = false;
    return true;
  }
  double error = 0.0;
  if (!sampler_.error_of(c.guard, c.tau, error)) return false;
  const double slope = std::fabs(c.slope) / sampler_.length();
  const double shift = 2.0 * std::fabs(best - best_proxy) + tie;
  near = slope == 0.0 || sampler_.time(c.tau) - best <= shift + 2.0 * (error + c.eps) / slope;
  return true;
}

bool Resolver::find_active(const std::vector<Followed>& followed, const std::vector<Candidate>& candidates) {
  roots_.clear();
  double best = kNever, best_proxy = kNever;
  for (const Candidate& c : candidates) {
    const Followed& f = followed[c.guard];
    if (f.info->role != Role::active) continue;
    if (best < kNever) {
      bool near = true;
      if (!reach(c, best, best_proxy, near)) return false;
      if (!near) continue;
    }
    const std::size_t count = roots_.size();
    if (!decide(c, f, roots_)) return false;
    for (std::size_t i = count; i < roots_.size(); ++i)
      if (roots_[i].direction != 0 && roots_[i].t < best) {
        best = roots_[i].t;
        best_proxy = sampler_.time(c.tau);
      }
  }
  return true;
}

bool Resolver::fire(std::span<const std::size_t> enabled, std::vector<Followed>& followed,
                    const std::vector<Candidate>& candidates, Look& look) {
  std::sort(roots_.begin(), roots_.end(), earlier);
  const auto first = std::find_if(roots_.begin(), roots_.end(), [](const Root& r) { return r.direction != 0; });
  const bool event = first != roots_.end();
  // what an event has left of g counts as zero until the motion has gone on
  if (!event || first->t - sampler_.t0() > options_.tie_ulps * sampler_.ulp())
    for (const std::size_t g : enabled) followed[g].track.carry = 0.0;
  if (!event) return true;
  const double t = first->t, tie = options_.tie_ulps * sampler_.ulp();
  for (const std::size_t g : enabled) fired_[g] = 0;
  if (!sampler_.on_solution(t, enabled, row_)) return false;
  std::copy(sampler_.solution().begin(), sampler_.solution().end(), event_state_.begin());
  for (std::size_t k = 0; k < enabled.size(); ++k) g_event_[enabled[k]] = row_[k];
  // (Where a flat guard does not tell its time others are at that instant if they nearly are zero there.)
  const auto is_near = [&](std::size_t guard) {
    return std::fabs(g_event_[guard]) <= kSameInstant * followed[guard].info->g_tol;
  };
  for (const Located& r : roots_)
    if (r.direction != 0 && !fired_[r.guard] &&
        (r.t <= t + tie + r.give || (r.t <= t + tie + first->give + r.give && is_near(r.guard)))) {
      fired_[r.guard] = 1;
      look.active.push_back(r);
    }

  // guards that are at zero here and on their way out fire too, whatever round-off makes of their root
  const double tau = sampler_.tau(t), slack = tie / sampler_.length(), open = tie + first->give;
  const auto join = [&](std::size_t guard, int direction, double slope) {
    const Followed& f = followed[guard];
    if (fired_[guard] || f.info->role != Role::active || !wants(f.info->crossing, direction)) return;
    const double zero = std::max(f.info->g_tol, slope * tie);
    if (std::fabs(g_event_[guard]) > zero && !(std::fabs(g_event_[guard]) <= slope * open && is_near(guard))) return;
    fired_[guard] = 1;
    Root r = look.active.front();
    r.guard = guard;
    r.direction = direction;
    look.active.push_back(r);
  };
  // (their own roots are not before t: such a one would be the event)
  for (const Candidate& c : candidates)
    if (!c.touch && c.clear <= tau + slack) join(c.guard, -c.before, std::fabs(c.slope) / sampler_.length());
  if (sampler_.t1() - t <= tie)
    for (const std::size_t g : enabled) {
      const Track& k = followed[g].track;
      if (k.sign * k.trend < 0) join(g, -k.sign, 0.0);
    }
  remember_signs(enabled, followed, candidates, t);
  std::sort(look.active.begin(), look.active.end(), earlier);
  for (const Root& r : look.active) {
    const bool violated = r.t == sampler_.t0() && r.t_hi == r.t_lo;
    double& carry = followed[r.guard].track.carry;
    carry = violated
                ? 0.0
                : std::max(carry, kCarry * std::max(std::fabs(g_event_[r.guard]), blur(r.guard, followed[r.guard], t)));
    if (violated) followed[r.guard].left_t = t;
    followed[r.guard].fired_t = t;
    followed[r.guard].fired_direction = r.direction;
  }
  return true;
}

/// What round-off makes of a guard at the event: a side within it is none. One with a tolerance is told it.
double Resolver::blur(std::size_t guard, const Followed& f, double t) {
  return f.info->g_tol > 0.0 ? 0.0 : sampler_.round_off_of(guard, t, event_state_);
}

/// Guards that have not fired keep their sign through the event where the state after it leaves them at zero.
void Resolver::remember_signs(std::span<const std::size_t> enabled, std::vector<Followed>& followed,
                              const std::vector<Candidate>& candidates, double t) {
  for (const std::size_t g : enabled) followed[g].sign_after = fired_[g] ? 0 : followed[g].track.sign;
  for (auto c = candidates.rbegin(); c != candidates.rend(); ++c) {
    const Followed& f = followed[c->guard];
    if (c->touch || fired_[c->guard]) continue;
    // a wanted crossing of an active guard would have been the event if it were not later
    const bool later =
        sampler_.time(c->tau) > t || (f.info->role == Role::active && wants(f.info->crossing, -c->before));
    if (later) followed[c->guard].sign_after = c->before;
  }
}

bool Resolver::keeps_sides(std::span<const std::size_t> enabled, const std::vector<Followed>& followed) const {
  return std::all_of(enabled.begin(), enabled.end(), [&](std::size_t g) {
    return fired_[g] != 0 || followed[g].sign_after * g_event_[g] >= -followed[g].info->g_tol;
  });
}

bool Resolver::record_passive(std::vector<Followed>& followed, const std::vector<Candidate>& candidates, Look& look) {
  const bool event = look.has_event();
  const double t = event ? look.t_event() : kNever, tie = options_.tie_ulps * sampler_.ulp();
  for (const Located& r : roots_)
    if (r.direction == 0 && r.t <= t) look.passive.push_back(r);
  passive_roots_.clear();
  for (const Candidate& c : candidates) {
    const Followed& f = followed[c.guard];
    if (f.info->role != Role::passive) continue;
    if (event) {
      bool near = true;
      if (!reach(c, t, t, near)) return false;
      if (!near) continue;
    }
    if (!decide(c, f, passive_roots_)) return false;
  }
  for (const Located& r : passive_roots_) fired_[r.guard] = 0;
  for (Located& r : passive_roots_) {
    Followed& f = followed[r.guard];
    if (r.direction == 0) {
      if (r.t <= t) look.passive.push_back(r);
    } else if (r.t < t - tie || (r.t <= t + tie && r.direction * g_event_[r.guard] >= -f.info->g_tol)) {
      // at the instant of the event it counts now if g has reached zero there, else it will be seen again
      r.t = std::min(r.t, t);
      r.t_lo = std::min(r.t_lo, r.t);
      f.sign_after = r.direction;
      fired_[r.guard] = 1;
      look.passive.push_back(r);
    } else if (!fired_[r.guard]) {
      f.sign_after = -r.direction;
      fired_[r.guard] = 1;
    }
  }
  std::sort(look.passive.begin(), look.passive.end(), earlier);
  return true;
}

bool Resolver::run(std::span<const std::size_t> enabled, std::vector<Followed>& followed,
                   std::vector<Candidate>& candidates, Look& look) {
  for (const std::size_t g : enabled) followed[g].sign_after = 0;
  if (candidates.empty()) {
    for (const std::size_t g : enabled) followed[g].track.carry = 0.0;
    return true;
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.tau < b.tau || (a.tau == b.tau && a.guard < b.guard);
  });
  return find_active(followed, candidates) && fire(enabled, followed, candidates, look) &&
         record_passive(followed, candidates, look);
}

}  // namespace hstar::events::detail

// src/transition/rattling.cpp: several contacts that come to rest at one instant.
//
// Without restitution a block that rocks from corner to corner strikes once a swing, and its impacts accumulate. With
// restitution each strike is an accumulation of its own, and the limits of these accumulate: the same extrapolation,
// one level up.
#include <algorithm>
#include <cmath>
#include <limits>

#include "transition/mechanism_process.hpp"

namespace hstar {
namespace {
/// Of what has been seen: as in impacts.cpp.
constexpr double zeno_ratio = 1e-8;
/// Swings lower than so many times the round-off of the gap are left out: their impacts are hardly seen one by one.
constexpr double lowest_swing = 1e4;
}  // namespace

bool MechanismProcess::rocking_ends(std::size_t c, const events::AccumulationLimit& limit, double round_off,
                                    events::AccumulationLimit& rest) {
  Rocking& r = rocking_[c];
  bool rocks = false;
  for (std::size_t o = 0; o < rocking_.size(); ++o)
    rocks |= o != c && !mode_.closed[o] && rocking_[o].limits.count() > 0;
  if (!rocks) {
    r.limits.reset();
    r.best = BestLimit{};
  }
  r.limits.add(limit.t_limit, r.strength);
  rest = r.limits.limit();
  if (rest.recognised && rest.remaining > 0) {
    // The extrapolation multiplies the errors of the last three limits. Their estimates are bounds, seldom reached: a
    // tenth of them counts in the choice of the best prediction, all in its error.
    const double inherited = limit_error_ * std::pow((1 + rest.ratio) / (1 - rest.ratio), 2),
                 error = rest.error + 0.1 * inherited, certain = std::max(error, r.best.last_error);
    // (A prediction that has gone by, or far from this one, was of something else.)
    if (r.best.t <= limit.t_limit || std::abs(r.best.t - rest.t_limit) > 0.3 * rest.remaining + 10 * r.best.error)
      r.best = BestLimit{};
    r.best.last_error = error;
    if (certain <= r.best.error) {
      r.best.t = rest.t_limit;
      r.best.error = certain;
      r.ratio = rest.ratio;
      r.inherited = inherited;
    }
  }
  if (!std::isfinite(r.best.error)) return false;
  const double before = r.remaining, remaining = r.best.t - limit.t_limit;
  r.remaining = remaining;
  // Something else happened meanwhile: the swings do not go on as they did.
  if (!rest.recognised && !(std::abs(remaining - r.ratio * before) <= 0.3 * r.ratio * before)) {
    r.best = BestLimit{};
    return false;
  }
  // (Height that the next swing of a corner has, of two a period.)
  const double height = 0.125 * r.strength * remaining * (1 - r.ratio);
  if (!(remaining > 0) ||
      (remaining > zeno_ratio * (limit.t_limit - r.limits.first_time()) && height > lowest_swing * round_off))
    return false;
  rest = {true, r.best.t, remaining + limit.remaining, r.ratio, r.best.error + r.inherited};
  limit_error_ = rest.error;
  limits_seen_ = r.limits.count();
  return true;
}

bool MechanismProcess::rocks_with(std::size_t contact, const events::AccumulationLimit& limit) const {
  const Rocking& r = rocking_[contact];
  return std::isfinite(r.best.error) &&
         std::abs(r.best.t - limit.t_limit) <= 0.05 * r.remaining + 10 * (r.best.error + limit.error);
}

bool MechanismProcess::accumulates_with(std::size_t contact, double t, const events::AccumulationLimit& limit) const {
  const events::AccumulationLimit own = accumulation_[contact].limit();
  if (!own.recognised || !(own.t_limit > t) || std::abs(own.t_limit - limit.t_limit) > 0.05 * own.remaining)
    return false;
  // A pattern of long ago may still point here; a contact that is too far away to be on its last bounces is not.
  return system_->contacts[contact]->gap(equations_.kinematics()) <=
         impact_speed_[contact] * own.remaining + guards_.gap_tolerance(contact);
}

bool MechanismProcess::rattles(std::size_t contact, double speed, double remaining) const {
  // Whatever its own impacts were like: nothing that is as near and as slow as what ends goes on for longer. (What does
  // not rest but opens from there is let go by the forces.)
  if (mode_.closed[contact] || !in_range(contact)) return false;
  const double gap = system_->contacts[contact]->open_gap(equations_.kinematics());
  return std::abs(gap) <= speed * remaining + guards_.gap_tolerance(contact) &&
         std::abs(equations_.gap_velocity(static_cast<int>(contact))) <= speed;
}

bool MechanismProcess::is_cut_short(std::size_t contact, double t, const events::AccumulationLimit& limit) const {
  const System& s = *system_;
  for (std::size_t o = 0; o < s.contacts.size(); ++o) {
    // (What is as slow as this one ends with it.)
    if (o != contact && -equations_.gap_velocity(static_cast<int>(o)) > impact_speed_[contact] &&
        strikes_within(o, limit.remaining) && !accumulates_with(o, t, limit) &&
        !(std::isfinite(rocking_[contact].best.error) && rocks_with(o, limit)))
      return true;
  }
  return false;
}

bool MechanismProcess::close_together(double t, std::span<double> y, std::size_t contact,
                                      const events::AccumulationLimit& limit, Settled& settled) {
  // Several contacts come to rest at one instant (a block that rocks from corner to corner). What remains of the
  // rattling is smaller than round-off in position; its impulses are together those of one plastic impact.
  const System& s = *system_;
  const double speed = limits_seen_ > 0 ? rocking_[contact].strength : impact_speed_[contact];
  for (std::size_t o = 0; o < s.contacts.size(); ++o) {
    ends_[o] = o == contact || accumulates_with(o, t, limit) || (limits_seen_ > 0 && rocks_with(o, limit)) ||
               rattles(o, speed, limit.remaining);
  }
  if (!strike_at_limit(t, y, limit.remaining, limit.t_limit)) return false;
  for (std::size_t o = 0; o < s.contacts.size(); ++o)
    if (ends_[o]) mode_.closed[o] = 1;  // whether it stays so is decided at the limit
  settled.t_jump = limit.t_limit;
  for (std::size_t o = 0; o < s.contacts.size(); ++o)
    if (ends_[o] && limits_seen_ > 0) rocking_[o] = Rocking{};
  return true;
}

}  // namespace hstar

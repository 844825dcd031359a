// src/transition/collapse_end.cpp: contacts that strike in turn come to their limit (collapse.hpp).
#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanism/short_number.hpp"
#include "transition/mechanism_process.hpp"

namespace hstar {
namespace {
constexpr double eps = std::numeric_limits<double>::epsilon();
/// Part of the time seen that may be left when the limit is taken: what is neglected (how the bodies turn, forces) is
/// of second order in it, and so of the size of eps.
const double most_left = std::sqrt(eps);
/// The same where impacts crowd, and the run ends: they come ever more slowly to it.
constexpr double most_left_crowding = 1e-5;
/// Way of a flight that is no more than so many round-offs of the gap is none.
constexpr double no_flight = 64;
}  // namespace

bool MechanismProcess::is_at_limit(double t, const Collapse::Limit& limit) const {
  double first = t;
  bool flies = false;
  for (const int contact : limit.contacts) {
    const auto c = static_cast<std::size_t>(contact);
    first = std::min(first, accumulation_[c].first_time());
    const double way = impact_speed_[c] * (limit.cycle + limit.remaining);
    flies |= way > no_flight * eps * system_->contacts[c]->length_scale(equations_.kinematics());
  }
  return !flies || limit.remaining <= (limit.crowds ? most_left_crowding : most_left) * (t - first);
}

bool MechanismProcess::strikes_within(std::size_t contact, double remaining) const {
  if (mode_.closed[contact] || (ranged_[contact] && !front_[contact]) || !in_range(contact)) return false;
  const double gap = system_->contacts[contact]->open_gap(equations_.kinematics()),
               speed = -equations_.gap_velocity(static_cast<int>(contact));
  return gap > 0 && gap < speed * remaining;
}

bool MechanismProcess::is_cut_short(std::span<const int> contacts, double remaining) const {
  for (std::size_t c = 0; remaining > 0 && c < system_->contacts.size(); ++c)
    if (!std::binary_search(contacts.begin(), contacts.end(), static_cast<int>(c)) && strikes_within(c, remaining))
      return true;
  return false;
}

bool MechanismProcess::end_collapse(double t, std::span<double> y, EventLog& log, Settled& settled) {
  if (!collapse_.recognise(collapsed_)) return false;
  const Collapse::Limit& limit = collapsed_;
  // (Contacts whose own bounces have a limit come to it on their own, each or together.)
  for (const int c : limit.contacts)
    if (accumulation_[static_cast<std::size_t>(c)].limit().recognised) return false;
  equations_.evaluate_kinematics(t, y.data());
  if (!is_at_limit(t, limit)) return false;
  if (limit.crowds) {
    std::string names;
    for (const int c : limit.contacts)
      names += (names.empty() ? "\"" : ", \"") + system_->contacts[static_cast<std::size_t>(c)]->name + "\"";
    settled.then = Settled::Then::fail;
    settled.status = RunStatus::accumulation;
    settled.message = "impacts of " + names + " crowd towards t = " + short_number(limit.t) +
                      " s and do not get slower (interval ratio " + short_number(limit.ratio) +
                      "): what lies between has no room left then, and rigid bodies have no motion beyond";
    return false;
  }
  if (is_cut_short(limit.contacts, limit.remaining)) return false;
  std::fill(ends_.begin(), ends_.end(), 0);
  for (const int c : limit.contacts) ends_[static_cast<std::size_t>(c)] = 1;
  std::copy(y.begin(), y.end(), y_impact_.begin());
  const EventBooks so_far = books_.close(y, instant_);
  const ImpactOutcome* impact = strike_at_limit(t, y, limit.remaining, limit.t);
  if (!impact) return false;
  if (limit.remaining > 0) {
    book_limit(so_far, y_impact_, y);
    settled.t_jump = limit.t;
  }
  if (log.wanted()) tell_collapse(*impact, y);
  for (const int c : limit.contacts) reset_accumulation(static_cast<std::size_t>(c));
  collapse_.reset();
  return true;
}

const ImpactOutcome* MechanismProcess::strike_at_limit(double t, std::span<double> y, double remaining,
                                                       double t_limit) {
  // What forces do until the limit may be as much as what the last impacts do, and of that, too, friction has its part:
  // free flight first, then the impact.
  const System& s = *system_;
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (ends_[c]) mode_.closed[c] = 0;
  if (!rates_of_flight(t, y)) return nullptr;
  for (std::size_t i = 0; i < s.size(); ++i) y[i] += remaining * ydot_[i];
  equations_.evaluate(t_limit, y.data());
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    active_[c] = ends_[c] || mode_.closed[c];
    if (ends_[c]) gap_velocity_[c] = equations_.gap_velocity(static_cast<int>(c));
  }
  // (Whatever approaches: those that leave now strike again before the limit.)
  const ImpactOutcome& impact = impact_.strike_together(active_, gap_velocity_.data());
  if (!impact.found) return nullptr;
  limit_loss_ = take_velocities(impact, y);
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    const bool slides = unit.contact >= 0 && unit.part == FrictionPart::sliding;
    stuck_in_impact_[u] = slides ? impact.sticks[static_cast<std::size_t>(unit.contact)] : impact.stuck_unit[u];
  }
  equations_.evaluate_kinematics(t_limit, y.data());
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (!active_[c]) continue;
    // What leaves no faster than it struck last comes back before the limit.
    const bool stays = ends_[c] && equations_.gap_velocity(static_cast<int>(c)) <= impact_speed_[c];
    mode_.closed[c] = impact.closed[c] || stays;
    touching_[c] = 1;
    impacting_[c] = 0;
  }
  return &impact;
}

void MechanismProcess::tell_collapse(const ImpactOutcome& impact, std::span<const double> y) {
  const System& s = *system_;
  const Collapse::Limit& limit = collapsed_;
  std::string names;
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (impact.closed[c] && static_cast<int>(c) != limit.contacts.front())
      names += (names.empty() ? "with " : ", ") + s.contacts[c]->name;
  const auto m = static_cast<std::size_t>(limit.contacts.front());
  EventRecord r = record(limit.t, nullptr, "zeno", s.contacts[m]->name, y_impact_, y);
  r.dt_error = limit.error;
  r.t_lo = limit.t - limit.remaining;
  r.mode_before = "open";
  r.system_mode_before = hstar::mode_text(s, before_);
  r.gap_velocity_before = gap_velocity_[m];
  r.impulse_n = impact.impulse_n[m];
  r.impulse_t = impact.impulse_t[m];
  r.energy_loss = limit_loss_;
  r.note = names + (names.empty() ? "" : "; ") + "contacts strike in turn, velocities times " +
           short_number(limit.shrink) + " each cycle: their limit is one plastic impact of all of them";
  pending_.push_back({std::move(r), limit.contacts.front()});
}

}  // namespace hstar

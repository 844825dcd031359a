// src/transition/impacts.cpp: impacts of a mechanism at one instant, until none approaches.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "contact/tolerances.hpp"
#include "mechanism/short_number.hpp"
#include "transition/mechanism_process.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {
/// Impacts at one instant: contacts that touch and strike in turn have lost their speeds by then, or never will.
constexpr int most_at_once = 1 << 14;
/// Of these so many are told.
constexpr int most_told = 200;
/// A flight no higher than so many round-offs of its gap is none.
constexpr double no_flight = 64;
}  // namespace

bool MechanismProcess::impacts(double t, std::span<double> y, std::span<const events::Root> fired, EventLog& log,
                               Settled& settled) {
  const System& s = *system_;
  bool driven = std::find(driven_.begin(), driven_.end(), 1) != driven_.end();
  if (s.contacts.empty() && !driven) return true;
  std::fill(stuck_in_impact_.begin(), stuck_in_impact_.end(), 0);
  std::vector<double>& gap_velocity = touching_.gap_velocity();
  touching_.note_closed(mode_.closed);
  equations_.motion.evaluate(t, y.data());
  if (instant_.jumped()) touching_.free_struck(mode_.closed);
  touching_.find(t, mode_.closed, before_.closed);
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (touching_[c].touched && !mode_.closed[c]) {
      touching_[c].touches = true;
      touching_[c].approaches = gap_velocity[c] < 0;
    }
  for (std::size_t c = 0; chatter_.follows() && c < s.contacts.size(); ++c)
    if (touching_[c].touches && gap_velocity[c] == 0) mode_.closed[c] = 1;  // it has come to rest
  // A guard that fired is at zero gap whatever its round-off says.
  for (const events::Root& root : fired)
    if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::gap) {
      const auto c = static_cast<std::size_t>(ref.index);
      // Beyond the ends of its edge, or from behind: nothing touches.
      if (ranges_.ranged(c) && (root.direction > 0 || !ranges_.can_strike(c, before_.closed))) continue;
      touching_[c].touches = true;
      touching_.find_gap_velocity(c, mode_.closed[c] != 0);
      touching_[c].approaches = gap_velocity[c] < 0;
      if (touching_[c].approaches) continue;
      if (ranges_.ranged(c) && gap_velocity[c] > 0 && ranges_.lies_on(c)) {
        mode_.closed[c] = 1;
        continue;
      }
      // It leaves, and there were no impacts that could have come to an end: it has just been let go or thrown open,
      // and the error of the integrator is larger than its gap still is. Below what the gap should be by now, nothing
      // counts. (At the instant it opened a gap within its round-off has come back if its flight is lower than that.)
      const double gap = s.contacts[c]->gap(equations_.motion.kinematics());
      const bool alone = touching_[c].bounces.count == 0, later = alone && t > touching_[c].bounces.opened;
      if (gap_velocity[c] > 0 &&
          (later || (alone && std::abs(gap) > guards_.info(root.guard).g_tol) || flies(t, y, c))) {
        guards_.note_zero(Watch::gap, ref.index,
                          later ? 0.25 * gap_velocity[c] * (t - touching_[c].bounces.opened) : gap);
        unsettled_[c] = 1;
        continue;
      }
      mode_.closed[c] = 1;  // touches at rest: closed or open is decided later
      if (gap_velocity[c] == 0) continue;
      // It leaves, and yet its gap came back to zero at once: the flight is lower than the round-off of
      // the gap. Bounces below that are the limit of their accumulation.
      tell_low_flight(t, y, ref.index, &root, log);
      impulses_.hold_closed(t, y, mode_, stuck_in_impact_, std::numeric_limits<double>::infinity());
      impact_recorded_ = true;
      gap_velocity[c] = 0;
    }
  double terms = 0;
  for (int count = 0; driven || touching_.any_approaches(); ++count) {
    if (count == most_at_once) {
      settled.then = Settled::Then::fail;
      settled.status = RunStatus::event_pile_up;
      settled.message = "more than " + std::to_string(most_at_once) + " impacts at one instant";
      return false;
    }
    const bool told = log.wanted() && count < most_told;
    std::copy(y.begin(), y.end(), y_impact_.begin());
    for (std::size_t c = 0; c < s.contacts.size(); ++c) active_[c] = touching_[c].touches && gap_velocity[c] <= 0;
    equations_.evaluate(t, y.data());
    const ImpactOutcome& impact =
        impulses_.strike(active_, gap_velocity, driven ? std::span<const char>(driven_) : std::span<const char>{});
    if (!impact.found) {
      settled.then = Settled::Then::fail;
      settled.status = RunStatus::no_consistent_mode;
      settled.message = "at t = " + short_number(t) + " s: " + impact.why;
      return false;
    }
    const double energy_loss = impulses_.take(impact, y);
    terms = std::max(terms, impact.size);
    // What is still told to approach when the law changes nothing does so by the round-off of its equations.
    if (!driven && std::equal(y.begin(), y.end(), y_impact_.begin())) {
      for (std::size_t c = 0; c < s.contacts.size(); ++c)
        if (std::exchange(touching_[c].approaches, false)) mode_.closed[c] = 1;
      break;
    }
    equations_.motion.evaluate(t, y.data());
    const double gain = driven ? 0.0 : impulses_.gained_energy(impact, active_, gap_velocity);  // (a driver gives it)
    if (gain > 0 && impact_options_.energy_error) {
      settled.then = Settled::Then::fail;
      settled.status = RunStatus::no_consistent_mode;
      settled.message = "at t = " + short_number(t) + " s the impact law gains " + short_number(gain, 3) +
                        " J of energy, and impact_energy = \"error\"";
      return false;
    }
    impulses_.tell_stuck(impact, stuck_in_impact_);

    // The element of the record: the fired contact, else the one that came in fastest.
    int main = -1;
    for (const events::Root& root : fired)
      if (const WatchRef ref = guards_.ref(root.guard);
          main < 0 && ref.what == Watch::gap && touching_[static_cast<std::size_t>(ref.index)].approaches)
        main = ref.index;
    for (std::size_t c = 0; c < s.contacts.size(); ++c)
      if (main < 0 && touching_[c].approaches) main = static_cast<int>(c);
    if (driven) main = -1;
    const auto m = static_cast<std::size_t>(main);
    EventRecord r;
    std::string others;
    // (What is round-off of other impulses is none.)
    double least = 0;
    for (const double impulse : impact.impulse_n) least = std::max(least, contact::round_off * impulse);
    for (std::size_t c = 0; c < s.contacts.size(); ++c)
      if (static_cast<int>(c) != main && active_[c] && impact.impulse_n[c] > least)
        others += (others.empty() ? "with " : ", ") + s.contacts[c]->name;
    if (told && driven) {
      r = driven_record(t, impact, y);
      r.energy_loss = energy_loss;
      r.note = others + (others.empty() ? "" : "; ") + "the velocity that it is given jumps";
    } else if (told) {
      const events::Root* root = nullptr;
      for (const events::Root& f : fired)
        if (guards_.ref(f.guard).what == Watch::gap && guards_.ref(f.guard).index == main) root = &f;
      r = lines_.line(t, root, "impact", s.contacts[m]->name, y_impact_, y);
      r.gap_velocity_before = gap_velocity[m];
      r.impulse_n = impact.impulse_n[m];
      const int unit = s.contact_friction[m];
      r.impulse_t = impact.impulse_t[m];
      r.energy_loss = energy_loss;
      r.note = others;
      if (unit >= 0)
        r.note += std::string(others.empty() ? "" : "; ") + (impact.sticks[m] ? "sticks" : "slips") + " during impact" +
                  impulses_.friction_text(impact, m);
      if (gain > 0)
        r.note +=
            (r.note.empty() ? "" : "; ") + std::string("gains energy: the law creates ") + short_number(gain, 3) + " J";
      r.mode_before = contact_mode_text(s, before_, main);
    }
    for (std::size_t c = 0; c < s.contacts.size(); ++c) {
      if (!touching_[c].approaches) continue;
      touching_[c].bounces.add(t);
      if (!chatter_.hides()) ++impacts_seen_[c];
      chatter_.strike(-gap_velocity[c]);
      const auto free = [&](int body) { return s.bodies[body].prescribed ? -1 : body; };
      crowding_.add(t, static_cast<int>(c), {free(s.contacts[c]->first), free(s.contacts[c]->second)},
                    -gap_velocity[c]);
    }

    // Where each contact goes on: still closed, closed now (no rebound), or open.
    for (std::size_t c = 0; c < s.contacts.size(); ++c) touching_[c].touched = touching_[c].touches;
    equations_.motion.evaluate(t, y.data());
    touching_.free_struck(mode_.closed);
    touching_.find(t, mode_.closed, before_.closed);
    for (std::size_t c = 0; c < s.contacts.size(); ++c) {
      if (!touching_[c].touched) continue;
      touching_[c].touches = true;
      touching_[c].approaches = gap_velocity[c] < 0 && !impact.closed[c];
      const bool separates = impulses_.restitution(c) > 0 && impact.closed[c]
                                 ? gap_velocity[c] > 0
                                 : gap_velocity[c] > 0 && !impact.closed[c];
      mode_.closed[c] = !separates && !touching_[c].approaches;
    }
    if (told) {
      equations_.motion.evaluate(t, r.y_after.data());
      if (!driven) r.gap_velocity_after = equations_.motion.gap_velocity(main);
      lines_.keep(std::move(r), main);
    }
    problem_.all = true;
    impact_recorded_ |= !driven || !others.empty();
    driven = false;
    std::fill(driven_.begin(), driven_.end(), 0);
    if (crowds(t, settled)) return false;
  }
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (mode_.closed[c]) touching_[c].bounces = {};
  // What an impact cannot tell from rest is at rest.
  if (impact_recorded_)
    impulses_.hold_closed(
        t, y, mode_, stuck_in_impact_,
        std::max(contact::path_end * std::max(terms, instant_.fastest()), tolerances::levers * chatter_.still()));
  return true;
}

bool MechanismProcess::crowds(double t, Settled& settled) {
  if (!crowding_.recognise(crowded_)) return false;
  double first = t;
  for (const int c : crowded_.contacts) first = std::min(first, touching_[c].bounces.first);
  if (crowded_.t - t > tolerances::most_left_crowding * (t - first)) return false;
  std::string names;
  for (const int c : crowded_.contacts) names += (names.empty() ? "\"" : ", \"") + system_->contacts[c]->name + "\"";
  settled.then = Settled::Then::fail;
  settled.status = RunStatus::accumulation;
  settled.message = "impacts of " + names + " crowd towards t = " + short_number(crowded_.t) +
                    " s and do not get slower (interval ratio " + short_number(crowded_.ratio) +
                    "): what lies between has no room left then, and rigid bodies have no motion beyond";
  return true;
}

bool MechanismProcess::rates_of_flight(double t, std::span<const double> y) {
  const System& s = *system_;
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (s.frictions[u].contact >= 0 && !mode_.closed[s.frictions[u].contact]) mode_.friction[u] = FrictionMode{};
  equations_.evaluate(t, y.data());
  equations_.rows.take(mode_);
  return rates(t, y.data(), ydot_.data());
}

double MechanismProcess::flight_height(double t, std::span<const double> y, std::size_t contact, double speed) {
  const char closed = std::exchange(mode_.closed[contact], 0);
  const bool known = rates_of_flight(t, y);
  Row row;
  equations_.motion.normal_row(static_cast<int>(contact), row);
  const double falls = known ? -acceleration_along(*system_, row, ydot_) : 0.0;
  mode_.closed[contact] = closed;
  return falls > 0 ? 0.5 * speed * speed / falls : std::numeric_limits<double>::infinity();
}

bool MechanismProcess::flies(double t, std::span<const double> y, std::size_t contact) {
  const double round_off =
      no_flight * tolerances::eps * system_->contacts[contact]->length_scale(equations_.motion.kinematics());
  return flight_height(t, y, contact, touching_.gap_velocity()[contact]) >
         std::max(round_off, guards_.gap_tolerance(contact));
}

void MechanismProcess::tell_low_flight(double t, std::span<const double> y, int contact, const events::Root* root,
                                       EventLog& log) {
  if (!log.wanted()) return;
  const auto c = static_cast<std::size_t>(contact);
  EventRecord z = lines_.line(t, root, "zeno", system_->contacts[c]->name, y, y);
  z.mode_before = "open";
  z.gap_velocity_before = touching_.gap_velocity()[c];
  z.note =
      std::to_string(touching_[c].bounces.count) + " impacts seen; flights are lower than the round-off of the gap";
  lines_.keep(std::move(z), contact);
}

}  // namespace hstar

// src/transition/impacts.cpp: impacts of a mechanism, and the limit of an accumulation of impacts.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mechanism/short_number.hpp"
#include "transition/mechanism_process.hpp"

namespace hstar {
namespace {
constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int max_impacts_at_once = 200;
/// An accumulation ends when what remains of it is this small a part of what has been seen.
constexpr double zeno_ratio = 1e-8;
/// Of the ratio of an accumulation: gap velocities and intervals tell the same.
constexpr double same_ratio = 0.1;
/// Flights lower than so many round-offs of the gap are left out; and where something happens during them (a rider
/// stops), lower than so many: it would find the contact touching, which 64 mean.
constexpr double lowest_flight = 64, lowest_interrupted = 256;
/// A flight no higher than so many round-offs of its gap is none.
constexpr double no_flight = 64;
/// Of the fastest impact seen: flights lower than round-off begin far slower than this (a question of cost alone).
constexpr double slow = 1e-3;
}  // namespace

bool MechanismProcess::impacts(double t, std::span<double> y, std::span<const events::Root> fired, EventLog& log,
                               Settled& settled) {
  const System& s = *system_;
  bool driven = std::find(driven_.begin(), driven_.end(), 1) != driven_.end();
  if (s.contacts.empty() && !driven) return true;
  std::fill(stuck_in_impact_.begin(), stuck_in_impact_.end(), 0);
  std::copy(mode_.closed.begin(), mode_.closed.end(), touched_.begin());
  if (instant_.jumped()) free_struck_contacts(t, y.data());
  find_touching(t, y.data());
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (touched_[c] && !mode_.closed[c]) {
      touching_[c] = 1;
      impacting_[c] = gap_velocity_[c] < 0;
    }
  // A guard that fired is at zero gap whatever its round-off says.
  for (const events::Root& root : fired)
    if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::gap) {
      const auto c = static_cast<std::size_t>(ref.index);
      // Beyond the ends of its edge, or from behind: nothing touches.
      if (ranged_[c] && (root.direction > 0 || !can_strike(c))) continue;
      touching_[c] = 1;
      impacting_[c] = gap_velocity_[c] < 0;
      if (impacting_[c]) continue;
      if (ranged_[c] && gap_velocity_[c] > 0 && lies_on(c)) {
        mode_.closed[c] = 1;
        continue;
      }
      // It leaves, and there were no impacts that could have come to an end: it has just been let go or thrown open,
      // and the error of the integrator is larger than its gap still is. Below what the gap should be by now, nothing
      // counts. (At the instant it opened a gap within its round-off has come back if its flight is lower than that.)
      const double gap = s.contacts[c]->gap(equations_.kinematics());
      const bool alone = accumulation_[c].count() == 0, later = alone && t > opened_[c];
      if (gap_velocity_[c] > 0 &&
          (later || (alone && std::abs(gap) > guards_.info(root.guard).g_tol) || flies(t, y, c))) {
        guards_.note_zero(Watch::gap, ref.index, later ? 0.25 * gap_velocity_[c] * (t - opened_[c]) : gap);
        unsettled_[c] = 1;
        continue;
      }
      mode_.closed[c] = 1;  // touches at rest: closed or open is decided later
      if (gap_velocity_[c] == 0) continue;
      // It leaves, and yet its gap came back to zero at once: the flight is lower than the round-off of
      // the gap. Bounces below that are the limit of their accumulation.
      tell_low_flight(t, y, ref.index, &root, log);
      if (!hold_closed(t, y)) books_.go_on(y, books_.close(y, instant_), gap_velocity_[c]);
      impact_recorded_ = true;
      gap_velocity_[c] = 0;
    }
  bool rocks = false;
  const auto approaches = [&] { return std::find(impacting_.begin(), impacting_.end(), 1) != impacting_.end(); };
  for (int count = 0; driven || approaches(); ++count) {
    if (count == max_impacts_at_once) {
      settled.then = Settled::Then::fail;
      settled.status = RunStatus::event_pile_up;
      settled.message = "more than " + std::to_string(max_impacts_at_once) + " impacts at one instant";
      return false;
    }
    std::copy(y.begin(), y.end(), y_impact_.begin());
    for (std::size_t c = 0; c < s.contacts.size(); ++c) {
      active_[c] = touching_[c] && gap_velocity_[c] <= 0;
      restitution_[c] = s.contacts[c]->restitution;
    }
    equations_.evaluate(t, y.data());
    for (std::size_t u = 0; u < s.frictions.size(); ++u)
      equations_.slide_velocities(static_cast<int>(u), slide_before_[u].data());
    const ImpactOutcome& impact = impact_.solve(active_, gap_velocity_.data(), restitution_.data(),
                                                driven ? std::span<const char>(driven_) : std::span<const char>{});
    if (!impact.found) {
      settled.then = Settled::Then::fail;
      settled.status = RunStatus::no_consistent_mode;
      settled.message = "at t = " + short_number(t) + " s: " + impact.why;
      return false;
    }
    const double energy_loss = take_velocities(impact, y);
    equations_.evaluate_kinematics(t, y.data());
    const double gain = driven ? 0.0 : gained_energy(impact);  // (a driver gives it)
    if (gain > 0 && impact_options_.energy_error) {
      settled.then = Settled::Then::fail;
      settled.status = RunStatus::no_consistent_mode;
      settled.message = "at t = " + short_number(t) + " s the impact law gains " + short_number(gain, 3) +
                        " J of energy, and impact_energy = \"error\"";
      return false;
    }
    for (std::size_t u = 0; u < s.frictions.size(); ++u) {
      const FrictionUnit& unit = s.frictions[u];
      const bool slides = unit.contact >= 0 && unit.part == FrictionPart::sliding;
      stuck_in_impact_[u] = slides ? impact.sticks[static_cast<std::size_t>(unit.contact)] : impact.stuck_unit[u];
    }

    // The element of the record: the fired contact, else the one that came in fastest.
    int main = -1;
    for (const events::Root& root : fired)
      if (const WatchRef ref = guards_.ref(root.guard);
          main < 0 && ref.what == Watch::gap && impacting_[static_cast<std::size_t>(ref.index)])
        main = ref.index;
    for (std::size_t c = 0; c < s.contacts.size(); ++c)
      if (main < 0 && impacting_[c]) main = static_cast<int>(c);
    if (driven) main = -1;
    const auto m = static_cast<std::size_t>(main);
    EventRecord r;
    std::string others;
    for (std::size_t c = 0; c < s.contacts.size(); ++c)
      if (static_cast<int>(c) != main && active_[c] && impact.impulse_n[c] > 0)
        others += (others.empty() ? "with " : ", ") + s.contacts[c]->name;
    if (log.wanted() && driven) {
      r = driven_record(t, impact, y);
      r.energy_loss = energy_loss;
      r.note = others + (others.empty() ? "" : "; ") + "the velocity that it is given jumps";
      r.system_mode_before = hstar::mode_text(s, before_);
    } else if (log.wanted()) {
      const events::Root* root = nullptr;
      for (const events::Root& f : fired)
        if (guards_.ref(f.guard).what == Watch::gap && guards_.ref(f.guard).index == main) root = &f;
      r = record(t, root, "impact", s.contacts[m]->name, y_impact_, y);
      r.gap_velocity_before = gap_velocity_[m];
      r.impulse_n = impact.impulse_n[m];
      const int unit = s.contact_friction[m];
      r.impulse_t = impact.impulse_t[m];
      r.energy_loss = energy_loss;
      r.note = others;
      if (unit >= 0)
        r.note += std::string(others.empty() ? "" : "; ") + (impact.sticks[m] ? "sticks" : "slips") + " during impact" +
                  friction_text(impact, m);
      if (gain > 0)
        r.note +=
            (r.note.empty() ? "" : "; ") + std::string("gains energy: the law creates ") + short_number(gain, 3) + " J";
      r.system_mode_before = hstar::mode_text(s, before_);
      r.mode_before = contact_mode_text(s, before_, main);
    }
    for (std::size_t c = 0; c < s.contacts.size(); ++c) {
      if (!impacting_[c]) continue;
      ++impacts_seen_[c];
      impact_speed_[c] = -gap_velocity_[c];
      fastest_impact_ = std::max(fastest_impact_, impact_speed_[c]);
      opened_[c] = std::numeric_limits<double>::infinity();
      if (accumulation_[c].count() == 0) rocking_[c].strength = impact_speed_[c];
      accumulation_[c].add(t, impact_speed_[c]);
      const auto free = [&](int body) { return s.bodies[static_cast<std::size_t>(body)].prescribed ? -1 : body; };
      collapse_.add(t, static_cast<int>(c), {free(s.contacts[c]->first), free(s.contacts[c]->second)},
                    impact_speed_[c]);
    }
    bool limit = false;
    int limit_contact = -1;
    for (std::size_t c = 0; c < s.contacts.size(); ++c)
      if (impacting_[c] && restitution_[c] > 0) limit_contact = static_cast<int>(c);

    // Where each contact goes on: still closed, closed now (no rebound), or open.
    std::copy(touching_.begin(), touching_.end(), touched_.begin());
    free_struck_contacts(t, y.data());
    std::copy(impacting_.begin(), impacting_.end(), hit_.begin());
    find_touching(t, y.data());
    rocks = false;
    for (std::size_t c = 0; c < s.contacts.size(); ++c) {
      if (!touched_[c]) continue;
      touching_[c] = 1;
      impacting_[c] = gap_velocity_[c] < 0 && !impact.closed[c];
      const bool separates =
          restitution_[c] > 0 && impact.closed[c] ? gap_velocity_[c] > 0 : gap_velocity_[c] > 0 && !impact.closed[c];
      mode_.closed[c] = !separates && !impacting_[c];
      rocks |= separates && !hit_[c];
    }
    // An impact without rebound that throws another contact open: rocking, whose accumulation is of all of them.
    for (std::size_t c = 0; rocks && c < s.contacts.size(); ++c)
      if (limit_contact < 0 && hit_[c]) limit_contact = static_cast<int>(c);
    if (limit_contact >= 0 && !std::any_of(impacting_.begin(), impacting_.end(), [](char c) { return c != 0; })) {
      const EventBooks so_far = books_.close(y, instant_);
      std::copy(y.begin(), y.end(), y_impact_.begin());
      limit = close_accumulation(t, y, limit_contact, settled);
      if (limit) book_limit(so_far, y_impact_, y);
      struck_.contact = limit_contact;
      struck_.instant = instants_;
      struck_.speed = gap_velocity_[static_cast<std::size_t>(limit_contact)];
      std::copy_n(y.begin() + s.nq, struck_.v.size(), struck_.v.begin());
    }
    if (log.wanted()) {
      equations_.evaluate_kinematics(t, r.y_after.data());
      if (!driven) r.gap_velocity_after = equations_.gap_velocity(main);
      pending_.push_back({std::move(r), main});
      if (limit) {
        EventRecord z =
            record(settled.t_jump, nullptr, "zeno", s.contacts[static_cast<std::size_t>(limit_contact)]->name, y, y);
        z.dt_error = limit_error_;
        z.t_lo = t;
        z.mode_before = "open";
        z.system_mode_before = hstar::mode_text(s, before_);
        const std::string seen =
            limits_seen_ > 0
                ? std::to_string(limits_seen_) + " accumulations of impacts seen, their"
                : std::to_string(accumulation_[static_cast<std::size_t>(limit_contact)].count()) + " impacts seen,";
        z.note = seen + " limit extrapolated over the last " + short_number(settled.t_jump - t, 3) + " s";
        pending_.back().record.mode_after = "open";
        pending_.push_back({std::move(z), limit_contact});
      }
    }
    if (limit) {
      for (std::size_t c = 0; c < s.contacts.size(); ++c)
        if (mode_.closed[c]) reset_accumulation(c);
    }
    problem_.all = true;
    impact_recorded_ |= !driven || !others.empty();
    driven = false;
    std::fill(driven_.begin(), driven_.end(), 0);
    if (limit) break;
    if (end_collapse(t, y, log, settled)) {
      rocks = false;
      break;
    }
    if (settled.then == Settled::Then::fail) return false;
    if (std::none_of(impacting_.begin(), impacting_.end(), [](char c) { return c != 0; }) && end_low_flights(t, y, log))
      break;
  }
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (mode_.closed[c] && !rocks) reset_accumulation(c);
  return true;
}

double MechanismProcess::take_velocities(const ImpactOutcome& impact, std::span<double> y) {
  const System& s = *system_;
  books_.book(impact, impact_);
  double energy_loss = 0;
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) {
      const auto at = static_cast<std::size_t>(s.nq + s.bodies[b].dof + c);
      const double plus = impact.v_plus[s.slot(b, c)], mass = equations_.mass()[s.slot(b, c)];
      energy_loss -= 0.5 * mass * (plus - y[at]) * (plus + y[at]);
      last_jump_[static_cast<std::size_t>(s.bodies[b].dof + c)] = plus - y[at];
      y[at] = plus;
    }
  books_.book_loss(energy_loss);
  instant_.jump(impact.jumps);
  return energy_loss;
}

void MechanismProcess::book_limit(const EventBooks& so_far, std::span<const double> before, std::span<const double> y) {
  const System& s = *system_;
  double speed_left = 0;
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (mode_.closed[c]) speed_left = std::max(speed_left, impact_speed_[c]);
  for (std::size_t b = 0; b < s.bodies.size(); ++b)  // and what the flight to the limit adds
    for (int c = 0; c < s.bodies[b].dofs; ++c) {
      const auto v = static_cast<std::size_t>(s.nq + s.bodies[b].dof + c);
      if (!s.turns(c)) speed_left += std::abs(y[v] - before[v]);
    }
  books_.go_on(y, so_far, speed_left);
}

std::string MechanismProcess::friction_text(const ImpactOutcome& impact, std::size_t contact) const {
  if (!system_->is_spatial() || !(impact.impulse_t[contact] > 0)) return {};
  std::string text;
  for (const double x : impact.friction_impulse[contact]) text += (text.empty() ? "" : ", ") + short_number(x);
  return "; friction impulse (" + text + ") N s" + (impact.sequence.empty() ? "" : "; " + impact.sequence);
}

double MechanismProcess::gained_energy(const ImpactOutcome& impact) const {
  // The work of the impulses on the relative velocities at the contacts: what a moving table or a driver does is not
  // the law's. More than round-off of the terms counts.
  const System& s = *system_;
  double work = 0, size = 0;
  const auto add = [&](double impulse, double before, double after) {
    work += 0.5 * impulse * (before + after);
    size += std::abs(impulse) * (std::abs(before) + std::abs(after));
  };
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (active_[c]) add(impact.impulse_n[c], gap_velocity_[c], equations_.gap_velocity(static_cast<int>(c)));
  }
  std::array<double, most_directions> after{};
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const auto& impulse = impact.impulse_unit[u];
    if (impulse == std::array<double, most_directions>{}) continue;
    equations_.slide_velocities(static_cast<int>(u), after.data());
    for (std::size_t d = 0; d < static_cast<std::size_t>(s.frictions[u].directions); ++d)
      add(impulse[d], slide_before_[u][d], after[d]);
  }
  return work > 1e-11 * size ? work : 0.0;
}

void MechanismProcess::free_struck_contacts(double t, const double* y) {
  // A contact that was closed before a jump of the velocities may have been struck open by it.
  const System& s = *system_;
  equations_.evaluate_kinematics(t, y);
  Row row;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (!mode_.closed[c] || !instant_.jumped(s.contacts[c]->first, s.contacts[c]->second)) continue;
    equations_.normal_row(static_cast<int>(c), row);
    if (std::abs(equations_.gap_velocity(static_cast<int>(c))) > instant_.zero_speed(row)) mode_.closed[c] = 0;
  }
}

void MechanismProcess::reset_accumulation(std::size_t contact) {
  accumulation_[contact].reset();
  predicted_limit_[contact] = std::numeric_limits<double>::infinity();
  best_limit_[contact] = BestLimit{};
}

std::string MechanismProcess::left_by_impact() const {
  std::string text;
  const auto tell = [&](const std::string& element, const WatchRef& ref) {
    const std::string before = element_mode(before_, ref), after = element_mode(mode_, ref);
    if (after == before) return;
    for (const auto& [record, contact] : pending_)
      if (record.element == element && (record.mode_after.empty() || record.mode_after == after)) return;
    text += (text.empty() ? "leaves " : ", ") + element + ": " + before + " -> " + after;
  };
  for (std::size_t u = 0; u < system_->frictions.size(); ++u)
    if (system_->frictions[u].joint >= 0)
      tell(unit_name(static_cast<int>(u)), {Watch::slide_stops, static_cast<int>(u)});
  for (std::size_t c = 0; c < system_->contacts.size(); ++c)
    tell(system_->contacts[c]->name, {Watch::gap, static_cast<int>(c)});
  return text;
}

void MechanismProcess::flush_impacts(std::span<const double> y, EventLog& log) {
  const std::string left = pending_.empty() ? std::string() : left_by_impact();
  for (auto& [record, contact] : pending_) {
    if (record.mode_after.empty() && contact >= 0) record.mode_after = contact_mode_text(*system_, mode_, contact);
    record.system_mode_after = mode_text();
    if (&record == &pending_.back().record) {
      record.y_after.assign(y.begin(), y.end());
      for (const std::string& more : {remark_, left})
        if (!more.empty()) record.note += (record.note.empty() ? "" : "; ") + more;
    }
    log.add(std::move(record));
  }
  pending_.clear();
}

bool MechanismProcess::rates_of_flight(double t, std::span<const double> y) {
  const System& s = *system_;
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (s.frictions[u].contact >= 0 && !mode_.closed[static_cast<std::size_t>(s.frictions[u].contact)])
      mode_.friction[u] = FrictionMode{};
  equations_.choose_rows(mode_);
  equations_.evaluate(t, y.data());
  equations_.fill_rows(mode_);
  equations_.find_redundant();
  return rates(t, y.data(), ydot_.data());
}

double MechanismProcess::gap_acceleration(int contact) const {
  const System& s = *system_;
  Row row;
  equations_.normal_row(contact, row);
  double sum = -row.gamma;
  for (std::size_t b = 0; b < 2; ++b) {
    const Body& body = s.bodies[static_cast<std::size_t>(row.body[b])];
    for (int k = 0; k < body.dofs; ++k) sum += row.J[b][k] * ydot_[static_cast<std::size_t>(s.nq + body.dof + k)];
  }
  return sum;
}

double MechanismProcess::flight_height(double t, std::span<const double> y, std::size_t contact, double speed) {
  const char closed = std::exchange(mode_.closed[contact], 0);
  const bool known = rates_of_flight(t, y);
  const double falls = known ? -gap_acceleration(static_cast<int>(contact)) : 0.0;
  mode_.closed[contact] = closed;
  return falls > 0 ? 0.5 * speed * speed / falls : std::numeric_limits<double>::infinity();
}

bool MechanismProcess::flies(double t, std::span<const double> y, std::size_t contact) {
  const double round_off = no_flight * eps * system_->contacts[contact]->length_scale(equations_.kinematics());
  return flight_height(t, y, contact, gap_velocity_[contact]) > std::max(round_off, guards_.gap_tolerance(contact));
}

bool MechanismProcess::end_low_flights(double t, std::span<double> y, EventLog& log) {
  // Whatever its impacts were like: a contact that leaves for a flight lower than the last digit of its gap has come to
  // the limit of its bounces, and so have all that leave with it. Each is judged on the others, which stay. (Where a
  // limit is known, or nearly, it is more certain than this end.)
  const auto has_limit = [&](std::size_t c) {
    return accumulation_[c].limit().recognised || std::isfinite(rocking_[c].best.error) ||
           (std::isfinite(predicted_limit_[c]) && predicted_limit_[c] > t);
  };
  std::fill(ends_.begin(), ends_.end(), 0);
  const auto count = [&] { return std::count(ends_.begin(), ends_.end(), 1); };
  for (std::size_t c = 0; c < ends_.size(); ++c)
    if (touching_[c] && !mode_.closed[c] && gap_velocity_[c] > 0 && gap_velocity_[c] <= slow * fastest_impact_ &&
        !has_limit(c))
      ends_[c] = mode_.closed[c] = 1;
  for (auto before = count() + 1; count() > 0 && count() < before;) {
    before = count();
    for (std::size_t c = 0; c < ends_.size(); ++c)
      if (ends_[c] &&
          flight_height(t, y, c, gap_velocity_[c]) > eps * system_->contacts[c]->length_scale(equations_.kinematics()))
        ends_[c] = mode_.closed[c] = 0;
  }
  if (count() == 0) return false;
  for (std::size_t c = 0; c < ends_.size(); ++c)
    if (ends_[c]) tell_low_flight(t, y, static_cast<int>(c), nullptr, log);
  if (hold_closed(t, y)) return true;
  for (std::size_t c = 0; c < ends_.size(); ++c)
    if (ends_[c]) mode_.closed[c] = 0;
  return false;
}

bool MechanismProcess::hold_closed(double t, std::span<double> y) {
  const System& s = *system_;
  std::copy(y.begin(), y.end(), y_impact_.begin());
  rows_mode_.closed = mode_.closed;
  equations_.evaluate_kinematics(t, y.data());
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    rows_mode_.friction[u] = FrictionMode{};
    if (unit.contact < 0 || !mode_.closed[static_cast<std::size_t>(unit.contact)]) continue;
    const int index = static_cast<int>(u);
    const double speed = unit.directions > 1 ? equations_.slide_speed(index) : equations_.slide_velocity(index);
    stuck_in_impact_[u] |= static_cast<char>(std::abs(speed) <= zero_speed(index));
    if (stuck_in_impact_[u]) rows_mode_.friction[u].slide = Slide::stick;
  }
  if (!restart_.velocities(rows_mode_, t, y.data())) return false;
  for (int i = 0; i < equations_.row_count(); ++i) books_.book(equations_.row(i), restart_.impulse(i));
  double energy_loss = 0;
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int c = 0; c < s.bodies[b].dofs; ++c) {
      const auto v = static_cast<std::size_t>(s.nq + s.bodies[b].dof + c);
      energy_loss -= 0.5 * equations_.mass()[s.slot(b, c)] * (y[v] - y_impact_[v]) * (y[v] + y_impact_[v]);
      displacement_[s.slot(b, c)] = std::abs(y[v] - y_impact_[v]);
    }
  books_.book_loss(energy_loss);
  instant_.jump(displacement_);
  return true;
}

void MechanismProcess::tell_low_flight(double t, std::span<const double> y, int contact, const events::Root* root,
                                       EventLog& log) {
  if (!log.wanted()) return;
  const auto c = static_cast<std::size_t>(contact);
  EventRecord z = record(t, root, "zeno", system_->contacts[c]->name, y, y);
  z.mode_before = "open";
  z.system_mode_before = hstar::mode_text(*system_, before_);
  z.gap_velocity_before = gap_velocity_[c];
  z.note = std::to_string(accumulation_[c].count()) + " impacts seen; flights are lower than the round-off of the gap";
  pending_.push_back({std::move(z), contact});
}

bool MechanismProcess::close_accumulation(double t, std::span<double> y, int contact, Settled& settled) {
  limits_seen_ = 0;
  const System& s = *system_;
  const auto c = static_cast<std::size_t>(contact);
  events::AccumulationLimit limit = accumulation_[c].limit();
  equations_.evaluate_kinematics(t, y.data());
  double round_off = eps * s.contacts[c]->length_scale(equations_.kinematics());
  // In space more terms meet in the gap: flights that its guard cannot see are none.
  if (s.is_spatial()) round_off = std::max(round_off, guards_.gap_tolerance(c));
  const bool rebounds = gap_velocity_[c] > 0;
  // Something has happened since its last impact (a rider has stopped).
  const bool interrupted = struck_.contact == contact && instants_ > struck_.instant + 1;
  const double speed = rebounds ? gap_velocity_[c] : impact_speed_[c];
  BestLimit& best = best_limit_[c];
  // The round-off of the gap shifts each impact by round_off / speed; what the limit inherits of that grows as the
  // ratio comes near to one.
  const auto total_error = [&] { return limit.error + 4 * round_off / (speed * (1 - limit.ratio)); };
  if (limit.recognised && limit.remaining > 0) {
    predicted_limit_[c] = limit.t_limit;
    const double error = total_error(), certain = std::max(error, best.last_error);
    best.last_error = error;
    if (certain <= best.error) best.t = limit.t_limit, best.error = certain;
    // Height of the next flight against the round-off of the gap and against what its guard can see: beyond that
    // impacts come with the steps of the integrator, and of contacts that accumulate together one would be at rest
    // first.
    const double height = 0.25 * speed * limit.remaining * (1 - limit.ratio) / (interrupted ? 1.0 : limit.ratio);
    const double lowest =
        std::max((interrupted ? lowest_interrupted : lowest_flight) * round_off, 8 * guards_.gap_tolerance(c));
    if (limit.remaining > zeno_ratio * (t - accumulation_[c].first_time()) && height > lowest) return false;
  } else {
    // Round-off may break the pattern just before the end: impacts that come to the limit that was
    // predicted for them, with flights hardly above the round-off of the gap, have ended.
    const double flight = accumulation_[c].last_interval();
    // Flights below it are none, whatever was predicted: in a corner, one wall's impacts break the other's pattern.
    // (An interval that others have cut short says nothing about the flight to come.)
    const bool low = 0.25 * speed * flight <= 1e5 * round_off;
    const bool lost = accumulation_[c].count() > 2 && low && flight_height(t, y, c, speed) <= round_off;
    const bool at_limit = t >= predicted_limit_[c] - 4 * flight && low;
    if (!lost && !at_limit) return false;
    const double end = at_limit ? std::max(t, predicted_limit_[c]) : t;
    limit = {true, end, end - t, std::min(s.contacts[c]->restitution, 0.999), flight};
  }
  limit_error_ = total_error();
  if (best.error < limit_error_ && best.t > t && std::abs(best.t - limit.t_limit) <= 10 * limit_error_) {
    limit.t_limit = best.t;
    limit.remaining = best.t - t;
    limit_error_ = best.error;
  }
  if (is_cut_short(c, t, limit)) return false;
  events::AccumulationLimit rest;
  if (rocking_ends(c, limit, round_off, rest)) return close_together(t, y, c, rest, settled);
  // Contacts that accumulate with this one and strike at the same instants (two corners of a slider) are one contact
  // here.
  bool at_once = rebounds;
  for (std::size_t o = 0; o < s.contacts.size(); ++o)
    at_once &= o == c || ((!accumulates_with(o, t, limit) || (hit_[o] && gap_velocity_[o] > 0)) &&
                          // (Thrown open by an impact whose own flight cannot be seen.)
                          !(limit.remaining == 0 && !hit_[o] && rattles(o, impact_speed_[c], 0)) &&
                          // (Nothing is jumped over.)
                          !strikes_within(o, limit.remaining));
  if (!at_once) return close_together(t, y, c, limit, settled);
  const auto ends = [&](std::size_t o) { return o == c || accumulates_with(o, t, limit); };
  const double remaining = limit.remaining;
  for (std::size_t o = 0; o < s.contacts.size(); ++o)
    if (ends(o)) mode_.closed[o] = 0;
  if (!rates_of_flight(t, y)) return false;
  // Where flights are interrupted, all velocities change in one ratio from impact to impact: the gap velocity tells it,
  // zero at the limit.
  const double rebound = equations_.gap_velocity(contact), loss = struck_.speed - rebound,
               cycles = loss > 0 ? rebound / loss : 0.0;
  const bool cyclic =
      interrupted && rebounds && std::abs(cycles * (1 - limit.ratio) - limit.ratio) <= same_ratio * limit.ratio;
  // Else the remaining impacts are like the last one: together they are a multiple of it, spread over the remaining
  // time in which the free motion goes on. Which multiple follows from the gap velocity too: r comes from times whose
  // round-off is large beside the last intervals.
  Row row;
  equations_.normal_row(contact, row);
  double gained = 0;
  for (std::size_t b = 0; b < 2; ++b) {
    const Body& body = s.bodies[static_cast<std::size_t>(row.body[b])];
    for (int k = 0; k < body.dofs; ++k) gained += row.J[b][k] * last_jump_[static_cast<std::size_t>(body.dof + k)];
  }
  const double speed_left = rebound + remaining * gap_acceleration(contact);
  const double factor = gained > 0 ? std::max(0.0, -speed_left / gained) : limit.ratio / (1 - limit.ratio);
  displacement_.assign(s.slots(), 0.0);
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (int k = 0; k < s.bodies[b].dofs; ++k) {
      const auto i = static_cast<std::size_t>(s.bodies[b].dof + k), v = static_cast<std::size_t>(s.nq) + i;
      const double v_limit =
          y[v] + (cyclic ? cycles * (y[v] - struck_.v[i]) : remaining * ydot_[v] + factor * last_jump_[i]);
      displacement_[s.slot(b, k)] = 0.5 * remaining * (y[v] + v_limit);
      y[v] = v_limit;
    }
  s.displace(displacement_.data(), 1.0, y.data());
  for (std::size_t i = static_cast<std::size_t>(s.nq + s.nv); i < s.size(); ++i) y[i] += remaining * ydot_[i];
  for (std::size_t o = 0; o < s.contacts.size(); ++o)
    if (ends(o)) mode_.closed[o] = 1;
  settled.t_jump = limit.t_limit;
  return true;
}

}  // namespace hstar

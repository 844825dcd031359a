// src/transition/painleve.cpp: where rigid bodies with dry friction have no single answer (Painleve 1895).
//
// A contact that slides in direction d answers its normal force by the acceleration p = G_NN - d mu G_NT. With p < 0
// there may be no mode (then it jams: an impulse without collision, Lecornu 1905; Genot & Brogliato 1999) or several.
// Where p passes through zero the normal force has a pole and the laws say nothing about what follows.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanism/short_number.hpp"
#include "transition/mechanism_process.hpp"
#include "transition/tolerances.hpp"

namespace hstar {
namespace {
std::string number(double x) { return short_number(x, 9); }
}  // namespace

ImpactOutcome MechanismProcess::jam_together(double t, std::span<const double> y) {
  // Time stepping has the answer (Stewart & Trinkle 1996; Stewart 2000): forces push for a moment h, and impulses keep
  // the contacts closed. As h goes to zero the impulses do not, where no forces could. They are linear in h while the
  // mode of the impact is the same, so that two moments tell what is left at h = 0. What slides so slowly that even
  // such a moment stops it has stopped.
  const System& s = *system_;
  ImpactOutcome none;
  rows_mode_.closed.assign(s.contacts.size(), 0);
  rows_mode_.friction.assign(s.frictions.size(), FrictionMode{});
  equations_.evaluate(t, y.data());
  if (!solve_mode(rows_mode_)) return none;
  equations_.store_rates(y.data(), ydot_.data());
  s.coordinate_rates(y.data(), q_dot_.data());
  std::copy_n(q_dot_.begin(), s.nq, ydot_.begin());
  const auto largest = [&](const auto& of) {
    double size = 0;
    for (std::size_t b = 0; b < s.bodies.size(); ++b)
      for (int c = 0; c < s.bodies[b].dofs; ++c)
        size = std::max(size, std::abs(of(b, c, s.nq + s.bodies[b].dof + c)) * (s.turns(c) ? s.length : 1.0));
    return size;
  };
  const double acceleration = largest([&](std::size_t, int, int v) { return ydot_[v]; });
  if (!(acceleration > 0)) return none;
  for (std::size_t c = 0; c < active_.size(); ++c) active_[c] = mode_.closed[c] != 0;
  const auto strike = [&](double moment) -> ImpactOutcome {
    std::copy(y.begin(), y.end(), y_later_.begin());
    for (auto i = static_cast<std::size_t>(s.nq + s.nv); i-- > 0;) y_later_[i] += moment * ydot_[i];
    equations_.evaluate(t + moment, y_later_.data());
    std::vector<double>& speed = touching_.gap_velocity();
    for (std::size_t c = 0; c < speed.size(); ++c) speed[c] = equations_.motion.gap_velocity(static_cast<int>(c));
    return impulses_.solver().strike_together(active_, speed.data());
  };
  for (const double push : tolerances::pushes) {
    const double speed = push * instant_.fastest(), moment = speed / acceleration;
    const ImpactOutcome whole = strike(moment);
    ImpactOutcome jam = strike(0.5 * moment);
    equations_.evaluate(t, y.data());
    if (!jam.found || !whole.found) continue;
    const auto at_zero = [](std::vector<double>& half, const std::vector<double>& all) {
      for (std::size_t i = 0; i < half.size(); ++i) half[i] = 2 * half[i] - all[i];
    };
    at_zero(jam.impulse_n, whole.impulse_n);
    at_zero(jam.v_plus, whole.v_plus);
    at_zero(jam.reaction, whole.reaction);
    for (std::size_t u = 0; u < jam.impulse_unit.size(); ++u)
      for (std::size_t d = 0; d < most_directions; ++d)
        jam.impulse_unit[u][d] = 2 * jam.impulse_unit[u][d] - whole.impulse_unit[u][d];
    jam.sequence = "of several contacts at once";
    // (What does not last is what the push alone has made.)
    if (largest([&](std::size_t b, int c, int v) { return jam.v_plus[s.slot(b, c)] - y[v]; }) > speed) return jam;
    // (One at a time: where the slowest has stopped the others may slide on.)
    int slowest = -1;
    double slow = std::numeric_limits<double>::infinity();
    for (std::size_t u = 0; u < s.frictions.size(); ++u) {
      const bool sliding = next_.asked().friction[u].slide == Slide::slip && !problem_.units[u].at_zero;
      const int unit = static_cast<int>(u);
      const double slide = equations_.motion.slide_speed(unit) / instant_.zero_slide(unit);
      if (!sliding || !jam.stuck_unit[u] || !whole.stuck_unit[u] || slide >= slow) continue;
      slowest = unit;
      slow = slide;
    }
    if (slowest < 0) continue;
    stuck_in_impact_[slowest] = 1;
    jam.sequence.clear();
    return jam;
  }
  return none;
}

MechanismProcess::Jam MechanismProcess::jam(double t, std::span<double> y, int contact, EventLog& log,
                                            Settled& settled) {
  const System& s = *system_;
  std::copy(y.begin(), y.end(), y_impact_.begin());
  equations_.evaluate(t, y.data());
  const ImpactOutcome impact = contact < 0 ? jam_together(t, y) : impulses_.solver().jam(contact);
  if (!impact.found) {
    settled.then = Settled::Then::fail;
    settled.status = RunStatus::no_consistent_mode;
    if (contact >= 0)
      settled.message = "at t = " + number(t) + " s no mode is consistent, and contact \"" + s.contacts[contact]->name +
                        "\" cannot jam: " + impact.why;
    return Jam::none;
  }
  if (contact < 0 && impact.sequence.empty()) return Jam::stops;
  const double energy_loss = impulses_.take(impact, y);
  if (contact < 0)
    contact =
        static_cast<int>(std::max_element(impact.impulse_n.begin(), impact.impulse_n.end()) - impact.impulse_n.begin());
  const auto c = static_cast<std::size_t>(contact);
  impulses_.tell_stuck(impact, stuck_in_impact_);
  if (log.wanted()) {
    EventRecord r = lines_.line(t, nullptr, "jam", s.contacts[c]->name, y_impact_, y);
    r.impulse_n = impact.impulse_n[c];
    r.impulse_t = impact.impulse_t[c];
    r.energy_loss = energy_loss;
    r.note = "no mode is consistent: tangential impact without collision, " + impact.sequence;
    r.mode_before = contact_mode_text(s, before_, contact);
    equations_.motion.evaluate(t, y.data());
    r.gap_velocity_after = equations_.motion.gap_velocity(contact);
    lines_.keep(std::move(r), contact);
  }
  impact_recorded_ = true;
  // Contacts that the impulse drives apart or together are decided by the impacts that follow at this instant.
  equations_.motion.evaluate(t, y.data());
  for (std::size_t k = 0; k < s.contacts.size(); ++k) {
    if (!mode_.closed[k]) continue;
    Row row;
    equations_.motion.normal_row(static_cast<int>(k), row);
    if (std::abs(equations_.motion.gap_velocity(static_cast<int>(k))) > instant_.zero_speed(row)) mode_.closed[k] = 0;
  }
  for (FrictionMode& f : mode_.friction) f = FrictionMode{};
  return Jam::impulse;
}

int MechanismProcess::least_regular(double& regularity) const {
  const System& s = *system_;
  int least = -1;
  regularity = 1;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    if (s.frictions[u].contact < 0 || mode_.friction[u].slide != Slide::slip) continue;
    const double r = equations_.regularity(static_cast<int>(u));
    if (least >= 0 && !(std::abs(r) < std::abs(regularity))) continue;
    least = static_cast<int>(u);
    regularity = r;
  }
  return least;
}

bool MechanismProcess::at_critical_point(double t, std::span<const double> y, const events::Root* root, EventLog& log,
                                         Settled& settled) {
  const System& s = *system_;
  equations_.evaluate(t, y.data());
  const bool pole = root && guards_.ref(root->guard).what == Watch::regularity;
  const bool solved = equations_.solve(mode_);
  double regularity;
  int unit = least_regular(regularity);
  if (pole) unit = guards_.ref(root->guard).index;
  if (unit < 0 || (solved && !pole && !(std::abs(regularity) <= tolerances::near_pole))) return false;
  const int contact = s.frictions[unit].contact;
  const std::string& name = s.contacts[contact]->name;
  settled.then = Settled::Then::stop;
  settled.status = RunStatus::no_consistent_mode;
  settled.message =
      "at t = " + number(t) + " s contact \"" + name +
      "\" slides into Painleve's critical point: its normal force has a pole there, and the laws of rigid "
      "bodies with dry friction do not say how the motion goes on; compliance at the contact would";
  if (!log.wanted()) return true;
  EventRecord r = lines_.line_in_mode(t, root, "painleve_critical_point", name, y, y);
  r.mode_before = r.mode_after = contact_mode_text(s, mode_, contact);
  log.add(std::move(r));
  return true;
}

Settled MechanismProcess::breakdown(double& t, std::span<double> y, EventLog& log) {
  // The determinant falls linearly in time while accelerations grow beyond bounds: what remains is halved and halved
  // again by steps of Kutta's method that end short of the pole.
  Settled settled;
  const std::size_t n = y.size();
  std::vector<double> z(y.begin(), y.end()), stage(n), k[4];
  for (auto& rate : k) rate.resize(n);
  const auto regularity_at = [&](double time, const std::vector<double>& state, double& r) {
    equations_.evaluate(time, state.data());
    return equations_.solve(mode_) && least_regular(r) >= 0;
  };
  if (!rates(t, z.data(), k[0].data())) return settled;
  const double moment = next_.later().first_moment(next_.later().largest_acceleration());
  double time = t, before = t - moment, r = 1, r_before = 1;
  for (std::size_t i = 0; i < n; ++i) stage[i] = z[i] - moment * k[0][i];
  if (!regularity_at(before, stage, r_before) || !regularity_at(time, z, r) ||
      !(std::abs(r) <= tolerances::near_enough))
    return settled;
  double remaining = 0, last_remaining = 0, remaining_before = 0;
  std::vector<double> rate(n), rate_before(n);
  for (int count = 0; count < 1000; ++count) {
    const double slope = (r - r_before) / (time - before);
    remaining = -r / slope;
    if (!(remaining > 0) || remaining <= tolerances::eps * std::abs(time)) break;
    const double h = tolerances::step_to_pole * remaining;
    bool good = rates(time, z.data(), k[0].data());
    if (good) {
      rate_before.swap(rate);
      rate = k[0];
      remaining_before = last_remaining;
      last_remaining = remaining;
    }
    for (int s = 1; s < 4 && good; ++s) {
      const double c = s == 3 ? h : 0.5 * h;
      for (std::size_t i = 0; i < n; ++i) stage[i] = z[i] + c * k[s - 1][i];
      good = rates(time + c, stage.data(), k[s].data());
    }
    if (!good || time + h == time) break;
    for (std::size_t i = 0; i < n; ++i) stage[i] = z[i] + h / 6 * (k[0][i] + 2 * (k[1][i] + k[2][i]) + k[3][i]);
    double next;
    if (!regularity_at(time + h, stage, next)) break;
    before = time;
    r_before = r;
    r = next;
    time += h;
    z.swap(stage);
  }
  if (!(std::abs(r) <= tolerances::near_pole)) return settled;
  // What is left is closer to the pole than the equations can be solved. Rates grow there like a power of the remaining
  // time, which the last two tell: the integral of remaining^-s is remaining^(1-s) / (1 - s).
  for (std::size_t i = 0; i < n && remaining > 0; ++i) {
    double power = 0;
    if (remaining_before > last_remaining && rate[i] != 0 && rate_before[i] / rate[i] > 0)
      power = std::clamp(std::log(rate[i] / rate_before[i]) / std::log(remaining_before / last_remaining), 0.0, 0.9);
    const double here = rate[i] * std::pow(last_remaining / remaining, power);
    z[i] += here * remaining / (1 - power);
  }
  if (remaining > 0) time += remaining;
  if (!at_critical_point(time, z, nullptr, log, settled)) return settled;
  t = time;
  std::copy(z.begin(), z.end(), y.begin());
  return settled;
}

bool MechanismProcess::solve_mode(const Mode& mode) {
  equations_.rows.take(mode);
  return equations_.solve(mode);
}

bool MechanismProcess::classify(double t, std::span<double> y, std::vector<Mode>& modes, Settled& settled) {
  class Nobody final : public EventLog {
    [[nodiscard]] bool wanted() const override { return false; }
    void add(EventRecord) override {}
  } nobody;
  modes.clear();
  std::fill(mode_.closed.begin(), mode_.closed.end(), 0);
  std::fill(mode_.friction.begin(), mode_.friction.end(), FrictionMode{});
  std::fill(stuck_in_impact_.begin(), stuck_in_impact_.end(), 0);
  if (switches_.any()) switches_.begin(t, y.data(), equations_.motion.kinematics());
  if (system_->nq > 0) assemble(t, y.data());
  equations_.motion.evaluate(t, y.data());
  touching_.close_at_start(mode_.closed);
  for (UnitKnowledge& u : problem_.units) u = UnitKnowledge{};
  for (ContactKnowledge& c : problem_.contacts) c = ContactKnowledge{};
  problem_.all = true;
  instant_.begin(t, y);
  if (!impacts(t, y, {}, nobody, settled) ||
      !next_.put_on_rows(t, y.data(), before_, stuck_in_impact_, mode_, problem_, settled))
    return false;
  modes = next_.solver().consistent(problem_, mode_);
  return true;
}

}  // namespace hstar

// src/transition/mechanism_process.cpp: rates, projection, start and transition of a mechanism.
#include "transition/mechanism_process.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar {
namespace {
constexpr double eps = std::numeric_limits<double>::epsilon();
/// Relative: neighbouring stretches of a boundary meet in the same place and speed.
constexpr double same_place = 1e-10;
/// Relative: of a sliding velocity that the constraints allow, a restart leaves more.
constexpr double annihilated = 1e-6;

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}
}  // namespace

MechanismProcess::MechanismProcess(std::shared_ptr<const System> system, const FormulationEntry& formulation,
                                   const FormulationOptions& options, const ImpactOptions& impacts)
    : system_(std::move(system)),
      equations_(system_),
      restart_(equations_),
      formulation_(formulation.make(equations_, options)),
      solver_(equations_),
      impact_options_(impacts),
      impact_(equations_, solver_, impacts),
      guards_(*system_),
      dependence_(*system_),
      rank_(system_),
      fragile_(formulation.fragile) {
  const System& s = *system_;
  velocity_of_ = s.velocity_of();
  mode_.closed.assign(s.contacts.size(), 0);
  mode_.friction.assign(s.frictions.size(), {});
  if (formulation.dae) dae_ = std::make_unique<MechanismDae>(system_, mode_, *formulation.dae);
  before_ = rows_mode_ = positions_mode_ = asked_mode_ = later_mode_ = mode_;
  problem_.contacts.resize(s.contacts.size());
  problem_.units.resize(s.frictions.size());
  later_problem_ = problem_;
  ties_.contact.resize(s.contacts.size());
  ties_.unit.resize(s.frictions.size());
  c_now_.reserve(4 * (s.contacts.size() + s.frictions.size()));
  touching_.resize(s.contacts.size());
  for (const auto& contact : s.contacts) ranged_.push_back(contact->has_range());
  inside_.assign(s.contacts.size(), 1);
  left_.resize(s.contacts.size());
  touched_.resize(s.contacts.size());
  hit_.resize(s.contacts.size());
  impacting_.resize(s.contacts.size());
  active_.resize(s.contacts.size());
  y_before_.resize(s.size());
  y_later_.resize(s.size());
  y_impact_.resize(s.size());
  ydot_.resize(s.size());
  gap_velocity_.resize(s.contacts.size());
  restitution_.resize(s.contacts.size());
  reset_.resize(s.size());
  stuck_in_impact_.resize(s.frictions.size());
  slide_speed_.resize(s.frictions.size());
  accumulation_.resize(s.contacts.size());
  opened_.assign(s.contacts.size(), std::numeric_limits<double>::infinity());
  unsettled_.assign(s.contacts.size(), 0);
  predicted_limit_.assign(s.contacts.size(), std::numeric_limits<double>::infinity());
  best_limit_.resize(s.contacts.size());
  impact_speed_.resize(s.contacts.size());
  guard_history_.resize(s.guards.size());
  last_jump_.resize(static_cast<std::size_t>(s.nv));
}

bool MechanismProcess::rates(double t, const double* y, double* ydot) {
  const System& s = *system_;
  if (s.nq > 0) {
    if (!formulation_->rates(mode_, t, y, ydot)) return false;
  } else {
    equations_.evaluate_kinematics(t, y);
  }
  for (int i = 0; i < s.ns; ++i)
    ydot[s.nq + s.nv + i] = evaluate(s.states[static_cast<std::size_t>(i)].rate, equations_.kinematics());
  return true;
}

std::vector<std::string> MechanismProcess::notices() const {
  auto all = notices_;
  for (auto& notice : formulation_->notices()) all.push_back(std::move(notice));
  return all;
}

bool MechanismProcess::project(double t, double* y) { return system_->nq > 0 && formulation_->project(mode_, t, y); }

bool MechanismProcess::accepted(double t, std::span<const double> y) {
  equations_.evaluate_kinematics(t, y.data());
  guards_.update_tolerances(equations_, mode_, false);
  if (rank_.creeps(mode_, t, y.data())) {
    refusal_ = RunStatus::step_underflow;
    why_ = "error control takes ever shorter steps: " + rank_.describe(mode_, t, y.data(), rank_.crept());
    return false;
  }
  if (fragile_) watch_rank(t, y);
  if (equations_.saddle().redundant_count() == 0 || restart_.redundant_rows_hold(mode_, t, y.data())) return true;
  why_ = restart_.why();
  return false;
}

void MechanismProcess::watch_rank(double t, std::span<const double> y) {
  const std::string off = restart_.far_off(mode_, t, y.data(), 1e-2);
  if (!off.empty())
    notices_.push_back(off + ": this formulation does not put positions back; compare with projection, ggl or index3");
  const bool passed = equations_.saddle().redundant_count() == 0 && rank_.passes(mode_, t, y.data());
  if (passed)
    notices_.push_back("just before: " + rank_.describe(mode_, t, y.data(), 2 * rank_.part()) +
                       ", and this formulation may go on wrongly from there");
  if (passed || !off.empty()) fragile_ = false;  // said once
}

std::vector<std::pair<double, std::size_t>> MechanismProcess::scheduled() const {
  std::vector<std::pair<double, std::size_t>> times;
  for (std::size_t g = 0; g < system_->guards.size(); ++g)
    for (const double t : system_->guards[g].spec.times) times.emplace_back(t, g);
  return times;
}

std::string MechanismProcess::unit_name(int unit) const {
  const FrictionUnit& u = system_->frictions[static_cast<std::size_t>(unit)];
  return u.joint >= 0 ? system_->joints[static_cast<std::size_t>(u.joint)]->name
                      : system_->contacts[static_cast<std::size_t>(u.contact)]->name;
}

std::string MechanismProcess::element_mode(const Mode& mode, const WatchRef& ref) const {
  if (ref.what == Watch::user || ref.what == Watch::room || ref.what == Watch::regularity) return {};
  if (ref.what == Watch::gap || ref.what == Watch::normal_force || ref.what == Watch::range)
    return contact_mode_text(*system_, mode, ref.index);
  const FrictionUnit& u = system_->frictions[static_cast<std::size_t>(ref.index)];
  return u.contact >= 0 ? contact_mode_text(*system_, mode, u.contact)
                        : friction_mode_text(mode.friction[static_cast<std::size_t>(ref.index)]);
}

EventRecord MechanismProcess::record(double t, const events::Root* root, std::string kind, std::string element,
                                     std::span<const double> before, std::span<const double> after) const {
  EventRecord r;
  r.t = t;
  r.t_lo = root ? root->t_lo : t;
  r.t_hi = root ? root->t_hi : t;
  r.dt_error = root ? root->dt_error : 0.0;
  r.kind = std::move(kind);
  r.element = std::move(element);
  r.y_before.assign(before.begin(), before.end());
  r.y_after.assign(after.begin(), after.end());
  return r;
}

void MechanismProcess::assemble(double t, double* y) {
  const System& s = *system_;
  const std::vector<double> given(y, y + s.nq + s.nv);
  rows_mode_.closed.assign(s.contacts.size(), 0);
  rows_mode_.friction.assign(s.frictions.size(), {});
  restart_.assemble(rows_mode_, t, y);
  if (!restart_.velocities(rows_mode_, t, y)) throw InputError("inconsistent initial velocities: " + restart_.why());
  const auto names = s.state_names();
  for (std::size_t i = 0; i < given.size(); ++i)
    if (std::abs(y[i] - given[i]) > 1e-12 * (1 + std::abs(y[i])))
      notices_.push_back("assembly moved " + names[i] + " from " + number(given[i]) + " to " + number(y[i]));
  equations_.choose_rows(rows_mode_);
  equations_.evaluate(t, y);
  equations_.fill_rows(rows_mode_);
  if (equations_.find_redundant() > 0)
    for (int i = 0; i < equations_.row_count(); ++i)
      if (equations_.saddle().is_redundant(i))
        notices_.push_back(equations_.row_name(i) +
                           " is redundant: the motion is unique, its reaction is not (the least-norm one is used)");
}

bool MechanismProcess::in_range(std::size_t contact) const {
  const Contact& c = *system_->contacts[contact];
  return !c.has_range() || c.range(equations_.kinematics()) >= -1e-12 * c.length_scale(equations_.kinematics());
}

bool MechanismProcess::can_strike(std::size_t contact) const {
  // A surface that slides along its neighbour meets the end of this stretch there, but does not run into it.
  if (!in_range(contact)) return false;
  const Contact& c = *system_->contacts[contact];
  const Kinematics& k = equations_.kinematics();
  if (!c.has_range() || c.range(k) > 1e-12 * c.length_scale(k)) return true;
  for (std::size_t o = 0; o < system_->contacts.size(); ++o)
    if (before_.closed[o] && system_->contacts[o]->group == c.group) return false;
  return true;
}

bool MechanismProcess::lies_on(std::size_t contact) const {
  const Contact& c = *system_->contacts[contact];
  const Kinematics& k = equations_.kinematics();
  Row row;
  equations_.normal_row(static_cast<int>(contact), row);
  double speed = std::abs(row.nu);
  for (std::size_t b = 0; b < 2; ++b) {
    const BodyMotion& m = k.of(row.body[b]);
    speed += norm(m.v) + std::abs(row.J[b][2] * m.omega);
  }
  return std::abs(c.gap(k)) <= same_place * c.length_scale(k) &&
         std::abs(equations_.gap_velocity(static_cast<int>(contact))) <= same_place * speed;
}

void MechanismProcess::pass_on(std::size_t contact, int direction) {
  // A contact has come to the end of its stretch of the boundary, or into it. Where it was closed the
  // surfaces go on touching at the neighbouring stretch: position and velocity are the same for both.
  const System& s = *system_;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (s.contacts[c]->group != s.contacts[contact]->group || mode_.closed[c] || left_[c]) continue;
    if (c == contact ? direction < 0 : !in_range(c)) continue;
    // At the very end of a stretch: only what comes in now, takes over, or was inside.
    const bool at_end = ranged_[c] && !(s.contacts[c]->range(equations_.kinematics()) >
                                        1e-12 * s.contacts[c]->length_scale(equations_.kinematics()));
    if (c != contact && at_end && direction > 0 && !inside_[c]) continue;
    if (lies_on(c)) mode_.closed[c] = 1;
  }
}

void MechanismProcess::watch_ranges(std::span<const events::Root> fired) {
  // An open contact with a range: in front of its edge its gap is watched, and behind it too (the surface may come
  // back in front). On the line of the edge but beyond its end the sign of the gap means nothing: the range is watched.
  const System& s = *system_;
  const Kinematics& k = equations_.kinematics();
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (!ranged_[c]) continue;
    const double range = s.contacts[c]->range(k), length = s.contacts[c]->length_scale(k);
    if (mode_.closed[c]) {
      inside_[c] = 1;
      guards_.watch(static_cast<int>(c), false, events::Sign::positive, true, events::Sign::positive);
      continue;
    }
    const double gap = s.contacts[c]->gap(k), tolerance = same_place * length;
    int crossed = 0;
    for (const events::Root& root : fired)
      if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::range && ref.index == static_cast<int>(c))
        crossed = root.direction;
    const bool at_end = std::abs(range) <= 1e-12 * length;
    const bool inside = crossed != 0 ? crossed > 0 : at_end ? inside_[c] != 0 : range > 0;
    inside_[c] = inside;
    bool neighbour = false;
    for (std::size_t o = 0; o < s.contacts.size() && !neighbour; ++o)
      neighbour = mode_.closed[o] && s.contacts[o]->group == s.contacts[c]->group;
    const bool on_line = std::abs(gap) <= tolerance;
    // Sliding along the neighbour, a surface stays at the end of this stretch: nothing of it means anything.
    const bool along = at_end && neighbour && crossed == 0;
    const bool watch_gap = (inside && !along) || !on_line;
    guards_.watch(static_cast<int>(c), watch_gap, on_line || gap > 0 ? events::Sign::positive : events::Sign::negative,
                  !along && !inside && (on_line || (neighbour && gap < 0)),
                  inside ? events::Sign::positive : events::Sign::negative);
  }
}

void MechanismProcess::find_touching(double t, const double* y) {
  const System& s = *system_;
  equations_.evaluate_kinematics(t, y);
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const double length = s.contacts[c]->length_scale(equations_.kinematics());
    const double gap = s.contacts[c]->gap(equations_.kinematics());
    touching_[c] = mode_.closed[c] ||
                   (ranged_[c] ? std::abs(gap) <= 64 * eps * length && can_strike(c) : gap <= 64 * eps * length);
    Row row;
    equations_.normal_row(static_cast<int>(c), row);
    double scale = std::abs(row.nu);
    for (std::size_t b = 0; b < 2; ++b) scale += equations_.kinematics().along_size(row.J[b], row.body[b]);
    gap_velocity_[c] = equations_.gap_velocity(static_cast<int>(c));
    if (std::abs(gap_velocity_[c]) <= 64 * eps * scale || mode_.closed[c]) gap_velocity_[c] = 0;
    impacting_[c] = touching_[c] && gap_velocity_[c] < 0;
  }
}

Settled MechanismProcess::start(double t, std::span<double> y, EventLog& log) {
  const System& s = *system_;
  Settled settled;
  std::fill(mode_.closed.begin(), mode_.closed.end(), 0);
  std::fill(mode_.friction.begin(), mode_.friction.end(), FrictionMode{});
  std::fill(stuck_in_impact_.begin(), stuck_in_impact_.end(), 0);
  std::fill(guard_history_.begin(), guard_history_.end(), GuardHistory{});
  if (s.nq > 0) assemble(t, y.data());
  close_touching(t, y.data());
  for (std::size_t u = 0; u < s.frictions.size(); ++u) problem_.units[u] = UnitKnowledge{};
  for (std::size_t c = 0; c < s.contacts.size(); ++c) problem_.contacts[c] = ContactKnowledge{};
  problem_.all = true;
  problem_.force_scale = 0;
  impact_recorded_ = false;
  before_ = mode_;
  rests_ = false;
  most_kinetic_ = 0;
  look_ = true;
  if (decide(t, y, {}, log, settled, nullptr)) {
    watch_ranges({});
    if (std::string ranges = range_text(mode_); !ranges.empty()) notices_.push_back(std::move(ranges));
    note_rest(t, y, log);
  }
  flush_impacts(y, log);
  return settled;
}

void MechanismProcess::close_touching(double t, const double* y) {
  const System& s = *system_;
  equations_.evaluate_kinematics(t, y);
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const double gap = s.contacts[c]->gap(equations_.kinematics()),
                 length = s.contacts[c]->length_scale(equations_.kinematics());
    // Round-off of coordinates that happen to cancel at this place is that of the whole model.
    const double round_off = 64 * eps * s.length, least = -std::max(1e-9 * length, round_off);
    if (ranged_[c] && (!in_range(c) || gap < least)) continue;  // not here, or behind the edge
    if (gap < least)
      throw InputError(s.contacts[c]->where, "contact \"" + s.contacts[c]->name + "\": initial gap is " + number(gap) +
                                                 " m, it must be >= 0; move the bodies apart");
    if (std::abs(gap) <= std::max(1e-9 * length, round_off) &&
        std::abs(equations_.gap_velocity(static_cast<int>(c))) <= 1e-12 * s.length)
      mode_.closed[c] = 1;
  }
}

bool MechanismProcess::decide(double t, std::span<double> y, std::span<const events::Root> fired, EventLog& log,
                              Settled& settled, int* consistent) {
  // Impacts until none approaches, then the next mode. Where no mode is consistent a sliding contact may jam:
  // an impulse without collision, after which all is decided again.
  for (int count = 0;; ++count) {
    int jams = -1;
    if (!impacts(t, y, fired, log, settled)) return false;
    problem_.all |= impact_recorded_;
    const double t_after = std::isnan(settled.t_jump) ? t : settled.t_jump;
    if (settle(t_after, y.data(), problem_, settled, consistent, &jams)) return true;
    if (jams < 0 || count == 20) return false;
    settled.then = Settled::Then::go_on;
    settled.message.clear();
    if (!jam(t_after, y, jams, log, settled)) return false;
    fired = {};
  }
}

bool MechanismProcess::put_on_rows(double t, double* y, ModeProblem& problem, Settled& settled) {
  // On entry mode_ says which contacts are closed and how the units were before; problem what fired.
  const System& s = *system_;
  equations_.evaluate_kinematics(t, y);
  rows_mode_ = mode_;
  // Positions of units that come to rest now are not held: what the constraints need moves them.
  positions_mode_ = mode_;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) problem.contacts[c].touching = mode_.closed[c] != 0;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const FrictionUnit& unit = s.frictions[u];
    UnitKnowledge& known = problem.units[u];
    FrictionMode& f = mode_.friction[u];
    const bool acts = unit.contact < 0 || mode_.closed[static_cast<std::size_t>(unit.contact)];
    if (!acts || !unit.law.dry()) {
      known = UnitKnowledge{};
      f = rows_mode_.friction[u] = positions_mode_.friction[u] = FrictionMode{};
      continue;
    }
    Row row;
    equations_.tangent_row(static_cast<int>(u), row);
    double scale = std::abs(row.nu);
    for (std::size_t b = 0; b < 2; ++b) scale += equations_.kinematics().along_size(row.J[b], row.body[b]);
    const double speed = slide_speed_[u] = equations_.slide_velocity(static_cast<int>(u));
    known.at_zero =
        known.at_zero || f.slide == Slide::stick || stuck_in_impact_[u] || std::abs(speed) <= 64 * eps * scale;
    known.asked |= known.at_zero && f.slide != Slide::stick;
    if (known.at_zero) {
      rows_mode_.friction[u] = FrictionMode{Slide::stick, 0, 0, 0};
    } else {
      const auto direction = static_cast<signed char>(speed < 0 ? -1 : 1);
      // The piece of the law just entered is known to the caller; a new slide finds its own.
      if (f.slide != Slide::slip || f.direction != direction)
        f = FrictionMode{Slide::slip, direction, 0, static_cast<short>(unit.law.piece_of(std::abs(speed), 1))};
      rows_mode_.friction[u] = f;
    }
  }
  std::fill(stuck_in_impact_.begin(), stuck_in_impact_.end(), 0);
  if (s.nq > 0) {
    if (!restart_.positions(positions_mode_, t, y, 8) || !restart_.come_to_rest(rows_mode_, t, y)) {
      settled.then = Settled::Then::fail;
      settled.status = RunStatus::inconsistent_restart;
      settled.message =
          "at t = " + number(t) + " s the state cannot be put back onto the constraints: " + restart_.why();
      return false;
    }
  }
  equations_.evaluate(t, y);
  // What slid just before and has no freedom to slide left (a ball in a corner whose other wall holds it) is decided
  // too.
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (mode_.friction[u].slide == Slide::slip && !problem.units[u].at_zero &&
        std::abs(equations_.slide_velocity(static_cast<int>(u))) <= annihilated * std::abs(slide_speed_[u]))
      problem.units[u].at_zero = problem.units[u].asked = true;
  return true;
}

bool MechanismProcess::settle(double t, double* y, ModeProblem& problem, Settled& settled, int* consistent, int* jams) {
  const System& s = *system_;
  if (!put_on_rows(t, y, problem, settled)) return false;
  const bool left_moving = s.nq > 0 && restart_.left_moving();
  asked_mode_ = mode_;
  const ModeChoice choice = solver_.accelerations(problem, mode_, consistent != nullptr);
  if (!choice.found) {
    settled.then = Settled::Then::fail;
    settled.status = RunStatus::no_consistent_mode;
    settled.message = "at t = " + number(t) + " s: " + choice.why;
    *jams = choice.jams;
    return false;
  }
  if (choice.ties > 1) break_ties(t, y, problem);
  residual_ = choice.residual;
  undecided_ = choice.undecided;
  if (consistent) *consistent = choice.consistent;
  if (left_moving && restart_.stop(mode_, t, y)) {
    equations_.evaluate(t, y);
    equations_.solve(mode_);
  }
  formulation_->restart(mode_, t, y);
  if (look_ || !std::isnan(settled.t_jump)) guards_.look(equations_.kinematics(), mode_);
  look_ = false;
  guards_.enable(equations_, mode_);
  dependence_.update(equations_);
  guards_.update_tolerances(equations_, mode_, true);
  for (std::size_t u = 0; u < s.frictions.size(); ++u)
    if (problem.units[u].at_zero && mode_.friction[u].slide == Slide::slip)
      guards_.note_zero(Watch::slide_stops, static_cast<int>(u), equations_.slide_velocity(static_cast<int>(u)));
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if ((problem.contacts[c].touching || touching_[c]) && !mode_.closed[c])
      guards_.note_zero(Watch::gap, static_cast<int>(c), s.contacts[c]->gap(equations_.kinematics()));
  return true;
}

Settled MechanismProcess::transition(double t, std::span<double> y, std::span<const events::Root> fired,
                                     std::span<const std::size_t> due, EventLog& log) {
  const System& s = *system_;
  Settled settled;
  before_ = mode_;
  std::copy(y.begin(), y.end(), y_before_.begin());
  impact_recorded_ = false;
  std::fill(unsettled_.begin(), unsettled_.end(), 0);

  // 1. What the model's own guards say.
  bool terminal = false;
  problem_.all = false;
  const auto apply = [&](std::size_t g, const events::Root* root) {
    const UserGuard& user = s.guards[g];
    equations_.evaluate_kinematics(t, y_before_.data());
    for (std::size_t i = 0; i < user.reset.size(); ++i)
      reset_[i] = evaluate(user.reset[i].second, equations_.kinematics());
    for (std::size_t i = 0; i < user.reset.size(); ++i) y[static_cast<std::size_t>(user.reset[i].first)] = reset_[i];
    terminal |= user.spec.terminal;
    problem_.all |= !user.reset.empty();
    look_ |= !user.reset.empty();
    if (terminal && settled.message.empty()) settled.message = "guard \"" + user.spec.name + "\" is terminal";
    if (!log.wanted()) return;
    const std::string kind = !user.spec.kind.empty() ? user.spec.kind
                             : !root                 ? "time"
                             : root->direction > 0   ? "guard_up"
                                                     : "guard_down";
    auto r = record(t, root, kind, user.spec.name, y_before_, y);
    r.optional = user.reset.empty() && !user.spec.terminal;
    r.system_mode_before = r.system_mode_after = mode_text();
    log.add(std::move(r));
  };
  for (const events::Root& root : fired)
    if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::user) {
      const auto g = static_cast<std::size_t>(ref.index);
      apply(g, &root);
      if (!s.guards[g].reset.empty() && accumulates(g, t, settled)) return settled;
    }
  for (const std::size_t id : due) apply(id, nullptr);
  if (terminal) {
    settled.then = Settled::Then::stop;
    settled.status = RunStatus::terminal_event;
    return settled;
  }

  // 2. What the fired guards tell about the mode.
  for (auto& u : problem_.units) u = UnitKnowledge{};
  for (auto& c : problem_.contacts) c = ContactKnowledge{};
  problem_.force_scale = 0;
  bool flipped = false;
  std::fill(left_.begin(), left_.end(), 0);
  for (const events::Root& root : fired)
    if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::range && root.direction < 0) {
      left_[static_cast<std::size_t>(ref.index)] = 1;
      mode_.closed[static_cast<std::size_t>(ref.index)] = 0;
    }
  for (const events::Root& root : fired) {
    const WatchRef ref = guards_.ref(root.guard);
    const auto i = static_cast<std::size_t>(ref.index);
    if (ref.what == Watch::gap || ref.what == Watch::normal_force || ref.what == Watch::range)
      problem_.contacts[i].asked = true;
    else if (ref.what != Watch::user && ref.what != Watch::room && ref.what != Watch::regularity)
      problem_.units[i].asked = true;
    switch (ref.what) {
      case Watch::slide_stops:
        problem_.units[i].at_zero = true;
        break;
      case Watch::stick_upper:
      case Watch::stick_lower:
        problem_.units[i].at_zero = problem_.units[i].broke_away = true;
        problem_.units[i].heading = static_cast<signed char>(ref.what == Watch::stick_upper ? -1 : 1);
        break;
      case Watch::piece_slower:
        --mode_.friction[i].piece;
        break;
      case Watch::piece_faster:
        ++mode_.friction[i].piece;
        break;
      case Watch::normal_force:
        problem_.contacts[i].lifting = true;
        problem_.force_scale = std::max(problem_.force_scale, guards_.scale(root.guard));
        reset_accumulation(i);
        break;
      case Watch::side:
        flipped = true;
        break;
      case Watch::range:
        equations_.evaluate_kinematics(t, y.data());
        pass_on(i, root.direction);
        problem_.all = true;
        break;
      case Watch::room:
        look_ = true;
        break;
      case Watch::gap:
      case Watch::regularity:
      case Watch::user:
        break;
    }
  }

  // 3. Impacts, then the next mode.
  for (const events::Root& root : fired)
    if (const Watch what = guards_.ref(root.guard).what; what == Watch::regularity || what == Watch::normal_force)
      if (at_critical_point(t, y, &root, log, settled)) return settled;
  int consistent = 0;
  const bool settles = decide(t, y, fired, log, settled, log.wanted() ? &consistent : nullptr);
  if (settles) {
    equations_.evaluate_kinematics(t, y_before_.data());
    most_kinetic_ = std::max(most_kinetic_, s.kinetic_energy(equations_.kinematics()));
    equations_.evaluate_kinematics(t, y.data());
    note_rest(t, y, log);
  }
  flush_impacts(y, log);
  if (!settles) return settled;
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (before_.closed[c] && !mode_.closed[c]) opened_[c] = std::isnan(settled.t_jump) ? t : settled.t_jump;
  watch_ranges(fired);
  if (flipped)
    for (const events::Root& root : fired)
      if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::side) {
        FrictionMode& f = mode_.friction[static_cast<std::size_t>(ref.index)];
        f.side = static_cast<signed char>(-before_.friction[static_cast<std::size_t>(ref.index)].side);
        // The restart moved y onto the constraints, and the normal force off zero.
        const int joint = s.frictions[static_cast<std::size_t>(ref.index)].joint;
        guards_.note_zero(Watch::side, ref.index,
                          equations_.joint_multipliers(joint)[s.joints[static_cast<std::size_t>(joint)]->side_row()]);
      }
  if (log.wanted()) log_changes(t, fired, before_, y_before_, y, consistent, log);
  return settled;
}

bool MechanismProcess::accumulates(std::size_t user_guard, double t, Settled& settled) {
  // Intervals that shrink geometrically through this ratio have a limit, and beyond round-off near it
  // the guard cannot be told from zero any more: the run must not slip through.
  constexpr double seen = 1e-5;
  GuardHistory& h = guard_history_[user_guard];
  const double interval = h.events.count() == 0 ? std::numeric_limits<double>::infinity() : t - h.t_last;
  if (!(interval < h.interval)) h.events.reset();
  h.events.add(t, interval);
  h.t_last = t;
  h.interval = h.events.count() == 1 ? std::numeric_limits<double>::infinity() : interval;
  const events::AccumulationLimit limit = h.events.limit();
  if (!limit.recognised || limit.remaining > seen * (t - h.events.first_time())) return false;
  settled.then = Settled::Then::fail;
  settled.status = RunStatus::accumulation;
  settled.message = "events of \"" + system_->guards[user_guard].spec.name +
                    "\" accumulate at t = " + number(limit.t_limit) + " s (interval ratio " + number(limit.ratio) +
                    "): the model does not say how the motion goes on after infinitely many events; give the guard " +
                    "`terminal = true`, or model the contact with bodies";
  return true;
}

void MechanismProcess::passive(const events::Root& root, std::span<const double> y, EventLog& log) {
  if (!log.wanted()) return;
  const WatchRef ref = guards_.ref(root.guard);
  const bool user = ref.what == Watch::user;
  const std::string kind = root.direction == 0 ? "graze"
                           : user && !system_->guards[static_cast<std::size_t>(ref.index)].spec.kind.empty()
                               ? system_->guards[static_cast<std::size_t>(ref.index)].spec.kind
                           : root.direction > 0 ? "guard_up"
                                                : "guard_down";
  // A friction guard that touches its bound without crossing changes nothing and is not an event of the ledger.
  if (!user && ref.what != Watch::gap) return;
  auto r = record(root.t, &root, kind,
                  user ? system_->guards[static_cast<std::size_t>(ref.index)].spec.name
                       : system_->contacts[static_cast<std::size_t>(ref.index)]->name,
                  y, y);
  r.optional = true;
  r.mode_before = r.mode_after = element_mode(mode_, ref);
  r.system_mode_before = r.system_mode_after = mode_text();
  log.add(std::move(r));
}

void MechanismProcess::log_changes(double t, std::span<const events::Root> fired, const Mode& before,
                                   std::span<const double> y_before, std::span<const double> y_after, int consistent,
                                   EventLog& log) {
  // Everything that changes at one instant is one event: of the element whose guard fired, the others
  // are named in the note. An impact has its own record already.
  const System& s = *system_;
  const Mode& after = mode_;
  const events::Root* root = nullptr;
  std::string kind, element;
  int unit = -1;
  const auto slide_kind = [&](std::size_t u) -> std::string {
    const FrictionMode &b = before.friction[u], &a = after.friction[u];
    if (b.slide == Slide::slip && a.slide == Slide::stick) return "stick";
    if (b.slide == Slide::stick && a.slide == Slide::slip) return "slip";
    if (b.slide == Slide::slip && a.slide == Slide::slip && a.direction != b.direction) return "reversal";
    return {};
  };
  if (!impact_recorded_)
    for (const events::Root& r : fired) {
      const WatchRef ref = guards_.ref(r.guard);
      const auto i = static_cast<std::size_t>(ref.index);
      std::string word;
      switch (ref.what) {
        case Watch::slide_stops:
        case Watch::stick_upper:
        case Watch::stick_lower:
          word = slide_kind(i);
          break;
        case Watch::side:
          word = "normal_sign";
          break;
        case Watch::normal_force:
          word = after.closed[i] ? "" : "liftoff";
          break;
        case Watch::gap:
          word = after.closed[i] ? "touch" : ranged_[i] || unsettled_[i] ? "" : "graze";
          break;
        case Watch::range:
          word = before.closed[i] != after.closed[i] ? "vertex" : "";
          break;
        default:
          break;
      }
      if (word.empty()) continue;
      root = &r;
      kind = word;
      const bool contact = ref.what == Watch::normal_force || ref.what == Watch::gap || ref.what == Watch::range;
      unit = contact ? -1 : ref.index;
      element = contact ? s.contacts[i]->name : unit_name(ref.index);
      break;
    }
  std::string also;
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    const std::string word = slide_kind(u);
    if (word.empty() || unit_name(static_cast<int>(u)) == element) continue;
    if (kind.empty() && !impact_recorded_) {  // the fired element stayed as it was, another changed
      kind = word;
      element = unit_name(static_cast<int>(u));
      unit = static_cast<int>(u);
      root = fired.empty() ? nullptr : &fired.front();
      continue;
    }
    also += (also.empty() ? "also " : ", ") + unit_name(static_cast<int>(u)) + ": " + word;
  }
  for (std::size_t c = 0; c < s.contacts.size() && !kind.empty() && kind != "vertex" && !impact_recorded_; ++c)
    if (before.closed[c] && !after.closed[c] && s.contacts[c]->name != element)
      also += (also.empty() ? "also " : ", ") + s.contacts[c]->name + ": liftoff";
  if (kind.empty()) return;
  auto r = record(t, root, kind, element, y_before, y_after);
  r.optional = kind == "normal_sign" || kind == "graze";
  if (unit >= 0) {
    const WatchRef ref{Watch::slide_stops, unit};
    r.mode_before = element_mode(before, ref);
    r.mode_after = element_mode(after, ref);
    equations_.evaluate_kinematics(t, y_before.data());
    r.gap_velocity_before = equations_.slide_velocity(unit);
    equations_.evaluate_kinematics(t, y_after.data());
    r.gap_velocity_after = equations_.slide_velocity(unit);
  } else if (root) {
    const WatchRef ref = guards_.ref(root->guard);
    r.mode_before = element_mode(before, ref);
    r.mode_after = element_mode(after, ref);
  }
  r.system_mode_before = hstar::mode_text(s, before);
  r.system_mode_after = mode_text();
  r.note = also;
  if (consistent > 1)
    r.note +=
        (also.empty() ? "" : "; ") + std::to_string(consistent) + " consistent modes, the one with most sticking taken";
  if (undecided_ > 1) r.note += (r.note.empty() ? "" : "; ") + std::string("residual ") + number(residual_);
  if (!remark_.empty()) r.note += (r.note.empty() ? "" : "; ") + remark_;
  log.add(std::move(r));
}

}  // namespace hstar

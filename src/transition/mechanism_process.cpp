// src/transition/mechanism_process.cpp: rates, projection, start and transition of a mechanism.
#include "transition/mechanism_process.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "formulation/dae_problem.hpp"
#include "formulation/linear_mode.hpp"
#include "formulation/mode_slopes.hpp"
#include "hstar/stop.hpp"
#include "mechanism/short_number.hpp"
#include "mechanism/spatial/build.hpp"
#include "transition/not_finite.hpp"
#include "transition/reset_value.hpp"

namespace hstar {
namespace {

/// Guards that resets carry through zero at one instant, at most.
constexpr int most_jumps = 100;

}  // namespace

MechanismProcess::MechanismProcess(std::shared_ptr<const System> system, const FormulationEntry& formulation,
                                   const FormulationOptions& options, const ImpactOptions& impacts)
    : system_(std::move(system)),
      equations_(system_),
      restart_(equations_),
      formulation_(formulation.make(equations_, options)),
      impact_options_(impacts),
      switches_(*system_),
      motion_(*this),
      guards_(*system_, switches_),
      dependence_(*system_),
      lines_(equations_, guards_, before_, mode_),
      held_(equations_, switches_, mode_),
      flips_(equations_, switches_, guards_, held_),
      instant_(equations_),
      books_(equations_),
      impulses_(equations_, restart_, instant_, books_, impacts),
      chatter_(system_->contacts.size()),
      ranges_(equations_),
      touching_(equations_, instant_, ranges_, chatter_, options.rtol),
      flights_(equations_, held_, chatter_, touching_, ranges_, instant_, guards_, mode_),
      next_(equations_, restart_, {instant_, touching_, ranges_, chatter_, guards_}, options.rtol, options.step > 0),
      steps_(system_, equations_, restart_, ranges_, formulation.fragile),
      rest_(equations_),
      guard_jumps_(*system_) {
  const System& s = *system_;
  velocity_of_ = s.velocity_of();
  mode_.closed.assign(s.contacts.size(), 0);
  mode_.friction.assign(s.frictions.size(), {});
  if (formulation.dae) {
    auto dae = std::make_unique<MechanismDae>(system_, mode_, *formulation.dae);
    dae->share_slide_references(equations_);
    dae->share_branches(switches_.branches());
    dae_ = std::move(dae);
  }
  before_ = rows_mode_ = positions_mode_ = mode_;
  problem_.contacts.resize(s.contacts.size());
  problem_.units.resize(s.frictions.size());
  driven_.assign(s.joints.size(), 0);
  active_.resize(s.contacts.size());
  y_before_.resize(s.size());
  y_later_.resize(s.size());
  y_impact_.resize(s.size());
  ydot_.resize(s.size());
  reset_.resize(s.size());
  q_dot_.resize(static_cast<std::size_t>(s.nq));
  stuck_in_impact_.resize(s.frictions.size());
  flew_.resize(s.contacts.size());
  impacts_seen_.assign(s.contacts.size(), 0);
  unsettled_.assign(s.contacts.size(), 0);
  guard_history_.resize(s.guards.size());
}

MechanismProcess::~MechanismProcess() = default;

bool MechanismProcess::rates(double t, const double* y, double* ydot) {
  const System& s = *system_;
  if (stop_requested_meanwhile() || !held_.find_share(t, y)) return false;
  if (s.nq > 0) {
    if (!formulation_->rates(mode_, t, y, ydot)) return false;
  } else {
    equations_.evaluate_kinematics(t, y);
  }
  for (int i = 0; i < s.ns; ++i) ydot[s.nq + s.nv + i] = evaluate(s.states[i].rate, equations_.kinematics());
  return true;
}

bool MechanismProcess::rate_slopes(double t, const double* y, double dt, double* by_y, double* by_t) {
  if (!formulation_->plain() || held_.any()) return false;
  if (!slopes_) slopes_ = std::make_unique<ModeSlopes>(system_, mode_, equations_);
  return slopes_->evaluate(t, y, dt, by_y, by_t);
}

const AffineRates* MechanismProcess::affine_rates() {
  const bool plain = formulation_->plain() && !dae_ && !held_.any();
  const LinearMode* linear = plain ? equations_.linear(mode_) : nullptr;
  const AffineRates* rates = linear ? linear->affine_rates() : nullptr;
  if (!rates && !std::exchange(bends_, true)) {
    std::string what = "the equations of this model";
    if (!plain) what = "the equations in this formulation";
    if (plain && LinearModes::possible(*system_)) what = "the equations of the mode " + mode_text();
    notices_.push_back("integrator \"exact\": " + what +
                       " are not known to be linear with constant coefficients; dop853 steps there");
  }
  return rates;
}

void MechanismProcess::run_until(double t_end) {
  t_end_ = t_end;
  switches_.run_until(t_end);
}

std::vector<std::string> MechanismProcess::notices() const {
  auto all = notices_;
  for (const std::string& name : system_->unwatched)
    all.push_back(name + ": what stands inside noevent() or smooth() is integrated through; its kinks are no events");
  for (auto& notice : formulation_->notices()) all.push_back(std::move(notice));
  if (std::string omitted = impulses_.solver().notice(); !omitted.empty()) all.push_back(std::move(omitted));
  return all;
}

std::vector<std::pair<std::string, double>> MechanismProcess::chosen_options() const {
  return formulation_->chosen_options();
}

bool MechanismProcess::project(double t, double* y) { return system_->nq > 0 && formulation_->project(mode_, t, y); }

std::string MechanismProcess::remark(double t, std::span<const double> y) {
  std::string text = not_finite(*system_, t, y.data());
  if (text.empty()) text = too_fast_to_follow(*system_, t, y.data());
  return text.empty() ? steps_.remark(mode_, t, y.data()) : text;
}

bool MechanismProcess::accepted(double t, std::span<const double> y) {
  equations_.evaluate_kinematics(t, y.data());
  equations_.update_slide_references(mode_);
  next_.hold_last_directions(mode_);
  guards_.update_tolerances(equations_, mode_, false);
  return steps_.accept(mode_, t, y.data(), notices_);
}

bool MechanismProcess::is_held() const {
  return (system_->rows > 0 && switches_.any()) ||
         std::any_of(mode_.closed.begin(), mode_.closed.end(), [](char closed) { return closed != 0; }) ||
         std::any_of(mode_.friction.begin(), mode_.friction.end(),
                     [](const FrictionMode& f) { return f.slide == Slide::stick; });
}

void MechanismProcess::passive(const events::Root& root, std::span<const double> y, EventLog& log) {
  if (!log.wanted() || !lines_.is_told(root)) return;
  if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::gap) {
    // (Bodies come to lie beside each other.)
    equations_.evaluate_kinematics(root.t, y.data());
    if (!ranges_.can_strike(static_cast<std::size_t>(ref.index), before_.closed)) return;
  }
  lines_.tell_passive(root, y, log);
}

std::vector<std::pair<double, std::size_t>> MechanismProcess::scheduled() const {
  std::vector<std::pair<double, std::size_t>> times;
  for (std::size_t g = 0; g < system_->guards.size(); ++g)
    for (const double t : system_->guards[g].spec.times) times.emplace_back(t, g);
  std::sort(times.begin(), times.end());
  return times;
}

void MechanismProcess::assemble(double t, double* y) {
  const System& s = *system_;
  std::vector<double> given(y, y + s.nq + s.nv);
  rows_mode_.closed.assign(s.contacts.size(), 0);
  rows_mode_.friction.assign(s.frictions.size(), {});
  restart_.assemble(rows_mode_, t, y);
  equations_.evaluate_kinematics(t, y);
  for (const auto& joint : s.joints)
    if (joint->turned_over(equations_.kinematics()))
      throw InputError(joint->where,
                       "joint \"" + joint->name +
                           "\": assembly from the given positions ends with its axes the wrong way round; "
                           "give positions nearer to the assembled ones");
  if (!restart_.velocities(rows_mode_, t, y)) throw InputError("inconsistent initial velocities: " + restart_.why());
  const auto names = s.state_names();
  std::vector<double> found(y, y + s.nq + s.nv);
  if (s.has_own_axes())
    for (auto* state : {&given, &found}) s.as_written(state->data());
  const auto largest = [&](int from, int to) {
    double size = 0;
    for (int i = from; i < to; ++i) size = std::max(size, std::abs(found[i]));
    return size;
  };
  const double far = std::max(s.length, largest(0, s.nq)), fast = largest(s.nq, s.nq + s.nv);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (std::abs(found[i] - given[i]) > tolerances::moved * (i < static_cast<std::size_t>(s.nq) ? far : fast))
      notices_.push_back("assembly moved " + names[i] + " from " + short_number(given[i]) + " to " +
                         short_number(found[i]));
  equations_.evaluate(t, y);
  if (equations_.take_rows(rows_mode_) > 0)
    for (int i = 0; i < equations_.row_count(); ++i)
      if (equations_.saddle().is_redundant(i))
        notices_.push_back(equations_.row_name(i) +
                           " is redundant: the motion is unique, its reaction is not (the least-norm one is used)");
}

Settled MechanismProcess::start(double t, std::span<double> y, EventLog& log) {
  const System& s = *system_;
  Settled settled;
  std::fill(mode_.closed.begin(), mode_.closed.end(), 0);
  std::fill(mode_.friction.begin(), mode_.friction.end(), FrictionMode{});
  std::fill(stuck_in_impact_.begin(), stuck_in_impact_.end(), 0);
  std::fill(guard_history_.begin(), guard_history_.end(), GuardHistory{});
  held_.forget();
  held_told_.clear();
  if (switches_.any()) switches_.begin(t, y.data(), equations_.kinematics());
  if (s.nq > 0) assemble(t, y.data());
  equations_.evaluate_kinematics(t, y.data());
  touching_.close_at_start(mode_.closed);
  for (std::size_t u = 0; u < s.frictions.size(); ++u) problem_.units[u] = UnitKnowledge{};
  for (std::size_t c = 0; c < s.contacts.size(); ++c) problem_.contacts[c] = ContactKnowledge{};
  problem_.all = true;
  problem_.force_scale = 0;
  instant_.start(t);
  instant_.begin(t, y);
  books_.open(y);
  impact_recorded_ = false;
  before_ = mode_;
  rest_.start();
  std::fill(impacts_seen_.begin(), impacts_seen_.end(), 0);
  look_ = true;
  if (decide_on_branches(t, y, {}, log, settled, false) && close_books(t, y, settled)) {
    ranges_.watch({}, mode_, touching_, guards_);
    if (std::string ranges = range_text(mode_); !ranges.empty()) notices_.push_back(std::move(ranges));
    note_rest(t, y, log);
  }
  lines_.flush(y, log);
  return settled;
}

Settled MechanismProcess::transition(double t, std::span<double> y, std::span<const events::Root> fired,
                                     std::span<const std::size_t> due, EventLog& log) {
  const System& s = *system_;
  Settled settled;
  before_ = mode_;
  std::copy(y.begin(), y.end(), y_before_.begin());
  impact_recorded_ = false;
  std::fill(unsettled_.begin(), unsettled_.end(), 0);
  guards_.forget_gaps();
  if (guard_jumps_.read_forces() && equations_.solve_at(mode_, t, y.data()))
    guard_jumps_.begin(SolvedSignals(equations_));

  // 0. What the fired guards tell about the mode that ends, and the state at its end.
  // (What is pressed again stays so at this instant, until others that it presses are too, and what has broken away
  // slides on, though its speed is zero still.)
  const bool again = instant_.is_at(t);
  for (std::size_t u = 0; u < s.frictions.size(); ++u) {
    UnitKnowledge& known = problem_.units[u];
    known.asked = known.turned = false;
    if (!again || !known.broke_away || mode_.friction[u].slide != Slide::slip) known = {};
  }
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    problem_.contacts[c] = {.pressed = again && problem_.contacts[c].pressed && mode_.closed[c] == 1};
  if (!again) problem_.force_scale = 0;
  problem_.all = false;
  bool may_jump = (!due.empty() || switches_.next_time() <= t) && is_held();
  ranges_.begin();
  std::fill(driven_.begin(), driven_.end(), 0);
  for (const events::Root& root : fired)
    if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::range && root.direction < 0) {
      ranges_.leave(static_cast<std::size_t>(ref.index));
      mode_.closed[ref.index] = 0;
    }
  for (const events::Root& root : fired) {
    const WatchRef ref = guards_.ref(root.guard);
    const auto i = static_cast<std::size_t>(ref.index);
    if (ref.what == Watch::gap || ref.what == Watch::normal_force || ref.what == Watch::range)
      problem_.contacts[i].asked = true;
    else if (ref.what != Watch::user && ref.what != Watch::room && ref.what != Watch::regularity &&
             ref.what != Watch::branch && ref.what != Watch::branch_upper && ref.what != Watch::flush)
      problem_.units[i].asked = true;
    switch (ref.what) {
      case Watch::slide_stops:
        problem_.units[i].at_zero = true;
        break;
      case Watch::stick_upper:
      case Watch::stick_lower:
        problem_.units[i].at_zero = true;
        // What creeps and comes inside its limit again is held.
        if (mode_.friction[i].creeps && ref.what == Watch::stick_upper) break;
        // (At both limits at once it has reached neither: its normal force has passed through zero.)
        problem_.units[i].turned = problem_.units[i].broke_away;
        problem_.units[i].broke_away = !problem_.units[i].turned;
        problem_.units[i].heading = static_cast<signed char>(ref.what == Watch::stick_upper ? -1 : 1);
        break;
      case Watch::piece_slower:
        --mode_.friction[i].piece;
        break;
      case Watch::piece_faster:
        ++mode_.friction[i].piece;
        break;
      case Watch::normal_force:
        problem_.force_scale = std::max(problem_.force_scale, guards_.scale(root.guard));
        if ((problem_.contacts[i].pressed = mode_.closed[i] == unloaded)) break;
        problem_.contacts[i].lifting = true;
        touching_[i].bounces = {};
        break;
      case Watch::range:
        equations_.evaluate_kinematics(t, y.data());
        ranges_.pass_on(i, root.direction, mode_.closed);
        problem_.all = true;
        break;
      case Watch::room:
        look_ = true;
        break;
      case Watch::flush:  // (ContactRanges::watch sees that it is)
      case Watch::side:   // (at the end, when the mode is known)
        break;
      case Watch::gap:
      case Watch::branch:
      case Watch::branch_upper:
        may_jump = true;
        break;
      case Watch::user:
        may_jump |= s.guards[i].spec.changes();
        break;
      case Watch::regularity:
        break;
    }
  }

  // What creeps is at its limit still, unless it has just come inside.
  for (std::size_t u = 0; u < mode_.friction.size(); ++u)
    if (mode_.friction[u].creeps && !problem_.units[u].at_zero) {
      problem_.units[u].at_zero = problem_.units[u].broke_away = true;
      problem_.units[u].heading = mode_.friction[u].direction;
    }
  next_.find_stopped(t, y.data(), mode_, problem_);
  instant_.begin(t, y);
  if (may_jump ? !left_limit(t, y, fired, log, settled) : !switch_branches(t, y, fired, log, settled)) return settled;
  books_.open(y);
  const auto at_guards = [&](std::span<const double> state) -> Kinematics& {
    equations_.evaluate_kinematics(t, state.data());
    return equations_.kinematics();
  };
  if (guard_jumps_.any()) guard_jumps_.begin(at_guards(y_before_));

  // 1. What the model's own guards say.
  bool terminal = false;
  // (`before`: the state that its reset reads; `zero`: round-off of what it fired on, if that has come to zero.)
  const auto apply = [&](std::size_t g, const events::Root* root, std::span<const double> before, double zero) {
    const UserGuard& user = s.guards[g];
    equations_.evaluate_kinematics(t, before.data());
    std::copy(y.begin(), y.end(), y_impact_.begin());
    for (std::size_t i = 0; i < user.reset.size(); ++i)
      reset_[i] = reset_value(user.reset[i].second, equations_.kinematics(), zero);
    const bool turned = !user.reset.empty() && s.has_own_axes();
    if (turned) s.as_written(y.data());
    for (std::size_t i = 0; i < user.reset.size(); ++i) y[user.reset[i].first] = reset_[i];
    if (turned) to_own_axes(s, y.data());
    if (user.spec.change) user.spec.change(t, y);
    if (const std::string states = not_finite_states(s, y.data()); !states.empty()) {
      std::copy(y_before_.begin(), y_before_.end(), y.begin());
      settled.then = Settled::Then::fail;
      settled.status = RunStatus::not_finite;
      settled.message =
          "the reset of guard \"" + user.spec.name + "\" at t = " + short_number(t, 12) + " s gives " + states;
      return;
    }
    terminal |= user.spec.terminal;
    const auto motion = static_cast<std::size_t>(s.nq + s.nv);
    if (!std::equal(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(motion), y_impact_.begin())) {
      equations_.evaluate_kinematics(t, y.data());
      books_.book_given(y_impact_, y);
      instant_.reset(y);
    }
    problem_.all |= user.spec.changes();
    look_ |= user.spec.changes();
    if (terminal && settled.message.empty()) settled.message = "guard \"" + user.spec.name + "\" is terminal";
    if (!log.wanted()) return;
    const std::string kind = !user.spec.kind.empty() ? user.spec.kind
                             : !root                 ? "time"
                             : root->direction > 0   ? "guard_up"
                                                     : "guard_down";
    auto r = lines_.line_in_mode(t, root, kind, user.spec.name, y_before_, y);
    r.optional = !user.spec.changes() && !user.spec.terminal;
    log.add(std::move(r));
  };
  for (const std::span<const events::Root> roots : {fired, std::span<const events::Root>(flips_.jumped())})
    for (const events::Root& root : roots)
      if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::user) {
        const auto g = static_cast<std::size_t>(ref.index);
        apply(g, &root, y_before_, guards_.info(root.guard).g_tol);
        guard_jumps_.crossed(g, root.direction);
        if (s.guards[g].spec.changes() && accumulates(g, t, settled)) return settled;
      }
  for (const std::size_t id : due) apply(id, nullptr, y_before_, 0);
  const auto next_jump = [&](bool decided) {
    if (!decided || !guard_jumps_.read_forces()) return guard_jumps_.next(at_guards(y), nullptr);
    const bool solved = equations_.solve_at(mode_, std::isnan(settled.t_jump) ? t : settled.t_jump, y.data());
    const SolvedSignals forces(equations_);
    return guard_jumps_.next(equations_.kinematics(), solved ? &forces : nullptr);
  };
  int carried = 0;
  const auto apply_carried = [&](bool decided) {  // guards that what has happened carries through zero
    const int before = carried;
    while (settled.then == Settled::Then::go_on && guard_jumps_.any()) {
      const std::optional<GuardJumps::Jump> jump = next_jump(decided);
      if (!jump) break;
      if (++carried > most_jumps) {
        settled.then = Settled::Then::fail;
        settled.status = RunStatus::event_pile_up;
        settled.message = "at t = " + short_number(t) + " s resets carry guard \"" + s.guards[jump->guard].spec.name +
                          "\" and others through zero without end";
        break;
      }
      events::Root root;
      root.t = root.t_lo = root.t_hi = t;
      root.direction = jump->direction;
      y_carried_.assign(y.begin(), y.end());
      apply(jump->guard, &root, y_carried_, 0);
    }
    if (terminal && settled.then == Settled::Then::go_on) {
      settled.then = Settled::Then::stop;
      settled.status = RunStatus::terminal_event;
    }
    return carried > before;
  };
  apply_carried(false);
  if (settled.then != Settled::Then::go_on) return settled;

  // 3. Impacts, then the next mode.
  for (const events::Root& root : fired)
    if (const Watch what = guards_.ref(root.guard).what; what == Watch::regularity || what == Watch::normal_force)
      if (at_critical_point(t, y, &root, log, settled)) return settled;
  next_.set_counted(0);
  bool decided = decide_on_branches(t, y, fired, log, settled, log.wanted());
  while (decided && apply_carried(true)) {
    decided = settled.then == Settled::Then::go_on && decide_on_branches(t, y, {}, log, settled, log.wanted());
  }
  const bool settles = decided && close_books(t, y, settled);
  if (settles) {
    equations_.evaluate_kinematics(t, y_before_.data());
    rest_.see_motion();
    equations_.evaluate_kinematics(t, y.data());
    note_rest(t, y, log);
  }
  lines_.flush(y, log);
  if (!settles) return settled;
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (before_.closed[c] && !mode_.closed[c])
      touching_[c].bounces.opened = std::isnan(settled.t_jump) ? t : settled.t_jump;
  ranges_.watch(fired, mode_, touching_, guards_);
  turn_guides(fired);
  if (log.wanted())
    lines_.tell({t, fired, before_, y_before_, y, impact_recorded_, problem_, next_.choice(), unsettled_}, log);
  return settled;
}

void MechanismProcess::turn_guides(std::span<const events::Root> fired) {
  // (It is zero for the next look: the restart moved y onto the constraints, and forces off zero.)
  for (const events::Root& root : fired) {
    const WatchRef ref = guards_.ref(root.guard);
    const bool limit = ref.what == Watch::stick_upper || ref.what == Watch::stick_lower;
    if ((ref.what != Watch::side && !limit) || !system_->frictions[ref.index].side_matters) continue;
    FrictionMode& f = mode_.friction[ref.index];
    if (limit && (f.slide != Slide::stick || !problem_.units[ref.index].turned)) continue;
    f.side = static_cast<signed char>(-before_.friction[ref.index].side);
    const int joint = system_->frictions[ref.index].joint;
    guards_.note_zero(ref.what, ref.index,
                      limit ? equations_.stick_reserve(ref.index, ref.what == Watch::stick_upper ? 1 : -1)
                            : equations_.joint_multipliers(joint)[system_->joints[joint]->side_row()]);
  }
}

void MechanismProcess::note_rest(double t, std::span<const double> y, EventLog& log) {
  std::string remark = log.wanted() ? range_text(mode_) : "";
  if (rest_.begins(y, mode_)) {
    const std::string text = rest_.text(mode_);
    notices_.push_back("t = " + short_number(t, 6) + " s: " + text);
    remark += (remark.empty() ? "" : "; ") + text;
  }
  lines_.set_remark(std::move(remark));
}

bool MechanismProcess::close_books(double t, std::span<const double> y, Settled& settled) {
  if (!books_.any()) return true;
  const EventBooks residual = books_.close(y, instant_);
  lines_.set_books(residual);
  const std::string complaint = Books::complaint(residual);
  if (complaint.empty()) return true;
  settled.then = Settled::Then::fail;
  settled.status = RunStatus::unbalanced_event;
  settled.message = "the books of the event at t = " + short_number(t) + " s do not close: " + complaint +
                    "; this is a defect of hstar, please report the model";
  return false;
}

bool MechanismProcess::accumulates(std::size_t user_guard, double t, Settled& settled) {
  GuardHistory& history = guard_history_[user_guard];
  if (!history.add(t)) return false;
  // Impacts of a contact that fire it have a limit of their own, and the motion goes on beyond.
  for (std::size_t c = 0; c < system_->contacts.size(); ++c)
    if (const Bounces& b = touching_[c].bounces; b.count > 2 && b.last >= t - history.last_interval()) return false;
  settled.then = Settled::Then::fail;
  settled.status = RunStatus::accumulation;
  settled.message = "events of \"" + system_->guards[user_guard].spec.name +
                    "\" accumulate at t = " + short_number(history.limit().t_limit) + " s (interval ratio " +
                    short_number(history.limit().ratio) +
                    "): the model does not say how the motion goes on after infinitely many events; give the guard " +
                    "`terminal = true`, or model the contact with bodies";
  return true;
}

}  // namespace hstar

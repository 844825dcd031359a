// src/transition/user_guards.cpp
#include "transition/user_guards.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mechanism/short_number.hpp"
#include "mechanism/spatial/build.hpp"
#include "transition/not_finite.hpp"
#include "transition/reset_value.hpp"

namespace hstar {
namespace {

/// Guards that resets carry through zero at one instant, at most.
constexpr int most_jumps = 100;

}  // namespace

UserGuards::UserGuards(ModeEquations& equations, const MechanismGuards& guards, Books& books, Instant& instant,
                       const LedgerLines& lines, const Touching& touching, const Mode& mode)
    : system_(equations.system()),
      equations_(equations),
      guards_(guards),
      books_(books),
      instant_(instant),
      lines_(lines),
      touching_(touching),
      mode_(mode),
      jumps_(system_),
      history_(system_.guards.size()),
      reset_(system_.size()),
      y_applied_(system_.size()) {}

void UserGuards::start() { std::fill(history_.begin(), history_.end(), GuardHistory{}); }

void UserGuards::begin(double t, std::span<const double> y) {
  carried_ = 0;
  terminal_ = changes_ = false;
  if (jumps_.read_forces() && equations_.solve_at(mode_, t, y.data())) jumps_.begin(SolvedSignals(equations_));
}

void UserGuards::apply_one(const Event& at, std::size_t g, const events::Root* root, std::span<const double> before,
                           double zero) {
  const UserGuard& user = system_.guards[g];
  equations_.motion.evaluate(at.t, before.data());
  std::copy(at.y.begin(), at.y.end(), y_applied_.begin());
  for (std::size_t i = 0; i < user.reset.size(); ++i)
    reset_[i] = reset_value(user.reset[i].second, equations_.motion.kinematics(), zero);
  const bool turned = !user.reset.empty() && system_.has_own_axes();
  if (turned) system_.as_written(at.y.data());
  for (std::size_t i = 0; i < user.reset.size(); ++i) at.y[user.reset[i].first] = reset_[i];
  if (turned) to_own_axes(system_, at.y.data());
  if (user.spec.change) user.spec.change(at.t, at.y);
  if (const std::string states = not_finite_states(system_, at.y.data()); !states.empty()) {
    std::copy(at.y_before.begin(), at.y_before.end(), at.y.begin());
    at.settled.then = Settled::Then::fail;
    at.settled.status = RunStatus::not_finite;
    at.settled.message =
        "the reset of guard \"" + user.spec.name + "\" at t = " + short_number(at.t, 12) + " s gives " + states;
    return;
  }
  terminal_ |= user.spec.terminal;
  const auto motion = static_cast<std::size_t>(system_.nq + system_.nv);
  if (!std::equal(at.y.begin(), at.y.begin() + static_cast<std::ptrdiff_t>(motion), y_applied_.begin())) {
    equations_.motion.evaluate(at.t, at.y.data());
    books_.book_given(y_applied_, at.y);
    instant_.reset(at.y);
  }
  changes_ |= user.spec.changes();
  if (terminal_ && at.settled.message.empty()) at.settled.message = "guard \"" + user.spec.name + "\" is terminal";
  if (!at.log.wanted()) return;
  const std::string kind = !user.spec.kind.empty() ? user.spec.kind
                           : !root                 ? "time"
                           : root->direction > 0   ? "guard_up"
                                                   : "guard_down";
  auto r = lines_.line_in_mode(at.t, root, kind, user.spec.name, at.y_before, at.y);
  r.optional = !user.spec.changes() && !user.spec.terminal;
  at.log.add(std::move(r));
}

bool UserGuards::apply(const Event& at, std::span<const events::Root> fired, std::span<const events::Root> jumped,
                       std::span<const std::size_t> due) {
  if (jumps_.any()) {
    equations_.motion.evaluate(at.t, at.y_before.data());
    jumps_.begin(equations_.motion.kinematics());
  }
  for (const std::span<const events::Root> roots : {fired, jumped})
    for (const events::Root& root : roots)
      if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::user) {
        const auto g = static_cast<std::size_t>(ref.index);
        apply_one(at, g, &root, at.y_before, guards_.info(root.guard).g_tol);
        jumps_.crossed(g, root.direction);
        if (system_.guards[g].spec.changes() && accumulates(g, at.t, at.settled)) return false;
      }
  for (const std::size_t id : due) apply_one(at, id, nullptr, at.y_before, 0);
  return true;
}

std::optional<GuardJumps::Jump> UserGuards::next_jump(const Event& at, bool decided) {
  if (!decided || !jumps_.read_forces()) {
    equations_.motion.evaluate(at.t, at.y.data());
    return jumps_.next(equations_.motion.kinematics(), nullptr);
  }
  const double t = std::isnan(at.settled.t_jump) ? at.t : at.settled.t_jump;
  const bool solved = equations_.solve_at(mode_, t, at.y.data());
  const SolvedSignals forces(equations_);
  return jumps_.next(equations_.motion.kinematics(), solved ? &forces : nullptr);
}

bool UserGuards::apply_carried(const Event& at, bool decided) {
  const int before = carried_;
  while (at.settled.then == Settled::Then::go_on && jumps_.any()) {
    const std::optional<GuardJumps::Jump> jump = next_jump(at, decided);
    if (!jump) break;
    if (++carried_ > most_jumps) {
      at.settled.then = Settled::Then::fail;
      at.settled.status = RunStatus::event_pile_up;
      at.settled.message = "at t = " + short_number(at.t) + " s resets carry guard \"" +
                           system_.guards[jump->guard].spec.name + "\" and others through zero without end";
      break;
    }
    events::Root root;
    root.t = root.t_lo = root.t_hi = at.t;
    root.direction = jump->direction;
    y_carried_.assign(at.y.begin(), at.y.end());
    apply_one(at, jump->guard, &root, y_carried_, 0);
  }
  if (terminal_ && at.settled.then == Settled::Then::go_on) {
    at.settled.then = Settled::Then::stop;
    at.settled.status = RunStatus::terminal_event;
  }
  return carried_ > before;
}

bool UserGuards::accumulates(std::size_t user_guard, double t, Settled& settled) {
  GuardHistory& history = history_[user_guard];
  if (!history.add(t)) return false;
  // Impacts of a contact that fire it have a limit of their own, and the motion goes on beyond.
  for (std::size_t c = 0; c < system_.contacts.size(); ++c)
    if (const Bounces& b = touching_[c].bounces; b.count > 2 && b.last >= t - history.last_interval()) return false;
  settled.then = Settled::Then::fail;
  settled.status = RunStatus::accumulation;
  settled.message = "events of \"" + system_.guards[user_guard].spec.name +
                    "\" accumulate at t = " + short_number(history.limit().t_limit) + " s (interval ratio " +
                    short_number(history.limit().ratio) +
                    "): the model does not say how the motion goes on after infinitely many events; give the guard " +
                    "`terminal = true`, or model the contact with bodies";
  return true;
}

}  // namespace hstar

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

UserGuards::UserGuards(EventState& at)
    : at_(at),
      jumps_(at.system),
      history_(at.system.guards.size()),
      reset_(at.system.size()),
      y_applied_(at.system.size()) {}

void UserGuards::start() { std::fill(history_.begin(), history_.end(), GuardHistory{}); }

void UserGuards::begin(double t, std::span<const double> y) {
  carried_ = 0;
  terminal_ = changes_ = false;
  if (jumps_.read_forces() && at_.equations.solve_at(at_.mode, t, y.data())) jumps_.begin(SolvedSignals(at_.equations));
}

void UserGuards::apply_one(const EventCall& call, std::size_t g, const events::Root* root,
                           std::span<const double> before, double zero) {
  const UserGuard& user = at_.system.guards[g];
  at_.equations.motion.evaluate(call.t, before.data());
  std::copy(call.y.begin(), call.y.end(), y_applied_.begin());
  for (std::size_t i = 0; i < user.reset.size(); ++i)
    reset_[i] = reset_value(user.reset[i].second, at_.equations.motion.kinematics(), zero);
  const bool turned = !user.reset.empty() && at_.system.has_own_axes();
  if (turned) at_.system.as_written(call.y.data());
  for (std::size_t i = 0; i < user.reset.size(); ++i) call.y[user.reset[i].first] = reset_[i];
  if (turned) to_own_axes(at_.system, call.y.data());
  if (user.spec.change) user.spec.change(call.t, call.y);
  if (const std::string states = not_finite_states(at_.system, call.y.data()); !states.empty()) {
    std::copy(at_.y_before.begin(), at_.y_before.end(), call.y.begin());
    call.settled.fail(RunStatus::not_finite, "the reset of guard \"" + user.spec.name +
                                                 "\" at t = " + short_number(call.t, 12) + " s gives " + states);
    return;
  }
  terminal_ |= user.spec.terminal;
  const auto motion = static_cast<std::size_t>(at_.system.nq + at_.system.nv);
  if (!std::equal(call.y.begin(), call.y.begin() + static_cast<std::ptrdiff_t>(motion), y_applied_.begin())) {
    at_.equations.motion.evaluate(call.t, call.y.data());
    at_.books.book_given(y_applied_, call.y);
    at_.instant.reset(call.y);
  }
  changes_ |= user.spec.changes();
  if (terminal_ && call.settled.message.empty()) call.settled.message = "guard \"" + user.spec.name + "\" is terminal";
  if (!call.log.wanted()) return;
  const std::string kind = !user.spec.kind.empty() ? user.spec.kind
                           : !root                 ? "time"
                           : root->direction > 0   ? "guard_up"
                                                   : "guard_down";
  auto r = at_.lines.line_in_mode(call.t, root, kind, user.spec.name, at_.y_before, call.y);
  r.optional = !user.spec.changes() && !user.spec.terminal;
  call.log.add(std::move(r));
}

bool UserGuards::apply(const EventCall& call, std::span<const events::Root> fired, std::span<const events::Root> jumped,
                       std::span<const std::size_t> due) {
  if (jumps_.any()) {
    at_.equations.motion.evaluate(call.t, at_.y_before.data());
    jumps_.begin(at_.equations.motion.kinematics());
  }
  for (const std::span<const events::Root> roots : {fired, jumped})
    for (const events::Root& root : roots)
      if (const WatchRef ref = at_.guards.ref(root.guard); ref.what == Watch::user) {
        const auto g = static_cast<std::size_t>(ref.index);
        apply_one(call, g, &root, at_.y_before, at_.guards.info(root.guard).g_tol);
        jumps_.crossed(g, root.direction);
        if (at_.system.guards[g].spec.changes() && accumulates(g, call.t, call.settled)) return false;
      }
  for (const std::size_t id : due) apply_one(call, id, nullptr, at_.y_before, 0);
  return true;
}

std::optional<GuardJumps::Jump> UserGuards::next_jump(const EventCall& call, bool decided) {
  if (!decided || !jumps_.read_forces()) {
    at_.equations.motion.evaluate(call.t, call.y.data());
    return jumps_.next(at_.equations.motion.kinematics(), nullptr);
  }
  const double t = std::isnan(call.settled.t_jump) ? call.t : call.settled.t_jump;
  const bool solved = at_.equations.solve_at(at_.mode, t, call.y.data());
  const SolvedSignals forces(at_.equations);
  return jumps_.next(at_.equations.motion.kinematics(), solved ? &forces : nullptr);
}

bool UserGuards::apply_carried(const EventCall& call, bool decided) {
  const int before = carried_;
  while (call.settled.then == Settled::Then::go_on && jumps_.any()) {
    const std::optional<GuardJumps::Jump> jump = next_jump(call, decided);
    if (!jump) break;
    if (++carried_ > most_jumps) {
      call.settled.fail(RunStatus::event_pile_up, "at t = " + short_number(call.t) + " s resets carry guard \"" +
                                                      at_.system.guards[jump->guard].spec.name +
                                                      "\" and others through zero without end");
      break;
    }
    events::Root root;
    root.t = root.t_lo = root.t_hi = call.t;
    root.direction = jump->direction;
    y_carried_.assign(call.y.begin(), call.y.end());
    apply_one(call, jump->guard, &root, y_carried_, 0);
  }
  if (terminal_ && call.settled.then == Settled::Then::go_on) {
    call.settled.then = Settled::Then::stop;
    call.settled.status = RunStatus::terminal_event;
  }
  return carried_ > before;
}

bool UserGuards::accumulates(std::size_t user_guard, double t, Settled& settled) {
  GuardHistory& history = history_[user_guard];
  if (!history.add(t)) return false;
  // Impacts of a contact that fire it have a limit of their own, and the motion goes on beyond.
  for (std::size_t c = 0; c < at_.system.contacts.size(); ++c)
    if (const Bounces& b = at_.touching[c].bounces; b.count > 2 && b.last >= t - history.last_interval()) return false;
  return !settled.fail(
      RunStatus::accumulation,
      "events of \"" + at_.system.guards[user_guard].spec.name + "\" accumulate at t = " +
          short_number(history.limit().t_limit) + " s (interval ratio " + short_number(history.limit().ratio) +
          "): the model does not say how the motion goes on after infinitely many events; give the guard " +
          "`terminal = true`, or model the contact with bodies");
}

}  // namespace hstar

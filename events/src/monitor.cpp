// events/src/monitor.cpp
//
// The public face: options, restart, and the story of one look.
#include "hstar/events/monitor.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "isolator.hpp"
#include "resolver.hpp"
#include "sampler.hpp"

namespace hstar::events {
namespace {

void check_options(const MonitorOptions& o) {
  const auto refuse = [](const char* name, double value, const char* bound) {
    throw std::invalid_argument(std::string("MonitorOptions::") + name + " = " + std::to_string(value) + " must be " +
                                bound);
  };
  if (o.max_depth < 1 || o.max_depth > 60) refuse("max_depth", o.max_depth, "in [1, 60]");
  if (o.max_polish < 1) refuse("max_polish", o.max_polish, ">= 1");
  if (!(o.tie_ulps >= 1.0) || !std::isfinite(o.tie_ulps)) refuse("tie_ulps", o.tie_ulps, "finite and >= 1");
  if (!(o.graze_factor >= 1.0) || !std::isfinite(o.graze_factor))
    refuse("graze_factor", o.graze_factor, "finite and >= 1");
}

void check_guard(std::size_t i, const GuardInfo& info) {
  if (info.name.empty()) throw std::invalid_argument("guard " + std::to_string(i) + " has no name; give it one");
  if (!(info.g_tol >= 0.0) || !std::isfinite(info.g_tol))
    throw std::invalid_argument("guard '" + info.name + "': g_tol = " + std::to_string(info.g_tol) +
                                " must be finite and >= 0");
  if (info.degree < 0)
    throw std::invalid_argument("guard '" + info.name + "': degree = " + std::to_string(info.degree) +
                                " must be >= 0 (0: not a polynomial in t and y)");
}

int sign_of(Sign s) { return static_cast<int>(s); }

}  // namespace

struct Monitor::Impl {
  Impl(GuardSet& guard_set, std::size_t state_size, const MonitorOptions& o)
      : guards(guard_set),
        options(o),
        sampler(guard_set, state_size),
        isolator(guard_set, state_size, sampler, options),
        resolver(guard_set.guard_count(), state_size, sampler, options),
        followed(guard_set.guard_count()),
        before(guard_set.guard_count()),
        start_values(guard_set.guard_count(), 0.0),
        unmoved_values(start_values),
        end_state(state_size) {
    const std::size_t n = guard_set.guard_count();
    enabled.reserve(n);
    by_value.reserve(n);
    result.passive.reserve(8 * n + 64);
    result.active.reserve(n + 1);
  }

  void restart(double t, std::span<const double> y, Beginning* beginning, std::span<const double> moved);
  /// Carries what `moved` changes those guards by whose sign is told by their value; start_values are known.
  void carry_over(double t, std::span<const double> y, std::span<const double> moved);
  /// Side of zero to which a guard goes that begins there; 0 if it does not go clearly.
  int side_after(std::size_t guard, double t, double zero, Beginning& beginning);
  void look(DenseStep& step);
  /// Of the guards enabled, from the start of the step on; `to_end`: to its end, whatever comes first.
  void look_up_to_event(bool to_end);
  /// The look is worth another: what was taken for roots of a guard may be round-off of t and y, of which it has
  /// learnt.
  bool was_round_off();
  [[nodiscard]] bool ends_with_event() const;
  /// A guard is clearly on its other side at the end of the step, and there is no event.
  [[nodiscard]] bool has_lost_one();
  /// As if there had been none: nothing has fired.
  void forget_look();

  GuardSet& guards;
  MonitorOptions options;
  detail::Sampler sampler;
  detail::Isolator isolator;
  detail::Resolver resolver;
  std::vector<detail::Followed> followed;
  std::vector<detail::Followed> before;  ///< the look
  std::vector<double> start_values, unmoved_values;
  std::vector<double> end_state;  ///< of a step, at either end
  std::vector<std::size_t> enabled, by_value;
  Look result;
  bool started = false, start_failed = false;
  bool cut = false;  ///< the last look found an event, after which there was no restart
};

int Monitor::Impl::side_after(std::size_t guard, double t, double zero, Beginning& beginning) {
  const std::size_t which[1] = {guard};
  return departure(t, beginning.longest(), zero, [&](double later, double& g) {
    return beginning.at(later, sampler.scratch()) && sampler.at_state(later, sampler.scratch(), which, {&g, 1});
  });
}

void Monitor::Impl::carry_over(double t, std::span<const double> y, std::span<const double> moved) {
  by_value.clear();
  for (const std::size_t g : enabled)
    if (followed[g].info->start == Sign::from_value) by_value.push_back(g);
  if (by_value.empty()) return;
  const std::span<double> unmoved = sampler.scratch();
  for (std::size_t i = 0; i < y.size(); ++i) unmoved[i] = y[i] - moved[i];
  if (!sampler.at_state(t, unmoved, by_value, unmoved_values)) return;
  std::size_t k = 0;
  for (std::size_t m = 0; m < by_value.size(); ++m) {
    while (enabled[k] != by_value[m]) ++k;
    followed[by_value[m]].track.carry += std::fabs(start_values[k] - unmoved_values[m]);
  }
}

void Monitor::Impl::restart(double t, std::span<const double> y, Beginning* beginning, std::span<const double> moved) {
  enabled.clear();
  for (std::size_t i = 0; i < followed.size(); ++i) {
    const GuardInfo& info = guards.info(i);
    check_guard(i, info);
    followed[i].info = &info;
    if (info.enabled) enabled.push_back(i);
  }
  const bool changed = cut && !std::equal(y.begin(), y.end(), resolver.event_state().begin());
  sampler.begin_mode(enabled);
  start_failed = !enabled.empty() && !sampler.at_state(t, y, enabled, start_values);
  if (!moved.empty() && !start_failed) carry_over(t, y, moved);
  for (std::size_t k = 0; k < enabled.size(); ++k) {
    detail::Followed& f = followed[enabled[k]];
    const double carry = f.track.carry;
    const int kept = cut ? f.sign_after : t == f.track.t ? f.track.sign : 0;
    f.track = detail::Track{};
    f.track.carry = carry;
    f.reach_ratio = -1.0;
    f.rough = false;
    if (!start_failed) {
      f.track.t = t;
      f.track.g = start_values[k];
    }
    f.track.sign = sign_of(f.info->start);
    if (f.track.sign == 0 && !start_failed) {
      const double g = start_values[k], zero = std::max(f.info->g_tol, carry);
      f.track.sign = g > zero ? 1 : g < -zero ? -1 : 0;
      // not fired by the event of this restart and not moved away by it: what was known still holds
      if (f.track.sign == 0) f.track.sign = kept;
      if (f.track.sign == 0 && beginning != nullptr) {
        f.track.sign = side_after(enabled[k], t, zero, *beginning);
        if (f.track.sign != 0) f.track.carry = kClearDeparture * zero;
      }
    }
    f.sign_after = 0;
    if (changed || f.info->start != Sign::from_value) f.fired_direction = 0;
  }
  started = true;
  cut = false;
}

void Monitor::Impl::look_up_to_event(bool to_end) {
  const detail::Isolator::Result isolated = isolator.run(enabled, followed, to_end);
  if (isolated == detail::Isolator::Result::undecided) {
    result.status = LookStatus::undecided;
  } else if (isolated == detail::Isolator::Result::guards_failed ||
             !resolver.run(enabled, followed, isolator.candidates(), result)) {
    result.status = LookStatus::guards_failed;
  }
}

bool Monitor::Impl::was_round_off() {
  bool any = false;
  // (Where it is zero it may be so with all that it is computed from.)
  const auto note = [&](std::size_t g) {
    double round_off = 0.0;
    for (const double t : {sampler.t0(), sampler.t1()}) {
      sampler.step().at(t, end_state);
      round_off = std::max(round_off, sampler.round_off_of(g, t, end_state));
    }
    any |= guards.note_round_off(g, round_off);
  };
  if (result.status == LookStatus::undecided)
    for (const std::size_t g : enabled)
      if (!isolator.has_settled(g)) note(g);
  for (const Root& root : result.active)
    if (followed[root.guard].info->measured) note(root.guard);
  return any;
}

/// The solution has the event that the proxy has passed, and on the way there nothing that the proxy shows later.
bool Monitor::Impl::ends_with_event() const {
  return result.has_event() && sampler.tau(result.t_event()) < isolator.end() &&
         resolver.keeps_sides(enabled, followed);
}

bool Monitor::Impl::has_lost_one() {
  return !result.has_event() && std::any_of(enabled.begin(), enabled.end(), [&](std::size_t g) {
    const detail::Followed& f = followed[g];
    const int sign = before[g].track.sign;
    if (!(f.info->role == Role::active && sign != 0 && detail::wants(f.info->crossing, -sign) &&
          f.track.t == sampler.t1() && sign * f.track.g < -std::max(f.info->g_tol, before[g].track.carry)))
      return false;
    // (What stands at zero is moved off it by a step's own error, there and back.)
    double error = 0.0;
    return !sampler.error_of(g, 1.0, error) || sign * f.track.g < -error;
  });
}

void Monitor::Impl::forget_look() {
  for (const std::size_t g : enabled) {
    // (What has been learnt of how it runs stays.)
    before[g].reach_ratio = followed[g].reach_ratio;
    before[g].rough = followed[g].rough;
    followed[g] = before[g];
  }
  result.passive.clear();
  result.active.clear();
}

void Monitor::Impl::look(DenseStep& step) {
  result.status = LookStatus::ok;
  result.passive.clear();
  result.active.clear();
  sampler.begin(step);
  if (!started) {
    step.at(step.t0(), sampler.scratch());
    restart(step.t0(), sampler.scratch(), nullptr, {});
  }
  if (start_failed) {
    result.status = LookStatus::guards_failed;
    return;
  }
  if (enabled.empty() || !(sampler.length() > 0.0)) return;
  for (const std::size_t g : enabled) before[g] = followed[g];
  look_up_to_event(false);
  for (int again = 0; again < 2 && was_round_off(); ++again) {
    forget_look();
    result.status = LookStatus::ok;
    look_up_to_event(false);
  }
  if (isolator.end() < 1.0 && result.status == LookStatus::ok && !ends_with_event()) {
    forget_look();
    look_up_to_event(true);
  }
  if (result.status == LookStatus::ok && has_lost_one()) result.status = LookStatus::undecided;
  if (result.status != LookStatus::ok) forget_look();
  cut = result.has_event();
}

Monitor::Monitor(GuardSet& guards, std::size_t state_size, MonitorOptions options) {
  check_options(options);
  for (std::size_t i = 0; i < guards.guard_count(); ++i) check_guard(i, guards.info(i));
  impl_ = std::make_unique<Impl>(guards, state_size, options);
}

Monitor::~Monitor() = default;

void Monitor::restart(double t, std::span<const double> y, Beginning* beginning, std::span<const double> moved) {
  impl_->restart(t, y, beginning, moved);
}

const Look& Monitor::look(DenseStep& step) {
  impl_->look(step);
  return impl_->result;
}

std::span<const double> Monitor::event_state() const { return impl_->resolver.event_state(); }

const Monitor::Counters& Monitor::counters() const { return impl_->sampler.counters; }

std::span<const std::size_t> Monitor::enabled() const {
  return impl_->start_failed ? std::span<const std::size_t>{} : impl_->enabled;
}

void Monitor::rows_known(std::size_t guard, const LinearBound& rows) { impl_->isolator.rows_known(guard, rows); }

Standing& Monitor::standing(std::size_t guard) { return impl_->followed[guard].track; }

}  // namespace hstar::events

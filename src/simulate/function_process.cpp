// src/simulate/function_process.cpp: a plain right-hand side with guards as a hybrid process.
#include <algorithm>
#include <cmath>

#include "hstar/hybrid.hpp"

namespace hstar {

struct FunctionProcess::Impl {
  std::size_t n;
  Rates rates;
  events::FunctionGuards guards;
  struct Extra {
    std::string kind;
    Effect effect;
    events::Sign after = events::Sign::from_value;
    events::Sign declared = events::Sign::from_value;
  };
  std::vector<Extra> extra;
  std::vector<double> before;

  void record(double t, const events::Root& root, std::span<const double> y0, std::span<const double> y1, bool optional,
              EventLog& log) {
    if (!log.wanted()) return;
    EventRecord r;
    r.t = t;
    r.t_lo = root.t_lo;
    r.t_hi = root.t_hi;
    r.dt_error = root.dt_error;
    const std::string& kind = extra[root.guard].kind;
    r.kind = root.direction == 0 ? "graze" : !kind.empty() ? kind : root.direction > 0 ? "guard_up" : "guard_down";
    r.element = guards.info(root.guard).name;
    r.optional = optional;
    r.y_before.assign(y0.begin(), y0.end());
    r.y_after.assign(y1.begin(), y1.end());
    log.add(std::move(r));
  }
};

FunctionProcess::FunctionProcess(std::size_t n, Rates rates) : impl_(std::make_shared<Impl>()) {
  impl_->n = n;
  impl_->rates = std::move(rates);
  impl_->before.resize(n);
}

std::size_t FunctionProcess::add_guard(events::GuardInfo info, events::FunctionGuards::Function g, std::string kind,
                                       Effect effect) {
  info.role = effect ? events::Role::active : events::Role::passive;
  const events::Sign declared = info.start;
  const std::size_t i = impl_->guards.add(std::move(info), std::move(g));
  impl_->extra.push_back({std::move(kind), std::move(effect), events::Sign::from_value, declared});
  return i;
}

void FunctionProcess::set_after(std::size_t i, events::Sign sign) { impl_->extra[i].after = sign; }

std::size_t FunctionProcess::size() const { return impl_->n; }

bool FunctionProcess::rates(double t, const double* y, double* ydot) {
  impl_->rates(t, y, ydot);
  return true;
}

std::size_t FunctionProcess::guard_count() const { return impl_->guards.guard_count(); }

const events::GuardInfo& FunctionProcess::info(std::size_t i) const { return impl_->guards.info(i); }

bool FunctionProcess::values(double t, std::span<const double> y, std::span<const std::size_t> which,
                             std::span<double> g) {
  return impl_->guards.values(t, y, which, g);
}

Settled FunctionProcess::start(double, std::span<double>, EventLog&) {
  for (std::size_t i = 0; i < impl_->extra.size(); ++i) impl_->guards.edit(i).start = impl_->extra[i].declared;
  return {};
}

Settled FunctionProcess::transition(double t, std::span<double> y, std::span<const events::Root> fired,
                                    std::span<const std::size_t>, EventLog& log) {
  Settled settled;
  std::copy(y.begin(), y.end(), impl_->before.begin());
  // A guard that did not fire goes on with the sign of its value after the effects.
  for (std::size_t i = 0; i < impl_->extra.size(); ++i) impl_->guards.edit(i).start = events::Sign::from_value;
  bool go_on = true;
  for (const events::Root& root : fired)
    if (impl_->extra[root.guard].effect) go_on &= impl_->extra[root.guard].effect(t, y);
  for (const events::Root& root : fired) {
    impl_->guards.edit(root.guard).start = impl_->extra[root.guard].after;
    impl_->record(t, root, impl_->before, y, false, log);
  }
  if (!go_on) {
    settled.then = Settled::Then::stop;
    settled.status = RunStatus::terminal_event;
    if (!fired.empty()) settled.message = "guard \"" + impl_->guards.info(fired.front().guard).name + "\" is terminal";
  }
  return settled;
}

void FunctionProcess::passive(const events::Root& root, std::span<const double> y, EventLog& log) {
  impl_->record(root.t, root, y, y, true, log);
}

std::vector<std::string> FunctionProcess::state_names() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < impl_->n; ++i) names.push_back("y" + std::to_string(i));
  return names;
}

}  // namespace hstar

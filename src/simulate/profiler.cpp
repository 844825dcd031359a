// src/simulate/profiler.cpp
#include "simulate/profiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "hstar/affine_rates.hpp"
#include "hstar/rate_slopes.hpp"
#include "integrator/rate_slopes.hpp"
#include "math/dense_eigen.hpp"
#include "record/text.hpp"

namespace hstar {
namespace {

using Part = RunProfile::Part;

/// Gives each moment to the part that is on.
class Clock {
 public:
  explicit Clock(RunProfile& profile) : profile_(profile), last_(Time::now()), begun_(last_) {}
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  ~Clock() {
    turn(on_);
    profile_.seconds += seconds(last_ - begun_);
  }
  /// Returns the part that was on.
  Part turn(Part to) {
    const auto now = Time::now();
    profile_.parts[static_cast<std::size_t>(on_)].seconds += seconds(now - last_);
    last_ = now;
    return std::exchange(on_, to);
  }
  void count(Part part) { ++profile_.parts[static_cast<std::size_t>(part)].calls; }
  [[nodiscard]] Part on() const { return on_; }
  [[nodiscard]] double elapsed() const { return seconds(Time::now() - begun_); }
  /// What is measured between, but not part of the run, is left out.
  template <class Work>
  void beside(const Work& work) {
    turn(on_);
    work();
    const auto now = Time::now();
    begun_ += now - last_;
    last_ = now;
  }

 private:
  using Time = std::chrono::steady_clock;
  static double seconds(Time::duration d) { return std::chrono::duration<double>(d).count(); }
  RunProfile& profile_;
  Time::time_point last_, begun_;
  Part on_ = Part::isolation;
};

/// One call: of output everything below it is part of.
class Lap {
 public:
  Lap(Clock& clock, Part part) : clock_(clock), nested_(clock.on() == Part::output) {
    if (nested_) return;
    clock_.count(part);
    before_ = clock_.turn(part);
  }
  ~Lap() {
    if (!nested_) clock_.turn(before_);
  }
  Lap(const Lap&) = delete;
  Lap& operator=(const Lap&) = delete;

 private:
  Clock& clock_;
  bool nested_;
  Part before_ = Part::isolation;
};

class TimedProcess final : public HybridProcess, public RateSlopesProblem, public AffineRatesProblem {
 public:
  TimedProcess(HybridProcess& process, Clock& clock)
      : process_(process),
        slopes_(dynamic_cast<RateSlopesProblem*>(&process)),
        affine_(dynamic_cast<AffineRatesProblem*>(&process)),
        clock_(clock) {}

  [[nodiscard]] std::size_t size() const override { return process_.size(); }
  bool rates(double t, const double* y, double* ydot) override {
    const Lap lap(clock_, Part::rates);
    return process_.rates(t, y, ydot);
  }
  bool project(double t, double* y) override {
    const Lap lap(clock_, Part::checks);
    return process_.project(t, y);
  }
  [[nodiscard]] std::span<const int> velocity_of() const override { return process_.velocity_of(); }
  bool rate_slopes(double t, const double* y, double dt, double* by_y, double* by_t) override {
    const Lap lap(clock_, Part::rates);
    return slopes_ && slopes_->rate_slopes(t, y, dt, by_y, by_t);
  }
  const AffineRates* affine_rates() override { return affine_ ? affine_->affine_rates() : nullptr; }

  [[nodiscard]] std::size_t guard_count() const override { return process_.guard_count(); }
  [[nodiscard]] const events::GuardInfo& info(std::size_t i) const override { return process_.info(i); }
  bool values(double t, std::span<const double> y, std::span<const std::size_t> which, std::span<double> g) override {
    const Lap lap(clock_, Part::guards);
    return process_.values(t, y, which, g);
  }
  bool note_round_off(std::size_t i, double round_off) override { return process_.note_round_off(i, round_off); }
  [[nodiscard]] std::span<const std::size_t> depends_on(std::size_t i) const override { return process_.depends_on(i); }
  const double* linear_form(std::size_t i) override {
    const Lap lap(clock_, Part::guards);
    return process_.linear_form(i);
  }
  [[nodiscard]] double rate_bound(std::size_t i, double a, double b) const override {
    return process_.rate_bound(i, a, b);
  }
  [[nodiscard]] bool has_bounds(std::size_t i) const override { return process_.has_bounds(i); }
  bool bounds(std::size_t i, double ta, double tb, std::span<const events::Range> y,
              std::span<const events::Range> rates, events::Range& g, events::Range& slope) override {
    const Lap lap(clock_, Part::guards);
    return process_.bounds(i, ta, tb, y, rates, g, slope);
  }

  void run_until(double t_end) override { process_.run_until(t_end); }
  [[nodiscard]] double next_switch() const override { return process_.next_switch(); }
  Settled start(double t, std::span<double> y, EventLog& log) override {
    const Lap lap(clock_, Part::transitions);
    return process_.start(t, y, log);
  }
  Settled transition(double t, std::span<double> y, std::span<const events::Root> fired,
                     std::span<const std::size_t> due, EventLog& log) override {
    const Lap lap(clock_, Part::transitions);
    return process_.transition(t, y, fired, due, log);
  }
  void passive(const events::Root& root, std::span<const double> y, EventLog& log) override {
    const Lap lap(clock_, Part::transitions);
    process_.passive(root, y, log);
  }
  bool accepted(double t, std::span<const double> y) override {
    const Lap lap(clock_, Part::checks);
    return process_.accepted(t, y);
  }
  [[nodiscard]] RunStatus refusal() const override { return process_.refusal(); }
  bool is_too_long(std::span<const events::Root> fired) override { return process_.is_too_long(fired); }
  [[nodiscard]] std::string why() const override { return process_.why(); }
  std::string remark(double t, std::span<const double> y) override { return process_.remark(t, y); }
  Settled breakdown(double& t, std::span<double> y, EventLog& log, double least) override {
    return process_.breakdown(t, y, log, least);
  }
  [[nodiscard]] std::vector<std::pair<double, std::size_t>> scheduled() const override { return process_.scheduled(); }
  [[nodiscard]] std::string mode_text() const override { return process_.mode_text(); }
  [[nodiscard]] std::vector<std::string> state_names() const override { return process_.state_names(); }
  DaeProblem* dae() override { return process_.dae(); }

 private:
  HybridProcess& process_;
  RateSlopesProblem* slopes_;
  AffineRatesProblem* affine_;
  Clock& clock_;
};

/// Whether the steps of an explicit method are held by what decays fastest and not by the error: then h |lambda| is at
/// the limit of stability, on a real eigenvalue or nearly so, for which the method would otherwise have nothing to do.
class StiffnessWatch {
 public:
  StiffnessWatch(HybridProcess& process, const LoopOptions& options)
      : process_(process), options_(options), slopes_(process.size(), options.flow), f_(process.size()) {
    const IntegratorEntry* entry = find_integrator(options.integrator);
    // (`exact` goes on with bdf there by itself.)
    const bool explicit_method = entry && !entry->implicit && entry->name != "exact";
    wanted_ = explicit_method && !process.dae() && process.size() > 0 && process.size() <= most_states;
  }
  /// This accepted step is one to look at.
  [[nodiscard]] bool samples() { return wanted_ && taken_ < most_samples && steps_++ % every == 0; }
  void look(const Flow& flow) {
    const std::size_t n = process_.size();
    FlowCounters uncounted;
    const integrator::Rates rates{&process_, &uncounted};
    const double h = flow.t1() - flow.t0();
    const std::vector<double> y(flow.y1().begin(), flow.y1().end());
    if (!rates(flow.t1(), y.data(), f_.data()) || !slopes_.evaluate(rates, flow.t1(), y, f_, h)) return;
    Eigen::MatrixXd J(n, n);
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c < n; ++c)
        J(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = slopes_.by_y(r, c);
    if (!J.allFinite()) return;
    const Eigen::VectorXcd all = math::general_eigenvalues(J);
    double fastest = 0;
    for (const std::complex<double> lambda : all)
      if (-lambda.real() > std::abs(lambda.imag())) fastest = std::max(fastest, -lambda.real());
    ++taken_;
    if (h * fastest < at_the_limit) return;
    ++held_;
    if (fastest <= rate_) return;
    rate_ = fastest;
    step_ = h;
  }
  [[nodiscard]] std::string text(double time) const {
    if (taken_ < least_samples || 2 * held_ < taken_ || rate_ * time < many_time_constants) return {};
    return fmt::format(
        "stiff for {}: in {} of {} steps looked at h |lambda| is at its limit of stability (steps of {:.3g} s, a "
        "motion "
        "that decays at {:.3g} 1/s); an implicit method (radau, rosenbrock4, bdf; exact goes on with bdf) takes "
        "steps of the size of what is left",
        options_.integrator, held_, taken_, step_, rate_);
  }

 private:
  static constexpr std::size_t most_states = 128, most_samples = 200, least_samples = 4, every = 16;
  static constexpr double at_the_limit = 1.5;  ///< real limits are 2 (Euler) to 6 (dop853); half of most of them
  static constexpr double many_time_constants = 100;
  HybridProcess& process_;
  LoopOptions options_;
  integrator::RateSlopes slopes_;
  std::vector<double> f_;
  bool wanted_ = false;
  std::size_t steps_ = 1, taken_ = 0, held_ = 0;
  double rate_ = 0, step_ = 0;
};

class TimedFlow final : public Flow {
 public:
  TimedFlow(Flow& flow, Clock& clock, StiffnessWatch& stiffness) : flow_(flow), clock_(clock), stiffness_(stiffness) {}
  StepResult restart(double t, std::span<const double> y) override {
    const Lap lap(clock_, Part::restarts);
    return flow_.restart(t, y);
  }
  StepResult step(double t_limit) override {
    const Lap lap(clock_, Part::steps);
    const StepResult result = flow_.step(t_limit);
    if (result == StepResult::accepted && stiffness_.samples()) clock_.beside([&] { stiffness_.look(flow_); });
    return result;
  }
  double t0() const override { return flow_.t0(); }
  double t1() const override { return flow_.t1(); }
  std::span<const double> y0() const override { return flow_.y0(); }
  std::span<const double> y1() const override { return flow_.y1(); }
  int degree() const override {
    const Lap lap(clock_, Part::reading);
    return flow_.degree();
  }
  void at(double t, std::span<double> y) override {
    const Lap lap(clock_, Part::reading);
    flow_.at(t, y);
  }
  std::span<const double> row(int r) override {
    const Lap lap(clock_, Part::reading);
    return flow_.row(r);
  }
  std::span<const double> powers() override {
    const Lap lap(clock_, Part::reading);
    return flow_.powers();
  }
  std::span<const std::size_t> moving() override { return flow_.moving(); }
  std::span<const double> error() override {
    const Lap lap(clock_, Part::reading);
    return flow_.error();
  }
  StepResult finish_at(double t, std::span<double> y) override {
    const Lap lap(clock_, Part::polishing);
    return flow_.finish_at(t, y);
  }
  const FlowCounters& counters() const override { return flow_.counters(); }
  int order() const override { return flow_.order(); }

 private:
  Flow& flow_;
  Clock& clock_;
  StiffnessWatch& stiffness_;
};

class TimedObserver final : public LoopObserver {
 public:
  TimedObserver(LoopObserver* inner, const HybridProcess& process, RunProfile& profile, Clock& clock)
      : inner_(inner), process_(process), profile_(profile), clock_(clock) {}

  void segment_begin(double t, std::span<const double> y) override {
    // (A transition belongs to the mode it ends.)
    charge();
    const std::string mode = process_.mode_text();
    const auto [place, is_new] = places_.try_emplace(mode, profile_.modes.size());
    if (is_new) profile_.modes.push_back({mode});
    mode_ = place->second;
    ++profile_.modes[mode_].segments;
    begun_ = t;
    if (!inner_) return;
    const Lap lap(clock_, Part::output);
    inner_->segment_begin(t, y);
  }
  void step(Flow& accepted, double t_until) override {
    const std::size_t steps = accepted.counters().steps;  // (of islands none or several)
    profile_.modes[mode_].steps += steps - std::exchange(steps_, steps);
    if (!inner_) return;
    const Lap lap(clock_, Part::output);
    inner_->step(accepted, t_until);
  }
  void segment_end(double t, std::span<const double> y) override {
    if (!profile_.modes.empty()) profile_.modes[mode_].time += t - begun_;
    if (!inner_) return;
    const Lap lap(clock_, Part::output);
    inner_->segment_end(t, y);
  }
  [[nodiscard]] bool wants_events() const override { return inner_ && inner_->wants_events(); }
  [[nodiscard]] bool wants_words() const override { return inner_ && inner_->wants_words(); }
  [[nodiscard]] bool wants_switches() const override { return inner_ && inner_->wants_switches(); }
  void event(const EventRecord& record) override {
    if (!inner_) return;
    const Lap lap(clock_, Part::output);
    inner_->event(record);
  }
  bool stop_requested() override { return inner_ && inner_->stop_requested(); }
  void charge() {
    const double now = clock_.elapsed();
    if (!profile_.modes.empty()) profile_.modes[mode_].seconds += now - charged_;
    charged_ = now;
  }

 private:
  LoopObserver* inner_;
  const HybridProcess& process_;
  RunProfile& profile_;
  Clock& clock_;
  std::unordered_map<std::string, std::size_t> places_;
  std::size_t mode_ = 0, steps_ = 0;
  double begun_ = 0, charged_ = 0;
};

constinit thread_local RunProfile* innermost = nullptr;

}  // namespace

ProfileScope::ProfileScope(RunProfile& profile) : outer_(std::exchange(innermost, &profile)) {}
ProfileScope::~ProfileScope() { innermost = outer_; }
RunProfile* ProfileScope::wanted() { return innermost; }

struct Profiler::Impl {
  Impl(RunProfile& p, HybridProcess& inner, LoopObserver* watched, const LoopOptions& options)
      : profile(p),
        clock(p),
        process(inner, clock),
        stiffness(inner, options),
        observer(watched, inner, p, clock),
        time(options.flow.t_end - options.t_start) {}
  ~Impl() {
    observer.charge();
    profile.stiffness = stiffness.text(time);
    std::stable_sort(profile.modes.begin(), profile.modes.end(),
                     [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  RunProfile& profile;
  Clock clock;
  TimedProcess process;
  StiffnessWatch stiffness;
  TimedObserver observer;
  double time;
  std::optional<TimedFlow> flow;
};

Profiler::Profiler(RunProfile& profile, HybridProcess& process, LoopObserver* observer, const LoopOptions& options)
    : impl_(std::make_unique<Impl>(profile, process, observer, options)) {}
Profiler::~Profiler() = default;
HybridProcess& Profiler::process() { return impl_->process; }
Flow& Profiler::put_on(Flow& flow) { return impl_->flow.emplace(flow, impl_->clock, impl_->stiffness); }
LoopObserver& Profiler::observer() { return impl_->observer; }

std::string profile_table(const RunProfile& profile) {
  const auto percent = [&](double seconds) { return profile.seconds > 0 ? 100 * seconds / profile.seconds : 0.0; };
  std::string text =
      fmt::format("{:<26}{:>10}{:>12}{:>10}{:>8}\n", "where the time went", "calls", "ms", "us/call", "%");
  for (std::size_t i = 0; i < profile.parts.size(); ++i) {
    const RunProfile::Share& share = profile.parts[i];
    const bool counted = share.calls > 0;
    text += fmt::format("{:<26}{:>10}{:>12.3f}{:>10}{:>8.1f}\n", RunProfile::names[i],
                        counted ? fmt::format("{}", share.calls) : "", 1e3 * share.seconds,
                        counted ? fmt::format("{:.3f}", 1e6 * share.seconds / static_cast<double>(share.calls)) : "",
                        percent(share.seconds));
  }
  text += fmt::format("{:<26}{:>10}{:>12.3f}\n", "the run", "", 1e3 * profile.seconds);
  constexpr std::size_t most_modes = 10;
  text +=
      fmt::format("\n{:<36}{:>10}{:>10}{:>14}{:>12}{:>8}\n", "by mode", "segments", "steps", "motion, s", "ms", "%");
  for (std::size_t i = 0; i < std::min(most_modes, profile.modes.size()); ++i) {
    const RunProfile::Mode& mode = profile.modes[i];
    text += fmt::format("{:<36}{:>10}{:>10}{:>14.6g}{:>12.3f}{:>8.1f}\n",
                        mode.mode.empty() ? "smooth" : record::readable_mode(mode.mode), mode.segments, mode.steps,
                        mode.time, 1e3 * mode.seconds, percent(mode.seconds));
  }
  if (profile.modes.size() > most_modes) text += fmt::format("and {} more modes\n", profile.modes.size() - most_modes);
  if (!profile.stiffness.empty()) text += "\n" + profile.stiffness + "\n";
  return text;
}

}  // namespace hstar

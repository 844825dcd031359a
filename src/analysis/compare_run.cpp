// src/analysis/compare_run.cpp
#include "analysis/compare_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "formulation/mode_equations.hpp"
#include "simulate/model_process.hpp"
#include "simulate/options.hpp"

namespace hstar::analysis {
namespace {

using Clock = std::chrono::steady_clock;

/// Watches the ends of steps; its own time is not counted as the run's.
class Gauge final : public LoopObserver {
 public:
  Gauge(std::shared_ptr<const System> system, bool energy, double time_limit)
      : sizes(static_cast<std::size_t>(system->nq), static_cast<std::size_t>(system->nv)),
        system_(std::move(system)),
        equations_(system_),
        energy_(energy),
        limit_(time_limit),
        begun_(Clock::now()) {
    mode_.closed.assign(system_->contacts.size(), 0);
    mode_.friction.assign(system_->frictions.size(), {});
    phi_.resize(static_cast<std::size_t>(system_->rows));
  }

  void segment_begin(double t, std::span<const double> y) override { look(t, y); }
  void step(Flow& flow, double t_until) override {
    if (t_until == flow.t1()) look(t_until, flow.y1());
  }
  void segment_end(double t, std::span<const double> y) override { look(t, y); }
  void event(const EventRecord& record) override { events.push_back(record); }
  bool stop_requested() override {
    timed_out = seconds() > limit_;
    return timed_out;
  }
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_ - own_).count(); }

  std::vector<EventRecord> events;
  bool timed_out = false;
  double position = 0.0, velocity = 0.0, drift = 0.0, kinetic = 0.0;
  StateSizes sizes;

 private:
  void look(double t, std::span<const double> y) {
    const auto from = Clock::now();
    const System& s = *system_;
    equations_.rows.choose(mode_);
    equations_.motion.evaluate(t, y.data());
    equations_.rows.fill();
    const Kinematics& k = equations_.motion.kinematics();
    s.joint_positions(k, phi_.data());
    for (int i = 0; i < s.rows; ++i) {
      position = std::max(position, std::abs(phi_[i]));
      velocity = std::max(velocity, std::abs(equations_.motion.free_speed(equations_.rows[i])));
    }
    sizes.include(y);
    if (energy_) {
      const double now = s.kinetic_energy(k);
      const double all = now + s.potential_energy(k);
      if (std::isnan(start_)) start_ = all;
      kinetic = std::max(kinetic, now);
      drift = std::max(drift, std::abs(all - start_));
    }
    own_ += Clock::now() - from;
  }

  std::shared_ptr<const System> system_;
  ModeEquations equations_;
  Mode mode_;
  std::vector<double> phi_;
  bool energy_;
  double limit_, start_ = std::numeric_limits<double>::quiet_NaN();
  Clock::time_point begun_;
  Clock::duration own_{};
};

/// A run this many times larger than the reference, or this many times off at its end, is no solution.
constexpr double blown_up = 10;

bool constant(const Expression& e) { return e.is_constant(); }
bool zero(const Expression& e) { return e.is_constant() && e.constant_value() == 0.0; }
bool constant(const MarkerSpec& m) { return constant(m.x) && constant(m.y); }

}  // namespace

bool keeps_energy(const ModelSpec& model) {
  if (!model.has_bodies() || !model.contacts.empty()) return false;
  for (const SpatialBodySpec& b : model.spatial.bodies)
    if (b.motion) return false;
  if (!model.spatial.forces.empty() || std::any_of(model.spatial.joints.begin(), model.spatial.joints.end(),
                                                   [](const SpatialJointSpec& j) { return !constant(j.value); }))
    return false;
  for (const BodySpec& b : model.bodies)
    if (b.motion) return false;
  for (const JointSpec& j : model.joints)
    if (j.user || j.friction || (j.value && !constant(*j.value)) ||
        !std::all_of(j.markers.begin(), j.markers.end(), [](const MarkerSpec& m) { return constant(m); }))
      return false;
  for (const ForceSpec& f : model.forces) {
    if (f.type != "spring_damper" && f.type != "rotational_spring_damper") return false;
    if (!zero(f.damping) || !zero(f.actuator) || !constant(f.stiffness) || !constant(f.free_length)) return false;
    for (const MarkerSpec& m : f.markers)
      if (!constant(m)) return false;
  }
  return std::all_of(model.guards.begin(), model.guards.end(), [](const GuardSpec& g) { return !g.changes(); });
}

CompareRow measured_run(const ModelSpec& model, const std::shared_ptr<const System>& system, bool conservative,
                        double time_limit, const Truth& truth) {
  CompareRow row;
  row.formulation = model.simulation.formulation;
  row.integrator = model.simulation.integrator;
  std::vector<double> y = system->initial_state();
  const double duration = model.simulation.end - model.simulation.start;
  try {
    const auto process = model_process(model, system);
    const LoopOptions options = loop_options(model, *system);
    Gauge gauge(system, conservative, time_limit);
    row.outcome = run_counted(*process, y, options, &gauge, row.counters);
    row.seconds = gauge.seconds();
    row.position_error = gauge.position;
    row.velocity_error = gauge.velocity;
    if (conservative) row.energy_drift = gauge.drift / std::max(gauge.kinetic, 1e-300);
    if (gauge.timed_out) {
      row.failure = fmt::format("ended after {:g} s at t = {:.6g}", time_limit, row.outcome.t);
      return row;
    }
    if (!row.outcome.success()) {
      row.failure = fmt::format("{} at t = {:.9g}: {}", name(row.outcome.status), row.outcome.t, row.outcome.message);
      return row;
    }
    const double times = gauge.sizes.times(truth.sizes, duration);
    if (truth.has_path && !(times <= blown_up)) {
      row.failure = fmt::format("has blown up on the way, to {:.1e} times the size of the reference", times);
    } else if (truth.has_events) {
      const EventComparison events = compare_events(gauge.events, truth.events);
      row.event_error = events.worst;
      row.failure = events.difference;
    }
  } catch (const InputError& error) {
    row.outcome.status = RunStatus::inconsistent_restart;
    row.failure = error.what();
    return row;
  }
  if (truth.y.size() != y.size()) return row;
  const double error = end_error(y, truth.y, truth.sizes, duration);
  if (!(error <= blown_up)) row.failure = fmt::format("the end state is wrong by {:.1e} of its size", error);
  row.end_error = error;
  return row;
}

}  // namespace hstar::analysis

// src/simulate/run.cpp: a model file's run: build, simulate, keep what is asked for.
#include "hstar/run.hpp"

#include <fmt/format.h>

#include <utility>

#include "hstar/step_history.hpp"
#include "simulate/crowd/run_crowd.hpp"
#include "simulate/measurement.hpp"
#include "simulate/model_process.hpp"
#include "simulate/options.hpp"
#include "simulate/recorder.hpp"
#include "simulate/stability_watch.hpp"

namespace hstar {
namespace {

/// The recorder, the watch over fixed steps, and a listener, which may be nobody.
class Listeners final : public LoopObserver {
 public:
  Listeners(Recorder& recorder, StabilityWatch& stability, LoopObserver* also, bool words)
      : recorder_(recorder), stability_(stability), also_(also), words_(words) {}
  void segment_begin(double t, std::span<const double> y) override {
    stability_.segment_begin(t, y);
    if (also_) also_->segment_begin(t, y);
    recorder_.segment_begin(t, y);
  }
  void step(Flow& accepted, double t_until) override {
    if (also_) also_->step(accepted, t_until);
    recorder_.step(accepted, t_until);
  }
  void segment_end(double t, std::span<const double> y) override {
    if (also_) also_->segment_end(t, y);
    recorder_.segment_end(t, y);
  }
  void event(const EventRecord& record) override {
    if (also_) also_->event(record);
    recorder_.event(record);
  }
  [[nodiscard]] bool wants_words() const override { return words_; }
  [[nodiscard]] bool wants_segments() const override { return words_ || recorder_.wants_segments(); }
  [[nodiscard]] bool wants_switches() const override { return also_ && also_->wants_switches(); }
  bool stop_requested() override { return recorder_.stop_requested() || (also_ && also_->stop_requested()); }

 private:
  Recorder& recorder_;
  StabilityWatch& stability_;
  LoopObserver* also_;
  bool words_;
};

class MechanismReader final : public StepReader {
 public:
  explicit MechanismReader(MechanismProcess& process) : process_(process), measurement_(process) {}
  [[nodiscard]] std::string mode() const override { return process_.mode_text(); }
  [[nodiscard]] Residuals residuals(double t, std::span<const double> y) override {
    process_.kinematics_at(t, y.data());
    return {measurement_.drift(false), measurement_.drift(true)};
  }

 private:
  MechanismProcess& process_;
  Measurement measurement_;
};

/// What shorter steps do not make smaller is round-off of the rates.
void note_round_off(const FlowCounters& counters, const FlowOptions& options, std::vector<std::string>& notices) {
  // Where motion is smooth none is in vain (measured: at most 2 of 289), where round-off rules every fourth to second.
  constexpr std::size_t worth_a_word = 100, part = 10;
  if (counters.in_vain < worth_a_word || part * counters.in_vain < counters.rejected) return;
  notices.push_back(fmt::format(
      "of {} rejected steps {} had no smaller error when they were tried again shorter: it is round-off of the rates; "
      "rtol = {:g} with atol = {:g} asks for more digits than the equations carry, often of what is nearly zero, where "
      "a larger atol is enough",
      counters.rejected, counters.in_vain, options.rtol, options.atol));
}

/// `crowd`: null, or the crowd whose bodies alone are the model.
void run_into(ThinnedRun& out, const KeepLimits& limits, const ModelSpec& model, const crowd::ModelCrowd* crowd,
              RunSink* sink, LoopObserver* also) {
  const auto system = build_system(model);
  const LoopOptions options = loop_options(model, *system);
  const auto process = model_process(model, system);
  RunResult& result = out.result;
  result.state_names = system->state_names();
  result.y_end = system->initial_state();
  Kept kept(out, limits);
  Recorder recorder(model, *process, result, kept, sink);
  StabilityWatch stability(*process, options);
  Listeners listeners(recorder, stability, also, model.simulation.event_words || sink || also);
  MechanismReader reader(*process);
  if (auto* reads = dynamic_cast<ReadingObserver*>(also)) reads->read_from(reader);
  std::vector<std::string> told;
  result.outcome = crowd ? run_crowd(*crowd, *process, result.y_end, options, model.simulation.impact_energy == "error",
                                     &listeners, result.counters, told)
                         : run_counted(*process, result.y_end, options, &listeners, result.counters);
  if (system->has_own_axes()) system->as_written(result.y_end.data());
  result.chosen = process->formulation().chosen_options();
  result.notices = model.notices;
  for (const auto& notice : told) result.notices.push_back(notice);
  for (const auto& notice : process->notices()) result.notices.push_back(notice);
  for (const auto& notice : stability.notices()) result.notices.push_back(notice);
  note_round_off(result.counters.flow, options.flow, result.notices);
  for (const auto& notice : recorder.notices()) result.notices.push_back(notice);
  kept.finish();
  if (sink) sink->end(result.outcome, result.counters);
}

/// By the road that the model takes.
void run_into(ThinnedRun& out, const KeepLimits& limits, const ModelSpec& model, RunSink* sink, LoopObserver* also) {
  if (model.pairs.empty()) return run_into(out, limits, model, nullptr, sink, also);
  std::string why;
  if (const auto crowd = crowd_to_run(model, why))
    return run_into(out, limits, crowd->bodies(), crowd.get(), sink, also);
  run_into(out, limits, with_pairs_written_out(model, why), nullptr, sink, also);
}

}  // namespace

RunResult run_as_crowd(const ModelSpec& model, RunSink* sink) {
  std::string why;
  const auto crowd = crowd::ModelCrowd::read(model, why);
  if (!crowd) throw InputError("the model is no crowd: " + why);
  ThinnedRun out;
  run_into(out, keep_all, crowd->bodies(), crowd.get(), sink, nullptr);
  return std::move(out.result);
}

RunResult run(const ModelSpec& model, RunSink* sink, LoopObserver* also) {
  ThinnedRun out;
  run_into(out, keep_all, model, sink, also);
  return std::move(out.result);
}

ThinnedRun run_thinned(const ModelSpec& model, RunSink& sink, const KeepLimits& limits, LoopObserver* also) {
  ThinnedRun out;
  run_into(out, limits, model, &sink, also);
  return out;
}

}  // namespace hstar

// src/simulate/recorder.hpp
//
// Turns the segments of a run into rows (dense or at a report interval, sample times, both limits at jumps) and
// keeps the extremes of the model's measures, refined inside steps on the dense output.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hstar/hybrid.hpp"
#include "simulate/dense_fill.hpp"
#include "simulate/friction_watch.hpp"
#include "simulate/kept.hpp"
#include "simulate/measurement.hpp"

namespace hstar {

class Recorder final : public LoopObserver {
 public:
  Recorder(const ModelSpec& model, MechanismProcess& process, RunResult& result, Kept& kept, RunSink* sink);

  void segment_begin(double t, std::span<const double> y) override;
  void step(Flow& accepted, double t_until) override;
  void segment_end(double t, std::span<const double> y) override;
  void event(const EventRecord& record) override;
  /// Measures have their extremes at events, too.
  [[nodiscard]] bool wants_segments() const override {
    return model_.simulation.event_words || !process_.system().measures.empty();
  }
  [[nodiscard]] std::vector<std::string> notices() const;
  bool stop_requested() override { return sink_ != nullptr && sink_->stop_requested(); }

 private:
  void row(double t, std::span<const double> y);
  /// Writes a row that is already measured.
  void write(double t, std::span<const double> values);
  /// The rows that straight lines from the last row to t need in between.
  void fill_up_to(double t, Flow& flow);
  void state_at(double t, Flow& flow);  ///< into y_
  void watch_extremes(Flow& flow, double t_until);
  void note_extreme(std::size_t measure, double t, double value);
  void note_extreme(std::size_t& place, std::size_t measure, std::string_view mode, double t, double value);

  const ModelSpec& model_;
  MechanismProcess& process_;
  RunResult& result_;
  Kept& kept_;
  RunSink* sink_;
  Measurement measurement_;
  FrictionWatch friction_;
  std::optional<DenseFill> dense_;
  std::vector<double> values_, y_, samples_;
  std::vector<double> looks_;  ///< of all measures at the places of a step where their slopes are asked
  double t_start_, interval_, next_output_;
  long output_index_ = 0;
  std::size_t sample_index_ = 0;
  double last_row_ = 0;
  std::string mode_;
  /// Where result_.extremes has a measure, over the run and in the present mode; none: not yet.
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> in_run_, *in_mode_ = nullptr;
  std::map<std::string, std::vector<std::size_t>> in_modes_;
};

}  // namespace hstar

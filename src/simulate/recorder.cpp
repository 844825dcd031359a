// src/simulate/recorder.cpp
#include "simulate/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hstar/output_rows.hpp"
#include "hstar/record.hpp"
#include "hstar/stop.hpp"

namespace hstar {

Recorder::Recorder(const ModelSpec& model, MechanismProcess& process, RunResult& result, Kept& kept, RunSink* sink)
    : model_(model),
      process_(process),
      result_(result),
      kept_(kept),
      sink_(sink),
      measurement_(process, model.simulation.multipliers),
      friction_(process.system()),
      values_(measurement_.columns().size()),
      y_(process.size()),
      samples_(model.simulation.sample_times),
      t_start_(model.simulation.start),
      interval_(model.simulation.output),
      next_output_(model.simulation.start),
      last_row_(-std::numeric_limits<double>::infinity()) {
  std::sort(samples_.begin(), samples_.end());
  if (model.simulation.columns) measurement_.compute_only(*model.simulation.columns);
  if (interval_ == dense_rows) {
    const System& s = process.system();
    const double gravity =
        std::hypot(std::hypot(s.gravity[0], s.gravity[1]), std::hypot(s.gravity3[0], s.gravity3[1], s.gravity3[2]));
    dense_.emplace(DenseFill::Kinds{measurement_.units(), static_cast<std::size_t>(s.nq), s.state_names().size(),
                                    model.simulation.rtol, gravity});
  }
  in_run_.assign(process.system().measures.size(), none);
  result_.columns = measurement_.columns();
  result_.columns.insert(result_.columns.begin(), "t");
  result_.units = measurement_.units();
  result_.units.insert(result_.units.begin(), "s");
  if (sink_) sink_->begin(measurement_.columns(), measurement_.units());
}

void Recorder::row(double t, std::span<const double> y) {
  measurement_.row(t, y, values_);
  write(t, values_);
  if (dense_) dense_->see(t, values_);
}

void Recorder::write(double t, std::span<const double> values) {
  kept_.row(t, values);
  last_row_ = t;
  if (sink_) sink_->row(t, values);
}

void Recorder::state_at(double t, Flow& flow) {
  if (!(t < flow.t1())) {
    std::copy(flow.y1().begin(), flow.y1().end(), y_.begin());
    return;
  }
  flow.at(t, y_);
  // (What an interpolation of high order leaves of the constraints is larger than the error of the step.)
  process_.project(t, y_.data());
}

void Recorder::fill_up_to(double t, Flow& flow) {
  if (!dense_ || !(t > last_row_)) return;
  const auto measure = [&](double at, std::span<double> values) {
    state_at(at, flow);
    measurement_.row(at, y_, values);
  };
  measure(t, values_);
  dense_->between(t, values_, process_.equations().force_scale(), measure,
                  [&](double at, std::span<const double> values) { write(at, values); });
}

std::vector<std::string> Recorder::notices() const {
  std::vector<std::string> all = friction_.notices();
  if (dense_ && dense_->gave_up_at() < model_.simulation.end)
    all.push_back("from t = " + number_text(dense_->gave_up_at()) +
                  " s on there is one row a step, however long: the run has too many rows for output without interval; "
                  "give output = an interval in s");
  return all;
}

void Recorder::segment_begin(double t, std::span<const double> y) {
  mode_ = process_.mode_text();
  row(t, y);
  const auto& measures = process_.system().measures;
  in_mode_ = &in_modes_.try_emplace(measures.empty() ? "" : mode_, measures.size(), none).first->second;
  for (std::size_t i = 0; i < measures.size(); ++i) note_extreme(i, t, values_[values_.size() - measures.size() + i]);
  while (interval_ > 0 && next_output_ <= t) next_output_ = t_start_ + static_cast<double>(++output_index_) * interval_;
}

void Recorder::step(Flow& flow, double t_until) {
  // Report times and sample times inside the step, in order. A long step may have millions.
  while (!stop_requested()) {
    const double sample =
        sample_index_ < samples_.size() ? samples_[sample_index_] : std::numeric_limits<double>::infinity();
    const double report = interval_ > 0 ? next_output_ : std::numeric_limits<double>::infinity();
    const double next = std::min(sample, report);
    if (!(next <= t_until)) break;
    if (next >= flow.t0()) {
      fill_up_to(next, flow);
      state_at(next, flow);
      row(next, y_);
    }
    if (next == report) next_output_ = t_start_ + static_cast<double>(++output_index_) * interval_;
    if (next == sample) ++sample_index_;
  }
  fill_up_to(t_until, flow);
  if (interval_ <= 0 && t_until == flow.t1() && last_row_ != t_until) row(t_until, flow.y1());
  if (stop_requested() && last_row_ != t_until) {  // rows between are left out, the state reached is not
    flow.at(std::min(t_until, flow.t1()), y_);
    row(t_until, y_);
  }
  watch_extremes(flow, t_until);
  if (friction_.watches()) {
    state_at(t_until, flow);
    friction_.look(t_until, y_);
  }
  if (sink_) sink_->progress(t_until, model_.simulation.end);
}

void Recorder::segment_end(double t, std::span<const double> y) {
  if (last_row_ != t) row(t, y);
  const auto& measures = process_.system().measures;
  for (std::size_t i = 0; i < measures.size(); ++i) note_extreme(i, t, measurement_.measure(i, t, y));
}

void Recorder::event(const EventRecord& record) {
  kept_.event(record);
  if (sink_) sink_->event(record);
}

void Recorder::note_extreme(std::size_t measure, double t, double value) {
  if (!std::isfinite(value)) return;
  note_extreme(in_run_[measure], measure, "", t, value);
  note_extreme((*in_mode_)[measure], measure, mode_, t, value);
}

void Recorder::note_extreme(std::size_t& place, std::size_t measure, std::string_view mode, double t, double value) {
  if (place == none) {
    place = result_.extremes.size();
    result_.extremes.push_back({process_.system().measures[measure].name, std::string(mode), value, t, value, t});
    return;
  }
  RunResult::Extreme& e = result_.extremes[place];
  if (value < e.min) e.min = value, e.t_min = t;
  if (value > e.max) e.max = value, e.t_max = t;
}

void Recorder::watch_extremes(Flow& flow, double t_until) {
  const auto& measures = process_.system().measures;
  if (measures.empty()) return;
  constexpr int cells = 8;
  const double t0 = flow.t0(), h = (t_until - t0) / cells;
  if (!(h > 0)) return;
  // All measures at the ends of the cells and just inside them: each state is solved once.
  const std::size_t count = measures.size();
  const auto look = [&](double t, std::size_t place) {
    flow.at(std::clamp(t, t0, flow.t1()), y_);
    measurement_.measures(t, y_, std::span(looks_).subspan(place * count, count));
  };
  constexpr double inside = 1e-5;
  looks_.resize((3 * cells + 1) * count);
  look(t0, 0);
  for (std::size_t c = 0; c < cells; ++c) {
    look(t0 + (static_cast<double>(c) + inside) * h, 3 * c + 1);
    look(t0 + (static_cast<double>(c + 1) - inside) * h, 3 * c + 2);
    look(t0 + static_cast<double>(c + 1) * h, 3 * c + 3);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = [&](double t) {
      flow.at(std::clamp(t, t0, flow.t1()), y_);
      return measurement_.measure(i, t, y_);
    };
    // An extremum lies in a cell at whose ends the slopes differ in sign, however close to an end.
    double v[cells + 1], rising[cells], falling[cells];
    for (std::size_t c = 0; c <= cells; ++c) v[c] = looks_[3 * c * count + i];
    for (std::size_t c = 0; c < cells; ++c) {
      rising[c] = looks_[(3 * c + 1) * count + i] - v[c];
      falling[c] = v[c + 1] - looks_[(3 * c + 2) * count + i];
    }
    for (int c = 0; c < cells; ++c) {
      if (!(rising[c] * falling[c] < 0)) continue;
      // Golden section: the value is flat there, so half the digits of t give all of it.
      const double sign = rising[c] > 0 ? -1.0 : 1.0;
      constexpr double golden = 0.3819660112501051;
      double a = t0 + c * h, b = a + h, x1 = a + golden * h, x2 = b - golden * h;
      double f1 = sign * value(x1), f2 = sign * value(x2);
      for (int k = 0; k < 40; ++k) {
        if (f1 < f2) {
          b = x2, x2 = x1, f2 = f1;
          x1 = a + golden * (b - a);
          f1 = sign * value(x1);
        } else {
          a = x1, x1 = x2, f1 = f2;
          x2 = b - golden * (b - a);
          f2 = sign * value(x2);
        }
      }
      note_extreme(i, 0.5 * (a + b), sign * std::min(f1, f2));
    }
    for (int c = 0; c <= cells; ++c) note_extreme(i, t0 + c * h, v[c]);
  }
}

}  // namespace hstar

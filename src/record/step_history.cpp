// src/record/step_history.cpp
#include "hstar/step_history.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "hstar/file_error.hpp"
#include "record/text.hpp"

namespace hstar {

struct StepHistory::File {
  std::string path, line;
  std::ofstream out;
};

StepHistory::StepHistory(const std::string& path, const SimulationSpec& options)
    : file_(std::make_unique<File>()),
      rtol_(options.rtol),
      atol_(options.atol > 0 ? options.atol : 1e-3 * options.rtol) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  const std::string& name = entry != nullptr ? entry->name : options.integrator;
  varies_ = name == "bdf" || name == "ode113";
  file_->path = path;
}

StepHistory::~StepHistory() = default;

// What an earlier run has left in the folder is removed when this one begins, so the file is opened by its first step.
void StepHistory::open() {
  file_->out.open(file_->path, std::ios::binary);
  file_->out
      << "t,h,order,error,iterations,rejected,evaluations,jacobians,position_residual,velocity_residual,mode,after\n";
  if (!file_->out) throw FileError("cannot write \"" + file_->path + "\"; give a folder that can be written to");
}

void StepHistory::step(Flow& accepted, double t_until) {
  if (!file_->out.is_open()) open();
  const FlowCounters now = accepted.counters();
  double error = 0;
  const std::span<const double> errors = accepted.error(), y0 = accepted.y0(), y1 = accepted.y1();
  for (std::size_t i = 0; i < errors.size(); ++i)
    error = std::max(error, std::abs(errors[i]) / (atol_ + rtol_ * std::max(std::abs(y0[i]), std::abs(y1[i]))));
  std::string& line = file_->line;
  line.clear();
  const int order = varies_ ? accepted.degree() : accepted.order();
  for (const double value : {t_until, t_until - accepted.t0(), static_cast<double>(order), error}) {
    record::append_number(line, value);
    line += ',';
  }
  for (const std::size_t count : {now.iterations - before_.iterations, now.rejected - before_.rejected,
                                  now.evaluations - before_.evaluations, now.jacobians - before_.jacobians})
    line += std::to_string(count) + ',';
  // A step that an event cuts ends where the segment does, at a state that is no point of its interpolant.
  if (t_until == accepted.t1()) complete(t_until, y1);
  // (The estimate may have evaluated, too: that belongs to no step.)
  before_ = accepted.counters();
}

void StepHistory::segment_end(double t, std::span<const double> y) {
  if (!file_->line.empty()) complete(t, y);
}

void StepHistory::complete(double t, std::span<const double> y) {
  std::string& line = file_->line;
  if (reader_ != nullptr) {
    const StepReader::Residuals left = reader_->residuals(t, y);
    record::append_number(line, left.position);
    line += ',';
    record::append_number(line, left.velocity);
    line += ',';
    record::append_csv(line, reader_->mode());
  } else {
    line += ",,";
  }
  line += ',';
  record::append_csv(line, after_);
  file_->out << line << '\n';
  line.clear();
}

void StepHistory::event(const EventRecord& record) { after_ = record.kind + " of " + record.element; }

void StepHistory::finish() {
  if (!file_->out.is_open()) return;
  file_->out.flush();
  if (!file_->out) throw FileError("cannot write \"" + file_->path + "\": the disk is full or was removed");
}

}  // namespace hstar

// src/analysis/compare_truth.cpp
//
// What the errors of a comparison are measured against: the model's own tightest run, a file, or a closed form.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "analysis/compare_run.hpp"
#include "simulate/model_process.hpp"
#include "simulate/options.hpp"

namespace hstar::analysis {
namespace {

/// Keeps the events and the size of a run, which may take a minute.
class Listener final : public LoopObserver {
 public:
  explicit Listener(const StateSizes& none) : sizes(none) {}
  void segment_begin(double /*t*/, std::span<const double> y) override { sizes.include(y); }
  void step(Flow& flow, double t_until) override {
    if (t_until == flow.t1()) sizes.include(flow.y1());
  }
  void segment_end(double /*t*/, std::span<const double> y) override { sizes.include(y); }
  void event(const EventRecord& record) override { events.push_back(record); }
  bool stop_requested() override { return Clock::now() - begun_ > std::chrono::minutes(1); }
  std::vector<EventRecord> events;
  StateSizes sizes;

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begun_ = Clock::now();
};

/// Cells of a CSV line.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) out.push_back(cell);
  if (!out.empty() && !out.back().empty() && out.back().back() == '\r') out.back().pop_back();
  return out;
}

struct Csv {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
  [[nodiscard]] std::size_t column(const std::string& name) const {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }
};

Csv read_csv(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw InputError(fmt::format("compare: reference \"{}\" cannot be read; give a trajectory.csv", path));
  Csv out;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (out.names.empty()) {
      out.names = cells(line);
      continue;
    }
    out.rows.push_back(cells(line));
  }
  return out;
}

/// Instants at which a closed form is asked for its size: enough for ten periods of an oscillation.
constexpr int path_samples = 200;

StateSizes sizes_at_start(const System& system) {
  StateSizes out(static_cast<std::size_t>(system.nq), static_cast<std::size_t>(system.nv));
  out.include(system.initial_state());
  return out;
}

}  // namespace

Truth own_truth(const ModelSpec& model, const std::shared_ptr<const System>& system) {
  Truth truth;
  const StateSizes start = sizes_at_start(*system);
  truth.sizes = start;
  ModelSpec tight = model;
  tight.simulation.integrator = "dop853";
  tight.simulation.formulation.clear();
  tight.simulation.fixed_step = 0.0;
  std::string why;
  for (const double rtol : {1e-13, 1e-12, 1e-11}) {
    tight.simulation.rtol = rtol;
    tight.simulation.atol = model.simulation.atol > 0 ? model.simulation.atol / model.simulation.rtol * rtol : 0.0;
    const std::string formulation(formulation_in_use(tight, *system).name);
    const auto process = model_process(tight, system);
    Listener listener(start);
    RunCounters counters;
    truth.y = system->initial_state();
    const RunOutcome outcome = run_process(*process, truth.y, loop_options(tight, *system), &listener, counters);
    if (!outcome.success()) {
      why = fmt::format("; its own tightest run ({}, dop853, rtol {:g}) ended with {} at t = {:.9g}", formulation, rtol,
                        hstar::name(outcome.status), outcome.t);
      continue;
    }
    truth.events = std::move(listener.events);
    truth.has_events = true;
    truth.sizes = listener.sizes;
    truth.has_path = true;
    truth.source = fmt::format("its own tightest run ({}, dop853, rtol {:g})", formulation, rtol);
    return truth;
  }
  truth.y.clear();
  truth.source = "none" + why;
  return truth;
}

Truth read_truth(const std::string& path, const System& system, const ModelSpec& model) {
  const Csv table = read_csv(path);
  Truth truth;
  truth.sizes = sizes_at_start(system);
  truth.source = "file " + path;
  const std::size_t t = table.column("t");
  if (table.rows.empty() || t == table.names.size())
    throw InputError(fmt::format("compare: reference \"{}\" has no column t or no row", path));
  const std::vector<std::string>& last = table.rows.back();
  const double t_last = std::strtod(last[t].c_str(), nullptr);
  if (std::abs(t_last - model.simulation.end) > 1e-12 * std::max(1.0, std::abs(t_last)))
    throw InputError(
        fmt::format("compare: reference \"{}\" ends at t = {:.12g} s, the model at {:.12g} s; give the same "
                    "end",
                    path, t_last, model.simulation.end));
  std::size_t known = 0;
  for (const std::string& name : system.state_names()) {
    const std::size_t column = table.column(name);
    const bool there = column < last.size();
    known += there;
    for (const auto& row : table.rows)
      if (column < row.size()) truth.sizes.include(truth.y.size(), std::strtod(row[column].c_str(), nullptr));
    truth.y.push_back(there ? std::strtod(last[column].c_str(), nullptr) : std::numeric_limits<double>::quiet_NaN());
  }
  if (known == 0)
    throw InputError(fmt::format("compare: reference \"{}\" has no column of a state of the model", path));
  const auto events = std::filesystem::path(path).replace_filename("events.csv");
  if (std::filesystem::is_regular_file(events)) {
    const Csv list = read_csv(events.string());
    const std::size_t at = list.column("t"), kind = list.column("kind"), element = list.column("element");
    for (const auto& row : list.rows) {
      if (std::max({at, kind, element}) >= row.size()) continue;
      EventRecord e;
      e.t = std::strtod(row[at].c_str(), nullptr);
      e.kind = row[kind];
      e.element = row[element];
      truth.events.push_back(e);
    }
    truth.has_events = true;
    truth.source += " and events.csv beside it";
  }
  return truth;
}

void apply_closed_form(const std::vector<std::pair<std::string, std::string>>& formulas, const System& system,
                       const ModelSpec& model, Truth& truth) {
  const std::vector<std::string> names = system.state_names();
  std::vector<double> y(names.size(), std::numeric_limits<double>::quiet_NaN());
  const auto parameter = [&](std::string_view name) -> std::optional<double> {
    for (const auto& [known, value] : model.parameters)
      if (known == name) return value;
    return std::nullopt;
  };
  for (const auto& [name, text] : formulas) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) {
      std::string known;
      for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
      throw InputError(fmt::format("compare: exact {}: the model has no such state; it has: {}", name, known));
    }
    const Expression formula =
        Expression::compile(text, Location{"--exact", 0, 0}, parameter, "compare: exact " + name);
    for (const std::string& variable : formula.variables())
      if (variable != "t")
        throw InputError(
            fmt::format("compare: exact {}: '{}' is neither t nor a parameter of the model", name, variable));
    const double t = model.simulation.end, value = formula.value(&t);
    if (!std::isfinite(value))
      throw InputError(
          fmt::format("compare: exact {} = {} at t = {:g} s; give a formula with a finite value", name, value, t));
    const auto place = static_cast<std::size_t>(at - names.begin());
    y[place] = value;
    for (int k = 0; k <= path_samples; ++k) {
      const double when = model.simulation.start + (t - model.simulation.start) * k / path_samples;
      const double on_the_way = formula.value(&when);
      if (std::isfinite(on_the_way)) truth.sizes.include(place, on_the_way);
    }
  }
  truth.source = fmt::format("the closed form of {} state{} (events: {})", formulas.size(),
                             formulas.size() == 1 ? "" : "s", truth.source);
  truth.y = y;
}

}  // namespace hstar::analysis

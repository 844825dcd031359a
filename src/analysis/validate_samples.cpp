// src/analysis/validate_samples.cpp
//
// One problem whose reference is samples of the motion: numbers at given times, numbers at one instant, times of
// events. The model is run with each formulation and tolerance of accept.toml, a step ending at every sample
// time, and the worst error is scored in digits. A method that cannot reach them by nature (its order, its
// drift) is run with several fixed steps instead and must show its order of convergence.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "analysis/validation.hpp"

namespace hstar::validation {
namespace {

struct Compared {
  double error = 0.0;  ///< worst, relative to the column's (or the value's) size; absolute for decimals
  std::string place;
  std::vector<std::string> lines, wrong;
};

std::size_t time_column(const SampleTable& samples) {
  return static_cast<std::size_t>(std::find(samples.columns.begin(), samples.columns.end(), "t") -
                                  samples.columns.begin());
}

class SampleRun {
 public:
  SampleRun(const Problem& problem, const SampleTable& samples, const AcceptRun& run, double step)
      : samples_(samples), path_(problem.folder + "/accept.toml") {
    std::vector<Override> overrides;
    for (const auto& [key, value] : samples.set) overrides.push_back({key, value});
    overrides.push_back({"simulation.integrator", run.integrator});
    if (!run.formulation.empty()) overrides.push_back({"simulation.formulation", run.formulation});
    overrides.push_back({"simulation.rtol", fmt::format("{:.17g}", run.rtol)});
    if (run.atol > 0) overrides.push_back({"simulation.atol", fmt::format("{:.17g}", run.atol)});
    if (step > 0) overrides.push_back({"simulation.fixed_step", fmt::format("{:.17g}", step)});
    for (const auto& [key, value] : run.set) overrides.push_back({key, value});
    model_ = read_model(problem.folder + "/model.toml", overrides);
    times_ = sample_times();
    if (!times_.empty()) stop_at_samples();
  }

  Compared take() {
    result_ = hstar::run(model_);
    if (!result_.outcome.success()) {
      compared_.wrong.push_back(fmt::format("the run ended at t = {:.10g} with {}: {}", result_.outcome.t,
                                            name(result_.outcome.status), result_.outcome.message));
      compared_.error = HUGE_VAL;
      return compared_;
    }
    samples_.event.empty() ? compare_rows() : compare_events();
    return compared_;
  }

 private:
  /// Times of the rows that count, in the table's order.
  [[nodiscard]] std::vector<double> sample_times() const {
    if (!samples_.event.empty()) return {};
    if (samples_.at) return {*samples_.at};
    const std::size_t t = time_column(samples_);
    if (t == samples_.columns.size())
      throw InputError(Location{path_, 0, 0}, fmt::format("samples {}: no column is called t; name it, or give the "
                                                          "time as at = ...",
                                                          samples_.table));
    std::vector<double> times;
    for (const std::vector<double>& row : samples_.rows)
      if (samples_.until == 0.0 || row[t] <= samples_.until) times.push_back(row[t]);
    return times;
  }

  /// A passive time event at each sample: a step ends there, so that no interpolant comes in between.
  void stop_at_samples() {
    GuardSpec clock;
    clock.name = "validation_samples";
    const double last = *std::max_element(times_.begin(), times_.end());
    for (const double t : times_)
      if (t > model_.simulation.start && t < last) clock.times.push_back(t);
    std::sort(clock.times.begin(), clock.times.end());
    clock.times.erase(std::unique(clock.times.begin(), clock.times.end()), clock.times.end());
    if (!clock.times.empty()) model_.guards.push_back(clock);
    if (last > model_.simulation.start) model_.simulation.end = last;
    model_.simulation.output = 10.0 * (model_.simulation.end - model_.simulation.start);
  }

  [[nodiscard]] const std::vector<double>* row_at(double t) const {
    for (auto row = result_.rows.rbegin(); row != result_.rows.rend(); ++row)
      if (std::abs((*row)[0] - t) <= 1e-14 * std::max(1.0, std::abs(t))) return &*row;
    return nullptr;
  }

  void note(const std::string& what, double t, double ours, double wanted, double size) {
    const double difference = std::abs(ours - wanted);
    const double error = difference == 0.0 ? 0.0 : samples_.decimals > 0 ? difference : difference / size;
    if (!(error <= compared_.error)) {
      compared_.error = std::isnan(error) ? HUGE_VAL : error;
      compared_.place = fmt::format("{} at t = {:.6g}", what, t);
    }
    compared_.lines.push_back(
        fmt::format("{:8} t = {:<10.6g} {:<24.16g} reference {:<24.16g} {:.1e}", what, t, ours, wanted, error));
  }

  void compare_rows() {
    const FormulaSet set(samples_.quantities, model_.parameters, result_.columns, path_);
    for (std::size_t i = 0; i < set.size(); ++i) {
      const auto c = static_cast<std::size_t>(std::find(samples_.columns.begin(), samples_.columns.end(), set.name(i)) -
                                              samples_.columns.begin());
      if (c == samples_.columns.size())
        throw InputError(Location{path_, 0, 0},
                         fmt::format("samples {}: there is no column '{}'", samples_.table, set.name(i)));
      double largest = 0.0;
      for (std::size_t r = 0; r < times_.size(); ++r) largest = std::max(largest, std::abs(samples_.rows[r][c]));
      for (std::size_t r = 0; r < times_.size(); ++r) {
        const std::vector<double>* row = row_at(times_[r]);
        if (row == nullptr) {
          compared_.wrong.push_back(fmt::format("no row was recorded at t = {:.10g}", times_[r]));
          continue;
        }
        const double wanted = samples_.rows[r][c], ours = set.values(times_[r], *row)[i];
        note(set.name(i), times_[r], ours, wanted, samples_.by_value ? std::abs(wanted) : largest);
      }
    }
  }

  void compare_events() {
    std::vector<double> seen;
    for (const EventRecord& e : result_.events)
      if (e.kind == samples_.event) seen.push_back(e.t);
    if (seen.size() < samples_.rows.size())
      compared_.wrong.push_back(
          fmt::format("{} events of kind {}, the reference has {}", seen.size(), samples_.event, samples_.rows.size()));
    for (std::size_t r = 0; r < std::min(seen.size(), samples_.rows.size()); ++r)
      note(samples_.event, seen[r], seen[r], samples_.rows[r][0], samples_.rows.back()[0]);
  }

  const SampleTable& samples_;
  std::string path_;
  ModelSpec model_;
  RunResult result_;
  std::vector<double> times_;
  Compared compared_;
};

std::string method(const AcceptRun& run) {
  std::string text = run.integrator + (run.formulation.empty() ? "" : " " + run.formulation);
  return text;
}

void print(const Problem& problem, const SampleTable& samples, const AcceptRun& run, const std::string& how,
           const Compared& compared, const std::string& wanted, bool pass, bool details, std::ostream& out) {
  // Where something is missing that should be compared, no error is no sign of digits.
  const bool judged = compared.wrong.empty() || compared.error > 0;
  out << fmt::format("{:26} {:28} {:34} {:16} worst {:>8}, digits {:>4}, wanted {:10}  {}\n", problem.name, method(run),
                     samples.table, how, judged ? fmt::format("{:.1e}", compared.error) : "-",
                     judged ? fmt::format("{:.1f}", digits(compared.error)) : "-", wanted, pass ? "PASS" : "FAIL");
  if (!pass && !compared.place.empty()) out << "    worst: " << compared.place << '\n';
  for (const std::string& line : compared.wrong) out << "    " << line << '\n';
  if (details)
    for (const std::string& line : compared.lines) out << "    " << line << '\n';
  out.flush();
}

/// Error against step: the slope between the first and the last of the steps.
void judge_order(const Problem& problem, const SampleTable& samples, const AcceptRun& run, bool details,
                 std::ostream& out, Verdict& verdict) {
  constexpr double allowance = 0.3;
  std::vector<Compared> all;
  for (const double h : run.steps) all.push_back(SampleRun(problem, samples, run, h).take());
  const double slope = std::log(all.front().error / all.back().error) / std::log(run.steps.front() / run.steps.back());
  const bool finished = std::all_of(all.begin(), all.end(), [](const Compared& c) { return c.wrong.empty(); });
  const bool pass = finished && std::abs(slope - run.order) <= allowance;
  print(problem, samples, run, fmt::format("h {:g}..{:g}", run.steps.front(), run.steps.back()), all.back(),
        fmt::format("order {:g}", run.order), pass, details, out);
  out << fmt::format("    order seen {:.2f}\n", slope);
  verdict.add(pass);
}

}  // namespace

void validate_samples(const Problem& problem, const AcceptFile& accept, bool details, std::ostream& out,
                      Verdict& verdict) {
  for (const AcceptRun& run : accept.runs)
    for (const SampleTable& samples : accept.samples) {
      if (!run.only.empty() && std::find(run.only.begin(), run.only.end(), samples.table) == run.only.end()) continue;
      try {
        if (run.order > 0) {
          judge_order(problem, samples, run, details, out, verdict);
          continue;
        }
        const double step = run.steps.empty() ? 0.0 : run.steps.front();
        const Compared compared = SampleRun(problem, samples, run, step).take();
        const bool decimals = samples.decimals > 0;
        double wanted = decimals ? samples.decimals : samples.digits;
        if (run.digits > 0) wanted = decimals ? std::min(run.digits, wanted) : run.digits;
        // Half a unit of the last printed decimal is what the reference was rounded by.
        const double room = decimals && wanted == samples.decimals ? 0.51 : 1.0;
        const bool pass = compared.wrong.empty() && compared.error <= room * std::pow(10.0, -wanted);
        print(problem, samples, run, step > 0 ? fmt::format("h {:g}", step) : fmt::format("rtol {:g}", run.rtol),
              compared, fmt::format("{:g}{}", wanted, decimals ? " decimals" : ""), pass, details, out);
        verdict.add(pass);
      } catch (const InputError& error) {
        out << fmt::format("{:26} {:28} {:34} FAIL\n    {}\n", problem.name, method(run), samples.table, error.what());
        verdict.add(false);
      }
    }
}

}  // namespace hstar::validation

// src/cli/run_verb.cpp
//
// `hstar run`: one model, simulated; tables to the terminal, files to a folder.
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <limits>
#include <optional>

#include "cli/event_table.hpp"
#include "cli/event_trace.hpp"
#include "cli/model_argument.hpp"
#include "cli/open_page.hpp"
#include "cli/run_verb.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "hstar/hybrid.hpp"
#include "hstar/profile.hpp"
#include "hstar/record.hpp"
#include "hstar/report.hpp"
#include "hstar/run.hpp"
#include "hstar/step_history.hpp"
#include "hstar/sweep.hpp"
#include "hstar/thinned_run.hpp"
#include "record/round_off.hpp"
#include "record/text.hpp"

namespace hstar::cli {
namespace {

constexpr std::size_t longest_event_list = 40;

/// Result files, and a progress bar beside them.
class RunSinkOfTool final : public RunSink {
 public:
  RunSinkOfTool(FileSink& files, Hdf5Sink& hdf5, ProgressBar& bar, double t_start,
                std::vector<std::vector<std::string>> panels, bool trace)
      : files_(files), hdf5_(hdf5), bar_(bar), t_start_(t_start), panels_(std::move(panels)) {
    if (trace) trace_.emplace(std::cout);
  }

  void begin(std::span<const std::string> columns, std::span<const std::string> units) override {
    check_plot(panels_, columns);
    if (trace_) trace_->begin(columns);
    files_.begin(columns, units);
    hdf5_.begin(columns, units);
  }
  void row(double t, std::span<const double> values) override {
    files_.row(t, values);
    hdf5_.row(t, values);
  }
  void event(const EventRecord& record) override {
    ++events_;
    if (trace_) trace_->event(record);
    files_.event(record);
    hdf5_.event(record);
  }
  void progress(double t, double t_end) override {
    bar_.show(t_start_, t, t_end, events_);
    files_.progress(t, t_end);
    hdf5_.progress(t, t_end);
  }
  void end(const RunOutcome& outcome, const RunCounters& counters) override {
    bar_.clear();
    files_.end(outcome, counters);
  }
  bool stop_requested() override { return interrupted(); }

 private:
  FileSink& files_;
  Hdf5Sink& hdf5_;
  ProgressBar& bar_;
  double t_start_;
  std::vector<std::vector<std::string>> panels_;  ///< of --plot
  std::optional<EventTrace> trace_;
  std::size_t events_ = 0;
};

std::vector<std::vector<std::string>> split_panels(const std::vector<std::string>& panels) {
  std::vector<std::vector<std::string>> all;
  for (const std::string& panel : panels) {
    all.emplace_back();
    for (std::size_t from = 0; from <= panel.size();) {
      const std::size_t comma = std::min(panel.find(',', from), panel.size());
      all.back().push_back(panel.substr(from, comma - from));
      from = comma + 1;
    }
  }
  return all;
}

void print_heading(const ModelSpec& model) {
  fmt::print(std::cout, "{}\n", model.title.empty() ? model.file : model.title);
  std::string options;
  for (const auto& [name, value] : options_as_run(model)) {
    if (name == "start" || name == "end" || value == "none" || value == "automatic" || value == "dense" ||
        name == "max_events_per_instant") {
      continue;
    }
    char* end = nullptr;  // a product that is one digit off a round number is shown as that
    const double number = std::strtod(value.c_str(), &end);
    const bool whole = end != value.c_str() && *end == '\0';
    options += (options.empty() ? "" : ", ") + name + " " + (whole ? fmt::format("{:.12g}", number) : value);
  }
  fmt::print(std::cout, "t = {} to {} s; {}\n", number_text(model.simulation.start), number_text(model.simulation.end),
             options);
}

void print_extremes(const RunResult& result) {
  for (const RunResult::Extreme& e : result.extremes) {
    if (!e.mode.empty()) continue;
    fmt::print(std::cout, "{}: {:.10g} (t = {:.10g} s) to {:.10g} (t = {:.10g} s)\n", e.measure, e.min, e.t_min, e.max,
               e.t_max);
  }
}

/// Passes on what happens to the history of steps, and asks for the events of switches too, each if it is wanted.
class Listener final : public ReadingObserver {
 public:
  Listener(StepHistory* history, bool switches) : history_(history), switches_(switches) {}
  void read_from(StepReader& reader) override {
    if (history_) history_->read_from(reader);
  }
  void step(Flow& accepted, double t_until) override {
    if (history_) history_->step(accepted, t_until);
  }
  void segment_end(double t, std::span<const double> y) override {
    if (history_) history_->segment_end(t, y);
  }
  void event(const EventRecord& record) override {
    if (history_) history_->event(record);
  }
  [[nodiscard]] bool wants_switches() const override { return switches_; }

 private:
  StepHistory* history_;
  bool switches_;
};

void print_result(const ThinnedRun& run, bool all_events) {
  const RunResult result = record::without_round_off(run.result);
  const std::size_t longest = all_events ? result.events.size() : longest_event_list;
  if (!result.events.empty()) fmt::print(std::cout, "\n{}\n", event_table(result.events, longest, run.events));
  fmt::print(std::cout, "{}\n", kind_counts(run.tally.kinds));
  print_extremes(result);
  const RunOutcome& o = result.outcome;
  fmt::print(std::cout, "{} at t = {:.12g} s{}\n", name(o.status), o.t,
             o.mode.empty() ? "" : ", mode " + record::readable_mode(o.mode));
}

struct OneRun {
  ThinnedRun thinned;
  int code;
};

OneRun run_into(const ModelSpec& model, const RunArguments& arguments, const std::vector<Override>& overrides,
                const std::string& folder) {
  if (!arguments.quiet) {
    print_heading(model);
    std::fflush(stdout);
  }

  FileSink files(model, overrides, folder);
  ProgressBar bar(!arguments.quiet);
  Hdf5Sink hdf5(model, overrides, folder + "/run.h5");
  RunSinkOfTool sink(files, hdf5, bar, model.simulation.start, split_panels(arguments.panels), arguments.trace_events);
  catch_interrupts();
  const auto begun = std::chrono::steady_clock::now();
  std::optional<StepHistory> history;
  if (arguments.history) history.emplace(folder + "/steps.csv", model.simulation);
  Listener listener(history ? &*history : nullptr, arguments.all_events);
  KeepLimits limits;
  if (arguments.all_events) limits.events = std::numeric_limits<std::size_t>::max();
  RunProfile profile;
  std::optional<ProfileScope> profiling;
  if (arguments.profile) profiling.emplace(profile);
  ThinnedRun thinned = run_thinned(model, sink, limits, arguments.all_events || history ? &listener : nullptr);
  profiling.reset();
  if (history) history->finish();
  computation_has_ended();
  const RunResult& result = thinned.result;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  bar.clear();

  write_summary(result, thinned.tally, model, overrides, folder);
  hdf5.finish(result);
  if (!arguments.no_report)
    write_report(
        result, model, [&](const auto& take) { hdf5.each_row(take); }, folder + "/report.html");
  if (!arguments.panels.empty()) write_plot(result, split_panels(arguments.panels), folder + "/plot.svg");

  for (const std::string& notice : result.notices) fmt::print(std::cerr, "notice: {}\n", notice);
  if (!arguments.quiet) {
    print_result(thinned, arguments.all_events);
    const FlowCounters& flow = result.counters.flow;
    const double way = result.outcome.t - model.simulation.start;
    fmt::print(std::cout, "{} steps ({} rejected{}), {} restarts, {} evaluations, {:.3g} s\n", flow.steps,
               flow.rejected,
               flow.steps > 0 ? fmt::format(", mean {:.4g} s", way / static_cast<double>(flow.steps)) : "",
               flow.restarts, flow.evaluations, took.count());
    fmt::print(std::cout, "{}: trajectory.csv ({} rows), events.csv, summary.json, run.h5{}{}{}\n", folder,
               thinned.rows,
               arguments.no_report       ? ""
               : report_is_interactive() ? ", report.html"
                                         : ", report.html (plain: this hstar was built without npm)",
               arguments.panels.empty() ? "" : ", plot.svg", history ? ", steps.csv" : "");
  }
  if (arguments.profile) fmt::print(std::cout, "\n{}", profile_table(profile));
  const RunOutcome& o = result.outcome;
  if (o.success()) return {std::move(thinned), 0};
  std::fflush(stdout);
  fmt::print(std::cerr, "hstar: {} at t = {:.12g} s{}{}{}\n", name(o.status), o.t, o.message.empty() ? "" : ": ",
             o.message, o.last_event.empty() ? "" : " (last event: " + o.last_event + ")");
  return {std::move(thinned), 1};
}

/// One run for each combination of values, in a folder of its own, and a page that compares them.
int run_varied(const RunArguments& arguments) {
  std::vector<SweepAxis> axes;
  std::size_t count = 1;
  for (const std::string& text : arguments.vary) {
    axes.push_back(parse_axis(text));
    count *= axes.back().values.size();
  }
  if (constexpr std::size_t most = 24; count > most)
    throw InputError(
        fmt::format("--vary makes {} runs, and a page compares {} at most; give fewer values, or take "
                    "`hstar sweep` for a table of many",
                    count, most));
  std::vector<LabelledRun> runs;
  int code = 0;
  for (std::size_t i = 0; i < count && !interrupted(); ++i) {
    std::vector<Override> overrides = arguments.overrides;
    std::string label, part;
    std::size_t rest = i;
    for (const SweepAxis& axis : axes) {
      const std::string value = number_text(axis.values[rest % axis.values.size()]);
      rest /= axis.values.size();
      overrides.push_back({axis.path, value});
      const std::string what = axis.path.substr(axis.path.rfind('.') + 1);
      label += (label.empty() ? "" : ", ") + what + " = " + value;
      part += (part.empty() ? "" : "_") + what + "=" + value;
    }
    ModelSpec model = read_model(arguments.model, overrides, ReadPairs::together);
    OneRun one = run_into(model, arguments, overrides, arguments.folder + "/" + part);
    code = std::max(code, one.code);
    runs.push_back({label, std::move(one.thinned.result), std::move(model)});
  }
  if (arguments.no_report || runs.empty()) return code;
  const std::string page = arguments.folder + "/comparison.html";
  write_comparison(runs, page);
  if (!arguments.quiet) fmt::print(std::cout, "{}: {} runs\n", page, runs.size());
  if (arguments.open) open_page(page);
  return code;
}

class RunVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    model_.add_to(app);
    model_.add_simulation_options(app);
    folder_given_ = app.add_option("-o,--output", arguments_.folder,
                                   "folder for the result files (default: out/<name of the model file>)");
    app.add_option(
           "--plot", arguments_.panels,
           "also write plot.svg: columns with commas between, one panel each; log(COLUMN) in decades (repeatable)")
        ->allow_extra_args(false);
    app.add_option("--vary", arguments_.vary,
                   "a run for each value: name=a,b,c or name=low:high:count, a parameter or a path (repeatable); "
                   "comparison.html shows them together")
        ->allow_extra_args(false);
    app.add_flag("-q,--quiet", arguments_.quiet, "print notices and errors only");
    app.add_flag("--open", arguments_.open, "show the report in the browser");
    app.add_flag(
        "--all-events", arguments_.all_events,
        "print every event (default: the first and last of a long list), and tell the switches in formulas too");
    app.add_flag("--trace-events", arguments_.trace_events,
                 "print all that is known of each event as it happens: modes, jumps of the state, books");
    app.add_flag("--profile", arguments_.profile,
                 "print where the time went: steps, guards, transitions, output, modes; whether the model is stiff");
    app.add_flag("--no-report", arguments_.no_report, "do not write report.html");
    app.add_flag("--history", arguments_.history,
                 "also write steps.csv: every step's length, order, error estimate and work");
  }

  int run() override {
    if (folder_given_->count() == 0)
      arguments_.folder = "out/" + model_.name();
    else if (arguments_.folder.empty())
      throw InputError("-o '' is no folder; leave it out for out/<name of the model file>");
    arguments_.model = model_.file();
    arguments_.overrides = model_.overrides();
    return run_model(arguments_);
  }

 private:
  ModelArgument model_;
  RunArguments arguments_;
  CLI::Option* folder_given_ = nullptr;
};

const VerbEntry run_entry(
    VerbGroup::simulate, "run", "simulate a model; write trajectory, events, summary and a report",
    "Exit code: 0 the run reached its end, 1 it ended before (the reason is printed), 2 bad input,\n"
    "3 a file could not be written.\n"
    "Examples:\n"
    "  hstar run sled.toml\n"
    "  hstar run sled.toml --rtol 1e-12 --integrator dop853 -o out/tight\n"
    "  hstar run sled.toml --set parameters.mu_static=0.5 --set simulation.end=120\n"
    "  hstar run sled.toml --vary mu_static=0.3,0.4,0.5 --open\n"
    "  hstar run sled.toml --plot sled.x --plot sled.vx",
    make_verb<RunVerb>);

}  // namespace

int run_model(const RunArguments& arguments) {
  if (!arguments.vary.empty()) return run_varied(arguments);
  const int code = run_into(read_model(arguments.model, arguments.overrides, ReadPairs::together), arguments,
                            arguments.overrides, arguments.folder)
                       .code;
  if (arguments.open && !arguments.no_report) open_page(arguments.folder + "/report.html");
  return code;
}

}  // namespace hstar::cli

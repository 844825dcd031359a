// src/cli/main.cpp
//
// hstar on the command line: reads the arguments, calls the verb, turns exceptions into one line on
// standard error. Exit code 0: done; 1: the run or a validation ended short; 2: bad input; 3: a result could not be
// written.
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "cli/analysis_verbs.hpp"
#include "cli/method_verbs.hpp"
#include "cli/printable.hpp"
#include "cli/report_verbs.hpp"
#include "cli/verbs.hpp"
#include "hstar/error.hpp"
#include "hstar/file_error.hpp"
#include "hstar/model_reference.hpp"
#include "hstar/run.hpp"
#include "hstar/validate.hpp"
#include "hstar/version.hpp"
#include "model/nearest.hpp"

namespace {

using hstar::InputError;
using hstar::Override;

/// Options that stand for --set simulation.NAME=VALUE, and --set itself.
struct ModelOptions {
  std::string file;
  std::vector<std::string> set;
  std::string rtol, atol, end, integrator, formulation;

  void add_to(CLI::App& verb) {
    verb.add_option("MODEL", file, "model file (TOML; or JSON of simEngine2D)")->required();
    verb.add_option("--set", set, "override anything: path.to.value=x, e.g. parameters.mu=0.3 (repeatable)")
        ->allow_extra_args(false);
    verb.add_option("--rtol", rtol, "relative tolerance");
    verb.add_option("--atol", atol, "absolute tolerance");
    verb.add_option("--end", end, "end of the run [s]");
    verb.add_option("--integrator", integrator, "see `hstar list`");
    verb.add_option("--formulation", formulation, "see `hstar list`");
  }

  [[nodiscard]] std::vector<Override> overrides() const {
    std::vector<Override> all = hstar::cli::overrides_of(set);
    if (!integrator.empty()) all.push_back({"simulation.integrator", integrator});
    if (!formulation.empty()) all.push_back({"simulation.formulation", formulation});
    if (!rtol.empty()) all.push_back({"simulation.rtol", rtol});
    if (!atol.empty()) all.push_back({"simulation.atol", atol});
    if (!end.empty()) all.push_back({"simulation.end", end});
    return all;
  }
};

/// Verbs and options that there are not, before anything is read. @throws InputError with the one that was meant.
void check_words(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words[0].empty() || words[0][0] == '-') return;
  std::vector<std::string> verbs;
  const CLI::App* verb = nullptr;
  for (const CLI::App* one : app.get_subcommands({})) {
    verbs.push_back(one->get_name());
    if (one->get_name() == words[0]) verb = one;
  }
  if (verb == nullptr)
    throw InputError("no verb '" + words[0] + "'; " + hstar::suggestion(words[0], verbs, "there are") +
                     " (see hstar --help)");
  std::vector<std::string> options;
  for (const CLI::Option* option : verb->get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  for (const std::string& word : words) {
    if (word == "--") return;
    const std::string name = word.substr(0, word.find('='));
    if (word.rfind("--", 0) == 0 && std::find(options.begin(), options.end(), name) == options.end())
      throw InputError("hstar " + words[0] + " has no option '" + name + "'; " +
                       hstar::suggestion(name, options, "there are"));
  }
}

int main_of(int argc, char** argv) {
  CLI::App app{
      "hstar simulates mechanisms with friction and impact event by event: the exact time of every stick,\n"
      "slip, reversal and impact, at the accuracy of the integrator."};
  app.set_version_flag("--version", "hstar " HSTAR_VERSION);
  app.name("hstar");
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);
  app.footer(
      "Examples:\n"
      "  hstar run examples/01_drag_sled.toml        81 stick and slip events, files in out/01_drag_sled\n"
      "  hstar info examples/01_drag_sled.toml       degrees of freedom, first mode, value of every option\n"
      "  hstar list                                  integrators, joints, forces, friction laws\n"
      "  hstar validate p02_sled_metal               a run against its reference, in digits\n"
      "`hstar VERB --help` says more.");

  ModelOptions run_model, info_model;
  hstar::cli::RunArguments run;
  CLI::App* run_verb = app.add_subcommand("run", "simulate a model; write trajectory, events, summary and a report");
  run_model.add_to(*run_verb);
  run_verb->add_option("-o,--output", run.folder,
                       "folder for the result files (default: out/<name of the model file>)");
  run_verb
      ->add_option(
          "--plot", run.panels,
          "also write plot.svg: columns with commas between, one panel each; log(COLUMN) in decades (repeatable)")
      ->allow_extra_args(false);
  run_verb
      ->add_option("--vary", run.vary,
                   "a run for each value: name=a,b,c or name=low:high:count, a parameter or a path (repeatable); "
                   "comparison.html shows them together")
      ->allow_extra_args(false);
  run_verb->add_flag("-q,--quiet", run.quiet, "print notices and errors only");
  run_verb->add_flag("--open", run.open, "show the report in the browser");
  run_verb->add_flag(
      "--all-events", run.all_events,
      "print every event (default: the first and last of a long list), and tell the switches in formulas too");
  run_verb->add_flag("--trace-events", run.trace_events,
                     "print all that is known of each event as it happens: modes, jumps of the state, books");
  run_verb->add_flag("--no-report", run.no_report, "do not write report.html");
  run_verb->add_flag("--history", run.history,
                     "also write steps.csv: every step's length, order, error estimate and work");
  run_verb->footer(
      "Exit code: 0 the run reached its end, 1 it ended before (the reason is printed), 2 bad input,\n"
      "3 a file could not be written.\n"
      "Examples:\n"
      "  hstar run sled.toml\n"
      "  hstar run sled.toml --rtol 1e-12 --integrator dop853 -o out/tight\n"
      "  hstar run sled.toml --set parameters.mu_static=0.5 --set simulation.end=120\n"
      "  hstar run sled.toml --vary mu_static=0.3,0.4,0.5 --open\n"
      "  hstar run sled.toml --plot sled.x --plot sled.vx");

  bool open_demo = false;
  CLI::App* demo_verb = app.add_subcommand("demo", "run a model that the program carries: a sled pulled over a plate");
  demo_verb->add_flag("--open", open_demo, "show the report in the browser");
  demo_verb->footer("Example:\n  hstar demo --open");

  CLI::App* info_verb = app.add_subcommand("info", "describe a model without running it");
  info_model.add_to(*info_verb);
  bool info_json = false;
  info_verb->add_flag("--json", info_json,
                      "print the model with every default, parameter and copy written out, as JSON");
  info_verb->footer(
      "Examples:\n"
      "  hstar info pendulum.toml --set body.rod.mass=2\n"
      "  hstar info pendulum.toml --json");
  CLI::App* schema_verb = app.add_subcommand("schema", "print the JSON Schema of the model file");
  schema_verb->footer("Example:\n  hstar schema > model.schema.json");

  hstar::cli::CompareArguments comparison;
  std::vector<std::string> compare_set, comparison_exact;
  CLI::App* compare_verb =
      app.add_subcommand("compare", "one model with many formulations, integrators and tolerances");
  compare_verb->add_option("MODEL", comparison.model, "model file (TOML; or JSON of simEngine2D)")->required();
  compare_verb->add_option("--set", compare_set, "override anything: path.to.value=x (repeatable)")
      ->allow_extra_args(false);
  compare_verb->add_option("--formulation", comparison.options.formulations, "these only (commas between)")
      ->delimiter(',');
  compare_verb->add_option("--integrator", comparison.options.integrators, "these only (commas between)")
      ->delimiter(',');
  compare_verb->add_option("--rtol", comparison.options.tolerances, "tolerances (default 1e-4,1e-6,1e-8,1e-10)")
      ->delimiter(',');
  compare_verb->add_option("--step", comparison.options.steps, "fixed steps in s, besides or instead of tolerances")
      ->delimiter(',');
  compare_verb->add_option("--reference", comparison.options.reference,
                           "trajectory.csv that ends in the truth (default: its own tightest run)");
  compare_verb
      ->add_option("--exact", comparison_exact,
                   "state=formula of t and parameters: its true value at the end (repeatable)")
      ->allow_extra_args(false);
  compare_verb->add_option("--accuracy", comparison.options.accuracy, "end-state error the recommendation is about");
  compare_verb->add_option("--time-limit", comparison.options.time_limit, "longest run in s (default 3)");
  compare_verb
      ->add_option("--vary", comparison.vary,
                   "also each of these values of a key of [simulation]: newton=full,quasi (repeatable)")
      ->allow_extra_args(false);
  compare_verb->add_option("--csv", comparison.csv, "also write the table to this file");
  compare_verb->add_option("--svg", comparison.svg, "also write a work-precision picture to this file");
  compare_verb->add_option("--convergence", comparison.convergence,
                           "also write a picture of errors over fixed steps, with their slopes, to this file");
  compare_verb->footer(
      "Columns: |Phi| and |Phi'| are the largest errors of constraints in positions and velocities, `event s` the\n"
      "largest error of an event time, `end` that of the state at the end.\n"
      "Examples:\n"
      "  hstar compare pendulum.toml\n"
      "  hstar compare oscillator.toml --set parameters.mu_static=0 --set parameters.mu_kinetic=0 "
      "--exact 'mass.x=cos(sqrt(k/m)*t)'\n"
      "  hstar compare crank.toml --formulation projection,baumgarte --rtol 1e-6,1e-9 --svg crank.svg\n"
      "  hstar compare pendulum.toml --formulation index3 --integrator bdf --vary max_order=2,3,4 --step "
      "0.02,0.01,0.005");

  std::string kinematics_model, kinematics_file;
  std::vector<std::string> kinematics_set;
  CLI::App* kinematics_verb =
      app.add_subcommand("kinematics", "positions, velocities, accelerations and reactions of a driven mechanism");
  kinematics_verb->add_option("MODEL", kinematics_model, "model file (TOML; or JSON of simEngine2D)")->required();
  kinematics_verb->add_option("--set", kinematics_set, "override anything: path.to.value=x (repeatable)")
      ->allow_extra_args(false);
  kinematics_verb->add_option("-o,--output", kinematics_file, "write the table to this file (default: print it)");
  kinematics_verb->footer(
      "Every degree of freedom needs a driver. Singular positions are named on standard error.\n"
      "Exit code: 0 the end was reached, 1 no motion goes on beyond a singular position, 2 bad input,\n"
      "3 a file could not be written.\n"
      "Example:\n  hstar kinematics web_cutter.toml -o motion.csv");

  hstar::cli::AnalysisVerbs analyses(app);
  hstar::cli::MethodVerbs methods(app);

  ModelOptions sweep_model;
  hstar::cli::SweepArguments sweep;
  CLI::App* sweep_verb = app.add_subcommand("sweep", "many runs with other values: a table and a picture");
  sweep_model.add_to(*sweep_verb);
  sweep_verb
      ->add_option("--vary", sweep.vary,
                   "name=low:high:count, name=low:high:count:log or name=a,b,c; a parameter or a path (repeatable)")
      ->required()
      ->allow_extra_args(false);
  sweep_verb
      ->add_option(
          "--collect", sweep.options.collect,
          "events.count, events.KIND, event.N.t, end.COLUMN, counters.NAME, min(F), max(F), strobe(COLUMN, PERIOD, N); "
          "repeatable, or separated by commas (default: events.count end.t)")
      ->allow_extra_args(false);
  sweep_verb->add_option("--latin-hypercube", sweep.options.latin_hypercube,
                         "that many members spread over the ranges instead of the grid");
  sweep_verb->add_option("--seed", sweep.options.seed, "of the Latin hypercube (default 1)");
  sweep_verb->add_option("--threads", sweep.options.threads, "default: all there are");
  sweep_verb->add_option("-o,--output", sweep.options.file, "table to write (default sweep.csv)");
  sweep_verb->add_option("--svg", sweep.picture, "also write a picture to this file");
  sweep_verb->add_option("--log", sweep.log, "axes of the picture in decades: x, y or xy")
      ->check(CLI::IsMember({"x", "y", "xy"}));
  sweep_verb->add_flag("--fresh", sweep.options.fresh, "begin anew; default: go on with the rows that are there");
  sweep_verb->footer(
      "A run that ends short is a row with its reason. The table is the same for any number of threads or ranks; the\n"
      "same command goes on where an interrupted sweep stopped. Under mpirun (built with HSTAR_MPI) over all ranks.\n"
      "Examples:\n"
      "  hstar sweep sled.toml --vary pull=0.01:0.1:50 --collect events.count -o pull.csv --svg pull.svg\n"
      "  hstar sweep sled.toml --vary mu_static=0.3:0.6:20 --vary pull=0.01:0.1:20 --collect 'max(sled.vx)'\n"
      "  hstar sweep impact_oscillator.toml --vary omega=2:3.2:200 --collect 'strobe(mass.vx, 2*pi/omega, 30)' -o "
      "omega.csv "
      "--svg bifurcation.svg");

  std::string import_file, import_analysis, import_output;
  CLI::App* import_verb = app.add_subcommand("import", "write a simEngine2D model (JSON) as a model file");
  import_verb->add_option("MODEL", import_file, "model in JSON (.adm)")->required();
  import_verb->add_option("ANALYSIS", import_analysis, "its analysis (.acf)");
  import_verb->add_option("-o,--output", import_output, "file to write (default: print it)");
  import_verb->footer(
      "The other verbs take such a model as it is; without an analysis it runs for 10 s. What is not taken is an "
      "error\n"
      "at its place in the file; what was assumed or left out stands in the first lines.\n"
      "Examples:\n"
      "  hstar import pendulum.json\n"
      "  hstar import pendulum.json dynamics.acf -o imported.toml");

  hstar::cli::ReportVerbs reports(app);

  std::string classify_model, classify_states, classify_file;
  std::vector<std::string> classify_set;
  CLI::App* classify_verb =
      app.add_subcommand("classify", "which modes of contact and friction a state allows: none, one or several");
  classify_verb->add_option("MODEL", classify_model, "model file (TOML; or JSON of simEngine2D)")->required();
  classify_verb->add_option("--set", classify_set, "override anything: path.to.value=x (repeatable)")
      ->allow_extra_args(false);
  classify_verb->add_option("--states", classify_states,
                            "table (CSV) of states: a column is a parameter, a state (rod.vx) or a path of --set");
  classify_verb->add_option("-o,--output", classify_file, "write the table to this file (default: print it)");
  classify_verb->footer(
      "The table gets the columns `kind` (unique, indeterminate, inconsistent; found, not found where friction has "
      "several directions: one mode is looked for, no list is made), `modes` and, mode by mode, the forces.\n"
      "Examples:\n"
      "  hstar classify rod.toml --set parameters.mu=1.6\n"
      "  hstar classify rod.toml --states cases.csv -o answers.csv");

  CLI::App* list_verb = app.add_subcommand("list", "integrators, formulations, laws and elements, one line each");
  bool list_as_page = false;
  list_verb->add_flag("--markdown", list_as_page, "as the page docs/names.md");
  list_verb->footer("Example:\n  hstar list");

  hstar::ValidateOptions validate;
  CLI::App* validate_verb = app.add_subcommand("validate", "run validation problems against their references");
  validate_verb->add_option("PROBLEM", validate.targets,
                            "problem names, folders with model.toml, reference.toml and accept.toml, or `ode23` "
                            "(default: all of them)");
  validate_verb->add_option("--folder", validate.folder, "folder of the problems");
  validate_verb->add_flag("--details", validate.details, "print every matched event");
  validate_verb->footer(
      "Exit code: 0 everything passed, 1 something fell short, 2 bad input,\n"
      "3 a file could not be written.\n"
      "Examples:\n"
      "  hstar validate\n"
      "  hstar validate p02_sled_metal p05_bounce_zeno_half --details\n"
      "  hstar validate my_problem/");

  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "version") words[0] = "--version";
  if (!words.empty() && words[0] == "help") {  // help VERB
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  check_words(app, words);
  try {
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (*run_verb) {
    if (run_verb->count("--output") > 0 && run.folder.empty())
      throw InputError("-o '' is no folder; leave it out for out/<name of the model file>");
    run.model = run_model.file;
    run.overrides = run_model.overrides();
    return hstar::cli::run_verb(run);
  }
  if (*demo_verb) return hstar::cli::demo_verb(open_demo);
  if (*schema_verb) {
    std::cout << hstar::model_schema_json();
    return 0;
  }
  if (*info_verb && info_json) {
    std::cout << hstar::resolved_model_json(info_model.file, info_model.overrides());
    return 0;
  }
  if (*info_verb) {
    std::cout << hstar::describe_model(hstar::read_model(info_model.file, info_model.overrides()));
    return 0;
  }
  if (*compare_verb) {
    comparison.overrides = hstar::cli::overrides_of(compare_set);
    for (const std::string& text : comparison_exact) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos || equals == 0)
        throw hstar::InputError("--exact " + text + ": give state=formula, for instance bob.x=cos(2*t)");
      comparison.options.exact.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return hstar::cli::compare_verb(comparison);
  }
  if (*kinematics_verb)
    return hstar::cli::kinematics_verb(kinematics_model, hstar::cli::overrides_of(kinematics_set), kinematics_file);
  if (const std::optional<int> code = analyses.run()) return *code;
  if (const std::optional<int> code = methods.run()) return *code;
  if (*sweep_verb) {
    sweep.model = sweep_model.file;
    sweep.overrides = sweep_model.overrides();
    return hstar::cli::sweep_verb(sweep);
  }
  if (*import_verb) return hstar::cli::import_verb(import_file, import_analysis, import_output);
  if (const std::optional<int> code = reports.run()) return *code;
  if (*classify_verb)
    return hstar::cli::classify_verb(classify_model, hstar::cli::overrides_of(classify_set), classify_states,
                                     classify_file);
  if (*list_verb) return hstar::cli::list_verb(list_as_page);
  return hstar::validate(validate, std::cout) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const hstar::cli::PrintableStreams streams;
  const auto failed = [](int code, std::string_view why) {
    std::fflush(stdout);
    fmt::print(std::cerr, "hstar: {}\n", why);
    return code;
  };
  try {
    const int code = main_of(argc, argv);
    hstar::cli::PrintableStreams::finish();
    return code;
  } catch (const hstar::FileError& error) {
    return failed(3, error.what());
  } catch (const std::system_error& error) {
    return failed(3, error.what());
  } catch (const std::bad_alloc&) {
    return failed(3, "there is not enough memory for this");
  } catch (const std::exception& error) {
    return failed(2, error.what());
  }
}

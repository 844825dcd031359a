// src/cli/sweep_verb.cpp
//
// `hstar sweep`: many runs of one model with other values; a table, a picture and how long it still takes.
#include <fmt/core.h>
#include <fmt/ostream.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>

#include "cli/model_argument.hpp"
#include "cli/mpi_crew.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "hstar/sweep.hpp"

namespace hstar::cli {
namespace {

class SweepVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    model_.add_to(app);
    model_.add_simulation_options(app);
    app.add_option("--vary", vary_,
                   "name=low:high:count, name=low:high:count:log or name=a,b,c; a parameter or a path (repeatable)")
        ->required()
        ->allow_extra_args(false);
    app.add_option("--collect", options_.collect,
                   "events.count, events.KIND, event.N.t, end.COLUMN, counters.NAME, min(F), max(F), strobe(COLUMN, "
                   "PERIOD, N); "
                   "repeatable, or separated by commas (default: events.count end.t)")
        ->allow_extra_args(false);
    app.add_option("--latin-hypercube", options_.latin_hypercube,
                   "that many members spread over the ranges instead of the grid");
    app.add_option("--seed", options_.seed, "of the Latin hypercube (default 1)");
    app.add_option("--threads", options_.threads, "default: all there are");
    app.add_option("-o,--output", options_.file, "table to write (default sweep.csv)");
    app.add_option("--svg", picture_, "also write a picture to this file");
    app.add_option("--log", log_, "axes of the picture in decades: x, y or xy")->check(CLI::IsMember({"x", "y", "xy"}));
    app.add_flag("--fresh", options_.fresh, "begin anew; default: go on with the rows that are there");
  }

  int run() override {
    for (const std::string& text : vary_) options_.axes.push_back(parse_axis(text));
    const auto crew = mpi_crew();
    options_.crew = crew.get();
    catch_interrupts();
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const auto begun = std::chrono::steady_clock::now();
    auto next = begun;
    options_.progress = [&](std::size_t done, std::size_t all, std::size_t computed) {
      const auto now = std::chrono::steady_clock::now();
      if (terminal && now >= next) {
        next = now + std::chrono::milliseconds(200);
        const double seconds = std::chrono::duration<double>(now - begun).count();
        fmt::print(stderr, "\r\033[K{} of {} runs, {:.0f} s left", done, all,
                   seconds / static_cast<double>(computed) * static_cast<double>(all - done));
        std::fflush(stderr);
      }
      return !interrupted();
    };
    options_.stop_requested = interrupted;
    const SweepResult result = sweep(model_.file(), model_.overrides(), options_);
    computation_has_ended();
    if (terminal) fmt::print(stderr, "\r\033[K");
    if (crew && !crew->writes()) return 0;
    fmt::print(std::cout, "{}: {} of {} runs", options_.file, result.written, result.members);
    if (result.resumed > 0) fmt::print(std::cout, ", {} of them were there", result.resumed);
    if (result.failed > 0) fmt::print(std::cout, ", {} ended short (see the column status)", result.failed);
    fmt::print(std::cout, "\n");
    if (!result.complete) {
      fmt::print(std::cerr, "hstar: interrupted; the same command goes on from here\n");
      return 1;
    }
    if (!picture_.empty()) {
      write_sweep_picture(options_.file, picture_, log_);
      fmt::print(std::cout, "{}\n", picture_);
    }
    return 0;
  }

 private:
  ModelArgument model_;
  SweepOptions options_;  ///< axes are read from --vary
  std::vector<std::string> vary_;
  std::string picture_, log_;
};

const VerbEntry sweep_entry(
    VerbGroup::simulate, "sweep", "many runs with other values: a table and a picture",
    "A run that ends short is a row with its reason. The table is the same for any number of threads or ranks; the\n"
    "same command goes on where an interrupted sweep stopped. Under mpirun (built with HSTAR_MPI) over all ranks.\n"
    "Examples:\n"
    "  hstar sweep sled.toml --vary pull=0.01:0.1:50 --collect events.count -o pull.csv --svg pull.svg\n"
    "  hstar sweep sled.toml --vary mu_static=0.3:0.6:20 --vary pull=0.01:0.1:20 --collect 'max(sled.vx)'\n"
    "  hstar sweep impact_oscillator.toml --vary omega=2:3.2:200 --collect 'strobe(mass.vx, 2*pi/omega, 30)' -o "
    "omega.csv "
    "--svg bifurcation.svg",
    make_verb<SweepVerb>);

}  // namespace
}  // namespace hstar::cli

// src/cli/sweep_verb.cpp
//
// `hstar sweep`: many runs of one model with other values; a table, a picture and how long it still takes. Threads of
// this process, the ranks of an MPI job, the jobs of a SLURM array or the workers of a Dask cluster compute it.
#include <fmt/core.h>
#include <fmt/ostream.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "cli/dask_crew.hpp"
#include "cli/model_argument.hpp"
#include "cli/mpi_crew.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "hstar/sweep.hpp"

namespace hstar::cli {
namespace {

/// Two whole numbers with a character between them, "2/16"; false if the text is anything else.
bool read_pair(const std::string& text, char between, std::size_t& a, std::size_t& b) {
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, a);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != between) return false;
  const auto second = std::from_chars(first.ptr + 1, end, b);
  return second.ec == std::errc{} && second.ptr == end;
}

/// A whole number of the environment. @throws InputError if there is none.
std::size_t slurm_number(const char* name) {
  const char* text = std::getenv(name);
  std::size_t number = 0;
  const std::string value = text ? text : "";
  if (std::from_chars(value.data(), value.data() + value.size(), number).ec != std::errc{})
    throw InputError(std::string("--array: this is no job of a SLURM array (") + name +
                     " is not set); say which part of how many it is: --array 2/16");
  return number;
}

/// The path of the program that runs, for other processes to run it.
std::string this_program() {
  std::error_code unknown;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return unknown ? "hstar" : path.string();
}

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
    app.add_option("--crew", crew_, "dask://HOST:PORT: the workers of that Dask cluster compute it");
    array_option_ = app.add_option("--array", array_,
                                   "K/N: this is job K of N, each of which computes every N-th member; without a "
                                   "value (last on the line) as SLURM says")
                        ->expected(0, 1);
    app.add_option("--lines", lines_, "FIRST:LAST: print these rows of the table and nothing else (counted from 0)");
    app.add_option("-o,--output", options_.file, "table to write (default sweep.csv)");
    app.add_option("--svg", picture_, "also write a picture to this file");
    app.add_option("--log", log_, "axes of the picture in decades: x, y or xy")->check(CLI::IsMember({"x", "y", "xy"}));
    app.add_flag("--fresh", options_.fresh, "begin anew; default: go on with the rows that are there");
  }

  int run() override {
    for (const std::string& text : vary_) options_.axes.push_back(parse_axis(text));
    if (!lines_.empty()) return print_lines();
    if (array_option_->count() > 0) read_array();
    const auto crew = crew_.empty() ? mpi_crew() : dask_crew(crew_, command());
    if (!crew_.empty() && options_.parts > 1) throw InputError("--crew and --array do not go together");
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
    fmt::print(std::cout, "{}: {} of {} runs", result.file, result.written, result.members);
    if (result.resumed > 0) fmt::print(std::cout, ", {} of them were there", result.resumed);
    if (result.failed > 0) fmt::print(std::cout, ", {} ended short (see the column status)", result.failed);
    fmt::print(std::cout, "\n");
    if (!result.complete) {
      fmt::print(std::cerr, "hstar: interrupted; the same command goes on from here\n");
      return 1;
    }
    if (options_.parts > 1)
      fmt::print(std::cout, "{}: {}\n", options_.file, result.joined ? "whole" : "waits for the other parts");
    if (!picture_.empty() && (options_.parts == 1 || result.joined)) {
      write_sweep_picture(options_.file, picture_, log_);
      fmt::print(std::cout, "{}\n", picture_);
    }
    return 0;
  }

 private:
  void read_array() {
    if (array_.empty()) {
      const std::size_t first = slurm_number("SLURM_ARRAY_TASK_MIN"), last = slurm_number("SLURM_ARRAY_TASK_MAX");
      const std::size_t job = slurm_number("SLURM_ARRAY_TASK_ID"), jobs = slurm_number("SLURM_ARRAY_TASK_COUNT");
      const std::size_t step = jobs > 1 ? (last - first) / (jobs - 1) : 1;
      if (job < first || step == 0 || (job - first) % step != 0 || (job - first) / step >= jobs)
        throw InputError("--array: the jobs of the SLURM array must be evenly numbered, as in 1-16 or 0-30:2");
      options_.part = (job - first) / step;
      options_.parts = jobs;
      return;
    }
    std::size_t job = 0;
    if (!read_pair(array_, '/', job, options_.parts) || job == 0 || job > options_.parts)
      throw InputError("--array '" + array_ + "' must be K/N, job K of N, as in 2/16");
    options_.part = job - 1;
  }

  /// What computes rows of this table in another process, without --lines.
  [[nodiscard]] std::vector<std::string> command() const {
    std::vector<std::string> words{this_program(), "sweep", std::filesystem::absolute(model_.file()).string()};
    const auto add = [&](const char* option, const std::string& value) {
      words.emplace_back(option);
      words.push_back(value);
    };
    for (const Override& change : model_.overrides()) add("--set", change.path + "=" + change.value);
    for (const std::string& axis : vary_) add("--vary", axis);
    for (const std::string& quantity : options_.collect) add("--collect", quantity);
    if (options_.latin_hypercube > 0) add("--latin-hypercube", std::to_string(options_.latin_hypercube));
    add("--seed", std::to_string(options_.seed));
    return words;
  }

  int print_lines() {
    std::size_t first = 0, last = 0;
    if (!read_pair(lines_, ':', first, last) || last < first)
      throw InputError("--lines '" + lines_ + "' must be FIRST:LAST, rows counted from 0, as in 0:99");
    for (const std::string& line : sweep_lines(model_.file(), model_.overrides(), options_, first, last))
      fmt::print(std::cout, "{}\n", line);
    return 0;
  }

  ModelArgument model_;
  SweepOptions options_;  ///< axes are read from --vary
  std::vector<std::string> vary_;
  std::string picture_, log_, crew_, array_, lines_;
  CLI::Option* array_option_ = nullptr;
};

const VerbEntry sweep_entry(
    VerbGroup::simulate, "sweep", "many runs with other values: a table and a picture",
    "A run that ends short is a row with its reason. The table is the same for any number of threads or ranks; the\n"
    "same command goes on where an interrupted sweep stopped. Under mpirun (built with HSTAR_MPI) over all ranks; as "
    "a\n"
    "SLURM array with --array, whose last job joins the parts; on a Dask cluster with --crew. The table is the same.\n"
    "Examples:\n"
    "  hstar sweep sled.toml --vary pull=0.01:0.1:50 --collect events.count -o pull.csv --svg pull.svg\n"
    "  hstar sweep sled.toml --vary mu_static=0.3:0.6:20 --vary pull=0.01:0.1:20 --collect 'max(sled.vx)'\n"
    "  hstar sweep impact_oscillator.toml --vary omega=2:3.2:200 --collect 'strobe(mass.vx, 2*pi/omega, 30)' -o "
    "omega.csv "
    "--svg bifurcation.svg\n"
    "  sbatch --array=1-16 --wrap 'hstar sweep sled.toml --vary pull=0.01:0.1:5000 -o pull.csv --array'\n"
    "  hstar sweep sled.toml --vary pull=0.01:0.1:5000 -o pull.csv --crew dask://head:8786",
    make_verb<SweepVerb>);

}  // namespace
}  // namespace hstar::cli

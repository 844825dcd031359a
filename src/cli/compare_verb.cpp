// src/cli/compare_verb.cpp
//
// `hstar compare`: one model with many methods; the table, CSV and picture, and which method to use.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/model_argument.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "hstar/compare.hpp"
#include "hstar/stop.hpp"

namespace hstar::cli {
namespace {

/// "newton=full,quasi" as a key and its values.
std::pair<std::string, std::vector<std::string>> values_of_key(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError("compare: --vary \"" + text + "\" must be KEY=a,b,c, a key of [simulation] and its values");
  std::pair<std::string, std::vector<std::string>> out{text.substr(0, equals), {}};
  for (std::size_t from = equals + 1; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    if (comma > from) out.second.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  if (out.first.starts_with("simulation.")) out.first.erase(0, 11);
  return out;
}

class CompareVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    model_.add_to(app);
    app.add_option("--formulation", options_.formulations, "these only (commas between)")->delimiter(',');
    app.add_option("--integrator", options_.integrators, "these only (commas between)")->delimiter(',');
    app.add_option("--rtol", options_.tolerances, "tolerances (default 1e-4,1e-6,1e-8,1e-10)")->delimiter(',');
    app.add_option("--step", options_.steps, "fixed steps in s, besides or instead of tolerances")->delimiter(',');
    app.add_option("--reference", options_.reference,
                   "trajectory.csv that ends in the truth (default: its own tightest run)");
    app.add_option("--exact", exact_, "state=formula of t and parameters: its true value at the end (repeatable)")
        ->allow_extra_args(false);
    app.add_option("--accuracy", options_.accuracy,
                   "end-state error the recommendation is about (default: ten times the smallest, at most 1e-6)");
    app.add_option("--time-limit", options_.time_limit, "longest run in s (default 3)");
    app.add_option("--vary", vary_,
                   "also each of these values of a key of [simulation]: newton=full,quasi (repeatable)")
        ->allow_extra_args(false);
    app.add_option("--csv", csv_, "also write the table to this file");
    app.add_option("--svg", svg_, "also write a work-precision picture to this file");
    app.add_option("--convergence", convergence_,
                   "also write a picture of errors over fixed steps, with their slopes, to this file");
  }

  int run() override {
    for (const std::string& text : exact_) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos || equals == 0)
        throw InputError("--exact " + text + ": give state=formula, for instance bob.x=cos(2*t)");
      options_.exact.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    for (const std::string& text : vary_) options_.vary.push_back(values_of_key(text));
    const bool terminal = isatty(STDERR_FILENO) != 0;
    catch_interrupts();
    options_.progress = [&](std::size_t number, std::size_t count, const std::string& what) {
      if (terminal) {
        fmt::print(stderr, "\r\033[K{} of {}: {}", number, count, what);
        std::fflush(stderr);
      }
      return !interrupted();
    };
    const StopScope scope(interrupted);
    const Comparison result = compare(model_.file(), model_.overrides(), options_);
    computation_has_ended();
    if (terminal) fmt::print(stderr, "\r\033[K");
    print_comparison(result, std::cout);
    std::cout << '\n';
    for (const std::string& line : recommendation(result)) std::cout << line << '\n';
    std::cout.flush();
    if (!csv_.empty()) write_comparison_csv(result, csv_);
    if (!svg_.empty()) write_comparison_svg(result, svg_);
    if (!convergence_.empty()) write_convergence_svg(result, convergence_);
    return interrupted() ? 1 : 0;
  }

 private:
  ModelArgument model_;
  CompareOptions options_;
  std::vector<std::string> vary_, exact_;
  std::string csv_, svg_, convergence_;
};

const VerbEntry compare_entry(
    VerbGroup::simulate, "compare", "one model with many formulations, integrators and tolerances",
    "Columns: |Phi| and |Phi'| are the largest errors of constraints in positions and velocities, `event s` the\n"
    "largest error of an event time, `end` that of the state at the end.\n"
    "Examples:\n"
    "  hstar compare pendulum.toml\n"
    "  hstar compare oscillator.toml --set parameters.mu_static=0 --set parameters.mu_kinetic=0 "
    "--exact 'mass.x=cos(sqrt(k/m)*t)'\n"
    "  hstar compare crank.toml --formulation projection,baumgarte --rtol 1e-6,1e-9 --svg crank.svg\n"
    "  hstar compare pendulum.toml --formulation index3 --integrator bdf --vary max_order=2,3,4 --step "
    "0.02,0.01,0.005",
    make_verb<CompareVerb>);

}  // namespace
}  // namespace hstar::cli

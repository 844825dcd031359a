// src/cli/inspect_verb.cpp: `hstar inspect`: the equations that stand behind a run, in numbers.
#include <iostream>

#include "cli/model_argument.hpp"
#include "cli/verb.hpp"
#include "hstar/inspect.hpp"
#include "record/text_file.hpp"

namespace hstar::cli {
namespace {

class InspectVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    model_.add_to(app);
    model_.add_simulation_options(app, {"integrator", "formulation"});
    at_ = app.add_option("--at", options_.t, "time in s, reached by running the model (default: its start)");
    every_given_ =
        app.add_option("--every", every_, "instead at intervals of so many s; prints how the partition changes");
    app.add_option("--csv", csv_file_, "write the vectors over time to this file, lambda among them")
        ->needs(every_given_);
    app.add_option("--step", options_.step, "also the integrator's iteration matrix for this step in s");
    app.add_option("--json", json_file_, "also write the tables to this file as JSON");
    app.add_option("--npz", npz_file_, "also write the tables to this file for numpy.load");
  }

  int run() override {
    const ModelSpec model = model_.read();
    if (every_given_->count() > 0) {
      const std::vector<Inspection> series = inspect_every(model, every_);
      print_partitions(series, std::cout);
      if (!csv_file_.empty()) record::write_text_file(csv_file_, inspections_csv(series));
      return 0;
    }
    if (at_->count() == 0) options_.t = model.simulation.start;
    const Inspection result = inspect(model, options_);
    print_inspection(result, std::cout);
    if (!npz_file_.empty()) write_inspection_npz(result, npz_file_);
    if (!json_file_.empty()) record::write_text_file(json_file_, inspection_json(result));
    return 0;
  }

 private:
  ModelArgument model_;
  InspectOptions options_;
  CLI::Option *at_ = nullptr, *every_given_ = nullptr;
  double every_ = 0;
  std::string json_file_, npz_file_, csv_file_;
};

const VerbEntry inspect_entry(
    VerbGroup::analyse, "inspect", "the equations of a mechanism at one instant, in numbers",
    "Phi, Phi_q, nu, gamma, M, Q, lambda, accelerations and the partition of the coordinates, in the mode that "
    "holds\n"
    "just before an event at that time.\n"
    "Examples:\n"
    "  hstar inspect pendulum.toml\n"
    "  hstar inspect crank.toml --at 0.5 --npz crank.npz\n"
    "  hstar inspect crank.toml --every 0.01 --csv crank.csv\n"
    "  hstar inspect crank.toml --integrator hht --step 0.01",
    make_verb<InspectVerb>);

}  // namespace
}  // namespace hstar::cli

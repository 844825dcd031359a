// src/cli/method_verbs.cpp
#include "cli/method_verbs.hpp"

#include <iostream>

#include "cli/verbs.hpp"
#include "hstar/method.hpp"
#include "record/text_file.hpp"

namespace hstar::cli {

MethodVerbs::MethodVerbs(CLI::App& app) {
  inspect_ = app.add_subcommand("inspect", "the equations of a mechanism at one instant, in numbers");
  inspect_->add_option("MODEL", model_file_, "model file (TOML; or JSON of simEngine2D)")->required();
  inspect_->add_option("--at", inspect_options_.t, "time in s, reached by running the model (default: its start)");
  inspect_->add_option("--set", set_, "override anything: path.to.value=x (repeatable)")->allow_extra_args(false);
  inspect_->add_option("--integrator", integrator_, "see `hstar list`");
  inspect_->add_option("--formulation", formulation_, "see `hstar list`");
  inspect_->add_option("--step", inspect_options_.step, "also the integrator's iteration matrix for this step in s");
  CLI::Option* every =
      inspect_->add_option("--every", every_, "instead at intervals of so many s; prints how the partition changes");
  inspect_->add_option("--csv", csv_file_, "write the vectors over time to this file, lambda among them")->needs(every);
  inspect_->add_option("--json", json_file_, "also write the tables to this file as JSON");
  inspect_->add_option("--npz", npz_file_, "also write the tables to this file for numpy.load");
  inspect_->footer(
      "Phi, Phi_q, nu, gamma, M, Q, lambda, accelerations and the partition of the coordinates, in the mode that "
      "holds\n"
      "just before an event at that time.\n"
      "Examples:\n"
      "  hstar inspect pendulum.toml\n"
      "  hstar inspect crank.toml --at 0.5 --npz crank.npz\n"
      "  hstar inspect crank.toml --every 0.01 --csv crank.csv\n"
      "  hstar inspect crank.toml --integrator hht --step 0.01");

  method_ = app.add_subcommand("method", "coefficients, order and stability of an integrator");
  method_->add_option("NAME", method_name_, "an integrator of `hstar list`")->required();
  method_->add_option("--svg", picture_file_, "also draw its stability region, and its order star, into this file");
  method_->add_option("--max-order", max_order_, "of bdf and ode113 in the picture (default: their own)");
  method_->footer(
      "Examples:\n  hstar method radau --svg radau.svg\n  hstar method bdf\n  hstar method bdf --svg bdf4.svg "
      "--max-order 4");

  eliminate_ = app.add_subcommand("eliminate", "full-pivot elimination of a matrix");
  eliminate_->add_option("FILE", matrix_file_, "one row a line, blanks or commas between, # begins a comment")
      ->required();
  eliminate_->add_flag("--rhs", right_side_, "the last column is b of A x = b");
  eliminate_->add_flag("--steps", steps_, "print the matrix after each step");
  eliminate_->add_option("--leading-rows", leading_rows_, "pivots come from these first rows until they are used up");
  eliminate_->footer(
      "Prints pivots, the order of rows and columns, the echelon form, and of A x = b the solution with zero for the\n"
      "independent columns.\n"
      "Examples:\n"
      "  hstar eliminate jacobian.txt\n"
      "  hstar eliminate system.txt --rhs --steps");
}

std::optional<int> MethodVerbs::run() {
  if (*inspect_) return inspect_verb();
  if (*method_) {
    std::cout << method_text(method_name_);
    if (!picture_file_.empty()) record::write_text_file(picture_file_, method_picture(method_name_, max_order_));
    return 0;
  }
  if (*eliminate_) return eliminate_verb(matrix_file_, right_side_, steps_, leading_rows_);
  return std::nullopt;
}

int MethodVerbs::inspect_verb() {
  std::vector<Override> overrides = overrides_of(set_);
  if (!integrator_.empty()) overrides.push_back({"simulation.integrator", integrator_});
  if (!formulation_.empty()) overrides.push_back({"simulation.formulation", formulation_});
  const ModelSpec model = read_model(model_file_, overrides);
  if (inspect_->count("--every") > 0) {
    const std::vector<Inspection> series = inspect_every(model, every_);
    print_partitions(series, std::cout);
    if (!csv_file_.empty()) record::write_text_file(csv_file_, inspections_csv(series));
    return 0;
  }
  InspectOptions options = inspect_options_;
  if (inspect_->count("--at") == 0) options.t = model.simulation.start;
  const Inspection result = inspect(model, options);
  print_inspection(result, std::cout);
  if (!npz_file_.empty()) write_inspection_npz(result, npz_file_);
  if (!json_file_.empty()) record::write_text_file(json_file_, inspection_json(result));
  return 0;
}

}  // namespace hstar::cli

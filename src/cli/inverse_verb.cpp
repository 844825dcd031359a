// src/cli/inverse_verb.cpp: `hstar inverse`.
#include "cli/driven_motion.hpp"
#include "cli/model_argument.hpp"
#include "cli/verb.hpp"
#include "hstar/inverse.hpp"
#include "record/text_file.hpp"

namespace hstar::cli {
namespace {

class InverseVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    model_.add_to(app);
    app.add_option("--json", json_file_, "also write the result to this file as JSON");
    app.add_option("-o,--output", table_file_, "write the table to this file (default: print it)");
  }

  int run() override {
    const InverseResult result = inverse_dynamics(model_.read());
    if (!json_file_.empty()) record::write_text_file(json_file_, inverse_json(result));
    return tell_driven_motion(inverse_csv(result), table_file_, result.notices, result.singular, result.reached_end);
  }

 private:
  ModelArgument model_;
  std::string json_file_;
  std::string table_file_;
};

const VerbEntry inverse_entry(
    VerbGroup::analyse, "inverse", "driver forces and torques for the motion that the drivers prescribe",
    "Every degree of freedom needs a driver. NAME.least and NAME.largest differ where a frictional joint\n"
    "stands still and may carry any force inside its cone.\n"
    "Exit code: 0 the end was reached, 1 no motion goes on beyond a singular position, 2 bad input.\n"
    "Example:\n  hstar inverse web_cutter.toml -o torque.csv",
    make_verb<InverseVerb>);

}  // namespace
}  // namespace hstar::cli

// src/cli/kinematics_verb.cpp: `hstar kinematics`.
#include "cli/driven_motion.hpp"
#include "cli/model_argument.hpp"
#include "cli/verb.hpp"
#include "hstar/kinematics.hpp"
#include "hstar/record.hpp"

namespace hstar::cli {
namespace {

class KinematicsVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override {
    model_.add_to(app);
    app.add_option("-o,--output", file_, "write the table to this file (default: print it)");
  }

  int run() override {
    const KinematicsResult result = analyse_kinematics(model_.read());
    std::string table = "# units:";
    for (std::size_t i = 0; i < result.units.size(); ++i) table += (i == 0 ? " " : ",") + result.units[i];
    table += "\n";
    for (std::size_t i = 0; i < result.columns.size(); ++i) table += (i == 0 ? "" : ",") + result.columns[i];
    table += "\n";
    for (const auto& row : result.rows) {
      for (std::size_t i = 0; i < row.size(); ++i) table += (i == 0 ? "" : ",") + number_text(row[i]);
      table += "\n";
    }
    return tell_driven_motion(table, file_, result.notices, result.singular, result.reached_end);
  }

 private:
  ModelArgument model_;
  std::string file_;
};

const VerbEntry kinematics_entry(
    VerbGroup::analyse, "kinematics", "positions, velocities, accelerations and reactions of a driven mechanism",
    "Every degree of freedom needs a driver. Singular positions are named on standard error.\n"
    "Exit code: 0 the end was reached, 1 no motion goes on beyond a singular position, 2 bad input,\n"
    "3 a file could not be written.\n"
    "Example:\n  hstar kinematics web_cutter.toml -o motion.csv",
    make_verb<KinematicsVerb>);

}  // namespace
}  // namespace hstar::cli

// src/cli/kinematics_verb.cpp: `hstar kinematics`.
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <iostream>

#include "cli/model_argument.hpp"
#include "cli/verb.hpp"
#include "hstar/error.hpp"
#include "hstar/kinematics.hpp"
#include "hstar/record.hpp"
#include "record/text_file.hpp"

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
    if (file_.empty()) {
      std::cout << table;
    } else {
      record::write_text_file(file_, table);
    }
    // Words go beside the table.
    for (const std::string& notice : result.notices) fmt::print(std::cerr, "notice: {}\n", notice);
    for (const SingularPosition& s : result.singular)
      fmt::print(std::cerr, "singular position at t = {:.12g} s (+- {:.1e}): {} depends on the other constraints{}\n",
                 s.t, s.t_error, s.row, s.passed ? "; passed" : "; no motion goes on from here");
    return result.reached_end ? 0 : 1;
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

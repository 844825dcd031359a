// src/cli/kinematics_verb.cpp: `hstar kinematics`.
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <iostream>

#include "cli/verbs.hpp"
#include "hstar/error.hpp"
#include "hstar/kinematics.hpp"
#include "hstar/record.hpp"
#include "record/text_file.hpp"

namespace hstar::cli {

int kinematics_verb(const std::string& model, const std::vector<Override>& overrides, const std::string& file) {
  const KinematicsResult result = analyse_kinematics(read_model(model, overrides));
  std::string table = "# units:";
  for (std::size_t i = 0; i < result.units.size(); ++i) table += (i == 0 ? " " : ",") + result.units[i];
  table += "\n";
  for (std::size_t i = 0; i < result.columns.size(); ++i) table += (i == 0 ? "" : ",") + result.columns[i];
  table += "\n";
  for (const auto& row : result.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) table += (i == 0 ? "" : ",") + number_text(row[i]);
    table += "\n";
  }
  if (file.empty()) {
    std::cout << table;
  } else {
    record::write_text_file(file, table);
  }
  // Words go beside the table.
  for (const std::string& notice : result.notices) fmt::print(std::cerr, "notice: {}\n", notice);
  for (const SingularPosition& s : result.singular)
    fmt::print(std::cerr, "singular position at t = {:.12g} s (+- {:.1e}): {} depends on the other constraints{}\n",
               s.t, s.t_error, s.row, s.passed ? "; passed" : "; no motion goes on from here");
  return result.reached_end ? 0 : 1;
}

}  // namespace hstar::cli

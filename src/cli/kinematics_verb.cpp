// src/cli/kinematics_verb.cpp: `hstar kinematics`.
#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "cli/verbs.hpp"
#include "hstar/error.hpp"
#include "hstar/kinematics.hpp"
#include "hstar/record.hpp"

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
    std::ofstream out(file, std::ios::binary);
    out << table;
    if (!out.flush()) throw InputError("cannot write '" + file + "'");
  }
  // Words go beside the table.
  for (const std::string& notice : result.notices) fmt::print(stderr, "notice: {}\n", notice);
  for (const SingularPosition& s : result.singular)
    fmt::print(stderr, "singular position at t = {:.12g} s (+- {:.1e}): {} depends on the other constraints{}\n", s.t,
               s.t_error, s.row, s.passed ? "; passed" : "; no motion goes on from here");
  return result.reached_end ? 0 : 1;
}

}  // namespace hstar::cli

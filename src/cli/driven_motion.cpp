// src/cli/driven_motion.cpp
#include "cli/driven_motion.hpp"

#include <fmt/core.h>
#include <fmt/ostream.h>

#include <iostream>

#include "record/text_file.hpp"

namespace hstar::cli {

int tell_driven_motion(const std::string& table, const std::string& file, std::span<const std::string> notices,
                       std::span<const SingularPosition> singular, bool reached_end) {
  if (file.empty())
    std::cout << table;
  else
    record::write_text_file(file, table);
  for (const std::string& notice : notices) fmt::print(std::cerr, "notice: {}\n", notice);
  for (const SingularPosition& s : singular)
    fmt::print(std::cerr, "singular position at t = {:.12g} s (+- {:.1e}): {} depends on the other constraints{}\n",
               s.t, s.t_error, s.row, s.passed ? "; passed" : "; no motion goes on from here");
  return reached_end ? 0 : 1;
}

}  // namespace hstar::cli

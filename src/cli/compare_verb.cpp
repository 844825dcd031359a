// src/cli/compare_verb.cpp
//
// `hstar compare`: one model with many methods; the table, CSV and picture, and which method to use.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "cli/terminal.hpp"
#include "cli/verbs.hpp"
#include "hstar/compare.hpp"
#include "hstar/stop.hpp"

namespace hstar::cli {

int compare_verb(const CompareArguments& arguments) {
  CompareOptions options = arguments.options;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  catch_interrupts();
  options.progress = [&](std::size_t number, std::size_t count, const std::string& what) {
    if (terminal) {
      fmt::print(stderr, "\r\033[K{} of {}: {}", number, count, what);
      std::fflush(stderr);
    }
    return !interrupted();
  };
  const StopScope scope(interrupted);
  const Comparison result = compare(arguments.model, arguments.overrides, options);
  computation_has_ended();
  if (terminal) fmt::print(stderr, "\r\033[K");
  print_comparison(result, std::cout);
  std::cout << '\n';
  for (const std::string& line : recommendation(result)) std::cout << line << '\n';
  std::cout.flush();
  if (!arguments.csv.empty()) write_comparison_csv(result, arguments.csv);
  if (!arguments.svg.empty()) write_comparison_svg(result, arguments.svg);
  return interrupted() ? 1 : 0;
}

}  // namespace hstar::cli

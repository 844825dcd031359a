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

#include "cli/terminal.hpp"
#include "cli/verbs.hpp"
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

}  // namespace

int compare_verb(const CompareArguments& arguments) {
  CompareOptions options = arguments.options;
  for (const std::string& text : arguments.vary) options.vary.push_back(values_of_key(text));
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
  if (!arguments.convergence.empty()) write_convergence_svg(result, arguments.convergence);
  return interrupted() ? 1 : 0;
}

}  // namespace hstar::cli

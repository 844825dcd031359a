// src/cli/sweep_verb.cpp
//
// `hstar sweep`: many runs of one model with other values; a table, a picture and how long it still takes.
#include <fmt/core.h>
#include <fmt/ostream.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>

#include "cli/mpi_crew.hpp"
#include "cli/terminal.hpp"
#include "cli/verbs.hpp"

namespace hstar::cli {

int sweep_verb(const SweepArguments& arguments) {
  SweepOptions options = arguments.options;
  for (const std::string& text : arguments.vary) options.axes.push_back(parse_axis(text));
  const auto crew = mpi_crew();
  options.crew = crew.get();
  catch_interrupts();
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto begun = std::chrono::steady_clock::now();
  auto next = begun;
  options.progress = [&](std::size_t done, std::size_t all, std::size_t computed) {
    const auto now = std::chrono::steady_clock::now();
    if (terminal && now >= next) {
      next = now + std::chrono::milliseconds(200);
      const double seconds = std::chrono::duration<double>(now - begun).count();
      fmt::print(stderr, "\r\033[K{} of {} runs, {:.0f} s left", done, all,
                 seconds / static_cast<double>(computed) * static_cast<double>(all - done));
      std::fflush(stderr);
    }
    return !interrupted();
  };
  options.stop_requested = interrupted;
  const SweepResult result = sweep(arguments.model, arguments.overrides, options);
  computation_has_ended();
  if (terminal) fmt::print(stderr, "\r\033[K");
  if (crew && !crew->writes()) return 0;
  fmt::print(std::cout, "{}: {} of {} runs", options.file, result.written, result.members);
  if (result.resumed > 0) fmt::print(std::cout, ", {} of them were there", result.resumed);
  if (result.failed > 0) fmt::print(std::cout, ", {} ended short (see the column status)", result.failed);
  fmt::print(std::cout, "\n");
  if (!result.complete) {
    fmt::print(std::cerr, "hstar: interrupted; the same command goes on from here\n");
    return 1;
  }
  if (!arguments.picture.empty()) {
    write_sweep_picture(options.file, arguments.picture, arguments.log);
    fmt::print(std::cout, "{}\n", arguments.picture);
  }
  return 0;
}

}  // namespace hstar::cli

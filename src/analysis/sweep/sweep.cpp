// src/analysis/sweep/sweep.cpp: members, who computes them, and the table they go to.
#include "hstar/sweep.hpp"

#include <utility>

#include "analysis/sweep/sweep_parts.hpp"
#include "analysis/sweep/table.hpp"
#include "hstar/error.hpp"
#include "hstar/stop.hpp"

namespace hstar {

SweepResult sweep(const std::string& model_file, const std::vector<Override>& overrides, const SweepOptions& options) {
  if (options.parts == 0 || options.part >= options.parts)
    throw InputError("part " + std::to_string(options.part + 1) + " of " + std::to_string(options.parts) +
                     " of a sweep: parts are counted from 1");
  const sweeping::Members members(options);
  const sweeping::MemberRunner runner(model_file, overrides, options, members);
  const auto threads = sweeping::thread_crew(options.threads);
  SweepCrew& crew = options.crew ? *options.crew : *threads;
  const auto stop = [&] { return options.stop_requested && options.stop_requested(); };
  const sweeping::Rows rows{members.count(), options.part, options.parts};
  const auto line = [&](std::size_t row) {
    const StopScope scope(stop);
    return runner.line(rows.member(row));
  };
  const std::string header = runner.header();
  const bool is_array = options.parts > 1;
  SweepResult result;
  result.members = rows.count();
  result.file = is_array ? sweeping::part_file(options.file, options.part, options.parts) : options.file;
  if (!crew.writes()) {
    crew.work(crew.agree(0), rows.count(), line, [](std::size_t, const std::string&) { return true; });
    return result;
  }
  if (is_array && !options.fresh && sweeping::is_whole(options.file, header, members.count())) {
    result.written = result.resumed = result.members;
    result.complete = result.joined = true;
    return result;
  }
  sweeping::Table table(result.file, header, rows, options.fresh);
  result.resumed = table.done();
  std::size_t computed = 0;
  const auto line_or_known = [&](std::size_t row) {
    const std::string* known = table.finished(row);
    return known ? *known : line(row);
  };
  crew.work(crew.agree(table.done()), rows.count(), line_or_known, [&](std::size_t row, std::string text) {
    if (stop()) return false;
    table.add(row, std::move(text));
    ++computed;
    return !options.progress || options.progress(table.done(), rows.count(), computed);
  });
  result.written = table.done();
  result.failed = table.failed();
  result.complete = result.written == result.members;
  if (is_array && result.complete)
    result.joined = sweeping::join_parts(options.file, header, members.count(), options.parts);
  return result;
}

std::vector<std::string> sweep_lines(const std::string& model_file, const std::vector<Override>& overrides,
                                     const SweepOptions& options, std::size_t first, std::size_t last) {
  const sweeping::Members members(options);
  if (last >= members.count())
    throw InputError("row " + std::to_string(last) + " of a sweep of " + std::to_string(members.count()) + " members");
  const sweeping::MemberRunner runner(model_file, overrides, options, members);
  std::vector<std::string> lines;
  for (std::size_t member = first; member <= last; ++member) lines.push_back(runner.line(member));
  return lines;
}

}  // namespace hstar

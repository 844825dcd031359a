// src/analysis/validate.cpp
//
// `hstar validate`: finds the problems asked for, runs each against its reference, and sums up.
#include "hstar/validate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ostream>

#include "analysis/validation.hpp"

namespace hstar {
namespace {

namespace fs = std::filesystem;
constexpr const char* trace_list = "traces.toml";

bool is_problem(const fs::path& folder) {
  return fs::is_regular_file(folder / "model.toml") && fs::is_regular_file(folder / "reference.toml") &&
         fs::is_regular_file(folder / "accept.toml");
}
bool is_trace_folder(const fs::path& folder) { return fs::is_regular_file(folder / trace_list); }

/// A folder "path/to/p01/" is called p01.
std::string folder_name(const fs::path& folder) {
  const fs::path clean = fs::absolute(folder).lexically_normal();
  return clean.has_filename() ? clean.filename().string() : clean.parent_path().filename().string();
}

struct Targets {
  std::vector<validation::Problem> problems;
  std::vector<std::string> traces;
};

std::vector<fs::path> folders_of(const fs::path& root) {
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(root))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

/// A problem, a folder of traces, or a group of problems, "lectures/van_der_pol".
void add_folder(const fs::path& folder, Targets& targets) {
  if (!fs::is_directory(folder)) return;
  if (is_trace_folder(folder)) targets.traces.push_back(folder.string());
  if (is_problem(folder)) {
    targets.problems.push_back({folder_name(folder), folder.string()});
    return;
  }
  for (const fs::path& inner : folders_of(folder))
    if (is_problem(inner)) targets.problems.push_back({folder_name(folder) + "/" + folder_name(inner), inner.string()});
}

/// All problems of a folder, by name.
void add_all(const fs::path& root, Targets& targets) {
  for (const fs::path& folder : folders_of(root)) add_folder(folder, targets);
}

/// A target is a problem's name, the beginning of several names ("p06"), a problem's folder, or a folder of problems.
void add_target(const std::string& target, const std::string& root, Targets& targets) {
  const std::size_t before = targets.problems.size() + targets.traces.size();
  const auto found = [&] { return targets.problems.size() + targets.traces.size() > before; };
  if (!root.empty() && target.find('/') == std::string::npos) {
    add_folder(fs::path(root) / target, targets);
    if (found()) return;
    Targets all;
    add_all(root, all);
    for (const validation::Problem& p : all.problems)
      if (p.name.starts_with(target)) targets.problems.push_back(p);
    if (found()) return;
  }
  if (fs::is_directory(target)) {
    add_folder(target, targets);
    if (!found()) add_all(target, targets);
    if (found()) return;
  }
  std::string known;
  if (!root.empty()) {
    Targets all;
    add_all(root, all);
    for (const validation::Problem& p : all.problems) known += " " + p.name;
    if (!all.traces.empty()) known += " ode23";
  }
  throw InputError(
      fmt::format("validate: '{}' is no problem and no folder with model.toml, reference.toml and "
                  "accept.toml; {}",
                  target, known.empty() ? "give a folder" : "problems in " + root + ":" + known));
}

}  // namespace

std::string validation_folder() {
  std::vector<std::string> places;
  if (const char* given = std::getenv("HSTAR_VALIDATION_DIR")) {
    if (fs::is_directory(given)) return given;
    throw InputError(fmt::format("HSTAR_VALIDATION_DIR = {} is no folder; unset it or name one", given));
  }
  places = {"validation", HSTAR_VALIDATION_SOURCE, HSTAR_VALIDATION_INSTALLED};
  for (const std::string& place : places)
    if (fs::is_directory(place)) return place;
  throw InputError("validate: there is no folder 'validation' here; set HSTAR_VALIDATION_DIR or give folders");
}

int validate(const ValidateOptions& options, std::ostream& out) {
  Targets targets;
  std::string root = options.folder;
  if (root.empty()) {
    const bool only_folders =
        !options.targets.empty() && std::all_of(options.targets.begin(), options.targets.end(),
                                                [](const std::string& t) { return t.find('/') != std::string::npos; });
    if (!only_folders) root = validation_folder();
  } else if (!fs::is_directory(root)) {
    throw InputError(fmt::format("validate: folder = {} does not exist; give the folder of the problems", root));
  }
  if (options.targets.empty()) add_all(root, targets);
  for (const std::string& target : options.targets) add_target(target, root, targets);

  validation::Verdict verdict;
  bool headed = false;
  for (const validation::Problem& problem : targets.problems) {
    const ReferenceFile reference = read_reference(problem.folder + "/reference.toml");
    const AcceptFile accept = read_accept(problem.folder + "/accept.toml");
    if (!accept.samples.empty()) {
      validation::validate_samples(problem, accept, options.details, out, verdict);
      continue;
    }
    if (!headed && reference.schema == "truth-1") validation::print_motion_header(out);
    headed = headed || reference.schema == "truth-1";
    if (reference.schema == "truth-1")
      validation::validate_motion(problem, reference, accept, options.details, out, verdict);
    else
      validation::validate_table(problem, reference, accept, options.details, out, verdict);
  }
  for (const std::string& folder : targets.traces) validation::validate_traces(folder, options.details, out, verdict);
  if (verdict.passed + verdict.failed + verdict.bonus_failed == 0)
    throw InputError(
        fmt::format("validate: there is no problem in {}; a problem is a folder with model.toml, "
                    "reference.toml and accept.toml",
                    root));
  out << fmt::format("{} passed, {} fell short", verdict.passed, verdict.failed);
  if (verdict.bonus_failed > 0) out << fmt::format(", {} more that are not demanded fell short", verdict.bonus_failed);
  out << '\n';
  return verdict.failed;
}

}  // namespace hstar

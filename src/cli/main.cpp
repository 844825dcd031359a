// src/cli/main.cpp
//
// hstar on the command line: reads the arguments, runs the verb, turns exceptions into one line on
// standard error. Exit code 0: done; 1: the run or a validation ended short; 2: bad input; 3: a result could not be
// written.
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "cli/printable.hpp"
#include "cli/verb.hpp"
#include "hstar/error.hpp"
#include "hstar/file_error.hpp"
#include "hstar/version.hpp"
#include "model/nearest.hpp"

namespace {

using hstar::InputError;

/// Verbs and options that there are not, before anything is read. @throws InputError with the one that was meant.
void check_words(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words[0].empty() || words[0][0] == '-') return;
  std::vector<std::string> verbs;
  const CLI::App* verb = nullptr;
  for (const CLI::App* one : app.get_subcommands({})) {
    verbs.push_back(one->get_name());
    if (one->get_name() == words[0]) verb = one;
  }
  if (verb == nullptr)
    throw InputError("no verb '" + words[0] + "'; " + hstar::suggestion(words[0], verbs, "there are") +
                     " (see hstar --help)");
  std::vector<std::string> options;
  for (const CLI::Option* option : verb->get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  for (const std::string& word : words) {
    if (word == "--") return;
    const std::string name = word.substr(0, word.find('='));
    if (word.rfind("--", 0) == 0 && std::find(options.begin(), options.end(), name) == options.end())
      throw InputError("hstar " + words[0] + " has no option '" + name + "'; " +
                       hstar::suggestion(name, options, "there are"));
  }
}

int main_of(int argc, char** argv) {
  CLI::App app{
      "hstar simulates mechanisms with friction and impact event by event: the exact time of every stick,\n"
      "slip, reversal and impact, at the accuracy of the integrator."};
  app.set_version_flag("--version", "hstar " HSTAR_VERSION);
  app.name("hstar");
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);
  app.footer(
      "Examples:\n"
      "  hstar run examples/01_drag_sled.toml        81 stick and slip events, files in out/01_drag_sled\n"
      "  hstar info examples/01_drag_sled.toml       degrees of freedom, first mode, value of every option\n"
      "  hstar list                                  integrators, joints, forces, friction laws\n"
      "  hstar validate p02_sled_metal               a run against its reference, in digits\n"
      "`hstar VERB --help` says more.");

  std::map<std::string, std::unique_ptr<hstar::cli::Verb>> verbs;
  for (const hstar::cli::VerbEntry& entry : hstar::cli::VerbEntry::all()) verbs[entry.name()] = entry.add_to(app);

  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "version") words[0] = "--version";
  if (!words.empty() && words[0] == "help") {  // help VERB
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  check_words(app, words);
  try {
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app.parse(words);
  } catch (const CLI::ExtrasError&) {
    const CLI::App& verb = *app.get_subcommands().front();
    throw InputError(fmt::format("hstar {0} takes no '{1}' here; `hstar {0} --help` says what it takes",
                                 verb.get_name(), verb.remaining().front()));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return verbs.at(app.get_subcommands().front()->get_name())->run();
}

}  // namespace

int main(int argc, char** argv) {
  const hstar::cli::PrintableStreams streams;
  const auto failed = [](int code, std::string_view why) {
    std::fflush(stdout);
    fmt::print(std::cerr, "hstar: {}\n", why);
    return code;
  };
  try {
    const int code = main_of(argc, argv);
    hstar::cli::PrintableStreams::finish();
    return code;
  } catch (const hstar::FileError& error) {
    return failed(3, error.what());
  } catch (const std::system_error& error) {
    return failed(3, error.what());
  } catch (const std::bad_alloc&) {
    return failed(3, "there is not enough memory for this");
  } catch (const std::exception& error) {
    return failed(2, error.what());
  }
}

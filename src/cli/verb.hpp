// src/cli/verb.hpp
//
// A verb of the command line. Its file holds all of it: the name, the arguments, the work, and a `VerbEntry` at
// namespace scope, which makes it known to `main`, to `hstar --help` and so to the completions.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hstar::cli {

class Verb {
 public:
  virtual ~Verb() = default;
  /// Tells the options of this verb to `app`; they are read into members.
  virtual void add_arguments(CLI::App& app) = 0;
  /// The exit code: 0 done, 1 a numerical end or a validation that falls short. Bad input is thrown (InputError): 2.
  virtual int run() = 0;
};

/// The part of `hstar --help` in which a verb stands, and the order of these parts.
enum class VerbGroup { simulate, analyse, look_up };

class VerbEntry {
 public:
  using Maker = std::function<std::unique_ptr<Verb>()>;

  /// `about` is its line in `hstar --help`, `footer` stands below its options in `hstar VERB --help`.
  VerbEntry(VerbGroup group, std::string name, std::string about, std::string footer, Maker make);

  /// Adds the verb to `app`; its arguments are read into what is returned.
  [[nodiscard]] std::unique_ptr<Verb> add_to(CLI::App& app) const;
  [[nodiscard]] const std::string& name() const { return name_; }

  /// All there are, group by group and by name.
  [[nodiscard]] static std::vector<VerbEntry> all();

 private:
  VerbGroup group_;
  std::string name_, about_, footer_;
  Maker make_;
};

/// A maker of verbs of class V.
template <class V>
std::unique_ptr<Verb> make_verb() {
  return std::make_unique<V>();
}

}  // namespace hstar::cli

// src/cli/verb.cpp
#include "cli/verb.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace hstar::cli {
namespace {

/// Within a function, so that it is there whichever file's entry is made first.
std::vector<VerbEntry>& registered() {
  static std::vector<VerbEntry> entries;
  return entries;
}

const char* title(VerbGroup group) {
  switch (group) {
    case VerbGroup::simulate:
      return "Simulate";
    case VerbGroup::analyse:
      return "Analyse";
    case VerbGroup::look_up:
      break;
  }
  return "Look up";
}

}  // namespace

VerbEntry::VerbEntry(VerbGroup group, std::string name, std::string about, std::string footer, Maker make)
    : group_(group),
      name_(std::move(name)),
      about_(std::move(about)),
      footer_(std::move(footer)),
      make_(std::move(make)) {
  registered().push_back(*this);
}

std::unique_ptr<Verb> VerbEntry::add_to(CLI::App& app) const {
  CLI::App* verb = app.add_subcommand(name_, about_);
  verb->group(title(group_));
  verb->footer(footer_);
  std::unique_ptr<Verb> made = make_();
  made->add_arguments(*verb);
  return made;
}

std::vector<VerbEntry> VerbEntry::all() {
  std::vector<VerbEntry> entries = registered();
  std::sort(entries.begin(), entries.end(), [](const VerbEntry& a, const VerbEntry& b) {
    return std::tie(a.group_, a.name_) < std::tie(b.group_, b.name_);
  });
  return entries;
}

}  // namespace hstar::cli

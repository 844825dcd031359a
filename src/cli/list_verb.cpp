// src/cli/list_verb.cpp
//
// `hstar list`: every name a model file may use where a choice is to be made, and every status, one line each. Names
// come from the registries and the key tables, so that what is listed is what is accepted.
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/verb.hpp"
#include "formulation/formulation.hpp"
#include "hstar/flow.hpp"
#include "hstar/impact_law.hpp"
#include "mechanism/planar/contacts.hpp"
#include "mechanism/planar/forces.hpp"
#include "mechanism/planar/joints.hpp"
#include "mechanism/spatial/contacts.hpp"
#include "mechanism/spatial/forces.hpp"
#include "mechanism/spatial/joints.hpp"
#include "model/keys.hpp"
#include "simulate/column_words.hpp"
#include "simulate/outcome.hpp"
#include "transition/event_kinds.hpp"

namespace hstar::cli {
namespace {

using Group = std::vector<std::pair<std::string, std::string>>;

/// One group of names after another, as plain lines or as tables of a page.
class Printer {
 public:
  explicit Printer(bool markdown) : markdown_(markdown) {}

  void group(std::string_view title, const Group& entries) const {
    if (markdown_) {
      fmt::print(std::cout, "\n## {}\n\n| name | |\n|---|---|\n", capital(title));
      for (const auto& [name, about] : entries) fmt::print(std::cout, "| `{}` | {} |\n", name, escaped(about));
      return;
    }
    fmt::print(std::cout, "{}\n", title);
    std::size_t wide = 0;
    for (const auto& [name, about] : entries) wide = std::max(wide, name.size());
    for (const auto& [name, about] : entries) fmt::print(std::cout, "  {:<{}}  {}\n", name, wide, about);
    fmt::print(std::cout, "\n");
  }

 private:
  static std::string capital(std::string_view title) {
    std::string text(title);
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
  }
  static std::string escaped(std::string_view about) {
    std::string text;
    for (const char c : about) text += c == '|' ? std::string("\\|") : std::string(1, c);
    return text;
  }

  bool markdown_;
};

/// The words a key of the model file accepts, each with its line from `lines`.
Group words(std::string_view section, std::string_view key, const Group& lines) {
  Group group;
  std::istringstream choices{std::string(model::section(section).find(key)->choices)};
  for (std::string word; choices >> word;) {
    const auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& entry) { return entry.first == word; });
    group.emplace_back(word, line != lines.end() ? line->second : std::string());
  }
  return group;
}

Group integrator_lines() {
  Group group;
  for (const IntegratorEntry& entry : integrators()) {
    group.emplace_back(entry.name, entry.about + " [" + entry.source + "]");
  }
  for (const IntegratorEntry& entry : further_integrators()) {
    group.emplace_back(entry.name, entry.about + " [" + entry.source + "]");
  }
  for (const IntegratorEntry& entry : second_order_integrators()) {
    group.emplace_back(entry.name, entry.about + " [" + entry.source + "]");
  }
  for (const IntegratorAlias& alias : integrator_aliases())
    group.emplace_back(alias.name,
                       fmt::format("{} is used{}{}", alias.target, alias.why.empty() ? "" : ": ", alias.why));
  return group;
}

Group dae_integrator_lines() {
  Group group;
  for (const DaeIntegratorEntry& entry : dae_integrators()) {
    std::string forms;
    for (const FormulationEntry& f : formulations())
      if (f.dae && entry.solves(*f.dae)) forms += (forms.empty() ? "" : ", ") + std::string(f.name);
    group.emplace_back(entry.name, entry.about + " [" + entry.source + "; formulation " + forms + "]");
  }
  return group;
}

Group formulation_lines() {
  Group group;
  for (const FormulationEntry& entry : formulations()) {
    group.emplace_back(entry.name, std::string(entry.about) + " [" + std::string(entry.source) + "]");
  }
  return group;
}

template <typename Entries>
Group typed_lines(const Entries& entries) {
  Group group;
  for (const auto& entry : entries) group.emplace_back(entry.type, entry.about);
  return group;
}

Group contact_lines() {
  Group group;
  for (const ContactEntry& entry : planar_contacts()) {
    group.emplace_back(std::string(entry.first) + " - " + std::string(entry.second), entry.about);
  }
  return group;
}

Group spatial_contact_lines() {
  constexpr const char* kinds[] = {"round point", "edge", "face"};
  Group group;
  for (const SpatialContactEntry& entry : spatial_contacts())
    group.emplace_back(
        std::string(kinds[static_cast<int>(entry.first)]) + " - " + kinds[static_cast<int>(entry.second)], entry.about);
  return group;
}

Group impact_law_lines() {
  Group group;
  for (const ImpactLawEntry& law : impact_laws())
    group.emplace_back(law.name, std::string(law.about) + " [" + std::string(law.source) + "]");
  return group;
}

Group status_lines() {
  Group group;
  for (const RunStatusEntry& entry : run_statuses()) group.emplace_back(entry.name, entry.about);
  return group;
}

Group event_kind_lines() {
  Group group;
  for (const EventKindEntry& entry : event_kinds()) group.emplace_back(entry.name, entry.about);
  return group;
}

std::string with_unit(std::string_view about, std::string_view unit, std::string_view turning = {}) {
  if (unit.empty()) return std::string(about);
  return fmt::format("{} [{}{}{}]", about, unit, turning.empty() ? "" : " or ", turning);
}

Group body_column_lines() {
  Group group;
  for (const BodyColumnEntry& entry : body_column_words())
    group.emplace_back(entry.name, with_unit(entry.about, entry.unit) + (entry.spatial ? "; in space" : ""));
  return group;
}

Group asked_column_lines() {
  Group group;
  for (const AskedColumnEntry& entry : asked_column_words())
    group.emplace_back(entry.name, with_unit(entry.about, entry.unit));
  return group;
}

Group column_lines() {
  Group group;
  for (const ColumnEntry& entry : column_words())
    group.emplace_back(entry.name,
                       with_unit(entry.about, entry.unit, entry.turning_unit) + "; " + std::string(name(entry.owner)));
  return group;
}

void print_names(bool markdown) {
  const Printer print(markdown);
  if (markdown)
    fmt::print(std::cout,
               "# Names\n\nEvery word that a model file or a result may hold, as the program has them: "
               "`hstar list --markdown` prints this page.\n");
  print.group("integrators ([simulation] integrator)", integrator_lines());
  print.group("integrators of constrained equations", dae_integrator_lines());
  print.group("formulations ([simulation] formulation)", formulation_lines());
  print.group("joints and drivers ([[joint]] type)", typed_lines(planar_joints()));
  print.group("forces ([[force]] type)", typed_lines(planar_forces()));
  print.group("joints and drivers in space (dimension = 3)", typed_lines(spatial_joints()));
  print.group("forces in space (dimension = 3)", typed_lines(spatial_forces()));
  print.group("contacts ([[contact]] between, two shapes)", contact_lines());
  print.group("contacts in space, between parts of planes, spheres, points, capsules, boxes, hulls",
              spatial_contact_lines());
  print.group("friction laws (friction law)",
              words("friction", "law",
                    {{"coulomb", "mu_kinetic N while sliding, up to mu_static N while stuck"},
                     {"stribeck", "mu falls from mu_static to mu_kinetic with the sliding speed"},
                     {"viscous", "a force in proportion to the sliding speed; never sticks"},
                     {"table", "mu from rows [speed, mu], linear between them"}}));
  print.group("impact laws ([[contact]] impact_law)", impact_law_lines());
  print.group("how a run ends (status; docs/ended-early.md)", status_lines());
  print.group("kinds of events (events.csv kind; also the words that guards give themselves)", event_kind_lines());
  print.group("columns of bodies (body.name)", body_column_lines());
  print.group("columns that formulas ask for (element.name)", asked_column_lines());
  print.group("columns of joints, contacts and the mechanism (element.name); measures and states have their own",
              column_lines());
}

class ListVerb final : public Verb {
 public:
  void add_arguments(CLI::App& app) override { app.add_flag("--markdown", markdown_, "as the page docs/names.md"); }
  int run() override {
    print_names(markdown_);
    return 0;
  }

 private:
  bool markdown_ = false;
};

const VerbEntry list_entry(VerbGroup::look_up, "list", "integrators, formulations, laws and elements, one line each",
                           "Example:\n  hstar list", make_verb<ListVerb>);

}  // namespace
}  // namespace hstar::cli

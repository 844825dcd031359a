// src/cli/list_verb.cpp
//
// `hstar list`: every name a model file may use where a choice is to be made, and every status, one line each. Names
// come from the registries and the key tables, so that what is listed is what is accepted.
#include <fmt/core.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/verbs.hpp"
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
#include "simulate/outcome.hpp"

namespace hstar::cli {
namespace {

using Group = std::vector<std::pair<std::string, std::string>>;

void print_group(std::string_view title, const Group& entries) {
  fmt::print(std::cout, "{}\n", title);
  std::size_t wide = 0;
  for (const auto& [name, about] : entries) wide = std::max(wide, name.size());
  for (const auto& [name, about] : entries) fmt::print(std::cout, "  {:<{}}  {}\n", name, wide, about);
  fmt::print(std::cout, "\n");
}

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
    const std::string forms = entry.index3 ? "index3" : "ggl, index1";
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

}  // namespace

int list_verb() {
  print_group("integrators ([simulation] integrator)", integrator_lines());
  print_group("integrators of constrained equations", dae_integrator_lines());
  print_group("formulations ([simulation] formulation)", formulation_lines());
  print_group("joints and drivers ([[joint]] type)", typed_lines(planar_joints()));
  print_group("forces ([[force]] type)", typed_lines(planar_forces()));
  print_group("joints and drivers in space (dimension = 3)", typed_lines(spatial_joints()));
  print_group("forces in space (dimension = 3)", typed_lines(spatial_forces()));
  print_group("contacts ([[contact]] between, two shapes)", contact_lines());
  print_group("contacts in space, between parts of planes, spheres, points, capsules, boxes, hulls",
              spatial_contact_lines());
  print_group("friction laws (friction law)",
              words("friction", "law",
                    {{"coulomb", "mu_kinetic N while sliding, up to mu_static N while stuck"},
                     {"stribeck", "mu falls from mu_static to mu_kinetic with the sliding speed"},
                     {"viscous", "a force in proportion to the sliding speed; never sticks"},
                     {"table", "mu from rows [speed, mu], linear between them"}}));
  print_group("impact laws ([[contact]] impact_law)", impact_law_lines());
  print_group("how a run ends (status; docs/ended-early.md)", status_lines());
  return 0;
}

}  // namespace hstar::cli

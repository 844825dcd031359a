// src/analysis/equilibrium_report.cpp: an equilibrium in words and as JSON.
#include "analysis/analysis_text.hpp"
#include "hstar/equilibrium.hpp"
#include "record/json_writer.hpp"

namespace hstar {
namespace {

std::string stability_words(const EquilibriumResult& r) {
  if (r.stability == "held") return "held: nothing is left that could move while friction holds";
  if (r.stability == "stable") return "stable: every freedom has positive stiffness";
  if (r.stability == "indifferent") return "indifferent: a freedom has no stiffness";
  if (r.stability == "flutter") return "unstable: oscillations grow (flutter)";
  return "unstable: a freedom has negative stiffness";
}

std::string end_text(double value, bool bounded) {
  return bounded ? short_number(value) : "unbounded (searched to " + short_number(value) + ")";
}

std::string range_text(double least, double largest) {
  if (least == largest) return "";
  return "  in [" + short_number(least) + ", " + short_number(largest) + "]";
}

}  // namespace

std::string equilibrium_text(const EquilibriumResult& r) {
  std::string text = r.found ? (r.held_by_friction ? "at rest where it is, held by friction\n" : "equilibrium\n")
                             : "no equilibrium: " + r.why + "\n";
  text += fmt::format("\n{:<24}{:>20}{:>20}\n", "", "estimate", r.found ? "equilibrium" : "best");
  for (std::size_t i = 0; i < r.names.size(); ++i)
    text += fmt::format("{:<24}{:>20.12g}{:>20.12g} {}\n", r.names[i], r.estimate[i], r.coordinates[i], r.units[i]);
  if (r.found) {
    text += "\n" + stability_words(r) + "\n";
    if (!r.stiffness.empty()) {
      text += "  stiffness over mass [1/s^2]:";
      for (const double k : r.stiffness) text += " " + short_number(k);
      text += "\n";
    }
  }
  if (!r.elements.empty()) text += "\ncontacts and friction\n";
  for (const ElementAtRest& e : r.elements) {
    text += fmt::format("  {:<20} {}\n", e.element, e.mode);
    if (e.mode == "open") continue;
    text += "    normal      " + short_number(e.normal) + range_text(e.normal_least, e.normal_largest) + "\n";
    if (e.mode != "closed")
      text +=
          "    tangential  " + short_number(e.tangential) + range_text(e.tangential_least, e.tangential_largest) + "\n";
    for (const FrictionAtRest& f : e.friction)
      text += fmt::format("      {}        ", f.name) + short_number(f.value) + range_text(f.least, f.largest) + "\n";
    if (e.mode == "closed" || e.mode.starts_with("stick")) text += "    reserve     " + short_number(e.reserve) + "\n";
  }
  if (!r.reactions.empty()) text += "\nreactions on the second body\n";
  for (const auto& [name, value] : r.reactions) text += fmt::format("  {:<22}{:>20.12g}\n", name, value);
  if (!r.intervals.empty()) text += "\nat rest for\n";
  for (const RestInterval& i : r.intervals) {
    text += fmt::format("  {} from {} to {}{}\n", i.name, end_text(i.least, i.bounded_below),
                        end_text(i.largest, i.bounded_above), i.unit.empty() ? "" : " " + i.unit);
    if (!i.below.empty()) text += "    below: " + i.below + "\n";
    if (!i.above.empty()) text += "    above: " + i.above + "\n";
  }
  for (const std::string& notice : r.notices) text += "notice: " + notice + "\n";
  return text;
}

std::string equilibrium_json(const EquilibriumResult& r) {
  record::JsonWriter json;
  json.open("", '{');
  json.item("found", r.found);
  if (!r.found) json.item("why", r.why);
  json.item("held_by_friction", r.held_by_friction);
  json.open("coordinates", '{');
  for (std::size_t i = 0; i < r.names.size(); ++i) json.item(r.names[i], r.coordinates[i]);
  json.close('}');
  json.item("stability", r.stability);
  json.open("stiffness", '[');
  for (const double k : r.stiffness) json.item("", k);
  json.close(']');
  json.open("elements", '[');
  for (const ElementAtRest& e : r.elements) {
    json.open("", '{');
    json.item("element", e.element);
    json.item("mode", e.mode);
    json.item("normal", e.normal);
    json.item("normal_least", e.normal_least);
    json.item("normal_largest", e.normal_largest);
    json.item("tangential", e.tangential);
    if (e.friction.empty()) {
      json.item("tangential_least", e.tangential_least);
      json.item("tangential_largest", e.tangential_largest);
    } else {
      json.open("friction", '{');
      for (const FrictionAtRest& f : e.friction) {
        json.item(f.name, f.value);
        json.item(f.name + "_least", f.least);
        json.item(f.name + "_largest", f.largest);
      }
      json.close('}');
    }
    json.item("reserve", e.reserve);
    json.close('}');
  }
  json.close(']');
  json.open("reactions", '{');
  for (const auto& [name, value] : r.reactions) json.item(name, value);
  json.close('}');
  json.open("intervals", '[');
  for (const RestInterval& i : r.intervals) {
    json.open("", '{');
    json.item("name", i.name);
    json.item("unit", i.unit);
    json.item("at", i.at);
    json.item("least", i.least);
    json.item("bounded_below", i.bounded_below);
    json.item("below", i.below);
    json.item("largest", i.largest);
    json.item("bounded_above", i.bounded_above);
    json.item("above", i.above);
    json.close('}');
  }
  json.close(']');
  json.open("notices", '[');
  for (const std::string& notice : r.notices) json.item("", notice);
  json.close(']');
  json.close('}');
  return json.text() + "\n";
}

}  // namespace hstar

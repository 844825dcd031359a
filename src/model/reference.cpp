// src/model/reference.cpp
#include "hstar/model_reference.hpp"

#include <fmt/core.h>
#include <algorithm>

#include "hstar/expression.hpp"
#include "model/keys.hpp"
#include "model/nearest.hpp"

namespace hstar {
namespace {

using model::KeySpec;
using model::Kind;
using model::Scope;
using model::SectionSpec;

std::string scope_mark(Scope scope) {
  switch (scope) {
    case Scope::constant:
      return "";
    case Scope::time:
      return " (t)";
    case Scope::place:
      return " (q)";
    case Scope::measured:
      return " (m)";
    case Scope::element:
      return " (e)";
    case Scope::reaction:
      return " (r)";
  }
  return "";
}

std::string value_text(const KeySpec& key) {
  const std::string range = key.range.text().empty() ? "" : " " + key.range.text();
  switch (key.kind) {
    case Kind::text:
      return "text";
    case Kind::name:
      return "name";
    case Kind::word: {
      if (key.choices.empty()) return "word";
      std::string words;
      for (const std::string& word : words_of(key.choices)) words += (words.empty() ? "`" : ", `") + word + "`";
      return words;
    }
    case Kind::boolean:
      return "true or false";
    case Kind::integer:
      return "whole number" + range;
    case Kind::number:
      return "number" + range;
    case Kind::pair:
      return "[x, y]";
    case Kind::bounds:
      return "[lo, hi]";
    case Kind::vector:
      return "[x, y]";
    case Kind::tensor:
      return "[a, b, c] or three rows";
    case Kind::triple:
      return "[x, y, z]";
    case Kind::triples:
      return "[[x, y, z], ...]";
    case Kind::formulas3:
      return "[x, y, z] of formulas" + scope_mark(key.scope);
    case Kind::texts:
      return "[text, ...]";
    case Kind::numbers:
      return "[a, b, ...]";
    case Kind::matrix:
      return "[[a, b, ...], ...]";
    case Kind::formula_list:
      return "[a, b, ...] of formulas" + scope_mark(key.scope);
    case Kind::pairs:
      return "[[a, b], ...]";
    case Kind::formula:
      return "formula" + scope_mark(key.scope) + range;
    case Kind::formulas:
      return "[x, y] of formulas" + scope_mark(key.scope);
    case Kind::body:
      return "body";
    case Kind::bodies:
      return "[\"a\", \"b\"]";
    case Kind::table:
      return "table";
    case Kind::tables:
      return "two tables";
    case Kind::resets:
      return "{ state = formula (m) }";
  }
  return "";
}

std::string default_text(const KeySpec& key) {
  if (key.standard == model::required) return "required";
  return key.standard.empty() ? "" : fmt::format("`{}`", key.standard);
}

std::string section_text(const SectionSpec& s) {
  std::string text = fmt::format("### {}\n\n{}\n\n",
                                 s.header.front() == '[' || s.header.find('=') != std::string_view::npos
                                     ? fmt::format("`{}`", s.header)
                                     : std::string(s.header),
                                 s.about);
  if (s.keys.empty()) return text;
  const bool typed = std::any_of(s.keys.begin(), s.keys.end(), [](const KeySpec& k) { return !k.types.empty(); });
  text += typed ? "| key | value | unit | default | for | meaning |\n|---|---|---|---|---|---|\n"
                : "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const KeySpec& k : s.keys) {
    const std::string alias = k.alias.empty() ? "" : fmt::format(" (or `{}`)", k.alias);
    std::string about(k.about);
    for (std::size_t i = about.find('|'); i != std::string::npos; i = about.find('|', i + 2))
      about.replace(i, 1, "\\|");
    text += fmt::format("| `{}`{} | {} | {} | {} | ", k.name, alias, value_text(k), k.unit, default_text(k));
    if (typed) text += k.types.empty() ? "all | " : joined(words_of(k.types), ", ") + " | ";
    text += about + " |\n";
  }
  return text + "\n";
}

}  // namespace

std::string model_reference_markdown() {
  std::string text;
  for (const SectionSpec& s : model::sections()) text += section_text(s);
  text +=
      "### What formulas may use\n\n"
      "| mark | a formula may use, besides parameters |\n|---|---|\n"
      "| none | nothing: the value is a constant |\n"
      "| (t) | `t` |\n"
      "| (q) | `t`; the coordinates `body.x .y`, and `.angle` of bodies with inertia or motion, of one or two bodies "
      "|\n"
      "| (m) | `t`; states; `body.x .y .vx .vy`, and `.angle .omega` of bodies with inertia or motion; `spring.length "
      ".rate`; `contact.impacts .closed .stuck`, `joint.stuck` (with friction); `contact.gap .gap_velocity` of a "
      "contact at one point "
      "or a stop; with dimension = 3 `body.x .y .z .e0 "
      ".e1 .e2 .e3 .vx .vy .vz`, the angular velocity in body axes `.wx "
      ".wy "
      ".wz` and in global ones `.omega_x .omega_y .omega_z`; `spring.angle` of a rotational spring; `joint.slide "
      ".slide_rate` along and `.angle .angle_rate` about the axis of a joint that leaves them free (revolute, "
      "cylindrical, translational, screw, point_on_line; of a universal joint `.angle1 .angle2` and their rates), "
      "angles over whole turns |\n"
      "| (e) | as (m), and the element's own `length` and `rate` |\n"
      "| (r) | as (m), and `body.ax .ay .alpha`; `joint.fx .fy .torque`; `joint.normal .tangential .slip_velocity` "
      "(with friction); "
      "`contact.slip_velocity .normal .tangential`; `spring.force`; `energy`; "
      "with dimension = 3 `body.ax .ay .az .alpha_x .alpha_y .alpha_z`; `joint.fx .fy .fz .tx .ty .tz`, "
      "`contact.slip_x .slip_y .slip_z .fx .fy .fz`, global axes (`.tangential`, `.slip_velocity` are sizes where it "
      "slides in several directions) |\n\n"
      "Operators, loosest first: `a ? b : c`, `||`, `&&`, `< <= > >= == !=`, `+ -`, `* /`, unary `- + !`, `^` (right "
      "associative, binds tighter than unary minus). Constants `pi`, `e`, and units: `mm`, `ms`, `deg`, `rpm`. "
      "Functions: ";
  std::string functions;
  for (const std::string& f : Expression::function_names()) functions += (functions.empty() ? "`" : ", `") + f + "`";
  return text + functions + ".\n";
}

}  // namespace hstar

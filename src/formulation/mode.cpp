// src/formulation/mode.cpp: modes in words.
#include "formulation/mode.hpp"

#include "mechanism/system.hpp"

namespace hstar {

bool skims(const System& system, const Mode& mode, int unit) {
  const FrictionUnit& u = system.frictions[static_cast<std::size_t>(unit)];
  return u.contact >= 0 && mode.closed[static_cast<std::size_t>(u.contact)] == skimming && u.law.viscous() > 0;
}

std::string friction_mode_text(const System& system, const Mode& mode, int unit) {
  const auto u = static_cast<std::size_t>(unit);
  if (system.frictions[u].directions > 1 && mode.friction[u].slide == Slide::slip) return "slip";
  return friction_mode_text(mode.friction[u]);
}

std::string friction_mode_text(const FrictionMode& m) {
  switch (m.slide) {
    case Slide::stick:
      return "stick";
    case Slide::slip:
      return m.direction > 0 ? "slip+" : "slip-";
    case Slide::none:
      break;
  }
  return "free";
}

std::string contact_mode_text(const System& system, const Mode& mode, int contact) {
  const auto c = static_cast<std::size_t>(contact);
  if (!mode.closed[c]) return "open";
  const int unit = system.contact_friction[c];
  std::string text = unit < 0 ? "closed" : friction_mode_text(system, mode, unit);
  if (!system.is_spatial()) return text;
  for (std::size_t u = 0; u < system.frictions.size(); ++u)
    if (system.frictions[u].contact == contact && mode.friction[u].slide == Slide::slip) {
      if (system.frictions[u].part == FrictionPart::rolling) text += ",roll";
      if (system.frictions[u].part == FrictionPart::spinning) text += ",spin";
    }
  return text;
}

std::string unit_name(const System& system, int unit) {
  const FrictionUnit& u = system.frictions[unit];
  if (u.joint >= 0) return system.joints[u.joint]->name;
  const std::string& name = system.contacts[u.contact]->name;
  return u.part == FrictionPart::sliding ? name : name + (u.part == FrictionPart::rolling ? ".rolling" : ".spinning");
}

std::string mode_text(const System& system, const Mode& mode) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "/") + part; };
  for (const int unit : system.joint_friction)
    if (unit >= 0) add(friction_mode_text(system, mode, unit));
  for (std::size_t c = 0; c < system.contacts.size(); ++c) add(contact_mode_text(system, mode, static_cast<int>(c)));
  return text.empty() ? "smooth" : text;
}

}  // namespace hstar

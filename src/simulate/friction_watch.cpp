// src/simulate/friction_watch.cpp
#include "simulate/friction_watch.hpp"

#include "mechanism/short_number.hpp"

namespace hstar {

FrictionWatch::FrictionWatch(const System& system) : system_(system) {
  for (const FrictionUnit& unit : system.frictions) {
    if (unit.part != FrictionPart::sliding) continue;
    const std::string owner = unit.joint >= 0 ? "joint \"" + system.joints[unit.joint]->name
                                              : "contact \"" + system.contacts[unit.contact]->name;
    const auto watch = [&](const std::optional<BoundExpression>& e, const char* key, const char* of) {
      if (e && !e->constant) watched_.push_back({owner + "\"", key, of, &*e});
    };
    watch(unit.mu_static_formula, "mu_static", "");
    watch(unit.mu_kinetic_formula, "mu_kinetic", "");
    watch(unit.normal_force, "normal_force", " N");
  }
  if (watches()) system.prepare(kin_);
}

void FrictionWatch::look(double t, std::span<const double> y) {
  if (!watches()) return;
  system_.update(kin_, t, y.data());
  std::erase_if(watched_, [&](const Watched& w) {
    const double value = evaluate(*w.formula, kin_);
    if (!(value < 0)) return false;
    notices_.push_back(w.owner + ": friction." + w.key + " is negative, " + short_number(value, 4) + w.unit +
                       " at t = " + short_number(t, 6) +
                       " s; friction takes it as 0: write max(0, ...) if that is meant");
    return true;
  });
}

}  // namespace hstar

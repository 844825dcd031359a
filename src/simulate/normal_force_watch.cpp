// src/simulate/normal_force_watch.cpp
#include "simulate/normal_force_watch.hpp"

#include "mechanism/short_number.hpp"

namespace hstar {

NormalForceWatch::NormalForceWatch(const ModelSpec& model) {
  const auto add = [&](const auto& joints) {
    for (const auto& j : joints)
      if (j.friction && j.friction->normal_force && !j.friction->normal_force->is_constant())
        watched_.push_back({j.name, &*j.friction->normal_force});
  };
  add(model.joints);
  add(model.spatial.joints);
}

void NormalForceWatch::look(double t) {
  std::erase_if(watched_, [&](const Watched& w) {
    const double force = w.normal_force->value(&t);  // of t alone
    if (!(force < 0)) return false;
    notices_.push_back("joint \"" + w.joint + "\": friction.normal_force is negative, " + short_number(force, 4) +
                       " N at t = " + short_number(t, 6) + " s; friction takes it as 0: write max(0, ...) if that is " +
                       "meant");
    return true;
  });
}

}  // namespace hstar

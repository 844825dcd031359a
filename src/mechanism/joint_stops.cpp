// src/mechanism/joint_stops.cpp
#include "mechanism/joint_stops.hpp"

#include <cmath>

#include "mechanism/short_number.hpp"

namespace hstar {

std::vector<JointStop> joint_stops(const std::string& joint, std::span<const LimitsSpec> limits) {
  std::vector<JointStop> stops;
  for (const LimitsSpec& l : limits) {
    const std::string prefix = joint + (l.coordinate == 0 ? "." : ".second_");
    if (std::isfinite(l.lower)) stops.push_back({prefix + "lower", &l, false});
    if (std::isfinite(l.upper)) stops.push_back({prefix + "upper", &l, true});
  }
  return stops;
}

std::string StopsJoint::refusal(double gap) const {
  const char* unit = turning_ ? " rad" : " m";
  return "joint \"" + joint_ + "\": it starts at " + short_number(place_ + sign_ * gap) + unit +
         ", beyond its limit of " + short_number(place_) + unit + "; move the bodies or the limits";
}

std::string start_refusal(const Contact& contact, double gap) {
  if (const auto* stop = dynamic_cast<const StopsJoint*>(&contact)) return stop->refusal(gap);
  return "contact \"" + contact.name + "\": initial gap is " + short_number(gap) +
         " m, it must be >= 0; move the bodies apart";
}

}  // namespace hstar

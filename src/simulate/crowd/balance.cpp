// src/simulate/crowd/balance.cpp
#include "simulate/crowd/balance.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism/short_number.hpp"

namespace hstar::crowd {

RunBalance::Sums RunBalance::sums(const Crowd& crowd, double t) {
  Sums out;
  const Vec2& gravity = crowd.model().gravity;
  for (std::size_t i = 0; i < crowd.discs().size(); ++i) {
    const Disc& disc = crowd.discs()[i];
    const Motion now = crowd.motion(static_cast<int>(i), t);
    const Sum m = disc.mass;
    Sum kinetic = 0.5L * disc.inertia * disc.spin * disc.spin;
    for (std::size_t k = 0; k < 2; ++k) {
      kinetic += 0.5L * m * now.velocity[k] * now.velocity[k];
      const Sum height = m * gravity[k] * now.position[k];
      out.energy -= height;
      out.size += std::abs(height);
      out.momentum[k] += m * now.velocity[k];
      out.momentum_size += std::abs(m * now.velocity[k]);
    }
    out.energy += kinetic;
    out.size += kinetic;
    out.mass += m;
  }
  return out;
}

RunBalance::Left RunBalance::left_over(const Crowd& crowd, double t) const {
  const Sums end = sums(crowd, t);
  Left left;
  const Sum size = std::max(start_.size, end.size);
  if (size > 0) left.energy = static_cast<double>(std::abs(end.energy + loss_ - start_.energy) / size);
  Sum momentum = 0, given = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const Sum weight = start_.mass * crowd.model().gravity[k] * (static_cast<Sum>(t) - t_start_);
    momentum = std::max(momentum, std::abs(end.momentum[k] - start_.momentum[k] - weight - impulse_[k]));
    given += std::abs(weight);
  }
  const Sum all = std::max(start_.momentum_size, end.momentum_size) + given;
  if (all > 0) left.momentum = static_cast<double>(momentum / all);
  return left;
}

std::string RunBalance::told(const Crowd& crowd, double t) const {
  const Left left = left_over(crowd, t);
  return "a crowd of " + std::to_string(crowd.discs().size()) + " discs, " + std::to_string(impacts_) +
         " impacts: energy and the losses told agree to " + short_number(left.energy, 2) +
         " of their size, momentum, weight and the impulses of walls to " + short_number(left.momentum, 2) +
         "; columns of contacts, and rows and states at impacts, are left out";
}

}  // namespace hstar::crowd

// src/simulate/crowd/cluster_impact.hpp
//
// Several contacts at one instant: their bodies become a small mechanism, whose start is the impact (transition/).
#pragma once

#include <string>
#include <vector>

#include "hstar/hybrid.hpp"
#include "simulate/crowd/model_crowd.hpp"

namespace hstar::crowd {

struct ClusterImpact {
  std::vector<Flung> after;         ///< by disc of the cluster
  std::vector<EventRecord> events;  ///< as a mechanism tells them, without states
  double loss = 0;                  ///< of kinetic energy, as told [J]
  Vec2 from_walls{0, 0};            ///< the change of momentum, which walls have given [N s]
  Settled settled;                  ///< fail: there is no answer
  std::string stays;                ///< the contact with a wall that does not open, "" if there is none
};

/// The discs are at their places at the cluster's time.
[[nodiscard]] ClusterImpact strike_cluster(const ModelCrowd& model, const std::vector<Disc>& discs,
                                           const Cluster& cluster);

}  // namespace hstar::crowd

// include/hstar/kinematics.hpp
//
// Kinematics of mechanisms whose motion the drivers determine completely: positions by Newton-Raphson on
// Phi(q, t) = 0, velocities from Phi_q v = nu, accelerations from Phi_q a = gamma, and the reactions that go
// with them (inverse dynamics).
#pragma once

#include <string>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar {

/// A time at which the constraints lose rank.
struct SingularPosition {
  double t = 0;         ///< [s]
  double t_error = 0;   ///< it lies within t +- t_error [s]
  std::string row;      ///< the constraint that depends on the others there: joint "driver" (value)
  bool passed = false;  ///< false: no motion goes on beyond it, the drivers ask for the impossible
};

struct KinematicsResult {
  std::vector<std::string> columns, units;  ///< t, positions, velocities, accelerations, reactions
  std::vector<std::vector<double>> rows;    ///< one a report time, up to the end or the last position that exists
  std::vector<SingularPosition> singular;
  std::vector<std::string> notices;  ///< what assembly moved, what is left out
  bool reached_end = false;
};

/// Analyses a fully driven mechanism over [simulation] start to end, at every `output` (0: 200 intervals).
/// Contacts and friction are left out, with a notice. @throws InputError if the drivers leave a coordinate free
/// (which one is said), or the mechanism cannot be assembled.
[[nodiscard]] KinematicsResult analyse_kinematics(const ModelSpec& model);

}  // namespace hstar

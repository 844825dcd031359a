// include/hstar/inverse.hpp
//
// Inverse dynamics: the forces and torques of drivers for the motion they prescribe. Sliding friction acts with its
// direction known from the motion. A frictional joint that stands still may carry any force inside its cone: the
// driver forces are then an interval, the range of a linear program over the friction forces.
#pragma once

#include <string>
#include <vector>

#include "hstar/kinematics.hpp"

namespace hstar {

/// A driver: a joint whose value is a formula (absolute_*, relative_*), or a distance whose length depends on time.
struct DriverForce {
  std::string driver, unit;  ///< N or N m: along the driven coordinate, positive where it increases it
};

struct InverseResult {
  std::vector<DriverForce> drivers;
  struct Row {
    double t = 0;
    bool possible = true;  ///< forces that satisfy the laws of friction exist
    /// By driver: one admissible force, and the range of all (equal where it is unique, infinite where redundant
    /// constraints may be prestressed without bound).
    std::vector<double> force, least, largest, power;
    std::string stuck;  ///< joints that friction holds at rest: "guide, pin"
  };
  std::vector<Row> rows;  ///< one a report time
  std::vector<SingularPosition> singular;
  std::vector<std::string> notices;
  bool reached_end = false;
};

/// Every degree of freedom needs a driver (as in kinematics). Contacts are left out, with a notice.
/// @throws InputError if the drivers leave a coordinate free, there is no driver, or the mechanism cannot be assembled.
[[nodiscard]] InverseResult inverse_dynamics(const ModelSpec& model);

/// The rows as CSV: t, then driver, driver.least, driver.largest, driver.power for each, then the joints that are
/// stuck.
[[nodiscard]] std::string inverse_csv(const InverseResult& result);
[[nodiscard]] std::string inverse_json(const InverseResult& result);

}  // namespace hstar

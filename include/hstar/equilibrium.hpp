// include/hstar/equilibrium.hpp
//
// Static equilibrium of a mechanism at the start time: Newton's method on the constraints with a line search on the
// work of the forces, stability by the reduced stiffness Z^T K Z. With dry friction the equilibria are a set: one state
// of rest of it, its forces and reserves, and how far each coordinate, or a parameter of the model, may go before
// something slips or opens.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar {

struct EquilibriumOptions {
  bool nearest = false;               ///< the nearest equilibrium, stable or not; otherwise downhill from the estimate
  std::vector<std::string> touching;  ///< contacts that are to be closed ("floor" means "floor.corner1" too)
  bool intervals = true;              ///< look for the intervals of coordinates
  std::vector<std::string> coordinates;  ///< of these; empty: of every coordinate that friction alone holds
  std::vector<std::string> vary;         ///< and of these parameters of the model
  /// The same model with one parameter changed; needed for `vary`.
  std::function<ModelSpec(const std::string& parameter, double value)> remake;
};

/// Values of one coordinate or parameter, everything else that friction holds kept, at which the mechanism stays at
/// rest.
struct RestInterval {
  std::string name, unit;
  double at = 0;                  ///< in the state found
  double least = 0, largest = 0;  ///< ends; where not bounded: as far as was searched
  bool bounded_below = true, bounded_above = true;
  std::string below{}, above{};  ///< what gives way there: "floor slips, wall slips"
};

/// Of friction with several directions: what it does on the second body, global axes. "fx", "fy", "fz" [N] of what
/// slides, "tx", "ty", "tz" [N m] of what turns (a couple); least and largest over all admissible forces.
struct FrictionAtRest {
  std::string name;
  double value = 0, least = 0, largest = 0;
};

/// A contact, a joint with dry friction, or the rolling or spinning friction of a contact ("ball.rolling"), at rest.
struct ElementAtRest {
  std::string element, mode;  ///< mode: "open", "closed", "stick", "slip+", "slip-"; several directions: "slip"
  double normal = 0;          ///< lambda_N or the joint's normal force [N]; pins, rolling: times the radius [N m]
  double tangential = 0;      ///< lambda_T [N], or the moment in a pin [N m]; |lambda_T| of several directions
  double reserve = 0;         ///< mu_static N - |lambda_T|; contacts without friction: lambda_N
  double normal_least = 0, normal_largest = 0;          ///< over all admissible forces, contacts only
  double tangential_least = 0, tangential_largest = 0;  ///< infinite where only prestress bounds it; of one direction
  std::vector<FrictionAtRest> friction{};               ///< of several directions
};

struct EquilibriumResult {
  bool found = false;
  std::string why;                        ///< if not found
  bool held_by_friction = false;          ///< in the position of the estimate
  std::vector<std::string> names, units;  ///< coordinates
  std::vector<double> estimate, coordinates;
  std::vector<std::pair<std::string, double>> reactions;  ///< "pin.fx": on the second body [N, N m]
  std::vector<ElementAtRest> elements;
  int freedoms = 0;               ///< of motion that neither joints nor contacts nor friction hold
  std::vector<double> stiffness;  ///< eigenvalues of Z^T K Z in the metric of Z^T M Z [1/s^2], ascending (real parts)
  std::string stability;          ///< "stable", "unstable", "indifferent", "flutter", "held"
  std::vector<RestInterval> intervals;
  std::vector<std::string> notices;
};

/// Velocities of the model are not used; moving drivers stand still at the start time. A belt keeps running.
/// Cost: dense matrices, O(n^3) an iteration. @throws InputError for models that cannot be assembled, unknown names.
[[nodiscard]] EquilibriumResult find_equilibrium(const ModelSpec& model, const EquilibriumOptions& options = {});

[[nodiscard]] std::string equilibrium_text(const EquilibriumResult& result);
[[nodiscard]] std::string equilibrium_json(const EquilibriumResult& result);

}  // namespace hstar

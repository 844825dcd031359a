// include/hstar/assemble.hpp
//
// Assembly: rough estimates of positions and velocities put onto the constraints. Of all configurations near the
// estimate the one is taken where sum (weight x change / size)^2 is least (size: the model's length, or 1 rad);
// coordinates may be kept altogether. In space the change of an orientation is the angle of the turn, and the
// coordinates of joints (hinge.angle, guide.slide) can be kept too.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar {

struct AssembleOptions {
  /// Coordinates ("crank.angle"), velocities ("crank.omega"), bodies ("crank") or in space orientations ("crank.turn")
  /// that must not move.
  std::vector<std::string> keep;
  /// Of coordinates, bodies or orientations, > 0; 1 for the others. An orientation has one weight.
  std::vector<std::pair<std::string, double>> weights;
};

struct AssembledCoordinate {
  std::string name, unit;
  double estimate = 0, assembled = 0;
  bool kept = false;
  bool moved = false;  ///< by more than round-off
};

/// A spatial body's orientation was turned.
struct AssembledTurn {
  std::string body;
  double angle = 0;              ///< [rad], > 0
  std::array<double, 3> axis{};  ///< of length 1, body axes
};

/// One step of the iteration that closes the mechanism.
struct AssemblyIterate {
  double residual = 0;              ///< of all constraints, each relative to the size of its row
  std::vector<double> coordinates;  ///< as in Assembly::coordinates
};

struct Assembly {
  std::vector<AssembledCoordinate> coordinates, velocities;
  std::vector<AssembledTurn> turns;    ///< in space: what moved, as turns
  int rows = 0, rank = 0;              ///< of the constraints
  std::vector<std::string> redundant;  ///< rows that depend on the others: joint "D" (x)
  std::vector<std::string> free;       ///< coordinates that stay free
  std::vector<std::string> notices;
  std::vector<AssemblyIterate> iterates;  ///< from the estimate to a closed configuration, before the nearest is taken
};

/// Constraints at the start time. Contacts are left out. @throws InputError for unknown names, and if the mechanism
/// cannot be closed: which joints stay open and how far, or which velocities contradict each other.
[[nodiscard]] Assembly assemble(const ModelSpec& model, const AssembleOptions& options = {});

[[nodiscard]] std::string assembly_text(const Assembly& assembly);
/// The iterates: residuals, how fast they fall, and the coordinates.
[[nodiscard]] std::string assembly_trace(const Assembly& assembly);
[[nodiscard]] std::string assembly_json(const Assembly& assembly);

}  // namespace hstar

// include/hstar/natural_modes.hpp
//
// Natural modes: the constrained equations of motion linearised about a state of rest, in the null space Z of all rows
// that hold there,
//   Z^T M Z x'' + Z^T C Z x' + Z^T K Z x = 0,
// with M, C, K from the elements' exact derivatives (K with the curvature of the constraints under their forces).
// Eigenvalues s, shapes, natural frequency |s|, damping ratio -Re s / |s|, stability.
// Closed contacts stay closed, what friction holds stays stuck; where friction slides (a belt) its forces follow the
// normal forces, and the matrices are not symmetric.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "hstar/model_spec.hpp"

namespace hstar {

struct NaturalModesOptions {
  bool given = false;                 ///< about the assembled estimate instead of an equilibrium
  bool nearest = false;               ///< about the nearest equilibrium, stable or not
  bool friction = true;               ///< false: dry friction at rest is left out and holds nothing
  std::vector<std::string> touching;  ///< contacts that are to be closed
};

struct NaturalMode {
  std::complex<double> eigenvalue;  ///< s [1/s]; of a conjugate pair the one with positive imaginary part
  double frequency = 0;             ///< |s| [rad/s]
  double damping = 0;               ///< -Re s / |s|; 0 where |s| is zero
  std::string kind;                 ///< "oscillation", "growing oscillation", "decay", "growth", "free"
  /// Amplitude of every coordinate, the largest (lengths over the model's length) being 1 and real.
  std::vector<std::complex<double>> shape;
};

struct NaturalModesResult {
  std::vector<std::string> names;             ///< of the entries of a shape: coordinates; in space displacements
                                              ///< and rotation vector in body axes: "rod.x", "rod.turn_z"
  std::vector<std::string> coordinate_names;  ///< about which
  std::vector<double> coordinates;
  int freedoms = 0;
  std::vector<NaturalMode> modes;  ///< by frequency
  std::string
      stability;  ///< "asymptotically stable", "stable", "indifferent", "unstable (divergence)", "unstable (flutter)"
  std::vector<std::string> notices;
};

/// There is no equilibrium near the estimate: the input is no mistake, the answer is that there is none.
class NoEquilibrium : public InputError {
 public:
  using InputError::InputError;
};

/// Cost: dense eigenvalue problems, O(n^3). @throws NoEquilibrium; InputError if nothing can move, or a freedom has
/// no mass.
[[nodiscard]] NaturalModesResult natural_modes(const ModelSpec& model, const NaturalModesOptions& options = {});

[[nodiscard]] std::string natural_modes_text(const NaturalModesResult& result);
[[nodiscard]] std::string natural_modes_json(const NaturalModesResult& result);

}  // namespace hstar

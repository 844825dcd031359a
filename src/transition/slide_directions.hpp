// src/transition/slide_directions.hpp
//
// Directions d_ref along which units slide straight on: no tangential acceleration is left across them. Each turns by
// what is across over the load that friction acts against; the friction of one turns the others, too, and all together
// are the fixed point that Anderson's acceleration of these turns finds (Walker and Ni 2011, SIAM J. Numer. Anal. 49).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "formulation/mode_equations.hpp"

namespace hstar {

/// Tangential acceleration of a unit, by its d_ref.
struct SlideStart {
  double along = 0, across = 0;
  std::array<double, most_directions> beside{};  ///< its part across d_ref, of size `across`
};

class SlideDirections {
 public:
  explicit SlideDirections(ModeEquations& equations);

  /// Of the equations as they are solved.
  [[nodiscard]] SlideStart start(int unit) const;
  /// Turns d_ref of `units`, which counts whatever their speed, until they go straight on, or as near to that as it
  /// comes; the equations are solved in `mode` at (t, y) with the last. `load`: by unit of these, the acceleration
  /// along d_ref without friction, > 0.
  void straighten(std::span<const int> units, std::span<const double> load, double t, const double* y,
                  const Mode& mode);

 private:
  using Numbers = std::vector<double>;
  /// What is across, relative to the load, of each unit into turn_. The largest.
  double look(std::span<const int> units, std::span<const double> load);
  void take(std::span<const int> units, const Numbers& directions);
  void read(std::span<const int> units, Numbers& directions) const;
  /// The last turn and what it has changed, into an orthonormal basis of such changes.
  void remember();

  ModeEquations& equations_;
  Numbers turn_, turn_before_, here_, before_, best_;  ///< most_directions a unit
  Numbers moved_, changed_;  ///< by columns: changes of d_ref, and of turn_, which are a basis
};

}  // namespace hstar

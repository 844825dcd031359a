// src/contact/planar.hpp
//
// Forces of the compliant contact problem (regularised.hpp) in the plane by pivoting, which needs no guess. With
// f_R = mu N + f_T, f_L = mu N - f_T and a_T = gamma_R - gamma_L the laws are a linear complementarity problem
// (Glocker & Pfeiffer 1992),
//   0 <= a_N _|_ f_N >= 0,    0 <= gamma_R _|_ f_R >= 0,    0 <= f_L _|_ gamma_L >= 0,
// solved by Lemke's method. With a covering vector d_N > mu d_T no path ends on a ray while nothing slides yet
// (docs/theory.md, section 5). Reactions of joints are made linear at the forces found before.
#pragma once

#include <vector>

#include "contact/problem.hpp"
#include "math/lcp.hpp"

namespace hstar::contact {

class Planar {
 public:
  /// Every unit has one direction.
  [[nodiscard]] static bool states(const Problem& p);
  /// Forces of a = c + (G + soft C) f into f, by row. False: none found. Cost: O(rows^3), and of the pivots.
  bool find(const Problem& p, const double* mu, double soft, double* f);
  // The basis of the forces found last, where no size decides what is at its limit.
  [[nodiscard]] bool is_known() const { return known_; }
  void forget() { known_ = false; }
  [[nodiscard]] bool presses(int contact) const { return z_[contact] > 0; }
  /// A unit that does not slide already.
  [[nodiscard]] bool is_inside(int unit) const { return z_[first_[unit]] > 0 && !(z_[first_[unit] + 1] > 0); }

 private:
  bool solve(const Problem& p, const double* mu, double soft, double* f, int path);
  void begin(const Problem& p, double soft, int path);
  /// N of a unit as a linear function of the forces near f: its constant part, and slope_.
  double normal(const Problem& p, const Unit& unit, const double* f);
  bool map_forces(const Problem& p, const double* mu, const double* f);
  void state_laws(const Problem& p, const double* mu, double soft, const double* f);

  int rows_ = 0, unknowns_ = 0;
  bool known_ = false;
  std::vector<double> whole_;  ///< rows x rows: forces that depend on forces, where there are reactions
  std::vector<double> map_;    ///< by unknown, then what is constant: forces by row
  std::vector<double> slope_, size_, rate_, M_, q_, z_, cover_;
  std::vector<int> pivot_, first_;  ///< by unit: of its unknowns
  int room_ = 0;
  math::Lemke lemke_{0};
};

}  // namespace hstar::contact

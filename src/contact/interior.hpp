// src/contact/interior.hpp
//
// Forces that satisfy laws over cones (cone_laws.hpp) by an interior-point method, which needs no guess: Newton's steps
// on r o z = sigma e with the scaling of Nesterov & Todd, W r = W^-1 z = lambda, and Mehrotra's correction
// (Vandenberghe 2010). |w_T| is linearised with the rest; where that meets a boundary of a cone before the laws hold,
// it is kept through a whole solution and taken from that for the next one (Cadoux 2009), each of which is a convex
// program.
#pragma once

#include <vector>

#include "contact/cone_laws.hpp"

namespace hstar::contact {

class Interior {
 public:
  /// Room for laws of so many entries.
  void reserve(int entries);
  /// r by entry, with laws violated by less than `solved` (tolerances.hpp) of the largest terms. False: the steps
  /// became too short. Cost: O(entries^3) a step, some ten to twenty of them. Allocates only beyond the largest problem
  /// so far.
  bool solve(const ConeLaws& laws);
  /// The first or next of the solutions with |w_T| kept: at first none, then that of the solution before.
  bool solve_kept(const ConeLaws& laws, bool first);
  [[nodiscard]] const double* r() const { return r_.data(); }
  [[nodiscard]] int steps() const { return steps_; }  ///< of the last solution

 private:
  bool follow(const ConeLaws& laws);
  void begin(const ConeLaws& laws);
  bool scale(const ConeLaws& laws);
  /// b + Q r - (z_0 - |w_T|, z_T) into off_; its largest entry, over size_.
  double find_off(const ConeLaws& laws);
  [[nodiscard]] double gap(const ConeLaws& laws) const;  ///< r . z a cone
  bool factor(const ConeLaws& laws);
  bool direct(const ConeLaws& laws);
  void aim(const ConeLaws& laws, double centre);
  [[nodiscard]] double longest(const ConeLaws& laws) const;
  void move(const ConeLaws& laws, double step);
  /// z_T / |z_T| of a cone, where |w_T| is linearised.
  void turn(const Cone& c, double* t) const;

  bool keeps_ = false;
  int steps_ = 0;
  std::vector<double> size_;  ///< by cone: root of the largest Q_ii
  double work_ = 0;           ///< largest b over that: r times it, and z over it, are of one unit
  std::vector<double> r_, z_, off_, kept_;
  std::vector<double> w_, eta_, lambda_;        ///< the scaling (math/soc.hpp)
  std::vector<double> goal_, dr_, dz_, right_;  ///< W dr + W^-1 dz, W dr, W^-1 dz
  std::vector<double> matrix_;
  std::vector<int> pivot_;
};

}  // namespace hstar::contact

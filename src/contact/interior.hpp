// src/contact/interior.hpp
//
// Forces that satisfy laws over cones (cone_laws.hpp) by an interior-point method, which needs no guess: Newton's steps
// on r o z = sigma e with the scaling of Nesterov & Todd, W r = W^-1 z = lambda, and Mehrotra's correction
// (Vandenberghe 2010). |w_T| makes the problem one that is not convex: it is linearised with the rest, and where that
// meets a boundary of a cone soon, only a part of its slope is (none of it: a convex program, Cadoux 2009).
#pragma once

#include <vector>

#include "contact/cone_laws.hpp"

namespace hstar::contact {

class Interior {
 public:
  /// Room for laws of so many entries.
  void reserve(int entries);
  /// r by entry, with laws violated by less than `solved` (tolerances.hpp) of the largest terms, and products r o z by
  /// `clearly_complementary` where steps lead there. `start`: size of the forces to begin with, of those that every
  /// contact would have alone. False: the steps became too short, or too many. Cost: O(entries^3) a factor, some ten to
  /// forty of them. Allocates only beyond the largest problem so far.
  bool solve(const ConeLaws& laws, double start = 1);
  [[nodiscard]] const double* r() const { return r_.data(); }
  [[nodiscard]] int steps() const { return steps_; }  ///< of the last solution

 private:
  void begin(const ConeLaws& laws, double start);
  bool scale(const ConeLaws& laws);
  /// b + Q r - (z_0 - |w_T|, z_T) into off_; its largest entry, over size_.
  double find_off(const ConeLaws& laws);
  [[nodiscard]] double gap(const ConeLaws& laws) const;  ///< r . z a cone
  /// The longest step of which a direction is known, into found_: with as much of the slope of |w_T| as that needs.
  double find_direction(const ConeLaws& laws, double mean, double least);
  /// A direction and its step with `turned` of that slope.
  double direction(const ConeLaws& laws, double turned, double mean, double least);
  bool factor(const ConeLaws& laws, double turned);
  bool direct(const ConeLaws& laws, double turned);
  void aim(const ConeLaws& laws, double centre);
  [[nodiscard]] double longest(const ConeLaws& laws) const;
  void move(const ConeLaws& laws, double step);
  /// The slope of |w_T| in a cone, z_T / |z_T|, times `turned`.
  void slope(const Cone& c, double turned, double* t) const;

  int steps_ = 0;
  std::vector<double> size_;  ///< by cone: root of the largest Q_ii
  double work_ = 0;           ///< largest b over that: r times it, and z over it, are of one unit
  std::vector<double> r_, z_, off_;
  std::vector<double> w_, eta_, lambda_;        ///< the scaling (math/soc.hpp)
  std::vector<double> goal_, dr_, dz_, right_;  ///< W dr + W^-1 dz, W dr, W^-1 dz
  std::vector<double> found_r_, found_z_;       ///< right_ and dz_ of the direction found
  std::vector<double> matrix_;
  std::vector<int> pivot_;
};

}  // namespace hstar::contact

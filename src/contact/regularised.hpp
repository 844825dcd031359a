// src/contact/regularised.hpp
//
// The contact problem with every row a little compliant, a = c + (G + eps C) f: an answer exists as long as nothing
// slides yet (Acary, Cadoux, Lemarechal & Malick 2011), and from large eps, where every contact stands alone, a path
// leads to small ones. One eps is a semismooth Newton method on the projections onto the cones (Alart & Curnier 1991),
// damped; block sweeps bring it near where it does not come by itself.
#pragma once

#include <array>
#include <vector>

#include "contact/interior.hpp"
#include "contact/planar.hpp"
#include "contact/problem.hpp"

namespace hstar::contact {

class Regularised {
 public:
  void reserve(int rows);
  /// Room for jumps in space.
  void reserve_space(const Problem& p) { interior_.reserve(laws_.reserve(p)); }
  /// Begins the path: no forces. `mu`: coefficient by unit, which stays the caller's.
  void begin(const Problem& p, const double* mu);
  /// Follows it to eps (of tr G / tr C). False: no solution found there.
  bool follow(double eps);
  /// Forces at eps without the path up to there, by pivoting in the plane (planar.hpp), by an interior-point method in
  /// space (interior.hpp): the path may turn back on its way, and costs more.
  /// `rough`: in space to the digits of that method where Newton's steps do not add to them.
  bool jump(double eps, bool rough = false);
  /// The next smaller eps by Newton's method from the forces that were found, which stay where it finds none.
  bool descend(double eps);
  /// And the largest force has not more than doubled since the compliance before: those have no limit.
  [[nodiscard]] bool reached(double compliance) const {
    return now_ <= 2 * compliance && !(largest_[0] > 0 && largest_[1] > 2 * largest_[0]);
  }
  [[nodiscard]] const double* force() const { return f_.data(); }
  /// Of the problem without compliance.
  [[nodiscard]] const double* rate() const { return rate_.data(); }
  /// What the rows give way, over eps: J xi of the shares (two_level.hpp).
  [[nodiscard]] const double* strain() const { return strain_.data(); }
  [[nodiscard]] int newton_steps() const { return steps_; }
  /// What the laws of this compliance project, f - a / G_ii (its length, of several rows): where the forces that were
  /// found obey them only nearly, it still tells on which side of a law they are.
  [[nodiscard]] double pushed(int row, int rows) const;
  /// Of the forces, if the last ones come from pivoting in the plane.
  [[nodiscard]] const Planar& basis() const { return planar_; }

 private:
  bool jump_in_plane(double eps);
  bool jump_in_space(double eps, bool rough);
  bool sweep_from_elsewhere(double eps);
  bool solve(double eps, int rounds);
  void soften(double eps);
  void take_rates();
  double equations(const double* f, double* F);  ///< their size, by weights
  void jacobian(const double* f);
  bool newton(int most, bool damped);
  void sweep(int times);
  [[nodiscard]] double stiff(int i, int j) const;
  /// f - a / answer of some rows, which the projection makes the force of, and its length; `answer` is the largest of
  /// these rows. At the rates of the last call of equations().
  double pushed(int row, int rows, const double* f, double& answer, Direction3& y) const;

  const Problem* p_ = nullptr;
  const double* mu_ = nullptr;
  int n_ = 0, steps_ = 0;
  double now_ = 0, soft_ = 0, unit_ = 0, scale_ = 0;
  std::array<double, 2> largest_{};  ///< force, at the compliance before and at this one
  std::vector<double> f_, rate_, strain_, a_, F_, step_, trial_, jac_, weight_, slope_, row_, kept_;
  std::vector<int> pivot_;
  Planar planar_;
  ConeLaws laws_;
  Interior interior_;
};

}  // namespace hstar::contact

// src/math/cone_path.hpp
//
// A curve from forces that are known to a solution of the problem over exact cones, for where Newton from a guess
// fails. The laws are complementary pairs in self-dual cones, for any normal force N(f),
//   lambda_N >= 0 | a_N >= 0,      x = (mu N, lambda_T) in K | y = (y_0, a_T) in K,      x o y = 0,
// which says y_0 = |a_T| and the law of Coulomb. Not convex: the limit mu N depends on the forces. With beta in 1 .. 0,
//   y = c + G f + beta b,      x_0 = mu ((1 - beta) N(f) + beta N_0),      x o y = beta m e,
// at beta = 1 is the problem of given limits (Tresca), which is convex, and b makes given forces its only solution; at
// beta = 0 it is the problem itself. The solutions form a curve from the one to the other, or to infinity. It turns
// back in places, about once in 20 contacts: it is followed by its length, not by beta, with the sign of the
// determinant telling which way is on (Allgower & Georg 1990). Steps are those of interior-point methods with the
// scaling of Nesterov & Todd, which are as long with forces that are not unique (Acary et al. 2023 use them for the
// form of De Saxce, without a curve). With W^-1 dx + W dy = q the steps of y go out, and (G + D) df is left, regular
// where G is not.
#pragma once

#include <array>
#include <vector>

#include "math/cone_problem.hpp"

namespace hstar::math {

class ConeSearch;

class ConePath {
 public:
  explicit ConePath(const ConeSearch& search) : at_(search) {}
  void reserve(int units, int rows);

  /// Starts with normal forces of a size (scaled; over 0). `wide`: how far from the curve relative to its products
  /// steps may end, 0 .. 1: small is sure, large is fast.
  bool start(double size, double wide);
  /// Goes on until beta is below; false if the curve cannot be followed further, has come back to its start or has
  /// taken `most` factorisations since the start.
  bool follow(double beta, int most);
  [[nodiscard]] const std::vector<double>& force() const { return here_.f; }  ///< scaled
  [[nodiscard]] int steps() const { return steps_; }                          ///< factorisations since the start

 private:
  static constexpr int widest = 4;
  using Pair = std::array<double, widest>;
  struct Point {
    std::vector<double> f, y0;  ///< forces; y_0 by unit
    double beta = 1;
  };
  struct Step {
    std::vector<double> df, dy0;
    double fall = 0;  ///< - d beta / beta
  };
  /// How far from the curve: the largest and the root of the sum of squares of x o y - beta m e over beta m.
  struct Distance {
    double worst, all;
  };

  [[nodiscard]] bool acts(int unit) const;  ///< slides not, with friction at all
  [[nodiscard]] double limit(int unit, double normal, double beta) const;
  void pair(int unit, double x0, const Point& point, double* x, double* y) const;
  Distance distance();
  bool matrix();
  void slide_rows(int unit, double N);
  bool stick_rows(int unit, double N);
  bool factor();
  bool turn();
  bool leap(double length);
  bool center(int most);
  void finish(double share_of_products, Step& step);
  double reach(const Step& step);
  void move(const Point& from, const Step& step, double share, Point& to) const;

  const ConeSearch& at_;
  int n_ = 0, steps_ = 0, quick_ = 0;  ///< quick_: factorisations of the last way back to the curve
  int orientation_ = 0, sign_ = 0;     ///< of the determinant: at the start, of the last matrix
  double products_ = 1, wide_ = 0.5, length_ = 1, pairs_ = 1;
  Point here_, from_, tried_;
  Step tangent_, step_;
  std::vector<double> offset_, normal_0_;    ///< b; N_0 by unit
  std::vector<double> y_, dy_, slope_;       ///< n
  std::vector<double> weight_, fall_, aim_;  ///< n: of the length; column of the fall, right-hand side of the centre
  std::vector<double> matrix_, solution_;    ///< n + 1
  std::vector<int> pivot_;
  std::vector<Pair> w_, to_center_, to_fall_;  ///< by unit
  std::vector<double> eta_, dx0_;
};

}  // namespace hstar::math

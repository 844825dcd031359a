// src/math/common_margin.hpp
//
// The point that is furthest inside several cones at once, a small second-order cone program:
//   maximise t   over x, t   with   h_k + A_k x - t w_k e_0  in  K_k,   K = { (u_0, u): |u| <= u_0 } of 1 to 4 entries.
// Primal-dual interior point with Nesterov-Todd scaling and Mehrotra's correction (Andersen, Roos & Terlaky 2003;
// Vandenberghe 2010, "The CVXOPT linear and quadratic cone program solvers"). The value is continuous in the data.
// Where the best point is not unique, it is one inside the set of best points. No heap memory up to the size reserved.
#pragma once

#include <vector>

namespace hstar::math {

class CommonMargin {
 public:
  static constexpr int widest = 4;

  void reserve(int variables, int cones);
  /// Forgets the cones; x has so many entries.
  void begin(int variables);
  /// Adds a cone of `size` entries; `weight` w_k >= 0. Returned: h_k and A_k, both zero, to be filled; the rows of A_k
  /// stand `stride` apart. Good until the next.
  struct Block {
    double* h;
    double* A;
    int stride;
  };
  Block add(int size, double weight);

  /// t; infinite if nothing bounds it, NaN if x = 0 is not inside the cones with weight 0. Good to about 1e-12 of the
  /// largest |h|. x() is where. Cost O(cones variables^2 + variables^3) a step, some 12 of them.
  double maximise();
  [[nodiscard]] const std::vector<double>& x() const { return x_; }
  [[nodiscard]] int steps() const { return steps_; }

 private:
  struct Cone {
    int size, row;
    double weight;
  };
  double start();
  bool scale_cones();
  bool factor();
  void direction();
  void correct(double center);
  [[nodiscard]] double longest_step() const;
  [[nodiscard]] double margin_here() const;

  int n_ = 0;  ///< variables and t
  int rows_ = 0, steps_ = 0;
  double size_ = 1;  ///< largest |h|
  std::vector<Cone> cone_;
  std::vector<double> a_, h_;                         ///< rows x n, the last column - w_k e_0
  std::vector<double> x_, dx_, dual_;                 ///< n, t last; dual_: c - A^T y
  std::vector<double> s_, y_, ds_, dy_, lambda_, q_;  ///< by row
  std::vector<double> w_, eta_;                       ///< scaling: by row, by cone
  std::vector<double> b_, H_;                         ///< W^-1 A; its square, factored
};

}  // namespace hstar::math

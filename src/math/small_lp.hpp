// src/math/small_lp.hpp
//
// Linear programs with few free variables and many inequalities,
//   maximise c x   subject to   A x <= b,
// by the simplex method on the dual (a tableau of as many rows as x has entries), Bland's rule (Bland 1977).
#pragma once

#include <vector>

namespace hstar::math {

enum class LpStatus : unsigned char { solved, unbounded, infeasible };

class SmallLp {
 public:
  /// `optimality`: reduced costs above -optimality count as none; the value found is off by about as much.
  explicit SmallLp(double optimality = 1e-11) : optimality_(optimality) {}
  /// A row-major rows x n. x (n) and the multipliers y (rows, >= 0) are overwritten. Allocates only for
  /// problems larger than all before. Cost O(n rows) a pivot.
  LpStatus maximise(const double* c, const double* A, const double* b, int n, int rows, double* x, double* y);

 private:
  bool pivot_until_optimal(int columns, int allowed);
  void pivot(int row, int entering, int columns);
  double optimality_;
  int n_ = 0;
  std::vector<double> table_, cost_;
  std::vector<int> basis_;
};

}  // namespace hstar::math

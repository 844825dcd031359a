// src/contact/linear_laws.hpp
//
// Forces of given statuses where no row of the problem depends on others and each unit S that slides knows its
// direction d: a_H = 0 of the held rows H and f_S = further - mu (N_0 + f_N) d are one linear system,
//   (G_HH - G_HS mu d E) f_H = -c_H - G_HS (further - mu N_0 d),    f_N = E f_H.
// Nothing is redundant then, and nothing rests by others: level 1 (two_level.hpp) asks nothing.
#pragma once

#include <vector>

#include "contact/problem.hpp"

namespace hstar::contact {

/// A unit at its limit.
struct Sliding {
  int unit, row, first;  ///< first: place of its first row among the unknowns (two_level.hpp)
  bool turns;            ///< its direction is found: along its rates, or along what it sinks
};

class LinearLaws {
 public:
  void reserve(int rows);
  /// Reads the problem. True: its rows are independent beyond doubt.
  bool begin(const Problem& p);
  /// Factors for statuses; f becomes that of no force on H. False: (nearly) singular, since what slides drags.
  bool factor(const Problem& p, const std::vector<int>& held, const std::vector<Sliding>& sliding, const Status& status,
              const double* mu, double* f);
  /// Newton's step of f, whose rates are a.
  void step(const std::vector<int>& held, const double* a, double* f);

 private:
  struct Drag {  ///< f[row] falls by mu times the rise of f[normal]
    int row, normal;
    double mu;
  };

  std::vector<Drag> drags_;
  bool whole_ = false;                                  ///< all rows are held
  std::vector<double> scaled_, whole_factor_, matrix_;  ///< scaled_: G, of diagonal 1; its Cholesky factor
  std::vector<double> scale_, x_;                       ///< scale_: 1 / sqrt(G_ii)
  std::vector<int> pivot_, place_;                      ///< place_: of a row in H
};

}  // namespace hstar::contact

// src/contact/linear_laws.hpp
//
// Forces of given statuses where the held rows H are independent and each unit S that slides knows its direction d:
// a_H = 0 and f_S = further - mu (N_0 + f_N) d are one linear system,
//   (G_HH - G_HS mu d E) f_H = -c_H - G_HS (further - mu N_0 d),    f_N = E f_H.
// Held rows that depend on each other make it singular: J_H^T z = 0 is z . (G_HH - G_HS mu d E) = 0. With their shares,
// f_H = C_H^-1 L_H xi, it is one in xi, of as many rows as there are pivots P (J = L J_P, pivoted_rows.hpp):
//   (L_H^T C_H^-1 L_H - L_S^T mu d E C_H^-1 L_H) xi = -L_P^-1 c_P - L_S^T (further - mu N_0 d).
#pragma once

#include <vector>

#include "contact/pivoted_rows.hpp"
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
  /// Factors, by `shared` pivots or for independent rows (null); f becomes that of no force on H. False: singular; or
  /// near to it, for independent rows.
  bool begin(const Problem& p, const std::vector<int>& held, const std::vector<Sliding>& sliding, const Status& status,
             const double* mu, const PivotedRows* shared, double* f);
  /// Newton's step of f, whose rates are a, and of xi (`shared`).
  void step(const Problem& p, const std::vector<int>& held, const PivotedRows* shared, const double* a, double* f,
            double* xi);

 private:
  struct Drag {  ///< f[row] falls by mu[i] times the rise of f[normal]
    int row, normal;
    double mu;
  };
  void state_rows(const Problem& p, const std::vector<int>& held);
  void state_shares(const Problem& p, const std::vector<int>& held, const PivotedRows& shared);

  std::vector<Drag> drags_;
  int m_ = 0;
  std::vector<double> matrix_, scale_, x_, rise_;  ///< scale_: of the diagonal without friction, to 1
  std::vector<int> pivot_, place_;                 ///< place_: of a row in H
};

}  // namespace hstar::contact

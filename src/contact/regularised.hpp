// src/contact/regularised.hpp
//
// The contact problem with every row a little compliant, a = c + (G + eps C) f, and its laws a little smooth: f_N a_N
// and (mu N - |f_T|) |a_T| of the size tau^2 instead of zero. An answer exists as long as nothing slides yet (Acary,
// Cadoux, Lemarechal & Malick 2011), there is one for large eps, where every contact stands alone, and from there a
// smooth path leads to small eps, or to infinity. It turns back in places: it is followed by its length, not by eps,
// and the sign of a determinant tells which way is on (Allgower & Georg 1990). The projections onto the cones are those
// of Alart & Curnier (1991), smoothed as by Chen & Harker (1993).
#pragma once

#include <vector>

#include "contact/planar.hpp"
#include "contact/problem.hpp"

namespace hstar::contact {

class Regularised {
 public:
  void reserve(int rows);
  /// Begins the path, on which tau^2 falls like eps to `power`. False: no beginning found. `mu`: coefficient
  /// by unit, which stays the caller's.
  bool begin(const Problem& p, const double* mu, double power);
  /// Follows it until eps (of tr G / tr C) is not more. False: lost on the way.
  bool follow(double eps);
  /// Forces at eps from anywhere, in the plane (planar.hpp).
  bool jump(double eps);

  /// From where it has arrived, near its end, on to eps without smoothing; this path ends there.
  bool sharpen(double eps) { return finish(eps, false); }
  /// And the compliance, by Newton steps of proximal points (Rockafellar 1976): the spring of every row is at ease with
  /// the force that it has.
  bool stiffen() { return finish(arrived_, true); }

  // Where it has arrived.
  [[nodiscard]] double eps() const { return arrived_; }  ///< infinite: nowhere
  [[nodiscard]] const double* force() const { return force_.data(); }
  /// Of the problem without compliance.
  [[nodiscard]] const double* rate() const { return rate_.data(); }
  /// What the rows give way, over eps: J xi of the shares (two_level.hpp).
  [[nodiscard]] const double* strain() const { return strain_.data(); }
  [[nodiscard]] int newton_steps() const { return steps_; }  ///< since the beginning

 private:
  /// The equations at f_ and eps = exp(-lambda) into F, and their slopes by f into matrix_; their size, over tau.
  double equations(double lambda, double* F, bool slopes);
  void contact_law(const Contact& one, double* F, bool slopes);
  void slide_law(const Unit& unit, double mu, double* F, bool slopes);
  void stick_law(const Unit& unit, double mu, double* F, bool slopes);
  void add_rate(int to, int row, double factor);
  bool factor();
  bool turn();
  bool correct(int most, double reach);
  bool newton_step();
  void fix_lambda(double lambda);
  bool finish(double eps, bool at_ease);
  void arrive();
  [[nodiscard]] double stiff(int row) const;
  [[nodiscard]] double stiffest(const Unit& unit) const;

  const Problem* p_ = nullptr;
  const double* mu_ = nullptr;
  int n_ = 0, steps_ = 0, corrections_ = 0;
  double unit_ = 1, size_ = 1, power_ = 1, arrived_ = 0;  ///< of compliance; of forces times sqrt(G_ii)
  double soft_ = 0, smooth_ = 0;                          ///< eps and tau^2 of the equations, smooth_ without unit
  double lambda_ = 0, length_ = 0;
  int sign_ = 0, onward_ = 0;                   ///< of the determinant: now, on the way on
  std::vector<double> f_, a_, at_ease_;         ///< n; at_ease_: forces without give
  std::vector<double> closed_, closing_;        ///< n, normals: 0 open to 1 closed, and its slope
  std::vector<double> weight_, tangent_;        ///< of a step's length; n + 1: by f, by lambda
  std::vector<double> F_, ahead_, from_, row_;  ///< n
  std::vector<double> matrix_, x_;              ///< (n + 1)^2; n + 1
  std::vector<double> force_, rate_, strain_;   ///< n
  std::vector<int> pivot_;
  Planar planar_;
};

}  // namespace hstar::contact

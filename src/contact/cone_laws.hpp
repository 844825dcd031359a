// src/contact/cone_laws.hpp
//
// The compliant contact problem, a = c + (G + soft C) f (regularised.hpp), over cones K = { (u_0, u): |u| <= u_0 }.
// With r = (mu f_N, f_T) and w = (a_N / mu, a_T) of every contact its laws are (De Saxce & Feng 1998)
//   r in K,   z = (w_0 + |w_T|, w_T) in K,   r o z = 0,   w = b + Q r.
// A contact without friction has a cone of one entry, r = f_N and w = a_N. Where N is given, r_0 = mu N is fixed and
// z_0 free. What slides already is no law: its force is a part of Q and b. (Its viscous part stays where its contact
// opens.)
#pragma once

#include <vector>

#include "contact/problem.hpp"

namespace hstar::contact {

/// Entries first .. first + size - 1 of r and w: of a contact's normal (< 0: N is given) and of a unit's directions.
struct Cone {
  int size = 1, first = 0;
  int normal = -1, tangent = -1;  ///< rows of the problem
  double mu = 1;                  ///< N given: mu N
  int contact = -1;

  [[nodiscard]] bool fixed() const { return normal < 0; }  ///< r_0 is
};

class ConeLaws {
 public:
  /// Room for this problem, and the entries that it has at most.
  int reserve(const Problem& p);
  /// False: two units that do not slide share one contact, or a normal force depends on other reactions. `mu` by unit.
  [[nodiscard]] static bool states(const Problem& p, const double* mu);
  /// False: as above. `p` and `mu` stay the caller's. Cost O(rows^2). Allocates only beyond the largest problem so far.
  bool state(const Problem& p, const double* mu, double soft);
  /// f by row.
  void forces(const double* r, double* f) const;

  [[nodiscard]] const std::vector<Cone>& cones() const { return cones_; }
  [[nodiscard]] int entries() const { return entries_; }
  [[nodiscard]] const double* Q(int entry) const { return Q_.data() + entry * entries_; }  ///< a row
  [[nodiscard]] double b(int entry) const { return b_[entry]; }

 private:
  void list_cones();
  void add_cone(const Cone& cone);
  void add_column(int row, double force);  ///< to the rates a_
  void slide(int contact, double force);   ///< what slides under a normal force adds its own to a_
  void store(double* to, int stride) const;

  const Problem* p_ = nullptr;
  const double* mu_ = nullptr;
  double soft_ = 0;
  int entries_ = 0;
  std::vector<Cone> cones_;
  std::vector<int> unit_of_;  ///< by contact: what does not slide, or -1
  std::vector<double> Q_, b_, a_, none_;
};

}  // namespace hstar::contact

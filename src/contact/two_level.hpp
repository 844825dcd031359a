// src/contact/two_level.hpp
//
// Forces and rates of the contact problem for given statuses, exact to round-off, by linear algebra:
//   level 0, rates:   a = 0 on the rows H that are held (loaded normals, held units), laws of slip on others
//   level 1, shares:  C f = J xi on H, with xi free: what the bodies sink if every row has a compliance eps C, eps -> 0
// Slip from rest and creeping in several directions, and normal forces that are norms, take a few Newton steps.
#pragma once

#include <vector>

#include "contact/creep_groups.hpp"
#include "contact/given_forces.hpp"
#include "contact/linear_laws.hpp"
#include "contact/pivoted_rows.hpp"
#include "contact/problem.hpp"

namespace hstar::contact {

class TwoLevel : public GivenForces {
 public:
  void reserve(int rows);
  /// True: all rows of the problem are independent, and its solutions go by linear_laws.hpp as far as they can.
  bool begin(const Problem& p);
  /// `mu`: coefficient by unit. False: singular, or no convergence. Directions in the status are found; Newton's method
  /// begins there. A unit that is at rest by nothing else than itself is made to slip where the status says creeping.
  bool solve(const Problem& p, Status& status, const double* mu);
  /// What slips from rest without a rate has no direction, and Newton's method may leave the answer with its next step:
  /// from now on the answer is kept. (Where a mode is moved; a decision finds another.)
  void keep_answers() { keeps_ = true; }
  /// Forces and J xi by row near the next solution, to begin with; else what creeps begins with the last solution.
  void guess(const Problem& p, const double* force, const double* strain);

  /// s = C f - J xi: of level 1 what a_N or a_T is of level 0, of rows that depend.
  [[nodiscard]] double sink(int row) const { return sink_[row]; }
  /// J xi by row: C times the force that would hold the row if it were held.
  [[nodiscard]] const double* strain() {
    settle();
    return strain_.data();
  }
  /// Size of the terms of a sink, for round-off.
  [[nodiscard]] double sink_size() const { return sink_size_; }
  /// The row is a combination of the held ones.
  [[nodiscard]] bool depends(int row) { return !linear_ && rows_.depends(*p_, row); }
  /// Some held rows are combinations of others.
  [[nodiscard]] bool redundant() const {
    return !linear_ && rows_.rank() < static_cast<int>(held_.size() + creeping_.size());
  }
  /// A held row whose force others could carry.
  [[nodiscard]] bool shares(int row);

 private:
  bool solve_once(const Problem& p, Status& status, const double* mu);
  /// False: the laws are not linear, or nearly singular.
  bool solve_linear(const Problem& p, const Status& status, const double* mu);
  /// A problem of one row, held or sliding under a force that it does not change, is a division: into x_. False:
  /// another problem.
  bool divide(const Problem& p, const Status& status, const double* mu);
  void settle();  ///< level 1 after linear laws, where nobody has asked for it yet
  void list_rows(const Problem& p, const Status& status);
  bool free_to_slip(const Problem& p, Status& status);
  void spread(const Problem& p);  ///< forces of the unknowns, and their rates
  void find_sinks(const Problem& p);
  /// N of a unit. (Of a contact that is loaded it may pull, beyond the end of its mode.)
  [[nodiscard]] double load(const Problem& p, const Unit& unit) const;
  void jacobian(const Problem& p, Status& status, const double* mu, bool directions);
  double pushed(const Problem& p, const Sliding& s, Hold hold, Direction3& y) const;
  /// Into the right side; its largest relative entry.
  double residual(const Problem& p, Status& status, const double* mu, bool directions);
  bool eliminate();
  void substitute();

  std::vector<int> held_, creeping_;
  PivotedRows rows_;
  CreepGroups groups_;
  std::vector<Sliding> sliding_;
  LinearLaws laws_;
  int unknowns_ = 0;
  bool curved_ = false, guessed_ = false, keeps_ = false;
  bool independent_ = false;           ///< all rows of the problem
  bool linear_ = false, due_ = false;  ///< the last solution: by linear laws; nobody has asked for its level 1 yet
  std::vector<double> sink_, strain_, slope_, jac_, x_, x_before_, step_, row_scale_, column_scale_;
  std::vector<int> pivot_;
  double sink_size_ = 0;
};

}  // namespace hstar::contact

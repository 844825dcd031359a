// src/math/cone_split.hpp
//
// The forces of contacts and units (cone_problem.hpp) of which it is known what holds: closed or open, stick, or slip
// in a given direction. Where the forces are not unique (redundant contacts that stick), the split is taken whose
// smallest slack is largest: lambda_N of closed contacts and N - |lambda_T| / mu_static of sticking units, all in
// newtons of normal force. That slack, the common margin, is what is left before something must let go: continuous in
// the data, negative if no split holds.
#pragma once

#include <vector>

#include "math/common_margin.hpp"
#include "math/cone_problem.hpp"
#include "math/shortest_solution.hpp"

namespace hstar::math {

class ConeSplit {
 public:
  void reserve(int contacts, int units, int rows);
  /// `contact_hold`, `unit_hold` by contact and unit; `direction`: of units that slip. mu_static of units that stick,
  /// mu_kinetic of those that slip. No normal force is looked for above `most` (walls that clamp bear any), unless 0.
  /// False: no forces give zero rates where they are due, or the normal force of a slipping unit is one of `parts` that
  /// these forces change; that of a sticking one is taken linear about the shortest forces, or about `near` if given.
  /// Cost: one decomposition of the rows that hold, O(n^3), and if they are redundant a small cone program.
  bool solve(const ConeProblem& problem, const ConeHold* contact_hold, const ConeHold* unit_hold,
             const Direction3* direction, double most = 0, const double* near = nullptr);

  [[nodiscard]] const std::vector<double>& force() const { return force_; }  ///< by row
  /// Smallest slack [N]; infinite if nothing is held, or if nothing bounds it and `most` does not.
  [[nodiscard]] double margin() const { return margin_; }
  [[nodiscard]] bool split() const { return free_ > 0; }  ///< the forces are not unique

 private:
  bool list_unknowns(const ConeProblem& p);
  bool solve_rows(const ConeProblem& p);
  double normal(const ConeProblem& p, const ConeUnit& u, const double* force, double* slope) const;
  void add_cones(const ConeProblem& p, double most, const double* near);
  void expand(const double* unknown, bool whole, double* force) const;

  const ConeHold *contact_hold_ = nullptr, *unit_hold_ = nullptr;
  const Direction3* direction_ = nullptr;
  int n_ = 0, m_ = 0, free_ = 0;
  double margin_ = 0;
  std::vector<char> sticking_;          ///< by contact: a unit on it sticks
  std::vector<int> unknown_, column_;   ///< rows whose force is unknown; place of a row among them, or -1
  std::vector<double> scale_, weight_;  ///< by row
  std::vector<double> known_, slide_;   ///< by row: known part of the force; slope in the normal of slide_at_
  std::vector<int> slide_at_;           ///< by row: normal row that the force is a multiple of, or -1
  std::vector<double> x_, force_, null_, slope_;
  ShortestSolution linear_;
  CommonMargin program_;
};

/// s = sqrt(G_ii) by row, one for all rows of a unit: forces times s and rates over s are comparable; and `weight`:
/// forces times it are in newtons (a moment of a unit about a contact by the radius of inertia that the scales tell).
void cone_scales(const ConeProblem& problem, double* scale, double* weight);

}  // namespace hstar::math

// src/formulation/sliding_friction.hpp
//
// Sliding friction whose normal force is a reaction: tau = -d mu N(lambda), resolved with the rows of the mode.
//
// lambda and a are affine in the sliding forces tau; Newton on tau_k = c_k N_k(lambda(tau)), which ends in one
// step where N is linear (contacts, guides) and is quadratic for pins. Islands do not touch each other: the k-th
// sliding units of all islands share one solve for their responses, and each island has a Newton iteration of its
// own. Cost and memory grow with the number of units in the largest island, not with that of the mechanism.
#pragma once

#include <vector>

#include "formulation/mode_rows.hpp"

namespace hstar {

/// Force along the row of a unit that slides or is viscous: known + coefficient |reaction|, its lever included.
struct SlideForce {
  Row row;
  std::array<double, most_directions> direction{};  ///< d
  double known = 0, coefficient = 0;
};
/// Where the motion was evaluated last. False: it has none in this mode.
bool slide_force(const ElementMotion& motion, const Mode& mode, int unit, SlideForce& force);

class SlidingFriction {
 public:
  SlidingFriction(const System& system, const ModeRows& rows);

  struct Slides {
    int unit;
    double coefficient;  ///< -d mu lever
    Row row;
    bool skims;  ///< tau is what leaves its contact no load, whatever the coefficient
    double tau = 0;
    int next = -1;   ///< in the same island
    int number = 0;  ///< among those of the island
  };
  void clear() { sliding_.clear(); }
  void add(int unit, double coefficient, const Row& row) { sliding_.push_back({unit, coefficient, row, false}); }
  void add_skimming(int unit, const Row& row) { sliding_.push_back({unit, 0, row, true}); }
  [[nodiscard]] const std::vector<Slides>& all() const { return sliding_; }
  [[nodiscard]] bool skims(int unit) const;
  /// Adds to a, by slot, and lambda, by row, without sliding friction, what tau does. False: not found, nothing added.
  bool solve(const Mode& mode, RowSolver& solver, std::vector<double>& a, std::vector<double>& lambda);

  /// Determinant of the sliding friction of a sliding unit's island in the last solution: for one contact
  /// (G_NN - d mu G_NT) / G_NN. Where it passes through zero, normal forces have a pole (Painleve 1895).
  /// 1 beside a contact that skims, whose normal force is known.
  [[nodiscard]] double regularity(int unit) const;
  /// Its island's forces come from elsewhere: where rows all but depend on each other the least multipliers have poles
  /// that forces of equally stiff contacts have not. 1 until the next solution.
  void set_regular(int unit);
  /// Of a unit of a guide: the row whose size is its normal force; -1 for others.
  [[nodiscard]] int guide_row(int unit) const { return guide_row_[unit]; }

 private:
  void reserve(std::size_t units_of_one_island);
  void link();
  /// What unit forces along the rows of what slides do; those of constant rows do the same again.
  void respond(RowSolver& solver, int most);
  bool solve_island(int island, const Mode& mode, std::vector<double>& lambda);
  [[nodiscard]] double* response_a(int number) { return response_a_.data() + number * n_; }
  [[nodiscard]] double* response_lambda(int number) { return response_lambda_.data() + number * m_; }

  const System& system_;
  const ModeRows& rows_;
  std::size_t n_, m_;  ///< slots, rows at most
  std::vector<int> guide_row_;
  std::vector<Slides> sliding_;
  std::vector<int> first_, last_, islands_;  ///< by first body of the island; those that have any
  std::vector<double> regularity_;           ///< by first body
  std::vector<double> response_a_, response_lambda_, residual_, jacobian_, lambda_base_, derivative_, zero_, load_;
  std::vector<double> asked_;  ///< the loads that were answered last, by number
  int answered_ = 0;           ///< how many, with these factors:
  unsigned factors_ = 0;
  std::vector<int> pivot_;
};

}  // namespace hstar

// src/formulation/problem_rows.hpp
//
// The rows of the contact problems (contact/problem.hpp) of all islands, of forces or of impulses: appended while the
// problems are stated, then answered by the mechanism with its bilateral rows held. The k-th rows of all islands share
// one solve, so that the cost grows with the mechanism times its largest island.
#pragma once

#include <vector>

#include "contact/problem.hpp"
#include "formulation/mode_equations.hpp"

namespace hstar {

/// The most parts that the normal force of a joint's unit has, and the most reactions in them.
constexpr int most_parts = 2, most_reactions = 6;

class ProblemRows {
 public:
  explicit ProblemRows(ModeEquations& equations);

  void clear();
  /// Begins the next island: its problem is empty, whatever is called before the next one goes on with it.
  void begin(contact::Problem& problem);
  /// c, and the size of its terms; `compliance` 1 for forces, 1 / lever^2 for moments.
  void add(const Row& row, double c, double scale, double compliance);
  /// The normal force of `unit` is the reaction of its joint. `lambda`: multipliers of all joints' rows without the
  /// forces of the problem.
  void read_reactions(const FrictionUnit& unit, const double* lambda, contact::Unit& out);
  /// G and the reactions, with the rows that the equations' factors hold. `keep`: response() of all.
  void respond(bool keep = false);

  /// By slot: what unit forces along the k-th rows of all islands do.
  [[nodiscard]] const double* response(std::size_t k) const { return response_.data() + k * load_.size(); }
  [[nodiscard]] const Row& row(std::size_t island, std::size_t k) const {
    return rows_[islands_[island].first_row + k];
  }

 private:
  struct Island {
    contact::Problem* problem;
    std::size_t first_row, first_unit, units;
  };

  ModeEquations& equations_;
  std::vector<Island> islands_;
  std::vector<Row> rows_;                   ///< by island
  std::vector<const FrictionUnit*> units_;  ///< by island: those whose normal forces are reactions
  std::vector<double> load_, zero_, lambda_, response_;
  std::vector<char> moves_;  ///< by body: the response that is looked at moves it
};

}  // namespace hstar

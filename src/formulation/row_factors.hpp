// src/formulation/row_factors.hpp
//
// Factors of the chosen rows, kept for the choices that come again: rows that never change depend on each other as they
// did, and need not be factorised anew when a mode comes back. Rows that move share one place.
#pragma once

#include <memory>
#include <vector>

#include "math/saddle.hpp"

namespace hstar {

class RowFactors {
 public:
  /// `keeps`: choices come again. Room for so many rows; mass by slot.
  RowFactors(std::vector<double> mass, int most_rows, int columns, bool keeps);

  /// From now on the rows are those that `choice` stands for, whatever its numbers mean; `constant`: they never change.
  void choose(const std::vector<int>& choice, bool constant);
  [[nodiscard]] math::SaddleSolver& solver() { return *now_->solver; }
  [[nodiscard]] const math::SaddleSolver& solver() const { return *now_->solver; }

  /// As those of the solver; nothing to do if they have been called for these rows.
  int find_redundant(const math::SaddleRow* rows, int m, double tolerance, int loose_from, double loose);
  bool factor(const math::SaddleRow* rows, int m);
  /// Where factor() has failed: without the rows that depend on others in this place. The next factor(), of another
  /// place, takes them up again unless somebody has judged meanwhile.
  bool factor_here(const math::SaddleRow* rows, int m, double tolerance, int loose_from, double loose);
  /// Factors have failed in some place since the rows were judged: at the next state that is one of the motion they
  /// must be judged again.
  [[nodiscard]] bool doubtful() const { return doubtful_; }
  /// Another number whenever the factors are other ones.
  [[nodiscard]] unsigned version() const { return version_; }

 private:
  struct Place {
    std::unique_ptr<math::SaddleSolver> solver;
    std::vector<int> choice;
    bool judged = false, factored = false;        ///< and the solver has done so since:
    unsigned judgements = 0, factorisations = 0;  ///< of the solver, then
    double tolerance = 0, loose = 0;
  };
  void make(Place& place) const;

  std::vector<double> mass_;
  int most_rows_, columns_;
  bool keeps_, constant_ = false;
  Place moving_;
  std::vector<Place> kept_;
  std::size_t next_ = 0;  ///< to give up, when all are taken
  unsigned version_ = 0;
  std::vector<char> before_;     ///< which were redundant before the judgement of one place alone,
  unsigned judgement_here_ = 0;  ///< and what the solver counts since; 0: none
  bool doubtful_ = false;
  Place* now_ = &moving_;
};

}  // namespace hstar

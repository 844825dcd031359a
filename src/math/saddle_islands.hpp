// src/math/saddle_islands.hpp
//
// Many rows, solved island by island (islands.hpp): a chain of blocks that only springs couple is n problems of
// one or two rows, not one of 2n. Islands of few rows are factorised dense in one block of memory; one with many
// rows or with redundant ones gets a SaddleSolver of its own. Cost linear in the number of islands.
#pragma once

#include <memory>
#include <vector>

#include "math/islands.hpp"
#include "math/saddle_row.hpp"

namespace hstar::math {

class SaddleSolver;

class SaddleIslands {
 public:
  /// `mass` and `inverse` as in SaddleSolver; both must live as long as this.
  SaddleIslands(const std::vector<double>& mass, const std::vector<double>& inverse, int columns = 3);
  ~SaddleIslands();

  /// Finds the islands of these rows (kept as long as the same bodies are coupled). True if there are several.
  bool split(const SaddleRow* rows, int m);
  /// As SaddleSolver's, for the rows of the last split; marks dependent rows in `redundant` (m entries).
  int find_redundant(double tolerance, int loose_from, double loose, char* redundant);
  /// `redundant` may be null: none.
  bool factor(const char* redundant);
  void solve(const double* f, const double* rhs, double* a, double* lambda, bool share);
  [[nodiscard]] double independence() const;

 private:
  [[nodiscard]] int dense_rows() const { return static_cast<int>(math::dense_rows(width_)); }
  /// A solver for one island, its bodies numbered from 1 (0: no freedom).
  struct Whole;
  struct Island {
    int first = 0, count = 0;  ///< its rows: order_[first], ...
    int root = -1;             ///< its first body; -1: rows between bodies without freedom
    std::size_t factor = 0;    ///< where its Cholesky factor begins
    bool massless = false;     ///< a coordinate without mass is among its bodies'
    bool whole = false;        ///< solved by its own SaddleSolver
    bool linked = false;       ///< that solver knows its rows
  };
  [[nodiscard]] const SaddleRow& row(const Island& i, int k) const { return rows_[order_[i.first + k]]; }
  /// Smallest pivot of the dense factorisation over its diagonal entry; 0 if it breaks down.
  double factor_dense(const Island& i);
  Whole& whole_of(Island& i);
  [[nodiscard]] bool is_massless(int body) const;

  int width_;  ///< columns by body
  const std::vector<double>&mass_, &inverse_;
  const SaddleRow* rows_ = nullptr;
  Islands joined_, none_;
  std::vector<std::array<int, 2>> pattern_;
  std::vector<Island> islands_;
  std::vector<int> order_, island_at_;  ///< rows by island; island by root body
  std::vector<double> s_, b_;
  std::vector<std::unique_ptr<Whole>> whole_;  ///< by root body
  double independence_ = 1;
  bool loose_ = false;  ///< a massless coordinate that no row holds
};

}  // namespace hstar::math

// src/transition/rank_watch.hpp
//
// Says where constraints lose rank. Near such a position, at distance s, accelerations are known to eps / s^3 only:
// error control cannot reduce that by shorter steps, creeps up to it and never arrives.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include "formulation/mode_equations.hpp"
#include "transition/tolerances.hpp"

namespace hstar {

class RankWatch {
 public:
  explicit RankWatch(std::shared_ptr<const System> system) : system_(std::move(system)) {}

  /// After an accepted step. True if hundreds of steps in a row have been next to nothing beside the longest one and
  /// describe() has something to say: of `creeping` after hundreds, of `failing` after thousands (partitions creep from
  /// farther off). Costs nothing as long as steps are of ordinary length.
  bool creeps(const Mode& mode, double t, const double* y);
  /// The part that describe() was asked for when creeps() was last true.
  [[nodiscard]] double crept() const { return crept_; }
  /// After an accepted step. True if the constraints have lost rank on it: what is independent of the rows would have
  /// changed its sign. One factorisation.
  bool passes(const Mode& mode, double t, const double* y);
  /// The part of a row that was independent after the step that passes() saw last.
  [[nodiscard]] double part() const { return part_[1]; }
  /// The rows of which less than `part` is new to the rows before them at (t, y), in a sentence; empty if there are
  /// none. Rows that depend on others exactly are redundant, which is another matter. Allocates.
  [[nodiscard]] std::string describe(const Mode& mode, double t, const double* y, double part);
  static constexpr double creeping = tolerances::creeping;  ///< the part at which error control has begun to creep
  static constexpr double failing = tolerances::failing;    ///< and at which a step may have failed for it

 private:
  std::shared_ptr<const System> system_;
  std::unique_ptr<ModeEquations> equations_;  ///< made when first asked
  double t_last_ = std::numeric_limits<double>::quiet_NaN(), longest_ = 0;
  int short_steps_ = 0;
  double crept_ = creeping;
  double t_part_[2] = {0, 0}, part_[2] = {1, 1};  ///< independence after the last two steps
  int parts_ = 0, rows_ = -1;
};

}  // namespace hstar

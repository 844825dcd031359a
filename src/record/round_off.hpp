// src/record/round_off.hpp
//
// Which recorded values are round-off: the angle of a block that never turns is 1e-16 rad, and a picture of it would
// show noise as if it were motion.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "hstar/run.hpp"

namespace hstar::record {

/// The largest values seen in each unit say what numbers of that unit were computed from, and so how large their
/// round-off is. Rates, torques and energies are also compared with what lengths, forces and the duration make of them:
/// an angular velocity with the largest velocity over the largest length. Numbers without unit have no common size;
/// each column of them is compared with itself.
class RoundOff {
 public:
  /// Units of the columns after t.
  explicit RoundOff(std::span<const std::string> units);
  /// A column of parts of a unit vector, which has no unit: computed from numbers of size 1.
  void of_unit_vector(std::size_t column) { columns_[column].unit = radian; }
  /// A row at t, in order.
  void see(double t, std::span<const double> values);
  /// Until further notice numbers are computed with what this acceleration moves in this time, too: where it cancels in
  /// a body at rest, its round-off stays.
  void falling(double acceleration, double time) {
    fall_ = acceleration * time * time, fall_speed_ = acceleration * time;
  }
  /// Forces are what is left of such a one until further notice, whatever of them has a column.
  void loaded(double force) { load_ = force; }
  /// What a few hundred operations leave of numbers of size 1.
  static constexpr double relative = 1e-13;
  /// Below this a value of the column is round-off.
  [[nodiscard]] double of(std::size_t column) const { return relative * size_of(column); }
  /// Of a quantity that is no column; 0 for a unit that no column has.
  [[nodiscard]] double of_unit(const std::string& unit) const;
  /// Size of the numbers that the column's values are computed from.
  [[nodiscard]] double size_of(std::size_t column) const;

 private:
  enum Unit : unsigned char { metre, radian, speed, spin, newton, torque, joule, other };
  static Unit unit_named(const std::string& unit);
  [[nodiscard]] double size(Unit unit) const;

  struct Column {
    Unit unit;
    double largest = 0;
  };
  std::vector<Column> columns_;
  std::map<std::string, double> others_;  ///< largest values in further units
  std::vector<double*> other_;            ///< of each column, null if its unit is named above or it has none
  double largest_[other] = {};
  double t_first_ = 0, t_last_ = 0, fall_ = 0, fall_speed_ = 0, load_ = 0;
  bool begun_ = false;
};

/// A copy in which every value that is round-off is 0: rows, events, the last state.
[[nodiscard]] RunResult without_round_off(const RunResult& result);

}  // namespace hstar::record

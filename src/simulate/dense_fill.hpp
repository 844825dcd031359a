// src/simulate/dense_fill.hpp
//
// Rows between the ends of a step where straight lines between rows would miss a column: a picture, a table and every
// reader that joins rows by lines then shows the motion and not the steps.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "record/round_off.hpp"

namespace hstar {

class DenseFill {
 public:
  using Evaluate = std::function<void(double t, std::span<double> values)>;
  using Write = std::function<void(double t, std::span<const double> values)>;

  /// What the columns are.
  struct Kinds {
    std::span<const std::string> units;  ///< of the columns after t
    std::size_t coordinates;             ///< so many of the first are q; those without unit are Euler parameters
    std::size_t states;                  ///< so many of the first are integrated; the others are computed from them
    double rtol;                         ///< of the integration
    double gravity;                      ///< [m/s^2]: what cancels to round-off in a body at rest
  };
  explicit DenseFill(const Kinds& kinds);

  /// A row that is written in any case; ranges and round-off follow it.
  void see(double t, std::span<const double> values);

  /// Writes rows between the last one seen and (t, values), in order, by halving: where both quarter points and the
  /// middle of an interval lie within half of 0.2 % of the line through its ends, it stays as it is. Nor is it halved
  /// for what is round-off, or in computed columns (the gap of a closed contact, energy) below the integration's
  /// tolerance.
  /// `load` is the largest force at t [N].
  void between(double t, std::span<const double> values, double load, const Evaluate& evaluate, const Write& write);

  /// Time from which on there were no rows in between, because what a run may add was used up; infinite: never.
  [[nodiscard]] double gave_up_at() const { return gave_up_at_; }

 private:
  struct Point {
    double t = 0;
    std::vector<double> values;
  };
  static constexpr std::size_t deepest = 12;  ///< a kink is looked for in 1/4096 of a step

  void halve(const Point& a, const Point& b, const Point* middle, std::size_t depth);
  void evaluate(Point& point, double t);
  [[nodiscard]] bool on_line(const Point& a, const Point& x, const Point& b) const;

  /// How far column i may be from a line.
  [[nodiscard]] double allowed(std::size_t i) const;

  struct Column {
    double low, high;
    bool computed;
    bool drift;  ///< an error of the integration, no motion: its course inside a step is not looked at
  };
  double rtol_, gravity_;
  std::vector<Column> columns_;
  std::vector<double> allowed_;
  record::RoundOff round_off_;
  Point last_, end_;
  std::array<std::array<Point, 3>, deepest + 1> scratch_;
  const Evaluate* evaluate_ = nullptr;
  const Write* write_ = nullptr;
  std::size_t evaluated_ = 0;  ///< numbers
  double gave_up_at_;
};

}  // namespace hstar

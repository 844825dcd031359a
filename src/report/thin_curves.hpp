// src/report/thin_curves.hpp
//
// The columns of a run with as few points as a picture of them needs: each column keeps its own points, chosen so that
// every row left out is within a tolerance of the line between its neighbours. Extremes and both sides of jumps stay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hstar::report {

/// One column, thinned while its rows come: the cone of lines that pass all rows since the last kept point ("swinging
/// door", Bristol, ISA 1990).
class ThinCurve {
 public:
  struct Point {
    std::uint32_t row;
    double t, value;
  };

  ThinCurve();
  void add(const Point& p, double tolerance);
  /// The last row is always kept.
  void finish();
  /// Chooses again from the points there are.
  void thin(double tolerance);
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

 private:
  void keep(const Point& p);
  void keep_pending();

  std::vector<Point> points_;
  Point pending_{};
  bool has_pending_ = false;
  double steepest_down_ = 0, steepest_up_ = 0;  ///< slopes from the last kept point that pass all rows since
  double low_, high_;                           ///< of finite values
};

class ThinCurves {
 public:
  /// Below round_off[i] column i does not move. No bound: 0.
  explicit ThinCurves(std::vector<double> round_off);
  void row(double t, std::span<const double> values);
  /// No more rows.
  void finish();
  /// A tolerance twice as wide for all columns.
  void coarsen();
  [[nodiscard]] double tolerance() const { return tolerance_; }  ///< of each column's range
  [[nodiscard]] const std::vector<ThinCurve>& curves() const { return curves_; }
  [[nodiscard]] std::size_t points() const;

 private:
  [[nodiscard]] double allowed(std::size_t column) const;
  std::vector<ThinCurve> curves_;
  std::vector<double> round_off_;
  std::uint32_t rows_ = 0;
  double tolerance_;
  bool finished_ = false;
};

}  // namespace hstar::report

// src/model/curve.hpp
//
// A [[table]] of a model: a polynomial on each piece between two knots. Formulas call it as a function; which piece
// holds is a switch (Op::floor of Op::position), so that no step goes across a knot.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/copy_index.hpp"

namespace hstar {

/// Between knots: constant, the last value; linear; akima, by Akima's local slopes (1970); monotone, by the slopes of
/// Fritsch and Butland (1984), which make no extremum where the knots have none.
enum class Interpolation : unsigned char { constant, linear, akima, monotone };
/// Outside of the knots: the value at the end, the knots over and over, or no value.
enum class Beyond : unsigned char { hold, periodic, error };

class Curve {
 public:
  /// At least two knots, x increasing.
  Curve(std::vector<double> x, std::vector<double> y, Interpolation form, Beyond beyond, std::string name = {});

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] double first() const { return x_.front(); }
  [[nodiscard]] double last() const { return x_.back(); }
  /// At an end of the rows, as exactly as an event is there, or beyond it, and nothing holds there.
  [[nodiscard]] bool has_no_value(double x) const;

  /// Number of the piece and the share of it that lies before x: increasing, whole at the knots. Pieces before the
  /// first knot and after the last have numbers too.
  [[nodiscard]] double position(double x) const;
  /// Rate of position() along x.
  [[nodiscard]] double position_rate(double x) const;
  /// Of the polynomial of a piece at x, also outside of the piece: the value, or a derivative.
  [[nodiscard]] double value(double x, double piece, int derivative = 0) const;
  /// Coefficients about a place: value = c[0] + c[1] u + c[2] u^2 + c[3] u^3, u = x - from.
  struct Polynomial {
    double from = 0, c[4] = {0, 0, 0, 0};
  };
  [[nodiscard]] Polynomial polynomial(double piece) const;
  [[nodiscard]] int degree() const;
  /// The largest and, between the knots, the smallest rate of position().
  [[nodiscard]] double fastest() const { return fastest_; }
  [[nodiscard]] double slowest() const { return slowest_; }

 private:
  [[nodiscard]] double pieces() const { return static_cast<double>(x_.size() - 1); }
  [[nodiscard]] double period() const { return x_.back() - x_.front(); }
  /// Whole periods before x.
  [[nodiscard]] double passed(double x) const;
  [[nodiscard]] std::size_t piece_at(double x) const;

  std::vector<double> x_;
  std::vector<Polynomial> polynomial_;
  double first_ = 0, last_ = 0;  ///< values at the ends
  double end_;                   ///< where what lies beyond begins
  double slowest_ = 0, fastest_ = 0;
  Interpolation form_;
  Beyond beyond_;
  std::string name_;
};

using Curves = std::map<std::string, std::shared_ptr<const Curve>, std::less<>>;

/// A name that stands for a formula: the output of a continuous controller. The indices of the copy that it was
/// written in are part of it.
struct NamedFormula {
  std::string text;
  CopyIndices indices;
};
using NamedFormulas = std::map<std::string, NamedFormula, std::less<>>;

/// A lookup for Expression::compile that knows tables, which formulas call as functions of one number, and named
/// formulas, too.
struct NamesAndCurves {
  std::function<std::optional<double>(std::string_view)> value;
  const Curves* curves;
  const NamedFormulas* formulas;
  std::optional<double> operator()(std::string_view name) const { return value(name); }
};

}  // namespace hstar

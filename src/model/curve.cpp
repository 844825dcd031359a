// src/model/curve.cpp
#include "model/curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
/// What is beyond = "error" allows for the round-off of x, in ulp of the ends: more than times count as one instant.
constexpr double slack_ulps = 1024;

/// Rises of the pieces, two more on each side: those of the next period, or as Akima extrapolates them.
std::vector<double> rises(const std::vector<double>& x, const std::vector<double>& y, bool periodic) {
  const std::size_t n = x.size() - 1;
  std::vector<double> m(n + 4);
  for (std::size_t i = 0; i < n; ++i) m[i + 2] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  if (periodic) {
    m[1] = m[n + 1];
    m[0] = n > 1 ? m[n] : m[n + 1];
    m[n + 2] = m[2];
    m[n + 3] = n > 1 ? m[3] : m[2];
  } else {
    m[1] = n > 1 ? 2 * m[2] - m[3] : m[2];
    m[0] = 2 * m[1] - m[2];
    m[n + 2] = n > 1 ? 2 * m[n + 1] - m[n] : m[n + 1];
    m[n + 3] = 2 * m[n + 2] - m[n + 1];
  }
  return m;
}

/// Slope at a knot; m: the rises of the two pieces before it and the two after it.
double akima_slope(const double* m) {
  const double after = std::abs(m[3] - m[2]), before = std::abs(m[1] - m[0]);
  return after + before > 0 ? (after * m[1] + before * m[2]) / (after + before) : 0.5 * (m[1] + m[2]);
}

/// A weighted harmonic mean of the rises beside the knot; 0 at an extremum of the knots.
double monotone_slope(double before, double after, double length_before, double length_after) {
  if (!(before * after > 0)) return 0;
  const double a = 2 * length_after + length_before, b = length_after + 2 * length_before;
  return (a + b) / (a / before + b / after);
}

/// At an end: the slope of the parabola through three knots, unless it turns.
double monotone_end(double rise, double next, double length, double next_length) {
  const double slope = ((2 * length + next_length) * rise - length * next) / (length + next_length);
  if (slope * rise <= 0) return 0;
  return rise * next <= 0 && std::abs(slope) > 3 * std::abs(rise) ? 3 * rise : slope;
}

std::vector<double> slopes_at_knots(const std::vector<double>& x, const std::vector<double>& y, Interpolation form,
                                    bool periodic) {
  const std::size_t n = x.size() - 1;
  const std::vector<double> m = rises(x, y, periodic);
  const auto length = [&](std::size_t i) { return x[i + 1] - x[i]; };
  std::vector<double> slope(n + 1);
  for (std::size_t i = 0; i <= n; ++i) {
    const bool end = i == 0 || i == n;
    if (form == Interpolation::akima)
      slope[i] = akima_slope(&m[i]);
    else if (!end || periodic)
      slope[i] = monotone_slope(m[i + 1], m[i + 2], length(i > 0 ? i - 1 : n - 1), length(i < n ? i : 0));
    else if (n == 1)
      slope[i] = m[2];
    else
      slope[i] = i == 0 ? monotone_end(m[2], m[3], length(0), length(1))
                        : monotone_end(m[n + 1], m[n], length(n - 1), length(n - 2));
  }
  return slope;
}

}  // namespace

Curve::Curve(std::vector<double> x, std::vector<double> y, Interpolation form, Beyond beyond, std::string name)
    : x_(std::move(x)),
      first_(y.front()),
      last_(y.back()),
      end_(x_.back()),
      form_(form),
      beyond_(beyond),
      name_(std::move(name)) {
  const double size = std::max(std::abs(x_.front()), std::abs(x_.back()));
  if (beyond == Beyond::error) end_ += slack_ulps * std::numeric_limits<double>::epsilon() * size;
  const bool cubic = form == Interpolation::akima || form == Interpolation::monotone;
  std::vector<double> slope;
  if (cubic) slope = slopes_at_knots(x_, y, form, beyond == Beyond::periodic);
  for (std::size_t i = 0; i + 1 < x_.size(); ++i) {
    Polynomial p{x_[i], {y[i], 0, 0, 0}};
    const double h = x_[i + 1] - x_[i], rise = (y[i + 1] - y[i]) / h;
    if (form == Interpolation::linear) p.c[1] = rise;
    if (cubic) {
      p.c[1] = slope[i];
      p.c[2] = (3 * rise - 2 * slope[i] - slope[i + 1]) / h;
      p.c[3] = (slope[i] + slope[i + 1] - 2 * rise) / (h * h);
    }
    polynomial_.push_back(p);
    const double rate = position_rate(x_[i]);
    slowest_ = i == 0 ? rate : std::min(slowest_, rate);
    fastest_ = std::max(fastest_, rate);
  }
}

bool Curve::has_no_value(double x) const {
  const double slack = end_ - x_.back();
  return beyond_ == Beyond::error && (x <= x_.front() + slack || x > x_.back() + 0.5 * slack);
}

int Curve::degree() const { return form_ == Interpolation::constant ? 0 : form_ == Interpolation::linear ? 1 : 3; }

double Curve::passed(double x) const {
  return beyond_ == Beyond::periodic ? std::floor((x - x_.front()) / period()) : 0.0;
}

std::size_t Curve::piece_at(double x) const {
  const auto after = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  return static_cast<std::size_t>(after - x_.begin()) - 1;
}

double Curve::position(double x) const {
  if (std::isnan(x)) return x;
  const double turns = passed(x), in = x - turns * period();
  // Beyond the ends it goes on for ever and reaches no whole number.
  if (in < x_.front()) {
    const double d = (x_.front() - in) / period();
    return turns * pieces() - d / (1 + d);
  }
  if (in >= end_ && beyond_ != Beyond::periodic) {
    const double d = (in - end_) / period();
    return pieces() + d / (1 + d);
  }
  const std::size_t i = piece_at(in);
  const double right = i + 2 == x_.size() ? end_ : x_[i + 1];
  return turns * pieces() + static_cast<double>(i) + std::min((in - x_[i]) / (right - x_[i]), 1.0);
}

double Curve::position_rate(double x) const {
  const double in = x - passed(x) * period();
  const bool before = in < x_.front();
  if (before || (in >= end_ && beyond_ != Beyond::periodic)) {
    const double d = (before ? x_.front() - in : in - end_) / period();
    return 1 / (period() * (1 + d) * (1 + d));
  }
  const std::size_t i = piece_at(in);
  return 1 / ((i + 2 == x_.size() ? end_ : x_[i + 1]) - x_[i]);
}

Curve::Polynomial Curve::polynomial(double piece) const {
  if (std::isnan(piece)) return {0, {nan_value, 0, 0, 0}};
  if (beyond_ == Beyond::periodic) {
    const double turns = std::floor(piece / pieces());
    Polynomial p = polynomial_[static_cast<std::size_t>(piece - turns * pieces())];
    p.from += turns * period();
    return p;
  }
  if (piece >= 0 && piece < pieces()) return polynomial_[static_cast<std::size_t>(piece)];
  return {0, {beyond_ == Beyond::error ? nan_value : piece < 0 ? first_ : last_, 0, 0, 0}};
}

double Curve::value(double x, double piece, int derivative) const {
  const Polynomial p = polynomial(piece);
  const double u = x - p.from;
  if (derivative == 0) return p.c[0] + u * (p.c[1] + u * (p.c[2] + u * p.c[3]));
  if (derivative == 1) return p.c[1] + u * (2 * p.c[2] + u * 3 * p.c[3]);
  return 2 * p.c[2] + u * 6 * p.c[3];
}

}  // namespace hstar

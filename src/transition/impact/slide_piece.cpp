// src/transition/impact/slide_piece.cpp
#include "transition/impact/slide_piece.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar {
namespace {

double dot(const Vector2& a, const Vector2& b) { return a[0] * b[0] + a[1] * b[1]; }

/// The root of f in (a, b), where f(a) and f(b) have different signs: Newton's method, halved where it leaves the
/// bracket.
template <class F, class D>
double root(double a, double b, const F& f, const D& slope) {
  const bool rises = f(a) < 0;
  double x = 0.5 * (a + b);
  for (int k = 0; k < 200; ++k) {
    const double value = f(x);
    if (value == 0) return x;
    (value < 0) == rises ? a = x : b = x;
    double next = x - value / slope(x);
    if (!(next > a && next < b)) next = 0.5 * (a + b);
    if (next == x || next <= a || next >= b) return next;
    const bool close = std::abs(next - x) <= std::numeric_limits<double>::epsilon() * std::abs(next);
    x = next;
    if (close) return x;
  }
  return x;
}

}  // namespace

double SlideInertia::scale() const { return std::hypot(g[0], g[1]) + mu * std::max(b[0], b[1]); }

Vector2 SlideInertia::sticking() const { return {b[0] > 0 ? -g[0] / b[0] : 0.0, b[1] > 0 ? -g[1] / b[1] : 0.0}; }

bool SlideInertia::sticks() const {
  const Vector2 t = sticking();
  return std::hypot(t[0], t[1]) <= mu;
}

Vector2 SlideInertia::leaving() const {
  // t = -mu u with g + B t = -(nu/mu) t: the t in the disc |t| <= mu that makes 1/2 t B t + g t least. |t| falls as
  // n = nu/mu grows; Newton's method on 1/|t| (More & Sorensen 1983).
  double n = 0;
  Vector2 t{0, 0};
  for (int k = 0; k < 100; ++k) {
    double bent = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      t[i] = g[i] == 0 ? 0.0 : -g[i] / (b[i] + n);
      if (t[i] != 0) bent += t[i] * t[i] / (b[i] + n);
    }
    const double size = std::hypot(t[0], t[1]);
    // (Without friction, t has no length to come to, only a direction: that of -g.)
    if (!(mu > 0)) {
      t = {-g[0], -g[1]};
      break;
    }
    const double next = std::max(0.0, n + (size / mu - 1) * size * size / bent);
    if (std::abs(next - n) <= std::numeric_limits<double>::epsilon() * next) break;
    n = next;
  }
  const double size = std::hypot(t[0], t[1]);
  return {-t[0] / size, -t[1] / size};
}

double SlidePiece::value(const Polynomial& a, double x) const {
  double sum = 0;
  for (int k = degree_; k >= 0; --k) sum = sum * x + a[k];
  return sum;
}

double SlidePiece::slope(const Polynomial& a, double x) const {
  double sum = 0;
  for (int k = degree_; k > 0; --k) sum = sum * x + k * a[k];
  return sum;
}

double SlidePiece::curvature(const Polynomial& a, double x) const {
  double sum = 0;
  for (int k = degree_; k > 1; --k) sum = sum * x + k * (k - 1) * a[k];
  return sum;
}

SlidePiece SlidePiece::straight(const SlideInertia& inertia, const SlideState& from, const Vector2& t, bool sticks,
                                double length) {
  SlidePiece piece;
  piece.degree_ = 2;
  piece.end_ = length;
  const Vector2 rate = sticks ? Vector2{0, 0} : inertia.rate(t);
  const double gap_rate = inertia.nn + dot(inertia.g, t);
  for (std::size_t i = 0; i < 2; ++i) {
    piece.w_[i][0] = from.w[i];
    piece.w_[i][1] = rate[i];
    piece.tangential_[i][0] = from.tangential[i];
    piece.tangential_[i][1] = t[i];
  }
  piece.normal_[0] = from.normal;
  piece.normal_[1] = 1;
  piece.gap_velocity_[0] = from.gap_velocity;
  piece.gap_velocity_[1] = gap_rate;
  piece.work_[0] = from.work;
  piece.work_[1] = from.gap_velocity;
  piece.work_[2] = 0.5 * gap_rate;
  return piece;
}

SlidePiece SlidePiece::turning(const SlideInertia& inertia, const SlideState& from) {
  SlidePiece piece;
  piece.degree_ = order;
  piece.turns_ = true;
  piece.g_ = inertia.g;
  Polynomial s{}, squared{};
  auto& w = piece.w_;
  for (std::size_t i = 0; i < 2; ++i) {
    w[i][0] = from.w[i];
    piece.tangential_[i][0] = from.tangential[i];
  }
  piece.normal_[0] = from.normal;
  piece.gap_velocity_[0] = from.gap_velocity;
  piece.work_[0] = from.work;
  for (std::size_t k = 0; k < order; ++k) {
    // s^2 = w . w, coefficient by coefficient.
    for (std::size_t i = 0; i <= k; ++i) squared[k] += w[0][i] * w[0][k - i] + w[1][i] * w[1][k - i];
    if (k == 0) {
      s[0] = std::hypot(w[0][0], w[1][0]);
    } else {
      s[k] = squared[k];
      for (std::size_t i = 1; i < k; ++i) s[k] -= s[i] * s[k - i];
      s[k] /= 2 * s[0];
    }
    const double next = 1 / static_cast<double>(k + 1);
    double work = 0;
    for (std::size_t i = 0; i <= k; ++i) work += piece.gap_velocity_[i] * s[k - i];
    piece.work_[k + 1] = work * next;
    piece.normal_[k + 1] = s[k] * next;
    piece.gap_velocity_[k + 1] = inertia.nn * piece.normal_[k + 1];
    for (std::size_t i = 0; i < 2; ++i) {
      piece.tangential_[i][k + 1] = -inertia.mu * w[i][k] * next;
      w[i][k + 1] = inertia.g[i] * piece.normal_[k + 1] + inertia.b[i] * piece.tangential_[i][k + 1];
      piece.gap_velocity_[k + 1] += inertia.g[i] * piece.tangential_[i][k + 1];
    }
  }
  piece.end_ = std::min(piece.step(), 4 / inertia.scale());
  const auto turned_far = [&] {
    const Vector2 to = piece.at(piece.end_).w;
    return dot(from.w, to) <= 0.5 * s[0] * std::hypot(to[0], to[1]);
  };
  while (turned_far()) piece.end_ *= 0.5;
  return piece;
}

double SlidePiece::step() const {
  // The radius of convergence as the last two coefficients tell, over e^2: the rest is then round-off at order 20.
  const double speed = std::max(std::abs(w_[0][0]), std::abs(w_[1][0]));
  double radius = std::numeric_limits<double>::infinity();
  for (const int k : {order - 1, order}) {
    const auto u = static_cast<std::size_t>(k);
    const double size = std::max(std::abs(w_[0][u]), std::abs(w_[1][u]));
    if (size > 0) radius = std::min(radius, std::pow(speed / size, 1.0 / k));
  }
  return radius * std::exp(-2.0);
}

SlideState SlidePiece::at(double x) const {
  SlideState to;
  for (std::size_t i = 0; i < 2; ++i) {
    to.w[i] = value(w_[i], x);
    to.tangential[i] = value(tangential_[i], x);
  }
  to.gap_velocity = gap_velocity(x);
  to.normal = normal(x);
  to.work = work(x);
  return to;
}

int SlidePiece::split_by_sign(std::array<double, 10>& x) const {
  int count = 2;
  x[0] = 0;
  x[1] = end_;
  const auto split = [&](const auto& f, const auto& slope_of_f) {
    for (int i = 0; i + 1 < count; ++i) {
      const double a = x[i], b = x[static_cast<std::size_t>(i) + 1];
      if (!((f(a) < 0 && f(b) > 0) || (f(a) > 0 && f(b) < 0))) continue;
      const double middle = root(a, b, f, slope_of_f);
      if (!(middle > a && middle < b)) continue;
      for (int j = count; j > i + 1; --j) x[j] = x[static_cast<std::size_t>(j) - 1];
      x[static_cast<std::size_t>(i) + 1] = middle;
      ++count;
      ++i;
    }
  };
  // The direction turns one way, by less than a right angle: it passes that of g at most once, and between that and the
  // ends d gamma_N/dp = G_NN - mu g . u is monotonic, so that gamma_N has one extremum there at most.
  if (turns_) {
    split([&](double y) { return value(w_[0], y) * g_[1] - value(w_[1], y) * g_[0]; },
          [&](double y) { return slope(w_[0], y) * g_[1] - slope(w_[1], y) * g_[0]; });
    split([&](double y) { return slope(gap_velocity_, y); }, [&](double y) { return curvature(gap_velocity_, y); });
  }
  split([&](double y) { return value(gap_velocity_, y); }, [&](double y) { return slope(gap_velocity_, y); });
  return count;
}

double SlidePiece::where(const Polynomial& a, double target, double from, double to) const {
  const auto left = [&](double x) { return value(a, x) - target; };
  if (left(from) >= 0) return from;
  if (left(to) <= 0) return to;
  return root(from, to, left, [&](double x) { return slope(a, x); });
}

}  // namespace hstar

// events/src/scan.cpp
//
// A piece is cut until each part is clear of zero, wholly within the tolerance, monotone, or has one
// extremum (which is then found). What remains is a row of places between which nothing can hide; the
// signs at these places are read in order.
#include "scan.hpp"

#include <algorithm>
#include <cmath>

namespace hstar::events::detail {
namespace {

// A crossing counts only if the guard was on its side before by this many times the proxy's error.
constexpr double kSeen = 10.0;

int sign_of(double v, double tol) { return v > tol ? 1 : v < -tol ? -1 : 0; }

}  // namespace

void Scanner::begin(std::size_t guard, Track& k, double g0, const ScanTolerances& tol) {
  k.have_root = false;
  k.last_tau = k.clear_tau = k.far_tau = k.hump_tau = 0.0;
  k.last_p = g0;
  k.hump = 0.0;
  k.crossing = k.touch = -1;
  if (k.sign == 0) k.sign = sign_of(g0, std::max({tol.g_tol, tol.lead, k.carry}));
  k.start_zero = k.sign == 0 || k.sign * g0 <= std::max(tol.g_tol, k.carry);
  if (!k.start_zero) k.leading = false;
  k.far = k.sign * g0;
  if (k.sign != 0 && k.sign * g0 < -tol.start) {
    // the known sign is wrong from the start: the state was left at once
    Candidate c;
    c.guard = guard;
    c.at_start = true;
    c.before = k.sign;
    c.hi = 0.0;
    out_.push_back(c);
    k.sign = -k.sign;
    k.far = std::fabs(g0);
    k.start_zero = k.leading = false;
    k.trend = 0;
    crossed_ = true;
  }
}

bool Scanner::may_touch(const Track& k, const Piece& p, double noise) {
  int first = 0;
  const int count = turns(p, noise, first);
  if (first == 0) return false;
  if (k.trend != 0 && first != k.trend) return true;
  if (count == 0) return false;
  // one turn away from zero (a flight over the floor) cannot come near it
  return !(count == 1 && k.sign != 0 && k.sign * first > 0);
}

double Scanner::least(const Track& k, const Piece& p) {
  double least = k.sign * p.b[0];
  for (int i = 1; i <= p.n; ++i) least = std::min(least, k.sign * p.b[i]);
  return least;
}

bool Scanner::quick(Track& k, const Piece& p, const ScanTolerances& tol, double reach) const {
  const int n = p.n;
  const double nearest = least(k, p);
  if (!(nearest > tol.eps)) return false;
  if (!(nearest > std::max(reach, kDoubt * tol.eps)) && may_touch(k, p, tol.noise)) return false;
  const int t = sign_of(p.b[n] - p.b[n - 1], tol.noise);
  skip(k, p.a + p.w, p.b[n]);
  if (t != 0) k.trend = t;
  return true;
}

void Scanner::skip(Track& k, double tau, double p) const {
  k.last_tau = k.clear_tau = tau;
  k.last_p = p;
  k.leading = k.start_zero = k.have_root = false;
  if (k.sign * p > k.far) {
    k.far = k.sign * p;
    k.far_tau = tau;
    if (k.crossing >= 0) out_[k.crossing].hi = tau;
  }
  if (k.touch >= 0) {
    out_[k.touch].hi = tau;
    k.touch = -1;
  }
}

void Scanner::once(std::size_t guard, Track& k, double g0, double g1, double root, double slope,
                   const ScanTolerances& tol) {
  guard_ = guard;
  k_ = &k;
  tol_ = &tol;
  begin(guard, k, g0, tol);
  k.root_tau = root;
  k.root_slope = slope;
  k.have_root = true;
  k.trend = -k.sign;
  cross(1.0, g1);
  k.last_tau = 1.0;
  k.last_p = g1;
}

void Scanner::scan(std::size_t guard, Track& k, const Piece& whole, const ScanTolerances& tol) {
  guard_ = guard;
  k_ = &k;
  tol_ = &tol;
  const double clear = std::max(kDoubt * tol.eps, tol.band);
  int depth = 0;
  stack_[0] = whole;
  while (depth >= 0) {
    const Piece& p = stack_[depth];
    const auto [lo, hi] = std::minmax_element(p.b.begin(), p.b.begin() + p.n + 1);
    const double end = p.a + p.w;
    if (*lo > clear || *hi < -clear) {
      const int trend = sign_of(p.b[p.n] - p.b[p.n - 1], tol.noise);
      point(end, p.b[p.n], false, 0, p);
      k.trend = trend;
      --depth;
      continue;
    }
    if (*lo >= -tol.eps && *hi <= tol.eps) {
      touchy_ = true;
      point(end, p.b[p.n], false, 0, p);
      --depth;
      continue;
    }
    int first = 0;
    const int count = turns(p, tol.noise, first);
    if (count == 0) {
      point(end, p.b[p.n], true, first, p);
      --depth;
    } else if (count == 1) {
      const double x = root_in(p, 1, first, 0.0, 1.0);
      if (x > 0.0 && x < 1.0) point(p.a + p.w * x, p.value(x), true, first, p);
      point(end, p.b[p.n], true, -first, p);
      --depth;
    } else if (depth + 1 >= kStack - 1) {
      touchy_ = true;
      point(end, p.b[p.n], true, sign_of(p.b[p.n] - p.b[0], tol.noise), p);
      --depth;
    } else {
      const Piece now = p;
      now.split(stack_[depth + 1], stack_[depth]);
      ++depth;
    }
  }
}

void Scanner::extremum() {
  Track& k = *k_;
  if (std::fabs(k.last_p) <= kDoubt * tol_->eps) touchy_ = true;
  if (k.sign == 0) return;
  const double v = k.sign * k.last_p;
  if (k.sign * k.trend > 0) {  // farthest from zero
    if (k.start_zero && v > k.hump) {
      k.hump = v;
      k.hump_tau = k.last_tau;
    }
    return;
  }
  if (v > std::max(kDoubt * tol_->eps, tol_->band)) return;
  if (k.leading && v >= 0.0) return;  // still leaving the zero it began with
  Candidate c;
  c.guard = guard_;
  c.touch = true;
  c.leading = k.leading;
  c.from_zero = k.start_zero;
  c.before = k.sign;
  c.tau = k.last_tau;
  c.lo = k.far_tau;
  c.clear = k.clear_tau;
  c.eps = kDoubt * tol_->eps;
  k.touch = static_cast<std::ptrdiff_t>(out_.size());
  out_.push_back(c);
}

void Scanner::point(double tau, double p, bool monotone, int move, const Piece& piece) {
  Track& k = *k_;
  if (monotone) {
    if (move != 0) {
      if (k.trend != 0 && move != k.trend) extremum();
      k.trend = move;
    }
    if (k.sign != 0 && k.sign * k.last_p >= 0.0 && k.sign * p < 0.0) {
      const double x =
          root_in(piece, 0, k.sign, (k.last_tau - piece.a) / piece.w, std::min(1.0, (tau - piece.a) / piece.w));
      double slope = 0.0;
      piece.value(x, &slope);
      k.root_tau = std::clamp(piece.a + piece.w * x, k.last_tau, tau);
      k.root_slope = slope / piece.w;
      k.have_root = true;
    }
  }
  // at the end of the step the value is the integrator's own: the proxy's error is no excuse there
  const double zero = tau >= 1.0 ? tol_->g_tol : tol_->eps;
  int s = sign_of(p, zero);
  // a segment that leaves zero: what is known of the side outweighs a value within the step's error
  if (k.leading && s != k.sign) s = sign_of(p, std::max(zero, tol_->lead));
  if (s != 0) {
    if (k.sign == 0) {
      k.sign = s;
      k.leading = k.start_zero = false;
      k.far = std::fabs(p);
      k.far_tau = k.clear_tau = tau;
    } else if (s == k.sign) {
      const double far_before = k.far;
      if (k.touch >= 0) out_[k.touch].hi = tau;
      const std::ptrdiff_t touch = k.touch;
      skip(k, tau, p);
      // keep following the way back from an extremum as long as it leads away from zero
      if (touch >= 0 && s * p <= far_before && k.trend * s > 0) k.touch = touch;
    } else {
      cross(tau, p);
    }
  }
  k.last_tau = tau;
  k.last_p = p;
}

void Scanner::cross(double tau, double p) {
  Track& k = *k_;
  crossed_ = true;
  // Never clearly on the side before, as far as this proxy can tell: a hump lower than its error may stand
  // between the start and this crossing (a bounce that is short against a long step).
  if (k.start_zero || k.far <= kSeen * tol_->eps) touchy_ = true;
  if (!k.have_root) {
    k.root_tau = k.last_tau;
    k.root_slope = tau > k.last_tau ? (p - k.last_p) / (tau - k.last_tau) : 0.0;
  }
  if (k.crossing >= 0 && k.far <= tol_->band) {
    // there and back, but less deep than the integrator's error: one extremum to be decided
    Candidate& c = out_[k.crossing];
    c.touch = true;
    c.at_start = c.hump = false;
    c.tau = k.far_tau;
    c.eps = tol_->eps;
    c.hi = tau;
    touchy_ = true;
    k.touch = k.crossing;
    k.crossing = -1;
  } else {
    Candidate c;
    c.guard = guard_;
    c.before = k.sign;
    c.tau = k.root_tau;
    c.slope = k.root_slope;
    c.lo = k.far_tau;
    c.hi = tau;
    c.clear = k.clear_tau;
    c.leading = k.leading;
    c.eps = tol_->eps;
    if (k.start_zero) {
      c.hump = k.hump > 0.0;
      c.at_start = !c.hump;
      if (c.hump) c.lo = k.hump_tau;
    }
    k.crossing = static_cast<std::ptrdiff_t>(out_.size());
    k.touch = -1;
    out_.push_back(c);
  }
  k.sign = -k.sign;
  k.far = std::fabs(p);
  k.far_tau = k.clear_tau = tau;
  k.leading = k.start_zero = k.have_root = false;
}

}  // namespace hstar::events::detail

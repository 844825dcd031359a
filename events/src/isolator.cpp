// events/src/isolator.cpp
//
// How a guard is settled on a subinterval, in the order tried:
//   1. it is a polynomial of degree d in y and the interpolant one of degree D in t: d D + 1 samples
//      give it exactly;
//      - and often fewer tell that it stays away from zero or crosses it once: its values at the rows of the
//        interpolant bound it;
//   2. bounds of g and of its rate over the subinterval are known and exclude zero: no root, or one at most; else it is
//      halved;
//   3. a bound L of its rate is known and |g(a)| + |g(b)| > L (b - a) between all samples: no root;
//   4. the polynomial through half the nodes, compared with the samples at the other half, measures how
//      well it is known. That residual belongs to the coarser polynomial and bounds the finer one's
//      error with a margin that grows with the smoothness (at the first level, where it is the
//      residual of a parabola at two places only, it is taken four times and only used to tell a
//      guard that is far from zero).
#include "isolator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "power_bound.hpp"
#include "row_polynomial.hpp"

namespace hstar::events::detail {
namespace {

constexpr std::size_t kBudget = 512;     // subintervals a look: beyond it the step is taken again in pieces
constexpr double kCrossingError = 1e-4;  // of the largest |g| on the subinterval, where g crosses
constexpr double kTouchError = 1e-14;    // ... where it comes near zero without
constexpr double kTouchShare = 0.1;      // ... or of the step's own error
constexpr double kReachMargin = 100.0;   // for the error of g taken from an earlier step
// a place off all nodes: an oscillation that the nested nodes all see as a slower one shows there
constexpr double kProbe = 0.2843;
constexpr double kClear = 10.0;     // times the tolerance: clear of zero at the ends of a plain crossing
constexpr double kShallow = 10.0;   // a dip this much shallower than what is left is none
constexpr double kFarStart = 0.02;  // share of its change by which such a guard is away from zero at first
constexpr int kRigorousDepth = 14;  // of halving where a rate bound is not satisfied, or bounds prove nothing
// of a step: proxy and solution cross nearer to each other, so that what the proxy does later comes later
constexpr double kClearlyLater = 0x1p-6;
constexpr int kProofs = 512;  // bounds of one guard on a step: where terms cancel throughout they prove nothing

}  // namespace

Isolator::Isolator(GuardSet& guards, std::size_t state_size, Sampler& sampler, const MonitorOptions& options)
    : guards_(guards),
      sampler_(sampler),
      options_(options),
      tables_(proxy_tables()),
      scanner_(candidates_),
      state_size_(state_size),
      boxes_(state_size) {
  const std::size_t n = guards.guard_count();
  if (pays_by_slopes(LinearBound::max_rows)) changes_.reserve(n * static_cast<std::size_t>(LinearBound::max_rows));
  list_.reserve(n);
  measured_.reserve(n);
  settled_.assign(n, 0.0);
  bound_.assign(n, 0.0);
  values_.assign(n * kNodes, 0.0);
  row_.assign(n, 0.0);
  probes_.assign(n, 0.0);
  linear_.assign(n, {});
  proofs_.assign(n, 0);
  candidates_.reserve(8 * n + 64);
  stack_.reserve(128);
}

bool Isolator::ever_exact(const Followed& f) const {
  const int degree = f.info->degree * sampler_.step().degree();
  return degree > 0 && degree <= kMaxDegree;
}

double Isolator::measured_error(int level, const double* v) const {
  const int n = level_degree(level), stride = level_stride(level), coarse = n / 2;
  const double* m = tables_.to_odd[level].data();
  double worst = 0.0;
  for (int i = 0; i < coarse; ++i) {
    double p = 0.0;
    for (int k = 0; k <= coarse; ++k) p += m[i * (coarse + 1) + k] * v[2 * k * stride];
    worst = std::max(worst, std::fabs(p - v[(2 * i + 1) * stride]));
  }
  return worst;
}

void Isolator::to_piece(int level, const double* v, const Interval& i, Piece& p) const {
  const int n = level_degree(level), stride = level_stride(level);
  const double* m = tables_.to_bernstein[level].data();
  p.n = n;
  p.a = i.a;
  p.w = i.w;
  p.b[0] = v[0];
  for (int r = 1; r < n; ++r) {
    double sum = 0.0;
    for (int k = 0; k <= n; ++k) sum += m[r * (n + 1) + k] * v[k * stride];
    p.b[r] = sum;
  }
  p.b[n] = v[kMaxDegree];
}

bool Isolator::apart(std::size_t guard, const Interval& i, int level, const double* v, bool& explained) const {
  const int n = level_degree(level), stride = level_stride(level);
  const double ta = sampler_.time(i.a), tb = sampler_.time(i.a + i.w);
  const double rate = guards_.rate_bound(guard, ta, tb);
  bool all = true;
  explained = true;
  for (int j = 0; j < n; ++j) {
    const double g = v[j * stride], h = v[(j + 1) * stride];
    const double dt = (tables_.node[(j + 1) * stride] - tables_.node[j * stride]) * (tb - ta);
    if (g * h > 0.0 && std::fabs(g) + std::fabs(h) > rate * dt) continue;
    all = false;
    // beside a change of sign the bound cannot hold; anywhere else it calls for more samples
    const auto changes = [&](int k) { return k >= 0 && k < n && v[k * stride] * v[(k + 1) * stride] <= 0.0; };
    if (!changes(j) && !changes(j - 1) && !changes(j + 1)) explained = false;
  }
  return all;
}

/// The least that sign g can be between its values at the ends of the interval, where its slope [1/s] is bounded: at
/// the meeting of the steepest lines from both. Where large terms cancel (a low flight over what moves) it tells far
/// more than the bounds of g.
double Isolator::least_by_slope(std::size_t guard, int sign, const Interval& i, const Range& slope) const {
  const double* v = values_.data() + guard * kNodes;
  const double a = sign * v[0], b = sign * v[kMaxDegree];
  const double fall = sign > 0 ? slope.lo : -slope.hi, rise = sign > 0 ? slope.hi : -slope.lo;
  if (!std::isfinite(fall) || !std::isfinite(rise)) return -std::numeric_limits<double>::infinity();
  if (fall >= 0.0) return a;
  if (rise <= 0.0) return b;
  const double length = sampler_.time(i.a + i.w) - sampler_.time(i.a);
  const double meet = std::clamp((rise * length - (b - a)) / (rise - fall), 0.0, length);
  return std::min({a, b, a + fall * meet});
}

Isolator::Proof Isolator::prove(std::size_t guard, const Followed& f, const Interval& i) {
  if (proofs_[guard] == 0 || has_boxes_ == Boxes::none) return Proof::none;
  if (has_boxes_ == Boxes::not_yet) has_boxes_ = boxes_.begin(sampler_.step()) ? Boxes::known : Boxes::none;
  if (has_boxes_ == Boxes::none) return Proof::none;
  boxes_.find(i.a, i.w, guards_.depends_on(guard));
  Range g, slope;
  if (!guards_.bounds(guard, sampler_.time(i.a), sampler_.time(i.a + i.w), boxes_.states(), boxes_.rates(), g, slope)) {
    proofs_[guard] = 0;
    return Proof::none;
  }
  --proofs_[guard];
  const double zero = f.info->g_tol;
  if (f.track.sign > 0 ? g.lo > zero : f.track.sign < 0 && g.hi < -zero) return Proof::clear;
  if (f.track.sign != 0 && least_by_slope(guard, f.track.sign, i, slope) > zero) return Proof::clear;
  if (slope.lo > 0.0 || slope.hi < 0.0 || (g.lo >= -zero && g.hi <= zero)) return Proof::once;
  return Proof::open;
}

Isolator::Verdict Isolator::judge(std::size_t guard, Followed& f, const Interval& i, int level, bool finest,
                                  bool known) {
  const bool last = finest && level == kLevels - 1;
  const int n = level_degree(level), stride = level_stride(level);
  double* v = values_.data() + guard * kNodes;
  if (known) {
    linear_piece(guard);
    v[0] = piece_.b[0];
    for (int j = 1; j < n; ++j) v[j * stride] = piece_.value(tables_.node[j * stride]);
    v[kMaxDegree] = piece_.b[piece_.n];
  }
  Track& k = f.track;
  double lowest = v[0], highest = v[0];
  for (int j = 1; j <= n; ++j) {
    lowest = std::min(lowest, v[j * stride]);
    highest = std::max(highest, v[j * stride]);
  }
  const double size = std::max(-lowest, highest);

  const int degree = known ? 1 : f.info->degree * sampler_.step().degree();
  const bool exact = degree > 0 && degree <= n;
  ScanTolerances tol;
  tol.g_tol = f.info->g_tol;
  // round-off of the coefficients, and of the sampled times on a step of a few ulp
  tol.noise = (known ? linear_[guard].noise() : 4.0 * kRoundOff * tables_.growth[level] * size) +
              2.0 * sampler_.ulp() / (i.w * sampler_.length()) * (highest - lowest);

  if (!exact && level == 0) {
    const Proof proof = prove(guard, f, i);
    if (proof == Proof::clear) {
      if (i.a == 0.0) scanner_.begin(guard, k, v[0], tol);
      scanner_.skip(k, i.a + i.w, v[kMaxDegree]);
      k.trend = 0;
      return Verdict::settled;
    }
    if (proof == Proof::open && i.depth < kRigorousDepth && !finest) return Verdict::halve;
  }
  bool rate_known = false, explained = true;
  if (!exact && bound_[guard] < std::numeric_limits<double>::infinity()) {
    rate_known = true;
    const bool known_start = k.sign != 0 && k.sign * v[0] > tol.g_tol;
    if (known_start && apart(guard, i, level, v, explained)) {
      if (i.a == 0.0) scanner_.begin(guard, k, v[0], tol);
      scanner_.skip(k, i.a + i.w, v[kMaxDegree]);
      k.trend = 0;
      return Verdict::settled;
    }
  }

  if (!known) {
    to_piece(level, v, i, piece_);
    piece_is_of_ = kNone;
  }
  double error = 0.0;
  if (!exact) {
    error = (level == 0 ? 4.0 : 1.0) * measured_error(level, v);
    if (!ever_exact(f)) error = std::max(error, std::fabs(piece_.value(kProbe) - probes_[guard]));
  }
  tol.eps = tol.g_tol + error + tol.noise;
  const bool begins = i.a == 0.0;
  // the error that the step itself has in g, guessed from earlier steps of the mode with a margin
  double reach = 0.0;
  const bool near = Scanner::may_touch(k, piece_, tol.noise);
  if (near)
    reach = f.reach_ratio < 0.0 ? std::numeric_limits<double>::infinity()
                                : kReachMargin * options_.graze_factor * f.reach_ratio * sampler_.largest_error();

  const bool measured_only = !exact && !last;
  // a guard that once needed halving in this mode is not trusted on the strength of few samples
  if (!exact && level == 0 && f.rough) return Verdict::refine;
  if (!rate_known || last) {
    if (begins && k.sign * v[0] > tol.eps) {
      const Track before = k;
      scanner_.begin(guard, k, v[0], tol);
      if (scanner_.quick(k, piece_, tol, reach)) return Verdict::settled;
      k = before;
    } else if (!begins && scanner_.quick(k, piece_, tol, reach)) {
      return Verdict::settled;
    }
  }
  if (measured_only && level == 0) return Verdict::refine;

  const Track before = k;
  const std::size_t count = candidates_.size();
  Candidate crossing_before, touch_before;
  if (k.crossing >= 0 && !begins) crossing_before = candidates_[k.crossing];
  if (k.touch >= 0 && !begins) touch_before = candidates_[k.touch];
  scanner_.reset_flags();
  // Where the step's own error matters: near an extremum towards zero, and while a segment leaves zero
  const bool leaves = k.sign == 0 || (k.leading && std::min(k.sign * lowest, k.sign * highest) < -tol.g_tol);
  double error_of_step = 0.0;
  if (near || leaves) {
    std::size_t nearest = 0;
    for (int j = 1; j <= n; ++j)
      if (std::fabs(v[j * stride]) < std::fabs(v[nearest])) nearest = static_cast<std::size_t>(j * stride);
    if (leaves && !near) nearest = kMaxDegree;
    if (!sampler_.error_of(guard, i.a + i.w * tables_.node[nearest], error_of_step)) return Verdict::failed;
    if (sampler_.largest_error() > 0.0) f.reach_ratio = error_of_step / sampler_.largest_error();
    if (near) tol.band = options_.graze_factor * error_of_step;
    if (leaves) tol.lead = std::max(error_of_step, k.carry);
  }
  if (begins) {
    const double slope = piece_.n * std::fabs(piece_.b[1] - piece_.b[0]) / (i.w * sampler_.length());
    tol.start = std::max({tol.g_tol, tol.lead, k.carry, 64.0 * kRoundOff * size, 8.0 * sampler_.ulp() * slope});
    scanner_.begin(guard, k, v[0], tol);
  }
  // A start at zero: the state and its rate are known there, so a clear slope tells an unknown side before
  // any value does. Where the slope is not clear, the proxy must be better known before it is believed.
  const double rise = piece_.n * (piece_.b[1] - piece_.b[0]);
  const double rise_error = piece_.n * (tol.noise + error + tables_.growth[level] * tol.g_tol);
  const bool vague = begins && k.start_zero && std::fabs(rise) <= rise_error;
  if (begins && k.sign == 0 && std::fabs(rise) > rise_error + tol.lead) k.sign = rise > 0.0 ? 1 : -1;
  scanner_.scan(guard, k, piece_, tol);
  if (measured_only) {
    bool good = error <= std::max(tol.g_tol, 8.0 * tol.noise);
    const bool touchy = scanner_.touchy() || vague;
    if (!good && !touchy) good = !scanner_.crossed() || error <= kCrossingError * std::ldexp(size, i.depth);
    if (!good && touchy)
      good = error <= std::max(kTouchError * std::ldexp(size, 2 * i.depth), kTouchShare * error_of_step);
    // a sample clear of zero, yet nearer to it than the proxy is known: the guard may dip between samples
    // (a short collision at the start of a long step)
    if (good && !scanner_.crossed()) {
      const double zero = std::max(tol.g_tol, begins ? tol.start : 0.0);
      for (int j = 0; j <= n && good; ++j) {
        const double size_j = std::fabs(v[j * stride]);
        good = size_j <= zero || size_j >= error;
      }
    }
    if (good && rate_known && !explained && i.depth < kRigorousDepth) good = false;
    if (!good) {
      k = before;
      candidates_.resize(count);
      if (k.crossing >= 0 && !begins) candidates_[k.crossing] = crossing_before;
      if (k.touch >= 0 && !begins) candidates_[k.touch] = touch_before;
      return Verdict::refine;
    }
  }
  return Verdict::settled;
}

Isolator::Result Isolator::interval(const Interval& i, std::vector<Followed>& followed) {
  bool halve = false;
  const bool finest = i.depth >= options_.max_depth || i.w * sampler_.length() <= 64.0 * sampler_.ulp();
  for (int level = 0; level < kLevels && !list_.empty(); ++level) {
    const int stride = level_stride(level);
    for (int j = 0; j <= kMaxDegree; j += stride) {
      if (level > 0 && j % (2 * stride) == 0) continue;
      const double x = tables_.node[j];
      const double tau = j == kMaxDegree ? i.a + i.w : i.a + i.w * x;
      if (!sampler_.on_interpolant(tau, list_, row_)) return Result::guards_failed;
      for (std::size_t m = 0; m < list_.size(); ++m) values_[list_[m] * kNodes + j] = row_[m];
    }
    if (level == 0) {
      measured_.clear();
      for (const std::size_t g : list_)
        if (!ever_exact(followed[g])) measured_.push_back(g);
      if (!measured_.empty()) {
        if (!sampler_.on_interpolant(i.a + i.w * kProbe, measured_, row_)) return Result::guards_failed;
        for (std::size_t m = 0; m < measured_.size(); ++m) probes_[measured_[m]] = row_[m];
      }
    }
    std::size_t left = 0;
    for (std::size_t m = 0; m < list_.size(); ++m) {
      const std::size_t guard = list_[m];
      const Verdict v = judge(guard, followed[guard], i, level, finest);
      if (v == Verdict::failed) return Result::guards_failed;
      if (v == Verdict::halve) {
        halve = true;
      } else if (v == Verdict::settled) {
        settled_[guard] = i.a + i.w;
        Track& k = followed[guard].track;
        k.t = sampler_.time(settled_[guard]);
        k.g = values_[guard * kNodes + kMaxDegree];
      } else {
        list_[left++] = guard;
      }
    }
    list_.resize(left);
  }
  for (const std::size_t g : list_) followed[g].rough = true;
  if (!list_.empty() || halve) {
    const double half = 0.5 * i.w;
    stack_.push_back({i.a + half, half, i.depth + 1});
    stack_.push_back({i.a, half, i.depth + 1});
  }
  return Result::ok;
}

bool Isolator::settle_by_powers(std::span<const std::size_t> enabled, std::vector<Followed>& followed) {
  const std::span<const double> terms = sampler_.step().powers();
  if (terms.empty()) return false;
  list_.clear();
  bool start_known = true;
  for (const std::size_t g : enabled) {
    if (sampler_.form(g) == nullptr) continue;
    list_.push_back(g);
    start_known = start_known && followed[g].track.t == sampler_.t0();
  }
  if (list_.empty()) return false;
  const bool all = list_.size() == enabled.size();
  if (!start_known) {
    if (!sampler_.on_interpolant(0.0, list_, row_)) return false;
    for (std::size_t m = 0; m < list_.size(); ++m) followed[list_[m]].track.g = row_[m];
  }
  if (!sampler_.on_interpolant(1.0, list_, row_)) return false;
  for (std::size_t m = 0; m < list_.size(); ++m) {
    const std::size_t g = list_[m];
    find_powers(g, terms);
    if (powers_.size() <= PowerBound::most_powers &&
        settle_power(g, {followed[g].track.g, row_[m], powers_}, followed[g]))
      continue;
    linear_[g] = LinearBound(followed[g].track.g, row_[m]);
    add_rows_of(powers_, linear_[g]);
    settle_linear(g, followed[g]);
    if (settled_[g] == 1.0) continue;
    if (judge(g, followed[g], {}, 0, false, true) != Verdict::settled) return false;
    settled_[g] = 1.0;
    followed[g].track.t = sampler_.t1();
    followed[g].track.g = row_[m];
  }
  return all;
}

void Isolator::find_powers(std::size_t guard, std::span<const double> terms) {
  const double* form = sampler_.form(guard);
  const std::span<const std::size_t> moving = sampler_.step().moving();
  const std::size_t n = moving.empty() ? state_size_ : moving.size(), count = terms.size() / n;
  powers_.assign(count, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    if (const double factor = form[moving.empty() ? i : moving[i]]; factor != 0.0)
      for (std::size_t k = 0; k < count; ++k) powers_[k] += factor * terms[k * n + i];
  powers_[0] += form[state_size_] * sampler_.length();
}

bool Isolator::settle_power(std::size_t guard, const PowerBound& g, Followed& f) {
  Track& k = f.track;
  if (g.leaves_zero(k, f.info->g_tol) || stays_away(guard, g, f)) {
    g.pass(k, sampler_.t1());
  } else {
    double root = 0.0, slope = 0.0;
    if (!ends_beyond(g.start(), g.end(), g.noise(), f)) return false;
    if ((k.leading || g.rises(k.sign)) && !is_far_start(g.start(), g.end(), k)) return false;
    if (!g.only_root(k.sign, root, slope)) return false;
    take_once(guard, f, g.start(), g.end(), root, slope);
  }
  settled_[guard] = 1.0;
  return true;
}

/// It keeps its side, and a dip is not so near to zero that it may be a graze: it is shallow, or the step's own error
/// is small beside what is left.
bool Isolator::stays_away(std::size_t guard, const PowerBound& g, const Followed& f) {
  const Track& k = f.track;
  if (k.sign == 0 || k.sign * g.start() <= k.carry) return false;
  const auto [least, dip] = g.least(k.sign);
  if (!(least > 3.0 * (f.info->g_tol + g.noise()))) return false;
  const bool turns = k.trend == -k.sign && g.rises(k.sign);
  if (!turns && least > kShallow * dip) return true;
  double error = 0.0;
  return sampler_.error_of(guard, 0.0, error) && least > kReachMargin * options_.graze_factor * error;
}

void Isolator::settle_by_rows(std::span<const std::size_t> enabled, std::vector<Followed>& followed) {
  const int degree = sampler_.step().degree();
  const std::size_t given = std::exchange(given_, kNone);
  if (degree < 1 || degree > LinearBound::max_rows) return;
  if (given != kNone) settle_linear(given, followed[given]);
  list_.clear();
  bool known = true;
  for (const std::size_t g : enabled) {
    const Followed& f = followed[g];
    if (f.info->degree != 1 || f.track.sign == 0 || g == given || settled_[g] == 1.0) continue;
    list_.push_back(g);
    known = known && f.track.t == sampler_.t0();
  }
  if (list_.empty()) return;
  if (!known) {
    if (!sampler_.on_row(-1, list_, row_)) return;
    for (std::size_t m = 0; m < list_.size(); ++m) followed[list_[m]].track.g = row_[m];
  }
  if (!sampler_.on_interpolant(1.0, list_, row_)) return;
  std::size_t left = 0;
  for (std::size_t m = 0; m < list_.size(); ++m) {
    const std::size_t g = list_[m];
    linear_[g] = LinearBound(followed[g].track.g, row_[m]);
    if (linear_[g].promising(followed[g].track) || linear_[g].crosses(followed[g].track)) list_[left++] = g;
  }
  list_.resize(left);
  if (list_.empty()) return;
  if (!(pays_by_slopes(degree) ? add_rows_by_slopes(degree, followed) : add_rows(degree, followed))) return;
  for (const std::size_t g : list_) settle_linear(g, followed[g]);
}

bool Isolator::pays_by_slopes(int degree) const {
  constexpr int few = 8;  // rows, of which Runge-Kutta methods have no more
  return degree > few && static_cast<std::size_t>(degree) > 2 * state_size_;
}

bool Isolator::add_rows(int degree, const std::vector<Followed>& followed) {
  for (int r = 1; r < degree; ++r) {
    if (!sampler_.on_row(r, list_, row_)) return false;
    for (std::size_t m = 0; m < list_.size(); ++m) linear_[list_[m]].add_row(r, row_[m] - followed[list_[m]].track.g);
  }
  return true;
}

/// Where there are many rows of few states, one evaluation a state tells how the guards depend on it. It is moved by
/// the largest of its rows, so that the round-off is that of guards at the rows.
bool Isolator::add_rows_by_slopes(int degree, const std::vector<Followed>& followed) {
  for (int r = 1; r < degree; ++r)
    if (sampler_.step().row(r).size() != state_size_) return false;
  changes_.assign(list_.size() * static_cast<std::size_t>(degree), 0.0);
  for (std::size_t j = 0; j < state_size_; ++j) {
    double move = 0.0;
    for (int r = 1; r < degree; ++r) {
      const double x = sampler_.step().row(r)[j];
      if (std::fabs(x) > std::fabs(move)) move = x;
    }
    if (move == 0.0) continue;
    if (!sampler_.on_moved(j, move, list_, row_)) return false;
    for (std::size_t m = 0; m < list_.size(); ++m) {
      const double slope = (row_[m] - followed[list_[m]].track.g) / move;
      double* changes = changes_.data() + m * static_cast<std::size_t>(degree);
      for (int r = 1; r < degree; ++r) changes[r] += slope * sampler_.step().row(r)[j];
    }
  }
  for (std::size_t m = 0; m < list_.size(); ++m)
    for (int r = 1; r < degree; ++r)
      linear_[list_[m]].add_row(r, changes_[m * static_cast<std::size_t>(degree) + static_cast<std::size_t>(r)]);
  return true;
}

const Piece& Isolator::linear_piece(std::size_t guard) {
  if (std::exchange(piece_is_of_, guard) != guard) piece_of(linear_[guard], piece_);
  return piece_;
}

void Isolator::settle_linear(std::size_t guard, Followed& f) {
  piece_is_of_ = kNone;
  if (linear_[guard].clear(f.track, f.info->g_tol) || leaves_zero(guard, f)) {
    linear_[guard].pass(f.track, sampler_.t1());
    settled_[guard] = 1.0;
  } else if (crosses_once(guard, f)) {
    settled_[guard] = 1.0;
  }
}

/// The plain beginning of a mode: the guard starts at zero, and all that follows, the first coefficient of Bernstein's
/// form left out, lies on its side.
bool Isolator::leaves_zero(std::size_t guard, const Followed& f) {
  const LinearBound& g = linear_[guard];
  const Track& k = f.track;
  const double zero = 3.0 * (f.info->g_tol + g.noise());
  if (!k.leading || k.trend == -k.sign || k.sign * g.start() < -f.info->g_tol || !(k.sign * g.end() > zero))
    return false;
  linear_piece(guard);
  return std::all_of(piece_.b.begin() + 1, piece_.b.begin() + piece_.n + 1,
                     [&](double b) { return k.sign * b > g.noise(); });
}

/// It begins clearly on its side, and ends clearly on the other.
bool Isolator::ends_beyond(double g0, double g1, double noise, const Followed& f) {
  const Track& k = f.track;
  if (!(k.sign * g0 > k.carry && k.sign * g1 < 0.0)) return false;
  tol_ = {};
  tol_.g_tol = f.info->g_tol;
  tol_.noise = noise + 2.0 * sampler_.ulp() / sampler_.length() * std::fabs(g1 - g0);
  tol_.eps = tol_.g_tol + tol_.noise;
  const double clear = kClear * tol_.eps;
  return k.sign * g0 > clear && k.sign * g1 < -clear;
}

/// (A start that is near zero for this step is followed more closely, and so is one where the guard turned back.)
bool Isolator::is_far_start(double g0, double g1, const Track& k) {
  return k.trend != -k.sign && k.sign * g0 > kFarStart * std::fabs(g1 - g0);
}

void Isolator::take_once(std::size_t guard, Followed& f, double g0, double g1, double root, double slope) {
  scanner_.once(guard, f.track, g0, g1, root, slope, tol_);
  f.track.t = sampler_.t1();
  f.track.g = g1;
}

/// The plain event, which most are: the guard comes from a clear side, crosses zero once and ends clearly beyond. It
/// has one root if it falls all the way, or rises first; everything else is sampled.
bool Isolator::crosses_once(std::size_t guard, Followed& f) {
  const LinearBound& g = linear_[guard];
  if (!g.crosses(f.track) || !ends_beyond(g.start(), g.end(), g.noise(), f)) return false;
  const int sign = f.track.sign;
  linear_piece(guard);
  int first = 0;
  const int count = turns(piece_, tol_.noise, first);
  const bool falls = count == 0 && first == -sign;
  const bool rises_first = count == 1 && first == sign && is_far_start(g.start(), g.end(), f.track);
  if (!falls && !rises_first) return false;
  double slope = 0.0;
  const double root = root_of(g, sign, slope);
  take_once(guard, f, g.start(), g.end(), root, slope);
  return true;
}

bool Isolator::is_past_event(double tau, const std::vector<Followed>& followed) const {
  return std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& c) {
    const Followed& f = followed[c.guard];
    return f.info->role == Role::active && wants(f.info->crossing, -c.before) && !c.touch && !c.at_start && !c.hump &&
           tau - c.tau > kClearlyLater && f.track.sign == -c.before;
  });
}

Isolator::Result Isolator::run(std::span<const std::size_t> enabled, std::vector<Followed>& followed, bool to_end) {
  candidates_.clear();
  end_ = 1.0;
  for (const std::size_t g : enabled) {
    settled_[g] = 0.0;
    bound_[g] = guards_.rate_bound(g, sampler_.t0(), sampler_.t1());
    proofs_[g] = guards_.has_bounds(g) ? kProofs : 0;
  }
  has_boxes_ = Boxes::not_yet;
  if (settle_by_powers(enabled, followed)) return Result::ok;
  settle_by_rows(enabled, followed);
  stack_.clear();
  stack_.push_back({0.0, 1.0, 0});
  budget_ = kBudget;
  while (!stack_.empty()) {
    const Interval i = stack_.back();
    stack_.pop_back();
    if (budget_-- == 0) return Result::undecided;
    list_.clear();
    for (const std::size_t g : enabled)
      if (settled_[g] == i.a) list_.push_back(g);
    if (list_.empty()) continue;
    if (!to_end && is_past_event(i.a, followed)) {
      end_ = i.a;
      break;
    }
    const Result r = interval(i, followed);
    if (r != Result::ok) return r;
  }
  return Result::ok;
}

}  // namespace hstar::events::detail

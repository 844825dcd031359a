// events/src/isolator.cpp
//
// How a guard is settled on a subinterval, in the order tried:
//   1. it is a polynomial of degree d in y and the interpolant one of degree D in t: d D + 1 samples
//      give it exactly (and often fewer numbers tell what it does on the whole step: whole_step.hpp);
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

namespace hstar::events::detail {
namespace {

constexpr std::size_t kBudget = 512;     // subintervals a look: beyond it the step is taken again in pieces
constexpr double kCrossingError = 1e-4;  // of the largest |g| on the subinterval, where g crosses
constexpr double kTouchError = 1e-14;    // ... where it comes near zero without
constexpr double kTouchShare = 0.1;      // ... or of the step's own error
// a place off all nodes: an oscillation that the nested nodes all see as a slower one shows there
constexpr double kProbe = 0.2843;
constexpr int kRigorousDepth = 14;  // of halving where a rate bound is not satisfied, or bounds prove nothing
// of a step: proxy and solution cross nearer to each other, so that what the proxy does later comes later
constexpr double kClearlyLater = 0x1p-6;
// bounds of a guard on a step of which none tells anything (of what is held on either side of a switch): then samples
// do
constexpr int kPatience = kBudget / 2;

/// A track and its candidates of this step as they were, to be put back where a proxy is not good enough.
class Undo {
 public:
  Undo(const Track& track, bool begins, const std::vector<Candidate>& candidates)
      : track_(track),
        count_(candidates.size()),
        crossing_(begins ? -1 : track.crossing),
        touch_(begins ? -1 : track.touch) {
    if (crossing_ >= 0) crossing_before_ = candidates[static_cast<std::size_t>(crossing_)];
    if (touch_ >= 0) touch_before_ = candidates[static_cast<std::size_t>(touch_)];
  }
  void put_back(Track& track, std::vector<Candidate>& candidates) const {
    track = track_;
    candidates.resize(count_);
    if (crossing_ >= 0) candidates[static_cast<std::size_t>(crossing_)] = crossing_before_;
    if (touch_ >= 0) candidates[static_cast<std::size_t>(touch_)] = touch_before_;
  }

 private:
  Track track_;
  std::size_t count_;
  std::ptrdiff_t crossing_, touch_;
  Candidate crossing_before_, touch_before_;
};

}  // namespace

Isolator::Isolator(GuardSet& guards, std::size_t state_size, Sampler& sampler, const MonitorOptions& options)
    : guards_(guards),
      sampler_(sampler),
      options_(options),
      tables_(proxy_tables()),
      scanner_(candidates_),
      whole_(guards.guard_count(), state_size, sampler, scanner_, options),
      boxes_(state_size) {
  const std::size_t n = guards.guard_count();
  list_.reserve(n);
  measured_.reserve(n);
  settled_.assign(n, 0.0);
  bound_.assign(n, 0.0);
  values_.assign(n * kNodes, 0.0);
  row_.assign(n, 0.0);
  probes_.assign(n, 0.0);
  proofs_.assign(n, {kPatience});
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
  Proofs& proofs = proofs_[guard];
  if (!proofs.asked || has_boxes_ == Boxes::none) return Proof::none;
  if (has_boxes_ == Boxes::not_yet) has_boxes_ = boxes_.begin(sampler_.step()) ? Boxes::known : Boxes::none;
  if (has_boxes_ == Boxes::none) return Proof::none;
  boxes_.find(i.a, i.w, guards_.depends_on(guard));
  Range g, slope;
  if (!guards_.bounds(guard, sampler_.time(i.a), sampler_.time(i.a + i.w), boxes_.states(), boxes_.rates(), g, slope)) {
    proofs.asked = false;
    return Proof::none;
  }
  const double zero = f.info->g_tol;
  const double lowest = std::max(g.lo, least_by_slope(guard, 1, i, slope));
  const double highest = std::min(g.hi, -least_by_slope(guard, -1, i, slope));
  const bool clear = f.track.sign > 0 ? lowest > zero : f.track.sign < 0 && highest < -zero;
  const bool once = slope.lo > 0.0 || slope.hi < 0.0 || (lowest >= -zero && highest <= zero);
  if (clear || once) {
    proofs.tell = true;
    proofs.patience = kPatience;
    return clear ? Proof::clear : Proof::once;
  }
  if (!proofs.tell && ++proofs.open >= proofs.patience) {
    proofs.patience = std::max(proofs.patience / 2, 1);
    proofs.asked = false;
  }
  return Proof::open;
}

Isolator::Values Isolator::values_of(std::size_t guard, int level) const {
  Values v{values_.data() + guard * kNodes, level};
  const int n = level_degree(level), stride = level_stride(level);
  v.lowest = v.highest = v.at[0];
  for (int j = 1; j <= n; ++j) {
    v.lowest = std::min(v.lowest, v.at[j * stride]);
    v.highest = std::max(v.highest, v.at[j * stride]);
  }
  return v;
}

std::size_t Isolator::Values::nearest() const {
  const int n = level_degree(level), stride = level_stride(level);
  std::size_t place = 0;
  for (int j = 1; j <= n; ++j)
    if (std::fabs(at[j * stride]) < std::fabs(at[place])) place = static_cast<std::size_t>(j * stride);
  return place;
}

double Isolator::noise_of_times(const Values& v, const Interval& i) const {
  return 2.0 * sampler_.ulp() / (i.w * sampler_.length()) * (v.highest - v.lowest);
}

void Isolator::keep_side(std::size_t guard, Track& k, const Values& v, const Interval& i, const ScanTolerances& tol) {
  if (i.a == 0.0) scanner_.begin(guard, k, v.at[0], tol);
  scanner_.skip(k, i.a + i.w, v.at[kMaxDegree]);
  k.trend = 0;
}

bool Isolator::settle_known(std::size_t guard, Followed& f) {
  const Piece& p = whole_.piece(guard);
  double* at = values_.data() + guard * kNodes;
  const int n = level_degree(0), stride = level_stride(0);
  at[0] = p.b[0];
  for (int j = 1; j < n; ++j) at[j * stride] = p.value(tables_.node[j * stride]);
  at[kMaxDegree] = p.b[p.n];
  const Interval all;
  const Values v = values_of(guard, 0);
  ScanTolerances tol;
  tol.g_tol = f.info->g_tol;
  tol.noise = whole_.noise(guard) + noise_of_times(v, all);
  Proxy proxy{p, all};
  proxy.exact = true;
  if (read(guard, f, proxy, v, tol) != Verdict::settled) return false;
  settled_[guard] = 1.0;
  f.track.t = sampler_.t1();
  f.track.g = at[kMaxDegree];
  return true;
}

Isolator::Verdict Isolator::judge(std::size_t guard, Followed& f, const Interval& i, int level, bool finest) {
  const Values v = values_of(guard, level);
  Proxy proxy{piece_, i};
  const int degree = f.info->degree * sampler_.step().degree();
  proxy.exact = degree > 0 && degree <= level_degree(level);
  proxy.last = finest && level == kLevels - 1;
  ScanTolerances tol;
  tol.g_tol = f.info->g_tol;
  // round-off of the coefficients, and of the sampled times on a step of a few ulp
  tol.noise = 4.0 * kRoundOff * tables_.growth[level] * v.size() + noise_of_times(v, i);

  Track& k = f.track;
  if (!proxy.exact && level == 0) {
    const Proof proof = prove(guard, f, i);
    if (proof == Proof::clear) {
      keep_side(guard, k, v, i, tol);
      return Verdict::settled;
    }
    if (proof == Proof::open && i.depth < kRigorousDepth && !finest) return Verdict::halve;
  }
  if (!proxy.exact && bound_[guard] < std::numeric_limits<double>::infinity()) {
    proxy.rate_known = true;
    const bool known_start = k.sign != 0 && k.sign * v.at[0] > tol.g_tol;
    if (known_start && apart(guard, i, level, v.at, proxy.explained)) {
      keep_side(guard, k, v, i, tol);
      return Verdict::settled;
    }
  }
  to_piece(level, v.at, i, piece_);
  if (!proxy.exact) {
    proxy.error = (level == 0 ? 4.0 : 1.0) * measured_error(level, v.at);
    if (!ever_exact(f)) proxy.error = std::max(proxy.error, std::fabs(piece_.value(kProbe) - probes_[guard]));
  }
  return read(guard, f, proxy, v, tol);
}

bool Isolator::reads_quickly(std::size_t guard, Track& k, const Proxy& proxy, double g0, const ScanTolerances& tol,
                             double reach) {
  if (proxy.i.a != 0.0) return scanner_.quick(k, proxy.p, tol, reach);
  if (!(k.sign * g0 > tol.eps)) return false;
  const Track before = k;
  scanner_.begin(guard, k, g0, tol);
  if (scanner_.quick(k, proxy.p, tol, reach)) return true;
  k = before;
  return false;
}

bool Isolator::error_of_step(std::size_t guard, Followed& f, const Proxy& proxy, const Values& v, bool near,
                             double& error, ScanTolerances& tol) {
  // Where the step's own error matters: near an extremum towards zero, and while a segment leaves zero
  const Track& k = f.track;
  const bool leaves = k.sign == 0 || (k.leading && std::min(k.sign * v.lowest, k.sign * v.highest) < -tol.g_tol);
  error = 0.0;
  if (!near && !leaves) return true;
  const std::size_t place = leaves && !near ? kMaxDegree : v.nearest();
  if (!sampler_.error_of(guard, proxy.i.a + proxy.i.w * tables_.node[place], error)) return false;
  if (sampler_.largest_error() > 0.0) f.reach_ratio = error / sampler_.largest_error();
  if (near) tol.band = options_.graze_factor * error;
  if (leaves) tol.lead = std::max(error, k.carry);
  return true;
}

bool Isolator::is_good(const Proxy& proxy, const Values& v, const ScanTolerances& tol, bool vague,
                       double error_of_step) const {
  const int depth = proxy.i.depth;
  bool good = proxy.error <= std::max(tol.g_tol, 8.0 * tol.noise);
  const bool touchy = scanner_.touchy() || vague;
  if (!good && !touchy) good = !scanner_.crossed() || proxy.error <= kCrossingError * std::ldexp(v.size(), depth);
  if (!good && touchy)
    good = proxy.error <= std::max(kTouchError * std::ldexp(v.size(), 2 * depth), kTouchShare * error_of_step);
  // a sample clear of zero, yet nearer to it than the proxy is known: the guard may dip between samples
  // (a short collision at the start of a long step)
  if (good && !scanner_.crossed()) {
    const int n = level_degree(v.level), stride = level_stride(v.level);
    const double zero = std::max(tol.g_tol, proxy.i.a == 0.0 ? tol.start : 0.0);
    for (int j = 0; j <= n && good; ++j) {
      const double size = std::fabs(v.at[j * stride]);
      good = size <= zero || size >= proxy.error;
    }
  }
  return good && !(proxy.rate_known && !proxy.explained && depth < kRigorousDepth);
}

Isolator::Verdict Isolator::read(std::size_t guard, Followed& f, const Proxy& proxy, const Values& v,
                                 ScanTolerances& tol) {
  Track& k = f.track;
  const Interval& i = proxy.i;
  const Piece& p = proxy.p;
  const bool begins = i.a == 0.0, measured_only = !proxy.exact && !proxy.last;
  tol.eps = tol.g_tol + proxy.error + tol.noise;
  // the error that the step itself has in g, guessed from earlier steps of the mode with a margin
  double reach = 0.0;
  const bool near = Scanner::may_touch(k, p, tol.noise);
  if (near)
    reach = f.reach_ratio < 0.0 ? std::numeric_limits<double>::infinity()
                                : kReachMargin * options_.graze_factor * f.reach_ratio * sampler_.largest_error();
  // a guard that once needed halving in this mode is not trusted on the strength of few samples
  if (!proxy.exact && v.level == 0 && f.rough) return Verdict::refine;
  if (!proxy.rate_known || proxy.last) {
    if (reads_quickly(guard, k, proxy, v.at[0], tol, reach)) return Verdict::settled;
    // (A glance costs no more than the next samples, and what it spares a measure for every component of y.)
    if (near && Scanner::least(k, p) > Scanner::kDoubt * tol.eps) {
      const std::size_t place = v.nearest();
      reach = options_.graze_factor * sampler_.glance(guard, i.a + i.w * tables_.node[place], v.at[place]);
      if (reads_quickly(guard, k, proxy, v.at[0], tol, reach)) return Verdict::settled;
    }
  }
  if (measured_only && v.level == 0) return Verdict::refine;

  const Undo undo(k, begins, candidates_);
  scanner_.reset_flags();
  double error = 0.0;
  if (!error_of_step(guard, f, proxy, v, near, error, tol)) return Verdict::failed;
  if (begins) {
    const double slope = p.n * std::fabs(p.b[1] - p.b[0]) / (i.w * sampler_.length());
    tol.start = std::max({tol.g_tol, tol.lead, k.carry, 64.0 * kRoundOff * v.size(), 8.0 * sampler_.ulp() * slope});
    scanner_.begin(guard, k, v.at[0], tol);
  }
  // A start at zero: the state and its rate are known there, so a clear slope tells an unknown side before
  // any value does. Where the slope is not clear, the proxy must be better known before it is believed.
  const double rise = p.n * (p.b[1] - p.b[0]);
  const double rise_error = p.n * (tol.noise + proxy.error + tables_.growth[v.level] * tol.g_tol);
  const bool vague = begins && k.start_zero && std::fabs(rise) <= rise_error;
  if (begins && k.sign == 0 && std::fabs(rise) > rise_error + tol.lead) k.sign = rise > 0.0 ? 1 : -1;
  scanner_.scan(guard, k, p, tol);
  if (!measured_only || is_good(proxy, v, tol, vague, error)) return Verdict::settled;
  undo.put_back(k, candidates_);
  return Verdict::refine;
}

Isolator::Result Isolator::interval(const Interval& i, std::vector<Followed>& followed) {
  bool halve = false;
  const bool finest = i.depth >= options_.max_depth || i.w * sampler_.length() <= Sampler::kFinest * sampler_.ulp();
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
    Proofs& proofs = proofs_[g];
    proofs.asked = guards_.has_bounds(g);
    proofs.tell = false;
    proofs.open = 0;
  }
  has_boxes_ = Boxes::not_yet;
  whole_.by_powers(enabled, followed, settled_);
  for (const std::size_t g : whole_.open())
    if (!settle_known(g, followed[g])) break;
  if (std::all_of(enabled.begin(), enabled.end(), [&](std::size_t g) { return settled_[g] == 1.0; })) return Result::ok;
  whole_.by_rows(enabled, followed, settled_);
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

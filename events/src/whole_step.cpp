// events/src/whole_step.cpp
#include "whole_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "row_polynomial.hpp"

namespace hstar::events::detail {
namespace {

constexpr double kClear = 10.0;     // times the tolerance: clear of zero at the ends of a plain crossing
constexpr double kShallow = 10.0;   // a dip this much shallower than what is left is none
constexpr double kFarStart = 0.02;  // share of its change by which such a guard is away from zero at first

/// (A start that is near zero for this step is followed more closely, and so is one where the guard turned back.)
bool is_far_start(double g0, double g1, const Track& k) {
  return k.trend != -k.sign && k.sign * g0 > kFarStart * std::fabs(g1 - g0);
}

}  // namespace

WholeStep::WholeStep(std::size_t guard_count, std::size_t state_size, Sampler& sampler, Scanner& scanner,
                     const MonitorOptions& options)
    : sampler_(sampler), scanner_(scanner), options_(options), state_size_(state_size) {
  if (pays_by_slopes(LinearBound::max_rows))
    changes_.reserve(guard_count * static_cast<std::size_t>(LinearBound::max_rows));
  list_.reserve(guard_count);
  open_.reserve(guard_count);
  row_.assign(guard_count, 0.0);
  linear_.assign(guard_count, {});
}

void WholeStep::rows_known(std::size_t guard, const LinearBound& rows) {
  linear_[guard] = rows;
  given_ = guard;
}

void WholeStep::by_powers(std::span<const std::size_t> enabled, std::vector<Followed>& followed,
                          std::span<double> settled) {
  open_.clear();
  const std::span<const double> terms = sampler_.step().powers();
  if (terms.empty()) return;
  list_.clear();
  bool start_known = true;
  for (const std::size_t g : enabled) {
    if (sampler_.form(g) == nullptr) continue;
    list_.push_back(g);
    start_known = start_known && followed[g].track.t == sampler_.t0();
  }
  if (list_.empty()) return;
  if (!start_known) {
    if (!sampler_.on_interpolant(0.0, list_, row_)) return;
    for (std::size_t m = 0; m < list_.size(); ++m) followed[list_[m]].track.g = row_[m];
  }
  if (!sampler_.on_interpolant(1.0, list_, row_)) return;
  for (std::size_t m = 0; m < list_.size(); ++m) {
    const std::size_t g = list_[m];
    find_powers(g, terms);
    bool told = powers_.size() <= PowerBound::most_powers &&
                tell_by_powers(g, {followed[g].track.g, row_[m], powers_}, followed[g]);
    if (!told) {
      linear_[g] = LinearBound(followed[g].track.g, row_[m]);
      add_rows_of(powers_, linear_[g]);
      told = tell_by_rows(g, followed[g]);
    }
    if (told)
      settled[g] = 1.0;
    else
      open_.push_back(g);
  }
}

void WholeStep::find_powers(std::size_t guard, std::span<const double> terms) {
  const double* form = sampler_.form(guard);
  const std::span<const std::size_t> moving = sampler_.step().moving();
  const std::size_t n = moving.empty() ? state_size_ : moving.size(), count = terms.size() / n;
  powers_.assign(count, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    if (const double factor = form[moving.empty() ? i : moving[i]]; factor != 0.0)
      for (std::size_t k = 0; k < count; ++k) powers_[k] += factor * terms[k * n + i];
  powers_[0] += form[state_size_] * sampler_.length();
}

bool WholeStep::tell_by_powers(std::size_t guard, const PowerBound& g, Followed& f) {
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
  return true;
}

/// It keeps its side, and a dip is not so near to zero that it may be a graze: it is shallow, or the step's own error
/// is small beside what is left.
bool WholeStep::stays_away(std::size_t guard, const PowerBound& g, const Followed& f) {
  const Track& k = f.track;
  if (k.sign == 0 || k.sign * g.start() <= k.carry) return false;
  const auto [least, dip] = g.least(k.sign);
  if (!(least > 3.0 * (f.info->g_tol + g.noise()))) return false;
  const bool turns = k.trend == -k.sign && g.rises(k.sign);
  if (!turns && least > kShallow * dip) return true;
  double error = 0.0;
  return sampler_.error_of(guard, 0.0, error) && least > kReachMargin * options_.graze_factor * error;
}

void WholeStep::by_rows(std::span<const std::size_t> enabled, std::vector<Followed>& followed,
                        std::span<double> settled) {
  const int degree = sampler_.step().degree();
  const std::size_t given = std::exchange(given_, none);
  if (degree < 1 || degree > LinearBound::max_rows) return;
  const auto tell = [&](std::size_t g) {
    if (tell_by_rows(g, followed[g])) settled[g] = 1.0;
  };
  if (given != none) tell(given);
  list_.clear();
  bool known = true;
  for (const std::size_t g : enabled) {
    const Followed& f = followed[g];
    if (f.info->degree != 1 || f.track.sign == 0 || g == given || settled[g] == 1.0) continue;
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
  for (const std::size_t g : list_) tell(g);
}

bool WholeStep::pays_by_slopes(int degree) const {
  constexpr int few = 8;  // rows, of which Runge-Kutta methods have no more
  return degree > few && static_cast<std::size_t>(degree) > 2 * state_size_;
}

bool WholeStep::add_rows(int degree, const std::vector<Followed>& followed) {
  for (int r = 1; r < degree; ++r) {
    if (!sampler_.on_row(r, list_, row_)) return false;
    for (std::size_t m = 0; m < list_.size(); ++m) linear_[list_[m]].add_row(r, row_[m] - followed[list_[m]].track.g);
  }
  return true;
}

/// Where there are many rows of few states, one evaluation a state tells how the guards depend on it. It is moved by
/// the largest of its rows, so that the round-off is that of guards at the rows.
bool WholeStep::add_rows_by_slopes(int degree, const std::vector<Followed>& followed) {
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

const Piece& WholeStep::piece(std::size_t guard) {
  if (std::exchange(piece_is_of_, guard) != guard) piece_of(linear_[guard], piece_);
  return piece_;
}

bool WholeStep::tell_by_rows(std::size_t guard, Followed& f) {
  piece_is_of_ = none;
  if (linear_[guard].clear(f.track, f.info->g_tol) || leaves_zero(guard, f)) {
    linear_[guard].pass(f.track, sampler_.t1());
    return true;
  }
  return crosses_once(guard, f);
}

/// The plain beginning of a mode: the guard starts at zero, and all that follows, the first coefficient of Bernstein's
/// form left out, lies on its side.
bool WholeStep::leaves_zero(std::size_t guard, const Followed& f) {
  const LinearBound& g = linear_[guard];
  const Track& k = f.track;
  const double zero = 3.0 * (f.info->g_tol + g.noise());
  if (!k.leading || k.trend == -k.sign || k.sign * g.start() < -f.info->g_tol || !(k.sign * g.end() > zero))
    return false;
  piece(guard);
  return std::all_of(piece_.b.begin() + 1, piece_.b.begin() + piece_.n + 1,
                     [&](double b) { return k.sign * b > g.noise(); });
}

/// It begins clearly on its side, and ends clearly on the other.
bool WholeStep::ends_beyond(double g0, double g1, double noise, const Followed& f) {
  const Track& k = f.track;
  if (!(k.sign * g0 > k.carry && k.sign * g1 < 0.0)) return false;
  tol_ = {};
  tol_.g_tol = f.info->g_tol;
  tol_.noise = noise + 2.0 * sampler_.ulp() / sampler_.length() * std::fabs(g1 - g0);
  tol_.eps = tol_.g_tol + tol_.noise;
  const double clear = kClear * tol_.eps;
  return k.sign * g0 > clear && k.sign * g1 < -clear;
}

void WholeStep::take_once(std::size_t guard, Followed& f, double g0, double g1, double root, double slope) {
  scanner_.once(guard, f.track, g0, g1, root, slope, tol_);
  f.track.t = sampler_.t1();
  f.track.g = g1;
}

/// The plain event, which most are: the guard comes from a clear side, crosses zero once and ends clearly beyond. It
/// has one root if it falls all the way, or rises first; everything else is sampled.
bool WholeStep::crosses_once(std::size_t guard, Followed& f) {
  const LinearBound& g = linear_[guard];
  if (!g.crosses(f.track) || !ends_beyond(g.start(), g.end(), g.noise(), f)) return false;
  const int sign = f.track.sign;
  piece(guard);
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

}  // namespace hstar::events::detail

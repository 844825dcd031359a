// src/integrator/dae_newton.cpp
#include "integrator/dae_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hstar/error.hpp"

namespace hstar::integrator {
namespace {
constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kTiny = std::numeric_limits<double>::min();
/// A correction of more than this part of the values themselves is no round-off, however it stands still.
constexpr double kCoarse = 0.1;
/// Part of the largest multiplier that its last correction may be: the next would be less by a factor again. Those of a
/// kept matrix whose rows have turned away meanwhile grow from step to step, which positions do not show.
constexpr double kReactions = 0x1p-10;
/// Round-off of Phi moves q by no more, of its length or of an angle, in a direction that the rows lose: Phi has second
/// order there, and this is the root of its round-off.
constexpr double kMostByRoundOff = 0x1p-26;
}  // namespace

FlowOptions newton_options(const DaeProblem& problem, FlowOptions options) {
  if (options.newton != Newton::functional) return options;
  if (problem.max_rows() > 0)
    throw InputError(
        "newton = \"functional\" is not possible with constraints; give \"quasi\", which leaves the same terms away");
  options.newton = Newton::quasi;
  return options;
}

DaeNewton::DaeNewton(DaeProblem& problem, const FlowOptions& options, FlowCounters& counters)
    : problem_(problem),
      options_(options),
      counters_(counters),
      nq_(static_cast<std::size_t>(problem.coordinates())),
      np_(static_cast<std::size_t>(problem.places())),
      ns_(static_cast<std::size_t>(problem.states())),
      matrix_(nq_ + ns_ + static_cast<std::size_t>(problem.max_rows())),
      residual_(nq_ + ns_ + static_cast<std::size_t>(problem.max_rows())),
      x_start_(residual_.size()),
      displacement_(nq_),
      damped_(options.fixed_step > 0 ? residual_.size() : 0),
      turn_of_(nq_, -1) {
  lightest_ = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < nq_; ++i)
    if (problem.mass()[i] > 0) lightest_ = std::min(lightest_, problem.mass()[i]);
}

void DaeNewton::restart() {
  n_ = nq_ + ns_ + static_cast<std::size_t>(problem_.rows());
  have_matrix_ = false;
  noise_ = 0;
  with_new_ = 3;
  matrix_.forget_pattern();
}

void DaeNewton::place(const DaeLine& line, const double* x, double* y) {
  for (std::size_t i = 0; i < nq_; ++i) y[np_ + i] = line.start[nq_ + i] + line.b1 * x[i];
  if (line.past) {
    std::copy(y + np_, y + np_ + nq_, displacement_.begin());
    problem_.settle(1 / line.b1, line.past, y + np_, y);
  } else {
    double* q = line.origin ? displacement_.data() : y;
    for (std::size_t i = 0; i < nq_; ++i) q[i] = line.start[i] + line.b2 * x[i];
    if (line.origin) problem_.displace(line.origin, displacement_.data(), y);
  }
  for (std::size_t i = 0; i < ns_; ++i) y[np_ + nq_ + i] = line.start[2 * nq_ + i] + line.b1 * x[nq_ + i];
}

void DaeNewton::find_turns(const DaeLine& line) {
  if (np_ == nq_) return;
  if (line.past)
    problem_.settle_slopes(1 / line.b1, displacement_.data(), turns_);
  else
    problem_.displace_slopes(displacement_.data(), turns_);
  for (std::size_t t = 0; t < turns_.size(); ++t)
    for (int i = 0; i < 3; ++i) turn_of_[turns_[t].first + i] = static_cast<int>(t);
}

void DaeNewton::add_by_q(const DaeEntry& e, std::size_t row, double factor) {
  const auto column = static_cast<std::size_t>(e.column);
  const int turn = turn_of_[column];
  row += static_cast<std::size_t>(e.row);
  if (turn < 0) return matrix_.add(row, column, factor * e.value);
  const DaeTurn& t = turns_[turn];
  const auto first = static_cast<std::size_t>(t.first);
  for (std::size_t j = 0; j < 3; ++j) matrix_.add(row, first + j, factor * e.value * t.slope[column - first][j]);
}

void DaeNewton::add_by_q(const DaeEntries& entries, std::size_t row, double factor) {
  for (const DaeEntry& e : entries) add_by_q(e, row, factor);
}

bool DaeNewton::evaluate(double t, const DaeLine& line, const double* x, double* y) {
  place(line, x, y);
  ++counters_.evaluations;
  if (!problem_.evaluate(t, y, x + nq_ + ns_)) return false;
  for (std::size_t i = 0; i < nq_; ++i) residual_[i] = problem_.mass()[i] * x[i] - problem_.force()[i];
  for (std::size_t i = 0; i < ns_; ++i) residual_[nq_ + i] = x[nq_ + i] - problem_.rate()[i];
  for (int i = 0; i < problem_.rows(); ++i) {
    double& r = residual_[nq_ + ns_ + static_cast<std::size_t>(i)];
    switch (equation(i)) {
      case DaeRow::position:
        r = problem_.position()[i] / line.b2;
        break;
      case DaeRow::velocity:
        r = problem_.speed()[i] / line.b1;
        break;
      case DaeRow::multiplier:
        r = problem_.position()[i];
        break;
    }
  }
  std::fill(residual_.begin() + static_cast<std::ptrdiff_t>(n_), residual_.end(), 0.0);
  at_round_off_ = residual_is_round_off(line, x, y);
  return true;
}

bool DaeNewton::residual_is_round_off(const DaeLine& line, const double* x, const double* y) const {
  // Rows turn with q: what q was last corrected by turns their forces, and those of the kept matrix.
  double length = 0, speed = 0, force = 0;
  for (std::size_t i = 0; i < nq_; ++i) {
    speed = std::max(speed, std::abs(y[np_ + i]));
    force = std::max(force, std::abs(problem_.mass()[i] * x[i]));
  }
  for (std::size_t i = 0; i < np_; ++i) length = std::max(length, std::abs(y[i]));
  if (moved_ > kMostByRoundOff * std::max(length, 1.0)) return false;
  for (std::size_t i = nq_ + ns_; i < n_; ++i) force = std::max(force, std::abs(x[i]));
  constexpr double few = 8 * kEps;
  for (std::size_t i = 0; i < nq_; ++i)
    if (!(std::abs(residual_[i]) <= few * force + 4 * moved_ * std::max(force, matrix_force_))) return false;
  for (std::size_t i = nq_; i < nq_ + ns_; ++i)
    if (!(std::abs(residual_[i]) <= few * std::abs(x[i]))) return false;
  for (int i = 0; i < problem_.rows(); ++i) {
    const double r = std::abs(residual_[nq_ + ns_ + static_cast<std::size_t>(i)]);
    const DaeRow kind = equation(i);
    if (kind == DaeRow::position && !(r * line.b2 <= few * length)) return false;
    if (kind == DaeRow::velocity && !(r * line.b1 <= few * speed)) return false;
  }
  return true;
}

bool DaeNewton::new_matrix(const DaeLine& line, const double* x, bool exact) {
  ++counters_.jacobians;
  ++counters_.factorisations;
  problem_.differentiate(nullptr, slopes_);
  const std::size_t rate = nq_, rows = nq_ + ns_;
  matrix_.clear(n_);
  for (std::size_t i = 0; i < nq_; ++i) matrix_.add(i, i, problem_.mass()[i]);
  for (std::size_t i = 0; i < ns_; ++i) matrix_.add(rate + i, rate + i, 1.0);
  if (!exact) {
    for (const DaeEntry& e : slopes_.rows)
      matrix_.add(static_cast<std::size_t>(e.column), rows + static_cast<std::size_t>(e.row), -e.value);
  } else {
    matrix_.add(slopes_.force_lambda, 0, rows, -1.0);
    find_turns(line);
    add_by_q(slopes_.force_q, 0, -line.b2);
    matrix_.add(slopes_.force_v, 0, 0, -line.b1);
    matrix_.add(slopes_.force_s, 0, rate, -line.b1);
    add_by_q(slopes_.rate_q, rate, -line.b2);
    matrix_.add(slopes_.rate_v, rate, 0, -line.b1);
    matrix_.add(slopes_.rate_s, rate, rate, -line.b1);
    for (const DaeEntry& e : slopes_.speed_q)
      if (equation(e.row) == DaeRow::velocity) add_by_q(e, rows, line.b2 / line.b1);
  }
  for (const DaeEntry& e : slopes_.rows) {
    const DaeRow kind = equation(e.row);
    if (kind == DaeRow::position && exact)
      add_by_q(e, rows, 1.0);
    else if (kind != DaeRow::multiplier)
      matrix_.add(rows + static_cast<std::size_t>(e.row), static_cast<std::size_t>(e.column), e.value);
  }
  matrix_.add(slopes_.row_lambda, rows, rows, 1.0);
  matrix_b2_ = line.b2;
  matrix_b1_ = line.b1;
  matrix_force_ = 0;
  for (std::size_t i = rows; i < n_; ++i) matrix_force_ = std::max(matrix_force_, std::abs(x[i]));
  have_matrix_ = matrix_.factorise();
  return have_matrix_;
}

DaeNewton::Scales DaeNewton::scales(const DaeLine& line, const double* x, const double* y) const {
  // Forces that cancel (a stuck body at rest) leave the round-off of each of them.
  double cancelled = 0;
  for (std::size_t i = nq_ + ns_; i < n_; ++i) cancelled = std::max(cancelled, std::abs(x[i]));
  cancelled /= lightest_;
  const auto largest = [&](const double* value, std::size_t count, double factor, const double* slope) {
    double out = kTiny + factor * cancelled;
    for (std::size_t i = 0; i < count; ++i)
      out = std::max({out, value ? std::abs(value[i]) : 1.0, std::abs(line.b1 * slope[i])});
    return out;
  };
  // (Of orientations a displacement is an angle, whose size is 1.)
  return {largest(np_ == nq_ ? y : nullptr, nq_, line.b2, y + np_), largest(y + np_, nq_, line.b1, x),
          largest(y + np_ + nq_, ns_, line.b1, x + nq_)};
}

DaeNewton::Size DaeNewton::size(const DaeLine& line, const double* x, const double* y) const {
  // residual_ holds the correction of x.
  const Scales scale = scales(line, x, y);
  Size out{};
  const auto part = [&](std::size_t first, std::size_t count, std::size_t x_first, double factor, double largest,
                        double at_start) {
    double change = 0, poison = 0;  // 0 * inf and 0 * nan are nan
    for (std::size_t i = 0; i < count; ++i) {
      const double value = first == 0 && np_ != nq_ ? 1.0 : y[first + i],
                   dy = std::abs(factor * residual_[x_first + i]);
      change = std::max(change, dy);
      poison += 0 * dy;
      out.tolerance = std::max(out.tolerance, dy / (options_.atol + options_.rtol * std::abs(value)));
    }
    out.all = std::max(out.all, change / largest) + poison;
    out.from_start = std::max(out.from_start, change / at_start);
  };
  part(0, nq_, 0, line.b2, scale.q, start_scale_.q);
  out.position = out.all;
  part(np_, nq_, 0, line.b1, scale.v, start_scale_.v);
  part(np_ + nq_, ns_, nq_, line.b1, scale.s, start_scale_.s);
  return out;
}

/// The system as damped_newton.hpp asks for it.
struct DaeNewton::Damped {
  DaeNewton& newton;
  double t;
  const DaeLine& line;
  double* y;
  Scales scale{1, 1, 1};

  bool residual(const double* x, double* r) {
    if (!newton.evaluate(t, line, x, y)) return false;
    std::copy(newton.residual_.begin(), newton.residual_.end(), r);
    return true;
  }
  bool linearise(const double* x) {
    scale = newton.scales(line, x, y);
    return newton.new_matrix(line, x, true);
  }
  void solve(double* r) {
    newton.matrix_.solve(r);
    ++newton.counters_.iterations;
  }
  [[nodiscard]] double size(const double* change) const {
    const std::size_t nq = newton.nq_, ns = newton.ns_;
    double out = 0, poison = 0;  // 0 * inf and 0 * nan are nan
    for (std::size_t i = 0; i < nq + ns; ++i) {
      const double step = std::abs(change[i]);
      out = std::max(out, i < nq ? step * std::max(line.b2 / scale.q, line.b1 / scale.v) : step * line.b1 / scale.s);
      poison += 0 * step;
    }
    return out + poison;
  }
};

bool DaeNewton::solve_damped(double t, const DaeLine& line, double* x, double* y) {
  Damped system{*this, t, line, y};
  const NewtonEnd end = damped_.solve(system, n_, x);
  have_matrix_ = false;  // made by other rules than the kept one
  if (end != NewtonEnd::solved) return false;
  place(line, x, y);
  return true;
}

bool DaeNewton::iterate(double t, const DaeLine& line, double* x, double* y, bool& stale) {
  const bool exact = options_.fixed_step > 0;
  const int most = options_.newton == Newton::full ? 30 : options_.newton == Newton::modified ? 30 : 200;
  const double standstill = options_.newton == Newton::quasi ? 0.9 : 0.5;
  double before = 0, from_start_before = 0, multiplier_before = 0;
  int with_matrix = 0;  // corrections by the present one
  moved_ = 0;
  for (int iteration = 0; iteration < most; ++iteration) {
    if (!evaluate(t, line, x, y)) return false;
    if (iteration == 0) start_scale_ = scales(line, x, y);
    if (options_.newton == Newton::full || !have_matrix_) {
      if (!new_matrix(line, x, options_.newton != Newton::quasi)) return false;
      stale = false;
      if (options_.newton != Newton::full) with_matrix = 0;
    }
    matrix_.solve(residual_.data());
    ++counters_.iterations;
    for (std::size_t i = 0; i < n_; ++i) x[i] -= residual_[i];
    const Size now = size(line, x, y);
    moved_ = 0;
    for (std::size_t i = 0; i < nq_; ++i) moved_ = std::max(moved_, std::abs(line.b2 * residual_[i]));
    double multiplier = 0, largest = 0;
    for (std::size_t i = nq_ + ns_; i < n_; ++i) {
      multiplier = std::max(multiplier, std::abs(residual_[i]));
      largest = std::max(largest, std::abs(x[i]));
    }
    if (!std::isfinite(now.all)) return false;
    const double rate = with_matrix == 0 ? 0.5 : std::min(now.all / (before + kTiny), 1.0);
    // Round-off of Phi reaches v as eps q / h: where positions stand still and nothing else gets better, it is reached.
    // Near a singular position the round-off of Phi becomes any motion in the direction that the rows lose: there the
    // residual itself says that it is reached. A kept matrix may also stand still, or creep, with multipliers that are
    // wrong: it has to come as close as the last new matrix did, else a new one goes on from here.
    const bool stalled = with_matrix > 0 && rate >= standstill && now.all <= kCoarse,
               still = stalled && now.position <= 32 * kEps;
    const double last_two = std::max(multiplier, multiplier_before);
    const bool reacts = multiplier <= std::max(kReactions * largest, 4 * noise_);
    const bool at_round_off =
        (now.all <= 4 * kEps && reacts) || (stalled && at_round_off_) || (still && (!stale || last_two <= 4 * noise_));
    if (still && !stale) noise_ = std::max(last_two, 0.5 * noise_);
    const bool good_enough = !exact && reacts && (rate < 1 ? now.tolerance * rate / (1 - rate) <= 0.01 : false) &&
                             (with_matrix > 0 || now.tolerance <= 1e-3);
    if (at_round_off || good_enough) {
      // Where a kept matrix takes half as many iterations again as a new one, the next step makes a new one.
      if (!stale && with_matrix == iteration) with_new_ = iteration + 1;
      if (stale && 2 * (iteration + 1) > 3 * with_new_) have_matrix_ = false;
      // The last correction has been added to x; y follows without another evaluation.
      place(line, x, y);
      return true;
    }
    ++with_matrix;
    multiplier_before = multiplier;
    if (still && stale) {
      have_matrix_ = false;
      continue;
    }
    const double slow = options_.newton == Newton::quasi ? 1.5 : stale ? 0.3 : 2.0;
    // Growth is judged on one scale: values that shrink or grow with the corrections would hide or feign it.
    if (with_matrix > 2 && now.from_start > slow * from_start_before && now.position > 32 * kEps) return false;
    before = now.all;
    from_start_before = now.from_start;
  }
  return false;
}

bool DaeNewton::solve(double t, const DaeLine& line, double* x, double* y) {
  const double change = have_matrix_ ? line.b2 / matrix_b2_ : 0;
  // The kept matrix is off by the change of h^2 in its force terms; its constraint rows do not depend on h.
  bool stale = have_matrix_ && options_.newton != Newton::full && change > 0.5 && change < 2;
  if (!stale) have_matrix_ = false;
  std::copy(x, x + n_, x_start_.begin());
  const auto start_again = [&] {
    std::copy(x_start_.begin(), x_start_.begin() + static_cast<std::ptrdiff_t>(n_), x);
    have_matrix_ = false;
  };
  if (iterate(t, line, x, y, stale)) return true;
  start_again();
  if (stale) {
    stale = false;
    if (iterate(t, line, x, y, stale)) return true;
    start_again();
  }
  // Under error control a shorter step is the cheaper way out; a fixed step has no other.
  return options_.fixed_step > 0 && solve_damped(t, line, x, y);
}

}  // namespace hstar::integrator

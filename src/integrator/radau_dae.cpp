// src/integrator/radau_dae.cpp
//
// `radau` on the equations with their constraints: Radau IIA of order 5 (Hairer & Wanner, Solving ODEs II, 1996, VII).
// Stage k has accelerations A_k, rates R_k and multipliers lambda_k, and with the matrix a of the method
//   V_k = v0 + h sum_j a_kj A_j,   Q_k = q0 + h sum_j a_kj V_j,   S_k = s0 + h sum_j a_kj R_j,
//   M A_k = F(t_k, Q_k, V_k, S_k, lambda_k),   R_k = r(t_k, Q_k, V_k, S_k),
// and one equation for each multiplier: Phi(Q_k) = 0 on index 3 with fixed steps, J V_k = nu on ggl and under error
// control, J A_k = gamma on index 1. The last stage is the end of the step; the flow then puts it onto the constraints.
//
// RADAU5 multiplies the error estimates of variables of index 2 by h and of index 3 by h^2, because they do not fall as
// fast with h; that h hangs on the unit of time. Here velocities are of index 1 under error control, since their
// constraints are imposed in place of those of positions; multipliers, of index 2, are not continued and not judged.
//
// In space Q_k = q0 turned by U_k, the rotation vectors from the start, with U' = T(U)^-1 V.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "hstar/integrator/one_step_flow.hpp"
#include "hstar/integrator/step_control.hpp"
#include "integrator/dae_matrix.hpp"
#include "integrator/dae_newton.hpp"
#include "integrator/damped_newton.hpp"
#include "integrator/radau.hpp"
#include "integrator/radau_rule.hpp"
#include "integrator/turned_between.hpp"

namespace hstar::integrator {
namespace {

using radau::kA, radau::kC, radau::kE, radau::kGamma0;
constexpr std::size_t kStages = 3;
constexpr double kEps = std::numeric_limits<double>::epsilon();

/// A times A: what accelerations make of positions.
const std::array<std::array<double, 3>, 3> kAA = [] {
  std::array<std::array<double, 3>, 3> out{};
  for (std::size_t k = 0; k < kStages; ++k)
    for (std::size_t j = 0; j < kStages; ++j)
      for (std::size_t i = 0; i < kStages; ++i) out[k][j] += kA[k][i] * kA[i][j];
  return out;
}();

/// x becomes the solution of T x = b.
void solve_turn(const double (&T)[3][3], const double* b, double* x) {
  const auto minor = [&](int r, int c) {
    const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
    return T[r1][c1] * T[r2][c2] - T[r1][c2] * T[r2][c1];
  };
  const double det = T[0][0] * minor(0, 0) + T[0][1] * minor(0, 1) + T[0][2] * minor(0, 2);
  for (int i = 0; i < 3; ++i) x[i] = (minor(0, i) * b[0] + minor(1, i) * b[1] + minor(2, i) * b[2]) / det;
}

class RadauDae : public radau::Step {
 public:
  RadauDae(std::size_t n, const FlowOptions& options, DaeProblem& problem)
      : Step(n, newton_options(problem, options), false),
        problem_(problem),
        ny_(n),
        nq_(static_cast<std::size_t>(problem.coordinates())),
        np_(static_cast<std::size_t>(problem.places())),
        ns_(static_cast<std::size_t>(problem.states())),
        most_(nq_ + ns_ + static_cast<std::size_t>(problem.max_rows())),
        stages_(kStages * most_),
        error_matrix_(most_),
        x_(kStages * most_),
        change_(x_.size()),
        damped_(options.fixed_step > 0 ? x_.size() : 0),
        start_(most_),
        y_(kStages * n),
        way_(kStages * nq_),
        turned_(kStages * nq_),
        speed_(nq_ + ns_),
        shift_(nq_),
        q_dot_(np_),
        y_moved_(n),
        f_moved_(n) {
    for (std::size_t i = 0; i < nq_; ++i)
      if (problem.mass()[i] > 0) lightest_ = std::min(lightest_, problem.mass()[i]);
  }

  /// A new mode: other rows.
  bool begin(double t, const Vector& y) {
    stages_.forget_pattern();
    error_matrix_.forget_pattern();
    if (!problem_.begin(t, y.data())) return false;
    n_ = nq_ + ns_ + static_cast<std::size_t>(problem_.rows());
    return true;
  }

  bool step(const Rates& rates, double t, const Vector& y, const Vector& f, double h, Vector& y_new, Vector&) {
    if (!finish(rates, t, y, f, h, y_new) || !estimate(rates, t, y, f, h)) return false;
    if (options_.fixed_step > 0) return true;
    // (Estimates fall more slowly than errors and are allowed to be larger; this is an error.)
    const Remainder allowed{between.power, between.part * allowance_};
    for (std::size_t k = 0; k < kStages; ++k) {
      const double* stage = &y_[k * ny_];
      problem_.place_rates(stage, stage + np_, q_dot_.data());
      raise_to_turn_error(problem_, stage, q_dot_.data(), h, allowed, error_.data());
    }
    return true;
  }

  bool finish(const Rates& rates, double t, const Vector& y, const Vector&, double h, Vector& y_new) {
    FlowCounters& counters = *rates.counters;
    counters.evaluations += 2;
    ++counters.jacobians;
    double *a = start_.data(), *lambda = start_.data() + nq_ + ns_;
    if (!problem_.solve(t, y.data(), a, start_.data() + nq_, lambda)) return false;
    if (!problem_.evaluate(t, y.data(), lambda)) return false;
    problem_.differentiate(index1() ? a : nullptr, slopes_);
    const At s{counters, t, h, y};
    begin_iteration();
    if (!iterate(s)) {
      // Under error control a shorter step is the cheaper way out; a fixed step has no other than to iterate better.
      if (options_.fixed_step <= 0) return false;
      begin_iteration();
      Damped system{*this, s};
      if (damped_.solve(system, kStages * n_, x_.data()) != NewtonEnd::solved) return false;
    }
    if (!place(s, x_.data())) return false;
    for (std::size_t k = 0; k < kStages; ++k)
      for (std::size_t i = 0; i < ny_; ++i) z_[k * ny_ + i] = y_[k * ny_ + i] - y[i];
    std::copy_n(y_.begin() + static_cast<std::ptrdiff_t>(2 * ny_), ny_, y_new.begin());
    return true;
  }

 private:
  /// Of the quintic through both ends with the rates there and at 1/3 and 2/3: the largest value, at 1/3, of the
  /// integral of s (s - 1/3) (s - 1/2) (s - 2/3) (s - 1) / 5!.
  static constexpr Remainder between{6, 7.62e-6};

  /// What the equations of one step hang on.
  struct At {
    FlowCounters& counters;
    double t, h;
    const Vector& y;
  };

  /// The stages as damped_newton.hpp asks for them, with the derivatives at each of them.
  struct Damped {
    RadauDae& radau;
    const At& step;

    bool residual(const double* x, double* r) { return radau.residual(step, x, r); }
    bool linearise(const double* x) { return radau.linearise(step, x); }
    void solve(double* r) {
      ++step.counters.iterations;
      radau.stages_.solve(r);
    }
    [[nodiscard]] double size(const double* change) { return radau.size(step, change).all; }
  };

  [[nodiscard]] bool index1() const { return problem_.form() == DaeForm::index1; }
  /// The equation imposed for a multiplier whose row does not hang on others.
  [[nodiscard]] DaeRow imposed(int row) const {
    const bool velocity = options_.fixed_step <= 0 || problem_.form() == DaeForm::ggl;
    const DaeRow kind = problem_.kind(row);
    return kind == DaeRow::position && velocity ? DaeRow::velocity : kind;
  }

  void begin_iteration() {
    for (std::size_t k = 0; k < kStages; ++k)
      std::copy_n(start_.begin(), n_, x_.begin() + static_cast<std::ptrdiff_t>(k * n_));
  }

  /// Q, V, S of the stages into y_, and the ways U from the start into way_.
  bool place(const At& s, const double* x) {
    const double* v0 = s.y.data() + np_;
    for (std::size_t k = 0; k < kStages; ++k) {
      double* v = &y_[k * ny_ + np_];
      for (std::size_t i = 0; i < nq_ + ns_; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < kStages; ++j) sum += kA[k][j] * x[j * n_ + i];
        v[i] = v0[i] + s.h * sum;
      }
      for (std::size_t i = 0; i < nq_; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < kStages; ++j) sum += kAA[k][j] * x[j * n_ + i];
        way_[k * nq_ + i] = s.h * (kC[k] * v0[i] + s.h * sum);
      }
    }
    if (np_ != nq_ && !turn_ways(s.h)) return false;
    for (std::size_t k = 0; k < kStages; ++k) problem_.displace(s.y.data(), &way_[k * nq_], &y_[k * ny_]);
    return true;
  }

  /// Rotation vectors of the stages from their velocities, U_k = h sum_j a_kj T(U_j)^-1 V_j, by iteration.
  bool turn_ways(double h) {
    constexpr int most = 60;
    double before = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most; ++iteration) {
      for (std::size_t j = 0; j < kStages; ++j) {
        const double* v = &y_[j * ny_ + np_];
        double* rate = &turned_[j * nq_];
        std::copy(v, v + nq_, rate);
        problem_.displace_slopes(&way_[j * nq_], turns_);
        for (const DaeTurn& turn : turns_) solve_turn(turn.slope, v + turn.first, rate + turn.first);
      }
      double change = 0;
      for (std::size_t k = 0; k < kStages; ++k)
        for (const DaeTurn& turn : turns_)
          for (auto i = static_cast<std::size_t>(turn.first); i < static_cast<std::size_t>(turn.first) + 3; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < kStages; ++j) sum += kA[k][j] * turned_[j * nq_ + i];
            change = std::max(change, std::abs(h * sum - way_[k * nq_ + i]));
            way_[k * nq_ + i] = h * sum;
          }
      if (!std::isfinite(change)) return false;
      // Of an angle, whose size is 1.
      if (change <= kEps || (change <= 32 * kEps && change >= 0.5 * before)) return true;
      before = change;
    }
    return false;
  }

  bool evaluate_stage(const At& s, const double* x, std::size_t k) {
    ++s.counters.evaluations;
    return problem_.evaluate(s.t + kC[k] * s.h, &y_[k * ny_], x + k * n_ + nq_ + ns_);
  }

  bool residual(const At& s, const double* x, double* r) {
    if (!place(s, x)) return false;
    for (std::size_t k = 0; k < kStages; ++k) {
      if (!evaluate_stage(s, x, k)) return false;
      const double* a = x + k * n_;
      double *left = r + k * n_, *rows = left + nq_ + ns_;
      for (std::size_t i = 0; i < nq_; ++i) left[i] = problem_.mass()[i] * a[i] - problem_.force()[i];
      for (std::size_t i = 0; i < ns_; ++i) left[nq_ + i] = a[nq_ + i] - problem_.rate()[i];
      for (int i = 0; i < problem_.rows(); ++i) {
        const DaeRow kind = imposed(i);
        rows[i] = kind == DaeRow::multiplier ? problem_.position()[i]
                  : index1()                 ? -problem_.gamma()[i]
                  : kind == DaeRow::velocity ? problem_.speed()[i] / s.h
                                             : problem_.position()[i] / (s.h * s.h);
      }
      if (!index1()) continue;
      jacobian_.clear();
      problem_.jacobian(jacobian_);
      for (const DaeEntry& e : jacobian_)
        if (imposed(e.row) != DaeRow::multiplier) rows[e.row] += e.value * a[e.column];
    }
    std::fill(r + kStages * n_, r + kStages * most_, 0.0);
    return true;
  }

  /// The derivative of the equations at `row` by unknowns at `column` that move velocities by b1 and positions by b2;
  /// `own`: the unknowns of the same stage. h scales the rows of constraints. `exact`: with the slopes of forces.
  void add_block(DaeMatrix& matrix, std::size_t row, std::size_t column, bool own, double b1, double b2, double h,
                 bool exact) {
    const std::size_t states = nq_, rows = nq_ + ns_;
    if (own) {
      for (std::size_t i = 0; i < nq_; ++i) matrix.add(row + i, column + i, problem_.mass()[i]);
      for (std::size_t i = 0; i < ns_; ++i) matrix.add(row + states + i, column + states + i, 1.0);
      matrix.add(exact ? slopes_.force_lambda : transposed(), row, column + rows, -1.0);
      matrix.add(slopes_.row_lambda, row + rows, column + rows, 1.0);
    }
    if (exact) {
      matrix.add(slopes_.force_q, row, column, -b2);
      matrix.add(slopes_.force_v, row, column, -b1);
      matrix.add(slopes_.force_s, row, column + states, -b1);
      matrix.add(slopes_.rate_q, row + states, column, -b2);
      matrix.add(slopes_.rate_v, row + states, column, -b1);
      matrix.add(slopes_.rate_s, row + states, column + states, -b1);
    }
    const auto add_rows = [&](const DaeEntries& entries, auto&& factor) {
      for (const DaeEntry& e : entries)
        if (const DaeRow kind = imposed(e.row); kind != DaeRow::multiplier)
          matrix.add(row + rows + static_cast<std::size_t>(e.row), column + static_cast<std::size_t>(e.column),
                     e.value * factor(kind));
    };
    if (index1()) {
      if (own) add_rows(slopes_.rows, [](DaeRow) { return 1.0; });
      if (!exact) return;
      add_rows(slopes_.acceleration_q, [&](DaeRow) { return b2; });
      add_rows(slopes_.acceleration_v, [&](DaeRow) { return b1; });
      return;
    }
    add_rows(slopes_.rows, [&](DaeRow kind) { return kind == DaeRow::velocity ? b1 / h : b2 / (h * h); });
    if (exact) add_rows(slopes_.speed_q, [&](DaeRow kind) { return kind == DaeRow::velocity ? b2 / h : 0.0; });
  }
  /// J^T.
  const DaeEntries& transposed() {
    jacobian_.clear();
    for (const DaeEntry& e : slopes_.rows) jacobian_.push_back({e.column, e.row, e.value});
    return jacobian_;
  }
  void add_stage(std::size_t k, double h, bool exact) {
    for (std::size_t j = 0; j < kStages; ++j)
      add_block(stages_, k * n_, j * n_, k == j, h * kA[k][j], h * h * kAA[k][j], h, exact);
  }

  /// The exact matrix of the iteration, with derivatives at each stage of x.
  bool linearise(const At& s, const double* x) {
    ++s.counters.jacobians;
    ++s.counters.factorisations;
    if (!place(s, x)) return false;
    set_scales(s, x);
    stages_.clear(kStages * n_);
    for (std::size_t k = 0; k < kStages; ++k) {
      if (!evaluate_stage(s, x, k)) return false;
      problem_.differentiate(index1() ? x + k * n_ : nullptr, slopes_);
      add_stage(k, s.h, true);
    }
    return stages_.factorise();
  }
  /// The same with those at the start of the step.
  bool linearise_at_start(const At& s) {
    ++s.counters.factorisations;
    stages_.clear(kStages * n_);
    for (std::size_t k = 0; k < kStages; ++k) add_stage(k, s.h, options_.newton != Newton::quasi);
    return stages_.factorise();
  }

  /// What corrections are relative to: the largest value and way of the step (compare DaeNewton::scales).
  void set_scales(const At& s, const double* x) {
    double force = 0;  // forces that cancel (a stuck body at rest) leave the round-off of each of them
    q_scale_ = np_ == nq_ ? std::numeric_limits<double>::min() : 1.0;
    v_scale_ = s_scale_ = std::numeric_limits<double>::min();
    for (std::size_t k = 0; k < kStages; ++k) {
      const double *y = &y_[k * ny_], *stage = x + k * n_;
      if (np_ == nq_)
        for (std::size_t i = 0; i < nq_; ++i) q_scale_ = std::max(q_scale_, std::abs(y[i]));
      for (std::size_t i = 0; i < nq_; ++i) {
        q_scale_ = std::max(q_scale_, std::abs(way_[k * nq_ + i]));
        v_scale_ = std::max({v_scale_, std::abs(y[np_ + i]), std::abs(s.h * stage[i])});
      }
      for (std::size_t i = 0; i < ns_; ++i)
        s_scale_ = std::max({s_scale_, std::abs(y[np_ + nq_ + i]), std::abs(s.h * stage[nq_ + i])});
      for (std::size_t i = nq_ + ns_; i < n_; ++i) force = std::max(force, std::abs(stage[i]));
    }
    q_scale_ += s.h * s.h * force / lightest_;
    v_scale_ += s.h * force / lightest_;
  }

  /// Of a correction of x: of positions and of everything relative to the scales, and in units of the tolerance.
  struct Size {
    double position = 0, all = 0, tolerance = 0;
  };
  Size size(const At& s, const double* change) const {
    Size out;
    double poison = 0;  // 0 * inf and 0 * nan are nan
    const auto by = [&](const auto& matrix, std::size_t k, std::size_t i) {
      return std::abs(matrix[k][0] * change[i] + matrix[k][1] * change[n_ + i] + matrix[k][2] * change[2 * n_ + i]);
    };
    const auto judge = [&](double d, double value, double scale) {
      out.all = std::max(out.all, d / scale);
      out.tolerance = std::max(out.tolerance, d / (options_.atol + options_.rtol * std::abs(value)));
      poison += 0 * d;
    };
    for (std::size_t k = 0; k < kStages; ++k) {
      const double* y = &y_[k * ny_];
      for (std::size_t i = 0; i < nq_; ++i) {
        const double q = s.h * s.h * by(kAA, k, i);
        out.position = std::max(out.position, q / q_scale_);
        judge(q, np_ == nq_ ? y[i] : 1.0, q_scale_);
        judge(s.h * by(kA, k, i), y[np_ + i], v_scale_);
      }
      for (std::size_t i = 0; i < ns_; ++i) judge(s.h * by(kA, k, nq_ + i), y[np_ + nq_ + i], s_scale_);
    }
    out.all += poison;
    return out;
  }

  bool iterate(const At& s) {
    const bool fixed = options_.fixed_step > 0, full = options_.newton == Newton::full;
    constexpr double coarse = 0.1;  // a correction of more than this part of the values is no round-off
    const double part = radau::kNewtonPart / allowance_;
    const int most = options_.newton == Newton::quasi ? 200 : 30;
    constexpr int worth_a_matrix = 4;  // iterations cost about as much as derivatives at three stages and their factors
    if (!full && !linearise_at_start(s)) return false;
    double before = 0;
    for (int iteration = 0; iteration < most; ++iteration) {
      if (full && !linearise(s, x_.data())) return false;
      if (!residual(s, x_.data(), change_.data())) return false;
      stages_.solve(change_.data());
      ++s.counters.iterations;
      for (std::size_t i = 0; i < kStages * n_; ++i) x_[i] -= change_[i];
      set_scales(s, x_.data());
      const Size now = size(s, change_.data());
      if (!std::isfinite(now.all)) return false;
      const double rate = iteration == 0 ? 0.5 : now.all / before;
      // Round-off of Phi reaches v as eps q / h: where positions stand still and nothing gets better, it is reached.
      if (now.all <= 4 * kEps || (iteration > 0 && rate >= 0.5 && now.position <= 32 * kEps && now.all <= coarse))
        return true;
      const double left = now.tolerance * rate / (1 - rate);  // of the corrections to come
      if (!fixed && rate < 1 && left <= part) return true;
      if (iteration > 2 && rate > 2) return false;
      before = now.all;
      // What turns within a step (a fast top) turns its derivatives: those at the stages then do better than many
      // iterations, or a shorter step.
      if (!full && !fixed && iteration > 0 && !(rate < 1 && left * std::pow(rate, worth_a_matrix) <= part) &&
          !linearise(s, x_.data()))
        return false;
    }
    return false;
  }

  /// The difference from an embedded formula of order 3, through the matrix of one implicit Euler step of gamma0 h, so
  /// that it stays bounded where the motion is stiff (IV.8). Where it refuses the step it is asked once more at
  /// y + error, which tells what is stiff from what is inaccurate.
  bool estimate(const Rates& rates, double t, const Vector& y, const Vector& f, double h) {
    const double b1 = kGamma0 * h;
    ++rates.counters->factorisations;
    // (finish() has left slopes_ where full iteration ended, which is as good.)
    error_matrix_.clear(n_);
    add_block(error_matrix_, 0, 0, true, b1, b1 * b1, b1, true);
    if (!error_matrix_.factorise()) return false;
    find_error(y, f, b1);
    if (options_.fixed_step > 0 || !(mixed_error_ratio(options_, error_, y, y) > 1)) return true;
    for (std::size_t i = 0; i < ny_; ++i) y_moved_[i] = y[i] + error_[i];
    if (rates(t, y_moved_.data(), f_moved_.data())) find_error(y, f_moved_, b1);
    return true;
  }

  /// With g = b1 y' + sum_k e_k (Y_k - y0), solves  error = g + b1 (derivative of y') error  with the constraints.
  void find_error(const Vector& y, const Vector& f, double b1) {
    for (std::size_t i = 0; i < nq_ + ns_; ++i) {
      double sum = b1 * f[np_ + i];
      for (std::size_t k = 0; k < kStages; ++k) sum += kE[k] * z_[k * ny_ + np_ + i];
      speed_[i] = sum;
    }
    for (std::size_t i = 0; i < nq_; ++i) {
      double sum = b1 * (y[np_ + i] + speed_[i]);
      for (std::size_t k = 0; k < kStages; ++k) sum += kE[k] * way_[k * nq_ + i];
      shift_[i] = sum;
    }
    std::fill(change_.begin(), change_.end(), 0.0);
    const auto add = [&](const DaeEntries& entries, std::size_t first, const double* by, double factor) {
      for (const DaeEntry& e : entries)
        change_[first + static_cast<std::size_t>(e.row)] += factor * e.value * by[e.column];
    };
    const std::size_t rows = nq_ + ns_;
    add(slopes_.force_q, 0, shift_.data(), 1);
    add(slopes_.force_v, 0, speed_.data(), 1);
    add(slopes_.force_s, 0, speed_.data() + nq_, 1);
    add(slopes_.rate_q, nq_, shift_.data(), 1);
    add(slopes_.rate_v, nq_, speed_.data(), 1);
    add(slopes_.rate_s, nq_, speed_.data() + nq_, 1);
    if (index1()) {
      add(slopes_.acceleration_q, rows, shift_.data(), -1);
      add(slopes_.acceleration_v, rows, speed_.data(), -1);
    } else {
      for (const DaeEntry& e : slopes_.rows) {
        const auto c = static_cast<std::size_t>(e.column);
        change_[rows + static_cast<std::size_t>(e.row)] -=
            e.value * (imposed(e.row) == DaeRow::velocity ? speed_[c] / b1 : shift_[c] / (b1 * b1));
      }
      for (const DaeEntry& e : slopes_.speed_q)
        if (imposed(e.row) == DaeRow::velocity)
          change_[rows + static_cast<std::size_t>(e.row)] -= e.value * shift_[e.column] / b1;
    }
    for (int i = 0; i < problem_.rows(); ++i)
      if (imposed(i) == DaeRow::multiplier) change_[rows + static_cast<std::size_t>(i)] = 0;
    error_matrix_.solve(change_.data());
    for (std::size_t i = 0; i < nq_ + ns_; ++i) error_[np_ + i] = speed_[i] + b1 * change_[i];
    for (std::size_t i = 0; i < nq_; ++i) shift_[i] += b1 * b1 * change_[i];
    problem_.place_rates(y.data(), shift_.data(), error_.data());
  }

  DaeProblem& problem_;
  std::size_t ny_, nq_, np_, ns_, most_;  ///< of y, v, q and s; the most unknowns of a stage
  std::size_t n_ = 0;                     ///< unknowns of a stage
  DaeMatrix stages_, error_matrix_;
  DaeSlopes slopes_;
  DaeEntries jacobian_;
  std::vector<DaeTurn> turns_;
  Vector x_, change_;  ///< (A, R, lambda) of the stages, one after the other
  DampedNewton damped_;
  Vector start_;          ///< (a, r, lambda) at the start of the step
  Vector y_;              ///< states at the stages
  Vector way_, turned_;   ///< displacements of q from the start to the stages, and their rates
  Vector speed_, shift_;  ///< of find_error(): of velocities and states, of positions
  Vector q_dot_;
  Vector y_moved_, f_moved_;
  double q_scale_ = 1, v_scale_ = 1, s_scale_ = 1;
  double lightest_ = std::numeric_limits<double>::infinity();  ///< smallest positive entry of M
};

}  // namespace

std::unique_ptr<Flow> make_radau_dae(OdeProblem& ode, DaeProblem& problem, const FlowOptions& options) {
  return std::make_unique<OneStepFlow<RadauDae>>(ode, options, problem);
}

}  // namespace hstar::integrator

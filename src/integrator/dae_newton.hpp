// src/integrator/dae_newton.hpp
//
// The nonlinear system every index-3 method ends in: q, v, s are affine in the new accelerations and rates,
//   q = q* + b2 a,   v = v* + b1 a,   s = s* + b1 r,
// and x = (a, r, lambda) solves
//   M a - F(t, q, v, s, lambda) = 0,   r - rate(t, q, v, s) = 0,   Phi(t, q) / b2 = 0   or   (J v - nu) / b1 = 0.
// Scaling Phi by 1/b2 ~ 1/h^2 keeps the matrix bounded as h goes to zero (Negrut, Rampalli, Ottarsson & Sajdak 2007).
#pragma once

#include <vector>

#include "hstar/dae.hpp"
#include "integrator/dae_matrix.hpp"
#include "integrator/damped_newton.hpp"

namespace hstar::integrator {

/// How a step makes (q, v, s) of (a, r).
struct DaeLine {
  const double* start;  ///< (q*, v*, s*); with an origin q* is the displacement from it
  double b2, b1;
  // Where q' = N(q) v one of these says what q is:
  const double* origin = nullptr;  ///< q* + b2 a is a displacement from it
  const double* past = nullptr;    ///< q / b1 + past = N(q) v, the step of a multistep method; q* is of no use
};

/// Functional iteration is quasi-Newton iteration without constraints; with them it is refused.
[[nodiscard]] FlowOptions newton_options(const DaeProblem& problem, FlowOptions options);

class DaeNewton {
 public:
  DaeNewton(DaeProblem& problem, const FlowOptions& options, FlowCounters& counters);

  /// New segment: sizes and matrix are those of another mode.
  void restart();
  /// Improves x = (a, r, lambda) until it solves the system at t; y gets (q, v, s). With error control the
  /// iteration stops a hundredth of the tolerance away from the solution, with fixed steps at round-off.
  bool solve(double t, const DaeLine& line, double* x, double* y);

  [[nodiscard]] std::size_t unknowns() const { return n_; }
  [[nodiscard]] std::size_t most_unknowns() const { return residual_.size(); }

 private:
  /// The equation imposed for a multiplier. In form ggl it is that of the velocities. With steps that vary, multipliers
  /// made of positions lose an order: they divide by h^2 what the last step's length has left in the positions.
  /// Velocity constraints take their place, and the flow puts positions onto theirs after each step (stabilised index
  /// 2: Arnold, Bruls & Cardona 2015).
  [[nodiscard]] DaeRow equation(int row) const {
    const DaeRow kind = problem_.kind(row);
    const bool stabilised = options_.fixed_step <= 0 || problem_.form() == DaeForm::ggl;
    return kind == DaeRow::position && stabilised ? DaeRow::velocity : kind;
  }
  bool evaluate(double t, const DaeLine& line, const double* x, double* y);
  /// How far the displacement of q that a makes is turned at the last place.
  void find_turns(const DaeLine& line);
  /// Adds b2 factor times derivatives by q: those by a.
  void add_by_q(const DaeEntries& entries, std::size_t row, double factor);
  void add_by_q(const DaeEntry& entry, std::size_t row, double factor);
  /// Every equation holds to the round-off of its own terms.
  [[nodiscard]] bool residual_is_round_off(const DaeLine& line, const double* x, const double* y) const;
  /// At the last evaluated point; `x` says how large its multipliers are. `exact`: with the derivatives of all forces.
  bool new_matrix(const DaeLine& line, const double* x, bool exact);
  /// Size of the last correction: of positions and of everything relative to their largest, of everything relative to
  /// what was largest when the iteration began, and in units of the tolerance.
  struct Size {
    double position, all, from_start, tolerance;
  };
  [[nodiscard]] Size size(const DaeLine& line, const double* x, const double* y) const;
  /// What corrections of q, v and s are relative to: the largest value and way of the step.
  struct Scales {
    double q, v, s;
  };
  [[nodiscard]] Scales scales(const DaeLine& line, const double* x, const double* y) const;
  Scales start_scale_{1, 1, 1};
  bool iterate(double t, const DaeLine& line, double* x, double* y, bool& stale);
  /// Newton's method with damping, from the prediction.
  bool solve_damped(double t, const DaeLine& line, double* x, double* y);
  struct Damped;

  DaeProblem& problem_;
  const FlowOptions& options_;
  FlowCounters& counters_;
  void place(const DaeLine& line, const double* x, double* y);
  std::size_t nq_, np_, ns_, n_ = 0;  ///< nq_: velocities, np_: length of q
  DaeMatrix matrix_;
  DaeSlopes slopes_;
  std::vector<double> residual_, x_start_, displacement_;
  DampedNewton damped_;
  std::vector<DaeTurn> turns_;
  std::vector<int> turn_of_;  ///< of each velocity its place in turns_, -1 if none
  bool have_matrix_ = false;
  bool at_round_off_ = false;  ///< of the residual at the last evaluated point
  double moved_ = 0;           ///< last correction of q
  double noise_ = 0;           ///< corrections of multipliers that the last new matrix ended with
  int with_new_ = 3;           ///< iterations that it took
  double matrix_b2_ = 0, matrix_b1_ = 0, matrix_force_ = 0;
  double lightest_ = 1;  ///< smallest positive entry of M
};

}  // namespace hstar::integrator

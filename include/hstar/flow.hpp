// include/hstar/flow.hpp
//
// Smooth motion inside one mode, as the run loop sees it: something that steps, can be read anywhere
// inside the last step, and can end a step exactly at a given time. A flow is an integrator put on a
// formulation of the equations of motion; it knows no events.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hstar {

/// y' = f(t, y) with a smooth f: the equations of one mode, written as an ODE.
class OdeProblem {
 public:
  virtual ~OdeProblem() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;  ///< length of y, fixed for the life of the object
  /// Writes y'(t, y) into ydot. Returns false when it cannot be evaluated (singular, NaN): the
  /// integrator then tries a smaller step. Must not allocate.
  virtual bool rates(double t, const double* y, double* ydot) = 0;
  /// Called once after each accepted step, and after finish_at: may move y back onto the invariants
  /// of the mode (constraints). Returns true if y was changed by more than round-off.
  virtual bool project(double /*t*/, double* /*y*/) { return false; }
  /// For each state the place in y of the state that is its rate (x' = v), -1 if there is none; empty: none known.
  /// Methods for second-order equations use it.
  [[nodiscard]] virtual std::span<const int> velocity_of() const { return {}; }
};

/// The matrix of an implicit method's iteration.
enum class Newton : unsigned char {
  full,       ///< exact, new in every iteration
  modified,   ///< exact, kept as long as it converges
  quasi,      ///< DAE methods: [M, -Phi_q^T; Phi_q, 0] without the derivatives of forces and of Phi_q^T lambda
  functional  ///< without constraints: fixed-point iteration, no derivatives
};

struct FlowOptions {
  double rtol = 1e-6;  ///< relative tolerance, in [1e-14, 1e-1]
  double atol = 1e-9;  ///< absolute tolerance, > 0 [unit of y]
  double t_end = 0.0;  ///< end of the run [s]: bounds the first step
  /// Of a mechanism y begins with so many coordinates and velocities. 0: states that have nothing to do with each
  /// other.
  std::size_t coordinates = 0, velocities = 0;
  /// Of each of these what turns, by its body's radius of gyration [m]; 0: a length or its rate. Empty: nothing turns.
  std::vector<double> turning;
  double first_step = 0.0;                                    ///< [s]; 0: chosen by the method
  double max_step = std::numeric_limits<double>::infinity();  ///< [s], > 0
  double fixed_step = 0.0;  ///< [s]; > 0: no error control, every step has this length (order studies)
  // Implicit methods only.
  Newton newton = Newton::modified;
  int max_order = 5;  ///< bdf, in [1, 6], ode113, in [1, 12]: largest order; with a fixed step the order
  double newmark_beta = 0.3025, newmark_gamma = 0.6;  ///< newmark
  double hht_alpha = -0.1;                            ///< hht, in [-1/3, 0]
  double rho_infinity = 0.8;                          ///< generalized_alpha: spectral radius at infinity, in [0, 1]
};

enum class StepResult : unsigned char {
  accepted,
  too_small,     ///< the step size fell below the resolution of t
  not_finite,    ///< the right-hand side could not be evaluated even for the smallest step
  not_converged  ///< an implicit method's iteration failed at the smallest step
};
[[nodiscard]] std::string_view describe(StepResult) noexcept;  ///< one sentence, for the user

struct FlowCounters {
  std::size_t steps = 0;        ///< accepted steps
  std::size_t rejected = 0;     ///< steps thrown away by error control
  std::size_t in_vain = 0;      ///< of these, shorter again without the smaller error that the order promises
  std::size_t evaluations = 0;  ///< of the right-hand side
  std::size_t jacobians = 0;
  std::size_t factorisations = 0;
  std::size_t iterations = 0;  ///< of implicit methods, all steps together
  std::size_t restarts = 0;
};

class Flow {
 public:
  virtual ~Flow() = default;

  /// Starts a new smooth segment at (t, y): forgets multistep and FSAL memory and evaluates the
  /// right-hand side anew. The step size of the segment before is kept as a first guess
  /// (ode23 estimates it anew, as published).
  /// Does not allocate after the first call.
  virtual StepResult restart(double t, std::span<const double> y) = 0;
  /// Takes one accepted step that ends at or before t_limit > t1() (exactly at t_limit if it would
  /// come within a few ulp of it or would leave a uselessly small rest). On failure the last accepted step stays.
  virtual StepResult step(double t_limit) = 0;

  [[nodiscard]] virtual double t0() const = 0;                   ///< start of the last accepted step [s]
  [[nodiscard]] virtual double t1() const = 0;                   ///< its end [s]; after restart t0 == t1
  [[nodiscard]] virtual std::span<const double> y0() const = 0;  ///< state at t0
  [[nodiscard]] virtual std::span<const double> y1() const = 0;  ///< state at t1, projected

  /// Polynomial degree of the interpolant in t; 0 = not polynomial.
  [[nodiscard]] virtual int degree() const = 0;
  /// Writes the interpolant at t in [t0, t1] into y. May evaluate the right-hand side the first
  /// time it is called on a step (dop853's extra stages).
  virtual void at(double t, std::span<double> y) = 0;
  /// Row r < degree() of the interpolant in the form of events/dense_step.hpp; empty if it is not in this form.
  [[nodiscard]] virtual std::span<const double> row(int /*r*/) { return {}; }
  /// The same as powers, as events/dense_step.hpp says; empty if it is not known so.
  [[nodiscard]] virtual std::span<const double> powers() { return {}; }
  /// The states that these powers are of; empty: all.
  [[nodiscard]] virtual std::span<const std::size_t> moving() { return {}; }
  /// Estimate of |interpolant - solution| by component on the last step (>= the local error).
  [[nodiscard]] virtual std::span<const double> error() = 0;
  /// Takes the integrator's own step from (t0, y0) to exactly t in (t0, t1], projected, into y.
  /// Does not change the accepted step.
  virtual StepResult finish_at(double t, std::span<double> y) = 0;

  [[nodiscard]] virtual const FlowCounters& counters() const = 0;
  [[nodiscard]] virtual int order() const = 0;  ///< order of the solution that is continued
};

struct IntegratorEntry {
  std::string name;
  std::string about;   ///< one line: family, order, dense output, use
  std::string source;  ///< who published it
  int order;
  bool implicit;
  std::unique_ptr<Flow> (*make)(OdeProblem&, const FlowOptions&);
};

/// All one-step integrators, in a fixed order.
[[nodiscard]] std::span<const IntegratorEntry> integrators();
/// Multistep methods, and methods of low order, on y' = f(t, y): their error adds up over many short steps, so that the
/// estimates of event times, which see the step alone, are too small.
[[nodiscard]] std::span<const IntegratorEntry> further_integrators();
/// Newmark's family on x'' = f(t, x, x'), for problems whose velocity_of() says which states are velocities.
[[nodiscard]] std::span<const IntegratorEntry> second_order_integrators();
[[nodiscard]] const IntegratorEntry* find_second_order_integrator(std::string_view name);
/// Another name of a method, or that of a method which hstar does not have, with the one that takes its place.
struct IntegratorAlias {
  std::string_view name, target;
  std::string_view why;  ///< whose name it is, and how that method differs; may be empty
};
[[nodiscard]] std::span<const IntegratorAlias> integrator_aliases();
/// Of the first two lists, by name or alias ("ode45" is dopri5); nullptr if there is none.
[[nodiscard]] const IntegratorEntry* find_integrator(std::string_view name);

}  // namespace hstar

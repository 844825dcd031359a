// include/hstar/dae.hpp
//
// The equations of one mode as implicit methods need them, before any reduction to y' = f(t, y):
//   q' = v,   M v' = F(t, q, v, s, lambda),   s' = r(t, q, v, s),
// and one equation for each multiplier: Phi_i(t, q) = 0, or J_i v = nu_i where only the velocity is known
// (stick). All multipliers enter F with a plus sign. y = (q, v, s).
//
// In space q' = N(q) v, q longer than v: an orientation has four parameters of length 1 and three angular velocities.
// "By q" is then by a virtual displacement of as many entries as v, of which three are a turn in body axes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hstar/flow.hpp"

namespace hstar {

/// One entry of a sparse matrix; entries of the same place add up.
struct DaeEntry {
  int row, column;
  double value;
};
using DaeEntries = std::vector<DaeEntry>;

/// What the equation of a multiplier is.
enum class DaeRow : unsigned char {
  position,   ///< Phi(t, q) = 0
  velocity,   ///< J v = nu
  multiplier  ///< the row depends on others: n . lambda tells which of the multipliers that exert the same forces
};

/// Derivatives at the last evaluated point. Rows and columns count from 0 in their own block.
struct DaeSlopes {
  DaeEntries force_q, force_v, force_s, force_lambda;  ///< of F
  DaeEntries rate_q, rate_v, rate_s;                   ///< of r
  DaeEntries rows;                                     ///< J, all rows (also those that depend on others)
  DaeEntries speed_q;                                  ///< of J v - nu
  DaeEntries acceleration_q;                           ///< of J a - gamma at given a
  DaeEntries acceleration_v;
  DaeEntries row_lambda;  ///< of the equations of kind `multiplier`
};

/// Derivative of a displacement of q by what q was made of, where that is not 1: coordinates first to first + 2 are a
/// turn.
struct DaeTurn {
  int first;
  double slope[3][3];
};

/// In which form the equations are to be solved.
enum class DaeForm : unsigned char {
  index3,  ///< position constraints alone
  ggl,     ///< stabilised index 2: position and velocity constraints, q' = v + M^-1 J^T mu
  index1   ///< acceleration constraints
};

class DaeProblem {
 public:
  virtual ~DaeProblem() = default;
  [[nodiscard]] virtual DaeForm form() const { return DaeForm::index3; }
  [[nodiscard]] virtual int coordinates() const = 0;  ///< length of v
  /// Length of q. The members that follow differ from their defaults where q' = N(q) v only.
  [[nodiscard]] virtual int places() const { return coordinates(); }
  /// q = q0 moved by a displacement of coordinates() entries, which for orientations is a finite rotation in body axes.
  virtual void displace(const double* q0, const double* displacement, double* q) {
    for (int i = 0; i < coordinates(); ++i) q[i] = q0[i] + displacement[i];
  }
  /// Derivatives of that by `displacement`.
  virtual void displace_slopes(const double* /*displacement*/, std::vector<DaeTurn>& out) { out.clear(); }
  /// N(q) v.
  virtual void place_rates(const double* /*q*/, const double* v, double* q_dot) {
    for (int i = 0; i < coordinates(); ++i) q_dot[i] = v[i];
  }
  /// The q of a multistep method at given v: c0 q + past = N(q) v, parameters made of length 1. `past`: places().
  virtual void settle(double c0, const double* past, const double* v, double* q) {
    for (int i = 0; i < coordinates(); ++i) q[i] = (v[i] - past[i]) / c0;
  }
  /// c0 times the derivatives of that by v.
  virtual void settle_slopes(double /*c0*/, const double* /*v*/, std::vector<DaeTurn>& out) { out.clear(); }
  /// The other way round, places() entries: the v that q' belongs to, B(q) q', and what is left of the parameters'
  /// lengths, (|p|^2 - 1) / 2, which implicit methods impose in place of one parameter's rate.
  virtual void turning(const double* /*q*/, const double* q_dot, double* out) {
    for (int i = 0; i < coordinates(); ++i) out[i] = q_dot[i];
  }
  /// Its derivatives by q' and by the entries of q; those of `by_rate` in the order of rows, B itself.
  virtual void turning_slopes(const double* /*q*/, const double* /*q_dot*/, DaeEntries& by_rate, DaeEntries& by_q) {
    by_rate.clear();
    by_q.clear();
    for (int i = 0; i < coordinates(); ++i) by_rate.push_back({i, i, 1.0});
  }
  [[nodiscard]] virtual int states() const = 0;          ///< length of s
  [[nodiscard]] virtual int max_rows() const = 0;        ///< most multipliers of any mode
  [[nodiscard]] virtual const double* mass() const = 0;  ///< diagonal of the constant M, one a coordinate

  /// Whether coordinate i is an angle [rad]: sizes of angles and lengths are never compared.
  [[nodiscard]] virtual bool is_angle(int /*i*/) const { return false; }
  /// Whether entry i of q is one, or a parameter of an orientation.
  [[nodiscard]] virtual bool is_turned(int i) const { return is_angle(i); }

  /// Entries of s that q knows better, angles over whole turns, are taken from there at the end of a step: what their
  /// integration is off by must not add up.
  virtual void follow_turns(double /*t*/, double* /*y*/) {}

  /// A new smooth segment begins at (t, y): chooses the rows of the present mode. Nothing allocates later.
  virtual bool begin(double t, const double* y) = 0;
  [[nodiscard]] virtual int rows() const = 0;
  [[nodiscard]] virtual DaeRow kind(int row) const = 0;
  /// v' , s' and lambda that satisfy the equations and their hidden derivatives at (t, y). False if singular.
  virtual bool solve(double t, const double* y, double* a, double* rate, double* lambda) = 0;

  /// Evaluates everything below at one point.
  virtual bool evaluate(double t, const double* y, const double* lambda) = 0;
  [[nodiscard]] virtual const double* force() const = 0;     ///< F
  [[nodiscard]] virtual const double* rate() const = 0;      ///< r
  [[nodiscard]] virtual const double* position() const = 0;  ///< Phi; n . lambda of dependent rows; 0 for velocity rows
  [[nodiscard]] virtual const double* speed() const = 0;     ///< J v - nu
  [[nodiscard]] virtual const double* gamma() const = 0;     ///< J a = gamma
  /// J alone, at the last evaluated point.
  virtual void jacobian(DaeEntries& rows) = 0;
  /// All derivatives at the last evaluated point; `a` (for J a - gamma) may be null.
  virtual void differentiate(const double* a, DaeSlopes& slopes) = 0;
  /// d(J^T mu)/dq at the last evaluated point.
  virtual void curvature(const double* mu, DaeEntries& out) = 0;
};

/// A method for a DaeProblem. `ode` gives the same motion as y' = f(t, y), for starting values of multistep methods.
struct DaeIntegratorEntry {
  std::string name;
  std::string about;
  std::string source;
  int order;
  bool index3, ggl, index1;  ///< the forms it solves
  std::unique_ptr<Flow> (*make)(OdeProblem& ode, DaeProblem& dae, const FlowOptions&);
  [[nodiscard]] bool solves(DaeForm form) const {
    return form == DaeForm::index3 ? index3 : form == DaeForm::ggl ? ggl : index1;
  }
};

/// All methods for a DaeProblem, in a fixed order.
[[nodiscard]] std::span<const DaeIntegratorEntry> dae_integrators();
/// nullptr if there is none of this name.
[[nodiscard]] const DaeIntegratorEntry* find_dae_integrator(std::string_view name);

}  // namespace hstar

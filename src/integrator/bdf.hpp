// src/integrator/bdf.hpp
//
// Backward differentiation formulas of order 1 to 6 (Gear 1971) with variable coefficients: on index-3 equations
// twice, v from a and q from v (Orlandea & Chace 1977; convergence: Lotstedt & Petzold 1986), and on y' = f(t, y).
#pragma once

#include <memory>

#include "hstar/dae.hpp"

namespace hstar::integrator {

std::unique_ptr<Flow> make_bdf(OdeProblem&, DaeProblem&, const FlowOptions&);
std::unique_ptr<Flow> make_backward_euler(OdeProblem&, DaeProblem&, const FlowOptions&);
std::unique_ptr<Flow> make_ode_bdf(OdeProblem&, const FlowOptions&);
std::unique_ptr<Flow> make_ode_backward_euler(OdeProblem&, const FlowOptions&);

/// The implicit equation of one BDF step.
class BdfCorrector {
 public:
  virtual ~BdfCorrector() = default;
  /// A new segment at (t, y); false if the equations cannot be evaluated there.
  virtual bool restart(double t, const std::vector<double>& y) = 0;
  /// What of y' the formula knows: c0 (y - last) + past. (In differences, so that what stands still does so to the last
  /// bit.)
  struct Formula {
    double c0;
    const std::vector<double>&past, &last;
  };
  /// Solves that for y'(t, y) from the prediction in y.
  virtual bool solve(double t, const Formula& formula, std::vector<double>& y) = 0;
  /// e becomes (I - f_y / c0)^-1 e with the matrix of the last iteration, which takes out of an estimate what is stiff;
  /// nothing happens where there is none.
  virtual void damp(std::vector<double>& /*e*/) {}
};

/// BDF for any corrector. `ode` gives starting values through a one-step method (starter.hpp), so that the order is the
/// same through restarts, and none of them needs small steps of low order.
std::unique_ptr<Flow> make_bdf_flow(OdeProblem& ode,
                                    std::unique_ptr<BdfCorrector> (*corrector)(OdeProblem&, DaeProblem*,
                                                                               const FlowOptions&, FlowCounters&),
                                    DaeProblem* dae, const FlowOptions& options, int max_order);

std::unique_ptr<BdfCorrector> make_dae_corrector(OdeProblem&, DaeProblem*, const FlowOptions&, FlowCounters&);
std::unique_ptr<BdfCorrector> make_ode_corrector(OdeProblem&, DaeProblem*, const FlowOptions&, FlowCounters&);

}  // namespace hstar::integrator

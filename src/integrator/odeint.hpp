// src/integrator/odeint.hpp
//
// Makers of the integrators that stand on Boost.Odeint; Odeint itself is included in odeint_*.cpp only.
#pragma once

#include <memory>

#include "hstar/flow.hpp"

namespace hstar::integrator {

/// Rates as Odeint calls them; once they cannot be computed they are not asked again.
template <class Rates, class Vector>
struct OdeintSystem {
  const Rates& rates;
  bool ok = true;
  void operator()(const Vector& y, Vector& ydot, double t) { ok = ok && rates(t, y.data(), ydot.data()); }
};

std::unique_ptr<Flow> make_dopri5(OdeProblem& problem, const FlowOptions& options);
std::unique_ptr<Flow> make_rosenbrock4(OdeProblem& problem, const FlowOptions& options);
std::unique_ptr<Flow> make_bulirsch_stoer(OdeProblem& problem, const FlowOptions& options);

}  // namespace hstar::integrator

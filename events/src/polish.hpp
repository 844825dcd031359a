// events/src/polish.hpp
//
// Moves a root from the interpolant to the real solution: G(t) = g(t, y(t)) with y(t) from a step of
// the integrator that ends exactly at t, so that the time converges at the integrator's full order.
#pragma once

#include <cstddef>

#include "sampler.hpp"

namespace hstar::events::detail {

/// Where to look: g has sign `before` at lo and the other at hi, both to be proven unless known.
struct PolishStart {
  std::size_t guard = 0;
  int before = 0;
  double t = 0.0;      ///< first guess [s]
  double slope = 0.0;  ///< dg/dt there, 0 if not known
  double lo = 0.0, hi = 0.0;
  bool lo_known = false, hi_known = false;
  double g_tol = 0.0;
};

struct Polished {
  enum class Status : unsigned char { found, behind, never, failed };
  Status status = Status::failed;
  double t = 0.0, t_lo = 0.0, t_hi = 0.0;
  double g = 0.0;      ///< what is left of g at t
  double slope = 0.0;  ///< dg/dt at t
};

/// Newton from the proxy, then secants, inside a bracket that every evaluation narrows; halving where
/// they do not help. Ends when |G| <= g_tol, when the correction is a few ulp of t, or when it no
/// longer shrinks (round-off of g). `behind`: at lo g has passed through zero already; `never`: at hi it has not.
Polished polish(Sampler& sampler, const PolishStart& start, int max_steps);

}  // namespace hstar::events::detail

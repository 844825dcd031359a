// tests/oracle/solver/first_root.hpp: the first zero of a polynomial that is positive just after s = 0.
#pragma once

#include <optional>

#include "solver/number.hpp"

namespace oracle {

template <class R>
struct FirstRoot {
  std::optional<R> s;
  bool unresolved = false;  ///< two roots, or none, nearer to each other than the numbers can tell
};

/// Of sum c_k s^k on (0, h]; the coefficients below `order` are known to be zero.
template <class R>
FirstRoot<R> first_root(const Vector<R>& c, std::size_t order, const R& h);

extern template FirstRoot<Fast> first_root(const Vector<Fast>&, std::size_t, const Fast&);
extern template FirstRoot<Exact> first_root(const Vector<Exact>&, std::size_t, const Exact&);

}  // namespace oracle

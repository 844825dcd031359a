// tests/oracle/solver/impact.hpp: velocities after an impact by Newton's law with Coulomb's, every combination tried.
#pragma once

#include <string>

#include "solver/motion.hpp"

namespace oracle {

template <class R>
struct Impact {
  Vector<R> z;          ///< after
  std::string failure;  ///< why there is no single answer, or empty
  bool doubtful = false;
};

/// What becomes of the normal velocities of the contacts that take part.
enum class Restitution : unsigned char {
  own,      ///< each contact's coefficient
  plastic,  ///< e = 0
  glued     ///< they vanish: all impulses of contacts that bounce in turn, summed; friction by the sums
};

/// `touching`: the contacts that take part. `speed`: the size of velocities, to judge what is zero.
template <class R>
Impact<R> strike(const Mechanism<R>& mechanism, const Vector<R>& z, const std::vector<char>& touching,
                 Restitution restitution, const R& speed);

extern template Impact<Fast> strike(const Mechanism<Fast>&, const Vector<Fast>&, const std::vector<char>&, Restitution,
                                    const Fast&);
extern template Impact<Exact> strike(const Mechanism<Exact>&, const Vector<Exact>&, const std::vector<char>&,
                                     Restitution, const Exact&);

}  // namespace oracle

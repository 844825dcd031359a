// tests/oracle/solver/decide.hpp
//
// Which elements stick, slide, stay closed or open just after a moment: every combination is tried, and one holds if
// all its inequalities hold just after the moment, judged by the first derivative that is not zero.
#pragma once

#include <string>

#include "solver/motion.hpp"

namespace oracle {

/// What is known of an element before the decision.
struct Knowledge {
  bool touches = false;   ///< a contact without gap and normal velocity; a guide always
  int slides = 0;         ///< its sliding velocity is not zero and has this sign
  bool exceeded = false;  ///< it stuck, and its static limit has just been reached
  bool arrives = false;   ///< it slid, and its velocity has just become zero
};

template <class R>
struct Decision {
  Mode<R> mode;
  std::optional<Motion<R>> motion;
  /// What the motion does, whichever of several splits of redundant forces the mode stands for: a contact that stays
  /// without gap is closed and an element that stays without velocity sticks.
  Mode<R> seen;
  bool redundant = false;  ///< a contact is kept closed, or an element at rest, by others
  bool doubtful = false;
  std::string failure;  ///< why there is no single answer, or empty
};

/// `before`: the sides of the guides. `noise`: positions and velocities are zero to this.
template <class R>
Decision<R> decide(const Mechanism<R>& mechanism, const Vector<R>& z, const std::vector<Knowledge>& known,
                   const Mode<R>& before, const R& noise);

extern template Decision<Fast> decide(const Mechanism<Fast>&, const Vector<Fast>&, const std::vector<Knowledge>&,
                                      const Mode<Fast>&, const Fast&);
extern template Decision<Exact> decide(const Mechanism<Exact>&, const Vector<Exact>&, const std::vector<Knowledge>&,
                                       const Mode<Exact>&, const Exact&);

}  // namespace oracle

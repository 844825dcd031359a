// tests/oracle/solver/expect.hpp: the true events and final state of a model, and how exactly a program must have them.
#pragma once

#include "solver/solve.hpp"

namespace oracle {

struct Expected {
  Answer answer;
  std::vector<double> time_bound, state_bound;  ///< of each event, of each entry of the final state
  std::string aside;                            ///< why the case cannot be judged, or empty
  std::string close;  ///< what turning by 100 rtol changes of the events, or empty: then the bounds are those of less
};

/// A program with relative tolerance rtol may be off by 100 rtol times the sensitivity: what times and states change
/// when every number of the model is turned by 100 rtol. If that changes which events there are, they are turned by
/// less until it does not: a program that has the true events within those tighter bounds is right, and of another
/// nobody can tell.
[[nodiscard]] Expected expect(const Model& model);

}  // namespace oracle

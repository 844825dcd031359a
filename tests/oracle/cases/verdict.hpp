// tests/oracle/cases/verdict.hpp: what a program told of a run, compared with the truth one to one.
#pragma once

#include <string>
#include <vector>

#include "solver/expect.hpp"

namespace oracle {

struct ToldEvent {
  double t = 0;
  std::string kind, element;
};

struct Run {
  bool reached_end = false;
  std::string outcome;  ///< status and message
  std::vector<ToldEvent> events;
  std::vector<double> final_state;  ///< as in Answer
};

/// Empty if the run is right, else what is wrong first: a word and details.
[[nodiscard]] std::string verdict(const Expected& expected, const Run& run);

}  // namespace oracle

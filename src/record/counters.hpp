// src/record/counters.hpp
//
// The counters of a run by name, in the order in which all files and tables have them.
#pragma once

#include "hstar/run.hpp"

namespace hstar::record {

struct Counter {
  const char* name;  ///< as in summary.json and run.h5
  std::size_t RunCounters::*of_run;
  std::size_t FlowCounters::*of_flow;
  [[nodiscard]] std::size_t& in(RunCounters& c) const { return of_run ? c.*of_run : c.flow.*of_flow; }
  [[nodiscard]] std::size_t in(const RunCounters& c) const { return of_run ? c.*of_run : c.flow.*of_flow; }
};

inline constexpr Counter counters[] = {
    {"events", &RunCounters::events, nullptr},
    {"transitions", &RunCounters::transitions, nullptr},
    {"mode_solves", &RunCounters::mode_solves, nullptr},
    {"steps", nullptr, &FlowCounters::steps},
    {"rejected_steps", nullptr, &FlowCounters::rejected},
    {"restarts", nullptr, &FlowCounters::restarts},
    {"evaluations", nullptr, &FlowCounters::evaluations},
    {"jacobians", nullptr, &FlowCounters::jacobians},
    {"factorisations", nullptr, &FlowCounters::factorisations},
    {"iterations", nullptr, &FlowCounters::iterations},
    {"guard_evaluations", &RunCounters::guard_evaluations, nullptr},
    {"polish_steps", &RunCounters::polish_steps, nullptr},
    {"projections", &RunCounters::projections, nullptr},
    {"repartitions", &RunCounters::repartitions, nullptr},
};

}  // namespace hstar::record

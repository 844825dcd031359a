// tests/laws/flow_allocations.hpp
//
// What every flow must hold: after its first segment steps, readings, ends inside steps and restarts allocate nothing.
#pragma once

#include <catch2/catch.hpp>
#include <vector>

#include "hstar/flow.hpp"
#include "support/allocations.hpp"

namespace laws {

/// `segments` times `steps` steps, each segment from y.
inline void check_steps_do_not_allocate(hstar::Flow& flow, const std::vector<double>& y, int steps, int segments) {
  std::vector<double> read(y.size());
  const auto a_bit_of_everything = [&](double t) {
    flow.restart(t, y);
    for (int k = 0; k < steps; ++k) {
      flow.step(flow.t1() + 2);
      flow.at(0.5 * (flow.t0() + flow.t1()), read);
      flow.finish_at(0.7 * flow.t0() + 0.3 * flow.t1(), read);
      (void)flow.error();
    }
  };
  a_bit_of_everything(0);
  const std::size_t before = allocations();
  for (int k = 1; k < segments; ++k) a_bit_of_everything(k);
  CHECK(allocations() == before);
}

}  // namespace laws

// tests/validation/flat_block_test.cpp
//
// A block that falls flat strikes with its two corners at once, bounce after bounce, whatever round-off makes of their
// heights: with every formulation the events are those of the run with the tightest tolerance.
#include <catch2/catch.hpp>

#include "hstar/compare.hpp"

using namespace hstar;

TEST_CASE("a block that falls flat strikes with two corners at once, in any order and with every integrator") {
  CompareOptions options;
  options.integrators = {"dopri5"};
  options.tolerances = {1e-8};
  options.time_limit = 60;
  const Comparison c = compare(std::string(HSTAR_SOURCE_DIR) + "/examples/11_dropped_block.toml", {}, options);
  for (const CompareRow& r : c.rows) {
    INFO(r.formulation << ": " << r.failure);
    CHECK(r.failure.empty());
    CHECK(r.event_error.has_value());
  }
}

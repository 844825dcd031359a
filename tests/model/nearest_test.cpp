// tests/model/nearest_test.cpp
//
// "did you mean" helps with slips of the finger, and stays silent rather than guess wildly.
#include "model/nearest.hpp"

#include <catch2/catch.hpp>

using namespace hstar;

TEST_CASE("the nearest name is found for slips of the finger only", "[nearest]") {
  const std::vector<std::string> keys{"mass", "inertia", "position", "mu_static", "mu_kinetic", "g"};
  CHECK(nearest_name("mas", keys) == "mass");
  CHECK(nearest_name("Mass", keys) == "mass");
  CHECK(nearest_name("amss", keys) == "mass");  // neighbours swapped
  CHECK(nearest_name("intertia", keys) == "inertia");
  CHECK(nearest_name("mu_statik", keys) == "mu_static");
  CHECK(nearest_name("mu", keys) == "mu_static");  // begins with it
  CHECK(nearest_name("friction", keys).empty());
  CHECK(nearest_name("h", keys).empty());  // one letter for another is another name
  CHECK(nearest_name("G", keys) == "g");
  CHECK(nearest_name("", keys).empty());
  CHECK(nearest_name("x", {}).empty());
}

TEST_CASE("of equally near names the first is taken, so messages do not depend on luck", "[nearest]") {
  CHECK(nearest_name("body0", std::vector<std::string>{"body1", "body2"}) == "body1");
  // But one that only has more letters comes before one with another letter.
  CHECK(nearest_name("block.v", std::vector<std::string>{"block.x", "block.vx"}) == "block.vx");
}

TEST_CASE("a suggestion names one near word, or what there is", "[nearest]") {
  const std::vector<std::string> names{"sled", "cart"};
  CHECK(suggestion("sledd", names) == "did you mean \"sled\"?");
  CHECK(suggestion("ball", names, "bodies") == "bodies: sled, cart");
  CHECK(suggestion("ball", names, "bodies", 1) == "bodies: sled, ...");
  CHECK(suggestion("ball", {}) == "known names: none");
  CHECK(words_of("  a bc  d ") == std::vector<std::string>{"a", "bc", "d"});
}

// tests/model/repeat_test.cpp
//
// `count` in a repeated section must give exactly the elements one would have written by hand: names with the index
// put in, formulas that see it, single copies that --set can reach, and errors where names would collide.
#include <catch2/catch.hpp>

#include "hstar/error.hpp"
#include "hstar/model_spec.hpp"

using namespace hstar;

namespace {

const char* const chain = R"([parameters]
n = 3
L = 0.5
[simulation]
end = 1.0
[[body]]
name = "link{i}"
count = "n"
mass = "1 + i"
position = ["(i + 0.5)*L", 0.0]
inertia = 0.1
[[joint]]
name = "pin{k}"
count = "n - 1"
index = "k"
type = "revolute"
bodies = ["link{k}", "link{k+1}"]
points = [["L/2", 0.0], ["-L/2", 0.0]]
[[measure]]
name = "turn{i}"
count = "n - 1"
value = "link{i+1}.angle - link{i}.angle + 0*i"
)";

}  // namespace

TEST_CASE("Copies are numbered from 0 and see their index in names and formulas") {
  const ModelSpec m = parse_model(chain, "chain.toml");
  REQUIRE(m.bodies.size() == 3);
  REQUIRE(m.joints.size() == 2);
  REQUIRE(m.measures.size() == 2);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(m.bodies[i].name == "link" + std::to_string(i));
    CHECK(m.bodies[i].mass == 1.0 + static_cast<double>(i));
    CHECK(m.bodies[i].position[0] == (static_cast<double>(i) + 0.5) * 0.5);
  }
  CHECK(m.joints[1].name == "pin1");
  CHECK(m.joints[1].markers[0].body == "link1");
  CHECK(m.joints[1].markers[1].body == "link2");
}

TEST_CASE("The number of copies may be set, and single copies may be changed") {
  const ModelSpec m = parse_model(chain, "chain.toml", {{"parameters.n", "5"}, {"body.link4.mass", "9"}});
  REQUIRE(m.bodies.size() == 5);
  CHECK(m.bodies[3].mass == 4.0);
  CHECK(m.bodies[4].mass == 9.0);
  CHECK(parse_model(chain, "chain.toml", {{"body.link{i}.mass", "2*i + 1"}}).bodies[2].mass == 5.0);
}

TEST_CASE("What would not work is said") {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = chain;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  CHECK_THROWS_WITH(parse_model(changed("link{i}\"\ncount", "link\"\ncount"), "c.toml"),
                    Catch::Contains("3 copies need different names"));
  CHECK_THROWS_WITH(parse_model(changed("\"n - 1\"", "\"n - 3.5\""), "c.toml"),
                    Catch::Contains("count = -0.5 must be a whole number"));
  CHECK_THROWS_WITH(parse_model(changed("link{k+1}", "link{k+0.5}"), "c.toml"),
                    Catch::Contains("must be a whole number"));
  CHECK_THROWS_WITH(parse_model(changed("link{k+1}", "link{k+1"), "c.toml"), Catch::Contains("brace"));
  CHECK_THROWS_WITH(parse_model(changed("L = 0.5", "L = 0.5\ni = 1"), "c.toml"),
                    Catch::Contains("the index \"i\" is a parameter too"));
}

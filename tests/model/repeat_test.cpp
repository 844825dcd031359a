// tests/model/repeat_test.cpp
//
// `count` in a repeated section must give exactly the elements one would have written by hand: names with the index
// put in, formulas that see it, single copies that --set can reach, and errors where names would collide. `partner`
// must give every pair once, in the order i < j, and no pair of an element with itself.
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

const char* const discs = R"([parameters]
n = 4
[simulation]
end = 1.0
[[body]]
name = "disc{i}"
count = "n"
mass = 1.0
inertia = 0.1
position = ["3*i", 0.0]
[[contact]]
name = "hit{i}_{j}"
count = "n"
partner = "j"
between = [{ body = "disc{i}", shape = "circle", radius = "1 + i/8" }, { body = "disc{j}", shape = "circle", radius = "1 + j/8" }]
restitution = "(i + 10*j)/100"
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != std::string::npos);
  return text.replace(text.find(from), from.size(), to);
}

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

TEST_CASE("A partner makes a copy for every pair, which sees both indices") {
  for (const std::size_t n : {1U, 2U, 4U, 7U}) {
    const ModelSpec m = parse_model(discs, "discs.toml", {{"parameters.n", std::to_string(n)}});
    REQUIRE(m.bodies.size() == n);
    REQUIRE(m.contacts.size() == n * (n - 1) / 2);
    std::size_t k = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j, ++k) {
        const ContactSpec& c = m.contacts[k];
        CHECK(c.name == "hit" + std::to_string(i) + "_" + std::to_string(j));
        CHECK(c.first.marker.body == "disc" + std::to_string(i));
        CHECK(c.second.marker.body == "disc" + std::to_string(j));
        CHECK(c.first.radius == 1.0 + static_cast<double>(i) / 8);
        CHECK(c.second.radius == 1.0 + static_cast<double>(j) / 8);
        CHECK(c.restitution == static_cast<double>(i + 10 * j) / 100);
      }
  }
}

TEST_CASE("Both indices may be renamed, and a single pair may be changed") {
  const std::string renamed = with(
      with(with(with(with(discs, "hit{i}_{j}", "hit{a}_{b}"), "\"j\"", "\"b\"\nindex = \"a\""),
                "disc{i}\", shape = \"circle\", radius = \"1 + i/8", "disc{a}\", shape = \"circle\", radius = \"1"),
           "disc{j}\", shape = \"circle\", radius = \"1 + j/8", "disc{b}\", shape = \"circle\", radius = \"1"),
      "(i + 10*j)/100", "(a + 10*b)/100");
  const ModelSpec m = parse_model(renamed, "discs.toml", {{"contact.hit1_3.restitution", "0.75"}});
  REQUIRE(m.contacts.size() == 6);
  CHECK(m.contacts[4].name == "hit1_3");
  CHECK(m.contacts[4].restitution == 0.75);
  CHECK(m.contacts[5].restitution == 0.32);
}

TEST_CASE("Pairs that would not work are said") {
  CHECK_THROWS_WITH(parse_model(with(discs, "hit{i}_{j}", "hit"), "d.toml"),
                    Catch::Contains("6 copies need different names") && Catch::Contains("hit{i}_{j}"));
  CHECK_THROWS_WITH(parse_model(with(discs, "\"j\"", "\"i\""), "d.toml"), Catch::Contains("both called \"i\""));
  CHECK_THROWS_WITH(parse_model(with(discs, "\"j\"", "\"n\""), "d.toml"), Catch::Contains("is a parameter too"));
  CHECK_THROWS_WITH(parse_model(with(discs, "\"j\"", "2"), "d.toml"), Catch::Contains("partner must be a name"));
  CHECK_THROWS_WITH(parse_model(with(discs, "count = \"n\"\npartner", "partner"), "d.toml"),
                    Catch::Contains("partner"));
  CHECK_THROWS_WITH(parse_model(with(discs, "\"n\"\npartner", "1415\npartner"), "d.toml"),
                    Catch::Contains("makes 1000405 pairs"));
}

// tests/simulate/slides_that_begin.cpp
//
// A load that grows slowly until feet in space begin to slide, with no acceleration at first: by every method, against
// an integration elsewhere, and from steps that had to be cut down to the limit.
#include <catch2/catch.hpp>

#include "support/run_text.hpp"

using namespace support;

TEST_CASE("a force that grows turns a box about a point beside one of its corners") {
  // The reference: equations of the plane with friction mu N v / sqrt(v^2 + eps^2), normal forces of stiff feet, by
  // another program (Radau IIA in Python), and what it tends to as eps goes from 1e-6 to 1e-8 m/s.
  // The corner beside that point is slow, and its friction follows its velocity in no time. Held still where the load
  // turns, the directions of the other three moved it elsewhere.
  for (const char* integrator : {"dopri5", "dop853", "radau", "bdf"}) {
    INFO(integrator);
    const auto r = run_text(
        "dimension = 3\ngravity = [-0.372769,0,-9.802915]\n[simulation]\nrtol = 1e-10\n"
        "end = 16.47604943669422\nintegrator = \"" +
        std::string(integrator) + R"("
[[body]]
name = "box"
shape = "box"
sides = [1, 1, 0.5]
density = 50
position = [0, 0, 0.25]
[[contact]]
name = "floor"
between = [{ body = "ground", shape = "plane", normal = [0, 0, 1] }, { body = "box", shape = "box", sides = [1, 1, 0.5] }]
friction = { mu = 0.769 }
[[force]]
name = "push"
type = "point_force"
body = "box"
point = [0.123, -0.454, -0.194]
force = ["8.94943*t", "4.34879*t", "-0.99785*t"]
)");
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    CHECK(r.events.size() == 1);
    CHECK(final_value(r, "box.x") == Approx(0.00153137).margin(1e-8));
    CHECK(final_value(r, "box.y") == Approx(0.00126614).margin(1e-8));
    CHECK(final_value(r, "box.vx") == Approx(0.01528576).margin(4e-8));
    // (What methods differ by is not the reference's error.)
    CHECK(final_value(r, "box.x") == Approx(0.00153136656).margin(2e-10));
  }
}

TEST_CASE("a table on three feet slides on where steps had to be cut down to its limit") {
  // A step that reaches beyond the limit has no answer there (the forces of three feet are not unique) and is taken
  // again in halves. The first one of the slide was as short, down to the round-off of time: rates of round-off turned
  // it back at once, a hundred times at one instant, and steps of 1e-16 s followed.
  const auto table = [](const char* more) {
    return std::string("dimension = 3\n") + more + R"(
[[body]]
name = "table"
mass = 3
inertia = [0.5, 0.6, 0.9]
position = [0, 0, 0.5]
)";
  };
  const auto foot = [](const char* name, const char* place, const char* mu) {
    return std::string("[[contact]]\nname = \"") + name +
           "\"\nbetween = [{ body = \"ground\", shape = \"plane\", normal = [0, 0, 1] }, { body = \"table\", shape = "
           "\"sphere\", radius = 0.1, point = " +
           place + " }]\nfriction = { mu = " + mu + " }\n";
  };
  const auto push = [](const char* point, const char* force) {
    return std::string("[[force]]\nname = \"push\"\ntype = \"point_force\"\nbody = \"table\"\npoint = ") + point +
           "\nforce = " + force + "\n";
  };
  const std::string about_a_foot = table("gravity = [-0.407791, 0, -9.801521]\n[simulation]\nend = 2\nrtol = 1e-9") +
                                   foot("a", "[0.563, 0.095, -0.4]", "0.668") +
                                   foot("b", "[-0.024, 0.687, -0.4]", "0.569") +
                                   foot("c", "[-0.617, -0.663, -0.4]", "0.259") +
                                   push("[-0.425, 0.187, -0.163]", R"(["4.10446*t", "6.67595*t", "6.21169*t"])");
  const std::string away = table("gravity = [0.140355,0,-9.808996]\n[simulation]\nend = 1.2\nrtol = 1e-9") +
                           foot("a", "[0.572, -0.289, -0.4]", "0.81") + foot("b", "[-0.694, 0.46, -0.4]", "0.171") +
                           foot("c", "[-0.526, -0.422, -0.4]", "0.247") +
                           push("[0.105, -0.386, 0.466]", R"(["-6.41668*t", "-5.99387*t", "4.78537*t"])");
  for (const std::string* model : {&about_a_foot, &away}) {
    const auto r = run_text(*model);
    INFO(r.outcome.message);
    REQUIRE(r.outcome.success());
    CHECK(count(r, "reversal") == 0);
    CHECK(first_event(r, "slip").t == Approx(model == &about_a_foot ? 0.7480982138 : 1.0353730663).margin(1e-9));
  }
}

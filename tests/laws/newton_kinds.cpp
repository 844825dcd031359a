// tests/laws/newton_kinds.cpp
//
// For every joint, force and contact type: implicit steps with the exact matrix, with one that is kept, and with the
// quasi-Newton matrix [M -Phi_q^T; Phi_q 0] end in the same motion, to the round-off of the iteration. The three differ
// in the matrix only, so that a wrong residual or an iteration that stops too early shows as a difference.
#include <catch2/catch.hpp>

#include "laws/dae_problems.hpp"
#include "laws/element_cases.hpp"
#include "mechanism/planar/contacts.hpp"
#include "mechanism/planar/forces.hpp"
#include "mechanism/planar/joints.hpp"

using namespace hstar;
using namespace laws;

namespace {

const std::string kBodies =
    "gravity = [0.3, -9.81]\n"
    "[[body]]\nname = \"a\"\nmass = 1.5\ninertia = 0.7\nposition = [0.5, 0.2]\nvelocity = [0.3, 0.1]\n"
    "[[body]]\nname = \"b\"\nmass = 2.0\ninertia = 0.4\nposition = [1.9, 0.5]\nangular_velocity = 0.7\n"
    "[[body]]\nname = \"c\"\nmass = 1.0\ninertia = 0.2\nposition = [3.5, -0.4]\n"
    "[[state]]\nname = \"w\"\ninitial = 0.4\nrate = \"-w\"\n";

void same_motion(const std::string& model) {
  INFO(model);
  for (const char* integrator : {"newmark", "bdf"}) {
    INFO(integrator);
    const auto with = [&](const char* newton) {
      const RunResult r =
          run_model(model, {integrator, "index3", 0.1, 0.004, 1e-6, std::string("newton = \"") + newton + "\"\n"});
      INFO(newton << ": " << r.outcome.message);
      REQUIRE(r.outcome.success());
      return r.y_end;
    };
    const auto exact = with("full");
    double size = 1;
    for (const double x : exact) size = std::max(size, std::abs(x));
    for (const char* other : {"modified", "quasi"}) {
      const auto y = with(other);
      for (std::size_t i = 0; i < y.size(); ++i) CHECK(std::abs(y[i] - exact[i]) < 1e-10 * size);
    }
  }
}

}  // namespace

TEST_CASE("exact, kept and quasi-Newton matrices: every joint type") {
  for (const JointEntry& entry : planar_joints()) {
    INFO("joint type " << entry.type << ": give it a line in joint_cases()");
    REQUIRE(joint_cases().count(entry.type) == 1);
    for (const std::string& keys : joint_cases().at(entry.type))
      same_motion(kBodies + "[[joint]]\nname = \"j\"\ntype = \"" + std::string(entry.type) + "\"\n" + keys);
  }
}

TEST_CASE("exact, kept and quasi-Newton matrices: every force type") {
  const std::string around =
      "[[force]]\nname = \"other\"\ntype = \"spring_damper\"\nstiffness = 2.0\nfree_length = 0.5\n"
      "between = [{ body = \"b\", point = [0.2, 0.2] }, { body = \"c\", point = [0.1, -0.3] }]\n"
      "[[joint]]\nname = \"link\"\ntype = \"distance\"\nbodies = [\"ground\", \"b\"]\nlength = 2.0\n";
  for (const ForceEntry& entry : planar_forces()) {
    INFO("force type " << entry.type << ": give it a line in force_cases()");
    REQUIRE(force_cases().count(entry.type) == 1);
    for (const std::string& keys : force_cases().at(entry.type))
      same_motion(kBodies + "[[force]]\nname = \"f\"\ntype = \"" + std::string(entry.type) + "\"\n" + keys + around);
  }
}

TEST_CASE("exact, kept and quasi-Newton matrices: every contact type, sliding") {
  const std::string ball =
      "gravity = [0.0, -9.81]\n[[body]]\nname = \"ball\"\nmass = 1.0\ninertia = 0.02\nvelocity = [\"0.5*cos(0.3)\", "
      "\"-0.5*sin(0.3)\"]\nangular_velocity = 4.0\nposition = [\"R*sin(0.3)\", \"R*cos(0.3)\"]\n";
  const std::string friction = "friction = { mu_static = 0.3, mu_kinetic = 0.2 }\n";
  const std::map<std::pair<std::string_view, std::string_view>, std::string> cases{
      {{"line", "circle"},
       ball + "[parameters]\nR = 0.2\n"
              "[[contact]]\nname = \"k\"\nbetween = [{ body = \"ground\", shape = \"line\", normal = [\"sin(0.3)\", "
              "\"cos(0.3)\"] }, { body = \"ball\", shape = \"circle\", radius = 0.2 }]\n"},
      {{"circle", "circle"},
       ball + "[parameters]\nR = 1.2\n"
              "[[contact]]\nname = \"k\"\nbetween = [{ body = \"ground\", shape = \"circle\", radius = 1.0 }, { body = "
              "\"ball\", shape = \"circle\", radius = 0.2 }]\n"},
      {{"hole", "circle"},
       ball + "[parameters]\nR = -1.0\n"
              "[[contact]]\nname = \"k\"\nbetween = [{ body = \"ground\", shape = \"hole\", radius = 1.2 }, { body = "
              "\"ball\", shape = \"circle\", radius = 0.2 }]\n"}};
  for (const ContactEntry& entry : planar_contacts()) {
    INFO(entry.first << " and " << entry.second);
    REQUIRE(cases.count({entry.first, entry.second}) == 1);
    same_motion(cases.at({entry.first, entry.second}) + friction);
  }
}

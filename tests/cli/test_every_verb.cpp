// tests/cli/test_every_verb.cpp
//
// What must hold: every verb on every model that is shipped ends by itself with exit code 0, 1 or 2 and says something;
// with 1 and 2 it says why. `assemble` was a segmentation fault on the 49 models without joints, `equilibrium`
// corrupted the heap where contacts open: no verb had been tried on the models of another.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <vector>

#include "cli/shell.hpp"

using hstar::test::Said;
using hstar::test::Scratch;
using hstar::test::source;

namespace {

/// Models of examples/ and validation/, in the order of their paths.
std::vector<std::string> shipped_models() {
  std::vector<std::string> models;
  for (const char* folder : {"examples", "validation"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source(folder))) {
      const std::string name = entry.path().filename().string();
      const bool other = name.starts_with("reference") || name.starts_with("accept");
      if (entry.path().extension() == ".toml" && !other) models.push_back(entry.path().string());
    }
  std::sort(models.begin(), models.end());
  return models;
}

/// Longer than any of them takes on a busy machine: what hangs is found, what is slow is not judged here.
constexpr const char* limit = "timeout 60";
constexpr int timed_out = 124;

/// Statics takes minutes for a thousand contacts: its cone program is dense. The other verbs must not.
bool takes_minutes(const std::string& verb, const std::string& model) {
  return (verb == "equilibrium" || verb == "modes") && model.find("thousand_balls") != std::string::npos;
}

void check_ends_well(const Scratch& scratch, const std::string& command) {
  const Said said = scratch.hstar(command, limit);
  INFO(command << "\n" << said.err);
  CHECK(said.code != timed_out);
  CHECK((said.code == 0 || said.code == 1 || said.code == 2));
  CHECK_FALSE((said.out.empty() && said.err.empty()));
  if (said.code == 2) CHECK(said.err.starts_with("hstar: "));
}

}  // namespace

TEST_CASE("every verb on every shipped model ends by itself and says why", "[cli][verbs]") {
  const std::vector<std::string> models = shipped_models();
  REQUIRE(models.size() > 140);
  const Scratch scratch;
  for (const std::string& model : models)
    for (const char* verb :
         {"info", "assemble", "equilibrium", "modes", "inverse", "classify", "kinematics", "inspect"})
      if (!takes_minutes(verb, model)) check_ends_well(scratch, std::string(verb) + " " + model);
}

TEST_CASE("every shipped model runs to its first events", "[cli][verbs]") {
  const Scratch scratch;
  for (const std::string& model : shipped_models())
    check_ends_well(scratch, "run " + model +
                                 " --no-report -o out --set simulation.stop_after_events=3"
                                 " --set simulation.output=0");
}

// tests/validation/validate_test.cpp
//
// `hstar validate` must fail when a reference and a run differ: in an event's time, kind or number, in a
// state, in a missing key. The problem is a clock x' = 1 with a passive guard at x = 1, so that every
// number is known without a calculation.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hstar/error.hpp"
#include "hstar/run.hpp"
#include "hstar/validate.hpp"
#include "model/reference_file.hpp"

using namespace hstar;

namespace {

namespace fs = std::filesystem;

const char* const model = R"(title = "Clock"
[parameters]
level = 1.0
[simulation]
end = 5.0
[[state]]
name = "x"
initial = 0.0
rate = "1"
[[guard]]
name = "level"
when = "x - level"
)";

std::string event(int index, const char* t, const char* kind, const char* x) {
  std::ostringstream out;
  out << "[[event]]\nindex = " << index << "\nt = \"" << t << "\"\nkind = \"" << kind << "\"\nbefore = [\"" << x
      << "\"]\nafter = [\"" << x << "\"]\n";
  return out.str();
}

std::string reference(const std::string& events, const char* final_x = "2") {
  return R"(schema = "truth-1"
id = "clock"
title = "Clock"
[parameters]
level = "1"
[initial]
t = "0"
state_names = ["x"]
state = ["0"]
[run]
t_end = "2"
[final]
t = "2"
state = [")" +
         std::string(final_x) + "\"]\n[verification]\ndigits = \"25\"\n" + events;
}

struct Outcome {
  int short_of;
  std::string text;
};

Outcome validated(const std::string& reference_text,
                  const std::string& accept = "schema = \"accept-1\"\n[states]\nx = \"x\"\n") {
  const fs::path folder = fs::temp_directory_path() / "hstar_validate_test" / "clock";
  fs::create_directories(folder);
  std::ofstream(folder / "model.toml") << model;
  std::ofstream(folder / "reference.toml") << reference_text;
  std::ofstream(folder / "accept.toml") << accept;
  ValidateOptions options;
  options.targets = {folder.string() + "/"};
  std::ostringstream out;
  const int short_of = validate(options, out);
  return {short_of, out.str()};
}

}  // namespace

TEST_CASE("A run that agrees with its reference passes at every tolerance") {
  const Outcome o = validated(reference(event(1, "1", "guard_up", "1")));
  INFO(o.text);
  CHECK(o.short_of == 0);
  CHECK(o.text.find("4 passed, 0 fell short") != std::string::npos);
}

TEST_CASE("A wrong event time fails where it is larger than the tolerance allows") {
  const Outcome o = validated(reference(event(1, "1.000001", "guard_up", "1.000001")));
  INFO(o.text);
  CHECK(o.short_of == 3);  // 1e-6 s passes at rtol 1e-6 only
}

TEST_CASE("A wrong kind, a lost event and an invented event fail") {
  CHECK(validated(reference(event(1, "1", "guard_down", "1"))).short_of == 4);
  CHECK(validated(reference("")).short_of == 4);
  const Outcome o = validated(reference(event(1, "1", "guard_up", "1") + event(2, "1.5", "guard_up", "1.5")));
  CHECK(o.short_of == 4);
  CHECK(o.text.find("missing: #2 guard_up") != std::string::npos);
}

TEST_CASE("A wrong state at an event or at the end fails") {
  CHECK(validated(reference(event(1, "1", "guard_up", "1.001"))).short_of == 4);
  const Outcome o = validated(reference(event(1, "1", "guard_up", "1"), "2.001"));
  CHECK(o.short_of == 4);
  CHECK(o.text.find("the end (x)") != std::string::npos);
}

TEST_CASE("The run uses the reference's parameters, not the model file's") {
  std::string other = reference(event(1, "1.25", "guard_up", "1.25"));
  other.replace(other.find("level = \"1\""), 11, "level = \"1.25\"");
  CHECK(validated(other).short_of == 0);
}

TEST_CASE("What cannot be read is an error that says what is missing") {
  const std::string good = reference(event(1, "1", "guard_up", "1"));
  CHECK_THROWS_WITH(validated("schema = \"truth-9\"\n"), Catch::Contains("unknown schema 'truth-9'"));
  CHECK_THROWS_WITH(validated(good, "schema = \"accept-2\"\n"), Catch::Contains("unknown schema 'accept-2'"));
  CHECK(validated(good, "schema = \"accept-1\"\n[states]\nz = \"x\"\n").text.find("[states] lacks 'x'") !=
        std::string::npos);
  CHECK(validated(good, "schema = \"accept-1\"\n[states]\nx = \"u\"\n").text.find("no quantity 'u'") !=
        std::string::npos);
  ValidateOptions options;
  options.targets = {"no_such_problem"};
  std::ostringstream out;
  CHECK_THROWS_WITH(validate(options, out), Catch::Contains("no_such_problem"));
}

TEST_CASE("Steps far longer than the time between impacts hide none of them") {
  // Flight is a polynomial: an integrator crosses it in one step up to the end of the run, however far that is,
  // while the table below moves 45 rad/s. The first 30 impacts must not depend on the end.
  const std::string folder = std::string(HSTAR_SOURCE_DIR) + "/validation/p05_table_irregular";
  const ReferenceFile reference = read_reference(folder + "/reference.toml");
  REQUIRE(reference.events.size() == 30);
  for (const char* integrator : {"dop853", "dopri5", "ode23"})
    for (const double end : {5.0, 7.5, 8.0, 20.0, 22.0, 26.5, 33.0, 44.5, 60.0, 200.0}) {
      INFO(integrator << ", end = " << end);
      const RunResult result = run(read_model(
          folder + "/model.toml", {{"simulation.end", std::to_string(end)}, {"simulation.integrator", integrator}}));
      CHECK(result.outcome.status == RunStatus::stopped_after_events);
      REQUIRE(result.events.size() == 30);
      for (std::size_t i = 0; i < 30; ++i) {
        CHECK(result.events[i].kind == "impact");
        CHECK(result.events[i].t == Approx(static_cast<double>(reference.events[i].t)).epsilon(0).margin(1e-6));
      }
    }
}

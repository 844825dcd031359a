// tests/model/resolve_test.cpp
//
// What must hold: a resolved model is a model again, resolving it changes nothing, and it runs with the same bits, for
// every example; docs/model.schema.json is the schema that the program prints (tests/docs/schema.py holds models
// against it).
#include "model/resolve.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hstar/model_reference.hpp"
#include "hstar/run.hpp"
#include "model/reader.hpp"
#include "model/toml_text.hpp"

using namespace hstar;

namespace {

std::string resolved(const std::string& text, const std::string& name) {
  std::string written;
  return model::toml_text(model::resolve(model::complete_document(text, name, {}, written).document));
}

}  // namespace

TEST_CASE("a resolved model is a model with the same meaning", "[model]") {
  int models = 0;
  for (const char* folder : {"/examples", "/validation"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(HSTAR_SOURCE_DIR) + folder)) {
      const std::string path = entry.path().string();
      const bool example = path.find("/examples/") != std::string::npos;
      if (entry.path().extension() != ".toml" || (!example && entry.path().stem() != "model") ||
          path.find("burridge") != std::string::npos)
        continue;
      INFO(path);
      const std::string text = resolved(model::file_text(path), path);
      REQUIRE(resolved(text, path) == text);
      ++models;
      CHECK_NOTHROW(parse_model(text, path));
      if (!example) continue;
      ModelSpec given = read_model(path), again = parse_model(text, path);
      for (ModelSpec* m : {&given, &again}) {
        m->simulation.stop_after_events = 10;
        m->simulation.output = 0;
      }
      const RunResult a = run(given), b = run(again);
      CHECK(a.columns == b.columns);
      CHECK(a.rows == b.rows);
      CHECK(a.y_end == b.y_end);
    }
  CHECK(models > 60);
}

TEST_CASE("copies are written with their own numbers", "[model]") {
  const std::string text = resolved(
      "gravity = [0, -9.81]\n[parameters]\nn = 2\nk = \"3*n\"\n[simulation]\nend = 1\n"
      "[[body]]\ncount = \"n\"\nname = \"b{i}\"\nmass = \"1 + i\"\n"
      "[[force]]\ncount = \"n\"\nname = \"f{i}\"\ntype = \"point_force\"\nbody = \"b{i}\"\nforce = [\"k*i*sin(t)\", "
      "\"i\"]\n",
      "m.toml");
  CHECK(text.find("mass = 2.0") != std::string::npos);
  CHECK(text.find("force = [\"k*1*sin(t)\", 1.0]") != std::string::npos);
  CHECK(text.find("k = 6.0") != std::string::npos);
}

TEST_CASE("the printed schema is the published one", "[model][docs]") {
  CHECK(model::file_text(HSTAR_SOURCE_DIR "/docs/model.schema.json") == model_schema_json());
}

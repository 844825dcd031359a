// tests/model/reference_test.cpp
//
// The guide says what the reader does: docs/model-file.md contains the printed reference word for
// word, its complete examples are read without complaint, and every key of the tables is one that
// the reader takes.
#include <catch2/catch.hpp>
#include <fstream>
#include <hstar/model_reference.hpp>
#include <hstar/model_spec.hpp>
#include <sstream>

#include "model/keys.hpp"
#include "model/models.hpp"

using namespace hstar;

namespace {
std::string guide() {
  std::ifstream file(HSTAR_SOURCE_DIR "/docs/model-file.md");
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
}  // namespace

TEST_CASE("the guide contains the printed reference", "[model][docs]") {
  const std::string text = guide();
  const std::string begin = "<!-- reference: begin -->\n", end = "<!-- reference: end -->\n";
  const std::size_t from = text.find(begin), to = text.find(end);
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  CHECK(text.substr(from + begin.size(), to - from - begin.size()) == model_reference_markdown());
}

TEST_CASE("the complete examples of the guide are read", "[model][docs]") {
  const std::string text = guide();
  int examples = 0;
  for (std::size_t at = text.find("```toml\n# complete"); at != std::string::npos;
       at = text.find("```toml\n# complete", at)) {
    const std::size_t begin = at + 8, end = text.find("```", begin);
    at = end;
    ++examples;
    CHECK_NOTHROW(parse_model(text.substr(begin, end - begin), "model-file.md"));
  }
  CHECK(examples == 5);
}

TEST_CASE("the reference names every key of the tables, and tables have no key twice", "[model][docs]") {
  const std::string reference = model_reference_markdown();
  for (const model::SectionSpec& s : model::sections()) {
    CHECK(reference.find(std::string(s.header)) != std::string::npos);
    for (const model::KeySpec& k : s.keys) {
      CHECK(reference.find("| `" + std::string(k.name) + "`") != std::string::npos);
      CHECK(s.find(k.name) == &k);
      CHECK_FALSE(k.about.empty());
    }
  }
}

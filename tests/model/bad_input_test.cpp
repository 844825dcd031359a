// tests/model/bad_input_test.cpp
//
// Every bad input is refused with exactly the message in its table: place, name, value, bound, remedy.
// The messages are part of the product; a change of one must be seen here.
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "model/bad_inputs.hpp"
#include "model/models.hpp"

namespace hstar::test {

std::string text_of(const BadInput& bad) {
  const std::string text = bad.model, from = bad.from;
  if (from.empty()) return bad.to;
  const std::size_t at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos)
    throw std::logic_error("must occur exactly once: " + from);
  return text.substr(0, at) + bad.to + text.substr(at + from.size());
}

std::string message_of_reading(const BadInput& bad, const std::vector<Override>& overrides) {
  try {
    static_cast<void>(parse_model(text_of(bad), "m.toml", overrides));
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace hstar::test

using namespace hstar::test;

namespace {

void check_all(std::span<const BadInput> table) {
  for (const BadInput& bad : table) {
    INFO("\"" << bad.from << "\" -> \"" << bad.to << "\"");
    CHECK(message_of_reading(bad) == bad.message);
  }
}

}  // namespace

TEST_CASE("the models that are varied are good", "[model][bad]") {
  for (const char* model : {sled, everything, automaton, imported_pendulum, imported_four_bar, imported_rack})
    CHECK(message_of_reading({"", "", model, ""}) == "no error");
}

TEST_CASE("bad syntax, sections, keys and types are refused with the exact message", "[model][bad]") {
  check_all(bad_syntax());
}
TEST_CASE("bad values and references are refused with the exact message", "[model][bad]") { check_all(bad_values()); }
TEST_CASE("bad formulas are refused with the exact message", "[model][bad]") { check_all(bad_formulas()); }
TEST_CASE("bad spatial models are refused with the exact message", "[model][bad]") { check_all(bad_spatial()); }
TEST_CASE("what an import does not take is refused with the exact message", "[model][bad]") { check_all(bad_import()); }

TEST_CASE("a file of another kind is told by its kind", "[model][bad]") {
  const std::string ours = "; hstar reads model files in TOML (docs/model-file.md) and JSON of simEngine2D";
  const std::pair<std::string, std::string> files[] = {
      {"<?xml version=\"1.0\"?>\n<robot/>", "1:1: this is XML (URDF, SDF, MJCF or the like)" + ours},
      {"\n  <mujoco/>", "1:1: this is XML (URDF, SDF, MJCF or the like)" + ours},
      {"PK\x03\x04", "1:1: this is a ZIP archive (an FMU?)" + ours},
      {"model Sled\n  Real x;\nend Sled;", "1:1: this is Modelica" + ours},
      {"ADAMS/View model name: sled", "1:1: this is an ADAMS file" + ours},
      {std::string("\xff\xfet\0i\0", 6), "1:1: the text is UTF-16; save it as UTF-8"},
      {"x = 1\ntitle = \"S\xe9rie\"", "2:11: byte 0xE9 is not UTF-8 (is the text Latin-1?); save it as UTF-8"},
      {"title = \"a\"\rgravity = [0, 0]\r",
       "1:12: lines end with CR alone, as on old Macs; save them with LF or CR LF"},
  };
  for (const auto& [text, message] : files) {
    try {
      static_cast<void>(hstar::parse_model(text, "m"));
      FAIL("read");
    } catch (const hstar::InputError& error) {
      CHECK(error.what() == "m:" + message);
    }
  }
  // A key of the name of another program's word is still a key.
  CHECK(message_of_reading({"", "", "model = 1", ""}).find("unknown section or key \"model\"") != std::string::npos);
}

TEST_CASE("there are at least seventy bad inputs", "[model][bad]") {
  CHECK(bad_syntax().size() + bad_values().size() + bad_formulas().size() >= 70);
}

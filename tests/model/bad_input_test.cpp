// tests/model/bad_input_test.cpp
//
// Every bad input is refused with exactly the message in its table: place, name, value, bound, remedy.
// The messages are part of the product; a change of one must be seen here.
#include <catch2/catch.hpp>
#include <stdexcept>

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

TEST_CASE("there are at least seventy bad inputs", "[model][bad]") {
  CHECK(bad_syntax().size() + bad_values().size() + bad_formulas().size() >= 70);
}

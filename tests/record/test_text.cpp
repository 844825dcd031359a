// tests/record/test_text.cpp
//
// What must hold: numbers in result files read back bit for bit and are as short as possible; fields
// with commas survive CSV; equal input has equal hashes, any other input other ones. Results of
// two programs are compared through these texts.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "hstar/record.hpp"
#include "record/text.hpp"

namespace {

double from_bits(std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

TEST_CASE("a number read back from its text is the same double") {
  std::mt19937_64 draw(20261120);
  for (int i = 0; i < 200000; ++i) {
    const double value = from_bits(draw());
    if (!std::isfinite(value)) continue;
    const double back = std::strtod(hstar::number_text(value).c_str(), nullptr);
    REQUIRE(std::memcmp(&back, &value, sizeof value) == 0);
  }
}

TEST_CASE("a mode of many parts is told by how many there are of each: 400 words are no sentence") {
  CHECK(hstar::record::readable_mode("") == "");
  CHECK(hstar::record::readable_mode("stick/open") == "stick/open");
  CHECK(hstar::record::readable_mode("a/a/a/a/b/b/b/c") == "a/a/a/a/b/b/b/c");
  CHECK(hstar::record::readable_mode("open/stick/open/open/slip+/open/open/stick/open") == "6 open, 2 stick, 1 slip+");
}

TEST_CASE("numbers are written as short as they can be") {
  CHECK(hstar::number_text(0.1) == "0.1");
  CHECK(hstar::number_text(60.0) == "60");
  CHECK(hstar::number_text(1e-9) == "1e-09");
  CHECK(hstar::number_text(-0.0) == "-0");
  CHECK(hstar::number_text(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(hstar::number_text(-std::numeric_limits<double>::quiet_NaN()) == "nan");
}

TEST_CASE("CSV fields are quoted only where they must be") {
  const auto field = [](std::string_view text) {
    std::string out;
    hstar::record::append_csv(out, text);
    return out;
  };
  CHECK(field("slip+") == "slip+");
  CHECK(field("81 impacts seen, limit at 4.06 s") == "\"81 impacts seen, limit at 4.06 s\"");
  CHECK(field("the \"floor\"") == "\"the \"\"floor\"\"\"");
}

TEST_CASE("JSON strings escape what JSON cannot hold") {
  std::string out;
  hstar::record::append_json(out, std::string_view("a\"b\\c\n\x01"));
  CHECK(out == "\"a\\\"b\\\\c\\n\\u0001\"");
  out.clear();
  hstar::record::append_json(out, std::numeric_limits<double>::infinity());
  CHECK(out == "null");
}

TEST_CASE("FNV-1a gives the published values") {
  // Fowler, Noll and Vo's test vectors for 64 bit.
  CHECK(hstar::record::fnv1a("") == 0xcbf29ce484222325ULL);
  CHECK(hstar::record::fnv1a("a") == 0xaf63dc4c8601ec8cULL);
  CHECK(hstar::record::fnv1a("foobar") == 0x85944171f73967e8ULL);
}

TEST_CASE("the model hash knows text and overrides") {
  hstar::ModelSpec model;
  model.text = "title = 'a'\n";
  const std::string plain = hstar::model_hash(model);
  CHECK(plain.size() == 16);
  CHECK(hstar::model_hash(model) == plain);
  CHECK(hstar::model_hash(model, {{"simulation.rtol", "1e-9"}}) != plain);
  model.text = "title = 'b'\n";
  CHECK(hstar::model_hash(model) != plain);
}

// tests/model/fuzz_test.cpp
//
// Whatever is in the file, the reader ends in a model or in an InputError with a place: no crash, no
// other exception, no endless recursion. Good models are damaged at random (fixed seeds), character by
// character and line by line; formulas are made of random tokens.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "hstar/model_spec.hpp"
#include "model/models.hpp"

using namespace hstar;

namespace {

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t n) { return random() % n; }

const char* const pieces[] = {"[",  "]",    "{",  "}",    "\"",   "=",   ",",   ".",      "-1",   "1e400", "nan",
                              "t",  "\n",   "x",  "true", "'",    "[[",  "]]",  "ground", "mass", "#",     "\\",
                              "\t", "\"\"", "0x", "µ",    "\xff", "2*t", "1/0", "[]",     "{}",   "\"t\"", "friction"};

std::string damaged(std::string text, Random& random) {
  for (std::size_t n = 1 + below(random, 3); n-- > 0 && !text.empty();) {
    const std::size_t at = below(random, text.size());
    switch (below(random, 5)) {
      case 0:
        text.erase(at, 1 + below(random, 3));
        break;
      case 1:
        text.insert(at, pieces[below(random, std::size(pieces))]);
        break;
      case 2:
        text.replace(at, 1 + below(random, 6), pieces[below(random, std::size(pieces))]);
        break;
      case 3: {  // a line goes
        const std::size_t begin = text.rfind('\n', at) + 1;
        text.erase(begin, text.find('\n', begin) - begin);
        break;
      }
      default: {  // a value is replaced
        const std::size_t equals = text.find("= ", at);
        if (equals == std::string::npos) break;
        const std::size_t end = text.find('\n', equals);
        text.replace(equals + 2, end - equals - 2, pieces[below(random, std::size(pieces))]);
      }
    }
  }
  return text;
}

}  // namespace

TEST_CASE("damaged models give a model or an InputError with a place", "[model][fuzz]") {
  int refused = 0;
  for (unsigned seed = 1; seed <= 6000; ++seed) {
    Random random(seed);
    const char* const models[] = {test::sled, test::everything, test::automaton, test::imported_four_bar};
    const std::string text = damaged(models[seed % 4], random);
    try {
      static_cast<void>(parse_model(text, "m.toml"));
    } catch (const InputError& error) {
      ++refused;
      if (std::string(error.what()).rfind("m.toml:", 0) != 0) FAIL("no place: " << error.what());
    } catch (const std::exception& error) {
      FAIL("seed " << seed << ": not an InputError: " << error.what() << "\n" << text);
    }
  }
  CHECK(refused > 3000);
  CHECK(refused < 6000);  // some damage is harmless
}

TEST_CASE("random overrides give a model or an InputError", "[model][fuzz]") {
  const char* const words[] = {"body",   "sled",       "rod",        "mass",   "joint",   "pin",   "friction",
                               "mu",     "between",    "0",          "1",      "-1",      "9999",  "",
                               "motion", "x",          "force",      "spring", "point",   "reset", "guard",
                               "switch", "parameters", "simulation", "end",    "contact", "floor", "name"};
  for (unsigned seed = 1; seed <= 4000; ++seed) {
    Random random(seed);
    std::string path = words[below(random, std::size(words))];
    for (std::size_t n = below(random, 6); n-- > 0;) path += std::string(".") + words[below(random, std::size(words))];
    const Override given{path, pieces[below(random, std::size(pieces))]};
    try {
      static_cast<void>(parse_model(test::everything, "m.toml", {given}));
    } catch (const InputError&) {
      // An answer.
    } catch (const std::exception& error) {
      FAIL(given.path << "=" << given.value << ": not an InputError: " << error.what());
    }
  }
  SUCCEED();
}

TEST_CASE("random tokens give a formula or an InputError", "[expression][fuzz]") {
  const char* const tokens[] = {"1", "x",  "y.z", "+", "-", "*", "/", "^",  "(",  ")",   "sin(", "max(", ",",
                                "<", "&&", "||",  "!", "?", ":", "=", "==", ".5", "1e9", "pi",   "pow(", " "};
  int good = 0;
  for (unsigned seed = 1; seed <= 100000; ++seed) {
    Random random(seed);
    std::string text;
    for (std::size_t n = 1 + below(random, 9); n-- > 0;) text += tokens[below(random, std::size(tokens))];
    try {
      const Expression e = Expression::compile(text, {"m.toml", 1, 1}, {});
      ++good;
      // Nine tokens have five names at most ("x.5pi" is one).
      const double vars[] = {0.3, 0.7, -0.2, 1.5, 0.6}, zero[5] = {};
      double gradient[5];
      const double value = e.value(vars);
      // One value, whichever way it is computed (NaN included).
      const bool same = e.gradient(vars, gradient) == value || value != value;
      const bool also = e.jet(vars, zero, zero).value == value || value != value;
      if (!same || !also) FAIL("value differs: " << text);
      if (e.jet(vars, zero, zero).rate != 0.0 && std::isfinite(value)) FAIL("moves at rest: " << text);
    } catch (const InputError&) {
      // An answer.
    }
  }
  CHECK(good > 1000);
}

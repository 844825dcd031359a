// tests/validation/match_test.cpp
//
// The event matcher must be able to fail: a lost, an invented, a moved, a renamed or a misplaced event
// is seen, and only what the reference allows (optional events, allowed extras, events after the end,
// several places changing in one instant) is forgiven. Expected values are counted by hand.
#include <catch2/catch.hpp>

#include "hstar/error.hpp"
#include "hstar/validate.hpp"

using namespace hstar;

namespace {

ReferenceEvent want(int index, long double t, const char* kind, const char* where = "", bool optional = false) {
  ReferenceEvent e;
  e.index = index;
  e.t = t;
  e.kind = kind;
  e.where = where;
  e.optional = optional;
  return e;
}

const std::vector<ReferenceEvent> three = {want(1, 1.0L, "slip"), want(2, 2.0L, "stick"), want(3, 3.0L, "slip")};

EventMatch match(const std::vector<ReferenceEvent>& reference, const std::vector<ComputedEvent>& computed,
                 const std::vector<AllowedExtra>& allowed = {}, MatchRules rules = {}) {
  return match_events(reference, allowed, 10.0L, computed, rules);
}

}  // namespace

TEST_CASE("All events found: complete, with the worst error and where it is") {
  const EventMatch m = match(three, {{1.0, "slip", ""}, {2.00005, "stick", ""}, {3.0, "slip", ""}});
  CHECK(m.complete());
  CHECK(m.pairs.size() == 3);
  CHECK(m.worst_index == 2);
  CHECK(m.worst_dt == Approx(5e-5).epsilon(1e-9));
  CHECK(m.order_preserved);
}

TEST_CASE("A lost event is missing, even when a neighbour of its kind is left") {
  const EventMatch m = match(three, {{1.0, "slip", ""}, {3.0, "slip", ""}});
  REQUIRE(m.missing == std::vector<std::size_t>{1});
  CHECK(m.extra.empty());
  CHECK_FALSE(m.complete());
}

TEST_CASE("An event moved by more than the window is missing and extra at once") {
  const EventMatch m = match(three, {{1.0, "slip", ""}, {2.00011, "stick", ""}, {3.0, "slip", ""}});
  CHECK(m.missing == std::vector<std::size_t>{1});
  CHECK(m.extra == std::vector<std::size_t>{1});
}

TEST_CASE("An invented event is extra, also when it doubles a true one") {
  const EventMatch doubled =
      match(three, {{1.0, "slip", ""}, {1.00001, "slip", ""}, {2.0, "stick", ""}, {3.0, "slip", ""}});
  CHECK(doubled.missing.empty());
  CHECK(doubled.extra == std::vector<std::size_t>{1});  // the nearer one is the partner
  const EventMatch lone = match({}, {{1.0, "impact", ""}});
  CHECK(lone.extra.size() == 1);
}

TEST_CASE("Kinds must agree; known synonyms and aliases do") {
  CHECK_FALSE(match(three, {{1.0, "stick", ""}, {2.0, "stick", ""}, {3.0, "slip", ""}}).complete());
  CHECK(match({want(1, 1.0L, "zeno")}, {{1.0, "rest", ""}}).complete());
  CHECK(match({want(1, 1.0L, "graze")}, {{1.0, "impact", ""}}).complete());
  CHECK_FALSE(match({want(1, 1.0L, "impact")}, {{1.0, "graze", ""}}).complete());
  MatchRules rules;
  rules.alias["lift"] = "liftoff";
  CHECK(match({want(1, 1.0L, "liftoff")}, {{1.0, "lift", ""}}, {}, rules).complete());
}

TEST_CASE("Places must agree where both sides name one") {
  CHECK_FALSE(match({want(1, 1.0L, "slip", "mass 1")}, {{1.0, "slip", "mass 2"}}).complete());
  CHECK(match({want(1, 1.0L, "slip", "mass 1")}, {{1.0, "slip", ""}}).complete());
  // Two events at one instant in two places go to their own places, whatever the order of the list.
  const EventMatch m =
      match({want(1, 1.0L, "slip", "a"), want(2, 1.0L, "slip", "b")}, {{1.0, "slip", "b"}, {1.0, "slip", "a"}});
  CHECK(m.complete());
  CHECK_FALSE(m.order_preserved);
}

TEST_CASE("Optional events may be left out and do not count in the worst error") {
  const std::vector<ReferenceEvent> reference = {want(1, 1.0L, "impact"), want(2, 1.5L, "impact", "", true)};
  const EventMatch without = match(reference, {{1.0, "impact", ""}});
  CHECK(without.complete());
  CHECK(without.optional_left_out == 1);
  const EventMatch with = match(reference, {{1.0, "impact", ""}, {1.50009, "impact", ""}});
  CHECK(with.complete());
  CHECK(with.worst_dt == 0.0);
}

TEST_CASE("Extra events are forgiven only where the reference allows their kind, or after the end") {
  const std::vector<AllowedExtra> allowed = {{4.0L, 5.0L, "impact"}};
  CHECK(match({}, {{4.5, "impact", ""}}, allowed).tolerated == 1);
  CHECK(match({}, {{4.5, "slip", ""}}, allowed).extra.size() == 1);
  CHECK(match({}, {{5.1, "impact", ""}}, allowed).extra.size() == 1);
  CHECK(match({}, {{10.1, "impact", ""}}).beyond_end == 1);
  CHECK(match({}, {{10.00005, "impact", ""}}).extra.size() == 1);
}

TEST_CASE("Several places that change in one instant are one reference event") {
  ReferenceEvent both = want(1, 1.0L, "slip", "ground");
  both.also_changing = {"interface"};
  CHECK(match({both}, {{1.0, "slip", "ground"}, {1.0, "slip", "interface"}}).complete());
  CHECK_FALSE(match({both}, {{1.0, "slip", "ground"}, {1.001, "slip", "interface"}}).complete());
  CHECK_FALSE(match({both}, {{1.0, "slip", "ground"}, {1.0, "slip", "elsewhere"}}).complete());
}

TEST_CASE("Reference times keep more digits than a double") {
  // 1 + 2^-60 is not a double; where long double is wider, the difference must show.
  const long double t = 1.0L + 0x1p-60L;
  const EventMatch m = match({want(1, t, "slip")}, {{1.0, "slip", ""}});
  CHECK(m.worst_dt == static_cast<double>(t - 1.0L));
}

TEST_CASE("A window that is not positive is bad input") {
  MatchRules rules;
  rules.window = 0.0;
  CHECK_THROWS_AS(match(three, {}, {}, rules), InputError);
}

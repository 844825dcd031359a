// tests/transition/last_answers.cpp
//
// What elements of impacts did last is known again for the same contact with the same others, and for no other set; a
// contact that strikes with ever new ones forgets the oldest, so that a long run takes no more memory; a new run knows
// nothing. A wrong guess changes no answer: two bodies on one another, asked with everything opposite to the truth.
#include "transition/impact/last_answers.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "contact/share.hpp"

using namespace hstar;

namespace {
contact::Status status_of(int contacts, contact::Press press) {
  contact::Status status;
  status.contact.assign(static_cast<std::size_t>(contacts), press);
  return status;
}
}  // namespace

TEST_CASE("a set is known again by the contact that strikes and by its members") {
  LastAnswers last;
  const std::vector<int> two{3, 7}, three{3, 7, 9}, units{4};
  CHECK(last.find(7, {two, units}) == nullptr);
  last.keep(7, {two, units}, status_of(2, contact::Press::loaded));
  last.keep(7, {three, units}, status_of(3, contact::Press::open));
  REQUIRE(last.find(7, {two, units}) != nullptr);
  CHECK(last.find(7, {two, units})->contact == status_of(2, contact::Press::loaded).contact);
  CHECK(last.find(7, {three, units})->contact == status_of(3, contact::Press::open).contact);
  CHECK(last.find(3, {two, units}) == nullptr);
  CHECK(last.find(7, {two, two}) == nullptr);
  last.keep(7, {two, units}, status_of(2, contact::Press::touching));
  CHECK(last.find(7, {two, units})->contact == status_of(2, contact::Press::touching).contact);
  last.forget();
  CHECK(last.find(7, {two, units}) == nullptr);
}

TEST_CASE("of ever new sets the oldest are forgotten") {
  LastAnswers last;
  const auto set = [](int k) { return std::vector<int>{1, 2 + k}; };
  for (int k = 0; k < 1000; ++k) last.keep(1, {set(k), {}}, status_of(2, contact::Press::loaded));
  int known = 0;
  for (int k = 0; k < 1000; ++k) known += last.find(1, {set(k), {}}) != nullptr;
  CHECK(known <= 8);
  CHECK(last.find(1, {set(999), {}}) != nullptr);
  CHECK(last.find(1, {set(0), {}}) == nullptr);
}

TEST_CASE("a wrong guess changes no answer") {
  // The lower contact is pressed, the upper leaves.
  contact::Problem p;
  p.resize(2, 0, 2);
  p.G = {2, -1, -1, 2};
  p.c = {-1, 3};
  p.scale = {3, 3};
  for (int i = 0; i < 2; ++i) p.contact[static_cast<std::size_t>(i)].row = i;
  contact::Solver alone, guessed;
  REQUIRE(alone.solve(p).found);
  contact::Status wrong;
  wrong.contact = {contact::Press::open, contact::Press::loaded};
  REQUIRE(guessed.solve(p, &wrong).found);
  CHECK(guessed.status().contact == alone.status().contact);
  CHECK(guessed.force()[0] == alone.force()[0]);
  CHECK(guessed.force()[1] == 0);
}

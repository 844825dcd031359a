// tests/formulation/row_factors.cpp
//
// Factors of rows that never change are kept for the choices that come again, and nothing may be seen of it but the
// time: answers are to the bit those of a solver that is asked afresh, also when a choice has been given up for others
// in between, when somebody else has used its solver, and when another tolerance is asked for; rows that move are
// judged and factorised every time.
#include "formulation/row_factors.hpp"

#include <catch2/catch.hpp>

#include "support/random.hpp"

using namespace hstar;
using support::Random;

namespace {

constexpr int bodies = 4, slots = 3 * bodies;

struct Rows {
  struct Blocks {
    double J[2][math::most_columns] = {};
  };
  std::vector<Blocks> blocks;
  std::vector<math::SaddleRow> rows;
  explicit Rows(Random& random) : blocks(static_cast<std::size_t>(2 + random.below(4))) {
    for (Blocks& row : blocks)
      for (auto& block : row.J)
        for (int c = 0; c < 3; ++c) block[c] = random.below(5) - 2;
    if (random.below(2)) blocks.back() = blocks.front();  // redundant
    for (const Blocks& row : blocks) {
      const int first = random.below(bodies - 1);
      rows.push_back({{first, first + 1}, row.J});
    }
    rows.back().body = rows.front().body;
  }
  [[nodiscard]] int count() const { return static_cast<int>(rows.size()); }
};

std::vector<double> answer(math::SaddleSolver& solver, int m) {
  std::vector<double> f(slots), rhs(static_cast<std::size_t>(m)), a(slots), lambda(static_cast<std::size_t>(m));
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = 1.0 + static_cast<double>(i % 5);
  for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i] = 0.5 * static_cast<double>(i);
  solver.solve(f.data(), rhs.data(), a.data(), lambda.data());
  a.insert(a.end(), lambda.begin(), lambda.end());
  return a;
}

}  // namespace

TEST_CASE("kept factors are those of a fresh solver") {
  Random random(5);
  const std::vector<double> mass(slots, 2.0);
  std::vector<Rows> choices;
  choices.reserve(12);                                        // (rows point into them)
  for (int i = 0; i < 12; ++i) choices.emplace_back(random);  // more than are kept
  RowFactors factors(mass, 8, 3, true);
  int spared = 0;
  for (int turn = 0; turn < 2000; ++turn) {
    const int which = random.below(random.below(3) ? 4 : 12);
    Rows& of = choices[static_cast<std::size_t>(which)];
    const int m = of.count();
    factors.choose({which, 7}, true);
    const double tolerance = random.below(10) ? 1e-9 : 1e-6;
    const unsigned before = factors.solver().factorisations();
    const int redundant = factors.find_redundant(of.rows.data(), m, tolerance, m, tolerance);
    math::SaddleSolver fresh(mass, 8);
    CHECK(redundant == fresh.find_redundant(of.rows.data(), m, tolerance));
    const bool possible = fresh.factor(of.rows.data(), m);
    REQUIRE(factors.factor(of.rows.data(), m) == possible);
    if (!possible) continue;
    spared += factors.solver().factorisations() == before;
    CHECK(answer(factors.solver(), m) == answer(fresh, m));
    if (random.below(5) == 0) {  // somebody else has it factorise the first two rows, all of them taken for needed
      const char none[2] = {0, 0};
      factors.solver().take_redundant(none, 2);
      factors.solver().factor(of.rows.data(), 2);
    }
  }
  CHECK(spared > 500);
}

TEST_CASE("rows that move are judged and factorised every time") {
  Random random(6);
  Rows rows(random);
  RowFactors factors(std::vector<double>(slots, 1.0), 8, 3, true);
  factors.choose({1}, false);
  for (unsigned turn = 1; turn < 4; ++turn) {
    factors.find_redundant(rows.rows.data(), rows.count(), 1e-9, rows.count(), 1e-9);
    factors.factor(rows.rows.data(), rows.count());
    CHECK(factors.solver().judgements() == turn);
    CHECK(factors.solver().factorisations() == turn);
  }
}

TEST_CASE("what is redundant in one place alone is taken up in the next") {
  // Two rows that are parallel where the first was turned to: a stage far away, of a step that is refused. Left out
  // from there on, the second would no longer be held (a rolling ball of baumgarte slid by 0.6 %).
  Rows::Blocks blocks[2];
  blocks[0].J[0][0] = blocks[1].J[0][1] = 1;
  const math::SaddleRow rows[2] = {{{0, 1}, blocks[0].J}, {{0, 1}, blocks[1].J}};
  RowFactors factors(std::vector<double>(slots, 1.0), 8, 3, false);
  factors.choose({1}, false);
  CHECK(factors.find_redundant(rows, 2, 1e-9, 2, 1e-9) == 0);
  blocks[0] = blocks[1];
  CHECK_FALSE(factors.factor(rows, 2));
  CHECK(factors.factor_here(rows, 2, 1e-9, 2, 1e-9));
  CHECK(factors.solver().redundant_count() == 1);
  blocks[0] = {};
  blocks[0].J[0][0] = 1;
  CHECK(factors.factor(rows, 2));
  CHECK(factors.solver().redundant_count() == 0);
  // Somebody who judges for good in between is believed.
  blocks[0] = blocks[1];
  CHECK(factors.factor_here(rows, 2, 1e-9, 2, 1e-9));
  factors.find_redundant(rows, 2, 1e-9, 2, 1e-9);
  CHECK(factors.factor(rows, 2));
  CHECK(factors.solver().redundant_count() == 1);
}

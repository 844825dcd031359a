// tests/contact/linear_laws.cpp
//
// Where all rows are independent, forces do not depend on the road: by the rows themselves and by shares of their
// pivots (two_level.hpp) they are the same, and so is what the bodies sink; one that slides drags mu N. Rows that
// depend on each other are refused by the first road.
#include <catch2/catch.hpp>
#include <cmath>

#include "contact/two_level.hpp"
#include "support/plane_rows.hpp"
#include "support/random.hpp"

using namespace hstar::contact;

namespace {

/// G = J J^T of random rows, contacts in the plane.
Problem random_problem(int contacts, int freedoms, support::Random& random) {
  Problem p;
  support::set_plane_rows(p, contacts);
  std::vector<double> J(static_cast<std::size_t>(2 * contacts * freedoms));
  for (double& x : J) x = random.uniform(-1, 1);
  for (int i = 0; i < p.rows(); ++i) {
    p.c[static_cast<std::size_t>(i)] = random.uniform(-1, 1);
    p.scale[static_cast<std::size_t>(i)] = 1;
    for (int j = 0; j < p.rows(); ++j)
      for (int k = 0; k < freedoms; ++k)
        p.G[static_cast<std::size_t>(i * p.rows() + j)] +=
            J[static_cast<std::size_t>(i * freedoms + k)] * J[static_cast<std::size_t>(j * freedoms + k)];
  }
  return p;
}

}  // namespace

TEST_CASE("independent rows by themselves and by shares") {
  support::Random random(5);
  int compared = 0;
  for (int round = 0; round < 200; ++round) {
    const Problem p = random_problem(3, round % 2 == 0 ? 8 : 4, random);
    const double mu[] = {0.3, 0.3, 0.3};
    // All held; and the second slides.
    for (const Hold second : {Hold::held, Hold::slip}) {
      Status status{{Press::loaded, Press::loaded, Press::loaded}, {{Hold::held, {}}, {second, {1}}, {Hold::held, {}}}};
      TwoLevel shares, rows;
      const bool independent = rows.begin(p);
      CHECK((round % 2 == 0 || !independent));
      if (!independent || !shares.solve(p, status, mu)) continue;
      REQUIRE(rows.solve(p, status, mu));
      CHECK_FALSE(rows.redundant());
      if (second == Hold::slip) CHECK(rows.force()[3] == Approx(-0.3 * rows.force()[2]));
      for (int i = 0; i < p.rows(); ++i) {
        if (i != 3 || second == Hold::held) CHECK(std::abs(rows.rate()[i]) <= 1e-14 * rows.size(i));
        CHECK(rows.force()[i] == Approx(shares.force()[i]).epsilon(1e-9));
        CHECK(rows.strain()[i] == Approx(shares.strain()[i]).epsilon(1e-9));
      }
      ++compared;
    }
  }
  CHECK(compared > 150);
}

TEST_CASE("a drag that nearly jams is left to the other road") {
  // One contact whose sliding pushes it in: G_NN - mu G_NT = 0 has no answer, with either road.
  Problem p;
  support::set_plane_rows(p, 1);
  p.G = {1, 0.5, 0.5, 1};
  p.c = {-1, 0};
  p.scale = {1, 1};
  Status status{{Press::loaded}, {{Hold::slip, {1}}}};
  TwoLevel level;
  CHECK(level.begin(p));
  const double jams = 2, slides = 1;
  CHECK_FALSE(level.solve(p, status, &jams));
  REQUIRE(level.solve(p, status, &slides));
  CHECK(level.force()[0] == Approx(2));
  CHECK(level.force()[1] == Approx(-2));
}

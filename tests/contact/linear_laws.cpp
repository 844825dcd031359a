// tests/contact/linear_laws.cpp
//
// Forces of independent held rows do not depend on the road: by the rows themselves and by shares of their pivots they
// are the same and leave the rows no rate; one that slides drags mu N. Rows that depend on each other, alone or once
// friction couples them, are refused by the first road.
#include <catch2/catch.hpp>

#include "contact/linear_laws.hpp"
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
    // Loaded all; the first is stuck, the second slides, the third holds along one row as well.
    Status status{{Press::loaded, Press::loaded, Press::loaded},
                  {{Hold::held, {}}, {Hold::slip, {1}}, {Hold::held, {}}}};
    const std::vector<int> held{0, 2, 4, 1, 5};
    const std::vector<Sliding> sliding{{1, 3, 0, false}};
    const double mu[] = {0.3, 0.3, 0.3};
    LinearLaws laws;
    laws.reserve(6);
    PivotedRows rows;
    rows.reserve(6);
    rows.factor(p, held, {});
    std::vector<double> forces[2], a(6), xi(6);
    for (const bool shared : {false, true}) {
      std::vector<double>& f = forces[shared];
      f.resize(6);
      if (!laws.begin(p, held, sliding, status, mu, shared ? &rows : nullptr, f.data())) break;
      CHECK((shared || rows.rank() == 5));
      for (int count = 0; count < 3; ++count) {
        for (int i = 0; i < 6; ++i) a[static_cast<std::size_t>(i)] = p.rate(i, f.data());
        laws.step(p, held, shared ? &rows : nullptr, a.data(), f.data(), xi.data());
      }
      for (const int i : held) CHECK(p.rate(i, f.data()) == Approx(0).margin(1e-9));
      CHECK(f[3] == Approx(-0.3 * f[2]));
      for (std::size_t i = 0; shared && i < f.size(); ++i) CHECK(f[i] == Approx(forces[0][i]).margin(1e-9));
      compared += shared;
    }
  }
  CHECK(compared > 50);
  CHECK(compared <= 100);
}

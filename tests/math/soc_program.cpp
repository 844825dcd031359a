// tests/math/soc_program.cpp
//
// Second-order cone programs whose solution is known because they were made from it: a point on the boundary of some
// cones with multipliers that meet the conditions of optimality. And what has no largest value is said to have none. A
// line leaves a cone where it does, through the apex too: a step taken for endless there left the set, and what forces
// could hold was called slipping.
#include "math/soc_program.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "math/soc.hpp"
#include "support/random.hpp"

using namespace hstar::math;

namespace {

using Vector = Eigen::VectorXd;

Vector random_vector(support::Random& random, long n) {
  Vector v(n);
  for (double& x : v) x = random.uniform(-1, 1);
  return v;
}

struct Known {
  SocProgram program;
  Vector inside, best;
};

/// `active` of the cones touch their boundary at the solution.
Known known(support::Random& random, int variables, int cones, int active) {
  Known k;
  int rows = 0;
  std::vector<int> size;
  for (int i = 0; i < cones; ++i) rows += size.emplace_back(1 + (i % 4));
  k.program.resize(rows, variables);
  k.program.size = size;
  Vector s(rows), y = Vector::Zero(rows), room(rows);
  int first = 0;
  for (int i = 0; i < cones; ++i) {
    const int n = size[static_cast<std::size_t>(i)];
    const Vector u = random_vector(random, n - 1);
    const bool touches = i < active;
    s[first] = u.norm() + (touches ? 0.0 : random.uniform(0.2, 1));
    s.segment(first + 1, n - 1) = u;
    if (touches) {
      // Across the boundary: s . y = 0.
      const double force = random.uniform(0.3, 1);
      y[first] = force;
      if (n > 1) y.segment(first + 1, n - 1) = -force * u.normalized();
    }
    const Vector w = 0.5 * random_vector(random, n - 1);
    room[first] = w.norm() + random.uniform(0.2, 1);
    room.segment(first + 1, n - 1) = w;
    first += n;
  }
  k.best = random_vector(random, variables);
  for (long j = 0; j < variables; ++j) k.program.A.col(j) = random_vector(random, rows);
  k.program.A.col(0) = room - s;  // a step along x_0 is inside
  k.program.h = s - k.program.A * k.best;
  k.program.c = -k.program.A.transpose() * y;
  k.inside = k.best + Vector::Unit(variables, 0);
  return k;
}

}  // namespace

TEST_CASE("second-order cone programs made from their solution are solved to round-off") {
  support::Random random(5);
  for (int i = 0; i < 200; ++i) {
    const int variables = 1 + i % 7, cones = variables + 1 + i % 5, active = 1 + i % cones;
    const Known k = known(random, variables, cones, active);
    REQUIRE(least_slack(k.program, k.inside) > 0.1);
    const SocSolution found = maximise(k.program, k.inside);
    INFO(variables << " variables, " << cones << " cones, " << active << " of them active");
    CHECK(found.bounded);
    CHECK(least_slack(k.program, found.x) > -1e-14);
    CHECK(k.program.c.dot(found.x - k.best) == Approx(0).margin(2e-13));
    CHECK(found.steps < 40);
  }
}

TEST_CASE("a cone program without largest value is not bounded") {
  SocProgram p;
  p.resize(4, 2);
  p.size = {3, 1};
  p.h << 1, 0, 0, 1;
  p.A << 1, 0, 0.5, 0.1, 0, 0.3, 1, 0;
  p.c << 1, 0.1;
  CHECK_FALSE(maximise(p, Vector::Zero(2)).bounded);
  p.c << -1, 0.1;
  CHECK(maximise(p, Vector::Zero(2)).bounded);
}

TEST_CASE("a line through the apex of a cone, or past it by round-off, leaves the cone there") {
  support::Random random(11);
  int passed = 0;
  for (int i = 0; i < 100000; ++i) {
    const int n = 2 + i % 3;
    double u[4] = {}, d[4] = {};
    const double length = random.uniform(0.1, 10), off = i % 2 ? 0 : 1e-16 * random.uniform(0, 10);
    for (int k = 1; k < n; ++k) u[k] = random.uniform(-1, 1);
    u[0] = soc::tail(u, n) * (1 + random.uniform(1e-9, 1));
    for (int k = 0; k < n; ++k) d[k] = -u[k] / length + off * random.uniform(-1, 1);
    const double a = soc::reach(u, d, n);
    // (The determinant of what is so near to the boundary is known to its square root.)
    if (std::isfinite(a) && a > length * (1 - 1e-3) && a < length * (1 + 1e-3)) ++passed;
  }
  CHECK(passed == 100000);
}

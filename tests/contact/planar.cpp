// tests/contact/planar.cpp
//
// With one direction by unit the problem over cones is that of the plane: what Solver answers is among the
// combinations that math/coulomb.hpp finds by enumeration, and the same one where there is only one; with mu_static >
// mu_kinetic too, with joints of given normal force, and for units that slide already.
#include <catch2/catch.hpp>

#include "cases.hpp"
#include "math/coulomb.hpp"
#include "support/random.hpp"

using namespace cones;
using hstar::math::CoulombAnswer, hstar::math::CoulombElement, hstar::math::CoulombProblem, hstar::math::CoulombSolver;
using support::Random;

namespace {

/// The same problem for both: element i has rows 2i, 2i + 1.
void random_problem(Random& random, int k, double ratio, CoulombProblem& plane, Problem& space) {
  const int n = 2 * k, freedoms = 2 + random.below(2 * k);
  Eigen::MatrixXd W(freedoms, n);
  for (auto& w : W.reshaped()) w = random.uniform(-1, 1);
  const Eigen::MatrixXd G = W.transpose() * W;
  Eigen::VectorXd free(freedoms);
  for (auto& x : free) x = random.uniform(-1, 1);
  Eigen::VectorXd c = W.transpose() * free;
  plane.resize(k);
  space.resize(k, k, n);
  plane.force_scale = space.force_scale = 1;
  for (int i = 0; i < k; ++i) {
    const auto at = static_cast<std::size_t>(i);
    CoulombElement& e = plane.element[at];
    Unit& u = space.unit[at];
    e.mu_kinetic = u.mu_kinetic = random.uniform(0, 0.8);
    e.mu_static = u.mu_static = ratio * e.mu_kinetic;
    u.row = 2 * i + 1;
    u.directions = 1;
    u.contact = i;
    space.contact[at].row = 2 * i;
    e.tangent = CoulombElement::Tangent::undecided;
    if (random.below(4) == 0) {
      e.tangent = CoulombElement::Tangent::slips;
      e.direction = static_cast<signed char>(random.below(2) == 0 ? -1 : 1);
      u.slides = true;
      u.direction = {static_cast<double>(e.direction), 0, 0};
      e.tangent_0 = u.further[0] = random.uniform(-0.1, 0.1);
    }
  }
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    plane.c[at] = space.c[at] = c[i];
    plane.scale[at] = space.scale[at] = 1;
    for (int j = 0; j < n; ++j) {
      const auto both = static_cast<std::size_t>(i * n + j);
      plane.G[both] = space.G[both] = G(i, j);
    }
  }
}

hstar::math::Hold hold_of(const Solver& x, std::size_t i) {
  if (is_open(x, i)) return hstar::math::Hold::open;
  if (sticks(x, i)) return hstar::math::Hold::stick;
  return x.status().unit[i].direction[0] > 0 ? hstar::math::Hold::slip_plus : hstar::math::Hold::slip_minus;
}

}  // namespace

TEST_CASE("one direction by unit: the answer is one of the plane's") {
  Random random(11);
  CoulombSolver plane(5);
  Solver space;
  for (const double ratio : {1.0, 1.4}) {
    int total = 0, unique = 0, same = 0, missed = 0;
    for (int i = 0; i < 1500; ++i) {
      const int k = 1 + i % 4;
      CoulombProblem p;
      Problem q;
      random_problem(random, k, ratio, p, q);
      const CoulombAnswer truth = plane.enumerate(p, true);
      const Answer answer = space.solve(q);
      if (!truth.found) continue;
      ++total;
      if (!answer.found) {
        ++missed;
        continue;
      }
      INFO("ratio " << ratio << ", problem " << i);
      CHECK(violation(q, space) < 1e-11);
      std::vector<hstar::math::Hold> hold;
      for (std::size_t j = 0; j < static_cast<std::size_t>(k); ++j) hold.push_back(hold_of(space, j));
      CHECK(plane.judge(p, hold.data()) > 0);
      plane.enumerate(p, true);
      if (truth.consistent == 1) {
        ++unique;
        for (std::size_t j = 0; j < hold.size(); ++j) CHECK(hold[j] == plane.hold()[j]);
        for (std::size_t j = 0; j < 2 * hold.size(); ++j)
          CHECK(space.rate()[j] == Approx(plane.rate()[j]).margin(1e-9));
      }
      same += std::equal(hold.begin(), hold.end(), plane.hold().begin()) ? 1 : 0;
    }
    INFO("ratio " << ratio << ": " << total << " have an answer, " << unique << " only one, " << same << " the same, "
                  << missed << " missed");
    CHECK(total > 1200);
    CHECK(missed == 0);
    CHECK(same > 9 * total / 10);
  }
}

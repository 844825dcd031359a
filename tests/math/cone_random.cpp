// tests/math/cone_random.cpp
//
// Random problems over cones that have a solution, of full rank and not, with contacts alone and with joints: found,
// with the laws checked term by term.
#include <catch2/catch.hpp>

#include "cone_cases.hpp"
#include "support/malloc_calls.hpp"
#include "support/random.hpp"

using namespace cones;
using support::Random;

// c = a - G f for forces and rates that satisfy the laws, so that each problem has a solution (perhaps others).
// Contacts of a few bodies: G of any rank, masses over four decades, forces and rates in units of any size.
TEST_CASE("random problems over cones are solved") {
  Random random(2026);
  ConeSolver x;
  int solved = 0, total = 0, steps = 0;
  for (int n = 1; n <= 8; ++n)
    for (int i = 0; i < 150; ++i) {
      const int freedoms = 2 + random.below(4 * n);
      Eigen::MatrixXd W(freedoms, 3 * n);
      for (auto& w : W.reshaped()) w = random.uniform(-1, 1);
      Eigen::VectorXd inverse(freedoms);
      for (auto& m : inverse) m = std::pow(10.0, random.uniform(-2, 2));
      const Eigen::MatrixXd G = W.transpose() * inverse.asDiagonal() * W;
      const double unit = std::pow(10.0, random.uniform(-6, 6));
      Eigen::VectorXd f = Eigen::VectorXd::Zero(3 * n), a = f;
      ConeProblem p;
      set_contacts(p, G, f, 0, 0);
      for (int k = 0; k < n; ++k) {
        ConeUnit& u = p.unit[static_cast<std::size_t>(k)];
        u.mu_static = u.mu_kinetic = random.uniform(0, 0.8);
        const int what = random.below(4);
        const double angle = random.uniform(0, 6.28);
        const Eigen::Vector2d d(std::cos(angle), std::sin(angle));
        const double N = random.uniform(0.05, 1);
        if (what == 0) {  // open
          a[3 * k] = random.uniform(0.05, 1);
          a.segment<2>(3 * k + 1) = random.uniform(0, 1) * d;
        } else {
          f[3 * k] = N;
          const double full = u.mu_static * N;
          f.segment<2>(3 * k + 1) = (what == 1 ? -random.uniform(0, 0.98) * full : -full) * d;
          if (what > 1) a.segment<2>(3 * k + 1) = random.uniform(0.05, 1) * d;
          if (what == 3) {
            u.slides = true;
            u.direction = {d[0], d[1], 0};
          }
        }
      }
      // Rates that the forces of this G can make beside those of other forces: a of the size of G f.
      const Eigen::VectorXd c = unit * (G.diagonal().maxCoeff() * a - G * f);
      for (int k = 0; k < 3 * n; ++k) p.c[static_cast<std::size_t>(k)] = c[k];
      const std::size_t mallocs = malloc_calls();
      const ConeAnswer answer = x.solve(p);
      CHECK(malloc_calls() == mallocs);
      ++total;
      steps += answer.newton_steps;
      if (!answer.found) continue;
      ++solved;
      INFO(n << " contacts, problem " << i << ", residual " << answer.residual);
      CHECK(violation(p, x) < 1e-12);
    }
  CHECK(solved == total);
  CHECK(steps < 20 * total);
}

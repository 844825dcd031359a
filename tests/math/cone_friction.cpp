// tests/math/cone_friction.cpp
//
// Friction over exact cones: closed forms of one contact and of symmetric ones; random problems that have a solution,
// of full rank and not, whose laws are checked here term by term, not by the solver's own residual; and problems
// without a solution are said to have none.
#include <catch2/catch.hpp>

#include <Eigen/Dense>
#include <cmath>

#include "math/cone_friction.hpp"
#include "support/malloc_calls.hpp"
#include "support/random.hpp"

using namespace hstar::math;
using support::Random;

namespace {

void set(ConeProblem& p, const Eigen::MatrixXd& G, const Eigen::VectorXd& c) {
  p.count = static_cast<int>(c.size()) / 3;
  for (Eigen::Index i = 0; i < G.rows(); ++i)
    for (Eigen::Index j = 0; j < G.cols(); ++j) p.G[static_cast<std::size_t>(i * G.cols() + j)] = G(i, j);
  for (Eigen::Index i = 0; i < c.size(); ++i) p.c[static_cast<std::size_t>(i)] = c[i];
}

/// The largest violation of the laws, forces relative to the largest force, rates to the largest term of c + G f.
double violation(const ConeProblem& p, const ConeAnswer& x) {
  const std::size_t n = static_cast<std::size_t>(3 * p.count);
  double force = 0, rate = 0;
  std::array<double, 24> a{};
  for (std::size_t i = 0; i < n; ++i) {
    force = std::max(force, std::abs(x.f[i]));
    a[i] = p.c[i];
    double size = std::abs(p.c[i]);
    for (std::size_t j = 0; j < n; ++j) {
      a[i] += p.G[i * n + j] * x.f[j];
      size += std::abs(p.G[i * n + j] * x.f[j]);
    }
    rate = std::max(rate, size);
  }
  force = std::max(force, 1e-300);
  double worst = 0;
  const auto demand = [&](double excess) { worst = std::max(worst, excess); };
  for (std::size_t i = 0; i < static_cast<std::size_t>(p.count); ++i) {
    const double N = x.f[3 * i], t1 = x.f[3 * i + 1], t2 = x.f[3 * i + 2], size = std::hypot(t1, t2);
    const double a1 = a[3 * i + 1], a2 = a[3 * i + 2], speed = std::hypot(a1, a2);
    const Cone& cone = p.cone[i];
    demand(-N / force);
    demand(-a[3 * i] / rate);
    demand(std::min(std::abs(N) / force, std::abs(a[3 * i]) / rate));
    if (x.hold[i] == ConeHold::open) {
      demand((std::abs(N) + size) / force);
    } else if (cone.slides) {
      demand(std::hypot(t1 + cone.mu_kinetic * N * cone.direction[0], t2 + cone.mu_kinetic * N * cone.direction[1]) /
             force);
    } else if (x.hold[i] == ConeHold::stick) {
      demand(speed / rate);
      demand((size - cone.mu_static * N) / force);
    } else {
      demand(std::abs(size - cone.mu_kinetic * N) / force);
      // lambda_T against a_T: lambda_T |a_T| + mu N a_T = 0.
      demand(std::hypot(t1 * speed + cone.mu_kinetic * N * a1, t2 * speed + cone.mu_kinetic * N * a2) / (force * rate));
      CHECK(x.direction[i][0] == Approx(a1 / speed).margin(1e-6));
      CHECK(x.direction[i][1] == Approx(a2 / speed).margin(1e-6));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("one block on a plane: sticks up to mu_static, then mu_kinetic against the push") {
  const double m = 2.5, g = 9.81;
  for (const double mu : {0.0, 0.2, 0.9})
    for (const double push : {0.0, 0.1, 0.5, 1.3}) {
      ConeProblem p;
      const double angle = 0.7 + push;
      set(p, Eigen::Matrix3d::Identity() / m,
          Eigen::Vector3d(-g, push * g * std::cos(angle), push * g * std::sin(angle)));
      p.cone[0].mu_static = mu;
      p.cone[0].mu_kinetic = 0.8 * mu;
      const ConeAnswer x = solve_cones(p);
      CHECK(x.found);
      CHECK(x.f[0] == Approx(m * g).epsilon(1e-13));
      const double force = push <= mu ? m * push * g : 0.8 * mu * m * g;
      CHECK(x.f[1] == Approx(-force * std::cos(angle)).epsilon(1e-12).margin(1e-12));
      CHECK(x.f[2] == Approx(-force * std::sin(angle)).epsilon(1e-12).margin(1e-12));
      CHECK(x.hold[0] == (push <= mu ? ConeHold::stick : ConeHold::slip));
    }
}

// A ball of radius R put on a plane inclined by alpha: the contact point's acceleration answers friction with 7/(2 m).
// It rolls for tan alpha <= 7/2 mu, else its point slides downhill with g sin alpha - 7/2 mu g cos alpha.
TEST_CASE("a ball on an incline rolls up to 7/2 mu") {
  const double m = 0.3, g = 9.81, mu = 0.25;
  for (const double alpha : {0.1, 0.5, 0.71, 0.73, 1.2}) {
    ConeProblem p;
    const Eigen::Vector3d answers(1 / m, 3.5 / m, 3.5 / m);
    set(p, answers.asDiagonal(),
        Eigen::Vector3d(-g * std::cos(alpha), 0.6 * g * std::sin(alpha), 0.8 * g * std::sin(alpha)));
    p.cone[0].mu_static = p.cone[0].mu_kinetic = mu;
    const ConeAnswer x = solve_cones(p);
    CHECK(x.found);
    const bool rolls = std::tan(alpha) <= 3.5 * mu;
    CHECK(x.hold[0] == (rolls ? ConeHold::stick : ConeHold::slip));
    const double slides = rolls ? 0 : g * (std::sin(alpha) - 3.5 * mu * std::cos(alpha));
    CHECK(x.a[1] == Approx(0.6 * slides).epsilon(1e-12).margin(1e-12));
    CHECK(x.a[2] == Approx(0.8 * slides).epsilon(1e-12).margin(1e-12));
  }
}

// Four feet of a box that cannot tip (pushed at the floor): which foot carries what is not unique, what the box does
// is.
TEST_CASE("a box on four feet: redundant contacts, unique motion") {
  const double m = 4, g = 9.81, mu = 0.3, J = 0.5;
  Eigen::MatrixXd W(6, 12);  // columns: force directions; rows: force and moment about the centre at floor height
  W.setZero();
  const double foot[4][2] = {{0.3, 0.2}, {-0.3, 0.2}, {-0.3, -0.2}, {0.3, -0.2}};
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) {
      Eigen::Vector3d e = Eigen::Vector3d::Zero();
      e[k == 0 ? 2 : k - 1] = 1;  // normal z, tangents x, y
      W.block<3, 1>(0, 3 * i + k) = e;
      W.block<3, 1>(3, 3 * i + k) = Eigen::Vector3d(foot[i][0], foot[i][1], 0).cross(e);
    }
  Eigen::VectorXd inverse(6);
  inverse << 1 / m, 1 / m, 1 / m, 1 / J, 1 / J, 1 / J;
  for (const double push : {0.2, 0.5}) {
    Eigen::VectorXd free(6);
    free << 0.6 * push * g, 0.8 * push * g, -g, 0, 0, 0;
    ConeProblem p;
    set(p, W.transpose() * inverse.asDiagonal() * W, W.transpose() * free);
    for (Cone& cone : p.cone) cone.mu_static = cone.mu_kinetic = mu;
    const ConeAnswer x = solve_cones(p);
    CHECK(x.found);
    CHECK(violation(p, x) < 1e-12);
    const Eigen::Map<const Eigen::VectorXd> f(x.f.data(), 12);
    const Eigen::VectorXd sum = W * f;
    const double held = std::min(push, mu) * m * g;
    CHECK(sum[2] == Approx(m * g).epsilon(1e-12));
    CHECK(sum[0] == Approx(-0.6 * held).epsilon(1e-11));
    CHECK(sum[1] == Approx(-0.8 * held).epsilon(1e-11));
    CHECK(sum.tail<3>().norm() < 1e-10);
  }
}

TEST_CASE("a sliding contact that jams has no answer, one that is pulled off is open") {
  // a_N = c_N + (1 - 2 mu) N for mu = 1: pressing harder presses harder (Painleve).
  ConeProblem p;
  Eigen::Matrix3d G;
  G << 1, 2, 0, 2, 5, 0, 0, 0, 3;
  set(p, G, Eigen::Vector3d(-1, 0, 0));
  p.cone[0].mu_static = p.cone[0].mu_kinetic = 1;
  p.cone[0].slides = true;
  p.cone[0].direction = {1, 0};
  const ConeAnswer none = solve_cones(p);
  CHECK_FALSE(none.found);
  CHECK(none.residual > 1e-3);
  p.cone[0].mu_kinetic = 0.25;  // N = 1 / (1 - 0.5)
  const ConeAnswer slides = solve_cones(p);
  CHECK(slides.found);
  CHECK(slides.f[0] == Approx(2).epsilon(1e-13));
  CHECK(slides.f[1] == Approx(-0.5).epsilon(1e-13));
  p.c[0] = 1;
  const ConeAnswer open = solve_cones(p);
  CHECK(open.found);
  CHECK(open.hold[0] == ConeHold::open);
  CHECK(open.f[0] == 0);
}

// c = a - G f for forces and rates that satisfy the laws, so that each problem has a solution (perhaps others).
// Contacts of a few bodies: G of any rank, masses over four decades, forces and rates in units of any size.
TEST_CASE("random problems over cones are solved") {
  Random random(2026);
  int solved = 0, total = 0, steps = 0;
  for (int n = 1; n <= most_cones; ++n)
    for (int i = 0; i < 150; ++i) {
      const int freedoms = 2 + random.below(4 * n);
      Eigen::MatrixXd W(freedoms, 3 * n);
      for (auto& x : W.reshaped()) x = random.uniform(-1, 1);
      Eigen::VectorXd inverse(freedoms);
      for (auto& x : inverse) x = std::pow(10.0, random.uniform(-2, 2));
      const Eigen::MatrixXd G = W.transpose() * inverse.asDiagonal() * W;
      const double unit = std::pow(10.0, random.uniform(-6, 6));
      Eigen::VectorXd f = Eigen::VectorXd::Zero(3 * n), a = f;
      ConeProblem p;
      for (int k = 0; k < n; ++k) {
        Cone& cone = p.cone[static_cast<std::size_t>(k)];
        cone.mu_static = cone.mu_kinetic = random.uniform(0, 0.8);
        const int what = random.below(4);
        const double angle = random.uniform(0, 6.28);
        const Eigen::Vector2d d(std::cos(angle), std::sin(angle));
        const double N = random.uniform(0.05, 1);
        if (what == 0) {  // open
          a[3 * k] = random.uniform(0.05, 1);
          a.segment<2>(3 * k + 1) = random.uniform(0, 1) * d;
        } else {
          f[3 * k] = N;
          const double full = cone.mu_static * N;
          f.segment<2>(3 * k + 1) = (what == 1 ? -random.uniform(0, 0.98) * full : -full) * d;
          if (what > 1) a.segment<2>(3 * k + 1) = random.uniform(0.05, 1) * d;
          if (what == 3) {
            cone.slides = true;
            cone.direction = {d[0], d[1]};
          }
        }
      }
      // Rates that the forces of this G can make beside those of other forces: a of the size of G f.
      set(p, G, unit * (G.diagonal().maxCoeff() * a - G * f));
      const std::size_t mallocs = malloc_calls();
      const ConeAnswer x = solve_cones(p);
      CHECK(malloc_calls() == mallocs);
      ++total;
      steps += x.newton_steps;
      if (!x.found) continue;
      ++solved;
      INFO(n << " contacts, problem " << i << ", residual " << x.residual);
      CHECK(violation(p, x) < 1e-12);
    }
  CHECK(solved == total);
  CHECK(steps < 20 * total);
}

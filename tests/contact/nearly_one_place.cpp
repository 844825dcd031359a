// tests/contact/nearly_one_place.cpp
//
// Two bodies that meet in pairs of contacts which are almost at one place (edge on edge over a corner), as an impact or
// a load finds them: what tells the contacts of a pair apart is 1e-10 to 1e-5 of all that meets in them. All but two
// of a thousand are solved (five were not while interior points stopped at products of 2^-42).
#include <catch2/catch.hpp>

#include <cmath>

#include "cases.hpp"
#include "contact/share.hpp"
#include "contact/tolerances.hpp"
#include "support/random.hpp"

using namespace cones;
using support::Random;

namespace {

/// `pairs` pairs of contacts between two free bodies, the lower of which has a part of the upper one's velocity.
Problem meeting(Random& random, int pairs, double apart) {
  const int k = 2 * pairs, n = 3 * k;
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(12, n);
  Eigen::VectorXd inverse(12), v(12);
  for (int i = 0; i < 12; ++i) {
    inverse[i] = i % 6 < 3 ? random.uniform(0.1, 1) : random.uniform(10, 100);
    v[i] = random.uniform(-1, 1);
  }
  v.tail<6>() = random.uniform(0, 1) * v.head<6>();
  v[2] = -1;
  Eigen::Vector2d place = Eigen::Vector2d::Zero();
  for (int i = 0; i < k; ++i) {
    const auto beside = [&]() -> Eigen::Vector2d {
      return apart * Eigen::Vector2d(random.uniform(-1, 1), random.uniform(-1, 1));
    };
    if (i % 2 == 0) place = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)};
    const Eigen::Vector2d here = i % 2 == 0 ? place : Eigen::Vector2d(place + beside()), tilt = beside();
    const Eigen::Vector3d normal = Eigen::Vector3d(tilt[0], tilt[1], 1).normalized();
    const Eigen::Vector3d t1 = normal.cross(Eigen::Vector3d::UnitX()).normalized(), t2 = normal.cross(t1);
    const Eigen::Vector3d foot(here[0], here[1], -0.5), head(here[0], here[1], 0.5);
    int column = 3 * i;
    for (const Eigen::Vector3d& e : {normal, t1, t2}) {
      W.block<3, 1>(0, column) = e;
      W.block<3, 1>(3, column) = foot.cross(e);
      W.block<3, 1>(6, column) = -e;
      W.block<3, 1>(9, column) = -head.cross(e);
      ++column;
    }
  }
  const Eigen::MatrixXd G = W.transpose() * inverse.asDiagonal() * W;
  Eigen::VectorXd c = W.transpose() * v;
  Problem p;
  p.resize(k, k, n);
  for (int i = 0; i < k; ++i) {
    c.segment<2>(3 * i + 1) *= apart;  // they hardly slide
    p.contact[static_cast<std::size_t>(i)].row = 3 * i;
    auto& unit = p.unit[static_cast<std::size_t>(i)];
    unit.contact = i;
    unit.row = 3 * i + 1;
    unit.mu_static = unit.mu_kinetic = random.uniform(0.1, 0.9);
  }
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    p.c[at] = c[i];
    p.scale[at] = c.cwiseAbs().maxCoeff() / 128;
    p.alone[at] = G(i, i);
    for (int j = 0; j < n; ++j) p.G[static_cast<std::size_t>(i * n + j)] = G(i, j);
  }
  return p;
}

}  // namespace

TEST_CASE("contacts that meet in nearly one place are solved") {
  Random random{7};
  Solver solver(24);
  int unsolved = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Problem p = meeting(random, 2 + trial % 3, std::pow(10, random.uniform(-10, -5)));
    const Answer answer = solver.solve(p);
    unsolved += !answer.found;
    // (A row that is a combination of others up to `dependent`, in the square, moves with them by so much.)
    if (answer.found) CHECK(answer.residual <= std::sqrt(dependent(24)));
  }
  CHECK(unsolved <= 2);
}

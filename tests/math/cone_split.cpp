// tests/math/cone_split.cpp
//
// The common margin of redundant contacts that stick: closed forms by symmetry, value unchanged by what does not
// matter, continuous, and against a search by brute force; preload that nothing bounds is bounded.
#include "math/cone_split.hpp"

#include <catch2/catch.hpp>

#include "cone_cases.hpp"
#include "support/malloc_calls.hpp"
#include "support/random.hpp"

using namespace cones;
using support::Random;

namespace {

constexpr double mass = 4, gravity = 9.81, inertia = 0.5;

/// A box on feet at (x, y) of height 0, all forces about a centre at that height: weight, a push along the floor and
/// the moments of both at a height h.
struct Box {
  Eigen::MatrixXd W;
  Eigen::VectorXd free = Eigen::VectorXd::Zero(6);
  ConeProblem problem;
  ConeHold closed[8], stick[8];
  Direction3 direction[8] = {};

  Box(const std::vector<Eigen::Vector2d>& feet, Eigen::Vector2d push, double height, double mu) {
    const int k = static_cast<int>(feet.size());
    W = Eigen::MatrixXd::Zero(6, 3 * k);
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < 3; ++j) {
        const Eigen::Vector3d e = Eigen::Vector3d::Unit(j == 0 ? 2 : j - 1);
        const auto& at = feet[static_cast<std::size_t>(i)];
        W.block<3, 1>(0, 3 * i + j) = e;
        W.block<3, 1>(3, 3 * i + j) = Eigen::Vector3d(at[0], at[1], 0).cross(e);
      }
    Eigen::VectorXd inverse(6);
    inverse << Eigen::Vector3d::Constant(1 / mass), Eigen::Vector3d::Constant(1 / inertia);
    free << push / mass, -gravity, -height * push[1] / inertia, height * push[0] / inertia, 0;
    set_contacts(problem, W.transpose() * inverse.asDiagonal() * W, W.transpose() * free, mu, mu);
    std::fill(closed, closed + 8, ConeHold::closed);
    std::fill(stick, stick + 8, ConeHold::stick);
  }
  bool solve(ConeSplit& split, double most = 0) const { return split.solve(problem, closed, stick, direction, most); }
};

const std::vector<Eigen::Vector2d> square = {{0.3, 0.2}, {-0.3, 0.2}, {-0.3, -0.2}, {0.3, -0.2}};

}  // namespace

// N_i - |T_i| / mu summed over the feet is at most m g - |push| / mu, and a split in proportion to N reaches a quarter
// of it at every foot if no moment asks for more at one of them; with a moment, T can follow N until a foot's N is too
// small.
TEST_CASE("four feet share weight and push evenly") {
  ConeSplit split;
  for (const double push : {0.0, 3.0, 10.0, 0.3 * mass * gravity, 14.0})
    for (const double height : {0.0, 0.05, 0.1}) {
      const Box box(square, {0.6 * push, 0.8 * push}, height, 0.3);
      CHECK(box.solve(split));
      CHECK(split.split());
      CHECK(split.margin() == Approx((mass * gravity - push / 0.3) / 4).epsilon(1e-12).margin(1e-12));
      const Eigen::Map<const Eigen::VectorXd> f(split.force().data(), 12);
      Eigen::VectorXd load = box.free;
      load.head<3>() *= mass;
      load.tail<3>() *= inertia;
      CHECK((box.W * f + load).norm() < 1e-12 * mass * gravity);
    }
}

TEST_CASE("two feet in line share only along it, one foot nothing") {
  // Two feet, one beside the other, pushed along their line: the share along the line is free, the rest is not.
  ConeSplit split;
  const Box box({{0.5, 0}, {-0.5, 0}}, {6, 0}, 0, 0.4);
  CHECK(box.solve(split));
  CHECK(split.split());
  CHECK(split.margin() == Approx((mass * gravity - 6 / 0.4) / 2).epsilon(1e-12));
  const Box one({{0, 0}}, {3, 4}, 0, 0.4);  // a single point: nothing is free
  CHECK(one.solve(split));
  CHECK_FALSE(split.split());
  CHECK(split.margin() == Approx(mass * gravity - 5 / 0.4).epsilon(1e-13));
}

// Feet anywhere, pushes of any size: the margin changes with the push no faster than 1 / mu (its slope is the dual
// force), has no jumps, and random splits never do better.
TEST_CASE("the margin is continuous and no split has a larger one") {
  Random random(7);
  ConeSplit split;
  for (int i = 0; i < 40; ++i) {
    std::vector<Eigen::Vector2d> feet;
    for (int k = 0; k < 3 + i % 4; ++k) feet.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1));
    const double mu = random.uniform(0.2, 0.9), height = random.uniform(0, 0.2);
    const Eigen::Vector2d push(random.uniform(-10, 10), random.uniform(-10, 10));
    const auto margin = [&](double more) {
      const Box box(feet, (1 + more) * push, height, mu);
      CHECK(box.solve(split));
      return split.margin();
    };
    const double here = margin(0), near = margin(1e-12), further = margin(1e-6);
    CHECK(std::abs(near - here) < 1e-10);
    CHECK(std::abs(further - here) < 1e-3);
    const Box box(feet, push, height, mu);
    const std::size_t mallocs = malloc_calls();
    box.solve(split);
    CHECK(malloc_calls() == mallocs);
    const int n = box.problem.rows();
    const Eigen::VectorXd best = Eigen::Map<const Eigen::VectorXd>(split.force().data(), n);
    const Eigen::MatrixXd null = Eigen::FullPivLU<Eigen::MatrixXd>(box.W).setThreshold(1e-9).kernel();
    const auto slack = [&](const Eigen::VectorXd& f) {
      double least = 1e300;
      for (int k = 0; k < n; k += 3) least = std::min(least, f[k] - f.segment<2>(k + 1).norm() / mu);
      return least;
    };
    CHECK(slack(best) == Approx(here).margin(1e-9));
    for (int t = 0; t < 200; ++t) {
      Eigen::VectorXd along(null.cols());
      for (auto& x : along) x = random.uniform(-1, 1);
      CHECK(slack(best + std::pow(10.0, random.uniform(-5, 0)) * null * along) < here + 1e-9);
    }
  }
}

// A body between two walls: any preload holds it; what is looked for is bounded.
TEST_CASE("preload between walls is taken up to the bound") {
  Eigen::MatrixXd W(3, 6);  // wall to the left and right, point forces at the centre
  W << 1, 0, 0, -1, 0, 0,   //
      0, 1, 0, 0, 1, 0,     //
      0, 0, 1, 0, 0, 1;
  ConeProblem p;
  set_contacts(p, W.transpose() * W / mass, W.transpose() * Eigen::Vector3d(0, 0, -gravity), 0.5, 0.5);
  const ConeHold closed[2] = {ConeHold::closed, ConeHold::closed}, stick[2] = {ConeHold::stick, ConeHold::stick};
  const Direction3 direction[2] = {};
  ConeSplit split;
  CHECK(split.solve(p, closed, stick, direction));
  CHECK(std::isinf(split.margin()));
  CHECK(split.solve(p, closed, stick, direction, 100));
  CHECK(split.margin() == Approx(100 - mass * gravity).epsilon(1e-12));  // N - (m g / 2) / mu
  CHECK(split.force()[0] == Approx(100).epsilon(1e-10));
}

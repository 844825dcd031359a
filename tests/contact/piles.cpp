// tests/contact/piles.cpp
//
// Piles of boxes, balls and bodies of any shape with 10 to 100 contacts, most of them redundant. What lies on the
// ground and on what is below can be lifted apart, so that there is a solution for any mu (Klarbring & Pang 1998): it
// must be found, without heap memory, with the laws checked here from G, c and the forces alone, not by the solver's
// residual.
#include <catch2/catch.hpp>

#include "cases.hpp"
#include "contact/interior.hpp"
#include "contact/tolerances.hpp"
#include "support/malloc_calls.hpp"
#include "support/random.hpp"

using namespace cones;
using support::Random;

namespace {

enum class Shape { boxes, balls, any };

/// A law with r z = solved may be off by the root of that where both are small.
const double told_to = 10 * std::sqrt(solved);

struct Place {
  Eigen::Vector3d normal, foot, head;  ///< from the centres of the body above and below
  int above, below;                    ///< below < 0: the ground
};

Eigen::Vector3d upwards(Random& random, double tilt) {
  return Eigen::Vector3d(random.uniform(-tilt, tilt), random.uniform(-tilt, tilt), 1).normalized();
}

/// Where body `above` touches what is below; four times for a box on its corners.
void add_places(Random& random, Shape shape, int above, std::vector<Place>& to) {
  const int below = above == 0 ? -1 : random.below(above + 1) - 1;
  if (shape == Shape::boxes) {
    const Eigen::Vector3d normal = upwards(random, 0.2), shift(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 1);
    for (const double x : {-0.4, 0.4})
      for (const double y : {-0.3, 0.3}) {
        const Eigen::Vector3d corner(x, y, -0.5);
        to.push_back({normal, corner, corner + shift, above, below});
      }
  } else if (shape == Shape::balls) {
    const Eigen::Vector3d normal = upwards(random, 0.8);
    to.push_back({normal, -0.5 * normal, 0.5 * normal, above, below});
  } else {
    const auto point = [&](double z) {
      return Eigen::Vector3d(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), z);
    };
    const Eigen::Vector3d foot = point(-0.5), head = point(0.5);
    to.push_back({upwards(random, 0.6), foot, head, above, below});
  }
}

Problem pile(Random& random, Shape shape, int contacts, double static_share) {
  std::vector<Place> places;
  const int bodies = std::max(1, contacts / (shape == Shape::balls ? 2 : 4));
  for (int i = 0; static_cast<int>(places.size()) < contacts; ++i) add_places(random, shape, i % bodies, places);
  const int k = static_cast<int>(places.size()), n = 3 * k;
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(6 * bodies, n);
  for (int i = 0; i < k; ++i) {
    const Place& at = places[static_cast<std::size_t>(i)];
    const Eigen::Vector3d t1 = at.normal.cross(Eigen::Vector3d::UnitX()).normalized(), t2 = at.normal.cross(t1);
    int column = 3 * i;
    for (const Eigen::Vector3d& e : {at.normal, t1, t2}) {
      W.block<3, 1>(6 * at.above, column) = e;
      W.block<3, 1>(6 * at.above + 3, column) = at.foot.cross(e);
      if (at.below >= 0) {
        W.block<3, 1>(6 * at.below, column) -= e;
        W.block<3, 1>(6 * at.below + 3, column) -= at.head.cross(e);
      }
      ++column;
    }
  }
  Eigen::VectorXd inverse(6 * bodies), free(6 * bodies);
  for (int b = 0; b < bodies; ++b) {
    const double mass = std::pow(10, random.uniform(-1, 1));
    inverse.segment<3>(6 * b).setConstant(1 / mass);
    for (int i = 3; i < 6; ++i) inverse[6 * b + i] = 1 / (mass * random.uniform(0.1, 0.4));
    for (int i = 0; i < 6; ++i) free[6 * b + i] = random.uniform(-4, 4) - (i == 2 ? 9.81 : 0);
  }
  Problem p;
  set_contacts(p, W.transpose() * inverse.asDiagonal() * W, W.transpose() * free, 0, 0);
  for (Unit& u : p.unit) {
    u.mu_kinetic = random.uniform(0, 1);
    u.mu_static = static_share * u.mu_kinetic;
  }
  return p;
}

/// Of the laws as one fixed point, f = projection of f - a / g on the cones of the limits at f (Alart & Curnier 1991),
/// g the largest diagonal of G in a contact; relative to the largest force.
double natural_map(const Problem& p, const double* force, const std::vector<double>& coefficient) {
  const int n = p.rows();
  const Eigen::Map<const Eigen::VectorXd> f(force, n), c(p.c.data(), n);
  const Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> G(p.G.data(), n, n);
  const Eigen::VectorXd a = c + G * f;
  double worst = 0;
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const int row = p.contact[j].row;
    const double g = G.diagonal().segment(row, 3).maxCoeff();
    const Eigen::Vector2d T = f.segment<2>(row + 1), to = T - a.segment<2>(row + 1) / g;
    const double limit = coefficient[j] * std::max(0.0, f[row]);
    worst = std::max(worst, std::abs(f[row] - std::max(0.0, f[row] - a[row] / g)));
    worst = std::max(worst, (T - (to.norm() > limit ? limit / to.norm() : 1) * to).norm());
  }
  return worst / f.lpNorm<Eigen::Infinity>();
}

double natural_map(const Problem& p, const Solver& x) {
  std::vector<double> mu;
  for (std::size_t j = 0; j < p.unit.size(); ++j)
    mu.push_back(slips(x, j) ? p.unit[j].mu_kinetic : p.unit[j].mu_static);
  return natural_map(p, x.force().data(), mu);
}

}  // namespace

// Its forces are judged by the laws as one fixed point, as a method of its own: no statuses, no exchanges, no path.
// With a compliance the laws have one answer or few; where steps from one start end at the boundary of a cone, those
// from another mostly do not.
TEST_CASE("the interior-point method finds forces that obey the laws") {
  Random random(11);
  ConeLaws laws;
  Interior interior;
  int total = 0, at_once = 0, in_all = 0;
  for (const Shape shape : {Shape::boxes, Shape::balls, Shape::any})
    for (const int contacts : {1, 4, 12, 24})
      for (int i = 0; i < 50; ++i) {
        Problem p = pile(random, shape, contacts, 1);
        const int n = p.rows();
        std::vector<double> mu, f(static_cast<std::size_t>(n));
        for (const Unit& u : p.unit) mu.push_back(u.mu_static);
        double soft = 0;
        for (int j = 0; j < n; ++j) soft += 1e-3 * p.g(j, j) / n;
        REQUIRE(laws.state(p, mu.data(), soft));
        ++total;
        const bool found = interior.solve(laws);
        at_once += found;
        if (!found && !interior.solve(laws, 0.1) && !interior.solve(laws, 10)) continue;
        ++in_all;
        laws.forces(interior.r(), f.data());
        for (int j = 0; j < n; ++j) p.G[static_cast<std::size_t>(j * n + j)] += soft;
        CHECK(natural_map(p, f.data(), mu) < told_to);
      }
  CHECK(at_once > 0.98 * total);
  CHECK(in_all > 0.995 * total);
}

// Units whose normal force is given, that slide already, and none: the forces of the whole solver, where they are
// unique.
TEST_CASE("the interior-point method knows given normal forces and what slides already") {
  Random random(12);
  ConeLaws laws;
  Interior interior;
  Solver x(9);
  for (int i = 0; i < 200; ++i) {
    Problem p = pile(random, Shape::balls, 3, 1);
    const int n = p.rows();
    Eigen::Map<Eigen::MatrixXd>(p.G.data(), n, n) += 0.1 * Eigen::MatrixXd::Identity(n, n);  // forces are unique
    p.unit[0].slides = true;
    p.unit[0].direction = {0.6, -0.8, 0};
    p.unit[0].mu_kinetic = p.unit[0].mu_static = random.uniform(0, 0.2);
    p.unit[1].normal = Unit::Normal::given;
    p.unit[1].normal_0 = random.uniform(0, 20);
    std::vector<double> mu, f(static_cast<std::size_t>(n));
    for (const Unit& u : p.unit) mu.push_back(u.mu_static);
    REQUIRE(laws.state(p, mu.data(), 0));
    const Answer answer = x.solve(p);
    REQUIRE(answer.found);
    REQUIRE(interior.solve(laws));
    laws.forces(interior.r(), f.data());
    double most = 0;
    for (int j = 0; j < n; ++j) most = std::max(most, std::abs(x.force()[static_cast<std::size_t>(j)]));
    for (int j = 0; j < n; ++j)
      CHECK(std::abs(f[static_cast<std::size_t>(j)] - x.force()[static_cast<std::size_t>(j)]) < told_to * most);
  }
}

TEST_CASE("small piles are solved where the path of their compliance turns back, too") {
  // About one in 2,000 does: it is met again from other forces, at this compliance or a smaller one.
  Random random(6);
  Solver x(18);
  int unsolved = 0;
  for (int i = 0; i < 8000; ++i) {
    const Problem p = pile(random, Shape::any, 6, 1);
    const Answer answer = x.solve(p);
    unsolved += !answer.found;
    if (answer.found && answer.newton_steps > 100) CHECK(natural_map(p, x) < (answer.exact ? 1e-10 : 1e-9));
  }
  CHECK(unsolved == 0);
}

TEST_CASE("piles of up to 100 contacts are solved") {
  struct Kind {
    int contacts, problems;
    double static_share;  ///< mu_static over mu_kinetic
  };
  Random random(100);
  Solver x(312);
  int total = 0, found = 0;
  for (const Shape shape : {Shape::boxes, Shape::balls, Shape::any})
    for (const Kind& kind :
         {Kind{10, 60, 1}, Kind{24, 40, 1}, Kind{24, 10, 1.3}, Kind{50, 8, 1}, Kind{50, 2, 1.2}, Kind{100, 1, 1}})
      for (int i = 0; i < kind.problems; ++i) {
        const Problem p = pile(random, shape, kind.contacts, kind.static_share);
        INFO("shape " << static_cast<int>(shape) << ", " << kind.contacts << " contacts, problem " << i);
        const std::size_t mallocs = malloc_calls();
        const Answer answer = x.solve(p);
        CHECK(malloc_calls() == mallocs);
        ++total;
        if (!answer.found) continue;
        ++found;
        CHECK(natural_map(p, x) < (answer.exact ? 1e-10 : 1e-9));
        CHECK(violation(p, x) < (answer.exact ? 1e-10 : 1e-9));
      }
  // (With friction coefficients up to 1 the path is lost in one pile of shape `any`.)
  CHECK(total > 300);
  CHECK(found >= total - 1);
}

// One contact of many that jams (pressing harder presses harder, Painleve): the whole has no solution, and the search
// for one ends.
TEST_CASE("a pile beside a contact that jams has no solution") {
  Random random(7);
  const Problem free = pile(random, Shape::any, 24, 1);
  const int n = free.rows();
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(n + 3, n + 3);
  Eigen::VectorXd c(n + 3);
  for (int i = 0; i < n; ++i) {
    c[i] = free.c[static_cast<std::size_t>(i)];
    for (int j = 0; j < n; ++j) G(i, j) = free.G[static_cast<std::size_t>(i * n + j)];
  }
  G.bottomRightCorner<3, 3>() << 1, 2, 0, 2, 5, 0, 0, 0, 3;
  c.tail<3>() << -1, 0, 0;
  Problem p;
  set_contacts(p, G, c, 1, 1);
  p.unit.back().slides = true;
  p.unit.back().direction = {1, 0, 0};
  Solver x;
  const Answer none = x.solve(p);
  CHECK_FALSE(none.found);
  CHECK(none.residual > 1e-6);
  p.unit.back().mu_kinetic = 0.25;  // it slides on
  CHECK(x.solve(p).found);
  CHECK(violation(p, x) < 1e-10);
}

// tests/contact/random.cpp
//
// Random problems over cones that have a solution, of full rank and not, contacts alone, with rolling and spinning
// units beside the sliding one, and with joints whose normal force depends on the forces: found, without heap memory,
// with the laws checked term by term.
#include <catch2/catch.hpp>

#include "cases.hpp"
#include "support/malloc_calls.hpp"
#include "support/random.hpp"

using namespace cones;
using support::Random;

namespace {

struct Kind {
  const char* name;
  int fewest, most;      ///< contacts
  bool further = false;  ///< units beside the sliding one
  int joints = 0;
  double mu = 0.8;
};

Eigen::Vector3d direction(Random& random, int size) {
  for (;;) {
    Eigen::Vector3d d = Eigen::Vector3d::Zero();
    for (int k = 0; k < size; ++k) d[k] = random.uniform(-1, 1);
    if (d.norm() > 0.1 && d.norm() < 1) return d.normalized();
  }
}

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Normal force of a unit as a sum of norms of affine functions of f, shifted so that it is N at f.
void give_reaction(Random& random, Problem& p, Unit& u, int part, double N, const Eigen::VectorXd& f) {
  u.normal = Unit::Normal::parts;
  u.part = part;
  u.parts = 1 + random.below(2);
  for (int k = 0; k < u.parts; ++k) {
    Part& out = p.part[at(part + k)];
    out = {random.uniform(0.5, 1.5), 1 + random.below(3), 3 * (part + k)};
    const Eigen::Vector3d value = direction(random, out.size) * N / (u.parts * out.weight);
    for (int i = 0; i < out.size; ++i) {
      double sum = 0;
      for (int j = 0; j < p.rows(); ++j) {
        const double slope = random.below(3) == 0 ? random.uniform(-0.3, 0.3) : 0;
        p.reaction[at((out.row + i) * p.rows() + j)] = slope;
        sum += slope * f[j];
      }
      p.reaction_0[at(out.row + i)] = value[i] - sum;
    }
  }
}

/// c = a - G f for forces and rates that satisfy the laws, so that each problem has a solution (perhaps others).
/// Bodies with masses over four decades: G of any rank from 2; forces and rates in units of any size.
Problem solvable(Random& random, const Kind& kind, int contacts) {
  struct Shape {
    int contact, directions;
  };
  std::vector<Shape> shapes;
  for (int i = 0; i < contacts; ++i) {
    shapes.push_back({i, 2});
    if (kind.further && random.below(2) == 0) shapes.push_back({i, 2});
    if (kind.further && random.below(2) == 0) shapes.push_back({i, 1});
  }
  for (int i = 0; i < kind.joints; ++i) shapes.push_back({-1, 1 + random.below(3)});
  int n = contacts;
  for (const Shape& shape : shapes) n += shape.directions;

  const int freedoms = 2 + random.below(4 * n / 3 + 1);
  Eigen::MatrixXd W(freedoms, n);
  for (auto& w : W.reshaped()) w = random.uniform(-1, 1);
  Eigen::VectorXd inverse(freedoms);
  for (auto& m : inverse) m = std::pow(10.0, random.uniform(-2, 2));
  const Eigen::MatrixXd G = W.transpose() * inverse.asDiagonal() * W;

  Problem p;
  p.resize(contacts, static_cast<int>(shapes.size()), n, 2 * kind.joints, 6 * kind.joints);
  Eigen::VectorXd f = Eigen::VectorXd::Zero(n), a = f;
  std::vector<char> closed(at(contacts));
  for (int i = 0; i < contacts; ++i) {
    p.contact[at(i)].row = i;
    closed[at(i)] = random.below(4) != 0;
    (closed[at(i)] ? f : a)[i] = random.uniform(0.05, 1);
  }
  std::vector<double> N(shapes.size());
  int row = contacts;
  for (std::size_t j = 0; j < shapes.size(); ++j) {
    Unit& u = p.unit[j];
    const int d = u.directions = shapes[j].directions;
    u.row = row;
    row += d;
    u.mu_static = u.mu_kinetic = random.uniform(0, kind.mu);
    const Eigen::Vector3d along = direction(random, d);
    const auto slides = [&] {
      u.slides = true;
      u.direction = {along[0], along[1], along[2]};
      for (int k = 0; k < d; ++k) a[u.row + k] = random.uniform(-1, 1);
    };
    u.contact = shapes[j].contact;
    if (u.contact >= 0 && !closed[at(u.contact)]) {
      slides();
      u.slides = random.below(2) == 0;
      continue;
    }
    N[j] = u.contact >= 0 ? f[u.contact] : random.uniform(0.05, 1);
    const int what = random.below(3);
    const double held = what == 0 ? random.uniform(0, 0.98) : 1, rate = what == 0 ? 0 : random.uniform(0.05, 1);
    f.segment(u.row, d) = -held * u.mu_static * N[j] * along.head(d);
    a.segment(u.row, d) = rate * along.head(d);
    if (what == 2) slides();
  }
  int part = 0;
  for (std::size_t j = 0; j < shapes.size(); ++j) {
    if (shapes[j].contact >= 0) continue;
    if (random.below(3) == 0) {
      p.unit[j].normal = Unit::Normal::given;
      p.unit[j].normal_0 = N[j];
    } else {
      give_reaction(random, p, p.unit[j], part, N[j], f);
      part += 2;
    }
  }
  const double unit = std::pow(10.0, random.uniform(-6, 6));
  // Rates that the forces of this G can make beside those of other forces: a of the size of G f.
  const Eigen::VectorXd c = unit * (G.diagonal().maxCoeff() * a - G * f);
  for (int i = 0; i < n; ++i) {
    p.c[at(i)] = c[i];
    for (int j = 0; j < n; ++j) p.G[at(i * n + j)] = G(i, j);
  }
  for (double& x : p.reaction_0) x *= unit;
  for (Unit& u : p.unit) u.normal_0 *= unit;
  return p;
}

}  // namespace

TEST_CASE("random problems over cones are solved") {
  Random random(2026);
  Solver x(48);
  for (const Kind& kind :
       {Kind{"contacts", 1, 8}, Kind{"mu to 1", 1, 8, false, 0, 1.0}, Kind{"rolling and spinning", 1, 6, true},
        Kind{"joints", 0, 0, false, 3}, Kind{"contacts and joints", 1, 5, false, 2}}) {
    int solved = 0, total = 0, steps = 0, rough = 0;
    for (int n = kind.fewest; n <= kind.most; ++n)
      for (int i = 0; i < 600 / (kind.most - kind.fewest + 1); ++i) {
        const Problem p = solvable(random, kind, n);
        const std::size_t mallocs = malloc_calls();
        const Answer answer = x.solve(p);
        CHECK(malloc_calls() == mallocs);
        ++total;
        steps += answer.newton_steps;
        if (!answer.found) continue;
        ++solved;
        INFO(kind.name << ": " << n << " contacts, problem " << i << ", residual " << answer.residual);
        CHECK(violation(p, x) < (answer.exact ? 1e-11 : 1e-9));
        rough += !answer.exact;
      }
    CAPTURE(kind.name);
    // (The path is lost where cones hold a large self-stress, with joints and large friction.)
    CHECK(solved >= total - 1);
    CHECK(rough <= 3);
    CHECK(steps < 40 * total);
  }
}

// With mu_static > mu_kinetic every unit that slips has a reason: no answer in which it alone sticks instead is missed,
// and at a limit between the two coefficients a lone block sticks.
TEST_CASE("between mu_kinetic and mu_static what can stick does") {
  Random random(5);
  Solver x;
  for (int i = 0; i < 200; ++i) {
    // Blocks side by side on one floor, coupled by nothing: each sticks if its push is below mu_static N.
    const int k = 1 + random.below(4);
    Eigen::VectorXd c(3 * k);
    std::vector<double> push;
    for (int j = 0; j < k; ++j) {
      const double angle = random.uniform(0, 6.28);
      push.push_back(random.uniform(0.2, 0.8));
      c.segment<3>(3 * j) << -1, push.back() * std::cos(angle), push.back() * std::sin(angle);
    }
    Problem p;
    set_contacts(p, Eigen::MatrixXd::Identity(3 * k, 3 * k), c, 0.6, 0.3);
    CHECK(x.solve(p).found);
    for (int j = 0; j < k; ++j) {
      CHECK((push[at(j)] < 0.6 ? sticks(x, at(j)) : slips(x, at(j))));
      CHECK(std::hypot(x.force()[at(3 * j + 1)], x.force()[at(3 * j + 2)]) ==
            Approx(push[at(j)] < 0.6 ? push[at(j)] : 0.3).epsilon(1e-12));
    }
  }
}

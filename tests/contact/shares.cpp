// tests/contact/shares.cpp
//
// Which forces redundant contacts have: those of equally stiff contacts, in the limit. The loads at which feet let go
// are those at which the friction of the sliding motion balances them (least-norm normal forces, by hand); no normal
// force comes from nothing; brick walls that touch side by side rest without side forces; neither the unit of length
// nor the order of contacts changes a force.
#include <catch2/catch.hpp>

#include <Eigen/Dense>
#include <numeric>

#include "cases.hpp"
#include "contact/two_level.hpp"
#include "support/random.hpp"

using namespace cones;
using support::Random;

namespace {

constexpr double g = 9.81;
std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

/// Contacts of `rows` rows each, columns of W, bodies of masses M, under a load.
Problem problem(const Eigen::MatrixXd& W, const Eigen::VectorXd& M, const Eigen::VectorXd& load, int rows,
                const std::vector<double>& mu) {
  const Eigen::MatrixXd G = W.transpose() * M.cwiseInverse().asDiagonal() * W;
  const Eigen::VectorXd c = W.transpose() * load.cwiseQuotient(M);
  const Eigen::VectorXd scale = W.cwiseAbs().transpose() * load.cwiseQuotient(M).cwiseAbs();
  const int k = static_cast<int>(mu.size());
  Problem p;
  p.resize(k, k, rows * k);
  for (int i = 0; i < rows * k; ++i) {
    p.c[at(i)] = c[i];
    p.scale[at(i)] = scale[i];
    for (int j = 0; j < rows * k; ++j) p.G[at(i * rows * k + j)] = G(i, j);
  }
  for (int i = 0; i < k; ++i) {
    p.contact[at(i)].row = rows * i;
    Unit& u = p.unit[at(i)];
    u.contact = i;
    u.row = rows * i + 1;
    u.directions = rows - 1;
    u.mu_static = u.mu_kinetic = mu[at(i)];
  }
  return p;
}

double largest_rate(const Problem& p, const Solver& x) {
  double largest = 0;
  for (int i = 0; i < p.rows(); ++i) largest = std::max(largest, std::abs(x.rate()[at(i)]));
  return largest;
}

/// The push at which a body of 1 kg on feet at x, pushed along the floor, begins to move.
template <class Make>
double lets_go(const Make& make) {
  Solver x;
  double below = 0, above = 20;
  for (int i = 0; i < 48; ++i) {
    const double push = 0.5 * (below + above);
    const Problem p = make(push);
    REQUIRE(x.solve(p).found);
    (largest_rate(p, x) < 1e-9 ? below : above) = push;
  }
  return below;
}

double feet_let_go(const std::vector<double>& x, const std::vector<double>& mu, double centre) {
  const auto n = static_cast<Eigen::Index>(x.size());
  Eigen::MatrixXd W(3, 2 * n);
  for (Eigen::Index i = 0; i < n; ++i) {
    W.col(2 * i) << 0, 1, x[at(i)];
    W.col(2 * i + 1) << 1, 0, 0;
  }
  return lets_go([&](double push) {
    return problem(W, Eigen::Vector3d(1, 1, 0.5), Eigen::Vector3d(push, -g, -g * centre), 2, mu);
  });
}

struct Wall {
  Eigen::MatrixXd W;
  Eigen::VectorXd M, load;
  std::vector<bool> side;  ///< by contact: between two bricks of one row
};

/// Bricks of 2 kg, each row half a brick beside the one below, the top left one pushed.
Wall bricks(int rows, int columns, double push, double unit) {
  const double w = 0.2 * unit, h = 0.1 * unit, m = 2;
  struct Touch {
    int first, second;
    Eigen::Vector2d point, normal;
  };
  std::vector<Eigen::Vector2d> centre;
  std::vector<Touch> touches;
  Wall wall;
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < columns; ++k) centre.emplace_back(k * w + (r % 2 == 1 ? w / 2 : 0), h / 2 + r * h);
  const auto add = [&](int first, int second, double x, double y, bool side) {
    touches.push_back({first, second, {x, y}, side ? Eigen::Vector2d(1, 0) : Eigen::Vector2d(0, 1)});
    wall.side.push_back(side);
  };
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < columns; ++k) {
      const int i = r * columns + k;
      const Eigen::Vector2d c = centre[at(i)];
      for (int j = (r - 1) * columns; r > 0 && j < r * columns; ++j) {
        const double from = std::max(c[0], centre[at(j)][0]) - w / 2, to = std::min(c[0], centre[at(j)][0]) + w / 2;
        if (to - from < 1e-9 * w) continue;
        add(j, i, from, c[1] - h / 2, false);
        add(j, i, to, c[1] - h / 2, false);
      }
      for (const int s : {-1, 1}) {
        if (r == 0) add(-1, i, c[0] + s * w / 2, 0, false);
        if (k + 1 < columns) add(i, i + 1, c[0] + w / 2, c[1] + s * h / 2, true);
      }
    }
  const auto bodies = static_cast<Eigen::Index>(centre.size());
  wall.W = Eigen::MatrixXd::Zero(3 * bodies, 2 * static_cast<Eigen::Index>(touches.size()));
  wall.M.resize(3 * bodies);
  wall.load.resize(3 * bodies);
  for (Eigen::Index b = 0; b < bodies; ++b) {
    wall.M.segment<3>(3 * b) << m, m, m * (w * w + h * h) / 12;
    wall.load.segment<3>(3 * b) << 0, -m * g * unit, 0;
  }
  wall.load[3 * (rows - 1) * columns] += push * m * g * unit;
  for (std::size_t q = 0; q < touches.size(); ++q) {
    const Touch& t = touches[q];
    const Eigen::Vector2d tangent(t.normal[1], -t.normal[0]);
    for (const int e : {0, 1})
      for (const int second : {0, 1}) {
        const int b = second == 1 ? t.second : t.first;
        if (b < 0) continue;
        const Eigen::Vector2d d = (second == 1 ? 1 : -1) * (e == 0 ? t.normal : tangent), arm = t.point - centre[at(b)];
        wall.W.block<3, 1>(3 * b, 2 * static_cast<Eigen::Index>(q) + e) +=
            Eigen::Vector3d(d[0], d[1], arm[0] * d[1] - arm[1] * d[0]);
      }
  }
  return wall;
}

}  // namespace

TEST_CASE("feet on a floor let go at the load that their friction balances once they slide") {
  CHECK(feet_let_go({-1, 1}, {0.5, 0.5}, 0) == Approx(0.5 * g).epsilon(1e-9));
  CHECK(feet_let_go({-1, 1}, {0.2, 0.6}, 0.3) == Approx(g * (0.2 * 0.35 + 0.6 * 0.65)).epsilon(1e-9));
  // Three feet: equal shares of the weight, whatever their friction.
  CHECK(feet_let_go({-1, 0, 1}, {0.2, 0.9, 0.2}, 0) == Approx(g * (0.2 + 0.9 + 0.2) / 3).epsilon(1e-9));
  CHECK(feet_let_go({-1, 0, 1}, {0.9, 0.2, 0.9}, 0) == Approx(g * (0.9 + 0.2 + 0.9) / 3).epsilon(1e-9));
}

TEST_CASE("a ball between two walls that just touch it falls; pressed to one it is braked by that one") {
  Eigen::MatrixXd W(3, 4);
  W << 1, 0, -1, 0, 0, 1, 0, 1, 0, -0.1, 0, 0.1;
  for (const double push : {0.0, 10.0, 40.0}) {
    const Problem p = problem(W, Eigen::Vector3d(1, 1, 0.004), Eigen::Vector3d(push, -g, 0), 2, {0.3, 0.3});
    Solver x;
    REQUIRE(x.solve(p).found);
    CHECK(x.force()[0] == Approx(0).margin(1e-12));
    CHECK(x.force()[2] == Approx(push).margin(1e-12));
    // Enough friction to roll: T (1 + r^2/J) = g.
    const double T = std::min(0.3 * push, g / (1 + 0.01 / 0.004));
    CHECK(x.force()[3] == Approx(T).margin(1e-12));
    CHECK(violation(p, x) < 1e-13);
  }
}

TEST_CASE("brick walls that touch side by side rest, and side forces come only from a push") {
  Solver x;
  for (const auto& [rows, columns] : {std::pair{1, 2}, {2, 2}, {4, 3}, {6, 8}})
    for (const double push : {0.0, 0.3}) {
      CAPTURE(rows, columns, push);
      const Wall wall = bricks(rows, columns, push, 1);
      const std::vector<double> mu(wall.side.size(), 0.5);
      const Problem p = problem(wall.W, wall.M, wall.load, 2, mu);
      const Answer answer = x.solve(p);
      REQUIRE(answer.found);
      CHECK(largest_rate(p, x) < 1e-11);
      CHECK(violation(p, x) < 1e-13);
      double side = 0;
      for (std::size_t q = 0; q < wall.side.size(); ++q)
        if (wall.side[q]) side = std::max(side, x.force()[2 * q]);
      if (rows == 1 && push == 0) CHECK(side == Approx(0).margin(1e-12));
    }
}

TEST_CASE("neither millimetres nor the order of contacts change a force") {
  const Wall metres = bricks(3, 3, 0.3, 1), millimetres = bricks(3, 3, 0.3, 1000);
  const std::size_t k = metres.side.size();
  const std::vector<double> mu(k, 0.5);
  Solver one, other, turned;
  REQUIRE(one.solve(problem(metres.W, metres.M, metres.load, 2, mu)).found);
  REQUIRE(other.solve(problem(millimetres.W, millimetres.M, millimetres.load, 2, mu)).found);
  Eigen::MatrixXd W(metres.W.rows(), metres.W.cols());
  for (std::size_t q = 0; q < k; ++q)
    W.middleCols(2 * static_cast<Eigen::Index>(q), 2) =
        metres.W.middleCols(2 * static_cast<Eigen::Index>(k - 1 - q), 2);
  REQUIRE(turned.solve(problem(W, metres.M, metres.load, 2, mu)).found);
  double largest = 0;
  for (std::size_t i = 0; i < 2 * k; ++i) largest = std::max(largest, std::abs(one.force()[i]));
  for (std::size_t q = 0; q < k; ++q)
    for (const std::size_t e : {std::size_t{0}, std::size_t{1}}) {
      CHECK(other.force()[2 * q + e] / 1000 == Approx(one.force()[2 * q + e]).margin(1e-11 * largest));
      CHECK(turned.force()[2 * (k - 1 - q) + e] == Approx(one.force()[2 * q + e]).margin(1e-11 * largest));
    }
}

TEST_CASE("a foot that others hold up carries nothing, though its row tilts by 1e-10") {
  // Feet at -1, 0 and 1, the weight at -0.9: linear in x, forces of 0.9, 0.1 and none. The body is accelerated
  // sideways, on the third foot downwards by 1e-10 of that, which no force there could change: its row is one of the
  // others.
  for (const double tilt : {0.0, 1e-10, -1e-10}) {
    Eigen::MatrixXd W(3, 3);
    W.col(0) << 0, 1, -1;
    W.col(1) << 0, 1, 0;
    W.col(2) << tilt, 1, 1;
    const Eigen::Vector3d M(1, 1, 0.5), load(-50, -10, 9);
    Problem p;
    p.resize(3, 0, 3);
    const Eigen::MatrixXd G = W.transpose() * M.cwiseInverse().asDiagonal() * W;
    const Eigen::VectorXd c = W.transpose() * load.cwiseQuotient(M);
    for (int i = 0; i < 3; ++i) {
      p.contact[at(i)].row = i;
      p.c[at(i)] = c[i];
      p.scale[at(i)] = 10;
      for (int j = 0; j < 3; ++j) p.G[at(3 * i + j)] = G(i, j);
    }
    Solver x;
    const auto answer = x.solve(p);
    INFO(tilt);
    REQUIRE(answer.found);
    CHECK(answer.exact);
    CHECK(x.force()[0] == Approx(9));
    CHECK(x.force()[1] == Approx(1));
    CHECK(x.force()[2] == 0);
  }
}

// Table on four legs, com 0.3 above the floor, pushed and twisted: what holds with equally stiff legs up to this load
// goes on without a jump of the acceleration beyond it.
TEST_CASE("legs in space: the acceleration begins at zero where the table lets go") {
  const double legs[4][2] = {{0.5, 0.4}, {-0.5, 0.4}, {-0.5, -0.4}, {0.5, -0.4}};
  Eigen::MatrixXd W(6, 12);
  for (int i = 0; i < 4; ++i) {
    const Eigen::Vector3d arm(legs[i][0] - 0.1, legs[i][1] + 0.05, -0.3);
    for (int e = 0; e < 3; ++e) {
      const Eigen::Vector3d d = Eigen::Vector3d::Unit((e + 2) % 3);
      W.col(3 * i + e) << d, arm.cross(d);
    }
  }
  Eigen::VectorXd M(6);
  M << 1, 1, 1, 0.1, 0.1, 0.1;
  const auto pushed = [&](double push) {
    const Eigen::Vector3d force(push * std::cos(1), push * std::sin(1), 0);
    Eigen::VectorXd load(6);
    load << force - Eigen::Vector3d(0, 0, g),
        Eigen::Vector3d(0, 0, -0.3).cross(force) + Eigen::Vector3d(0, 0, 0.3 * push);
    return problem(W, M, load, 3, {0.4, 0.4, 0.4, 0.4});
  };
  const double limit = lets_go(pushed);
  CHECK(limit > 1);
  CHECK(limit < 0.4 * g);
  Solver x;
  for (const double beyond : {1e-3, 1e-5}) {
    const Problem p = pushed(limit * (1 + beyond));
    REQUIRE(x.solve(p).found);
    CHECK(largest_rate(p, x) < 40 * g * beyond);
    CHECK(violation(p, x) < 1e-10);
  }
}

namespace {
/// Feet of a body in its plane, with forces of equally stiff ones, which are linear in their places: all at their
/// limits, against a motion about some centre.
struct Feet {
  static constexpr int count = 6;
  Eigen::VectorXd motion{3 * count}, force{3 * count};
  std::vector<double> mu = std::vector<double>(count, 0.4);
  Problem p;

  explicit Feet(Random& random) {
    Eigen::MatrixXd W(6, 3 * count);
    const Eigen::Vector2d centre(random.uniform(-1, 1), random.uniform(-1, 1));
    for (int i = 0; i < count; ++i) {
      const Eigen::Vector3d arm(random.uniform(-1, 1), random.uniform(-1, 1), 0);
      for (int e = 0; e < 3; ++e) {
        const Eigen::Vector3d d = Eigen::Vector3d::Unit((e + 2) % 3);
        W.col(3 * i + e) << d, arm.cross(d);
      }
      motion.segment(3 * i, 3) << 0, centre.y() - arm.y(), arm.x() - centre.x();
      const double N = 2 + 0.5 * W(3, 3 * i) - 0.3 * W(4, 3 * i);
      force.segment(3 * i, 3) << N, -mu[at(i)] * N * motion.segment<2>(3 * i + 1).normalized();
    }
    Eigen::VectorXd M(6);
    M << 1, 1, 1, 0.1, 0.1, 0.1;
    p = problem(W, M, -W * force, 3, mu);
  }
  /// All creep, by `size` of the motion, but this one, which is held. False: no answer.
  bool solve(TwoLevel& level, Status& status, int held, double size) const {
    level.begin(p);
    level.keep_answers();
    status.contact.assign(count, Press::loaded);
    status.unit.resize(count);
    Eigen::VectorXd strain = -size * motion;
    for (int i = 0; i < count; ++i) {
      strain[3 * i] = force[3 * i];
      const Eigen::Vector2d d = motion.segment<2>(3 * i + 1).normalized();
      status.unit[at(i)] = {i == held ? Hold::held : Hold::creeping, {d.x(), d.y(), 0}};
    }
    level.guess(p, force.data(), strain.data());
    return level.solve(p, status, mu.data());
  }
};
}  // namespace

// Forces of what creeps have the directions of J xi, whatever its size: where all feet creep they are in balance at the
// load alone at which the body begins to slide about that centre. A foot that holds fixes how far the others creep.
TEST_CASE("feet that creep together slip, those beside one that holds creep") {
  Random random(7);
  for (int model = 0; model < 50; ++model) {
    const Feet feet(random);
    for (int held = -1; held < Feet::count; ++held) {
      INFO("model " << model << ", foot " << held);
      TwoLevel level;
      Status status;
      REQUIRE(feet.solve(level, status, held, 100));
      for (int i = 0; i < Feet::count; ++i)
        CHECK(status.unit[at(i)].hold == (held < 0 ? Hold::slip : i == held ? Hold::held : Hold::creeping));
      for (int i = 0; i < 3 * Feet::count; ++i) CHECK(level.force()[i] == Approx(feet.force[i]).margin(1e-9));
    }
  }
}

TEST_CASE("from a guess beyond all bounds there is no answer, or a right one") {
  Random random(7);
  for (const double size : {1e100, 1e200, 1e300, 1e308})
    for (int model = 0; model < 50; ++model) {
      const Feet feet(random);
      INFO("model " << model << ", " << size);
      TwoLevel level;
      Status status;
      if (!feet.solve(level, status, model % Feet::count, size)) continue;
      for (int i = 0; i < Feet::count; ++i) {
        const double* f = level.force() + 3 * i;
        if (status.unit[at(i)].hold != Hold::held) CHECK(std::hypot(f[1], f[2]) <= feet.mu[at(i)] * f[0] * (1 + 1e-9));
      }
    }
}

// tests/laws/spatial_faces.cpp
//
// A body that strikes with the corners of one face: more contacts than it has freedoms, so that impulses are not
// unique, at heights that differ by round-off or by what an integrator leaves, so that nearly equal rows cannot all
// stick exactly. Newton's law has an answer at every one (a motion leaves all contacts within the cones' polars: Acary,
// Cadoux, Lemarechal & Malick 2011, theorem 3.2), and so have Poisson's two phases; each must be found, obey its law,
// and change little with the heights.
#include <Eigen/Dense>
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "support/random.hpp"
#include "transition/impact/impact_law.hpp"

using namespace hstar;
using support::Random;

namespace {

/// Corners of a face with normal n, t1, t2 = z, x, y, below the centre by h.
struct Face {
  double mass = 1, h = 0.1;
  std::array<double, 3> inertia{1, 1, 1}, v{}, omega{};
  std::vector<std::array<double, 3>> corner;
  std::vector<double> mu, e;
};

Face random_face(Random& random, bool slow) {
  Face f;
  f.mass = random.uniform(0.2, 5);
  const double a = random.uniform(0.05, 0.4), b = random.uniform(0.05, 0.4);
  f.h = random.uniform(0.02, 0.4);
  f.inertia = {f.mass * (b * b + f.h * f.h) / 3, f.mass * (a * a + f.h * f.h) / 3, f.mass * (a * a + b * b) / 3};
  const int kind = random.below(4), corners = kind == 0 ? 3 : kind == 1 ? 8 : 4;
  const double turn = 6.283185307179586 / corners;
  for (int i = 0; i < corners; ++i)
    if (corners == 4)
      f.corner.push_back({i % 2 ? a : -a, i / 2 ? b : -b, 0});
    else
      f.corner.push_back({a * std::cos(turn * i), b * std::sin(turn * i), 0});
  const double size = slow ? 1e-4 : 1;
  for (double& x : f.v) x = size * random.uniform(-1, 1);
  for (double& x : f.omega) x = size * random.uniform(-4, 4);
  if (random.below(3) == 0) f.omega = {0, 0, random.below(2) * f.omega[2]};  // falls flat
  if (random.below(4) == 0) f.v[0] = f.v[1] = 0;
  // Down so far that no corner leaves.
  f.v[2] = -std::abs(f.v[2]);
  for (const auto& c : f.corner) f.v[2] = std::min(f.v[2], -std::abs(f.omega[0] * c[1] - f.omega[1] * c[0]));
  const double restitution = std::array{0.0, 0.3, 0.6, 0.9, 1.0}[static_cast<std::size_t>(random.below(5))];
  const double friction = std::array{0.0, 0.2, 0.6, 1.0}[static_cast<std::size_t>(random.below(4))];
  f.mu.assign(f.corner.size(), friction);
  f.e.assign(f.corner.size(), restitution);
  return f;
}

/// The corners' heights moved by up to `height`.
ImpactProblem problem_of(const Face& f, Random& random, double height) {
  std::vector<std::array<double, 6>> rows;
  ImpactProblem p;
  p.contacts = static_cast<int>(f.corner.size());
  p.directions = 2;
  for (const auto& c : f.corner) {
    const double x = c[0], y = c[1], z = -f.h + height * random.uniform(-1, 1);
    rows.push_back({0, 0, 1, y, -x, 0});
    rows.push_back({1, 0, 0, 0, z, -y});
    rows.push_back({0, 1, 0, -z, 0, x});
  }
  for (const auto& r : rows) {
    double c = 0;
    for (std::size_t i = 0; i < 3; ++i) c += r[i] * f.v[i] + r[i + 3] * f.omega[i];
    p.c.push_back(c);
    for (const auto& s : rows) {
      double g = 0;
      for (std::size_t i = 0; i < 3; ++i) g += r[i] * s[i] / f.mass + r[i + 3] * s[i + 3] / f.inertia[i];
      p.G.push_back(g);
    }
  }
  p.mu = f.mu;
  p.e = f.e;
  return p;
}

double size_of(const std::vector<double>& x) {
  double most = 0;
  for (const double a : x) most = std::max(most, std::abs(a));
  return most;
}

/// Complementarity and Coulomb's law of impulses f with sliding velocities v, normal parts n complementary to xi.
void check_law(const ImpactProblem& p, const std::vector<double>& f, const std::vector<double>& n,
               const std::vector<double>& xi, const std::vector<double>& v, double impulses, double speeds) {
  for (std::size_t i = 0; i < p.mu.size(); ++i) {
    const double N = f[3 * i], T = std::hypot(f[3 * i + 1], f[3 * i + 2]), w = std::hypot(v[3 * i + 1], v[3 * i + 2]);
    CHECK(N >= -1e-7 * impulses);
    CHECK(n[i] >= -1e-7 * impulses);
    CHECK(xi[i] >= -1e-7 * speeds);
    CHECK((n[i] <= 1e-7 * impulses || xi[i] <= 1e-7 * speeds));
    CHECK(T <= p.mu[i] * N + 1e-7 * impulses);
    if (w <= 1e-6 * speeds) continue;
    for (std::size_t r : {1, 2}) CHECK(f[3 * i + r] == Approx(-p.mu[i] * N * v[3 * i + r] / w).margin(1e-6 * impulses));
  }
}

}  // namespace

TEST_CASE("corners of one face: Newton's and Poisson's law are solved at every one, whatever their heights",
          "[impact]") {
  Random random(20261205);
  int faces = 0, stuck = 0;
  for (int repeat = 0; repeat < 600; ++repeat) {
    const Face face = random_face(random, repeat % 3 == 0);
    const double height = std::array{0.0, 1e-14, 1e-11, 1e-9, 1e-8}[static_cast<std::size_t>(repeat % 5)];
    Random heights(static_cast<std::uint64_t>(repeat));
    const ImpactProblem p = problem_of(face, heights, height), flat = problem_of(face, heights, 0);
    const auto k = p.mu.size();
    const double speeds = size_of(p.c);
    INFO("face " << repeat << ", " << k << " corners, e = " << p.e[0] << ", mu = " << p.mu[0] << ", height " << height);
    ++faces;

    const ImpactSolution s = find_impact_law("newton")->solve(p);
    REQUIRE(s.solved);
    std::vector<double> normal(k), xi(k);
    for (std::size_t i = 0; i < k; ++i) {
      normal[i] = s.impulse[3 * i];
      xi[i] = s.velocity[3 * i] + p.e[i] * p.c[3 * i];
      stuck += s.slide[i] == 0;
    }
    check_law(p, s.impulse, normal, xi, s.velocity, size_of(s.impulse), speeds);

    // Poisson: compression is Newton's law with e = 0; what is added obeys the law of expansion.
    ImpactProblem plastic = p;
    plastic.e.assign(k, 0.0);
    const ImpactSolution compression = find_impact_law("newton")->solve(plastic),
                         both = find_impact_law("poisson")->solve(p);
    REQUIRE(compression.solved);
    REQUIRE(both.solved);
    std::vector<double> expansion(both.impulse);
    for (std::size_t i = 0; i < 3 * k; ++i) expansion[i] -= compression.impulse[i];
    for (std::size_t i = 0; i < k; ++i) {
      normal[i] = expansion[3 * i] - p.e[i] * compression.impulse[3 * i];
      xi[i] = both.velocity[3 * i];
    }
    check_law(p, expansion, normal, xi, both.velocity, size_of(both.impulse), speeds);
    CHECK(both.energy_change <= 1e-9 * size_of(both.impulse) * speeds);

    // Where all e are one number, velocities after it are those of a flat face but for the heights' share.
    const ImpactSolution even = find_impact_law("newton")->solve(flat);
    REQUIRE(even.solved);
    if (p.mu[0] == 0)
      for (std::size_t i = 0; i < k; ++i) CHECK(std::abs(even.velocity[3 * i] - s.velocity[3 * i]) <= 1e-5 * speeds);
  }
  INFO(faces << " faces, " << stuck << " corners stuck");
  CHECK(stuck > 200);
}

// Planar contacts of one or two bodies as contacts in space: each gets a second tangent along which nothing moves or
// couples, and axes turned at random. The same solver has linear systems for the first and Newton's method on
// directions for the second; where friction is moderate the answer is one.
TEST_CASE("several planar contacts as contacts in space: the answers of the planar laws", "[impact]") {
  Random random(20261206);
  int compared = 0, differ = 0, energies = 0;
  for (int repeat = 0; repeat < 1200; ++repeat) {
    const int bodies = 2 + random.below(3), k = 2 + random.below(3), n = 3 * bodies;
    std::vector<double> inverse, v;
    for (int i = 0; i < n; ++i) {
      inverse.push_back(i % 3 == 1 ? inverse.back() : 1 / random.uniform(i % 3 == 2 ? 0.1 : 0.5, i % 3 == 2 ? 0.6 : 3));
      v.push_back(random.uniform(-1, 1));
    }
    ImpactProblem plane, space;
    std::vector<std::vector<double>> rows;
    while (static_cast<int>(rows.size()) < 2 * k) {
      const double turn = random.uniform(-0.6, 0.6), x = random.uniform(-1, 1), y = random.uniform(-1, 0);
      const int body = random.below(bodies), other = random.below(2) ? (body + 1) % bodies : -1;
      std::vector<double> normal(static_cast<std::size_t>(n)), tangent(normal);
      for (const int b : {body, other}) {
        if (b < 0) continue;
        const double sign = b == body ? 1 : -1, nx = -std::sin(turn), ny = std::cos(turn);
        const auto first = static_cast<std::size_t>(3 * b);
        normal[first] = sign * nx, normal[first + 1] = sign * ny, normal[first + 2] = sign * (x * ny - y * nx);
        tangent[first] = sign * ny, tangent[first + 1] = -sign * nx, tangent[first + 2] = -sign * (x * nx + y * ny);
      }
      double gap = 0;
      for (std::size_t i = 0; i < normal.size(); ++i) gap += normal[i] * v[i];
      for (double& a : normal) a *= gap > 0 ? -1 : 1;  // it approaches
      rows.push_back(normal);
      rows.push_back(tangent);
    }
    plane.contacts = space.contacts = k;
    space.directions = 2;
    const double e = std::array{0.0, 0.4, 0.9}[static_cast<std::size_t>(random.below(3))];
    for (int i = 0; i < k; ++i) {
      plane.mu.push_back(random.below(4) ? random.uniform(0, 0.3) : 0.0);
      plane.e.push_back(e);
    }
    space.mu = plane.mu;
    space.e = plane.e;
    space.G.assign(static_cast<std::size_t>(9 * k * k), 0.0);
    space.c.assign(static_cast<std::size_t>(3 * k), 0.0);
    const auto place = [](std::size_t i) { return 3 * (i / 2) + i % 2; };
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double speed = 0;
      for (std::size_t d = 0; d < v.size(); ++d) speed += rows[i][d] * v[d];
      plane.c.push_back(speed);
      space.c[place(i)] = speed;
      for (std::size_t j = 0; j < rows.size(); ++j) {
        double g = 0;
        for (std::size_t d = 0; d < v.size(); ++d) g += rows[i][d] * inverse[d] * rows[j][d];
        plane.G.push_back(g);
        space.G[place(i) * static_cast<std::size_t>(3 * k) + place(j)] = g;
      }
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i)
      space.G[(3 * i + 2) * static_cast<std::size_t>(3 * k + 1)] = 1;
    // Tangents turned, each contact's by an angle of its own: the answer turns with them.
    Eigen::MatrixXd turned = Eigen::MatrixXd::Identity(3 * k, 3 * k);
    for (int i = 0; i < k; ++i) {
      const double angle = random.uniform(0, 6);
      turned.block<2, 2>(3 * i + 1, 3 * i + 1) << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    }
    Eigen::Map<Eigen::MatrixXd> inertia(space.G.data(), 3 * k, 3 * k);
    Eigen::Map<Eigen::VectorXd> before(space.c.data(), 3 * k);
    inertia = (turned * inertia * turned.transpose()).eval();
    before = (turned * before).eval();
    const Eigen::Map<const Eigen::MatrixXd> G(plane.G.data(), 2 * k, 2 * k);
    const Eigen::VectorXd sizes = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(G).eigenvalues();
    if (sizes[0] < 1e-3 * sizes[2 * k - 1]) continue;  // redundant: compression's impulses are not unique
    for (const char* law : {"newton", "poisson"}) {
      INFO(repeat << ", " << law << ", " << k << " contacts");
      const ImpactSolution in_plane = find_impact_law(law)->solve(plane), in_space = find_impact_law(law)->solve(space);
      REQUIRE(in_plane.solved);
      REQUIRE(in_space.solved);
      ++compared;
      const Eigen::VectorXd after =
          turned.transpose() * Eigen::Map<const Eigen::VectorXd>(in_space.velocity.data(), 3 * k);
      double off = 0;
      for (std::size_t i = 0; i < rows.size(); ++i)
        off = std::max(off, std::abs(in_plane.velocity[i] - after[static_cast<Eigen::Index>(place(i))]));
      differ += off > 1e-8;
      energies += std::abs(in_plane.energy_change - in_space.energy_change) > 1e-8;
    }
  }
  INFO(compared << " compared, " << differ << " differ");
  CHECK(compared > 800);
  CHECK(differ == 0);
  CHECK(energies <= differ);
}

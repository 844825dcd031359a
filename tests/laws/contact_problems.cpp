// tests/laws/contact_problems.cpp
//
// Thousands of random planar contact problems: one to eight contacts between up to five bodies and the ground, random
// masses, bilateral constraints held, sliding or not, some contacts redundant (collinear points of one body). What is
// chosen must satisfy the laws - forces and gaps not negative, complementarity, Coulomb's cone, friction against the
// sliding - to 1e-10 of the terms; enumeration and Lemke's method must agree wherever the combination is unique. At
// impacts: the same on impulses, and no law gains energy but those with Newton's restitution under friction:
// Whittaker's does, and so does Moreau's form where the reference says so (p11_rod_impact has such a case); Moreau's
// never does without friction or without restitution.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "math/coulomb.hpp"
#include "support/random.hpp"
#include "transition/impact/impact_law.hpp"
#include "transition/impact/sequential.hpp"

using namespace hstar;
using math::CoulombElement;
using math::Hold;
using support::Random;

namespace {

/// Bodies with constraints: what forces do to accelerations, and contacts on them.
struct Scene {
  int bodies = 1, contacts = 1;
  std::vector<double> inverse;   // n x n: M^-1 with the constraints held
  std::vector<double> rows;      // 2 contacts x n
  std::vector<double> velocity;  // n, compatible with the constraints
  std::vector<double> load;      // n
  bool redundant = false;
  [[nodiscard]] int n() const { return 3 * bodies; }
};

double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

Scene random_scene(Random& random) {
  Scene s;
  s.bodies = 1 + random.below(5);
  s.contacts = 1 + random.below(8);
  const int n = s.n();
  s.inverse.assign(static_cast<std::size_t>(n * n), 0.0);
  for (int i = 0; i < n; ++i)
    s.inverse[static_cast<std::size_t>(i * n + i)] =
        1 / random.uniform(i % 3 == 2 ? 0.05 : 0.3, i % 3 == 2 ? 0.8 : 4.0);
  s.velocity.resize(static_cast<std::size_t>(n));
  s.load.resize(static_cast<std::size_t>(n));
  for (double& v : s.velocity) v = random.uniform(-1, 1);
  for (double& f : s.load) f = random.uniform(-10, 10);
  // Constraints, one after the other: P <- P - P j j^T P / (j^T P j), and v made orthogonal to j in the metric of M.
  for (int c = random.below(s.bodies); c > 0; --c) {
    std::vector<double> j(static_cast<std::size_t>(n), 0.0), pj(static_cast<std::size_t>(n));
    const int a = random.below(s.bodies), b = random.below(s.bodies);
    for (int k = 0; k < 3; ++k) j[static_cast<std::size_t>(3 * a + k)] += random.uniform(-1, 1);
    for (int k = 0; k < 3; ++k) j[static_cast<std::size_t>(3 * b + k)] -= random.uniform(-1, 1);
    for (int i = 0; i < n; ++i) pj[static_cast<std::size_t>(i)] = dot(s.inverse.data() + i * n, j.data(), n);
    const double size = dot(j.data(), pj.data(), n);
    if (size < 1e-3) continue;
    const double rate = dot(j.data(), s.velocity.data(), n) / size;
    for (int i = 0; i < n; ++i) {
      s.velocity[static_cast<std::size_t>(i)] -= rate * pj[static_cast<std::size_t>(i)];
      for (int k = 0; k < n; ++k)
        s.inverse[static_cast<std::size_t>(i * n + k)] -=
            pj[static_cast<std::size_t>(i)] * pj[static_cast<std::size_t>(k)] / size;
    }
  }
  s.rows.assign(static_cast<std::size_t>(2 * s.contacts * n), 0.0);
  double angle = 0, x = 0, y = 0;
  int first = 0, second = -1;
  for (int c = 0; c < s.contacts; ++c) {
    const bool again = c > 0 && random.below(4) == 0;  // a further point of the same pair on the same straight face
    s.redundant |= again;
    if (again) {
      const double along = random.uniform(-0.5, 0.5);
      x += along * std::cos(angle);
      y += along * std::sin(angle);
    } else {
      angle = random.uniform(0, 6.28);
      x = random.uniform(-0.5, 0.5);
      y = random.uniform(-0.5, 0.5);
      first = random.below(s.bodies);
      second = random.below(2) ? -1 : random.below(s.bodies);
    }
    double* normal = s.rows.data() + 2 * c * n;
    double* tangent = normal + n;
    const auto put = [&](int body, double sign) {
      const double nx = -std::sin(angle), ny = std::cos(angle), tx = std::cos(angle), ty = std::sin(angle);
      normal[3 * body] += sign * nx, normal[3 * body + 1] += sign * ny,
          normal[3 * body + 2] += sign * (x * ny - y * nx);
      tangent[3 * body] += sign * tx, tangent[3 * body + 1] += sign * ty,
          tangent[3 * body + 2] += sign * (x * ty - y * tx);
    };
    put(first, 1);
    if (second >= 0 && second != first) put(second, -1);
  }
  return s;
}

/// W^T P W and W^T u.
void reduce(const Scene& s, const std::vector<double>& u, std::vector<double>& G, std::vector<double>& c) {
  const int n = s.n(), m = 2 * s.contacts;
  G.assign(static_cast<std::size_t>(m * m), 0.0);
  c.assign(static_cast<std::size_t>(m), 0.0);
  std::vector<double> p(static_cast<std::size_t>(n));
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < n; ++i)
      p[static_cast<std::size_t>(i)] = dot(s.inverse.data() + i * n, s.rows.data() + j * n, n);
    for (int i = 0; i < m; ++i) G[static_cast<std::size_t>(i * m + j)] = dot(s.rows.data() + i * n, p.data(), n);
    c[static_cast<std::size_t>(j)] = dot(s.rows.data() + j * n, u.data(), n);
  }
}

math::CoulombProblem coulomb_problem(const Scene& s, Random& random) {
  math::CoulombProblem p;
  p.resize(s.contacts);
  std::vector<double> a(static_cast<std::size_t>(s.n()));
  for (int i = 0; i < s.n(); ++i)
    a[static_cast<std::size_t>(i)] = dot(s.inverse.data() + i * s.n(), s.load.data(), s.n());
  reduce(s, a, p.G, p.c);
  p.force_scale = 10;
  for (std::size_t i = 0; i < p.c.size(); ++i) p.scale[i] = std::abs(p.c[i]) + 1;
  const bool same = random.below(2) == 0;
  for (CoulombElement& e : p.element) {
    const int kind = random.below(4);
    e.tangent = kind == 0   ? CoulombElement::Tangent::none
                : kind == 1 ? CoulombElement::Tangent::slips
                            : CoulombElement::Tangent::undecided;
    e.direction = static_cast<signed char>(random.below(2) ? 1 : -1);
    e.mu_kinetic = random.uniform(0, 0.5);
    e.mu_static = e.mu_kinetic + (same ? 0.0 : random.uniform(0, 0.3));
  }
  return p;
}

/// The laws, from the forces alone: a = c + G f is computed here.
void check_laws(const math::CoulombProblem& p, const math::CoulombSolver& solver) {
  const int n = 2 * p.count();
  double forces = p.force_scale;
  for (int i = 0; i < n; ++i) forces = std::max(forces, std::abs(solver.force()[static_cast<std::size_t>(i)]));
  for (int i = 0; i < p.count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const CoulombElement& e = p.element[k];
    double a[2];
    for (int r = 0; r < 2; ++r) {
      double sum = p.c[2 * k + static_cast<std::size_t>(r)], size = p.scale[2 * k + static_cast<std::size_t>(r)];
      for (int j = 0; j < n; ++j) {
        const double term =
            p.G[(2 * k + static_cast<std::size_t>(r)) * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)] *
            solver.force()[static_cast<std::size_t>(j)];
        sum += term;
        size += std::abs(term);
      }
      a[r] = sum / size;
    }
    const double N = solver.force()[2 * k] / forces, T = solver.force()[2 * k + 1] / forces;
    CHECK(N >= -1e-10);
    CHECK(a[0] >= -1e-10);
    CHECK(std::min(N, a[0]) <= 1e-10);
    if (e.tangent == CoulombElement::Tangent::none) CHECK(T == 0);
    if (e.tangent == CoulombElement::Tangent::slips) CHECK(std::abs(T + e.direction * e.mu_kinetic * N) <= 1e-10);
    if (e.tangent != CoulombElement::Tangent::undecided) continue;
    CHECK(std::abs(T) <= e.mu_static * N + 1e-10);
    if (std::abs(a[1]) > 1e-9) CHECK(std::abs(T + std::copysign(e.mu_kinetic * N, a[1])) <= 1e-10);
  }
}

}  // namespace

TEST_CASE("contact and friction: the laws hold, enumeration and Lemke agree where the answer is unique") {
  Random random(20261123);
  math::CoulombSolver one(8), other(8);
  int found = 0, unique = 0, agreed = 0, split = 0, large = 0, none = 0;
  for (int repeat = 0; repeat < 4000; ++repeat) {
    const Scene scene = random_scene(random);
    const math::CoulombProblem p = coulomb_problem(scene, random);
    INFO("problem " << repeat << ", contacts " << scene.contacts);
    const math::CoulombAnswer answer = one.solve(p, false);
    none += !answer.found;
    if (!answer.found) continue;
    ++found;
    split += answer.split;
    large += scene.contacts >= 5;
    check_laws(p, one);
    CHECK(answer.residual <= 1e-10);
    const math::CoulombAnswer lemke = other.by_lcp(p);
    if (lemke.found) check_laws(p, other);
    if (answer.combinations > 700) continue;  // counting is what takes time
    const math::CoulombAnswer counted = one.enumerate(p, true);
    REQUIRE(counted.found);
    if (counted.consistent > 1 || counted.weak) continue;
    // Of redundant contacts that slide with unequal friction the split of forces moves the bodies: no unique motion.
    const auto split_slides = [&](const math::CoulombAnswer& a, const math::CoulombSolver& solver) {
      bool slides = false;
      for (int i = 0; i < p.count(); ++i) slides |= solver.hold()[static_cast<std::size_t>(i)] >= Hold::slip_plus;
      return a.split && slides;
    };
    if (split_slides(counted, one) || (lemke.found && split_slides(lemke, other))) continue;
    ++unique;
    if (!lemke.found || lemke.weak) continue;  // (weak: a further answer on a boundary, which is not counted)
    ++agreed;
    for (std::size_t i = 0; i < p.c.size(); ++i) {
      CHECK(other.rate()[i] == Approx(one.rate()[i]).margin(1e-8));
      if (!counted.split) CHECK(other.force()[i] == Approx(one.force()[i]).margin(1e-8));
    }
  }
  INFO(found << " found, " << none << " none, " << unique << " unique, " << agreed << " by both, " << split
             << " redundant, " << large << " large");
  CHECK(found > 3500);
  CHECK(unique > 1500);
  CHECK(agreed > unique * 9 / 10);
  CHECK(split > 100);
  CHECK(large > 1000);
}

TEST_CASE("impacts of one to eight contacts: cone, complementarity, and no law but Whittaker's gains energy") {
  Random random(20261124);
  int solved[4] = {0, 0, 0, 0}, sequences = 0;
  for (int repeat = 0; repeat < 4000; ++repeat) {
    const Scene scene = random_scene(random);
    ImpactProblem p;
    p.contacts = scene.contacts;
    reduce(scene, scene.velocity, p.G, p.c);
    p.e.assign(static_cast<std::size_t>(p.contacts), random.below(3) == 0 ? 0.0 : random.uniform(0, 1));
    p.mu.resize(static_cast<std::size_t>(p.contacts));
    const bool rough = random.below(3) > 0;
    for (double& mu : p.mu) mu = rough ? random.uniform(0, 1) : 0.0;
    // Only contacts that do not leave take part.
    ImpactProblem q;
    std::vector<int> taken;
    for (int i = 0; i < p.contacts; ++i)
      if (p.c[static_cast<std::size_t>(2 * i)] <= 0) taken.push_back(i);
    if (taken.empty()) continue;
    q.contacts = static_cast<int>(taken.size());
    for (const int i : taken) {
      for (const int r : {0, 1}) {
        for (const int j : taken)
          for (const int s : {0, 1}) q.G.push_back(p.g(2 * i + r, 2 * j + s));
        q.c.push_back(p.c[static_cast<std::size_t>(2 * i + r)]);
      }
      q.e.push_back(p.e[static_cast<std::size_t>(i)]);
      q.mu.push_back(p.mu[static_cast<std::size_t>(i)]);
    }
    const bool smooth = std::all_of(q.mu.begin(), q.mu.end(), [](double mu) { return mu == 0; });
    const auto check = [&](const ImpactSolution& s, bool may_gain) {
      double energy = 0, terms = 1, impulses = 1;
      for (std::size_t i = 0; i < q.c.size(); ++i) {
        energy += 0.5 * s.impulse[i] * (q.c[i] + s.velocity[i]);
        terms += std::abs(s.impulse[i] * q.c[i]);
        impulses = std::max(impulses, std::abs(s.impulse[i]));
      }
      CHECK(energy == Approx(s.energy_change).margin(1e-10 * terms));
      if (!may_gain) CHECK(energy <= 1e-10 * terms);
      for (std::size_t i = 0; i < taken.size(); ++i) {
        CHECK(s.impulse[2 * i] >= -1e-10 * impulses);
        CHECK(std::abs(s.impulse[2 * i + 1]) <= q.mu[i] * s.impulse[2 * i] + 1e-10 * impulses);
      }
    };
    int number = 0;
    for (const ImpactLawEntry& law : impact_laws()) {
      INFO("problem " << repeat << ", " << q.contacts << " contacts, " << law.name << ", e = " << q.e[0]);
      const bool whittaker = law.name == "whittaker",
                 may_gain = whittaker || (law.name == "newton" && !smooth && q.e[0] > 0);
      const ImpactSolution s = law.solve(q);
      solved[number++] += s.solved;
      if (s.solved) {
        check(s, may_gain);
        for (std::size_t i = 0; i < taken.size(); ++i) {
          CHECK(s.velocity[2 * i] >= -1e-9);
          if (law.name != "newton") continue;
          const double xi = s.velocity[2 * i] + q.e[i] * q.c[2 * i];
          CHECK(xi >= -1e-9);
          CHECK(std::min(xi, s.impulse[2 * i]) <= 1e-9);
          const double v = s.velocity[2 * i + 1], T = s.impulse[2 * i + 1];
          if (std::abs(v) > 1e-8) CHECK(T == Approx(-std::copysign(q.mu[i] * s.impulse[2 * i], v)).margin(1e-9));
        }
      }
      if (whittaker || q.contacts > 3) continue;
      const ImpactSolution sequence = sequential_impact(q, law, fastest_first(1e-14), 200);
      sequences += sequence.solved;
      if (sequence.solved) check(sequence, may_gain);
    }
  }
  CHECK(solved[0] > 3000);
  CHECK(solved[2] > 3000);
  CHECK(sequences > 1000);
}

// tests/laws/contact_problems.cpp
//
// Thousands of random planar contact problems: one to eight contacts between up to five bodies and the ground, random
// masses, bilateral constraints held, sliding or not, some contacts redundant (collinear points of one body). What is
// chosen must satisfy the laws - forces and gaps not negative, complementarity, Coulomb's cone, friction against the
// sliding - to 1e-10 of the terms; enumeration and Lemke's method must agree wherever the combination is unique. At
// impacts: the same on impulses; a law must answer where an answer is proven to exist (and Newton's may give none only
// where no combination of open, stick and slip is one), and must not gain energy where that is proven (docs/theory.md,
// section 6): Stronge's never, Poisson's not with one coefficient of restitution or one contact at a time, Newton's in
// Moreau's form not without friction, without restitution, or with the same restitution in all directions. Elsewhere
// its energy must be that of the identity that says why.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

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
  int found = 0, none = 0, unique = 0, several = 0, sliding_split = 0, split = 0, large = 0;
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
    // What holds with mu_kinetic holds with mu_static.
    math::CoulombAnswer lemke = other.by_lcp(p, true);
    if (!lemke.found) lemke = other.by_lcp(p);
    if (lemke.found) check_laws(p, other);
    if (answer.combinations > math::CoulombSolver::many) continue;  // counting is what takes time
    const math::CoulombAnswer counted = one.enumerate(p, true);
    REQUIRE(counted.found);
    // On a boundary further combinations hold that are not counted.
    if (counted.consistent > 1 || counted.weak) {
      ++several;
      continue;
    }
    // Of redundant contacts that slide with unequal friction the split of forces moves the bodies: one combination, but
    // no unique motion; two that satisfy the laws differ. (What slides already need not let Lemke's path arrive.)
    bool slides = false, same = lemke.found;
    for (int i = 0; i < p.count(); ++i) slides |= one.hold()[static_cast<std::size_t>(i)] >= Hold::slip_plus;
    for (std::size_t i = 0; i < p.c.size(); ++i) same &= std::abs(other.rate()[i] - one.rate()[i]) <= 1e-8;
    if (counted.split && slides && !same) {
      check_laws(p, one);
      ++sliding_split;
      continue;
    }
    ++unique;
    REQUIRE(lemke.found);
    for (std::size_t i = 0; i < p.c.size(); ++i) {
      CHECK(other.rate()[i] == Approx(one.rate()[i]).margin(1e-8));
      if (!counted.split) CHECK(other.force()[i] == Approx(one.force()[i]).margin(1e-8));
    }
  }
  INFO(found << " found, " << none << " none, " << unique << " unique, " << several << " several, " << sliding_split
             << " slide one way or another, " << split << " redundant, " << large << " large");
  CHECK(found > 3500);
  CHECK(unique > 3500);
  CHECK(several < unique / 10);
  CHECK(sliding_split < 20);
  CHECK(split > 100);
  CHECK(large > 1000);
}

TEST_CASE("where nothing slides yet Lemke's method ends at an answer, however redundant and rough the contacts") {
  // No secondary ray with a covering vector inside the dual of the friction cones (coulomb_lcp.cpp); with round-off
  // too: one path, no enumeration.
  Random random(20261126);
  math::CoulombSolver solver(8);
  std::vector<double> w;
  for (int repeat = 0; repeat < 3000; ++repeat) {
    const int k = 4 + random.below(5), freedom = 2 + random.below(2 * k);
    INFO("problem " << repeat << ", " << k << " contacts, " << freedom << " freedoms");
    math::CoulombProblem p;
    p.resize(k);
    w.resize(static_cast<std::size_t>((2 * k + 1) * freedom));
    for (double& x : w) x = random.uniform(-1, 1);
    const auto row = [&](int i) { return w.data() + i * freedom; };
    for (int i = 0; i < 2 * k; ++i) {
      const auto u = static_cast<std::size_t>(i);
      p.c[u] = dot(row(i), row(2 * k), freedom);
      for (int j = 0; j < freedom; ++j) p.scale[u] += std::abs(row(i)[j] * row(2 * k)[j]);
      for (int j = 0; j < 2 * k; ++j) p.G[static_cast<std::size_t>(2 * k * i + j)] = dot(row(i), row(j), freedom);
    }
    p.force_scale = 1;
    const double most = repeat % 3 == 0 ? 3.0 : 0.8;
    for (CoulombElement& e : p.element) {
      e.tangent = CoulombElement::Tangent::undecided;
      e.mu_kinetic = random.uniform(0, most);
      e.mu_static = e.mu_kinetic + (repeat % 2 ? random.uniform(0, 0.3) : 0.0);
    }
    const math::CoulombAnswer lemke = solver.by_lcp(p, true);
    REQUIRE(lemke.found);
    CHECK(lemke.residual <= 1e-10);
    check_laws(p, solver);
    const math::CoulombAnswer answer = solver.solve(p, false);
    REQUIRE(answer.found);
    CHECK(answer.residual <= 1e-10);
    check_laws(p, solver);
  }
}

TEST_CASE("contacts with one tangential direction as one frictional element: the motion is that of each with its own") {
  Random random(20261125);
  math::CoulombSolver one(8), other(9), third(9);
  int compared = 0;
  for (int repeat = 0; repeat < 600; ++repeat) {
    // Two points of one face, tangential rows equal; pushed mostly inwards.
    Scene scene = random_scene(random);
    if (scene.contacts < 2) continue;
    const auto n = static_cast<std::size_t>(scene.n());
    for (std::size_t j = 0; j < n; ++j) {
      scene.rows[3 * n + j] = scene.rows[n + j];
      scene.rows[2 * n + j] =
          scene.rows[j] + (j % 3 == 2 ? 0.4 * (scene.rows[j - 2] != 0 || scene.rows[j - 1] != 0) : 0);
    }
    math::CoulombProblem p = coulomb_problem(scene, random);
    for (CoulombElement& e : p.element) {
      e.tangent = CoulombElement::Tangent::undecided;
      e.mu_static = e.mu_kinetic;
    }
    p.element[1].mu_static = p.element[1].mu_kinetic = p.element[0].mu_kinetic;
    const int k = p.count(), wide = 2 * k + 2;
    math::CoulombProblem q;
    q.resize(k + 1);
    q.force_scale = p.force_scale;
    const auto place = [&](int row) { return row == 1 ? 2 * k + 1 : row; };  // the common friction is that of contact 0
    for (int r = 0; r < 2 * k; ++r) {
      if (r == 3) continue;
      const auto to = static_cast<std::size_t>(place(r));
      q.c[to] = p.c[static_cast<std::size_t>(r)];
      q.scale[to] = p.scale[static_cast<std::size_t>(r)];
      for (int c = 0; c < 2 * k; ++c)
        if (c != 3)
          q.G[to * static_cast<std::size_t>(wide) + static_cast<std::size_t>(place(c))] =
              p.G[static_cast<std::size_t>(r * 2 * k + c)];
    }
    for (int i = 0; i < k; ++i) q.element[static_cast<std::size_t>(i)] = p.element[static_cast<std::size_t>(i)];
    CoulombElement& common = q.element.back();
    common = p.element[0];
    common.normal = CoulombElement::Normal::sum;
    q.element[0].tangent = q.element[1].tangent = CoulombElement::Tangent::none;
    q.normal_by[static_cast<std::size_t>(k * wide)] = q.normal_by[static_cast<std::size_t>(k * wide + 2)] = 1;
    INFO("problem " << repeat << ", contacts " << k);
    const auto own = one.solve(p, false), joined = other.solve(q, false), lemke = third.by_lcp(q);
    REQUIRE(joined.found);
    CHECK(joined.residual <= 1e-10);
    if (!own.found || own.weak || joined.weak || own.split || joined.split) continue;
    ++compared;
    for (int r = 0; r < 2 * k; ++r) {
      if (r == 3) continue;
      CHECK(other.rate()[static_cast<std::size_t>(place(r))] ==
            Approx(one.rate()[static_cast<std::size_t>(r)]).margin(1e-8));
      if (lemke.found && !lemke.weak && !lemke.split)
        CHECK(third.rate()[static_cast<std::size_t>(place(r))] ==
              Approx(one.rate()[static_cast<std::size_t>(r)]).margin(1e-8));
    }
  }
  CHECK(compared > 50);
}

namespace {

/// Contacts of a scene that do not leave, with restitution and friction of their own.
ImpactProblem impact_problem(const Scene& scene, Random& random) {
  ImpactProblem all, p;
  all.contacts = scene.contacts;
  reduce(scene, scene.velocity, all.G, all.c);
  const bool one_e = random.below(2) == 0, rough = random.below(3) > 0, plastic = random.below(4) == 0;
  const double e = random.below(6) == 0 ? 1.0 : random.uniform(0, 1), most_mu = random.below(2) ? 1.0 : 5.0;
  std::vector<int> taken;
  for (int i = 0; i < all.contacts; ++i)
    if (all.c[static_cast<std::size_t>(2 * i)] <= 0) taken.push_back(i);
  p.contacts = static_cast<int>(taken.size());
  for (const int i : taken) {
    for (const int r : {0, 1}) {
      for (const int j : taken)
        for (const int s : {0, 1}) p.G.push_back(all.g(2 * i + r, 2 * j + s));
      p.c.push_back(all.c[static_cast<std::size_t>(2 * i + r)]);
    }
    p.e.push_back(plastic ? 0.0 : one_e ? e : random.uniform(0, 1));
    p.mu.push_back(rough ? random.uniform(0, most_mu) : 0.0);
  }
  return p;
}

bool one_number(const std::vector<double>& e) {
  return std::all_of(e.begin(), e.end(), [&](double x) { return x == e.front(); });
}
bool zero(const std::vector<double>& e) {
  return std::all_of(e.begin(), e.end(), [](double x) { return x == 0; });
}

/// What is proven for a law (docs/theory.md, section 6); a sequence is one contact after the other.
struct Proven {
  bool solvable = false, no_gain = false;
};
Proven proven(std::string_view law, const ImpactProblem& p, bool sequence) {
  const bool smooth = zero(p.mu), plastic = zero(p.e), alone = p.contacts == 1;
  const bool moreau = one_number(p.e) && p.e_t == p.e;
  if (law == "newton")
    return {!sequence && (plastic || (smooth && one_number(p.e)) || moreau), smooth || plastic || moreau};
  if (law == "poisson") return {!sequence, smooth || sequence || alone || one_number(p.e)};
  if (law == "stronge") return {alone, true};
  return {};  // Whittaker's
}

struct Energy {
  double change = 0, terms = 0;
};
Energy check_impulses(const ImpactProblem& p, const ImpactSolution& s) {
  Energy energy;
  double impulses = 1;
  energy.terms = 1;
  for (std::size_t i = 0; i < p.c.size(); ++i) {
    energy.change += 0.5 * s.impulse[i] * (p.c[i] + s.velocity[i]);
    energy.terms += std::abs(s.impulse[i] * p.c[i]);
    impulses = std::max(impulses, std::abs(s.impulse[i]));
  }
  CHECK(energy.change == Approx(s.energy_change).margin(1e-10 * energy.terms));
  for (std::size_t i = 0; i < p.mu.size(); ++i) {
    CHECK(s.impulse[2 * i] >= -1e-10 * impulses);
    CHECK(std::abs(s.impulse[2 * i + 1]) <= p.mu[i] * s.impulse[2 * i] + 1e-10 * impulses);
  }
  return energy;
}

/// Newton's law in Moreau's form, from impulses and velocities alone, and the energy that follows from it: Lambda_T
/// xi_T / (1 + e_t) summed, less 1/2 Lambda^T D G Lambda.
void check_newton(const ImpactProblem& p, const ImpactSolution& s, const Energy& energy) {
  double change = 0, terms = energy.terms;
  for (std::size_t i = 0; i < p.mu.size(); ++i) {
    const double e_t = p.e_t.empty() ? 0.0 : p.e_t[i];
    const double xi_n = s.velocity[2 * i] + p.e[i] * p.c[2 * i], xi_t = s.velocity[2 * i + 1] + e_t * p.c[2 * i + 1];
    const double N = s.impulse[2 * i], T = s.impulse[2 * i + 1], size = 1 + N;
    CHECK(xi_n >= -1e-9 * size);
    CHECK(std::min(xi_n, N) <= 1e-9 * size);
    if (std::abs(xi_t) > 1e-8 * size) CHECK(T == Approx(-std::copysign(p.mu[i] * N, xi_t)).margin(1e-9 * size));
    change += T * xi_t / (1 + e_t);
    for (std::size_t r = 0; r < 2; ++r) {
      const double e = r == 0 ? p.e[i] : e_t;
      double jump = 0;
      for (std::size_t j = 0; j < p.c.size(); ++j) jump += p.G[(2 * i + r) * p.c.size() + j] * s.impulse[j];
      const double part = 0.5 * (1 - e) / (1 + e) * s.impulse[2 * i + r] * jump;
      change -= part;
      terms += std::abs(part);
    }
  }
  CHECK(energy.change == Approx(change).margin(1e-9 * terms));
}

/// All combinations of open, stick and slip, tried one by one: is there an answer under Newton's law?
bool newton_has_answer(const ImpactProblem& p) {
  math::CoulombProblem c;
  c.resize(p.contacts);
  c.G = p.G;
  for (std::size_t i = 0; i < p.mu.size(); ++i) {
    c.c[2 * i] = (1 + p.e[i]) * p.c[2 * i];
    c.c[2 * i + 1] = (1 + (p.e_t.empty() ? 0.0 : p.e_t[i])) * p.c[2 * i + 1];
    c.element[i].tangent = CoulombElement::Tangent::undecided;
    c.element[i].mu_static = c.element[i].mu_kinetic = p.mu[i];
  }
  for (std::size_t i = 0; i < c.c.size(); ++i) c.scale[i] = std::abs(c.c[i]) + 1;
  math::CoulombSolver solver(p.contacts);
  return solver.enumerate(c, false).found;
}

}  // namespace

TEST_CASE("impacts of one to eight contacts: cone, complementarity, solved where that is proven, energy as proven") {
  Random random(20261124);
  struct Count {
    int problems = 0, solved = 0, no_gain = 0, gains = 0;
  };
  std::map<std::string, Count> counts;
  for (int repeat = 0; repeat < 6000; ++repeat) {
    Scene scene = random_scene(random);
    if (repeat % 4 == 0) scene.contacts = std::min(scene.contacts, 2);
    ImpactProblem p = impact_problem(scene, random);
    if (p.contacts == 0) continue;
    for (const ImpactLawEntry& law : impact_laws())
      for (const std::string way : {"together", "sequence", "tangential restitution"}) {
        const bool sequence = way == "sequence", tangential = way == "tangential restitution";
        if (sequence && p.contacts == 1) continue;
        if (tangential && law.name != "newton") continue;
        if (tangential) p.e_t = p.e;
        if (tangential && repeat % 3 == 0)
          for (double& e : p.e_t) e = random.uniform(0, 1);
        INFO("problem " << repeat << ", " << p.contacts << " contacts, " << law.name << " " << way);
        const Proven sure = proven(law.name, p, sequence);
        const ImpactSolution s = sequence ? sequential_impact(p, law, fastest_first(1e-14), 200) : law.solve(p);
        Count& count = counts[std::string(law.name) + " " + way];
        ++count.problems;
        if (sure.solvable) CHECK(s.solved);
        if (!s.solved) {
          CHECK(!s.why.empty());
          if (law.name == "newton" && !sequence) CHECK(!newton_has_answer(p));
        } else {
          ++count.solved;
          const Energy energy = check_impulses(p, s);
          count.no_gain += sure.no_gain;
          count.gains += energy.change > 1e-10 * energy.terms;
          if (sure.no_gain) CHECK(energy.change <= 1e-10 * energy.terms);
          if (law.name == "newton" && !sequence) check_newton(p, s, energy);
          if (!(law.name == "whittaker" && !sequence))
            for (std::size_t i = 0; i < p.mu.size(); ++i) CHECK(s.velocity[2 * i] >= -1e-9 * (1 + s.impulse[2 * i]));
        }
        p.e_t.clear();
      }
  }
  for (const auto& [name, count] : counts) {
    INFO(name << ": " << count.problems << " problems, " << count.solved << " solved, " << count.no_gain
              << " proven without gain, " << count.gains << " gain");
    CHECK(count.problems > 3000);
  }
  // What is not proven does happen: these laws gain, and a run reports it (tests/simulate/outcomes.cpp).
  CHECK(counts["newton together"].gains > 50);
  CHECK(counts["whittaker together"].gains > 50);
  CHECK(counts["poisson sequence"].gains + counts["stronge together"].gains + counts["stronge sequence"].gains == 0);
  CHECK(counts["newton together"].solved > 4500);
  CHECK(counts["poisson together"].solved == counts["poisson together"].problems);
}

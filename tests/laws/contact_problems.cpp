// tests/laws/contact_problems.cpp
//
// Thousands of random planar contact problems (plane_scenes.hpp), sliding or not. What is chosen must satisfy the laws
// - forces and gaps not negative, complementarity, Coulomb's cone, friction against the sliding - to 1e-10 of the
// terms; exchanges, enumeration and pivoting must agree wherever the combination is unique.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "contact/enumeration.hpp"
#include "contact/share.hpp"
#include "plane_scenes.hpp"
#include "support/plane_rows.hpp"

using namespace hstar;
using namespace scenes;
using hstar::contact::Hold;
using hstar::contact::Press;
using hstar::contact::Unit;

namespace {

contact::Problem with_contacts(int contacts, std::vector<double> G, std::vector<double> c) {
  contact::Problem p;
  support::set_plane_rows(p, contacts);
  p.G = std::move(G);
  p.c = std::move(c);
  return p;
}

contact::Problem contact_problem(const Scene& s, Random& random) {
  std::vector<double> a(static_cast<std::size_t>(s.n())), G, c;
  for (int i = 0; i < s.n(); ++i)
    a[static_cast<std::size_t>(i)] = dot(s.inverse.data() + i * s.n(), s.load.data(), s.n());
  reduce(s, a, G, c);
  contact::Problem p = with_contacts(s.contacts, G, c);
  p.force_scale = 10;
  for (std::size_t i = 0; i < p.c.size(); ++i) p.scale[i] = std::abs(p.c[i]) + 1;
  const bool same = random.below(2) == 0;
  for (Unit& u : p.unit) {
    const int kind = random.below(4);
    u.slides = kind == 1;
    u.direction = {random.below(2) ? 1.0 : -1.0, 0, 0};
    u.mu_kinetic = random.uniform(0, 0.5);
    u.mu_static = u.mu_kinetic + (same ? 0.0 : random.uniform(0, 0.3));
    if (kind == 0) u.mu_static = u.mu_kinetic = 0;
  }
  return p;
}

/// The laws, from the forces alone: a = c + G f is computed here. `limit`: of a unit that does not slide.
void check_laws(const contact::Problem& p, const double* f, double Unit::*limit, double near = 1e-10) {
  const int n = p.rows();
  double forces = p.force_scale;
  for (int i = 0; i < n; ++i) forces = std::max(forces, std::abs(f[i]));
  for (std::size_t k = 0; k < p.contact.size(); ++k) {
    const Unit& u = p.unit[k];
    double a[2];
    for (std::size_t r = 0; r < 2; ++r) {
      double sum = p.c[2 * k + r], size = p.scale[2 * k + r];
      for (int j = 0; j < n; ++j) {
        const double term = p.g(static_cast<int>(2 * k + r), j) * f[j];
        sum += term;
        size += std::abs(term);
      }
      a[r] = sum / size;
    }
    const double N = f[2 * k] / forces, T = f[2 * k + 1] / forces;
    CHECK(N >= -near);
    CHECK(a[0] >= -near);
    CHECK(std::min(N, a[0]) <= near);
    if (u.slides) {
      CHECK(std::abs(T + u.direction[0] * u.mu_kinetic * N) <= near);
      continue;
    }
    CHECK(std::abs(T) <= u.*limit * N + near);
    if (std::abs(a[1]) <= 10 * near) continue;
    // (What moves has exceeded mu_static; where that is looked at alone it is the limit.)
    const double mu = limit == &Unit::mu_static ? u.mu_kinetic : u.*limit;
    CHECK(std::abs(T + std::copysign(mu * N, a[1])) <= near);
  }
}

}  // namespace

TEST_CASE("contact and friction: the laws hold, and all ways to an answer agree where it is unique") {
  Random random(20261123);
  contact::Solver one(16), other(16);
  contact::Planar pivoting;
  int found = 0, none = 0, unique = 0, several = 0, redundant = 0, large = 0, pivoted = 0;
  for (int repeat = 0; repeat < 4000; ++repeat) {
    const Scene scene = random_scene(random);
    contact::Problem p = contact_problem(scene, random);
    INFO("problem " << repeat << ", contacts " << scene.contacts);
    const contact::Answer answer = one.solve(p);
    none += !answer.found;
    if (!answer.found) continue;
    ++found;
    redundant += answer.redundant;
    large += scene.contacts >= 5;
    check_laws(p, one.force().data(), &Unit::mu_static);
    CHECK(answer.residual <= 1e-10);
    // (With mu_static > mu_kinetic what sticks could slip as well; counting is what takes time.)
    const bool same = std::all_of(p.unit.begin(), p.unit.end(),
                                  [](const Unit& u) { return u.slides || u.mu_static == u.mu_kinetic; });
    if (!same || answer.ties > 0 || contact::combinations(p) > 256) continue;
    const std::vector<contact::Status> all = contact::list(p, other.exchange());
    // (What touches, or creeps, is on a boundary of its law, and not listed.)
    bool boundary = false;
    for (std::size_t i = 0; i < p.contact.size(); ++i)
      boundary |= one.status().contact[i] == Press::touching || one.status().unit[i].hold == Hold::creeping;
    if (all.empty()) CHECK(boundary);
    if (all.size() != 1) {
      several += all.size() > 1;
      continue;
    }
    ++unique;
    for (std::size_t i = 0; i < p.contact.size(); ++i) {
      const Hold mine = one.status().unit[i].hold, listed = all[0].unit[i].hold;
      if (one.status().contact[i] == Press::touching || mine == Hold::creeping) continue;
      CHECK(one.status().contact[i] == all[0].contact[i]);
      if (all[0].contact[i] == Press::loaded) CHECK(mine == listed);
    }
    // Of redundant contacts pivoting finds a corner of the forces that there are.
    std::vector<double> mu, f(p.c.size());
    for (const Unit& u : p.unit) mu.push_back(u.mu_kinetic);
    if (answer.redundant || !pivoting.find(p, mu.data(), 0, f.data())) continue;
    ++pivoted;
    for (std::size_t i = 0; i < p.c.size(); ++i) CHECK(f[i] == Approx(one.force()[i]).margin(1e-8));
  }
  INFO(found << " found, " << none << " none, " << unique << " unique, " << several << " several, " << redundant
             << " redundant, " << large << " large, " << pivoted << " pivoted");
  CHECK(found > 3500);
  CHECK(unique > 1000);
  CHECK(several < unique / 10);
  CHECK(redundant > 100);
  CHECK(large > 1000);
  CHECK(pivoted > 500);
}

TEST_CASE("where nothing slides yet pivoting ends at an answer, however redundant and rough the contacts") {
  // No secondary ray with a covering vector inside the dual of the friction cones (contact/planar.hpp); with round-off
  // too.
  Random random(20261126);
  contact::Solver solver(16);
  contact::Planar pivoting;
  std::vector<double> w, f;
  for (int repeat = 0; repeat < 3000; ++repeat) {
    const int k = 4 + random.below(5), freedom = 2 + random.below(2 * k), n = 2 * k;
    INFO("problem " << repeat << ", " << k << " contacts, " << freedom << " freedoms");
    w.resize(static_cast<std::size_t>((n + 1) * freedom));
    for (double& x : w) x = random.uniform(-1, 1);
    const auto row = [&](int i) { return w.data() + i * freedom; };
    std::vector<double> G, c;
    for (int i = 0; i < n; ++i) {
      c.push_back(dot(row(i), row(n), freedom));
      for (int j = 0; j < n; ++j) G.push_back(dot(row(i), row(j), freedom));
    }
    contact::Problem p = with_contacts(k, G, c);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < freedom; ++j) p.scale[static_cast<std::size_t>(i)] += std::abs(row(i)[j] * row(n)[j]);
    p.force_scale = 1;
    const double most = repeat % 3 == 0 ? 3.0 : 0.8;
    std::vector<double> mu;
    for (Unit& u : p.unit) {
      u.mu_kinetic = random.uniform(0, most);
      u.mu_static = u.mu_kinetic + (repeat % 2 ? random.uniform(0, 0.3) : 0.0);
      mu.push_back(u.mu_kinetic);
    }
    f.assign(p.c.size(), 0.0);
    REQUIRE(pivoting.find(p, mu.data(), 0, f.data()));
    check_laws(p, f.data(), &Unit::mu_kinetic);
    const contact::Answer answer = solver.solve(p);
    REQUIRE(answer.found);
    CHECK(answer.residual <= 1e-9);
    check_laws(p, solver.force().data(), &Unit::mu_static, answer.exact ? 1e-10 : 1e-8);
  }
}

TEST_CASE("contacts with one tangential direction as one frictional element: the motion is that of each with its own") {
  Random random(20261125);
  contact::Solver one(16), other(16);
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
    contact::Problem p = contact_problem(scene, random);
    for (Unit& u : p.unit) {
      u.slides = false;
      u.mu_static = u.mu_kinetic;
    }
    p.unit[1].mu_static = p.unit[1].mu_kinetic = p.unit[0].mu_kinetic;
    // The same with one row less: the common friction has N = N_0 + N_1.
    const int k = scene.contacts, rows = 2 * k - 1;
    const auto old = [](int row) { return row < 3 ? row : row + 1; };
    contact::Problem q;
    q.resize(k, k - 1, rows, 2, 2);
    q.force_scale = p.force_scale;
    for (int r = 0; r < rows; ++r) {
      const auto to = static_cast<std::size_t>(r), from = static_cast<std::size_t>(old(r));
      q.c[to] = p.c[from];
      q.scale[to] = p.scale[from];
      for (int c = 0; c < rows; ++c) q.G[static_cast<std::size_t>(r * rows + c)] = p.g(old(r), old(c));
    }
    for (int i = 0, row = 0; i < k; row += i++ == 1 ? 1 : 2) q.contact[static_cast<std::size_t>(i)].row = row;
    for (int j = 0; j < k - 1; ++j) {
      Unit& u = q.unit[static_cast<std::size_t>(j)];
      u = p.unit[static_cast<std::size_t>(j == 0 ? 0 : j + 1)];
      u.row = j == 0 ? 1 : q.contact[static_cast<std::size_t>(j + 1)].row + 1;
    }
    q.unit[0].normal = Unit::Normal::parts;
    q.unit[0].parts = 2;
    for (std::size_t part : {0, 1}) {
      q.part[part].row = static_cast<int>(part);
      q.reaction[part * static_cast<std::size_t>(rows) + 2 * part] = 1;
    }
    INFO("problem " << repeat << ", contacts " << k);
    const contact::Answer own = one.solve(p), joined = other.solve(q);
    REQUIRE(joined.found);
    CHECK(joined.residual <= 1e-9);
    if (!own.found || own.ties > 0 || joined.ties > 0) continue;
    ++compared;
    for (int r = 0; r < rows; ++r)
      CHECK(other.rate()[static_cast<std::size_t>(r)] ==
            Approx(one.rate()[static_cast<std::size_t>(old(r))]).margin(1e-8));
  }
  CHECK(compared > 50);
}

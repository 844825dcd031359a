// tests/math/saddle_islands.cpp
//
// Islands do not touch each other: the saddle-point system of many islands together has the answer of each island by
// itself (few rows: the dense kernels), with redundant rows, massless coordinates and prescribed bodies among
// them; and it satisfies M a = f + G^T lambda, G a = rhs, whatever order the rows come in.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <random>

#include "math/saddle.hpp"

using namespace hstar::math;

namespace {

/// Rows with the memory they point to.
struct Rows {
  std::deque<std::array<std::array<double, most_columns>, 2>> J;
  std::vector<SaddleRow> rows;
  void add(int a, int b, std::mt19937& random, double scale = 1.0) {
    std::uniform_real_distribution<double> u(-1, 1);
    auto& j = J.emplace_back();
    for (auto& block : j)
      for (double& x : block) x = scale * u(random);
    rows.push_back({{a, b}, reinterpret_cast<const double(*)[most_columns]>(j.data())});
  }
  /// A row that says twice what row `i` says.
  void repeat(std::size_t i) {
    auto j = J[i];
    for (auto& block : j)
      for (double& x : block) x *= 2;
    J.push_back(j);
    rows.push_back({rows[i].body, reinterpret_cast<const double(*)[most_columns]>(J.back().data())});
  }
};

struct Answer {
  std::vector<double> a, lambda;
  int redundant;
};

Answer solved(const std::vector<double>& mass, const std::vector<SaddleRow>& rows, const std::vector<double>& f,
              const std::vector<double>& rhs) {
  const int m = static_cast<int>(rows.size());
  SaddleSolver solver(mass, m);
  Answer x{std::vector<double>(mass.size()), std::vector<double>(rows.size()), 0};
  x.redundant = solver.find_redundant(rows.data(), m);
  REQUIRE(solver.factor(rows.data(), m));
  CHECK(solver.independence() > 0);
  solver.solve(f.data(), rhs.data(), x.a.data(), x.lambda.data());
  return x;
}

}  // namespace

TEST_CASE("many islands together give the answer of each by itself") {
  const bool redundant = GENERATE(false, true), massless = GENERATE(false, true);
  const int size = GENERATE(1, 3, 15);  // bodies of one island; 15: more rows than the dense kernels take
  INFO("redundant " << redundant << ", massless " << massless << ", bodies " << size);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> u(-1, 1);
  constexpr int islands = 12;
  // Ground, a body without freedom of its own, then the islands' bodies, taken in turn from each island.
  std::vector<double> mass(6, -1.0);
  const auto body = [&](int island, int k) { return 2 + k * islands + island; };
  for (int k = 0; k < size; ++k)
    for (int i = 0; i < islands; ++i) {
      const double m = 1.5 + u(random);
      // A point mass without angle, or an angle without inertia that the rows hold.
      const double inertia = k % 3 == 2 ? -1.0 : massless && k == 0 && !redundant ? 0.0 : 0.3 + 0.1 * u(random);
      mass.insert(mass.end(), {m, m, inertia});
    }
  std::deque<Rows> own(islands);  // rows point into it: nothing may move
  for (int i = 0; i < islands; ++i) {
    own[static_cast<std::size_t>(i)].add(i % 2, body(i, 0), random);
    if (massless) own[static_cast<std::size_t>(i)].add(0, body(i, 0), random);
    for (int k = 1; k < size; ++k)
      for (int r = 0; r < 2; ++r) own[static_cast<std::size_t>(i)].add(body(i, k - 1), body(i, k), random);
    if (redundant && i % 4 == 1) own[static_cast<std::size_t>(i)].repeat(0);
  }
  std::vector<double> f(mass.size()), rhs;
  for (double& x : f) x = u(random);
  // All rows, first of each island, second of each, ...
  std::vector<SaddleRow> all;
  std::vector<std::vector<std::size_t>> place(islands);
  for (std::size_t r = 0; all.size() < 10000; ++r) {
    bool any = false;
    for (std::size_t i = 0; i < islands; ++i)
      if (r < own[i].rows.size()) {
        place[i].push_back(all.size());
        all.push_back(own[i].rows[r]);
        rhs.push_back(u(random));
        any = true;
      }
    if (!any) break;
  }
  // A repeated row must not contradict the first.
  for (std::size_t i = 0; redundant && i < islands; ++i)
    if (i % 4 == 1) rhs[place[i].back()] = 2 * rhs[place[i].front()];
  while (all.size() <= 24) {  // enough rows to be taken island by island: those of free point masses
    mass.insert(mass.end(), {1.0, 1.0, -1.0});
    f.insert(f.end(), {u(random), u(random), 0.0});
    own.emplace_back().add(0, static_cast<int>(mass.size() / 3) - 1, random);
    place.push_back({all.size()});
    all.push_back(own.back().rows[0]);
    rhs.push_back(u(random));
  }

  const Answer together = solved(mass, all, f, rhs);
  CHECK(together.redundant == (redundant ? 3 : 0));
  std::vector<double> balance = f;
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::vector<double> own_rhs;
    for (const std::size_t p : place[i]) own_rhs.push_back(rhs[p]);
    // By itself: the other islands' bodies are there and move freely, or are taken out where they have no mass.
    std::vector<double> own_mass = mass;
    for (std::size_t b = 0; b < mass.size() / 3; ++b) {
      bool used = false;
      for (const SaddleRow& r : own[i].rows)
        used |= r.body[0] == static_cast<int>(b) || r.body[1] == static_cast<int>(b);
      if (!used) own_mass[3 * b] = own_mass[3 * b + 1] = own_mass[3 * b + 2] = -1;
    }
    const Answer alone = solved(own_mass, own[i].rows, f, own_rhs);
    for (std::size_t k = 0; k < place[i].size(); ++k)
      CHECK(together.lambda[place[i][k]] == Approx(alone.lambda[k]).epsilon(1e-8).margin(1e-9));
    for (std::size_t j = 0; j < mass.size(); ++j)
      if (own_mass[j] >= 0) CHECK(together.a[j] == Approx(alone.a[j]).epsilon(1e-8).margin(1e-9));
  }
  for (std::size_t r = 0; r < all.size(); ++r) {
    double rate = 0, size_of_terms = 1e-300;
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t j = 3 * static_cast<std::size_t>(all[r].body[b]) + c;
        balance[j] += all[r].J[b][c] * together.lambda[r];
        if (mass[j] < 0) continue;
        rate += all[r].J[b][c] * together.a[j];
        size_of_terms += std::abs(all[r].J[b][c] * together.a[j]);
      }
    CHECK(std::abs(rate - rhs[r]) < 1e-9 * (1 + size_of_terms));
  }
  for (std::size_t j = 0; j < mass.size(); ++j)
    if (mass[j] >= 0) CHECK(mass[j] * together.a[j] == Approx(balance[j]).epsilon(1e-9).margin(1e-9));
}

TEST_CASE("a massless coordinate that no row holds makes many islands singular too") {
  std::mt19937 random(3);
  std::vector<double> mass(3, -1.0);
  Rows rows;
  for (int b = 1; b <= 30; ++b) {
    mass.insert(mass.end(), {1.0, 1.0, 1.0});
    rows.add(0, b, random);
  }
  SaddleSolver held(mass, 30);
  CHECK(held.factor(rows.rows.data(), 30));
  mass.insert(mass.end(), {1.0, 1.0, 0.0});
  SaddleSolver loose(mass, 30);
  CHECK_FALSE(loose.factor(rows.rows.data(), 30));
}

// tests/math/sparse_rank.cpp
//
// Rows that depend on rows before them are found among many as Gram-Schmidt with re-orthogonalisation finds them, one
// row after the other: planted combinations of several rows, whole chains held twice, rows that differ from a
// combination by 1e-6 (independent) or by 1e-11 (dependent), and rows judged by a looser bound. Multipliers
// of dependent rows among many are those of least norm. A row is not left out whose part in the combination is next to
// nothing: what is kept would be nearly dependent (boxes on one another, whose corners all but lie in one place).
#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <random>

#include "math/saddle.hpp"
#include "math/sparse_rank.hpp"

using namespace hstar::math;

namespace {

struct Problem {
  std::deque<std::array<std::array<double, most_columns>, 2>> J;
  std::vector<SaddleRow> rows;
  std::vector<double> inverse;
  void add(int a, int b, const std::array<std::array<double, most_columns>, 2>& j) {
    J.push_back(j);
    rows.push_back({{a, b}, reinterpret_cast<const double(*)[most_columns]>(J.back().data())});
  }
};

/// A chain of n bodies hung from body 0, which has no freedom: two rows a pin; then `extra` rows between two bodies
/// that are sums of the pins' rows between them, off by `off`.
Problem chain(int n, int extra, double off, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  Problem p;
  p.inverse.assign(3, 0.0);
  for (int i = 0; i < n; ++i) {
    const double w = 1 / (1.5 + u(random));
    p.inverse.insert(p.inverse.end(), {w, w, 10 * w});
  }
  std::vector<std::array<double, 2>> arm(static_cast<std::size_t>(n) + 1);  // same lever at both pins of a body
  for (auto& a : arm) a = {u(random), u(random)};
  for (int i = 0; i < n; ++i) {
    const auto &a = arm[static_cast<std::size_t>(i)], &b = arm[static_cast<std::size_t>(i) + 1];
    p.add(i, i + 1, {{{-1, 0, a[1]}, {1, 0, -b[1]}}});
    p.add(i, i + 1, {{{0, -1, -a[0]}, {0, 1, b[0]}}});
  }
  for (int e = 0; e < extra; ++e) {
    // The sum of the x rows from body `first` to `last`: what is between them cancels.
    const int first = (7 * e) % (n - 6), last = first + 2 + e % 4;
    const double a = arm[static_cast<std::size_t>(first)][1], b = arm[static_cast<std::size_t>(last)][1];
    p.add(first, last, {{{-2, 0, 2 * a}, {2, 0, -2 * b * (1 + off)}}});
  }
  return p;
}

Eigen::MatrixXd weighted(const Problem& p) {
  Eigen::MatrixXd g =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(p.rows.size()), static_cast<Eigen::Index>(p.inverse.size()));
  for (Eigen::Index i = 0; i < g.rows(); ++i)
    for (std::size_t k = 0; k < 2; ++k)
      for (int c = 0; c < 3; ++c) {
        const int j = 3 * p.rows[static_cast<std::size_t>(i)].body[k] + c;
        g(i, j) += p.rows[static_cast<std::size_t>(i)].J[k][c] * std::sqrt(p.inverse[static_cast<std::size_t>(j)]);
      }
  return g;
}

std::vector<char> gram_schmidt(const Eigen::MatrixXd& g, double tolerance, int loose_from, double loose) {
  std::vector<char> dependent;
  std::vector<Eigen::RowVectorXd> basis;
  for (Eigen::Index i = 0; i < g.rows(); ++i) {
    Eigen::RowVectorXd v = g.row(i);
    for (int pass = 0; pass < 3; ++pass)
      for (const auto& b : basis) v -= v.dot(b) * b;
    dependent.push_back(v.norm() <= (i < loose_from ? tolerance : loose) * g.row(i).norm());
    if (!dependent.back()) basis.emplace_back(v / v.norm());
  }
  return dependent;
}

}  // namespace

TEST_CASE("dependent rows among many are those Gram-Schmidt finds") {
  const double off = GENERATE(0.0, 1e-11, 1e-6, 1e-3);
  const int extra = GENERATE(0, 1, 5, 12);
  const bool reversed = GENERATE(false, true);
  Problem p = chain(40, extra, off, 3);
  if (reversed) std::reverse(p.rows.begin(), p.rows.end());
  const int m = static_cast<int>(p.rows.size());
  INFO("off " << off << ", extra " << extra << ", reversed " << reversed);
  for (const auto& [loose_from, loose] : {std::pair{m, 1e-9}, std::pair{m - extra, 1e-2}}) {
    std::vector<char> found(p.rows.size());
    const int count = find_dependent_rows(p.rows.data(), m, p.inverse, 3, 1e-9, loose_from, loose, found.data());
    const auto expected = gram_schmidt(weighted(p), 1e-9, loose_from, loose);
    CHECK(count == std::count(expected.begin(), expected.end(), 1));
    CHECK(found == expected);
  }
}

TEST_CASE("multipliers of dependent rows among many have the least norm") {
  const Problem p = chain(40, 5, 0.0, 5);
  const int m = static_cast<int>(p.rows.size());
  std::vector<double> mass;
  for (const double w : p.inverse) mass.push_back(w > 0 ? 1 / w : -1.0);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<double> f(mass.size()), rhs(p.rows.size(), 0.0), a(mass.size()), lambda(p.rows.size());
  for (double& x : f) x = u(random);
  SaddleSolver solver(mass, m);
  REQUIRE(solver.find_redundant(p.rows.data(), m) == 5);
  REQUIRE(solver.factor(p.rows.data(), m));
  solver.solve(f.data(), rhs.data(), a.data(), lambda.data());
  const Eigen::MatrixXd g = weighted(p);
  Eigen::VectorXd load(g.cols());
  for (Eigen::Index j = 0; j < g.cols(); ++j)
    load[j] = f[static_cast<std::size_t>(j)] * std::sqrt(p.inverse[static_cast<std::size_t>(j)]);
  // G M^-1 G^T lambda = -G M^-1 f: the least of all lambda, by a complete orthogonal decomposition.
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> d;
  d.setThreshold(1e-9);
  d.compute(g.transpose());
  const Eigen::VectorXd least = d.solve(-load);
  const double size = least.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < m; ++i)
    CHECK(lambda[static_cast<std::size_t>(i)] == Approx(least[i]).margin(1e-9 * size));
}

TEST_CASE("the row that is left out is one that the others can stand for") {
  // b = a + 1e-6 c: without c, a and b would have to. Two rows more of the second body, so that c is eliminated first.
  Problem p;
  p.inverse = {0, 0, 0, 1, 1, 1, 1, 1, 1};
  p.add(1, 2, {{{1, 0, 0}, {1, 0, 0}}});     // a
  p.add(1, 2, {{{1, 1e-6, 0}, {1, 0, 0}}});  // b
  p.add(0, 2, {{{0, 0, 0}, {0, 1, 0}}});
  p.add(0, 2, {{{0, 0, 0}, {0, 0, 1}}});
  p.add(0, 1, {{{0, 0, 0}, {0, 1, 0}}});  // c
  std::array<char, 5> found{};
  REQUIRE(find_dependent_rows(p.rows.data(), 5, p.inverse, 3, 1e-7, 5, 1e-7, found.data()) == 1);
  CHECK(found[0] + found[1] == 1);
  CHECK(found[4] == 0);
}

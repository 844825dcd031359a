// tests/math/sparse_elimination.cpp
//
// The elimination of large sparse matrices must find the rank that full pivoting finds and that the matrix was made
// with, keep the pivots of the leading rows whatever comes after them, bound U by its threshold, and solve the pivot
// block, also for other values of the same entries and where entries were zero when the pivots were chosen.
// Truth: Eigen's dense factorisations.
#include "math/sparse_elimination.hpp"

#include <Eigen/Dense>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using hstar::math::SparseElimination;
using hstar::math::SparseRows;

namespace {

constexpr int kColumns = 60;

/// Rows of four entries near the diagonal, the third of each naming the column of the second again; every fifth row is
/// the difference of the two before it.
SparseRows make(unsigned seed, int rows, bool with_zeros) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  std::uniform_int_distribution<int> near(0, 7);
  std::mt19937 shape(7);  // the same columns for all seeds
  SparseRows a;
  for (int i = 0; i < rows; ++i) {
    if (i % 5 == 4) {
      for (const int back : {1, 2}) {
        const auto from = static_cast<std::size_t>(a.first[static_cast<std::size_t>(i - back)]),
                   to = static_cast<std::size_t>(a.first[static_cast<std::size_t>(i - back) + 1]);
        for (std::size_t e = from; e < to; ++e) {
          a.column.push_back(a.column[e]);
          a.value.push_back(back == 1 ? a.value[e] : -a.value[e]);
        }
      }
    } else {
      const int second = (i + near(shape)) % kColumns;
      for (const int j : {i % kColumns, second, second, (i + 3 + near(shape)) % kColumns}) {
        a.column.push_back(j);
        const double value = u(random);
        a.value.push_back(with_zeros && a.column.size() % 6 == 0 ? 0.0 : value);
      }
    }
    a.first.push_back(static_cast<int>(a.column.size()));
  }
  return a;
}

Eigen::MatrixXd dense(const SparseRows& a) {
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(a.rows(), kColumns);
  for (int i = 0; i < a.rows(); ++i)
    for (int e = a.first[static_cast<std::size_t>(i)]; e < a.first[static_cast<std::size_t>(i) + 1]; ++e)
      m(i, a.column[static_cast<std::size_t>(e)]) += a.value[static_cast<std::size_t>(e)];
  return m;
}

Eigen::Index rank_of(const Eigen::MatrixXd& a) {
  Eigen::FullPivLU<Eigen::MatrixXd> lu(a);
  return lu.setThreshold(1e-9).rank();
}

Eigen::MatrixXd pivot_block(const SparseElimination& e, const Eigen::MatrixXd& a, int count) {
  Eigen::MatrixXd block(count, count);
  for (int k = 0; k < count; ++k)
    for (int l = 0; l < count; ++l)
      block(k, l) = a(e.row_order()[static_cast<std::size_t>(k)], e.column_order()[static_cast<std::size_t>(l)]);
  return block;
}

}  // namespace

TEST_CASE("the rank of sparse matrices, and of their leading rows") {
  const std::vector<double> scale(kColumns, 1.0);
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const int rows : {10, 40, 70, 100}) {
      INFO("seed " << seed << ", " << rows << " rows");
      const SparseRows a = make(seed, rows, seed % 2 == 1);
      const Eigen::MatrixXd full = dense(a);
      for (const int leading : {0, rows / 3, rows}) {
        SparseElimination e;
        e.choose(a, scale, leading, 1e-9);
        CHECK(e.rank() == rank_of(full));
        CHECK(e.leading_rank() == (leading == 0 ? 0 : rank_of(full.topRows(leading))));
        for (int k = 0; k < e.leading_rank(); ++k) CHECK(e.row_order()[static_cast<std::size_t>(k)] < leading);
        for (int j = 0; j < kColumns; ++j) CHECK(e.column_order()[static_cast<std::size_t>(e.place(j))] == j);
        if (rows < 70) CHECK(e.rank() < rows);  // every fifth row depends on others
      }
    }
}

TEST_CASE("the pivot block is solved, as it was chosen and with other values") {
  std::vector<double> scale(kColumns);
  for (int j = 0; j < kColumns; ++j) scale[static_cast<std::size_t>(j)] = 1 + 0.5 * (j % 3);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const SparseRows chosen = make(seed, 40, true);
    SparseElimination e;
    e.choose(chosen, scale, 15, 1e-9);
    REQUIRE(e.factor(chosen));
    CHECK(e.pivot_growth() <= 1 / SparseElimination::threshold * (1 + 1e-12));
    SparseRows later = make(seed, 40, false);  // what was zero is not any more
    for (std::size_t k = 0; k < later.value.size(); ++k) later.value[k] = chosen.value[k] + 0.05 * later.value[k];
    for (const SparseRows& a : {chosen, later}) {
      INFO("seed " << seed);
      REQUIRE(e.factor(a));
      for (const int count : {e.leading_rank(), e.rank()}) {
        const Eigen::MatrixXd block = pivot_block(e, dense(a), count);
        const Eigen::VectorXd truth = Eigen::VectorXd::LinSpaced(count, -1.0, 2.0);
        Eigen::VectorXd x = block * truth;
        e.solve(x.data(), count);
        const double allowed = 1e-14 * e.pivot_growth() / block.fullPivLu().rcond();
        CHECK((x - truth).cwiseAbs().maxCoeff() < allowed);
        x = block.transpose() * truth;
        e.solve_transposed(x.data(), count);
        CHECK((x - truth).cwiseAbs().maxCoeff() < allowed);
      }
    }
  }
}

TEST_CASE("a pivot that is lost is said") {
  SparseRows a;
  a.column = {0, 1, 0, 1};
  a.value = {2, 1, 1, 1};
  a.first = {0, 2, 4};
  SparseElimination e;
  e.choose(a, {1.0, 1.0}, 2, 1e-9);
  REQUIRE(e.rank() == 2);
  CHECK(e.factor(a));
  a.value = {2, 2, 1, 1};
  CHECK_FALSE(e.factor(a));
}

TEST_CASE("of feet on one plane three are chosen that lie far apart, and one that meets another is said") {
  // (1, y, -x) of a box's vertices, two of which nearly meet.
  const auto feet = [](double apart) {
    SparseRows a;
    for (const auto& [x, y] : {std::pair{1.0, -1.0}, {-1.0, -1.0}, {1.0, -1.0 + apart}, {1.0, 1.0}, {-1.0, 1.0}}) {
      a.column.insert(a.column.end(), {0, 1, 2});
      a.value.insert(a.value.end(), {1.0, y, -x});
      a.first.push_back(static_cast<int>(a.column.size()));
    }
    return a;
  };
  constexpr double close = 1e-5;
  SparseElimination e;
  e.choose(feet(close), {1.0, 1.0, 1.0}, 5, 1e-9);
  REQUIRE(e.rank() == 3);
  REQUIRE(e.factor(feet(close)));
  CHECK(e.pivot_loss() < 10);

  SparseRows three = feet(1.0);
  three.first.resize(4);
  e.choose(three, {1.0, 1.0, 1.0}, 3, 1e-9);
  REQUIRE(e.factor(three));
  three.value = feet(close).value;
  REQUIRE(e.factor(three));
  CHECK(e.pivot_loss() > 0.1 / close);
  three.value = feet(0).value;
  CHECK_FALSE(e.factor(three));
}

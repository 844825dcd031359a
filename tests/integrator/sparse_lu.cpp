// tests/integrator/sparse_lu.cpp
//
// Sparse factors solve what the matrix says, also where diagonals are zero (constraint rows), when values change in a
// known pattern until its first pivots are useless, when entries come to new places, and of another size. A singular
// matrix is said to be.
// Compressed columns hold the sum of all entries of a place, in whatever order and number they come, and say when their
// pattern has changed.
#include "integrator/sparse_lu.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using hstar::integrator::SparseLu;

namespace {

/// Masses in a row, each tied to the next: [m -G^T; G 0], and what it makes of the vector 1, 2, 3, ...
struct Row {
  SparseLu& matrix;
  hstar::DaeEntries entries;
  std::vector<double> right;

  Row(SparseLu& of, int count, double mass, double tie) : matrix(of), right(static_cast<std::size_t>(2 * count - 1)) {
    matrix.clear(2 * count - 1);
    for (int i = 0; i < count; ++i) add(i, i, mass);
    for (int i = 0; i + 1 < count; ++i)
      for (const int side : {0, 1}) {
        const double g = side == 0 ? -tie : 1.0;
        add(i + side, count + i, -g);
        add(count + i, i + side, g);
      }
  }
  void add(int row, int column, double value) {
    // In halves: entries of the same place add up.
    matrix.add(row, column, 0.5 * value);
    matrix.add(row, column, 0.5 * value);
    entries.push_back({row, column, value});
    right[static_cast<std::size_t>(row)] += value * (column + 1);
  }
  /// Largest component of b - A x by the largest term of all: what a stable factorisation keeps at round-off, whatever
  /// the condition of A.
  [[nodiscard]] double error() const {
    std::vector<double> x = right, rest = right;
    matrix.solve(x.data());
    double largest = 0, worst = 0;
    for (const hstar::DaeEntry& e : entries) {
      const double term = e.value * x[static_cast<std::size_t>(e.column)];
      rest[static_cast<std::size_t>(e.row)] -= term;
      largest = std::max(largest, std::abs(term));
    }
    for (const double r : rest) worst = std::max(worst, std::abs(r));
    return worst / largest;
  }
};

}  // namespace

TEST_CASE("sparse factors solve their matrix, whatever came before it") {
  SparseLu matrix;
  for (const int count : {40, 40, 7, 100})
    for (const double mass : {1.0, 1e-9, 1e6, 1.0})
      for (const double tie : {1.0, 0.5, -1e-7}) {
        const Row row(matrix, count, mass, tie);
        INFO(count << " masses of " << mass << ", tie " << tie);
        REQUIRE(matrix.factorise());
        CHECK(row.error() < 1e-12);
      }
}

TEST_CASE("entries at new places and places that fall empty") {
  SparseLu matrix;
  for (const int corner : {0, 1, 0}) {
    Row row(matrix, 30, 2.0, 1.0);
    if (corner) row.add(0, 58, 3.0);
    REQUIRE(matrix.factorise());
    CHECK(row.error() < 1e-14);
  }
}

TEST_CASE("compressed columns: entries in any order, some left out, some twice, some new") {
  constexpr int n = 12;
  hstar::integrator::SparseColumns columns;
  unsigned state = 7;
  const auto draw = [&](unsigned below) { return (state = state * 1664525U + 1013904223U) / 256 % below; };
  bool seen[n][n] = {};
  for (int round = 0; round < 200; ++round) {
    double wanted[n][n] = {};
    bool is_new = round == 0;
    columns.clear(n);
    // Ever the same walk over the matrix, in which more and more places are left out or come again.
    for (unsigned k = 0; k < 60; ++k) {
      const bool stray = draw(1000) < static_cast<unsigned>(round);
      const unsigned place = stray ? draw(n * n) : k * 35 % (n * n);
      const int row = static_cast<int>(place / n), column = static_cast<int>(place % n);
      const double value = 1.0 + draw(8);  // sums of integers are exact
      columns.add(row, column, value);
      wanted[row][column] += value;
      is_new |= !seen[row][column];
      seen[row][column] = true;
    }
    REQUIRE(columns.finish() == is_new);
    std::size_t at = 0;
    for (int c = 0; c < n; ++c) {
      REQUIRE(static_cast<std::size_t>(columns.start()[static_cast<std::size_t>(c)]) == at);
      for (int r = 0; r < n; ++r)
        if (seen[r][c]) {
          REQUIRE(columns.row()[at] == r);
          REQUIRE(columns.value()[at++] == wanted[r][c]);
        }
    }
    REQUIRE(columns.value().size() == at);
  }
}

TEST_CASE("a singular matrix is no factorisation, and the next one is not spoilt by it") {
  SparseLu matrix;
  const Row first(matrix, 30, 1.0, 1.0);
  REQUIRE(matrix.factorise());
  const Row zero(matrix, 30, 0.0, 1.0);  // 30 free masses of nothing, 29 ties
  CHECK_FALSE(matrix.factorise());
  const Row last(matrix, 30, 1.0, 1.0);
  REQUIRE(matrix.factorise());
  CHECK(last.error() < 1e-14);
}

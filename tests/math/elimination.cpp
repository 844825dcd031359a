// tests/math/elimination.cpp
//
// Full-pivot elimination must give the factors it promises (P A Q = L U), the rank of matrices whose rank is
// known by construction, and, on the examples of the lecture notes, the printed pivot order, echelon form and
// right-hand side. Truth: matrices built with a known rank; validation/lectures/*.toml.
#include "hstar/elimination.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "hstar/error.hpp"
#include "model/document.hpp"

using namespace hstar;

namespace {

using Numbers = std::vector<double>;

model::Value lecture(const std::string& file, const std::vector<std::string>& keys) {
  const std::string path = std::string(HSTAR_SOURCE_DIR "/validation/lectures/") + file;
  std::ifstream stream(path);
  REQUIRE(stream);
  std::stringstream text;
  text << stream.rdbuf();
  model::Value value = model::parse_document(text.str(), path);
  for (const std::string& key : keys) {
    const model::Member* m = value.find(key);
    REQUIRE(m != nullptr);
    value = model::Value(m->value);
  }
  return value;
}

Numbers numbers(const model::Value& list) {
  Numbers all;
  for (const model::Value& item : list.items)
    if (item.is_array())
      for (const double x : numbers(item)) all.push_back(x);
    else
      all.push_back(item.number);
  return all;
}

/// Lecture notes count from 1.
std::vector<int> from_zero(const Numbers& x) {
  std::vector<int> all;
  for (const double v : x) all.push_back(static_cast<int>(v) - 1);
  return all;
}

std::vector<int> order(std::span<const int> x) { return {x.begin(), x.end()}; }

Numbers random_matrix(std::size_t rows, std::size_t columns, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Numbers a(rows * columns);
  for (double& x : a) x = normal(random);
  return a;
}

Numbers product(const Numbers& a, const Numbers& b, std::size_t rows, std::size_t inner, std::size_t columns) {
  Numbers c(rows * columns, 0.0);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < inner; ++k)
      for (std::size_t j = 0; j < columns; ++j) c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
  return c;
}

/// Largest entry of P A Q - L U.
double factor_error(const Elimination& e, const Numbers& a) {
  double worst = 0;
  for (std::size_t i = 0; i < e.rows(); ++i)
    for (std::size_t j = 0; j < e.columns(); ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < e.rank() && k <= i; ++k) sum += e.multiplier(i, k) * e.echelon(k, j);
      const auto at =
          static_cast<std::size_t>(e.row_order()[i]) * e.columns() + static_cast<std::size_t>(e.column_order()[j]);
      worst = std::max(worst, std::abs(sum - a[at]));
    }
  return worst;
}

}  // namespace

TEST_CASE("the 3 x 3 example of the lecture notes") {
  const auto example = lecture("lecture_numbers.toml", {"gauss_full_pivot_3x3"});
  const auto get = [&](const char* key) { return numbers(example.find(key)->value); };
  Elimination e;
  e.factor(get("A"), 3, 3);
  REQUIRE(e.rank() == 3);
  CHECK(order(e.column_order()) == from_zero(get("column_order")));
  const Numbers upper = get("upper"), rhs = get("rhs"), solution = get("solution");
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) CHECK(e.echelon(i, j) == Approx(upper[3 * i + j]).margin(1e-15));
  Numbers b = get("b");
  const Numbers x = e.solve(b);
  e.forward(b);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(b[i] == Approx(rhs[i]).epsilon(1e-14));
    CHECK(x[i] == Approx(solution[i]).epsilon(1e-14));
  }
  // As they were met: the first pivot's for rows 2 and 1 of A, then the second's for row 2.
  const Numbers met = get("elimination_multipliers_in_order");
  const auto of_row = [&](int row, std::size_t pivot) {
    for (std::size_t i = 0; i < 3; ++i)
      if (e.row_order()[i] == row) return e.multiplier(i, pivot);
    return std::nan("");
  };
  CHECK(of_row(1, 0) == Approx(met[0]));
  CHECK(of_row(0, 0) == Approx(met[1]));
  CHECK(of_row(1, 1) == Approx(met[2]));
}

TEST_CASE("the web cutter of the lecture notes: pivot order, accelerations, independent coordinate") {
  const auto printed = lecture("web_cutter_fourbar.toml", {"reference", "printed"});
  const auto get = [&](const char* key) { return numbers(printed.find(key)->value); };
  const Numbers J = get("J"), gamma = get("gamma"), qddot = get("qddot");
  // Four printed decimals of J and gamma let the last one of small results, and larger ones, move.
  const auto same = [](double computed, double table) {
    return std::abs(computed - table) <= 2e-4 + 5e-5 * std::abs(table);
  };
  Elimination e;
  e.factor(J, 9, 9);
  CHECK(e.rank() == 9);
  CHECK(order(e.column_order()) == from_zero(get("full_pivot_order_9x9")));
  Numbers b = gamma;
  e.forward(b);
  const Numbers b9 = get("full_pivot_b_9x9");
  for (std::size_t i = 0; i < 9; ++i) CHECK(same(b[i], b9[i]));
  const Numbers a = e.solve(gamma);
  for (std::size_t i = 0; i < 9; ++i) CHECK(same(a[i], qddot[i]));

  e.factor(std::span(J).first(72), 8, 9);  // without the driver
  CHECK(e.rank() == 8);
  // The notes take the eighth pivot where it stands, without a search: column 4 (x3), although column 2 (y2) has an
  // entry 16 times as large. Full pivoting makes y2 dependent and x3 independent; the row is theirs up to the scale.
  std::vector<int> theirs = from_zero(get("full_pivot_order_8x9"));
  CHECK(theirs[8] == static_cast<int>(printed.find("independent_coordinate_8x9")->value.number) - 1);
  std::swap(theirs[7], theirs[8]);
  CHECK(order(e.column_order()) == theirs);
  b.assign(gamma.begin(), gamma.begin() + 8);
  e.forward(b);
  const Numbers b8 = get("full_pivot_b_8x9"), last = get("full_pivot_upper_8x9_last_row");
  for (std::size_t i = 0; i < 7; ++i) CHECK(same(b[i], b8[i]));
  // That entry is what rounding left of a difference: four decimals of the data give it three digits.
  CHECK(1 / e.echelon(7, 8) == Approx(last[8]).epsilon(5e-3));
  CHECK(b[7] / e.echelon(7, 8) == Approx(b8[7]).epsilon(5e-3));
}

TEST_CASE("factors and rank of random matrices of known rank") {
  std::mt19937 random(20251120);
  Elimination e(14, 14);
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t rows = 1 + random() % 14, columns = 1 + random() % 14,
                      rank = random() % (std::min(rows, columns) + 1);
    const Numbers a =
        product(random_matrix(rows, rank, random), random_matrix(rank, columns, random), rows, rank, columns);
    e.factor(a, rows, columns);
    INFO(rows << " x " << columns << " of rank " << rank);
    REQUIRE(e.rank() == rank);
    CHECK(factor_error(e, a) < 1e-12);
    for (std::size_t k = 1; k < rank; ++k) {
      // No entry that was left grows beyond twice the pivot before it, and rows are scaled by the largest one.
      CHECK(std::abs(e.pivots()[k]) <= 2 * std::abs(e.pivots()[k - 1]));
      for (std::size_t j = k; j < columns; ++j) CHECK(std::abs(e.echelon(k - 1, j)) <= 1.0);
    }
    // Right-hand sides in the range are solved, and nothing is left over.
    const Numbers truth = random_matrix(columns, 1, random);
    Numbers b = product(a, truth, rows, columns, 1);
    const Numbers x = e.solve(b), again = product(a, x, rows, columns, 1);
    for (std::size_t i = 0; i < rows; ++i) CHECK(again[i] == Approx(b[i]).margin(1e-9));
    for (const int j : e.independent()) CHECK(x[static_cast<std::size_t>(j)] == 0.0);
    e.forward(b);
    for (std::size_t i = rank; i < rows; ++i) CHECK(std::abs(b[i]) < 1e-9);
  }
}

TEST_CASE("leading rows keep their pivots whatever follows") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t lead = 1 + random() % 4, more = 1 + random() % 3, columns = 8;
    Numbers a = random_matrix(lead, columns, random);
    Elimination alone, both;
    alone.factor(a, lead, columns);
    for (const double x : random_matrix(more, columns, random)) a.push_back(100 * x);
    both.factor(a, lead + more, columns, {.leading_rows = lead});
    CHECK(both.leading_rank() == lead);
    CHECK(both.rank() == lead + more);
    CHECK(factor_error(both, a) < 1e-11);
    for (std::size_t k = 0; k < lead; ++k) {
      CHECK(both.row_order()[k] == alone.row_order()[k]);
      CHECK(both.column_order()[k] == alone.column_order()[k]);
    }
  }
  // A leading row that depends on the others comes last and is not taken for a pivot.
  const Numbers a = {1, 2, 3, 2, 4, 6, 0, 1, 0};
  Elimination e;
  e.factor(a, 3, 3, {.leading_rows = 2});
  CHECK(e.leading_rank() == 1);
  CHECK(e.rank() == 2);
  CHECK(e.row_order()[2] == 0);
}

TEST_CASE("the tolerance is relative to the first pivot") {
  const Numbers a = {1e6, 0, 0, 1e-4};
  Elimination e;
  e.factor(a, 2, 2, {.tolerance = 1e-9});
  CHECK(e.rank() == 1);
  e.factor(a, 2, 2, {.tolerance = 1e-11});
  CHECK(e.rank() == 2);
  e.factor(Numbers(6, 0.0), 2, 3);
  CHECK(e.rank() == 0);
  CHECK(e.independent().size() == 3);
}

TEST_CASE("bad matrices are refused") {
  Elimination e;
  CHECK_THROWS_AS(e.factor(Numbers{1, 2, 3}, 2, 2), InputError);
  CHECK_THROWS_AS(e.factor(Numbers{1, NAN}, 1, 2), InputError);
  CHECK_THROWS_AS(e.factor(Numbers{1, 2}, 1, 2, {.tolerance = 1.0}), InputError);
  CHECK_THROWS_AS(e.factor(Numbers{1, 2}, 1, 2, {.leading_rows = 2}), InputError);
  e.factor(Numbers{1, 2}, 1, 2);
  Numbers b(2);
  CHECK_THROWS_AS(e.forward(b), InputError);
}

// src/math/saddle_islands.cpp
#include "math/saddle_islands.hpp"

#include <algorithm>
#include <cmath>

#include "math/dense.hpp"
#include "math/saddle.hpp"
#include "math/tolerances.hpp"

namespace hstar::math {

struct SaddleIslands::Whole {
  SaddleSolver solver;
  int room;                 ///< rows it was made for
  std::vector<int> bodies;  ///< global by local number
  std::vector<SaddleRow> rows;
  std::vector<double> f, rhs, a, lambda;
  std::vector<char> redundant;

  Whole(std::vector<int> body_list, const std::vector<double>& mass, int max_rows, int columns)
      : solver(local_mass(body_list, mass, static_cast<std::size_t>(columns)), max_rows, columns),
        room(max_rows),
        bodies(std::move(body_list)) {
    rows.resize(static_cast<std::size_t>(room));
    rhs.resize(rows.size());
    lambda.resize(rows.size());
    redundant.resize(rows.size());
    f.resize(static_cast<std::size_t>(columns) * bodies.size());
    a.resize(f.size());
  }
  static std::vector<double> local_mass(const std::vector<int>& bodies, const std::vector<double>& mass,
                                        std::size_t columns) {
    std::vector<double> local(columns * bodies.size(), -1.0);
    for (std::size_t b = 1; b < bodies.size(); ++b)
      for (std::size_t c = 0; c < columns; ++c)
        local[columns * b + c] = mass[columns * static_cast<std::size_t>(bodies[b]) + c];
    return local;
  }
  [[nodiscard]] int local(int body) const {
    const auto it = std::lower_bound(bodies.begin() + 1, bodies.end(), body);
    return it != bodies.end() && *it == body ? static_cast<int>(it - bodies.begin()) : 0;
  }
};

SaddleIslands::SaddleIslands(const std::vector<double>& mass, const std::vector<double>& inverse, int columns)
    : width_(columns), mass_(mass), inverse_(inverse), joined_(mass, columns), none_(joined_) {}
SaddleIslands::~SaddleIslands() = default;

bool SaddleIslands::is_massless(int body) const {
  const double* m = mass_.data() + width_ * body;
  return std::any_of(m, m + width_, [](double x) { return x == 0; });
}

bool SaddleIslands::split(const SaddleRow* rows, int m) {
  bool same = rows_ == rows && pattern_.size() == static_cast<std::size_t>(m);
  rows_ = rows;
  for (std::size_t i = 0; same && i < pattern_.size(); ++i) same = pattern_[i] == rows[i].body;
  if (same) return islands_.size() > 1;

  pattern_.resize(static_cast<std::size_t>(m));
  joined_ = none_;
  for (std::size_t i = 0; i < pattern_.size(); ++i) {
    pattern_[i] = rows[i].body;
    joined_.join(rows[i].body[0], rows[i].body[1]);
  }
  joined_.settle();
  const auto root_of = [&](const SaddleRow& r) { return std::max(joined_.of(r.body[0]), joined_.of(r.body[1])); };
  // Islands in the order of their first rows; root -1 (rows that no freedom answers) at place 0 of island_at_.
  const std::size_t bodies = mass_.size() / static_cast<std::size_t>(width_);
  island_at_.assign(bodies + 1, -1);
  islands_.clear();
  for (int i = 0; i < m; ++i) {
    int& at = island_at_[root_of(rows[i]) + 1];
    if (at < 0) {
      at = static_cast<int>(islands_.size());
      islands_.push_back({.root = root_of(rows[i])});
    }
    Island& island = islands_[at];
    ++island.count;
    island.massless |= is_massless(rows[i].body[0]) || is_massless(rows[i].body[1]);
  }
  loose_ = false;
  for (std::size_t b = 0; b < bodies; ++b)
    loose_ |= is_massless(static_cast<int>(b)) && island_at_[joined_.of(static_cast<int>(b)) + 1] < 0;
  int first = 0;
  std::size_t factor = 0;
  for (Island& island : islands_) {
    island.first = first;
    island.factor = factor;
    first += island.count;
    if (island.count <= dense_rows()) factor += static_cast<std::size_t>(island.count * island.count);
    island.count = 0;
  }
  order_.resize(static_cast<std::size_t>(m));
  for (int i = 0; i < m; ++i) {
    Island& island = islands_[island_at_[root_of(rows[i]) + 1]];
    order_[island.first + island.count++] = i;
  }
  if (s_.size() < factor) s_.resize(factor);
  b_.resize(static_cast<std::size_t>(std::max(m, 1)));
  whole_.resize(bodies + 1);
  return islands_.size() > 1;
}

SaddleIslands::Whole& SaddleIslands::whole_of(Island& island) {
  auto& whole = whole_[island.root + 1];
  for (int k = 0; island.linked && k < island.count; ++k) whole->rows[k].unloaded = row(island, k).unloaded;
  if (island.linked) return *whole;
  std::vector<int> bodies{0};
  for (int k = 0; k < island.count; ++k)
    for (const int body : row(island, k).body)
      if (joined_.of(body) >= 0) bodies.push_back(body);
  std::sort(bodies.begin() + 1, bodies.end());
  bodies.erase(std::unique(bodies.begin() + 1, bodies.end()), bodies.end());
  if (!whole || whole->room < island.count || whole->bodies != bodies)
    whole = std::make_unique<Whole>(std::move(bodies), mass_, 2 * island.count, width_);
  for (int k = 0; k < island.count; ++k) {
    const SaddleRow& r = row(island, k);
    whole->rows[k] = {{whole->local(r.body[0]), whole->local(r.body[1])}, r.J, r.moves, r.unloaded};
  }
  island.linked = true;
  return *whole;
}

double SaddleIslands::factor_dense(const Island& island) {
  double* s = s_.data() + island.factor;
  const int r = island.count;
  double smallest = 1;
  with_columns(width_, [&](auto c) {
    for (int i = 0; i < r; ++i)
      for (int j = 0; j <= i; ++j) s[i * r + j] = coupling<c>(row(island, i), row(island, j), inverse_.data());
  });
  if (r == 1) {
    if (!(s[0] > 0)) return 0;
    s[0] = std::sqrt(s[0]);
    return 1;
  }
  if (!cholesky(s, r)) return 0;
  for (int i = 0; i < r; ++i) {
    double diagonal = 0;
    for (int j = 0; j <= i; ++j) diagonal += s[i * r + j] * s[i * r + j];
    smallest = std::min(smallest, s[i * r + i] * s[i * r + i] / diagonal);
  }
  return smallest;
}

int SaddleIslands::find_redundant(double tolerance, int loose_from, double loose, char* redundant) {
  std::fill(redundant, redundant + pattern_.size(), 0);
  int count = 0;
  for (Island& island : islands_) {
    int strict = 0;
    while (strict < island.count && order_[island.first + strict] < loose_from) ++strict;
    // The factorisation itself shows that no row is near to being dependent.
    const double bound = strict < island.count ? std::max(tolerance, loose) : tolerance;
    if (!island.massless && island.count <= dense_rows() &&
        factor_dense(island) > std::max(doubtful_pivot, 4 * bound * bound))
      continue;
    Whole& whole = whole_of(island);
    count += whole.solver.find_redundant(whole.rows.data(), island.count, tolerance, strict, loose);
    for (int k = 0; k < island.count; ++k) redundant[order_[island.first + k]] = whole.solver.is_redundant(k);
  }
  return count;
}

bool SaddleIslands::factor(const char* redundant) {
  independence_ = 1;
  if (loose_) return false;
  for (Island& island : islands_) {
    bool dependent = false;
    if (redundant)
      for (int k = 0; k < island.count; ++k) dependent |= redundant[order_[island.first + k]] != 0;
    island.whole = island.count > dense_rows() || island.massless || dependent;
    if (const double pivot = island.whole ? 0 : factor_dense(island); pivot > no_pivot) {
      independence_ = std::min(independence_, std::sqrt(pivot));
      continue;
    }
    island.whole = true;
    Whole& whole = whole_of(island);
    for (int k = 0; k < island.count; ++k) whole.redundant[k] = dependent ? redundant[order_[island.first + k]] : 0;
    whole.solver.take_redundant(whole.redundant.data(), island.count);
    if (!whole.solver.factor(whole.rows.data(), island.count)) return false;
    independence_ = std::min(independence_, whole.solver.independence());
  }
  return true;
}

void SaddleIslands::solve(const double* f, const double* rhs, double* a, double* lambda, bool share) {
  for (std::size_t j = 0; j < mass_.size(); ++j) a[j] = inverse_[j] * f[j];
  for (const Island& island : islands_) {
    const int* order = order_.data() + island.first;
    if (island.whole) {
      Whole& whole = *whole_[island.root + 1];
      const auto width = static_cast<std::size_t>(width_);
      for (std::size_t b = 1; b < whole.bodies.size(); ++b)
        for (std::size_t c = 0; c < width; ++c)
          whole.f[width * b + c] = f[width * static_cast<std::size_t>(whole.bodies[b]) + c];
      for (int k = 0; k < island.count; ++k) whole.rhs[k] = rhs[order[k]];
      whole.solver.solve(whole.f.data(), whole.rhs.data(), whole.a.data(), whole.lambda.data(), share);
      for (std::size_t b = 1; b < whole.bodies.size(); ++b)
        for (std::size_t c = 0; c < width; ++c)
          a[width * static_cast<std::size_t>(whole.bodies[b]) + c] = whole.a[width * b + c];
      for (int k = 0; k < island.count; ++k) lambda[order[k]] = whole.lambda[k];
      continue;
    }
    double* x = b_.data();
    with_columns(width_, [&](auto columns) {
      for (int k = 0; k < island.count; ++k) {
        const SaddleRow& r = rows_[order[k]];
        double sum = rhs[order[k]];
        for (std::size_t b = 0; b < 2; ++b) sum -= block_product<columns>(r.J[b], a + columns * r.body[b]);
        x[k] = sum;
      }
      cholesky_solve(s_.data() + island.factor, island.count, x);
      for (int k = 0; k < island.count; ++k) {
        const SaddleRow& r = rows_[order[k]];
        for (std::size_t b = 0; b < 2; ++b) {
          double* ab = a + columns * r.body[b];
          const double* w = inverse_.data() + columns * r.body[b];
          for (int c = 0; c < columns; ++c) ab[c] += w[c] * r.J[b][c] * x[k];
        }
        lambda[order[k]] = x[k];
      }
    });
  }
}

double SaddleIslands::independence() const { return independence_; }

}  // namespace hstar::math

// tests/integrator/tableaux.cpp
//
// Every Runge-Kutta tableau satisfies the order conditions of all rooted trees (Butcher) up to its order, its
// error weights cancel up to the order of the embedded formula, and its dense output holds at every point of the
// step up to the order it claims. A wrong digit anywhere fails here.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "hstar/integrator/tableau/dop853.hpp"
#include "hstar/integrator/tableau/dopri5.hpp"
#include "hstar/integrator/tableau/forward_euler.hpp"
#include "hstar/integrator/tableau/ode23.hpp"
#include "hstar/integrator/tableau/rk4.hpp"

using namespace hstar::integrator;

namespace {

/// A rooted tree as the list of trees that hang on its root, by index into the forest.
struct Tree {
  int order = 1;
  double density = 1;  ///< gamma(t)
  std::vector<std::size_t> children;
};

/// All rooted trees with at most `largest` nodes.
std::vector<Tree> rooted_trees(int largest) {
  std::vector<Tree> forest = {Tree{}};
  for (int order = 2; order <= largest; ++order) {
    const std::size_t known = forest.size();
    std::vector<std::size_t> chosen;
    const auto extend = [&](auto&& self, int left, std::size_t from) -> void {
      if (left == 0) {
        Tree tree{order, static_cast<double>(order), chosen};
        for (const std::size_t child : chosen) {
          tree.density *= forest[child].density;
        }
        forest.push_back(tree);
        return;
      }
      for (std::size_t next = from; next < known; ++next) {
        if (forest[next].order <= left) {
          chosen.push_back(next);
          self(self, left - forest[next].order, next);
          chosen.pop_back();
        }
      }
    };
    extend(extend, order - 1, 0);
  }
  return forest;
}

/// The tableau with y' at the end of the step and the extra stages as further rows.
template <class T>
struct Extended {
  static constexpr std::size_t size = T::stages + 1 + T::extra;
  std::array<std::array<double, size>, size> a{};
  std::array<double, size> c{};

  Extended() {
    for (std::size_t i = 0; i < T::stages; ++i) {
      c[i] = T::c[i];
      std::copy(T::a[i].begin(), T::a[i].end(), a[i].begin());
    }
    c[T::stages] = 1;
    std::copy(T::b.begin(), T::b.end(), a[T::stages].begin());
    for (std::size_t i = 0; i < T::extra; ++i) {
      c[T::stages + 1 + i] = T::extra_c[i];
      std::copy(T::extra_a[i].begin(), T::extra_a[i].end(), a[T::stages + 1 + i].begin());
    }
  }

  /// Elementary weight of every tree at every stage.
  std::vector<std::array<double, size>> weights(const std::vector<Tree>& forest) const {
    std::vector<std::array<double, size>> w(forest.size());
    for (std::size_t t = 0; t < forest.size(); ++t) {
      for (std::size_t i = 0; i < size; ++i) {
        w[t][i] = 1;
        for (const std::size_t child : forest[t].children) {
          double sum = 0;
          for (std::size_t j = 0; j < size; ++j) {
            sum += a[i][j] * w[child][j];
          }
          w[t][i] *= sum;
        }
      }
    }
    return w;
  }
};

/// Weights b_i(s) of the interpolant, from the rows of dense_rows.hpp.
template <class T>
std::array<double, Extended<T>::size> dense_weights(double s) {
  constexpr std::size_t size = Extended<T>::size;
  std::array<double, size> out{};
  for (std::size_t i = 0; i < size; ++i) {
    const double b = i < T::stages ? T::b[i] : 0;
    const double first = i == 0, last = i == T::stages;
    std::vector<double> rows = {b, first - b, 2 * b - first - last};
    for (const auto& row : T::dense) {
      rows.push_back(row[i]);
    }
    double basis = s;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      out[i] += rows[r] * basis;
      basis *= r % 2 == 0 ? 1 - s : s;
    }
  }
  return out;
}

template <class Weights, class Values>
double dot(const Weights& w, const Values& x) {
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    sum += w[i] * x[i];
  }
  return sum;
}

template <class T>
void check(int dense_order, int error_order) {
  const auto forest = rooted_trees(T::order);
  const Extended<T> extended;
  const auto weight = extended.weights(forest);
  for (std::size_t i = 0; i < Extended<T>::size; ++i) {
    double sum = 0;
    for (const double x : extended.a[i]) {
      sum += x;
    }
    CHECK(sum == Approx(extended.c[i]).margin(1e-13));
  }
  for (std::size_t t = 0; t < forest.size(); ++t) {
    INFO("tree " << t << " of order " << forest[t].order);
    CHECK(std::abs(dot(T::b, weight[t]) - 1 / forest[t].density) < 1e-13);
    if (forest[t].order <= error_order) {
      CHECK(std::abs(dot(T::error, weight[t])) < 1e-13);
    }
    if (forest[t].order <= dense_order) {
      for (const double s : {0.1, 0.35, 0.5, 0.8, 1.0}) {
        CHECK(std::abs(dot(dense_weights<T>(s), weight[t]) - std::pow(s, forest[t].order) / forest[t].density) < 1e-12);
      }
    }
  }
}

}  // namespace

TEST_CASE("the number of rooted trees is known") {  // Cayley: 1, 1, 2, 4, 9, 20, 48, 115
  CHECK(rooted_trees(8).size() == 1 + 1 + 2 + 4 + 9 + 20 + 48 + 115);
}

TEST_CASE("ode23: third order, cubic in between, embedded second order") { check<Ode23>(3, 2); }

TEST_CASE("rk4: fourth order, cubic in between, embedded third order") { check<Rk4>(3, 3); }

TEST_CASE("forward_euler: first order, also in between; its error weights cancel in that order") {
  check<ForwardEuler>(1, 1);
}

TEST_CASE("dopri5: fifth order, fourth in between, embedded fourth order") { check<Dopri5Tableau>(4, 4); }

TEST_CASE("dop853: eighth order, seventh in between, embedded fifth and third order") {
  check<Dop853>(7, 5);
  const auto forest = rooted_trees(3);
  const auto weight = Extended<Dop853>().weights(forest);
  for (const auto& w : weight) {
    CHECK(std::abs(dot(Dop853::second_error, w)) < 1e-13);
  }
}

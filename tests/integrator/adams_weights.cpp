// tests/integrator/adams_weights.cpp
//
// The weights of Adams, Bashforth and Moulton on equal steps are those of the textbooks (Hairer, Norsett & Wanner 1993,
// III.1, in fractions), and with any number of points polynomials of lower degree are integrated exactly.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "integrator/adams.hpp"

using hstar::integrator::adams_weights;

namespace {
void check(const std::vector<double>& found, const std::vector<int>& numerators, int denominator) {
  REQUIRE(found.size() == numerators.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(found[i] == Approx(double(numerators[i]) / denominator).epsilon(1e-13));
}
}  // namespace

TEST_CASE("Adams' weights on equal steps are the textbooks' fractions") {
  check(adams_weights(1, false), {1}, 1);
  check(adams_weights(2, false), {3, -1}, 2);
  check(adams_weights(3, false), {23, -16, 5}, 12);
  check(adams_weights(4, false), {55, -59, 37, -9}, 24);
  check(adams_weights(5, false), {1901, -2774, 2616, -1274, 251}, 720);
  check(adams_weights(1, true), {1}, 1);
  check(adams_weights(2, true), {1, 1}, 2);
  check(adams_weights(3, true), {5, 8, -1}, 12);
  check(adams_weights(4, true), {9, 19, -5, 1}, 24);
  check(adams_weights(5, true), {251, 646, -264, 106, -19}, 720);
}

TEST_CASE("Adams' weights integrate polynomials of lower degree exactly") {
  for (std::size_t points = 1; points <= 13; ++points)
    for (const bool ends_there : {false, true}) {
      const auto w = adams_weights(points, ends_there);
      for (std::size_t degree = 0; degree < points; ++degree) {
        INFO(points << " points, degree " << degree << (ends_there ? ", Moulton" : ", Bashforth"));
        double sum = 0, size = 1;
        for (std::size_t i = 0; i < points; ++i) {
          const double term = w[i] * std::pow(-double(i), double(degree));
          sum += term;
          size = std::max(size, std::abs(term));
        }
        const double over = 1.0 / double(degree + 1);
        CHECK(std::abs(sum - (ends_there && degree % 2 == 1 ? -over : over)) < 1e-12 * size);
      }
    }
}

// tests/events/test_row_polynomial.cpp
//
// A guard that is linear in y may be located from the rows of the interpolant. Nothing may be seen differently for it:
// of random polynomials with one, several or no roots the first root is the one that a fine grid and halving find, from
// rows as without them; a plain crossing is not sampled.
#include <catch2/catch.hpp>
#include <random>

#include "clock_step.hpp"

using namespace clock_test;

namespace {

constexpr int kPlaces = 2000;  // of the grid

/// On [a, a + 1] a polynomial in the rows' form (dense_step.hpp), which is the integrator's own solution too.
class RowStep final : public ClockStep {
 public:
  RowStep(double a, double y0, std::vector<double> rows, bool show)
      : ClockStep(a, a + 1.0), y0_(y0), rows_(std::move(rows)), show_(show) {}
  int degree() const override { return static_cast<int>(rows_.size()); }
  void at(double t, std::span<double> y) const override { y[0] = static_cast<double>(exact(t - a_)); }
  bool finish_at(double t, std::span<double> y) override {
    at(t, y);
    return true;
  }
  std::span<const double> row(int r) const override {
    return show_ ? std::span(&rows_[static_cast<std::size_t>(r)], 1) : std::span<const double>{};
  }
  long double exact(long double s) const {
    long double sum = 0.0L;
    for (std::size_t r = rows_.size(); r-- > 0;) sum = rows_[r] + (r % 2 == 0 ? 1.0L - s : s) * sum;
    return y0_ + s * sum;
  }

 private:
  double y0_;
  std::vector<double> rows_;
  bool show_;
};

struct Truth {
  double first = 2.0;     ///< the first root, halved to the end; 2 if there is none
  bool doubtful = false;  ///< an extremum within 1e-3 of zero: the grid may not see what is there
};

Truth truth_of(const RowStep& step) {
  Truth truth;
  const auto place = [](int i) { return i / static_cast<long double>(kPlaces); };
  for (int i = 0; i < kPlaces; ++i) {
    const long double g = step.exact(place(i)), h = step.exact(place(i + 1));
    if (i > 0 && (g - step.exact(place(i - 1))) * (h - g) <= 0.0L && std::fabs(g) < 1e-3L) truth.doubtful = true;
    if ((g > 0.0L) == (h > 0.0L) || truth.first < 2.0) continue;
    long double a = place(i), b = place(i + 1);
    for (int k = 0; k < 60; ++k) {
      const long double c = 0.5L * (a + b);
      ((step.exact(c) > 0.0L) == (g > 0.0L) ? a : b) = c;
    }
    truth.first = static_cast<double>(a);
  }
  return truth;
}

}  // namespace

TEST_CASE("a guard known by its rows has the roots of its polynomial") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  int crossed = 0, not_crossed = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t degree = 1 + static_cast<std::size_t>(trial % 8);
    // small y0 and large rows above the first: several roots are frequent
    const double y0 = unit(random);
    std::vector<double> rows(degree);
    for (double& row : rows) row = 2.0 * unit(random);
    const Truth truth = truth_of(RowStep(0.0, y0, rows, false));
    if (truth.doubtful || std::fabs(y0) < 1e-2 || std::fabs(y0 + rows[0]) < 1e-2) continue;
    for (const bool show : {false, true}) {
      FunctionGuards set;
      add(set, guard("g", Crossing::either, Role::active, Sign::from_value, 1, 1e-13), [](double y) { return y; });
      Monitor m(set, 1);
      const double start[1] = {y0};
      m.restart(-1.0, start);
      RowStep rest(-1.0, y0, {0.0}, show), step(0.0, y0, rows, show);
      REQUIRE_FALSE(m.look(rest).has_event());
      const Look& look = m.look(step);
      INFO("trial " << trial << ", degree " << degree << (show ? ", rows" : ", sampled"));
      REQUIRE(look.status == LookStatus::ok);
      CHECK(look.passive.empty());
      REQUIRE(look.has_event() == (truth.first < 2.0));
      if (!look.has_event()) {
        ++not_crossed;
        continue;
      }
      ++crossed;
      const Root& root = look.active.front();
      CHECK(std::fabs(root.t - truth.first) < 1e-9);
      CHECK(std::fabs(step.exact(root.t)) < 1e-12);
      CHECK((root.t_lo <= root.t && root.t <= root.t_hi));
      CHECK(root.direction == (y0 > 0.0 ? -1 : 1));
    }
  }
  CHECK(crossed > 200);
  CHECK(not_crossed > 50);
}

TEST_CASE("a plain crossing is located from the rows alone") {
  const std::vector<double> rows{-1.6, 0.3, 0.1, -0.1, 0.05, 0.05, -0.02, 0.02};
  std::size_t work[2] = {0, 0};
  for (const bool show : {false, true}) {
    FunctionGuards set;
    add(set, guard("g", Crossing::falling, Role::active, Sign::from_value, 1, 1e-13), [](double y) { return y; });
    Monitor m(set, 1);
    const double start[1] = {1.0};
    m.restart(-1.0, start);
    RowStep rest(-1.0, 1.0, {0.0}, show), step(0.0, 1.0, rows, show);
    m.look(rest);
    const Monitor::Counters before = m.counters();
    REQUIRE(m.look(step).has_event());
    work[show ? 1 : 0] =
        m.counters().guard_evaluations - before.guard_evaluations - (m.counters().polish_steps - before.polish_steps);
  }
  // the end and seven rows, and nine samples; what follows is the same
  CHECK(work[1] < work[0]);
}

namespace {

/// A polynomial of random powers in two states, whose end is the sum of its terms; the third does not move.
class PowerStep final : public ClockStep {
 public:
  PowerStep(double a, std::vector<double> y0, std::vector<double> terms)
      : ClockStep(a, a + 1.0), y0_(std::move(y0)), terms_(std::move(terms)) {}
  std::span<const std::size_t> moving() const override { return moving_; }
  std::size_t size() const override { return y0_.size(); }
  int degree() const override { return 0; }  // nothing may ask for rows
  void at(double t, std::span<double> y) const override {
    for (std::size_t i = 0; i < 2; ++i) y[i] = static_cast<double>(exact(i, t - a_));
    y[2] = y0_[2];
  }
  bool finish_at(double t, std::span<double> y) override {
    at(t, y);
    return true;
  }
  std::span<const double> powers() const override { return terms_; }
  std::span<const double> error() const override { return none_; }
  long double exact(std::size_t i, long double s) const {
    long double sum = 0.0L;
    for (std::size_t k = terms_.size(); k > 0; k -= 2) sum = s * (terms_[k - 2 + i] + sum);
    return y0_[i] + sum;
  }

 private:
  std::vector<double> y0_, terms_, none_ = std::vector<double>(3, 0.0);
  std::vector<std::size_t> moving_{0, 1};
};

/// a y_0 + b y_1 + e y_2 + c t + d, told and never to be evaluated.
class ToldGuard final : public GuardSet {
 public:
  explicit ToldGuard(std::vector<double> form) : form_(std::move(form)) {
    info_ = guard("g", Crossing::either, Role::active, Sign::from_value, 1, 1e-13);
  }
  std::size_t guard_count() const override { return 1; }
  const GuardInfo& info(std::size_t) const override { return info_; }
  bool values(double, std::span<const double>, std::span<const std::size_t>, std::span<double>) override {
    ++evaluations;
    return false;
  }
  const double* linear_form(std::size_t) override { return form_.data(); }
  int evaluations = 0;

 private:
  std::vector<double> form_;
  GuardInfo info_;
};

}  // namespace

TEST_CASE("a guard whose form is known, on a step whose powers are, has the roots of its polynomial unasked") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  int crossed = 0, not_crossed = 0, came_back = 0, left = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    // Every other guard begins at zero, where an event has left it: what counts is whether it comes back.
    const bool at_zero = trial % 2 == 1;
    INFO("trial " << trial);
    // As many terms as arcs have, as small as theirs are.
    const std::size_t count = 1 + static_cast<std::size_t>(trial / 2 % 24);
    std::vector<double> y0{unit(random), unit(random), unit(random)}, terms;
    double size = 2.0;
    for (std::size_t k = 1; k <= count; ++k) {
      for (int i = 0; i < 2; ++i) terms.push_back(size * unit(random));
      size *= 2.5 / static_cast<double>(k + 1);
    }
    std::vector<double> form{unit(random), unit(random), unit(random), 0.5 * unit(random), 0.2 * unit(random)};
    const double others = form[0] * y0[0] + form[1] * y0[1] + form[2] * y0[2] + form[3] * 3.0;
    if (at_zero) form[4] = -others;
    ToldGuard set(form);
    PowerStep step(3.0, y0, terms);
    const auto g = [&](long double s) {
      return form[0] * step.exact(0, s) + form[1] * step.exact(1, s) + form[2] * y0[2] + form[3] * (3.0L + s) + form[4];
    };
    const long double begin = g(1.0L / kPlaces);
    double first = 2.0;
    bool doubtful = std::fabs(at_zero ? begin * kPlaces : g(0)) < 1e-2L || std::fabs(g(1)) < 1e-2L;
    for (int i = at_zero ? 1 : 0; i < kPlaces; ++i) {
      const long double a = i / static_cast<long double>(kPlaces), b = (i + 1) / static_cast<long double>(kPlaces);
      if (i > 0 && (g(a) - g(a - 1.0L / kPlaces)) * (g(b) - g(a)) <= 0.0L && std::fabs(g(a)) < 1e-3L) doubtful = true;
      if ((g(a) > 0.0L) == (g(b) > 0.0L) || first < 2.0) continue;
      long double lo = a, hi = b;
      for (int k = 0; k < 60; ++k) ((g((lo + hi) / 2) > 0.0L) == (g(a) > 0.0L) ? lo : hi) = (lo + hi) / 2;
      first = static_cast<double>(lo);
    }
    if (doubtful) continue;
    Monitor m(set, 3);
    m.restart(3.0, y0);
    const Look& look = m.look(step);
    REQUIRE(look.status == LookStatus::ok);
    CHECK(look.passive.empty());
    REQUIRE(look.has_event() == (first < 2.0));
    CHECK(set.evaluations == 0);
    if (!look.has_event()) {
      ++(at_zero ? left : not_crossed);
      continue;
    }
    ++(at_zero ? came_back : crossed);
    CHECK(std::fabs(look.active.front().t - 3.0 - first) < 1e-12 / std::fabs(static_cast<double>(g(first + 1e-3L))));
    CHECK(look.active.front().direction == (begin > 0.0L ? -1 : 1));
  }
  CHECK(crossed > 250);
  CHECK(not_crossed > 150);
  CHECK(came_back > 50);
  CHECK(left > 150);
}

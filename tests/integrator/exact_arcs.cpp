// tests/integrator/exact_arcs.cpp
//
// What must hold of the integrator `exact` where y' = A y + b + c t: each step ends on the true motion within the error
// that it tells, everywhere inside it too, and that error is no more than what a change of the numbers of A, b, c and
// y0 by their last bits would do; rows and polynomial are the same curve; where the series ends, one step goes all the
// way. Damped, defective, singular, growing, stiff (1e8) and decoupled matrices with up to 24 states.
// The first root of a linear guard on these arcs is a root of the true motion, and the first.
// Truth: A = P J P^-1 with J of Jordan blocks and P an integer matrix of determinant 1, so that A is exact in double
// precision and exp(A t) = P exp(J t) P^-1 is a closed form, evaluated in 50 digits.
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>

#include "hstar/affine_rates.hpp"
#include "hstar/events/monitor.hpp"
#include "hstar/flow.hpp"
#include "hstar/integrator/dense_rows.hpp"
#include "hstar/simulate/flow_step.hpp"
#include "support/random.hpp"

using namespace hstar;
using support::Random;
using Real = boost::multiprecision::cpp_bin_float_50;

namespace {

struct Block {
  double real, imaginary;  ///< of the eigenvalue; with an imaginary part it stands for two states
  int size;                ///< of a Jordan block with a real eigenvalue
  [[nodiscard]] std::size_t states() const { return imaginary != 0 ? 2 : static_cast<std::size_t>(size); }
};

/// y = x + p + q t with x' = A x.
struct Motion {
  std::size_t n = 0;
  std::vector<Block> blocks;
  std::vector<double> P, inverse, A, p, q, y0;

  [[nodiscard]] std::vector<Real> at(double t) const {
    std::vector<Real> z(n), x(n), y(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) z[i] += Real(inverse[i * n + j]) * (Real(y0[j]) - p[j]);
    std::size_t first = 0;
    for (const Block& b : blocks) {
      const Real growth = exp(Real(b.real) * t);
      if (b.imaginary != 0) {
        const Real c = cos(Real(b.imaginary) * t), s = sin(Real(b.imaginary) * t);
        x[first] = growth * (c * z[first] + s * z[first + 1]);
        x[first + 1] = growth * (c * z[first + 1] - s * z[first]);
      } else {
        for (std::size_t i = 0; i < b.states(); ++i) {
          Real power = 1;  // t^k / k!
          for (std::size_t k = 0; i + k < b.states(); ++k) {
            x[first + i] += growth * power * z[first + i + k];
            power *= Real(t) / (k + 1);
          }
        }
      }
      first += b.states();
    }
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = Real(p[i]) + Real(q[i]) * t;
      for (std::size_t j = 0; j < n; ++j) y[i] += Real(P[i * n + j]) * x[j];
    }
    return y;
  }

  [[nodiscard]] std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> out(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) out[i] += A[i * n + j] * x[j];
    return out;
  }
  [[nodiscard]] AffineRates rates() const {
    std::vector<double> b = times(p), c = times(q);
    for (std::size_t i = 0; i < n; ++i) {
      b[i] = q[i] - b[i];
      c[i] = -c[i];
    }
    return {A, b, c};
  }
};

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, std::size_t n) {
  std::vector<double> out(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] += a[i * n + k] * b[k * n + j];
  return out;
}

Block random_block(Random& random) {
  const auto eighths = [&](double low, double high) { return std::round(8 * random.uniform(low, high)) / 8; };
  switch (random.below(6)) {
    case 0:
      return {eighths(-9, 1), 0, 1};
    case 1:
      return {eighths(-4, 0.5), 0, 2 + random.below(2)};  // defective
    case 2:
      return {0, 0, 1 + random.below(3)};  // singular
    case 3:
      return {-std::ldexp(1.0, random.below(28)), 0, 1};  // stiff
    default:
      return {eighths(-2, 0.25), eighths(1, 40), 1};
  }
}

Motion random_motion(Random& random) {
  Motion m;
  const auto most = static_cast<std::size_t>(1 + random.below(24));
  while (m.n < most) {
    m.blocks.push_back(random_block(random));
    m.n += m.blocks.back().states();
  }
  const std::size_t n = m.n;
  std::vector<double> J(n * n);
  std::size_t first = 0;
  for (const Block& b : m.blocks) {
    for (std::size_t i = 0; i < b.states(); ++i) {
      J[(first + i) * n + first + i] = b.real;
      if (b.imaginary == 0 && i + 1 < b.states()) J[(first + i) * n + first + i + 1] = 1;
    }
    if (b.imaginary != 0) {
      J[first * n + first + 1] = b.imaginary;
      J[(first + 1) * n + first] = -b.imaginary;
    }
    first += b.states();
  }
  m.P.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) m.P[i * n + i] = 1;
  m.inverse = m.P;
  for (int shear = random.below(static_cast<int>(n) + 1); shear > 0 && n > 1; --shear) {
    // P <- P (1 + s e_i e_j^T), P^-1 <- (1 - s e_i e_j^T) P^-1
    const auto i = static_cast<std::size_t>(random.below(static_cast<int>(n)));
    const std::size_t j = (i + 1 + static_cast<std::size_t>(random.below(static_cast<int>(n) - 1))) % n;
    const double s = random.below(2) ? 1 : -1;
    for (std::size_t k = 0; k < n; ++k) {
      m.P[k * n + j] += s * m.P[k * n + i];
      m.inverse[i * n + k] -= s * m.inverse[j * n + k];
    }
  }
  m.A = product(product(m.P, J, n), m.inverse, n);
  const bool forced = random.below(3) > 0;
  for (std::size_t i = 0; i < n; ++i) {
    m.p.push_back(forced ? random.below(9) - 4 : 0);
    m.q.push_back(forced ? random.below(5) - 2 : 0);
    m.y0.push_back(random.uniform(-2, 2));
  }
  return m;
}

class Affine final : public OdeProblem, public AffineRatesProblem {
 public:
  explicit Affine(AffineRates rates) : rates_(std::move(rates)) {}
  [[nodiscard]] std::size_t size() const override { return rates_.size(); }
  bool rates(double, const double*, double*) override { return false; }  // nobody should ask
  const AffineRates* affine_rates() override { return &rates_; }

 private:
  AffineRates rates_;
};

FlowOptions until(double t_end) {
  FlowOptions o;
  o.t_end = t_end;
  return o;
}

/// By how much y(t) moves when every number of A, b, c and y0 does by one unit in the last place, at most:
/// (1 + h |A|) exp(h |A|) (|y0| + h (|b| + |c| h)).
std::vector<double> condition(const AffineRates& r, const std::vector<double>& y0, double h) {
  const std::size_t n = r.size();
  std::vector<double> power(n), sum(n), next(n);
  for (std::size_t i = 0; i < n; ++i)
    sum[i] = power[i] = std::abs(y0[i]) + h * (std::abs(r.constant()[i]) + h * std::abs(r.by_time()[i]));
  for (int k = 1; k < 200; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      next[i] = 0;
      for (std::size_t j = 0; j < n; ++j) next[i] += h / k * std::abs(r.by_y()[i * n + j]) * power[j];
    }
    power.swap(next);
    for (std::size_t i = 0; i < n; ++i) sum[i] += (k + 1) * power[i];
  }
  for (double& s : sum) s *= 0x1p-52;
  return sum;
}

/// How many random modes: as many as the campaign says (scripts/arcs), if there is one.
int trials(int in_the_suite) {
  const char* more = std::getenv("HSTAR_ARC_TRIALS");
  return more ? std::atoi(more) : in_the_suite;
}

/// The polynomial of the rows at x in [0, 1].
double by_rows(Flow& flow, std::size_t i, double x) {
  double sum = 0;
  for (int r = flow.degree() - 1; r >= 0; --r) sum = flow.row(r)[i] + (r % 2 == 0 ? 1 - x : x) * sum;
  return flow.y0()[i] + x * sum;
}

}  // namespace

TEST_CASE("a step of a random linear mode is the motion itself, within the error that it tells") {
  Random random(17);
  double worst = 0;  // of (error) / (what conditioning allows)
  for (int trial = 0; trial < trials(10000); ++trial) {
    INFO("trial " << trial);
    const Motion m = random_motion(random);
    Affine problem(m.rates());
    const auto flow = find_integrator("exact")->make(problem, until(3));
    REQUIRE(flow->restart(0, m.y0) == StepResult::accepted);
    REQUIRE(flow->step(3) == StepResult::accepted);
    const double h = flow->t1();
    const AffineRates& rates = *problem.affine_rates();
    const std::vector<double> allowed = condition(rates, m.y0, h);
    const std::vector<double> told(flow->error().begin(), flow->error().end());
    CHECK(flow->degree() <= 16);
    std::vector<double> y(m.n), finished(m.n);
    for (const double x : {0.2, 0.37, 0.61803398874989485, 0.9, 1.0}) {
      const double t = x * h;
      const std::vector<Real> truth = m.at(t);
      flow->at(t, y);
      REQUIRE(flow->finish_at(t, finished) == StepResult::accepted);
      CHECK(finished == y);
      for (std::size_t i = 0; i < m.n; ++i) {
        const double error = static_cast<double>(abs(truth[i] - y[i])),
                     of_rows = static_cast<double>(abs(truth[i] - by_rows(*flow, i, x)));
        worst = std::max(worst, error / allowed[i]);
        if (!(error <= told[i] && of_rows <= 2 * told[i])) {
          INFO("state " << i << " of " << m.n << ", x = " << x << ", h = " << h << ", error " << error << ", of rows "
                        << of_rows << ", told " << told[i]);
          CHECK(false);
        }
      }
    }
    for (std::size_t i = 0; i < m.n; ++i) CHECK(told[i] <= 40 * static_cast<double>(m.n + 2) * allowed[i]);
  }
  CHECK(worst < 4);
}

namespace {

/// A linear function of the states, told as such and never evaluated.
class Told final : public events::GuardSet {
 public:
  explicit Told(std::vector<double> form) : form_(std::move(form)) {
    info_.name = "g";
    info_.crossing = events::Crossing::either;
    info_.degree = 1;
  }
  void set_tolerance(double g_tol) { info_.g_tol = g_tol; }
  [[nodiscard]] std::size_t guard_count() const override { return 1; }
  [[nodiscard]] const events::GuardInfo& info(std::size_t) const override { return info_; }
  bool values(double, std::span<const double>, std::span<const std::size_t>, std::span<double>) override {
    return false;
  }
  const double* linear_form(std::size_t) override { return form_.data(); }

 private:
  std::vector<double> form_;
  events::GuardInfo info_;
};

}  // namespace

TEST_CASE("events of a random linear mode are the roots of the motion itself") {
  Random random(23);
  constexpr int most_steps = 6, places = 12;  // of a step, where the truth is looked at
  constexpr double ulp = 0x1p-52;
  int found = 0, none = 0;
  double worst = 0;  // of |g| at the event / (what conditioning allows)
  for (int trial = 0; trial < trials(500); ++trial) {
    INFO("trial " << trial);
    const Motion m = random_motion(random);
    std::vector<double> form(m.n + 2);
    for (std::size_t i = 0; i < m.n; ++i) form[i] = random.uniform(-1, 1);
    // Zero somewhere near the start, as guards of mechanisms are.
    double at_start = 0, size = 0;
    for (std::size_t i = 0; i < m.n; ++i) {
      at_start += form[i] * m.y0[i];
      size += std::abs(form[i] * m.y0[i]);
    }
    form[m.n + 1] = -at_start + random.uniform(-0.3, 0.3) * size;
    const auto truth = [&](double t) {
      const std::vector<Real> y = m.at(t);
      Real sum = form[m.n + 1];
      for (std::size_t i = 0; i < m.n; ++i) sum += Real(form[i]) * y[i];
      return sum;
    };
    Affine problem(m.rates());
    const auto allowed = [&](double t) {
      const std::vector<double> of = condition(*problem.affine_rates(), m.y0, t);
      double sum = ulp * std::abs(form[m.n + 1]);
      for (std::size_t i = 0; i < m.n; ++i) sum += std::abs(form[i]) * of[i];
      return sum;
    };
    Told guards(form);
    guards.set_tolerance(2 * ulp * size);
    events::Monitor monitor(guards, m.n);
    const auto flow = find_integrator("exact")->make(problem, until(3));
    FlowStep<Flow> step(*flow);
    REQUIRE(flow->restart(0, m.y0) == StepResult::accepted);
    monitor.restart(0, m.y0);
    const int sign = truth(0) > 0 ? 1 : -1;
    bool event = false;
    for (int k = 0; k < most_steps && flow->t1() < 3 && !event; ++k) {
      REQUIRE(flow->step(3) == StepResult::accepted);
      const events::Look& look = monitor.look(step);
      REQUIRE(look.status == events::LookStatus::ok);
      event = look.has_event();
      const double end = event ? look.t_event() : flow->t1();
      for (int place = 1; place < places; ++place) {
        const double t = flow->t0() + (end - flow->t0()) * place / places;
        if (!(sign * truth(t) >= -4 * allowed(t) - 2 * ulp * size)) {
          INFO("t = " << t << " of " << end << ": " << static_cast<double>(truth(t)));
          CHECK(false);
        }
      }
      if (!event) continue;
      const double left = static_cast<double>(abs(truth(end)));
      // (A time is known to its last bit; the slope there tells what that is of g.)
      const double slope = static_cast<double>(abs(truth(end * (1 + 1e-8)) - truth(end))) / (1e-8 * end);
      worst = std::max(worst, left / (allowed(end) + slope * ulp * end + 2 * ulp * size));
    }
    ++(event ? found : none);
  }
  CHECK(worst < 4);
  CHECK(found > trials(500) / 5);
  CHECK(none > trials(500) / 10);
}

TEST_CASE("steps add up to the motion") {
  // Undamped, so that no error is forgotten, and slow enough for a few hundred steps.
  Motion m;
  m.n = 4;
  m.blocks = {{0, 7, 1}, {0, 1.5, 1}};
  m.P = m.inverse = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  m.A = {0, 7, 0, 0, -7, 0, 0, 0, 0, 0, 0, 1.5, 0, 0, -1.5, 0};
  m.p = {1, 2, 3, 4};
  m.q = {0.5, 0, 0, -0.25};
  m.y0 = {1, 0, 2, -1};
  Affine problem(m.rates());
  const auto flow = find_integrator("exact")->make(problem, until(100));
  REQUIRE(flow->restart(0, m.y0) == StepResult::accepted);
  double told = 0;
  while (flow->t1() < 100) {
    REQUIRE(flow->step(100) == StepResult::accepted);
    double largest = 0;
    for (const double e : flow->error()) largest = std::max(largest, e);
    told += largest;
    const std::vector<Real> truth = m.at(flow->t1());
    for (std::size_t i = 0; i < m.n; ++i) CHECK(abs(truth[i] - flow->y1()[i]) <= 2 * told);
  }
  CHECK(flow->counters().steps < 500);
  CHECK(flow->counters().evaluations == 0);
  CHECK(told < 1e-10);
}

TEST_CASE("flights and rest are one step, with the degree they have") {
  // x' = v, v' = g + c t beside something that stands still
  const std::vector<double> A = {0, 1, 0, 0, 0, 0, 0, 0, 0};
  Affine flight(AffineRates(A, {0, -9.81, 0}, {0, 0.5, 0})), rest(AffineRates(A, {0, 0, 0}, {0, 0, 0}));
  const std::vector<double> y0 = {3, 20, 7};
  const auto flow = find_integrator("exact")->make(flight, until(1000));
  REQUIRE(flow->restart(2, y0) == StepResult::accepted);
  REQUIRE(flow->step(1000) == StepResult::accepted);
  CHECK(flow->t1() == 1000);
  CHECK(flow->degree() == 3);
  const double s = 998;
  CHECK(flow->y1()[0] == Approx(3 + s * (20 + s * ((-9.81 + 1.0) / 2 + s * 0.5 / 6))).epsilon(1e-15));
  const auto standing = find_integrator("exact")->make(rest, until(1e6));
  REQUIRE(standing->restart(0, std::vector<double>{3, 0, 7}) == StepResult::accepted);
  REQUIRE(standing->step(1e6) == StepResult::accepted);
  CHECK(standing->t1() == 1e6);
  CHECK(standing->degree() == 1);
  CHECK(standing->y1()[0] == 3);
}

TEST_CASE("steps keep the limits they are given and leave no splinter") {
  Affine problem(AffineRates({0, 1, -4, 0}, {0, 0}, {0, 0}));
  FlowOptions o = until(50);
  o.max_step = 0.125;
  const auto flow = find_integrator("exact")->make(problem, o);
  REQUIRE(flow->restart(0, std::vector<double>{1, 0}) == StepResult::accepted);
  for (const double limit : {0.3, 0.3000001, 1.0, 7.77}) {
    while (flow->t1() < limit) {
      REQUIRE(flow->step(limit) == StepResult::accepted);
      CHECK(flow->t1() - flow->t0() <= 0.125);
    }
    CHECK(flow->t1() == limit);
  }
}

TEST_CASE("a state that is no number, and a motion faster than the clock, are told") {
  Affine problem(AffineRates({0, 1e30, -1e30, 0}, {0, 0}, {0, 0}));
  const auto flow = find_integrator("exact")->make(problem, until(50));
  CHECK(flow->restart(0, std::vector<double>{NAN, 0}) == StepResult::not_finite);
  REQUIRE(flow->restart(1, std::vector<double>{1, 0}) == StepResult::accepted);
  CHECK(flow->step(2) == StepResult::too_small);
}

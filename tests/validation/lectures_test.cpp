// tests/validation/lectures_test.cpp
//
// The checkable numbers of the lecture notes (validation/lectures/lecture_numbers.toml, and the Newmark table of
// me451_forced_pendulum). Coefficients are derived in exact arithmetic first and then compared; runs are compared
// with closed forms and with the recomputed values of the notes.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "hstar/error.hpp"
#include "hstar/run.hpp"

using namespace hstar;

namespace {

/// A fraction in lowest terms with a positive denominator.
struct Fraction {
  std::int64_t p = 0, q = 1;
  Fraction(std::int64_t numerator = 0, std::int64_t denominator = 1) {
    const std::int64_t common = std::gcd(numerator, denominator) * (denominator < 0 ? -1 : 1);
    p = numerator / common;
    q = denominator / common;
  }
  friend Fraction operator+(Fraction a, Fraction b) { return {a.p * b.q + b.p * a.q, a.q * b.q}; }
  friend Fraction operator*(Fraction a, Fraction b) { return {a.p * b.p, a.q * b.q}; }
  friend Fraction operator/(Fraction a, Fraction b) { return {a.p * b.q, a.q * b.p}; }
  friend bool operator==(Fraction a, Fraction b) { return a.p == b.p && a.q == b.q; }
};

struct Bdf {
  Fraction beta;
  std::vector<Fraction> alpha;
};

/// sum_{j=1..k} (1/j) nabla^j y_n = h f_n, divided by the coefficient of y_n.
Bdf derived(int k) {
  std::vector<Fraction> sum(static_cast<std::size_t>(k) + 1);
  for (int j = 1; j <= k; ++j) {
    std::int64_t binomial = 1;
    for (int i = 0; i <= j; ++i) {
      sum[static_cast<std::size_t>(i)] =
          sum[static_cast<std::size_t>(i)] + Fraction(i % 2 == 0 ? binomial : -binomial, j);
      binomial = binomial * (j - i) / (i + 1);
    }
  }
  Bdf out;
  out.beta = Fraction(1) / sum[0];
  for (const Fraction& s : sum) out.alpha.push_back(s * out.beta);
  return out;
}

/// The end state of a model of one or two [[state]]s, by dop853 at rtol 1e-13.
std::vector<double> solved(const std::string& states, double start, double end) {
  const std::string text = "[simulation]\nstart = " + std::to_string(start) + "\nend = " + std::to_string(end) +
                           "\nintegrator = \"dop853\"\nrtol = 1e-13\noutput = 100\n" + states;
  const RunResult result = run(parse_model(text, "lecture.toml"));
  REQUIRE(result.outcome.success());
  return result.y_end;
}

std::string state(const std::string& name, const std::string& initial, const std::string& rate) {
  return "[[state]]\nname = \"" + name + "\"\ninitial = " + initial + "\nrate = \"" + rate + "\"\n";
}

/// Errors of phi and phi' at t = 5 with a fixed step.
std::pair<double, double> newmark_error(const std::string& model, double h) {
  const RunResult result = run(read_model(
      std::string(HSTAR_SOURCE_DIR) + model,
      {{"simulation.integrator", "newmark"}, {"simulation.fixed_step", std::to_string(h)}, {"simulation.end", "5"}}));
  REQUIRE(result.outcome.success());
  double phi = 0, rate = 0;
  for (std::size_t i = 0; i < result.state_names.size(); ++i) {
    if (result.state_names[i] == "bar.angle") phi = result.y_end[i];
    if (result.state_names[i] == "bar.omega") rate = result.y_end[i];
  }
  constexpr double pi = 3.14159265358979323846;
  return {phi - 1.5 * pi - 0.03549402190501, rate + 0.6000082810641};
}

}  // namespace

TEST_CASE("BDF coefficients of order 1 to 6 derived from backward differences are those of the notes") {
  using F = Fraction;
  const std::vector<Bdf> printed{
      {F(1), {F(1), F(-1)}},
      {F(2, 3), {F(1), F(-4, 3), F(1, 3)}},
      {F(6, 11), {F(1), F(-18, 11), F(9, 11), F(-2, 11)}},
      {F(12, 25), {F(1), F(-48, 25), F(36, 25), F(-16, 25), F(3, 25)}},
      {F(60, 137), {F(1), F(-300, 137), F(300, 137), F(-200, 137), F(75, 137), F(-12, 137)}},
      {F(60, 147), {F(1), F(-360, 147), F(450, 147), F(-400, 147), F(225, 147), F(-72, 147), F(10, 147)}}};
  for (int k = 1; k <= 6; ++k) {
    const Bdf ours = derived(k);
    const Bdf& theirs = printed[static_cast<std::size_t>(k) - 1];
    CHECK(ours.beta == theirs.beta);
    REQUIRE(ours.alpha.size() == theirs.alpha.size());
    for (std::size_t i = 0; i < ours.alpha.size(); ++i) CHECK(ours.alpha[i] == theirs.alpha[i]);
  }
}

TEST_CASE("BDF2 applied twice gives the coefficients of the notes for second-order systems") {
  // v_n = -a1 v1 - a2 v2 + b h a_n;  x_n = -a1 x1 - a2 x2 + b h v_n.
  const Bdf bdf = derived(2);
  const Fraction minus(-1);
  CHECK(minus * bdf.alpha[1] == Fraction(4, 3));
  CHECK(minus * bdf.alpha[2] == Fraction(-1, 3));
  CHECK(minus * bdf.alpha[1] * bdf.beta == Fraction(8, 9));
  CHECK(minus * bdf.alpha[2] * bdf.beta == Fraction(-2, 9));
  CHECK(bdf.beta * bdf.beta == Fraction(4, 9));
}

TEST_CASE("Newmark's beta of the notes is the dissipative member of its gamma") {
  // beta = (gamma + 1/2)^2 / 4 with gamma = 6/10.
  const Fraction sum = Fraction(6, 10) + Fraction(1, 2);
  CHECK(sum * sum / Fraction(4) == Fraction(3025, 10000));
}

TEST_CASE("Scalar problems of the notes reach their closed forms and recomputed values") {
  CHECK(solved(state("y", "0", "-0.1*y + sin(t)"), 0, 1)[0] == Approx(0.444239812523375744).epsilon(1e-12));
  CHECK(solved(state("y", "0", "-0.1*y + sin(t)"), 0, 10)[0] == Approx(1.14113748431579980).epsilon(1e-12));
  CHECK(solved(state("y", "2.4", "-y^2"), 0, 1)[0] == Approx(0.705882352941176471).epsilon(1e-12));
  CHECK(solved(state("y", "0", "sin(y)"), 0, 10)[0] == 0.0);
  CHECK(solved(state("y", "1", "sin(y)"), 0, 3)[0] ==
        Approx(2 * std::atan(std::tan(0.5) * std::exp(3.0))).epsilon(1e-12));
  // y = 1/t for every lambda; the printed form of the notes has lambda = -1 only.
  for (const char* lambda : {"-1", "-10", "-100"})
    CHECK(solved(state("y", "1", std::string(lambda) + "*(t*y^2 - 1/t) - 1/t^2"), 1, 10)[0] ==
          Approx(0.1).epsilon(1e-11));
  CHECK(solved(state("y", "1", "-5*t*y^2 + 5/t - 1/t^2"), 1, 4)[0] == Approx(0.25).epsilon(1e-11));
}

TEST_CASE("As printed, the convergence problem of the notes is not solved by 1/t") {
  // The exponent of y is missing there: y' = -5 t y + 5/t - 1/t^2 leads away from 1/t.
  CHECK(std::abs(solved(state("y", "1", "-5*t*y + 5/t - 1/t^2"), 1, 4)[0] - 0.25) > 0.05);
}

TEST_CASE("Planar problems of the notes: van der Pol and Lengyel-Epstein") {
  const std::string vdp = state("a", "2", "b") + state("b", "0", "(1 - a^2)*b - a");
  const auto at10 = solved(vdp, 0, 10), at20 = solved(vdp, 0, 20);
  CHECK(at10[0] == Approx(-2.0083407825797).epsilon(1e-11));
  CHECK(at10[1] == Approx(0.0329070658633).margin(1e-11));
  CHECK(at20[0] == Approx(2.0081497621749).epsilon(1e-11));
  CHECK(at20[1] == Approx(-0.0425088752732).margin(1e-11));
  const auto lengyel = [](const std::string& beta) {
    return state("a", "0", "10 - a - 4*a*b/(1 + a^2)") + state("b", "2", beta + "*a*(1 - b/(1 + a^2))");
  };
  const auto four10 = solved(lengyel("4"), 0, 10), four20 = solved(lengyel("4"), 0, 20);
  CHECK(four10[0] == Approx(2.2960460215).epsilon(1e-10));
  CHECK(four10[1] == Approx(5.4367415312).epsilon(1e-10));
  CHECK(four20[0] == Approx(1.8917643180).epsilon(1e-10));
  CHECK(four20[1] == Approx(4.8429155949).epsilon(1e-10));
  const auto two10 = solved(lengyel("2"), 0, 10), two20 = solved(lengyel("2"), 0, 20);
  CHECK(two10[0] == Approx(1.0047198278).epsilon(1e-10));
  CHECK(two10[1] == Approx(3.8419161597).epsilon(1e-10));
  CHECK(two20[0] == Approx(1.3352215941).epsilon(1e-10));
  CHECK(two20[1] == Approx(3.5653708117).epsilon(1e-10));
}

TEST_CASE("Newmark(0.3025, 0.6): the errors of the driven pendulum, and their first order") {
  // The reference's table is of the equation in one coordinate.
  const double steps[] = {0.01, 0.005, 0.0025};
  const double phi[] = {-0.0014630215, -0.0007448714, -0.0003757926};
  const double rate[] = {0.0039290144, 0.0018717460, 0.0009124560};
  for (int i = 0; i < 3; ++i) {
    const auto error = newmark_error("/validation/lectures/driven_pendulum/model.toml", steps[i]);
    CHECK(error.first == Approx(phi[i]).epsilon(1e-5));
    CHECK(error.second == Approx(rate[i]).epsilon(1e-5));
  }
  // In absolute coordinates with constraints of index 3 the constant is another one, the order is the same.
  const auto coarse = newmark_error("/validation/me451_forced_pendulum/model.toml", 0.005);
  const auto fine = newmark_error("/validation/me451_forced_pendulum/model.toml", 0.0025);
  CHECK(coarse.first / fine.first == Approx(2.0).epsilon(0.03));
  CHECK(coarse.second / fine.second == Approx(2.0).epsilon(0.05));
}

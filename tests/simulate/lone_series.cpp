// tests/simulate/lone_series.cpp
//
// What must hold of an arc of one freedom, s'' = K s + D s' + b + c t: its end, and every place on it, is the true
// motion within the last bits of the terms that are summed; a slide stops where the true velocity passes through zero,
// within the error that is told, and not before; and where no stop is told there is none. Truth: exponentials, sines
// and powers of t in 50 digits. Stiff, damped (critically, too), growing and free freedoms.
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <catch2/catch.hpp>
#include <cmath>

#include "simulate/islands/lone_series.hpp"
#include "support/random.hpp"

using namespace hstar::islands;
using support::Random;
using Real = boost::multiprecision::cpp_bin_float_50;

namespace {

struct State {
  Real s, v, a;
};

struct Freedom {
  double stiff, damp, by_time;
  double s, v, a;  ///< at 0; b is what makes this acceleration

  [[nodiscard]] State at(const Real& t) const {
    const Real K = stiff, D = damp, c = by_time, b = Real(a) - K * s - D * v, jerk = K * v + D * a + c;
    const Real q = K + D * D / 4;  // a = exp(D t/2) (a0 C + (j0 - D a0/2) S), C'' = q C
    const Real w = sqrt(abs(q));
    const Real C = q > 0 ? Real(cosh(w * t)) : Real(cos(w * t));
    const Real S = q > 0 ? Real(sinh(w * t) / w) : q < 0 ? Real(sin(w * t) / w) : t;
    const Real grows = exp(D * t / 2), r = jerk - D * a / 2;
    State at;
    at.a = grows * (a * C + r * S);
    const Real j = D / 2 * at.a + grows * (a * q * S + r * C);
    if (stiff != 0) {
      at.v = (j - D * at.a - c) / K;
      at.s = (at.a - D * at.v - b - c * t) / K;
    } else if (damp != 0) {
      at.v = (at.a - b - c * t) / D;
      at.s = s + (at.v - v - b * t - c * t * t / 2) / D;
    } else {
      at.v = v + b * t + c * t * t / 2;
      at.s = s + v * t + b * t * t / 2 + c * t * t * t / 6;
    }
    return at;
  }
  [[nodiscard]] LoneStart start(double h) const {
    const double jerk = stiff * v + damp * a + by_time, eps = std::numeric_limits<double>::epsilon();
    LoneStart from{s, h * v, h * h * a / 2, h * h * h * jerk / 6};
    from.w_error = 4 * eps * std::abs(from.w);
    from.j_error = 4 * eps * h * h * h / 6 * (std::abs(stiff * v) + std::abs(damp * a) + std::abs(by_time));
    return from;
  }
};

Freedom random_freedom(Random& random) {
  const double size = std::exp(random.uniform(-6, 9)), damping = random.uniform(0, 3);
  Freedom f{};
  switch (random.below(6)) {
    case 0:  // free
      break;
    case 1:
      f.damp = -size;
      break;
    case 2:
      f.stiff = size * size;
      f.damp = -damping * size;
      break;
    case 3:  // critically damped
      f.damp = -std::ldexp(1.0, random.below(20) - 5);
      f.stiff = -f.damp * f.damp / 4;
      break;
    case 4:
      f.stiff = -size * size;
      break;
    default:
      f.stiff = -size * size;
      f.damp = -damping * size;
  }
  const double fast = f.stiff != 0 || f.damp != 0 ? size : 1;
  f.s = random.uniform(-1, 1);
  f.v = random.below(2) == 0 ? 0.0 : random.uniform(-1, 1) * fast;
  f.a = random.below(8) == 0 ? 0.0 : random.uniform(-1, 1) * fast * fast;
  f.by_time = random.below(2) == 0 ? 0.0 : random.uniform(-1, 1) * fast * fast * fast;
  return f;
}

double largest(const LoneStart& a) { return std::abs(a.u) + 2 * std::abs(a.w) + 3 * std::abs(a.j); }

}  // namespace

TEST_CASE("an arc of one freedom is the true motion to the last bits") {
  Random random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const Freedom f = random_freedom(random);
    const LoneSeries series(f.stiff, f.damp, 3.0);
    const LoneStart from = f.start(series.h());
    INFO(trial << ": K " << f.stiff << ", D " << f.damp << ", c " << f.by_time << ", v " << f.v << ", a " << f.a);
    // (e^theta: terms may all have one sign.)
    const double last = 4 * std::numeric_limits<double>::epsilon() * std::exp(theta) * largest(from);
    const Real h = series.h();
    const State end = f.at(h);
    CHECK(abs(series.position(from) - end.s) <= last + std::numeric_limits<double>::epsilon() * std::abs(f.s));
    CHECK(abs(series.velocity(from) - end.v * h) <= last);
    CHECK(abs(series.acceleration(from) - end.a * h * h) <= 2 * last);
    std::array<double, most_powers> c{};
    series.terms(from, c.data());
    const double x = random.uniform(0, 1);
    double sum = 0;
    for (std::size_t k = series.count(); k-- > 0;) sum = sum * x + c[k];
    CHECK(abs(sum - f.at(h * x).s) <= last + std::numeric_limits<double>::epsilon() * std::abs(f.s));
  }
}

TEST_CASE("a slide of one freedom stops where its velocity passes through zero, and nowhere else") {
  Random random(2);
  int stops = 0, none = 0, dips = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    Freedom f = random_freedom(random);
    const double sign = f.v != 0 ? std::copysign(1.0, f.v) : random.below(2) == 0 ? 1 : -1;
    const LoneSeries series(f.stiff, f.damp, 3.0);
    if (random.below(4) == 0) {  // slowly, and faster and faster: often only just through zero
      f.a = -sign * std::abs(f.a);
      f.by_time = -f.stiff * f.v - f.damp * f.a + 3 * sign * std::abs(f.a) / series.h();
    }
    const LoneStart from = f.start(series.h());
    INFO(trial << ": K " << f.stiff << ", D " << f.damp << ", c " << f.by_time << ", v " << f.v << ", a " << f.a);
    const auto stop = series.stop(from, sign);
    if (stop && !stop->clear) {
      CHECK(f.v == 0);
      CHECK(sign * f.at(Real(series.h()) / 1024).v < 0);
      continue;
    }
    const auto v = [&](const Real& x) { return Real(sign * f.at(x * series.h()).v * series.h()); };
    const double until = stop ? stop->x : 1.0, zero = 64 * std::numeric_limits<double>::epsilon() * largest(from);
    for (int part = 1; part < 64; ++part) CHECK(v(Real(until) * part / 64) >= -zero);
    if (!stop) {
      ++none;
      CHECK(v(1) >= -zero);
      continue;
    }
    ++stops;
    dips += v(1) > 0;
    CHECK(v(Real(stop->x) - stop->error) > 0);
    CHECK(v(Real(stop->x) + stop->error) < 0);
    CHECK(stop->error < 1e-6);
  }
  CHECK(stops > 500);
  CHECK(none > 500);
  CHECK(dips > 20);
}

// tests/laws/hybrid_problems.cpp
#include "laws/hybrid_problems.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <string>
#include <utility>

namespace hybrid_laws {
namespace {

using hstar::events::Crossing;
using hstar::events::Sign;
using Random = std::mt19937_64;
constexpr double kPi = std::numbers::pi;

/// Own distributions: those of the standard library differ between implementations.
double unit(Random& r) { return static_cast<double>(r() >> 11) * 0x1p-53; }
double between(Random& r, double a, double b) { return a + (b - a) * unit(r); }
double log_between(Random& r, double a, double b) { return std::exp(between(r, std::log(a), std::log(b))); }
std::size_t choose(Random& r, std::size_t n) { return static_cast<std::size_t>(r() % n); }

/// Crossing pair, touch or near miss, as wide as `width` would be.
enum class Kind { pair, touch, miss };
Kind draw_kind(Random& r) {
  const double u = unit(r);
  return u < 0.6 ? Kind::pair : u < 0.75 ? Kind::touch : Kind::miss;
}
const char* text(Kind k) { return k == Kind::pair ? "pair" : k == Kind::touch ? "touch" : "near miss"; }
Crossing draw_crossing(Random& r) {
  constexpr std::array<Crossing, 4> all = {Crossing::either, Crossing::either, Crossing::rising, Crossing::falling};
  return all[choose(r, all.size())];
}
std::string number(double x) {
  char s[32];
  std::snprintf(s, sizeof s, "%.3g", x);
  return s;
}

/// y'' = -omega^2 y in the first two components.
auto turn(double omega) {
  return [omega](double t0, std::span<const double> y0, double t, std::span<double> y) {
    const double c = std::cos(omega * (t - t0)), s = std::sin(omega * (t - t0));
    std::copy(y0.begin(), y0.end(), y.begin());
    y[0] = y0[0] * c + y0[1] / omega * s;
    y[1] = y0[1] * c - omega * y0[0] * s;
  };
}

}  // namespace

std::unique_ptr<hstar::FunctionProcess> Problem::process() const {
  auto p = std::make_unique<hstar::FunctionProcess>(n, rates);
  for (std::size_t i = 0; i < guards.size(); ++i) {
    const Guard& g = guards[i];
    hstar::events::GuardInfo info;
    info.name = "g" + std::to_string(i);
    info.crossing = g.crossing;
    info.start = g.start;
    info.degree = g.degree;
    info.g_tol = g.g_tol;
    hstar::FunctionProcess::Effect effect;
    if (g.active)
      effect = [f = g.effect](double t, std::span<double> y) {
        if (f) f(t, y);
        return true;
      };
    p->add_guard(info, g.g, "", std::move(effect));
    p->set_after(i, g.after);
  }
  return p;
}

/// y'' = -omega^2 y with its peak at t_peak; the guard lies at, just under or just over the peak.
Problem draw_oscillator(Random& r) {
  const double omega = log_between(r, 0.3, 30.0), amplitude = log_between(r, 0.1, 10.0);
  const double period = 2.0 * kPi / omega, side = choose(r, 2) ? 1.0 : -1.0;
  const double t_peak = between(r, 0.2, 0.9) * period, width = log_between(r, 1e-10, 1e-1) * period;
  const Kind kind = draw_kind(r);
  // height of the guard below the peak: 2 A sin^2(omega width/4), without cancellation
  const double s = std::sin(0.25 * omega * width), depth = 2.0 * amplitude * s * s;
  const double below = kind == Kind::pair ? depth : kind == Kind::touch ? 0.0 : -depth;
  const double level = side * (amplitude - below);

  Problem p;
  p.text = std::string(text(kind)) + " of width " + number(width / period) + " periods";
  p.n = 2;
  p.rates = [omega](double, const double* y, double* d) {
    d[0] = y[1];
    d[1] = -omega * omega * y[0];
  };
  p.scale = amplitude;
  p.y0 = {side * amplitude * std::cos(omega * t_peak), side * amplitude * omega * std::sin(omega * t_peak)};
  p.t_end = std::min(between(r, 1.02, 1.2) * period, t_peak + 0.8 * period);
  Guard g;
  g.crossing = draw_crossing(r);
  g.active = choose(r, 3) == 0;
  const bool known_degree = choose(r, 2) == 0;
  g.degree = known_degree ? 1 : 0;
  g.round_off = 4e-14 * amplitude;
  g.g_tol = 0.0;
  g.g = [level](double, std::span<const double> y) { return y[0] - level; };
  // cos - cos of the peak without cancellation
  g.exact = [=](double t) {
    const double h = std::sin(0.5 * omega * (t - t_peak));
    return side * (below - 2.0 * amplitude * h * h);
  };
  g.lobe = {true,
            side > 0 ? 1 : -1,
            kind == Kind::pair,
            t_peak,
            kind == Kind::touch ? 0.0 : depth,
            [=](double t0, std::span<const double> y0) {
              const double t = t0 + std::atan2(side * y0[1] / omega, side * y0[0]) / omega;
              return std::pair(t, std::hypot(y0[0], y0[1] / omega) - side * level);
            }};
  p.motion = turn(omega);
  p.guards.push_back(g);
  return p;
}

namespace {
/// y' = p'(t), y = s (t - a)(t - b)(1 + c t): a polynomial of degree 3 with a pair of roots.
Problem polynomial(Random& r, double least_width, double most_width) {
  const double s = (choose(r, 2) ? 1.0 : -1.0) * log_between(r, 0.1, 10.0), c = between(r, -0.3, 0.5);
  const double centre = between(r, 0.1, 0.9), width = log_between(r, least_width, most_width);
  const Kind kind = draw_kind(r);
  const double q = 0.25 * width * width, gap = kind == Kind::pair ? -q : kind == Kind::touch ? 0.0 : q;
  // (x^2 + gap)(k + c x) with x = t - centre, k = 1 + c centre > 0
  const double k = 1.0 + c * centre;
  Problem p;
  p.text = std::string(text(kind)) + " of width " + number(width);
  p.n = 1;
  p.rates = [=](double t, const double*, double* d) {
    const double x = t - centre;
    d[0] = s * (2.0 * x * (k + c * x) + c * (x * x + gap));
  };
  const double offset = between(r, -2.0, 2.0);  // so that the state itself is not small near the roots
  const auto exact = [=](double t) {
    const double x = t - centre;
    return s * (x * x + gap) * (k + c * x);
  };
  p.y0 = {exact(0.0) + offset};
  p.scale = std::fabs(s) + std::fabs(offset);
  p.max_step = between(r, 0.05, 1.0);
  Guard g;
  g.crossing = draw_crossing(r);
  g.active = choose(r, 3) == 0;
  g.degree = choose(r, 2) ? 1 : 0;
  g.round_off = 4e-14 * p.scale;
  g.g = [offset](double, std::span<const double> y) { return y[0] - offset; };
  g.exact = exact;
  g.lobe = {true,
            s > 0 ? -1 : 1,
            kind == Kind::pair,
            centre,
            std::fabs(s * gap) * k,
            [=](double t0, std::span<const double> y0) {
              const double shift = y0[0] - offset - exact(t0);
              return std::pair(centre, (s > 0 ? -1.0 : 1.0) * (s * gap * k + shift));
            }};
  p.motion = [exact](double t0, std::span<const double> y0, double t, std::span<double> y) {
    y[0] = y0[0] + (exact(t) - exact(t0));
  };
  p.guards.push_back(g);
  return p;
}
}  // namespace

Problem draw_polynomial(Random& r) { return polynomial(r, 1e-10, 1e-1); }

Problem draw_shallow(Random& r) {
  Problem p = polynomial(r, 1e-8, 3e-7);
  p.guards[0].active = true;
  p.guards[0].crossing = hstar::events::Crossing::either;
  return p;
}

/// y' = -lambda y, guard s (y - c1)(y - c2): degree two in y, two roots in time or a touch or a miss.
Problem draw_exponential(Random& r) {
  const double lambda = log_between(r, 0.3, 10.0), s = choose(r, 2) ? 1.0 : -1.0, amplitude = log_between(r, 0.1, 10.0);
  const double middle = between(r, 0.3, 0.9), width = log_between(r, 1e-10, 1e-1);  // of the level
  const Kind kind = draw_kind(r);
  const double half = 0.5 * width * middle, gap = kind == Kind::pair    ? -half * half
                                                  : kind == Kind::touch ? 0.0
                                                                        : half * half;
  Problem p;
  p.text = std::string(text(kind)) + " of width " + number(width) + " of the level";
  p.n = 1;
  p.rates = [lambda](double, const double* y, double* d) { d[0] = -lambda * y[0]; };
  p.y0 = {amplitude};
  p.scale = amplitude;
  p.t_end = 2.0 / lambda;
  Guard g;
  g.crossing = draw_crossing(r);
  g.active = choose(r, 3) == 0;
  g.degree = choose(r, 2) ? 2 : 0;
  g.round_off = 4e-14;
  g.g = [=](double, std::span<const double> y) {
    const double x = y[0] / amplitude - middle;
    return s * (x * x + gap);
  };
  g.exact = [=](double t) {
    const double x = middle * std::expm1(-lambda * t - std::log(middle));
    return s * (x * x + gap);
  };
  const double t_middle = -std::log(middle) / lambda;
  g.lobe = {
      true, s > 0 ? -1 : 1, kind == Kind::pair, t_middle, std::fabs(gap), [=](double t0, std::span<const double> y0) {
        return std::pair(t0 + std::log(y0[0] / (amplitude * middle)) / lambda, -gap);
      }};
  p.motion = [lambda](double t0, std::span<const double> y0, double t, std::span<double> y) {
    y[0] = y0[0] * std::exp(-lambda * (t - t0));
  };
  p.guards.push_back(g);
  return p;
}

/// y' = 1, known without error: the pair is decidable down to 1e-10 of the run.
Problem draw_clock(Random& r) {
  const double s = (choose(r, 2) ? 1.0 : -1.0) * log_between(r, 0.1, 10.0);
  const double centre = between(r, 0.05, 0.95), width = log_between(r, 1e-10, 1e-1);
  const Kind kind = draw_kind(r);
  const double first = centre - 0.5 * width, last = centre + 0.5 * width;
  // the width that is left of the numbers themselves
  const double half = 0.5 * (last - first), gap = kind == Kind::pair    ? -half * half
                                                  : kind == Kind::touch ? 0.0
                                                                        : half * half;
  const double middle = 0.5 * (first + last);
  Problem p;
  p.text = std::string(text(kind)) + " of width " + number(width);
  p.n = 1;
  p.rates = [](double, const double*, double* d) { d[0] = 1.0; };
  p.motion = [](double t0, std::span<const double> y0, double t, std::span<double> y) { y[0] = y0[0] + (t - t0); };
  p.y0 = {0.0};
  p.max_step = between(r, 0.02, 1.0);
  Guard g;
  g.crossing = draw_crossing(r);
  g.active = choose(r, 3) == 0;
  g.degree = choose(r, 2) ? 2 : 0;
  const auto form = [=](double x) {
    return s * (kind == Kind::pair ? (x - first) * (x - last) : (x - middle) * (x - middle) + gap);
  };
  g.g = [form](double, std::span<const double> y) { return form(y[0]); };
  g.exact = form;
  // times and y are multiples of 1e-16: over the width that is this much of g
  g.round_off = 4e-15 * std::fabs(s) * (width + 4e-15);
  g.lobe = {
      true, s > 0 ? -1 : 1, kind == Kind::pair, middle, std::fabs(s * gap), [=](double t0, std::span<const double> y0) {
        return std::pair(t0 + (middle - y0[0]), -std::fabs(s) * gap);
      }};
  p.guards.push_back(g);
  return p;
}

/// Bouncing ball, impact oscillator, or relaxation with reset; events in closed form, start declared or known.
Problem draw_reset(Random& r) {
  Problem p;
  Guard g;
  g.active = true;
  g.crossing = Crossing::falling;
  g.after = Sign::positive;
  g.degree = choose(r, 2) ? 1 : 0;
  const std::size_t which = choose(r, 3);
  const bool from_floor = choose(r, 2) == 0;  // starts at zero, declared positive
  if (which == 0) {
    const double gravity = log_between(r, 1.0, 20.0), e = between(r, 0.3, 0.95), height = log_between(r, 0.1, 10.0);
    double t = std::sqrt(2.0 * height / gravity), v = gravity * t;
    p.text = "ball, e = " + number(e);
    p.n = 2;
    p.rates = [gravity](double, const double* y, double* d) {
      d[0] = y[1];
      d[1] = -gravity;
    };
    p.motion = [gravity](double t0, std::span<const double> y0, double x, std::span<double> y) {
      const double d = x - t0;
      y[0] = y0[0] + d * (y0[1] - 0.5 * gravity * d);
      y[1] = y0[1] - gravity * d;
    };
    p.scale = height;
    if (from_floor) {
      p.y0 = {0.0, v};
      t *= 2.0;
      g.start = Sign::positive;
    } else {
      p.y0 = {height, 0.0};
    }
    std::vector<double> impact;
    std::vector<double> speed;
    for (int k = 0; k < 8; ++k) {
      impact.push_back(t);
      speed.push_back(v);
      g.roots.push_back({t, -1});
      v *= e;
      t += 2.0 * v / gravity;
    }
    p.t_end = t - v / gravity;  // half-way through the next flight
    g.g = [](double, std::span<const double> y) { return y[0]; };
    g.effect = [e](double, std::span<double> y) {
      y[0] = std::max(y[0], 0.0);
      y[1] = -e * y[1];
    };
    // near an impact the flight before it, continued
    g.exact = [=](double x) {
      std::size_t k = 0;
      while (k + 1 < impact.size() && std::fabs(impact[k + 1] - x) < std::fabs(impact[k] - x)) ++k;
      const double d = x - impact[k];
      return -d * (speed[k] + 0.5 * gravity * d);
    };
    g.round_off = 1e-12 * height;
  } else if (which == 1) {
    // y'' = -omega^2 y on y >= 0: an impact each half period whatever e is
    const double omega = log_between(r, 0.5, 10.0), e = between(r, 0.5, 1.0), speed = log_between(r, 0.1, 10.0);
    p.text = "impact oscillator, e = " + number(e);
    p.n = 2;
    p.rates = [omega](double, const double* y, double* d) {
      d[0] = y[1];
      d[1] = -omega * omega * y[0];
    };
    p.motion = turn(omega);
    p.scale = speed / omega;
    const double phase = from_floor ? 0.0 : between(r, 0.1, 0.9) * kPi;
    p.y0 = {speed / omega * std::sin(phase), speed * std::cos(phase)};
    if (from_floor) g.start = Sign::positive;
    for (int k = 1; k <= 5; ++k) g.roots.push_back({(k * kPi - phase) / omega, -1});
    p.t_end = (5.5 * kPi - phase) / omega;
    g.g = [](double, std::span<const double> y) { return y[0]; };
    g.effect = [e](double, std::span<double> y) {
      y[0] = std::max(y[0], 0.0);
      y[1] = -e * y[1];
    };
    g.exact = [=](double t) { return speed / omega * std::fabs(std::sin(omega * t + phase)); };
    g.round_off = 1e-12 * p.scale;
  } else {
    // y' = -lambda (y - 1) from 0, reset to 0 at c
    const double lambda = log_between(r, 0.5, 5.0), c = between(r, 0.3, 0.95), period = -std::log1p(-c) / lambda;
    p.text = "relaxation to " + number(c);
    p.n = 1;
    p.rates = [lambda](double, const double* y, double* d) { d[0] = -lambda * (y[0] - 1.0); };
    p.motion = [lambda](double t0, std::span<const double> y0, double t, std::span<double> y) {
      y[0] = 1.0 + (y0[0] - 1.0) * std::exp(-lambda * (t - t0));
    };
    p.y0 = {0.0};
    for (int k = 1; k <= 5; ++k) g.roots.push_back({k * period, -1});
    p.t_end = 5.5 * period;
    g.g = [c](double, std::span<const double> y) { return c - y[0]; };
    g.effect = [](double, std::span<double> y) { y[0] = 0.0; };
    // near event k the branch that ends there, continued
    g.exact = [=](double t) {
      return c + std::expm1(-lambda * (t - (std::max(std::round(t / period), 1.0) - 1.0) * period));
    };
    g.round_off = 1e-12;
  }
  p.guards.push_back(g);
  return p;
}

/// Several guards with the same root, active ones among them; the first fires with all of them.
Problem draw_simultaneous(Random& r) {
  const double omega = log_between(r, 0.3, 30.0), period = 2.0 * kPi / omega,
               t_root = between(r, 0.05, 0.9) * 0.5 * period;
  const double level = std::cos(omega * t_root);
  Problem p;
  p.text = "simultaneous";
  // 64 ulp, and what g_tol moves the root
  p.one_instant = 64.0 * 0x1p-52 * t_root + 2e-14 / (omega * std::sin(omega * t_root));
  p.n = 2;
  p.rates = [omega](double, const double* y, double* d) {
    d[0] = y[1];
    d[1] = -omega * omega * y[0];
  };
  p.motion = turn(omega);
  p.y0 = {1.0, 0.0};
  p.t_end = 0.5 * period;
  std::vector<std::function<double(double)>> forms = {
      [level](double x) { return x - level; }, [level](double x) { return -3.0 * (x - level); },
      [level](double x) { return (x - level) * (x + 4.0); }, [level](double x) { return std::expm1(x - level); }};
  constexpr std::array<int, 4> direction = {-1, 1, -1, -1}, degree = {1, 1, 2, 0};
  std::array<std::size_t, 4> order = {0, 1, 2, 3};
  for (std::size_t i = 3; i > 0; --i) std::swap(order[i], order[choose(r, i + 1)]);
  for (const std::size_t i : order) {
    Guard g;
    g.active = choose(r, 3) != 0;
    g.degree = choose(r, 2) ? degree[i] : 0;
    g.g = [f = forms[i]](double, std::span<const double> y) { return f(y[0]); };
    g.exact = [f = forms[i], omega](double t) { return f(std::cos(omega * t)); };
    g.g_tol = 1e-14;  // round-off of g: the roots of different forms differ by it
    g.round_off = 1e-12;
    g.roots = {{t_root, direction[i]}};
    p.guards.push_back(g);
  }
  return p;
}

/// Guards that are zero at the start (leaving as tau or tau^2, either side) and guards that stay at zero.
Problem draw_zero(Random& r) {
  const double omega = log_between(r, 0.3, 30.0), period = 2.0 * kPi / omega;
  const double phase = choose(r, 2) ? 0.0 : between(r, 0.3, 2.8);  // 0: at the peak, leaves as tau^2
  const double side = choose(r, 2) ? 1.0 : -1.0;
  Problem p;
  p.text = phase == 0.0 ? "leaves zero as tau^2" : "leaves zero as tau";
  p.n = 3;
  p.rates = [omega](double, const double* y, double* d) {
    d[0] = y[1];
    d[1] = -omega * omega * y[0];
    d[2] = 0.0;  // stuck
  };
  const double y2 = between(r, -3.0, 3.0);
  p.y0 = {std::cos(phase), -omega * std::sin(phase), y2};
  p.motion = turn(omega);
  const double start = p.y0[0];
  p.t_end = (phase > 0.0 && phase < 0.2 * kPi ? 0.7 : 0.9) * period;  // not at the end, where errors decide
  Guard g;
  g.start = choose(r, 2) ? Sign::from_value : side > 0 ? Sign::negative : Sign::positive;  // it falls at first
  g.g_tol = 1e-15;  // round-off of y0 - start over the first, very short steps
  g.active = choose(r, 2) == 0;
  g.degree = choose(r, 2) ? 1 : 0;
  g.g = [=](double, std::span<const double> y) { return side * (y[0] - start); };
  g.exact = [=](double t) { return side * (std::cos(omega * t + phase) - std::cos(phase)); };
  g.round_off = 1e-12;
  // back at cos(omega t + phase) = cos(phase): omega t = 2 pi - 2 phase; from the peak only after a whole period
  if (phase > 0.0 && 2.0 * kPi - 2.0 * phase < 0.8 * 2.0 * kPi)
    g.roots = {{(2.0 * kPi - 2.0 * phase) / omega, side > 0 ? 1 : -1}};
  p.guards.push_back(g);
  // exactly at zero for ever, for each kind of knowledge
  for (const Sign s : {Sign::from_value, Sign::positive, Sign::negative}) {
    Guard stuck;
    stuck.start = s;
    stuck.active = choose(r, 2) == 0;
    stuck.degree = static_cast<int>(choose(r, 2));
    stuck.g = [y2](double, std::span<const double> y) { return y[2] - y2; };
    stuck.exact = [](double) { return 0.0; };
    p.guards.push_back(stuck);
  }
  return p;
}

}  // namespace hybrid_laws

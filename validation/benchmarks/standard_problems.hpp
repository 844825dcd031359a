// validation/benchmarks/standard_problems.hpp
//
// The smooth problems of bench_standard as one writes them by hand; the same as formulas: standard/ and ivp/ (sources
// there). Of the stiff ones Jacobians too, for Odeint's Rosenbrock method.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace bench {

// (no C++20: standard_rosenbrock.cpp)
inline constexpr double pi = 3.14159265358979323846, root_3 = 1.73205080756887729353;

struct Pendulum {
  static constexpr const char *name = "pendulum", *model = "standard/pendulum.toml";
  static constexpr std::size_t n = 2;
  static constexpr bool stiff = false;
  static constexpr double t_end = 10;
  std::array<double, n> start{pi / 2, 0};
  template <class Y, class D>
  static void rates(const Y& y, D& d) {
    d[0] = y[1];
    d[1] = -9.81 * std::sin(y[0]);
  }
};

struct Kepler {
  static constexpr const char *name = "kepler", *model = "standard/kepler.toml";
  static constexpr std::size_t n = 4;
  static constexpr bool stiff = false;
  static constexpr double t_end = 6 * pi;
  std::array<double, n> start{0.5, 0, 0, root_3};
  template <class Y, class D>
  static void rates(const Y& y, D& d) {
    const double r = std::sqrt(y[0] * y[0] + y[1] * y[1]), pull = 1 / (r * r * r);
    d[0] = y[2];
    d[1] = y[3];
    d[2] = -pull * y[0];
    d[3] = -pull * y[1];
  }
};

struct Arenstorf {
  static constexpr const char *name = "arenstorf", *model = "standard/arenstorf.toml";
  static constexpr std::size_t n = 4;
  static constexpr bool stiff = false;
  static constexpr double t_end = 17.0652165601579625588917206249, moon = 0.012277471, earth = 1 - moon;
  std::array<double, n> start{0.994, 0, 0, -2.00158510637908252240537862224};
  template <class Y, class D>
  static void rates(const Y& y, D& d) {
    const double a = y[0] + moon, b = y[0] - earth, r1 = std::sqrt(a * a + y[1] * y[1]),
                 r2 = std::sqrt(b * b + y[1] * y[1]), to_earth = earth / (r1 * r1 * r1),
                 to_moon = moon / (r2 * r2 * r2);
    d[0] = y[2];
    d[1] = y[3];
    d[2] = y[0] + 2 * y[3] - to_earth * a - to_moon * b;
    d[3] = y[1] - 2 * y[2] - (to_earth + to_moon) * y[1];
  }
};

struct RigidBody {
  static constexpr const char *name = "rigid_body", *model = "standard/rigid_body.toml";
  static constexpr std::size_t n = 3;
  static constexpr bool stiff = false;
  static constexpr double t_end = 60;
  std::array<double, n> start{0, 1, 1};
  template <class Y, class D>
  static void rates(const Y& y, D& d) {
    d[0] = y[1] * y[2];
    d[1] = -y[0] * y[2];
    d[2] = -0.51 * y[0] * y[1];
  }
};

struct VanDerPol {
  static constexpr const char *name = "van_der_pol", *model = "ivp/van_der_pol.toml";
  static constexpr std::size_t n = 2;
  static constexpr bool stiff = true;
  static constexpr double t_end = 2, atol = 1;
  std::array<double, n> start{2, 0};
  template <class Y, class D>
  static void rates(const Y& y, D& d) {
    d[0] = y[1];
    d[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
  }
  template <class Y, class J>
  static void jacobian(const Y& y, J& j) {
    j(0, 1) = 1;
    j(1, 0) = (-2 * y[0] * y[1] - 1) / 1e-6;
    j(1, 1) = (1 - y[0] * y[0]) / 1e-6;
  }
};

struct Robertson {
  static constexpr const char *name = "robertson", *model = "ivp/robertson.toml";
  static constexpr std::size_t n = 3;
  static constexpr bool stiff = true;
  static constexpr double t_end = 1e11, atol = 1e-6;
  std::array<double, n> start{1, 0, 0};
  template <class Y, class D>
  static void rates(const Y& y, D& d) {
    d[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    d[2] = 3e7 * y[1] * y[1];
    d[1] = -d[0] - d[2];
  }
  template <class Y, class J>
  static void jacobian(const Y& y, J& j) {
    j(0, 0) = -0.04;
    j(0, 1) = 1e4 * y[2];
    j(0, 2) = 1e4 * y[1];
    j(2, 1) = 6e7 * y[1];
    for (std::size_t i = 0; i < n; ++i) j(1, i) = -j(0, i) - j(2, i);
  }
};

struct Oregonator {
  static constexpr const char *name = "oregonator", *model = "ivp/oregonator.toml";
  static constexpr std::size_t n = 3;
  static constexpr bool stiff = true;
  static constexpr double t_end = 360, atol = 1;
  std::array<double, n> start{1, 2, 3};
  template <class Y, class D>
  static void rates(const Y& y, D& d) {
    d[0] = 77.27 * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1]));
    d[1] = (y[2] - (1 + y[0]) * y[1]) / 77.27;
    d[2] = 0.161 * (y[0] - y[2]);
  }
  template <class Y, class J>
  static void jacobian(const Y& y, J& j) {
    j(0, 0) = 77.27 * (1 - 2 * 8.375e-6 * y[0] - y[1]);
    j(0, 1) = 77.27 * (1 - y[0]);
    j(1, 0) = -y[1] / 77.27;
    j(1, 1) = -(1 + y[0]) / 77.27;
    j(1, 2) = 1 / 77.27;
    j(2, 0) = 0.161;
    j(2, 2) = -0.161;
  }
};

struct Hires {
  static constexpr const char *name = "hires", *model = "ivp/hires.toml";
  static constexpr std::size_t n = 8;
  static constexpr bool stiff = true;
  static constexpr double t_end = 321.8122, atol = 1e-3;
  std::array<double, n> start{1, 0, 0, 0, 0, 0, 0, 0.0057};
  template <class Y, class D>
  static void rates(const Y& y, D& d) {
    const double bound = 280 * y[5] * y[7];
    d[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    d[1] = 1.71 * y[0] - 8.75 * y[1];
    d[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    d[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    d[4] = -1.745 * y[4] + 0.43 * (y[5] + y[6]);
    d[5] = -bound + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    d[6] = bound - 1.81 * y[6];
    d[7] = -d[6];
  }
  template <class Y, class J>
  static void jacobian(const Y& y, J& j) {
    j(0, 0) = -1.71, j(0, 1) = 0.43, j(0, 2) = 8.32;
    j(1, 0) = 1.71, j(1, 1) = -8.75;
    j(2, 2) = -10.03, j(2, 3) = 0.43, j(2, 4) = 0.035;
    j(3, 1) = 8.32, j(3, 2) = 1.71, j(3, 3) = -1.12;
    j(4, 4) = -1.745, j(4, 5) = j(4, 6) = 0.43;
    j(5, 3) = 0.69, j(5, 4) = 1.71, j(5, 5) = -280 * y[7] - 0.43, j(5, 6) = 0.69, j(5, 7) = -280 * y[5];
    j(6, 5) = 280 * y[7], j(6, 6) = -1.81, j(6, 7) = 280 * y[5];
    for (std::size_t i = 0; i < n; ++i) j(7, i) = -j(6, i);
  }
};

}  // namespace bench

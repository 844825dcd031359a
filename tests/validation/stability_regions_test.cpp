// tests/validation/stability_regions_test.cpp
//
// Absolute stability: for which z = h lambda a fixed step on y' = lambda y does not grow. BDF from the coefficients it
// steps with, Runge-Kutta methods by taking the step. The angles and intervals must be those of the literature (Hairer
// & Wanner 1996, tables V.2.1 and IV.2), and docs/stability_regions.svg must be the picture drawn here: on a difference
// the new one is written into the temporary folder, to be looked at and copied.
#include <fmt/core.h>

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "hstar/error.hpp"
#include "hstar/flow.hpp"
#include "hstar/method.hpp"
#include "integrator/stability.hpp"
#include "report/curve.hpp"
#include "report/figure.hpp"

using namespace hstar;

namespace {

using Complex = std::complex<double>;
constexpr double pi = 3.14159265358979323846;

/// z for which a root of the characteristic polynomial is exp(i theta).
Complex bdf_locus(const std::vector<double>& c, double theta) {
  Complex z = 0;
  for (std::size_t i = 0; i < c.size(); ++i) z += c[i] * std::polar(1.0, -theta * static_cast<double>(i));
  return z;
}

/// Largest root of sum c_i r^(k-i) (Durand-Kerner).
double largest_root(const std::vector<double>& c) {
  const std::size_t k = c.size() - 1;
  std::vector<Complex> r(k);
  for (std::size_t i = 0; i < k; ++i) r[i] = std::pow(Complex(0.4, 0.9), static_cast<double>(i));
  for (int sweep = 0; sweep < 500; ++sweep)
    for (std::size_t i = 0; i < k; ++i) {
      Complex value = c[0], others = c[0];
      for (std::size_t j = 1; j <= k; ++j) value = value * r[i] + c[j];
      for (std::size_t j = 0; j < k; ++j)
        if (j != i) others *= r[i] - r[j];
      r[i] -= value / others;
    }
  double largest = 0;
  for (const Complex& root : r) largest = std::max(largest, std::abs(root));
  return largest;
}

/// y' = z y as two real states.
class Linear final : public OdeProblem {
 public:
  Complex z;
  std::size_t size() const override { return 2; }
  bool rates(double, const double* y, double* ydot) override {
    const Complex rate = z * Complex(y[0], y[1]);
    ydot[0] = rate.real();
    ydot[1] = rate.imag();
    return true;
  }
};

/// |R(z)|: what one step of length 1 makes of 1.
class Amplification {
 public:
  explicit Amplification(const char* name) {
    FlowOptions o;
    o.fixed_step = 1;
    o.t_end = 2;
    flow_ = find_integrator(name)->make(problem_, o);
  }
  double operator()(Complex z) {
    problem_.z = z;
    const std::array<double, 2> one{1, 0};
    flow_->restart(0, one);
    REQUIRE(flow_->step(2) == StepResult::accepted);
    return std::hypot(flow_->y1()[0], flow_->y1()[1]);
  }

 private:
  Linear problem_;
  std::unique_ptr<Flow> flow_;
};

constexpr std::array runge_kutta{"ode23", "dopri5", "dop853", "bulirsch_stoer"};

class Picture {
 public:
  std::string draw() {
    panel(40, {-9, 9, 40, 400}, "Runge-Kutta: stable inside");
    for (std::size_t i = 0; i < runge_kutta.size(); ++i) {
      Amplification amplification(runge_kutta[i]);
      contour(amplification, i);
      legend(i, 280, runge_kutta[i]);
    }
    panel(470, {-14, 34, 470, 830}, "BDF 1 to 6: stable outside");
    for (std::size_t k = 1; k <= 6; ++k) {
      const auto c = integrator::bdf_coefficients(k);
      std::string path;
      for (int i = 0; i <= 720; ++i) {
        const Complex z = bdf_locus(c, 2 * pi * i / 720);
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_(z.real()), y_(z.imag()));
      }
      add(k - 1, path);
      legend(k - 1, 748, fmt::format("order {}", k));
    }
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" viewBox=\"0 0 870 420\" role=\"img\" "
        "aria-label=\"regions of absolute stability\">\n<style>{}</style>\n"
        "<rect class=\"paper\" width=\"870\" height=\"420\"/>\n{}</svg>\n",
        report::figure_style(), body_);
  }

 private:
  static constexpr int top = 30, size = 360;

  void panel(int left, report::Scale x, const std::string& title) {
    x_ = x;
    const double half = 0.5 * (x.high - x.low);
    y_ = {-half, half, double(top + size), double(top)};
    const int step = half > 10 ? 4 : 2;
    const auto low = static_cast<int>(x.low), high = static_cast<int>(x.high), reach = static_cast<int>(half);
    for (int v = low + (step - (low % step + step) % step) % step; v <= high; v += step)
      body_ += fmt::format(
          "<path class=\"grid\" d=\"M{0:.1f} {1}v{2}\"/><text class=\"tick\" x=\"{0:.1f}\" y=\"{3}\" "
          "text-anchor=\"middle\">{4}</text>\n",
          x_(v), top, size, top + size + 14, v);
    for (int v = -(reach / step) * step; v <= reach; v += step)
      body_ += fmt::format(
          "<path class=\"grid\" d=\"M{0} {1:.1f}h{2}\"/><text class=\"tick\" x=\"{3}\" y=\"{4:.1f}\" "
          "text-anchor=\"end\">{5}i</text>\n",
          left, y_(v), size, left - 4, y_(v) + 4, v);
    body_ +=
        fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", left, top, size, size);
    body_ +=
        fmt::format("<text class=\"name\" x=\"{}\" y=\"{}\">{} (plane of h lambda)</text>\n", left, top - 10, title);
  }
  void add(std::size_t colour, const std::string& path) {
    body_ += fmt::format("<path class=\"curve c{}\" d=\"{}\"/>\n", colour % 6, path);
  }
  void legend(std::size_t i, int x, const std::string& name) {
    const int y = top + 20 + 16 * static_cast<int>(i);
    add(i, fmt::format("M{} {}h20", x, y - 4));
    body_ += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\">{}</text>\n", x + 26, y, name);
  }
  /// Where |R| = 1, cell by cell of a grid over the panel.
  void contour(Amplification& amplification, std::size_t colour) {
    constexpr int n = 150;
    std::vector<double> value(static_cast<std::size_t>((n + 1) * (n + 1)));
    const auto point = [&](int i, int j) {
      return Complex(x_.low + (x_.high - x_.low) * i / n, y_.low + (y_.high - y_.low) * j / n);
    };
    const auto at = [&](int i, int j) -> double& { return value[static_cast<std::size_t>(i * (n + 1) + j)]; };
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) at(i, j) = std::log(amplification(point(i, j)) + 1e-300);
    std::string path;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const int corner[5][2] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}, {i, j}};
        std::vector<Complex> crossings;
        for (int e = 0; e < 4; ++e) {
          const double a = at(corner[e][0], corner[e][1]), b = at(corner[e + 1][0], corner[e + 1][1]);
          if ((a < 0) == (b < 0)) continue;
          const Complex from = point(corner[e][0], corner[e][1]), to = point(corner[e + 1][0], corner[e + 1][1]);
          crossings.push_back(from + (to - from) * (a / (a - b)));
        }
        for (std::size_t c = 0; c + 1 < crossings.size(); c += 2)
          path += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x_(crossings[c].real()), y_(crossings[c].imag()),
                              x_(crossings[c + 1].real()), y_(crossings[c + 1].imag()));
      }
    add(colour, path);
  }

  report::Scale x_{}, y_{};
  std::string body_;
};

}  // namespace

TEST_CASE("BDF is A(alpha)-stable with the angles of the literature; of order 7 it is not zero-stable") {
  constexpr std::array printed{90.0, 90.0, 86.03, 73.35, 51.84, 17.84};
  for (std::size_t k = 1; k <= 6; ++k) {
    INFO("order " << k);
    const auto c = integrator::bdf_coefficients(k);
    CHECK(largest_root(c) == Approx(1).epsilon(1e-6));  // simple root 1, all others inside
    double alpha = 90;
    for (int i = 1; i < 200000; ++i) {
      const Complex z = bdf_locus(c, pi * i / 200000);
      if (z.real() < -1e-9) alpha = std::min(alpha, std::atan2(std::abs(z.imag()), -z.real()) * 180 / pi);
    }
    CHECK(alpha == Approx(printed[k - 1]).margin(0.006));
  }
  CHECK(largest_root(integrator::bdf_coefficients(7)) > 1.02);
}

TEST_CASE("Runge-Kutta methods are stable on the real interval of their stability polynomials") {
  // Bogacki & Shampine: 1 + z + z^2/2 + z^3/6. Dormand & Prince: up to z^5/120, and z^6/600.
  const auto third = [](double z) { return 1 + z * (1 + z / 2 * (1 + z / 3)); };
  const auto fifth = [](double z) {
    return 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4 * (1 + z / 5)))) + std::pow(z, 6) / 600;
  };
  Amplification ode23("ode23"), dopri5("dopri5"), dop853("dop853");
  for (double z = -3.4; z < 0.5; z += 0.1) {
    CHECK(ode23(z) == Approx(std::abs(third(z))).epsilon(1e-13));
    CHECK(dopri5(z) == Approx(std::abs(fifth(z))).epsilon(1e-13));
    CHECK(dop853(0.1 * z) == Approx(std::exp(0.1 * z)).epsilon(1e-9));
  }
  const auto end = [](Amplification& amplification) {
    double stable = -1, grows = -8;
    for (int i = 0; i < 60; ++i) (amplification(0.5 * (stable + grows)) <= 1 ? stable : grows) = 0.5 * (stable + grows);
    return stable;
  };
  CHECK(end(ode23) == Approx(-2.5127).margin(1e-4));
  CHECK(end(dopri5) == Approx(-3.3066).margin(1e-4));
}

TEST_CASE("the picture of the stability regions in docs is the one of this code") {
  const std::string drawn = Picture().draw();
  std::ifstream file(HSTAR_SOURCE_DIR "/docs/stability_regions.svg");
  std::stringstream shown;
  shown << file.rdbuf();
  if (shown.str() != drawn) {
    const auto place = std::filesystem::temp_directory_path() / "stability_regions.svg";
    std::ofstream(place, std::ios::binary) << drawn;
    FAIL("docs/stability_regions.svg is another picture; the new one is " << place);
  }
}

TEST_CASE("an order star has as many sectors about the origin as the order and one") {
  // R(z) - exp z = C z^(p+1) + ...: |R| - |exp z| changes its sign 2 (p + 1) times on a small circle (Wanner, Hairer &
  // Norsett 1978).
  for (const auto& [name, order] : {std::pair{"forward_euler", 1},
                                    {"backward_euler", 1},
                                    {"trapezoidal", 2},
                                    {"ode23", 3},
                                    {"rk4", 4},
                                    {"dopri5", 5},
                                    {"radau", 5}}) {
    INFO(name);
    integrator::Amplification R(*find_integrator(name), FlowOptions{});
    const auto ahead = [&](int i) {
      const Complex z = std::polar(0.5, 2 * pi * (i + 0.5) / 720);
      return R(z) > std::exp(z.real());
    };
    int changes = 0;
    for (int i = 0; i < 720; ++i) changes += ahead(i) != ahead(i + 1);
    CHECK(changes == 2 * (order + 1));
  }
}

TEST_CASE("`hstar method --svg` paints where the method is stable") {
  // Of rk4 along the real axis from -2.7853 to 0: on the picture's side of -5 to 5 over 400 px from 60 on.
  const std::string svg = method_picture("rk4");
  double first = 1000, last = 0;
  const std::size_t star = svg.find(">order star");
  REQUIRE(star != std::string::npos);
  for (std::size_t at = svg.find("<rect x=\""); at < svg.find("stable where painted");
       at = svg.find("<rect x=\"", at + 1)) {
    const double x = std::stod(svg.substr(at + 9)), y = std::stod(svg.substr(svg.find("y=\"", at) + 3)),
                 width = std::stod(svg.substr(svg.find("width=\"", at) + 7));
    if (std::abs(y - 240) > 1) continue;  // the cells above the axis
    first = std::min(first, x);
    last = std::max(last, x + width);
  }
  CHECK(first == Approx(60 + 40 * (5 - 2.7853)).margin(2));  // a cell
  CHECK(last == Approx(60 + 40 * 5).margin(2));
  CHECK(method_picture("bdf", 4).find("bdf of order 4") != std::string::npos);
  CHECK(method_picture("bdf", 4).find("order star") == std::string::npos);
  CHECK_THROWS_AS(method_picture("newmark"), InputError);
}

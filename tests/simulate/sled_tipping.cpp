// tests/simulate/sled_tipping.cpp
//
// A sled as a rigid block on two feet, pulled by a spring at height h, tips exactly when the table
// validation/p02_sled_tipping says (there: a point mass and the formula of the normal force's offset): forward
// before it slips from h = L/(2 mu_static) on, and while it slips from h = (L/2 + rho h_c)/(mu_kinetic + rho) on,
// each height found by bisection to 1e-9 of h/L. Tipping is the liftoff of a foot; which foot tells the side.
#include <catch2/catch.hpp>

#include <cmath>
#include <utility>

#include "support/run_text.hpp"

using namespace support;

namespace {

constexpr double L = 0.149, m = 12.5, k = 742.5, V = 0.034, g = 9.81;

struct Sled {
  double mu_s, mu_d, h_c, h;
};

enum class Tips { never, forward_stuck, forward_slipping, backward_slipping };

Tips tips(const Sled& s) {
  const std::string feet = "[" + digits(-L / 2) + ", " + digits(-s.h_c) + "], [" + digits(L / 2) + ", " +
                           digits(-s.h_c) + "], [0.0, " + digits(1.0) + "]";
  const auto r = run_text(
      "gravity = [0.0, -9.81]\n[simulation]\nend = 20.0\nintegrator = \"dop853\"\nrtol = 1e-12\nstop_after_events = 2\n"
      "[[body]]\nname = \"sled\"\nmass = 12.5\ninertia = 0.05\nposition = [0.0, " +
      digits(s.h_c) +
      "]\n[[contact]]\nname = \"plate\"\nbetween = [{ body = \"ground\", shape = \"line\" }, { body = \"sled\", shape "
      "= "
      "\"polygon\", corners = [" +
      feet + "] }]\nfriction = { mu_static = " + digits(s.mu_s) + ", mu_kinetic = " + digits(s.mu_d) +
      " }\n[[force]]\nname = \"spring\"\ntype = \"spring_damper\"\naxis = [1.0, 0.0]\nstiffness = 742.5\n"
      "between = [{ body = \"sled\", point = [0.0, " +
      digits(s.h - s.h_c) + "] }, { body = \"ground\", point = [\"0.034*t\", " + digits(s.h) + "] }]\n");
  INFO("h = " << s.h << ": " << r.outcome.message);
  bool slipping = false;
  for (const auto& e : r.events) {
    if (e.kind == "slip") slipping = true;
    if (e.note.find("plate.corner2: liftoff") != std::string::npos) return Tips::backward_slipping;
    if (e.kind != "liftoff") continue;
    if (e.element == "plate.corner1") return slipping ? Tips::forward_slipping : Tips::forward_stuck;
    return Tips::backward_slipping;
  }
  return Tips::never;
}

/// The height from which on the sled tips, by bisection.
double critical(Sled s, double low, double high) {
  s.h = low;
  REQUIRE(tips(s) == Tips::never);
  s.h = high;
  REQUIRE(tips(s) != Tips::never);
  while (high - low > 1e-10 * L) {
    s.h = 0.5 * (low + high);
    (tips(s) == Tips::never ? low : high) = s.h;
  }
  return 0.5 * (low + high);
}

}  // namespace

TEST_CASE("a pulled sled tips before it slips from h = L/(2 mu_static) on") {
  for (const auto& [mu_s, mu_d] : {std::pair{0.4, 0.3}, std::pair{0.9, 0.6}}) {
    INFO("mu_static = " << mu_s);
    const double h = L / (2 * mu_s);
    CHECK(tips({mu_s, mu_d, 0.05, 1.01 * h}) == Tips::forward_stuck);
    CHECK(std::abs(critical({mu_s, mu_d, 0.05, 0}, 0.97 * h, 1.02 * h) - h) <= 1e-9 * L);
  }
}

TEST_CASE("a pulled sled tips while it slips where the spring is at its strongest") {
  const double mu_s = 0.4, mu_d = 0.3, h_c = 0.004;
  const double rho = std::sqrt((mu_s - mu_d) * (mu_s - mu_d) + V * V * k / m / (g * g));
  const double h = (L / 2 + rho * h_c) / (mu_d + rho);
  CHECK(tips({mu_s, mu_d, h_c, 1.001 * h}) == Tips::forward_slipping);
  CHECK(std::abs(critical({mu_s, mu_d, h_c, 0}, 0.99 * h, 1.001 * h) - h) <= 1e-9 * L);
}

TEST_CASE("a high sled pulled at its foot tips backward just after it slips") {
  CHECK(tips({0.4, 0.3, 1.0, 0.0}) == Tips::backward_slipping);
  CHECK(tips({0.4, 0.3, 0.05, 0.0}) == Tips::never);
}

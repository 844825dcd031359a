// Impact laws against tables that were not computed by hstar (../shared/reference/truth, copies in
// validation/p11_rod_impact, p12_newton_cradle): each law must give the impulses and velocities of every case to 12
// digits, because the tables are exact; a law that the table leaves out (no or no unique solution) is not asked.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

#include "model/reference_file.hpp"
#include "transition/impact/impact_law.hpp"
#include "transition/impact/sequential.hpp"

namespace {

using namespace hstar;

std::map<std::string, std::string> named(const NamedTexts& texts) { return {texts.begin(), texts.end()}; }

/// "[\"1/3\", \"-2\"]" or "1/3" as numbers.
std::vector<double> numbers(const std::string& text) {
  std::vector<double> result;
  std::size_t at = 0;
  while ((at = text.find_first_of("-0123456789", at)) != std::string::npos) {
    char* end = nullptr;
    long double value = std::strtold(text.c_str() + at, &end);
    if (*end == '/') value /= std::strtold(end + 1, &end);
    result.push_back(static_cast<double>(value));
    at = static_cast<std::size_t>(end - text.c_str());
  }
  return result;
}

void close(double ours, double reference, double scale) {
  INFO("ours " << ours << ", reference " << reference);
  CHECK(std::abs(ours - reference) <= 1e-12 * scale);
}

}  // namespace

TEST_CASE("slender rod on a rough plane under four laws", "[impact]") {
  const ReferenceFile file =
      read_reference(std::string(HSTAR_SOURCE_DIR) + "/validation/p11_rod_impact/reference.toml");
  const auto parameters = named(file.parameters);
  const double m = numbers(parameters.at("m"))[0], l = numbers(parameters.at("l"))[0], J = m * l * l / 3;
  REQUIRE(file.cases.size() == 11);
  std::size_t compared = 0;
  for (const auto& texts : file.cases) {
    const auto c = named(texts);
    const auto value = [&](const char* key) { return numbers(c.at(key))[0]; };
    const double theta = value("theta"), sine = std::sin(theta), cosine = std::cos(theta);
    ImpactProblem p;
    p.contacts = 1;
    p.G = {1 / m + l * l * cosine * cosine / J, -l * l * sine * cosine / J, -l * l * sine * cosine / J,
           1 / m + l * l * sine * sine / J};
    p.c = {value("vy") - l * value("omega") * cosine, value("vx") + l * value("omega") * sine};
    p.e = {value("e")};
    p.mu = {value("mu")};
    for (const auto& [law, key] : {std::pair{"newton", "newton_moreau"},
                                   {"whittaker", "newton_whittaker"},
                                   {"poisson", "poisson"},
                                   {"stronge", "stronge"}}) {
      INFO(c.at("name") << ", " << law);
      if (!c.count(std::string(key) + "_impulse")) continue;
      const ImpactSolution s = find_impact_law(law)->solve(p);
      REQUIRE(s.solved);
      const auto impulse = numbers(c.at(std::string(key) + "_impulse"));  // (P_t, P_n)
      const double scale = std::hypot(impulse[0], impulse[1]);
      close(s.impulse[1], impulse[0], scale);
      close(s.impulse[0], impulse[1], scale);
      const auto tip = numbers(c.at(std::string(key) + "_tip_after"));
      close(s.velocity[1], tip[0], 1 + std::abs(tip[0]) + scale / m);
      close(s.velocity[0], tip[1], 1 + std::abs(tip[1]) + scale / m);
      close(s.energy_change, value((std::string(key) + "_dE").c_str()), 1 + std::abs(s.energy_change));
      CHECK((s.energy_change > 1e-12) == (c.at(std::string(key) + "_creates_energy") == "true"));
      ++compared;
    }
  }
  CHECK(compared >= 38);
}

TEST_CASE("rows of balls: simultaneous and sequential impacts", "[impact]") {
  const ReferenceFile file =
      read_reference(std::string(HSTAR_SOURCE_DIR) + "/validation/p12_newton_cradle/reference.toml");
  REQUIRE(file.cases.size() == 11);
  std::size_t compared = 0;
  for (const auto& texts : file.cases) {
    const auto c = named(texts);
    INFO(c.at("name"));
    const auto masses = numbers(c.at("masses")), before = numbers(c.at("v_before")), e = numbers(c.at("e"));
    const int k = static_cast<int>(masses.size()) - 1;
    ImpactProblem p;
    p.contacts = k;
    p.e = e;
    p.mu.assign(static_cast<std::size_t>(k), 0.0);
    p.G.assign(static_cast<std::size_t>(4 * k * k), 0.0);
    p.c.assign(static_cast<std::size_t>(2 * k), 0.0);
    for (int i = 0; i < k; ++i) {
      const auto u = static_cast<std::size_t>(i);
      const auto at = [&](int r, int s) -> double& { return p.G[static_cast<std::size_t>(2 * r * 2 * k + 2 * s)]; };
      at(i, i) = 1 / masses[u] + 1 / masses[u + 1];
      if (i > 0) at(i, i - 1) = at(i - 1, i) = -1 / masses[u];
      p.G[static_cast<std::size_t>((2 * i + 1) * 2 * k + 2 * i + 1)] = 1;  // frictionless: any tangential inertia
      p.c[2 * u] = before[u + 1] - before[u];
    }
    const auto check = [&](const ImpactSolution& s, const std::string& key) {
      INFO(key);
      REQUIRE(s.solved);
      const auto impulses = numbers(c.at(key + "_impulses")), after = numbers(c.at(key + "_v_after"));
      for (std::size_t i = 0; i < impulses.size(); ++i) close(s.impulse[2 * i], impulses[i], 1 + std::abs(impulses[i]));
      for (std::size_t i = 0; i < after.size(); ++i) {
        double v = before[i];
        if (i > 0) v += s.impulse[2 * (i - 1)] / masses[i];
        if (i + 1 < after.size()) v -= s.impulse[2 * i] / masses[i];
        close(v, after[i], 1);
      }
      ++compared;
    };
    check(find_impact_law("newton")->solve(p), "newton_lcp");
    check(find_impact_law("poisson")->solve(p), "poisson_lcp");
    for (const bool left : {true, false}) {
      const std::string key = left ? "sequential_left_first" : "sequential_right_first";
      const NextContact next = [left](std::span<const double> v) {
        int found = -1;
        for (int i = 0; i < static_cast<int>(v.size()); ++i)
          if (v[static_cast<std::size_t>(i)] < -1e-14 && (found < 0 || !left)) found = i;
        return found;
      };
      std::vector<int> order;
      const ImpactSolution s = sequential_impact(p, *find_impact_law("newton"), next, 400, &order);
      if (!c.count(key + "_impulses")) continue;
      check(s, key);
      std::vector<double> expected = numbers(c.at(key + "_collisions"));
      REQUIRE(order.size() == expected.size());
      for (std::size_t i = 0; i < order.size(); ++i) CHECK(order[i] + 1 == static_cast<int>(expected[i]));
    }
  }
  CHECK(compared >= 40);
}

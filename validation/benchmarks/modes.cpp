// validation/benchmarks/modes.cpp: time of one mode problem of 1 to 8 contacts, matrices in, forces out.
//
// A plank on k rough feet, each on a spring leg of its own (no redundancy), pushed at random: all contacts undecided,
// some open, some stick, some slip. Prints microseconds a solve (median of batches) and heap allocations.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "contact/share.hpp"
#include "support/allocations.hpp"
#include "support/plane_rows.hpp"

namespace {
struct Random {
  unsigned long long state;
  double uniform(double a, double b) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return a + (b - a) * static_cast<double>(state >> 11) * 0x1p-53;
  }
};

/// G = I + coupling by one common body: positive definite, every direction coupled with every other.
hstar::contact::Problem problem(int k, bool static_higher, Random& random) {
  hstar::contact::Problem p;
  support::set_plane_rows(p, k);
  const std::size_t n = 2 * static_cast<std::size_t>(k);
  std::vector<double> column(3 * n);
  for (double& x : column) x = random.uniform(-0.6, 0.6);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      p.G[i * n + j] = i == j ? 1.0 : 0.0;
      for (std::size_t b = 0; b < 3; ++b) p.G[i * n + j] += column[3 * i + b] * column[3 * j + b];
    }
    p.c[i] = i % 2 == 0 ? random.uniform(-10, 3) : random.uniform(-4, 4);
    p.scale[i] = 10;
  }
  p.force_scale = 10;
  for (auto& unit : p.unit) {
    unit.mu_kinetic = random.uniform(0.1, 0.6);
    unit.mu_static = unit.mu_kinetic + (static_higher ? 0.1 : 0.0);
  }
  return p;
}
}  // namespace

int main() {
  std::printf("contacts  mu_s = mu_k [us]  mu_s > mu_k [us]  found  allocations\n");
  for (int k = 1; k <= 8; ++k) {
    double time[2];
    int found = 0;
    std::size_t during = 0;
    for (int which = 0; which < 2; ++which) {
      Random random{12345};
      std::vector<hstar::contact::Problem> problems;
      for (int i = 0; i < 100; ++i) problems.push_back(problem(k, which == 1, random));
      hstar::contact::Solver solver(2 * k);
      for (const auto& p : problems) solver.solve(p);
      std::vector<double> batches;
      const std::size_t before = allocations();
      batches.reserve(30);
      const std::size_t own = allocations() - before;
      for (int batch = 0; batch < 30; ++batch) {
        const auto begin = std::chrono::steady_clock::now();
        for (const auto& p : problems) found += solver.solve(p).found;
        batches.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() /
                          100);
      }
      during += allocations() - before - own;
      std::nth_element(batches.begin(), batches.begin() + 15, batches.end());
      time[which] = batches[15];
    }
    std::printf("%8d  %16.2f  %16.2f  %4.1f%%  %zu\n", k, time[0], time[1], found / 60.0, during);
  }
  return 0;
}

// validation/benchmarks/cones.cpp: contact and friction over exact cones, matrices in, forces out.
//
// Piles: bodies of one size, masses over two decades, each resting on the ground or on bodies below in contacts at
// random points with normals within 40 degrees of the vertical, pulled at random, everything undecided. Such a pile can
// be lifted apart, so that its problem has a solution (Klarbring & Pang 1998). Some four contacts a body: redundant.
// Prints by number of contacts how many problems were not solved, microseconds and Newton steps a problem, and heap
// allocations.
#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "contact/share.hpp"
#include "support/allocations.hpp"

namespace {
struct Random {
  unsigned long long state;
  double uniform(double a, double b) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return a + (b - a) * static_cast<double>(state >> 11) * 0x1p-53;
  }
};

void pile(int k, bool static_higher, Random& random, hstar::contact::Problem& p) {
  const int bodies = std::max(1, k / 4), n = 3 * k;
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(6 * bodies, n);
  Eigen::VectorXd inverse(6 * bodies), free(6 * bodies);
  for (int b = 0; b < bodies; ++b) {
    const double mass = std::pow(10, random.uniform(-1, 1));
    inverse.segment<3>(6 * b).setConstant(1 / mass);
    for (int i = 3; i < 6; ++i) inverse[6 * b + i] = 1 / (mass * random.uniform(0.1, 0.4));
    for (int i = 0; i < 6; ++i) free[6 * b + i] = random.uniform(-4, 4) - (i == 2 ? 9.81 : 0);
  }
  for (int i = 0; i < k; ++i) {
    const int above = i % bodies;
    const auto below = static_cast<int>(random.uniform(-1.5, above));  // < 0: the ground
    Eigen::Vector3d normal(random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), 1);
    normal.normalize();
    const Eigen::Vector3d t1 = normal.cross(Eigen::Vector3d::UnitX()).normalized(), t2 = normal.cross(t1);
    const Eigen::Vector3d foot(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), -0.5);
    const Eigen::Vector3d head(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0.5);
    int column = 3 * i;
    for (const Eigen::Vector3d& e : {normal, t1, t2}) {
      W.block<3, 1>(6 * above, column) = e;
      W.block<3, 1>(6 * above + 3, column) = foot.cross(e);
      if (below >= 0 && below != above) {
        W.block<3, 1>(6 * below, column) = -e;
        W.block<3, 1>(6 * below + 3, column) = -head.cross(e);
      }
      ++column;
    }
  }
  const Eigen::MatrixXd G = W.transpose() * inverse.asDiagonal() * W;
  const Eigen::VectorXd c = W.transpose() * free;
  p.resize(k, k, n);
  p.force_scale = 10;
  for (int i = 0; i < n; ++i) {
    p.c[static_cast<std::size_t>(i)] = c[i];
    p.scale[static_cast<std::size_t>(i)] = 10;
    for (int j = 0; j < n; ++j) p.G[static_cast<std::size_t>(i * n + j)] = G(i, j);
  }
  for (int i = 0; i < k; ++i) {
    p.contact[static_cast<std::size_t>(i)].row = 3 * i;
    auto& u = p.unit[static_cast<std::size_t>(i)];
    u.contact = i;
    u.row = 3 * i + 1;
    u.mu_kinetic = random.uniform(0.1, 0.9);
    u.mu_static = u.mu_kinetic * (static_higher ? 1.2 : 1);
  }
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}
}  // namespace

int main(int argc, char** argv) {
  const double share = argc > 1 ? std::atof(argv[1]) : 1;
  std::printf(
      "contacts  problems  unsolved  steps  median [us]  slowest [us]  mu_s > mu_k: unsolved  median [us]  "
      "allocations\n");
  for (const int k : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 50, 100}) {
    const auto problems = static_cast<std::size_t>(share * (k <= 8 ? 20000 : 40000 / k));
    hstar::contact::Solver solver(3 * k);
    hstar::contact::Problem p;
    std::size_t unsolved[2] = {}, mallocs = 0;
    double steps = 0;
    std::vector<double> time[2];
    for (const int higher : {0, 1}) {
      Random random{static_cast<unsigned long long>(k)};
      for (std::size_t i = 0; i < problems; ++i) {
        pile(k, higher == 1, random, p);
        const std::size_t before = allocations();
        const auto start = std::chrono::steady_clock::now();
        const auto answer = solver.solve(p);
        const double took = since(start);
        mallocs += allocations() - before;
        time[higher].push_back(took);
        if (!answer.found) ++unsolved[higher];
        if (higher == 1) continue;
        steps += answer.newton_steps;
      }
    }
    const auto median = [](std::vector<double>& v) {
      std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
      return v[v.size() / 2];
    };
    const double slowest = *std::max_element(time[0].begin(), time[0].end());
    std::printf("%8d  %8zu  %8zu  %5.1f  %11.1f  %12.0f  %21zu  %11.1f  %11zu\n", k, problems, unsolved[0],
                steps / static_cast<double>(problems), median(time[0]), slowest, unsolved[1], median(time[1]), mallocs);
    std::fflush(stdout);
  }
  return 0;
}

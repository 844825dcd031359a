// tests/laws/plane_scenes.hpp
//
// Random bodies of the plane with bilateral constraints held, and one to eight contacts between them and the ground,
// some redundant (further points of one straight face).
#pragma once

#include <cmath>
#include <vector>

#include "support/random.hpp"

namespace scenes {

using support::Random;

/// Bodies with constraints: what forces do to accelerations, and contacts on them.
struct Scene {
  int bodies = 1, contacts = 1;
  std::vector<double> inverse;   // n x n: M^-1 with the constraints held
  std::vector<double> rows;      // 2 contacts x n
  std::vector<double> velocity;  // n, compatible with the constraints
  std::vector<double> load;      // n
  bool redundant = false;
  [[nodiscard]] int n() const { return 3 * bodies; }
};

inline double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

inline Scene random_scene(Random& random) {
  Scene s;
  s.bodies = 1 + random.below(5);
  s.contacts = 1 + random.below(8);
  const int n = s.n();
  s.inverse.assign(static_cast<std::size_t>(n * n), 0.0);
  for (int i = 0; i < n; ++i)
    s.inverse[static_cast<std::size_t>(i * n + i)] =
        1 / random.uniform(i % 3 == 2 ? 0.05 : 0.3, i % 3 == 2 ? 0.8 : 4.0);
  s.velocity.resize(static_cast<std::size_t>(n));
  s.load.resize(static_cast<std::size_t>(n));
  for (double& v : s.velocity) v = random.uniform(-1, 1);
  for (double& f : s.load) f = random.uniform(-10, 10);
  // Constraints, one after the other: P <- P - P j j^T P / (j^T P j), and v made orthogonal to j in the metric of M.
  for (int c = random.below(s.bodies); c > 0; --c) {
    std::vector<double> j(static_cast<std::size_t>(n), 0.0), pj(static_cast<std::size_t>(n));
    const int a = random.below(s.bodies), b = random.below(s.bodies);
    for (int k = 0; k < 3; ++k) j[static_cast<std::size_t>(3 * a + k)] += random.uniform(-1, 1);
    for (int k = 0; k < 3; ++k) j[static_cast<std::size_t>(3 * b + k)] -= random.uniform(-1, 1);
    for (int i = 0; i < n; ++i) pj[static_cast<std::size_t>(i)] = dot(s.inverse.data() + i * n, j.data(), n);
    const double size = dot(j.data(), pj.data(), n);
    if (size < 1e-3) continue;
    const double rate = dot(j.data(), s.velocity.data(), n) / size;
    for (int i = 0; i < n; ++i) {
      s.velocity[static_cast<std::size_t>(i)] -= rate * pj[static_cast<std::size_t>(i)];
      for (int k = 0; k < n; ++k)
        s.inverse[static_cast<std::size_t>(i * n + k)] -=
            pj[static_cast<std::size_t>(i)] * pj[static_cast<std::size_t>(k)] / size;
    }
  }
  s.rows.assign(static_cast<std::size_t>(2 * s.contacts * n), 0.0);
  double angle = 0, x = 0, y = 0;
  int first = 0, second = -1;
  for (int c = 0; c < s.contacts; ++c) {
    const bool again = c > 0 && random.below(4) == 0;  // a further point of the same pair on the same straight face
    s.redundant |= again;
    if (again) {
      const double along = random.uniform(-0.5, 0.5);
      x += along * std::cos(angle);
      y += along * std::sin(angle);
    } else {
      angle = random.uniform(0, 6.28);
      x = random.uniform(-0.5, 0.5);
      y = random.uniform(-0.5, 0.5);
      first = random.below(s.bodies);
      second = random.below(2) ? -1 : random.below(s.bodies);
    }
    double* normal = s.rows.data() + 2 * c * n;
    double* tangent = normal + n;
    const auto put = [&](int body, double sign) {
      const double nx = -std::sin(angle), ny = std::cos(angle), tx = std::cos(angle), ty = std::sin(angle);
      normal[3 * body] += sign * nx, normal[3 * body + 1] += sign * ny,
          normal[3 * body + 2] += sign * (x * ny - y * nx);
      tangent[3 * body] += sign * tx, tangent[3 * body + 1] += sign * ty,
          tangent[3 * body + 2] += sign * (x * ty - y * tx);
    };
    put(first, 1);
    if (second >= 0 && second != first) put(second, -1);
  }
  return s;
}

/// W^T P W and W^T u.
inline void reduce(const Scene& s, const std::vector<double>& u, std::vector<double>& G, std::vector<double>& c) {
  const int n = s.n(), m = 2 * s.contacts;
  G.assign(static_cast<std::size_t>(m * m), 0.0);
  c.assign(static_cast<std::size_t>(m), 0.0);
  std::vector<double> p(static_cast<std::size_t>(n));
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < n; ++i)
      p[static_cast<std::size_t>(i)] = dot(s.inverse.data() + i * n, s.rows.data() + j * n, n);
    for (int i = 0; i < m; ++i) G[static_cast<std::size_t>(i * m + j)] = dot(s.rows.data() + i * n, p.data(), n);
    c[static_cast<std::size_t>(j)] = dot(s.rows.data() + j * n, u.data(), n);
  }
}

}  // namespace scenes

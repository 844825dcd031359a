// src/analysis/held_velocities.cpp
#include "analysis/held_velocities.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "hstar/elimination.hpp"
#include "hstar/error.hpp"

namespace hstar::analysis {

void velocities_with_held(const System& s, const Kinematics& k, std::span<const int> held, double* y) {
  const auto n = static_cast<std::size_t>(s.nv), m = static_cast<std::size_t>(s.rows), size = n + m + held.size();
  double* v = y + s.nq;
  std::vector<Row> rows(m);
  s.joint_rows(k, rows.data());
  // M dv = A^T mu,  A dv = b, with the rows of the joints and one for each held velocity.
  std::vector<double> matrix(size * size), b(size);
  for (const Body& body : s.bodies)
    for (int c = 0; c < body.dofs; ++c) {
      const auto i = static_cast<std::size_t>(body.dof + c);
      matrix[i * size + i] = !s.turns(c)      ? body.mass
                             : s.is_spatial() ? body.moment[static_cast<std::size_t>(c) - 3]
                                              : body.inertia;
    }
  const auto put = [&](std::size_t row, std::size_t column, double x) {
    matrix[row * size + column] += x;
    matrix[column * size + row] -= x;
  };
  for (std::size_t r = 0; r < m; ++r) {
    b[n + r] = rows[r].nu;
    for (std::size_t i = 0; i < 2; ++i) {
      const Body& body = s.bodies[rows[r].body[i]];
      if (body.prescribed) continue;
      for (int c = 0; c < body.dofs; ++c) {
        const auto at = static_cast<std::size_t>(body.dof + c);
        put(n + r, at, rows[r].J[i][c]);
        b[n + r] -= rows[r].J[i][c] * v[at];
      }
    }
  }
  for (std::size_t h = 0; h < held.size(); ++h) put(n + m + h, static_cast<std::size_t>(held[h]), 1);
  Elimination elimination;
  elimination.factor(matrix, size, size);
  const std::vector<double> x = elimination.solve(b);
  // Rows that depend on others are not used by the elimination: they agree, or what is held contradicts them.
  double largest = 0, left = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max({largest, std::abs(v[i]), std::abs(x[i])});
  for (std::size_t r = n; r < size; ++r) {
    double sum = -b[r], weight = 0;
    for (std::size_t c = 0; c < n; ++c) {
      sum += matrix[r * size + c] * x[c];
      weight = std::max(weight, std::abs(matrix[r * size + c]));
    }
    if (weight > 0) left = std::max(left, std::abs(sum) / weight);
  }
  constexpr double round_off = 1e-10;  // of rows whose terms cancel, with the elimination's own
  if (left > round_off * largest)
    throw InputError(fmt::format(
        "the kept velocities contradict the joints: {:.3g} (m/s or rad/s) are left over; keep fewer, as many "
        "as there are degrees of freedom at most",
        left));
  for (std::size_t i = 0; i < n; ++i) v[i] += x[i];
  for (const int h : held) v[h] -= x[h];
}

}  // namespace hstar::analysis

// src/mechanism/spatial/principal.cpp
#include "mechanism/spatial/principal.hpp"

#include <algorithm>
#include <limits>

namespace hstar {

Principal principal_axes(const Mat3& J) {
  Principal p;
  Mat3 a = J;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  for (int sweep = 0; sweep < 32; ++sweep) {
    double off = 0, size = 0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        size = std::max(size, std::abs(a[i][j]));
        if (i != j) off = std::max(off, std::abs(a[i][j]));
      }
    if (!(off > 0.25 * eps * size)) break;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = i + 1; j < 3; ++j) {
        if (a[i][j] == 0) continue;
        const double theta = (a[j][j] - a[i][i]) / (2 * a[i][j]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        Mat3 turn = identity3;
        turn[i][i] = turn[j][j] = c;
        turn[i][j] = s;
        turn[j][i] = -s;
        a = transposed(turn) * a * turn;
        p.axes = p.axes * turn;
      }
  }
  p.moment = {a[0][0], a[1][1], a[2][2]};
  return p;
}

}  // namespace hstar

// src/contact/problem.cpp
#include "contact/problem.hpp"

#include <algorithm>
#include <cmath>

namespace hstar::contact {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void Problem::resize(int contacts, int units, int rows, int parts, int reactions) {
  contact.assign(at(contacts), {});
  unit.assign(at(units), {});
  part.assign(at(parts), {});
  G.assign(at(rows) * at(rows), 0.0);
  c.assign(at(rows), 0.0);
  scale.assign(at(rows), 0.0);
  alone.assign(at(rows), 0.0);
  compliance.assign(at(rows), 1.0);
  reaction_0.assign(at(reactions), 0.0);
  reaction.assign(at(reactions) * at(rows), 0.0);
  force_scale = 0;
  drift = 0;
}

double Problem::normal(const Unit& u, const double* f, double* slope) const {
  const int n = rows();
  if (slope) std::fill(slope, slope + n, 0.0);
  if (u.normal == Unit::Normal::given) return u.normal_0;
  if (u.normal == Unit::Normal::contact) {
    const int row = contact[at(u.contact)].row;
    if (slope) slope[row] = f[row] > 0 ? 1 : 0;
    return std::max(f[row], 0.0);
  }
  double sum = 0;
  for (int k = u.part; k < u.part + u.parts; ++k) {
    const Part& one = part[at(k)];
    std::array<double, 3> value{};
    double size = 0;
    for (int i = 0; i < one.size; ++i) {
      value[at(i)] = reaction_at(one.row + i, f);
      size = std::hypot(size, value[at(i)]);
    }
    sum += one.weight * size;
    if (!slope || !(size > 0)) continue;
    for (int i = 0; i < one.size; ++i) {
      const double* by = reaction.data() + (one.row + i) * n;
      for (int j = 0; j < n; ++j) slope[j] += one.weight * value[at(i)] / size * by[j];
    }
  }
  return sum;
}

}  // namespace hstar::contact

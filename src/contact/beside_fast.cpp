// src/contact/beside_fast.cpp
#include "contact/beside_fast.hpp"

#include <algorithm>
#include <cmath>

#include "contact/tolerances.hpp"

namespace hstar::contact {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// |c| of some rows, each over the root of G_ii.
double speed(const Problem& p, int row, int rows) {
  double size = 0;
  for (int i = row; i < row + rows; ++i)
    if (p.g(i, i) > 0) size = std::hypot(size, p.c[at(i)] / std::sqrt(p.g(i, i)));
  return size;
}

}  // namespace

bool BesideFast::state(const Problem& p) {
  double approach = 0;
  for (const Contact& one : p.contact) approach = std::max(approach, speed(p, one.row, 1));
  const auto is_fast = [&](const Unit& unit) {
    return !unit.slides && speed(p, unit.row, unit.directions) > fast * approach;
  };
  if (approach == 0 || std::none_of(p.unit.begin(), p.unit.end(), is_fast)) return false;
  problem_ = p;
  for (Unit& unit : problem_.unit) {
    if (!is_fast(unit)) continue;
    unit.slides = true;
    const double size = length(p.c.data() + unit.row, unit.directions);
    for (int d = 0; d < unit.directions; ++d) {
      unit.direction[at(d)] = p.c[at(unit.row + d)] / size;
      problem_.c[at(unit.row + d)] = 0;  // (No law asks for its rate.)
    }
  }
  return true;
}

}  // namespace hstar::contact

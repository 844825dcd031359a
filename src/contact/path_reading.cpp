// src/contact/path_reading.cpp
#include "contact/path_reading.hpp"

#include <algorithm>
#include <cmath>

#include "contact/tolerances.hpp"

namespace hstar::contact {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool presses(const Problem& p, const Regularised& path, std::size_t i, double least) {
  if (path.basis().is_known()) return path.basis().presses(static_cast<int>(i));
  return path.pushed(p.contact[i].row, 1) > least;
}

bool is_inside(const Problem& p, const Regularised& path, std::size_t j, double mu) {
  if (path.basis().is_known()) return path.basis().is_inside(static_cast<int>(j));
  const Unit& unit = p.unit[j];
  const double force = length(path.force() + unit.row, unit.directions);
  return std::abs(path.pushed(unit.row, unit.directions)) <
         mu * p.normal(unit, path.force()) - std::sqrt(solved) * force;
}
}  // namespace

void PathReading::reserve(std::size_t rows) {
  rate_.reserve(rows);
  status_.contact.reserve(rows);
  status_.unit.reserve(rows);
}

void PathReading::begin(const Problem& p) { rate_.assign(p.unit.size(), 0.0); }

void PathReading::read(const Problem& p, const Regularised& path, const std::vector<double>& mu, double eps) {
  const double *f = path.force(), *a = path.rate();
  double forces = 0;
  for (int i = 0; i < p.rows(); ++i) forces = std::max(forces, std::abs(f[i]));
  status_.contact.resize(p.contact.size());
  status_.unit.resize(p.unit.size());
  for (std::size_t i = 0; i < p.contact.size(); ++i)
    status_.contact[i] = presses(p, path, i, clear * forces) ? Press::loaded : Press::open;
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    UnitStatus& now = status_.unit[j];
    if (!acts(unit, status_)) {
      now.hold = Hold::none;
      continue;
    }
    now = {unit.slides ? Hold::slip : Hold::held, unit.direction};
    if (unit.slides || is_inside(p, path, j, mu[j])) continue;
    const double force = length(f + unit.row, unit.directions), rate = length(a + unit.row, unit.directions);
    double size = 0;
    for (int d = 0; d < unit.directions; ++d) {
      double terms = std::max(p.scale[at(unit.row + d)], std::abs(p.c[at(unit.row + d)]));
      for (int i = 0; i < p.rows(); ++i) terms += std::abs(p.g(unit.row + d, i) * f[i]);
      size = std::max(size, terms);
    }
    // What creeps does so with eps: ten times slower than at the eps before.
    // (Friction never drives: a rate along its own force is the round-off of one that others hold.)
    const double before = rate_[j];
    double driven = 0;
    for (int d = 0; d < unit.directions; ++d) driven += f[unit.row + d] * a[unit.row + d];
    const bool moves = !(driven > 0) && (before > 0 ? rate > before / 3 : rate > std::sqrt(eps) * size);
    rate_[j] = rate;
    now.hold = moves ? Hold::slip : Hold::creeping;
    for (int d = 0; d < unit.directions; ++d)
      now.direction[at(d)] = moves       ? a[unit.row + d] / rate
                             : force > 0 ? -f[unit.row + d] / force
                                         : unit.heading[at(d)];
  }
}

bool PathReading::press_least(const Problem& p, const Regularised& path, const std::vector<double>& mu) {
  double rates = 0;
  for (const Contact& contact : p.contact) rates = std::max(rates, std::abs(p.c[at(contact.row)]));
  bool any = false;
  for (std::size_t i = 0; i < p.contact.size(); ++i) {
    const int row = p.contact[i].row;
    const double pushed = path.pushed(row, 1);
    // (Beside forces that all but cancel what is not small may seem so.)
    if (status_.contact[i] == Press::loaded || !(pushed > 0) || pushed * p.g(row, row) > clear * rates) continue;
    status_.contact[i] = Press::loaded;
    any = true;
  }
  for (std::size_t j = 0; j < p.unit.size() && any; ++j) {
    const Unit& unit = p.unit[j];
    UnitStatus& now = status_.unit[j];
    if (unit.slides || now.hold != Hold::none || !acts(unit, status_)) continue;
    const double* f = path.force() + unit.row;
    const double force = length(f, unit.directions);
    now.hold = is_inside(p, path, j, mu[j]) ? Hold::held : Hold::creeping;
    for (int d = 0; d < unit.directions; ++d) now.direction[at(d)] = force > 0 ? -f[d] / force : unit.heading[at(d)];
  }
  return any;
}

}  // namespace hstar::contact

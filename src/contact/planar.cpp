// src/contact/planar.cpp
#include "contact/planar.hpp"

#include <algorithm>
#include <cmath>

#include "math/dense.hpp"

namespace hstar::contact {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Covering vectors: where something slides already a path may end on a ray, and another need not.
constexpr int paths = 6;
constexpr double golden = 0.6180339887498949;
/// Rounds of a reaction's slope; what is left Newton's method on the path does.
constexpr int rounds = 3;

}  // namespace

bool Planar::states(const Problem& p) {
  return std::all_of(p.unit.begin(), p.unit.end(), [](const Unit& unit) { return unit.directions == 1; });
}

bool Planar::find(const Problem& p, const double* mu, double soft, double* f) {
  const bool reactions = !p.part.empty();
  for (int path = 0; path < paths; ++path) {
    std::fill(f, f + p.rows(), 0.0);
    bool found = true;
    for (int round = 0; found && round < (reactions ? rounds : 1); ++round) found = solve(p, mu, soft, f, path);
    if (found) return true;
  }
  return false;
}

bool Planar::solve(const Problem& p, const double* mu, double soft, double* f, int path) {
  // Unknowns z, each in units that give its row the answer 1: contacts f_N; units f_R, gamma_L. f = map z + map's last.
  const int n = p.rows(), contacts = static_cast<int>(p.contact.size());
  int unknowns = contacts;
  for (const Unit& unit : p.unit) unknowns += unit.slides ? 0 : 2;
  const int columns = unknowns + 1;
  whole_.assign(at(n * n), 0.0);
  map_.assign(at(n * columns), 0.0);
  slope_.resize(at(n));
  size_.resize(at(n));
  pivot_.resize(at(n));
  M_.assign(at(unknowns * unknowns), 0.0);
  for (auto* v : {&q_, &z_, &cover_}) v->assign(at(unknowns), 0.0);
  const auto map = [&](int row, int column) -> double& { return map_[at(column * n + row)]; };
  for (int i = 0; i < n; ++i) {
    const double answer = p.g(i, i) + soft * p.compliance[at(i)];
    size_[at(i)] = answer > 0 ? 1 / std::sqrt(answer) : 1;
    whole_[at(i * n + i)] = 1;
  }
  // N of a unit as a linear function of the forces: its constant part, and slope_.
  const auto normal = [&](const Unit& unit) {
    if (unit.normal == Unit::Normal::contact) {
      std::fill(slope_.begin(), slope_.end(), 0.0);
      slope_[at(p.contact[at(unit.contact)].row)] = 1;
      return 0.0;
    }
    double N = p.normal(unit, f, slope_.data());
    for (int i = 0; i < n; ++i) N -= slope_[at(i)] * f[i];
    return N;
  };
  for (int i = 0; i < contacts; ++i) {
    map(p.contact[at(i)].row, i) = size_[at(p.contact[at(i)].row)];
    cover_[at(i)] = path == 0 ? 1.0 : 1 + std::fmod(golden * path * (i + 1), 1.0);
  }
  for (std::size_t j = 0, z = at(contacts); j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    const double N = normal(unit), factor = mu[j] * (unit.slides ? unit.direction[0] : 1);
    for (int i = 0; i < n; ++i) whole_[at(unit.row * n + i)] += factor * slope_[at(i)];
    map(unit.row, unknowns) = (unit.slides ? unit.further[0] : 0) - factor * N;
    if (unit.slides) continue;
    map(unit.row, static_cast<int>(z)) = size_[at(unit.row)];
    cover_[z] = cover_[z + 1] = path == 0 ? 1.0 : 1 + std::fmod(golden * path * static_cast<double>(z + 1), 1.0);
    for (int i = 0; i < contacts; ++i)
      if (const auto row = at(p.contact[at(i)].row); slope_[row] > 0)
        cover_[at(i)] += mu[j] * slope_[row] * size_[row] / size_[at(unit.row)] * cover_[z];
    z += 2;
  }
  if (!math::lu(whole_.data(), n, pivot_.data())) return false;
  for (int c = 0; c < columns; ++c) math::lu_solve(whole_.data(), n, pivot_.data(), map_.data() + c * n);

  const auto state_rate = [&](int to, int row) {
    for (int c = 0; c < columns; ++c) {
      double rate = soft * p.compliance[at(row)] * map(row, c) + (c == unknowns ? p.c[at(row)] : 0.0);
      for (int i = 0; i < n; ++i) rate += p.g(row, i) * map(i, c);
      (c < unknowns ? M_[at(to * unknowns + c)] : q_[at(to)]) = size_[at(row)] * rate;
    }
  };
  for (int i = 0; i < contacts; ++i) state_rate(i, p.contact[at(i)].row);
  for (int j = 0, z = contacts; j < static_cast<int>(p.unit.size()); ++j) {
    const Unit& unit = p.unit[at(j)];
    if (unit.slides) continue;
    state_rate(z, unit.row);
    const double N = normal(unit), factor = 2 * mu[j] / size_[at(unit.row)];
    for (int c = 0; c < columns; ++c) {
      double limit = c == unknowns ? N : 0;
      for (int i = 0; i < n; ++i) limit += slope_[at(i)] * map(i, c);
      (c < unknowns ? M_[at((z + 1) * unknowns + c)] : q_[at(z + 1)]) = factor * limit;
    }
    M_[at(z * unknowns + z + 1)] += 1;
    M_[at((z + 1) * unknowns + z)] -= 1;
    z += 2;
  }
  math::Lemke lemke(unknowns);
  if (lemke.solve(M_.data(), q_.data(), unknowns, z_.data(), cover_.data()) != math::LcpStatus::solved) return false;
  for (int i = 0; i < n; ++i) {
    f[i] = map(i, unknowns);
    for (int c = 0; c < unknowns; ++c) f[i] += map(i, c) * z_[at(c)];
  }
  return true;
}

}  // namespace hstar::contact

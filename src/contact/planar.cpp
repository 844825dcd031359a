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
    if ((known_ = found)) return true;
  }
  return false;
}

void Planar::begin(const Problem& p, double soft, int path) {
  // Unknowns z, each in units that give its row the answer 1: contacts f_N; units f_R, gamma_L.
  rows_ = p.rows();
  unknowns_ = static_cast<int>(p.contact.size());
  first_.clear();
  for (const Unit& unit : p.unit) {
    first_.push_back(unknowns_);
    unknowns_ += unit.slides ? 0 : 2;
  }
  if (!p.part.empty()) whole_.assign(at(rows_ * rows_), 0.0);
  map_.assign(at(rows_ * (unknowns_ + 1)), 0.0);
  M_.assign(at(unknowns_ * unknowns_), 0.0);
  for (auto* v : {&slope_, &size_, &rate_}) v->resize(at(rows_));
  for (auto* v : {&q_, &z_, &cover_}) v->resize(at(unknowns_));
  pivot_.resize(at(rows_));
  for (int i = 0; i < rows_; ++i) {
    const double answer = p.g(i, i) + soft * p.compliance[at(i)];
    size_[at(i)] = answer > 0 ? 1 / std::sqrt(answer) : 1;
    if (!p.part.empty()) whole_[at(i * rows_ + i)] = 1;
  }
  for (int z = 0; z < unknowns_; ++z) cover_[at(z)] = path == 0 ? 1.0 : 1 + std::fmod(golden * path * (z + 1), 1.0);
  if (unknowns_ > room_) lemke_ = math::Lemke(room_ = unknowns_);
}

double Planar::normal(const Problem& p, const Unit& unit, const double* f) {
  if (unit.normal == Unit::Normal::contact) {
    std::fill(slope_.begin(), slope_.end(), 0.0);
    slope_[at(p.contact[at(unit.contact)].row)] = 1;
    return 0;
  }
  double N = p.normal(unit, f, slope_.data());
  for (int i = 0; i < rows_; ++i) N -= slope_[at(i)] * f[i];
  return N;
}

/// f = map z + what is constant, and d_N > mu d_T.
bool Planar::map_forces(const Problem& p, const double* mu, const double* f) {
  const int contacts = static_cast<int>(p.contact.size());
  for (int i = 0; i < contacts; ++i) {
    const int row = p.contact[at(i)].row;
    map_[at(i * rows_ + row)] = size_[at(row)];
  }
  int z = contacts;
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    const double N = normal(p, unit, f), factor = mu[j] * (unit.slides ? unit.direction[0] : 1);
    map_[at(unknowns_ * rows_ + unit.row)] = (unit.slides ? unit.further[0] : 0) - factor * N;
    if (!p.part.empty())
      for (int i = 0; i < rows_; ++i) whole_[at(unit.row * rows_ + i)] += factor * slope_[at(i)];
    else if (unit.normal == Unit::Normal::contact)
      map_[at(unit.contact * rows_ + unit.row)] = -factor * size_[at(p.contact[at(unit.contact)].row)];
    if (unit.slides) continue;
    map_[at(z * rows_ + unit.row)] = size_[at(unit.row)];
    for (int i = 0; i < contacts; ++i)
      if (const auto row = at(p.contact[at(i)].row); slope_[row] > 0)
        cover_[at(i)] += mu[j] * slope_[row] * size_[row] / size_[at(unit.row)] * cover_[at(z)];
    z += 2;
  }
  if (p.part.empty()) return true;
  if (!math::lu(whole_.data(), rows_, pivot_.data())) return false;
  for (int c = 0; c <= unknowns_; ++c) math::lu_solve(whole_.data(), rows_, pivot_.data(), map_.data() + c * rows_);
  return true;
}

void Planar::state_laws(const Problem& p, const double* mu, double soft, const double* f) {
  const auto entry = [&](int row, int c) -> double& {
    return c < unknowns_ ? M_[at(row * unknowns_ + c)] : q_[at(row)];
  };
  for (int c = 0; c <= unknowns_; ++c) {
    // Few rows of a column have a force, where no reaction depends on them.
    const double* forces = map_.data() + c * rows_;
    for (int i = 0; i < rows_; ++i) rate_[at(i)] = c == unknowns_ ? p.c[at(i)] : 0.0;
    for (int i = 0; i < rows_; ++i) {
      if (forces[i] == 0) continue;
      const double* g = p.G.data() + i * rows_;
      for (int k = 0; k < rows_; ++k) rate_[at(k)] += g[k] * forces[i];
      rate_[at(i)] += soft * p.compliance[at(i)] * forces[i];
    }
    int z = 0;
    for (const Contact& one : p.contact) entry(z++, c) = size_[at(one.row)] * rate_[at(one.row)];
    for (const Unit& unit : p.unit) {
      if (unit.slides) continue;
      entry(z, c) = size_[at(unit.row)] * rate_[at(unit.row)];
      z += 2;
    }
  }
  int z = static_cast<int>(p.contact.size());
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    if (unit.slides) continue;
    const double N = normal(p, unit, f), factor = 2 * mu[j] / size_[at(unit.row)];
    for (int c = 0; c <= unknowns_; ++c) {
      const double* forces = map_.data() + c * rows_;
      double limit = c == unknowns_ ? N : 0;
      if (unit.normal == Unit::Normal::contact)
        limit += forces[p.contact[at(unit.contact)].row];
      else if (unit.normal == Unit::Normal::parts)
        for (int i = 0; i < rows_; ++i) limit += slope_[at(i)] * forces[i];
      entry(z + 1, c) = factor * limit;
    }
    entry(z, z + 1) += 1;
    entry(z + 1, z) -= 1;
    z += 2;
  }
}

bool Planar::solve(const Problem& p, const double* mu, double soft, double* f, int path) {
  begin(p, soft, path);
  if (!map_forces(p, mu, f)) return false;
  state_laws(p, mu, soft, f);
  if (lemke_.solve(M_.data(), q_.data(), unknowns_, z_.data(), cover_.data()) != math::LcpStatus::solved) return false;
  for (int i = 0; i < rows_; ++i) {
    f[i] = map_[at(unknowns_ * rows_ + i)];
    for (int c = 0; c < unknowns_; ++c) f[i] += map_[at(c * rows_ + i)] * z_[at(c)];
  }
  return true;
}

}  // namespace hstar::contact

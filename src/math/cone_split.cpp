// src/math/cone_split.cpp
#include "math/cone_split.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hstar::math {
namespace {

constexpr double clear = 1e-9;  // relative: a rate above is no round-off

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void cone_scales(const ConeProblem& p, double* scale, double* weight) {
  const int n = p.rows();
  const auto G = [&](int i) { return p.G[at(i * n + i)]; };
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, G(i));
  // A row that the bilateral ones hold has round-off for G: it is not blown up to size 1.
  const auto root = [&](double g) { return g > 1e-15 * largest ? std::sqrt(g) : largest > 0 ? std::sqrt(largest) : 1; };
  for (const ConeContact& contact : p.contact) {
    scale[contact.row] = root(G(contact.row));
    weight[contact.row] = 1;
  }
  for (const ConeUnit& u : p.unit) {
    double size = 0;
    for (int k = 0; k < u.directions; ++k) size = std::max(size, G(u.row + k));
    const double s = root(size);
    const double to_force = u.normal == ConeUnit::Normal::contact ? s / scale[p.contact[at(u.contact)].row] : 1;
    for (int k = 0; k < u.directions; ++k) {
      scale[u.row + k] = s;
      weight[u.row + k] = to_force;
    }
  }
}

void ConeSplit::reserve(int contacts, int units, int rows) {
  const std::size_t n = at(rows);
  program_.reserve(rows, contacts * 2 + units);
  if (sticking_.size() < at(contacts)) sticking_.resize(at(contacts));
  if (force_.size() >= n) return;
  for (auto* v : {&scale_, &weight_, &known_, &slide_, &x_, &force_, &slope_}) v->resize(n);
  for (auto* v : {&unknown_, &column_, &slide_at_}) v->resize(n);
  null_.resize(n * n);
  linear_.reserve(rows);
}

bool ConeSplit::list_unknowns(const ConeProblem& p) {
  const int n = p.rows();
  m_ = 0;
  std::fill(sticking_.begin(), sticking_.end(), 0);
  std::fill(column_.begin(), column_.begin() + n, -1);
  std::fill(slide_at_.begin(), slide_at_.begin() + n, -1);
  for (auto* v : {&known_, &slide_}) std::fill(v->begin(), v->begin() + n, 0.0);
  const auto ask = [&](int row) {
    column_[at(row)] = m_;
    unknown_[at(m_++)] = row;
  };
  for (std::size_t i = 0; i < p.contact.size(); ++i)
    if (contact_hold_[i] != ConeHold::open) ask(p.contact[i].row);
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const ConeUnit& u = p.unit[j];
    if (unit_hold_[j] == ConeHold::open) continue;
    if (unit_hold_[j] == ConeHold::stick && u.normal == ConeUnit::Normal::contact) sticking_[at(u.contact)] = 1;
    for (int k = 0; k < u.directions; ++k) {
      const int row = u.row + k;
      if (unit_hold_[j] == ConeHold::stick) {
        ask(row);
        continue;
      }
      const double d = direction_[j][at(k)];
      known_[at(row)] = u.slides ? u.further[at(k)] : 0;
      if (u.normal == ConeUnit::Normal::contact) {
        slide_at_[at(row)] = p.contact[at(u.contact)].row;
        slide_[at(row)] = -u.mu_kinetic * d;
      } else if (u.normal == ConeUnit::Normal::given) {
        known_[at(row)] -= u.mu_kinetic * u.normal_0 * d;
      } else if (u.mu_kinetic > 0) {
        for (int part = u.part; part < u.part + u.parts; ++part) {
          const double* R = p.reaction.data() + p.part[at(part)].row * n;
          if (std::any_of(R, R + p.part[at(part)].size * n, [](double r) { return r != 0; })) return false;
        }
        known_[at(row)] -= u.mu_kinetic * normal(p, u, known_.data(), nullptr) * d;
      }
    }
  }
  return true;
}

/// Forces of unknowns (scaled); the known parts too if `whole`.
void ConeSplit::expand(const double* unknown, bool whole, double* force) const {
  const int n = n_;
  for (int i = 0; i < n; ++i) force[i] = whole ? known_[at(i)] : 0;
  for (int i = 0; i < m_; ++i) force[unknown_[at(i)]] = unknown[i] / scale_[at(unknown_[at(i)])];
  for (int i = 0; i < n; ++i)
    if (slide_at_[at(i)] >= 0) force[i] += slide_[at(i)] * force[slide_at_[at(i)]];
}

bool ConeSplit::solve_rows(const ConeProblem& p) {
  const int n = p.rows();
  double* A = linear_.matrix(m_);
  for (int c = 0; c < m_; ++c)
    for (int r = 0; r < m_; ++r) {
      const int i = unknown_[at(r)], j = unknown_[at(c)];
      A[c * m_ + r] = p.G[at(i * n + j)] / (scale_[at(i)] * scale_[at(j)]);
    }
  for (int j = 0; j < n; ++j)  // friction that follows a normal force
    if (const int to = slide_at_[at(j)]; to >= 0)
      for (int r = 0; r < m_; ++r) {
        const int i = unknown_[at(r)];
        A[column_[at(to)] * m_ + r] += slide_[at(j)] * p.G[at(i * n + j)] / (scale_[at(i)] * scale_[at(to)]);
      }
  for (int r = 0; r < m_; ++r) {
    const int i = unknown_[at(r)];
    double rate = p.c[at(i)];
    for (int j = 0; j < n; ++j) rate += p.G[at(i * n + j)] * known_[at(j)];
    x_[at(r)] = -rate / scale_[at(i)];
  }
  linear_.factor(1e-12);
  linear_.solve(x_.data());
  free_ = m_ - linear_.rank();
  expand(x_.data(), true, force_.data());
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(force_[at(i)]) * scale_[at(i)]);
  for (int r = 0; r < m_; ++r) {
    const int i = unknown_[at(r)];
    double rate = p.c[at(i)], size = std::max({p.scale[at(i)], std::abs(rate), largest * scale_[at(i)]});
    for (int j = 0; j < n; ++j) {
      const double term = p.G[at(i * n + j)] * force_[at(j)];
      rate += term;
      size += std::abs(term);
    }
    if (!(std::abs(rate) <= clear * size)) return false;
  }
  return true;
}

double ConeSplit::normal(const ConeProblem& p, const ConeUnit& u, const double* force, double* slope) const {
  const int n = p.rows();
  if (slope != nullptr) std::fill(slope, slope + n, 0.0);
  if (u.normal == ConeUnit::Normal::given) return u.normal_0;
  if (u.normal == ConeUnit::Normal::contact) {
    const int row = p.contact[at(u.contact)].row;
    if (slope != nullptr) slope[row] = 1;
    return force[row];
  }
  double sum = 0;
  for (int k = u.part; k < u.part + u.parts; ++k) {
    const ConePart& part = p.part[at(k)];
    double value[3] = {}, square = 0;
    for (int i = 0; i < part.size; ++i) {
      value[i] = p.reaction_0[at(part.row + i)];
      for (int j = 0; j < n; ++j) value[i] += p.reaction[at((part.row + i) * n + j)] * force[j];
      square += value[i] * value[i];
    }
    const double norm = std::sqrt(square);
    sum += part.weight * norm;
    if (slope == nullptr || norm == 0) continue;
    for (int i = 0; i < part.size; ++i)
      for (int j = 0; j < n; ++j) slope[j] += part.weight * value[i] / norm * p.reaction[at((part.row + i) * n + j)];
  }
  return sum;
}

/// The cones of everything that holds, as functions of the share of each free direction.
void ConeSplit::add_cones(const ConeProblem& p, double most, const double* near) {
  const int n = p.rows();
  program_.begin(free_);
  const auto null = [&](int d) { return null_.data() + d * n; };
  for (std::size_t i = 0; i < p.contact.size(); ++i) {
    if (contact_hold_[i] == ConeHold::open) continue;
    const int row = p.contact[i].row;
    // Where a unit on it sticks, that unit's cone says more.
    if (!sticking_[i]) {
      const auto pressed = program_.add(1, 1);
      pressed.h[0] = force_[at(row)];
      for (int d = 0; d < free_; ++d) pressed.A[d] = null(d)[row];
    }
    if (most <= 0) continue;
    const auto bounded = program_.add(1, 0);
    bounded.h[0] = std::max(most, 2 * force_[at(row)]) - force_[at(row)];
    for (int d = 0; d < free_; ++d) bounded.A[d] = -null(d)[row];
  }
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    if (unit_hold_[j] != ConeHold::stick) continue;
    const ConeUnit& u = p.unit[j];
    const double* about = near != nullptr ? near : force_.data();
    double N = normal(p, u, about, slope_.data());
    if (near != nullptr)
      for (int i = 0; i < n; ++i) N += slope_[at(i)] * (force_[at(i)] - near[i]);
    const auto cone = program_.add(1 + u.directions, u.mu_static > 0 ? u.mu_static : 1);
    cone.h[0] = u.mu_static * N;
    for (int k = 0; k < u.directions; ++k) cone.h[k + 1] = force_[at(u.row + k)];
    for (int d = 0; d < free_; ++d) {
      double sum = 0;
      for (int i = 0; i < n; ++i) sum += slope_[at(i)] * null(d)[i];
      cone.A[d] = u.mu_static * sum;
      for (int k = 0; k < u.directions; ++k) cone.A[(k + 1) * cone.stride + d] = null(d)[u.row + k];
    }
  }
}

bool ConeSplit::solve(const ConeProblem& p, const ConeHold* contact_hold, const ConeHold* unit_hold,
                      const Direction3* direction, double most, const double* near) {
  contact_hold_ = contact_hold;
  unit_hold_ = unit_hold;
  direction_ = direction;
  const int n = n_ = p.rows();
  reserve(static_cast<int>(p.contact.size()), static_cast<int>(p.unit.size()), n);
  cone_scales(p, scale_.data(), weight_.data());
  if (!list_unknowns(p) || !solve_rows(p)) return false;
  for (int d = 0; d < free_; ++d) {
    linear_.null(d, x_.data());
    expand(x_.data(), false, null_.data() + d * n);
  }
  add_cones(p, 0, near);
  margin_ = program_.maximise();
  const auto exceeds = [&](const ConeContact& contact) {
    double N = force_[at(contact.row)];
    for (int d = 0; d < free_; ++d) N += program_.x()[at(d)] * null_[at(d * n + contact.row)];
    return N > most;
  };
  // The bounds are seldom needed.
  if (most > 0 && free_ > 0 && (!std::isfinite(margin_) || std::any_of(p.contact.begin(), p.contact.end(), exceeds))) {
    add_cones(p, most, near);
    margin_ = program_.maximise();
  }
  if (std::isfinite(margin_))
    for (int d = 0; d < free_; ++d)
      for (int i = 0; i < n; ++i) force_[at(i)] += program_.x()[at(d)] * null_[at(d * n + i)];
  return true;
}

}  // namespace hstar::math

#include "contact/cone_laws.hpp"

#include <algorithm>

namespace hstar::contact {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

int ConeLaws::reserve(const Problem& p) {
  // (A unit whose N is given has one entry more than rows.)
  const std::size_t n = at(p.rows()), most = n + p.unit.size();
  Q_.reserve(most * most);
  b_.reserve(most);
  a_.reserve(n);
  none_.reserve(n);
  cones_.reserve(p.contact.size() + p.unit.size());
  unit_of_.reserve(p.contact.size());
  return static_cast<int>(most);
}

void ConeLaws::add_cone(const Cone& cone) {
  cones_.push_back(cone);
  cones_.back().first = entries_;
  entries_ += cone.size;
}

void ConeLaws::list_cones() {
  const Problem& p = *p_;
  cones_.clear();
  entries_ = 0;
  unit_of_.assign(p.contact.size(), -1);
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    if (unit.slides) continue;
    if (unit.normal == Unit::Normal::contact) {
      if (mu_[j] > 0) unit_of_[at(unit.contact)] = static_cast<int>(j);
    } else if (const double limit = mu_[j] * p.normal(unit, none_.data()); limit > 0) {
      add_cone({1 + unit.directions, 0, -1, unit.row, limit, -1});
    }
  }
  for (std::size_t i = 0; i < p.contact.size(); ++i) {
    const int row = p.contact[i].row, j = unit_of_[i], contact = static_cast<int>(i);
    if (j < 0)
      add_cone({1, 0, row, -1, 1, contact});
    else
      add_cone({1 + p.unit[at(j)].directions, 0, row, p.unit[at(j)].row, mu_[j], contact});
  }
}

void ConeLaws::add_column(int row, double force) {
  const int n = p_->rows();
  const double* g = p_->G.data() + row * n;  // (G is symmetric)
  for (int i = 0; i < n; ++i) a_[at(i)] += force * g[i];
  a_[at(row)] += force * soft_ * p_->compliance[at(row)];
}

void ConeLaws::slide(int contact, double force) {
  for (std::size_t j = 0; j < p_->unit.size(); ++j) {
    const Unit& unit = p_->unit[j];
    if (!unit.slides || unit.normal != Unit::Normal::contact || unit.contact != contact) continue;
    for (int d = 0; d < unit.directions; ++d) add_column(unit.row + d, -mu_[j] * force * unit.direction[at(d)]);
  }
}

void ConeLaws::store(double* to, int stride) const {
  for (const Cone& c : cones_) {
    to[c.first * stride] = c.fixed() ? 0 : a_[at(c.normal)] / c.mu;
    for (int d = 1; d < c.size; ++d) to[(c.first + d) * stride] = a_[at(c.tangent + d - 1)];
  }
}

bool ConeLaws::states(const Problem& p, const double* mu) {
  const auto has_cone = [&](std::size_t j) {
    return !p.unit[j].slides && p.unit[j].normal == Unit::Normal::contact && mu[j] > 0;
  };
  for (std::size_t j = 0; j < p.unit.size(); ++j)
    for (std::size_t i = 0; i < j && has_cone(j); ++i)
      if (has_cone(i) && p.unit[i].contact == p.unit[j].contact) return false;
  return std::all_of(p.reaction.begin(), p.reaction.end(), [](double by) { return by == 0; });
}

bool ConeLaws::state(const Problem& p, const double* mu, double soft) {
  if (!states(p, mu)) return false;
  p_ = &p;
  mu_ = mu;
  soft_ = soft;
  none_.assign(at(p.rows()), 0.0);
  list_cones();
  Q_.resize(at(entries_ * entries_));
  b_.resize(at(entries_));
  a_.assign(p.c.begin(), p.c.end());
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    if (!unit.slides) continue;
    const double limit = unit.normal == Unit::Normal::contact ? 0 : mu[j] * p.normal(unit, none_.data());
    for (int d = 0; d < unit.directions; ++d)
      add_column(unit.row + d, unit.further[at(d)] - limit * unit.direction[at(d)]);
  }
  store(b_.data(), 1);
  for (const Cone& c : cones_)
    for (int d = 0; d < c.size; ++d) {
      std::fill(a_.begin(), a_.end(), 0.0);
      if (d > 0) {
        add_column(c.tangent + d - 1, 1);
      } else if (!c.fixed()) {
        add_column(c.normal, 1 / c.mu);
        slide(c.contact, 1 / c.mu);
      }
      store(Q_.data() + c.first + d, entries_);
    }
  return true;
}

void ConeLaws::forces(const double* r, double* f) const {
  const Problem& p = *p_;
  std::fill(f, f + p.rows(), 0.0);
  for (const Cone& c : cones_) {
    if (!c.fixed()) f[c.normal] = r[c.first] / c.mu;
    for (int d = 1; d < c.size; ++d) f[c.tangent + d - 1] = r[c.first + d];
  }
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    if (!unit.slides) continue;
    const double limit = mu_[j] * p.normal(unit, f);
    for (int d = 0; d < unit.directions; ++d) f[unit.row + d] = unit.further[at(d)] - limit * unit.direction[at(d)];
  }
}

}  // namespace hstar::contact

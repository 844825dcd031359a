// src/contact/given_forces.cpp
#include "contact/given_forces.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/tolerances.hpp"
#include "math/tolerances.hpp"

namespace hstar::contact {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// a += G f and size += |G| |f| of some rows, whose sums do not wait for each other; each in its own order.
template <int rows>
void add_terms(double* a, double* size, const double* g, const double* f, int n) {
  std::array<double, rows> sum, terms;
  std::copy_n(a, rows, sum.data());
  std::copy_n(size, rows, terms.data());
  for (int j = 0; j < n; ++j) {
    if (f[j] == 0) continue;
    for (int i = 0; i < rows; ++i) {
      const double term = g[i * n + j] * f[j];
      sum[at(i)] += term;
      terms[at(i)] += std::abs(term);
    }
  }
  std::copy_n(sum.data(), rows, a);
  std::copy_n(terms.data(), rows, size);
}

}  // namespace

void GivenForces::reserve(int rows) {
  if (f_.size() >= at(rows)) return;
  for (auto* v : {&f_, &a_, &size_}) v->resize(at(rows));
}

void GivenForces::take(const Problem& p, const double* force) {
  p_ = &p;
  n_ = p.rows();
  reserve(n_);
  std::copy(force, force + n_, f_.begin());
  find_rates(p);
}

void GivenForces::find_rates(const Problem& p) {
  force_scale_ = p.force_scale;
  for (int i = 0; i < n_; ++i) {
    force_scale_ = std::max(force_scale_, std::abs(f_[at(i)]));
    a_[at(i)] = p.c[at(i)];
    size_[at(i)] = std::max(p.scale[at(i)], std::abs(p.c[at(i)]));
  }
  double *a = a_.data(), *size = size_.data();
  const double *g = p.G.data(), *f = f_.data();
  int i = 0;
  for (; i + 4 <= n_; i += 4) add_terms<4>(a + i, size + i, g + i * n_, f, n_);
  for (; i < n_; ++i) add_terms<1>(a + i, size + i, g + i * n_, f, n_);
  for (i = 0; i < n_; ++i) size[i] = std::max(size[i], reached * force_scale_ * p.g(i, i));
}

double GivenForces::force_size(int row) const {
  const double g = p_->g(row, row);
  return g > dependent(n_) * size_[at(row)] / std::max(force_scale_, math::vanishes) ? size_[at(row)] / g
                                                                                     : force_scale_;
}

double GivenForces::largest_change() const {
  double largest = 0;
  for (int i = 0; i < n_; ++i) largest = std::max(largest, std::abs(f_[at(i)]) * std::sqrt(p_->g(i, i)));
  return largest;
}

double GivenForces::off(const std::vector<int>& rows) const {
  double largest = 0;
  for (const int i : rows)
    if (const double a = std::abs(a_[at(i)]), size = size_[at(i)]; !(a <= largest * size)) largest = a / size;
  return largest;
}

bool GivenForces::tells(const Problem& p) const {
  bool all = true;
  for (int i = 0; i < n_ && all; ++i)
    all = size_[at(i)] <= lost * std::max({p.scale[at(i)], std::abs(p.c[at(i)]), p.force_scale * p.g(i, i)});
  if (all) return true;
  // In the square root of energy, since rows have units of their own.
  double terms = 0, data = 0;
  for (int i = 0; i < n_; ++i) {
    const double root = std::sqrt(p.g(i, i));
    if (!(root > 0)) continue;
    terms = std::max(terms, size_[at(i)] / root);
    data = std::max({data, p.scale[at(i)] / root, std::abs(p.c[at(i)]) / root, p.force_scale * root});
  }
  // Forces that do not depend on others are data, too.
  for (const Unit& unit : p.unit) {
    double known = unit.normal == Unit::Normal::given ? unit.normal_0 : 0;
    for (int k = unit.part; unit.normal == Unit::Normal::parts && k < unit.part + unit.parts; ++k)
      for (int i = 0; i < p.part[at(k)].size; ++i)
        known = std::max(known, p.part[at(k)].weight * std::abs(p.reaction_0[at(p.part[at(k)].row + i)]));
    for (int d = 0; d < unit.directions; ++d)
      data =
          std::max(data, std::max(known, std::abs(unit.further[at(d)])) * std::sqrt(p.g(unit.row + d, unit.row + d)));
  }
  return terms <= lost * data;
}

}  // namespace hstar::contact

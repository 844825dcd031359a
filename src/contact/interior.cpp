#include "contact/interior.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/tolerances.hpp"
#include "math/dense.hpp"
#include "math/soc.hpp"

namespace hstar::contact {
namespace {

namespace soc = math::soc;
using Entries = std::array<double, 4>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void Interior::reserve(int entries) {
  const std::size_t m = at(entries);
  for (auto* v : {&r_, &z_, &off_, &w_, &eta_, &size_, &lambda_, &goal_, &dr_, &dz_, &right_, &found_r_, &found_z_})
    v->reserve(m);
  matrix_.reserve(m * m);
  pivot_.reserve(m);
}

void Interior::begin(const ConeLaws& laws, double start) {
  const std::size_t m = at(laws.entries());
  for (auto* v : {&r_, &z_, &dr_, &dz_}) v->assign(m, 0.0);
  for (auto* v : {&off_, &w_, &lambda_, &goal_, &right_, &found_r_, &found_z_}) v->resize(m);
  eta_.resize(laws.cones().size());
  size_.resize(laws.cones().size());
  matrix_.resize(m * m);
  pivot_.resize(m);
  steps_ = 0;
  // On the axes of the cones, every force as large as one would be alone under the largest b.
  work_ = 0;
  for (std::size_t k = 0; k < size_.size(); ++k) {
    const Cone& c = laws.cones()[k];
    double largest = 0;
    for (int i = c.first + (c.fixed() ? 1 : 0); i < c.first + c.size; ++i) largest = std::max(largest, laws.Q(i)[i]);
    size_[k] = std::sqrt(largest);
    for (int i = c.first; i < c.first + c.size; ++i) work_ = std::max(work_, std::abs(laws.b(i)) / size_[k]);
  }
  for (std::size_t k = 0; k < size_.size(); ++k) {
    const Cone& c = laws.cones()[k];
    r_[at(c.first)] = c.fixed() ? c.mu : start * work_ / size_[k];
    z_[at(c.first)] = start * work_ * size_[k];
  }
}

bool Interior::scale(const ConeLaws& laws) {
  bool inside = true;
  for (std::size_t k = 0; k < eta_.size() && inside; ++k) {
    const Cone& c = laws.cones()[k];
    double* w = w_.data() + c.first;
    inside = soc::scaling(z_.data() + c.first, r_.data() + c.first, c.size, w, eta_[k]);
    if (inside) soc::scaled(w, eta_[k], r_.data() + c.first, lambda_.data() + c.first, c.size);
  }
  return inside;
}

double Interior::find_off(const ConeLaws& laws) {
  double most = 0;
  for (std::size_t k = 0; k < size_.size(); ++k) {
    const Cone& c = laws.cones()[k];
    for (int i = c.first; i < c.first + c.size; ++i) {
      const bool first = i == c.first;
      off_[at(i)] = 0;
      if (first && c.fixed()) continue;
      double sum = laws.b(i) - z_[at(i)];
      if (first) sum += soc::tail(z_.data() + i, c.size);
      off_[at(i)] = sum + soc::dot(laws.Q(i), r_.data(), laws.entries());
      most = std::max(most, std::abs(off_[at(i)]) / size_[k]);
    }
  }
  return most;
}

double Interior::gap(const ConeLaws& laws) const {
  return soc::dot(r_.data(), z_.data(), laws.entries()) / static_cast<double>(laws.cones().size());
}

void Interior::slope(const Cone& c, double turned, double* t) const {
  const double* z = z_.data() + c.first;
  const double size = soc::tail(z, c.size);
  for (int d = 1; d < c.size; ++d) t[d] = size > 0 ? turned * z[d] / size : 0;
}

bool Interior::factor(const ConeLaws& laws, double turned) {
  // Q + P W^2, P = [1, -t^T; 0, 1], W^2 = eta^2 (2 w w^T - J), J = diag(1, -1, -1)
  const int m = laws.entries();
  std::copy(laws.Q(0), laws.Q(0) + m * m, matrix_.begin());
  for (std::size_t k = 0; k < eta_.size(); ++k) {
    const Cone& c = laws.cones()[k];
    const double *w = w_.data() + c.first, square = eta_[k] * eta_[k];
    Entries t{};
    slope(c, turned, t.data());
    for (int j = 0; j < c.size; ++j)
      for (int i = c.size - 1; i >= 0; --i) {
        const double entry = square * (2 * w[i] * w[j] + (i != j ? 0 : i == 0 ? -1 : 1));
        matrix_[at((c.first + i) * m + c.first + j)] += entry;
        if (i > 0) matrix_[at(c.first * m + c.first + j)] -= t[at(i)] * entry;
      }
    if (!c.fixed()) continue;
    for (int i = 0; i < m; ++i) matrix_[at(c.first * m + i)] = matrix_[at(i * m + c.first)] = 0;
    matrix_[at(c.first * m + c.first)] = 1;
  }
  return math::lu(matrix_.data(), m, pivot_.data());
}

bool Interior::direct(const ConeLaws& laws, double turned) {
  // (Q + P W^2) dr = P W goal - off,   W^-1 dz = goal - W dr
  const int m = laws.entries();
  for (std::size_t k = 0; k < eta_.size(); ++k) {
    const Cone& c = laws.cones()[k];
    Entries t{}, aimed{};
    slope(c, turned, t.data());
    soc::scaled(w_.data() + c.first, eta_[k], goal_.data() + c.first, aimed.data(), c.size);
    for (int d = 1; d < c.size; ++d) aimed[0] -= t[at(d)] * aimed[at(d)];
    for (int d = 0; d < c.size; ++d) right_[at(c.first + d)] = aimed[at(d)] - off_[at(c.first + d)];
    if (c.fixed()) right_[at(c.first)] = 0;
  }
  math::lu_solve(matrix_.data(), m, pivot_.data(), right_.data());
  for (std::size_t k = 0; k < eta_.size(); ++k) {
    const Cone& c = laws.cones()[k];
    soc::scaled(w_.data() + c.first, eta_[k], right_.data() + c.first, dr_.data() + c.first, c.size);
  }
  for (int i = 0; i < m; ++i) dz_[at(i)] = goal_[at(i)] - dr_[at(i)];
  return std::isfinite(soc::dot(right_.data(), right_.data(), m));
}

void Interior::aim(const ConeLaws& laws, double centre) {
  // lambda o goal = centre e - lambda o lambda, with what the last direction left of second order
  for (const Cone& c : laws.cones()) {
    const double *l = lambda_.data() + c.first, *dr = dr_.data() + c.first, *dz = dz_.data() + c.first;
    Entries right{centre - soc::dot(l, l, c.size) - soc::dot(dr, dz, c.size)};
    for (int i = 1; i < c.size; ++i) right[at(i)] = -2 * l[0] * l[i] - dr[0] * dz[i] - dz[0] * dr[i];
    soc::divide(l, right.data(), goal_.data() + c.first, c.size);
  }
}

double Interior::longest(const ConeLaws& laws) const {
  double most = std::numeric_limits<double>::infinity();
  for (const Cone& c : laws.cones())
    for (const std::vector<double>* d : {&dr_, &dz_})
      most = std::min(most, soc::reach(lambda_.data() + c.first, d->data() + c.first, c.size));
  return most;
}

void Interior::move(const ConeLaws& laws, double step) {
  for (std::size_t k = 0; k < eta_.size(); ++k) {
    const Cone& c = laws.cones()[k];
    Entries dz{};
    soc::scaled(w_.data() + c.first, eta_[k], found_z_.data() + c.first, dz.data(), c.size);
    for (int d = 0; d < c.size; ++d) {
      r_[at(c.first + d)] += step * found_r_[at(c.first + d)];
      z_[at(c.first + d)] += step * dz[at(d)];
    }
  }
}

double Interior::direction(const ConeLaws& laws, double turned, double mean, double least) {
  if (!factor(laws, turned)) return 0;
  for (int i = 0; i < laws.entries(); ++i) goal_[at(i)] = -lambda_[at(i)];
  if (!direct(laws, turned)) return 0;
  const double affine = std::min(1.0, longest(laws));
  // (Beyond what is asked for points are on the boundary of a cone to round-off.)
  aim(laws, std::max(std::pow(1 - affine, 3) * mean, within * least));
  return direct(laws, turned) ? std::min(1.0, inside_boundary * longest(laws)) : 0;
}

double Interior::find_direction(const ConeLaws& laws, double mean, double least) {
  double step = 0;
  for (int less = 0; less <= most_turned_less && step < long_step; ++less) {
    const double now = direction(laws, 1 - less * turned_less, mean, least);
    if (!(now > step)) continue;
    step = now;
    found_r_ = right_;
    found_z_ = dz_;
  }
  return step;
}

bool Interior::solve(const ConeLaws& laws, double start) {
  begin(laws, start);
  bool nearly = false;
  for (; steps_ < most_interior; ++steps_) {
    if (!scale(laws)) break;
    const double mean = gap(laws);
    double forces = 0;
    for (std::size_t k = 0; k < size_.size(); ++k) forces = std::max(forces, r_[at(laws.cones()[k].first)] * size_[k]);
    const double size = work_ * forces;
    nearly = find_off(laws) <= solved * work_ && mean <= solved * size;
    const bool tells = nearly && mean <= complementary * size;
    if (tells && mean <= clearly_complementary * size) return true;
    const double step = find_direction(laws, mean, (tells ? clearly_complementary : complementary) * size);
    if (!(step > shortest_interior)) break;
    move(laws, step);
  }
  return nearly;
}

}  // namespace hstar::contact

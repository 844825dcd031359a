// src/math/cone_friction.cpp: what sticks, what slips and what opens, most sticking first.
#include "math/cone_friction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/cone_search.hpp"

namespace hstar::math {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double clear = 1e-9;    // relative: a quantity this far from its bound is clearly inside
constexpr double moving = 1e-10;  // relative: a rate above is no round-off

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double length(const double* x, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += x[k] * x[k];
  return std::sqrt(sum);
}

}  // namespace

ConeSolver::ConeSolver(int contacts, int units, int rows) : search_(std::make_unique<ConeSearch>()) {
  reserve(contacts, units, rows);
}
ConeSolver::~ConeSolver() = default;

void ConeSolver::reserve(int contacts, int units, int rows) {
  search_->reserve(contacts, units, rows);
  if (contact_hold_.size() < at(contacts)) contact_hold_.resize(at(contacts));
  if (unit_hold_.size() < at(units)) {
    unit_hold_.resize(at(units));
    direction_.resize(at(units));
    kinetic_.resize(at(units));
  }
  if (force_.size() < at(rows))
    for (auto* v : {&force_, &rate_, &size_}) v->resize(at(rows));
}

/// What the forces found say about every contact and unit.
void ConeSolver::read(const ConeProblem& p) {
  search_->unscale(force_.data(), rate_.data(), size_.data());
  for (std::size_t i = 0; i < p.contact.size(); ++i) {
    const int row = p.contact[i].row;
    const double N = force_[at(row)], forces = search_->force_size(row);
    // Neither force nor rate: closed, unless known to lift.
    const bool closed =
        p.contact[i].lifting ? N > clear * forces : N > 1e-13 * forces || rate_[at(row)] <= eps * 64 * size_[at(row)];
    contact_hold_[i] = closed ? ConeHold::closed : ConeHold::open;
  }
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const ConeUnit& u = p.unit[j];
    const double *T = force_.data() + u.row, *a = rate_.data() + u.row;
    const int d = u.directions;
    if (u.normal == ConeUnit::Normal::contact && contact_hold_[at(u.contact)] == ConeHold::open) {
      unit_hold_[j] = ConeHold::open;
      continue;
    }
    direction_[j] = u.direction;
    unit_hold_[j] = ConeHold::slip;
    if (u.slides) continue;
    const double force = length(T, d), speed = length(a, d), forces = search_->force_size(u.row);
    const double terms = *std::max_element(size_.begin() + u.row, size_.begin() + u.row + d);
    const double limit = search_->mu[j] * search_->normal(static_cast<int>(j), search_->f.data());
    const bool moves = speed > moving * terms;
    if (!moves && !(u.broke_away && force >= limit * (1 - clear))) unit_hold_[j] = ConeHold::stick;
    // The direction is told best by what is furthest above its round-off: the rate or the force against it.
    const double by_force = force / forces, by_rate = moves ? speed / terms : 0;
    if (std::max(by_force, by_rate) <= 1e-12) {
      if (u.broke_away) direction_[j] = u.heading;
    } else {
      for (int k = 0; k < d; ++k) direction_[j][at(k)] = by_rate > by_force ? a[k] / speed : -T[k] / force;
    }
  }
}

ConeAnswer ConeSolver::solve(const ConeProblem& p, const double* guess) {
  reserve(static_cast<int>(p.contact.size()), static_cast<int>(p.unit.size()), p.rows());
  search_->load(p, guess);
  std::fill(kinetic_.begin(), kinetic_.end(), 0);
  ConeAnswer answer;
  // Units that begin to slide carry mu_kinetic; the others may use all of mu_static. Each round at least one more.
  for (std::size_t round = 0; round <= p.unit.size(); ++round) {
    answer.newton_steps += search_->find();
    answer.residual = search_->residual();
    answer.found = answer.residual <= ConeSearch::enough;
    read(p);
    bool again = false;
    for (std::size_t j = 0; j < p.unit.size(); ++j) {
      const ConeUnit& u = p.unit[j];
      if (unit_hold_[j] != ConeHold::slip || u.slides || kinetic_[j] != 0 || !(u.mu_kinetic < u.mu_static)) continue;
      kinetic_[j] = 1;
      again = true;
      search_->mu[j] = u.mu_kinetic;
    }
    if (!again || !answer.found) break;
  }
  for (int i = 0; i < static_cast<int>(p.contact.size()); ++i) answer.ties += contact_is_tied(p, i) ? 1 : 0;
  for (int j = 0; j < static_cast<int>(p.unit.size()); ++j) answer.ties += unit_is_tied(p, j) ? 1 : 0;
  return answer;
}

bool ConeSolver::contact_is_tied(const ConeProblem& p, int i) const {
  const int row = p.contact[at(i)].row;
  if (contact_hold_[at(i)] == ConeHold::open) return std::abs(rate_[at(row)]) <= clear * size_[at(row)];
  return force_[at(row)] <= clear * search_->force_size(row);
}

bool ConeSolver::unit_is_tied(const ConeProblem& p, int j) const {
  const ConeUnit& u = p.unit[at(j)];
  if (u.slides || unit_hold_[at(j)] == ConeHold::open) return false;
  const int d = u.directions;
  if (unit_hold_[at(j)] == ConeHold::slip)
    return length(rate_.data() + u.row, d) <=
           clear * *std::max_element(size_.begin() + u.row, size_.begin() + u.row + d);
  const double limit = u.mu_static * search_->normal(j, search_->f.data());
  return limit - length(force_.data() + u.row, d) <= clear * std::max(limit, search_->force_size(u.row));
}

}  // namespace hstar::math

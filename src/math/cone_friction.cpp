// src/math/cone_friction.cpp: what sticks, what slips and what opens, most sticking first.
#include "math/cone_friction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/cone_search.hpp"
#include "math/cone_split.hpp"

namespace hstar::math {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double clear = 1e-9;       // relative: a quantity this far from its bound is clearly inside
constexpr double round_off = 1e-11;  // relative: beyond the bound by less is round-off
constexpr double moving = 1e-10;     // relative: a rate above is no round-off

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double length(const double* x, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += x[k] * x[k];
  return std::sqrt(sum);
}

/// Preload that nothing bounds (two walls) is looked for up to forces far above the loads.
double most_preload(const ConeProblem& p) {
  double known = p.force_scale;
  const int n = p.rows();
  for (int i = 0; i < n; ++i)
    if (const double g = p.G[at(i * n + i)]; g > 0) known = std::max(known, std::abs(p.c[at(i)]) / g);
  return 1e4 * known;
}

}  // namespace

ConeSolver::ConeSolver(int contacts, int units, int rows)
    : search_(std::make_unique<ConeSearch>()), split_(std::make_unique<ConeSplit>()) {
  reserve(contacts, units, rows);
}
ConeSolver::~ConeSolver() = default;

void ConeSolver::reserve(int contacts, int units, int rows) {
  search_->reserve(contacts, units, rows);
  split_->reserve(contacts, units, rows);
  if (contact_hold_.size() < at(contacts)) {
    contact_hold_.resize(at(contacts));
    drags_.resize(at(contacts));
  }
  if (unit_hold_.size() < at(units)) {
    unit_hold_.resize(at(units));
    direction_.resize(at(units));
    kinetic_.resize(at(units));
    tried_.resize(at(units));
  }
  if (force_.size() < at(rows))
    for (auto* v : {&force_, &rate_, &size_, &kept_}) v->resize(at(rows));
}

/// What the forces found say about every contact and unit.
void ConeSolver::read(const ConeProblem& p) {
  std::fill(drags_.begin(), drags_.end(), 0);  // by contact: closed, it would have a viscous force
  for (const ConeUnit& u : p.unit)
    if (u.normal == ConeUnit::Normal::contact && u.slides && length(u.further.data(), u.directions) > 0)
      drags_[at(u.contact)] = 1;
  search_->unscale(force_.data(), rate_.data(), size_.data());
  // (Impulses that stick but for the heights of their contacts.)
  const double least_motion =
      p.spread ? moving : std::max(moving, 10 * std::min(search_->residual(), ConeSearch::near));
  for (std::size_t i = 0; i < p.contact.size(); ++i) {
    const int row = p.contact[i].row;
    const double N = force_[at(row)], forces = search_->force_size(row);
    // Neither force nor rate: closed, unless known to lift.
    const bool at_rest = rate_[at(row)] <= 1e-12 * size_[at(row)] && drags_[i] == 0;
    const bool closed = p.contact[i].lifting ? N > clear * forces : N > 1e-13 * forces || at_rest;
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
    const bool moves = speed > least_motion * terms;
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

/// Forces at which everything that is held may be held, given what has just happened.
bool ConeSolver::holds(const ConeProblem& p, const double* force) const {
  for (const ConeContact& contact : p.contact) {
    const double least = contact.lifting ? clear : -round_off;
    if (!(force[contact.row] > least * search_->force_size(contact.row))) return false;
  }
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const ConeUnit& u = p.unit[j];
    if (u.slides) continue;
    const double limit = u.mu_static * search_->normal(static_cast<int>(j), search_->f.data());
    const double T = length(force + u.row, u.directions);
    // (What broke away may carry next to nothing in this split: clearly is by the forces there are.)
    const double size = search_->force_size(u.row);
    if (!(u.broke_away ? T < limit - clear * std::max(limit, size) : T <= limit * (1 + round_off) + eps * size))
      return false;
  }
  return true;
}

/// Everything closed and stuck but what slides already: the forces in which that is furthest inside its limits.
bool ConeSolver::all_stick(const ConeProblem& p) {
  for (std::size_t i = 0; i < p.contact.size(); ++i) contact_hold_[i] = ConeHold::closed;
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    unit_hold_[j] = p.unit[j].slides ? ConeHold::slip : ConeHold::stick;
    direction_[j] = p.unit[j].direction;
  }
  if (!split_->solve(p, contact_hold_.data(), unit_hold_.data(), direction_.data(), most_preload(p))) return false;
  search_->take(split_->force().data());
  return holds(p, split_->force().data()) && search_->residual() <= ConeSearch::enough;
}

/// Units that begin to slide carry mu_kinetic from now on; whether there is one more.
bool ConeSolver::release(const ConeProblem& p) {
  bool more = false;
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const ConeUnit& u = p.unit[j];
    if (unit_hold_[j] != ConeHold::slip || u.slides || kinetic_[j] != 0 || !(u.mu_kinetic < u.mu_static)) continue;
    kinetic_[j] = 1;
    search_->mu[j] = u.mu_kinetic;
    more = true;
  }
  return more;
}

/// Each round at least one more slides; the others may use all of mu_static.
bool ConeSolver::most_sticking(const ConeProblem& p, ConeAnswer& answer) {
  do {
    answer.newton_steps += search_->find();
    answer.residual = search_->residual();
    read(p);
    if (!search_->solved()) return false;
  } while (release(p));
  return true;
}

/// With mu_kinetic alone: where the larger cones have no solution the smaller may.
bool ConeSolver::least_sticking(const ConeProblem& p, const double* guess, ConeAnswer& answer) {
  const auto differs = [](const ConeUnit& u) { return !u.slides && u.mu_kinetic < u.mu_static; };
  if (std::none_of(p.unit.begin(), p.unit.end(), differs)) return false;
  search_->load(p, guess);
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    if (!differs(p.unit[j])) continue;
    kinetic_[j] = 1;
    search_->mu[j] = p.unit[j].mu_kinetic;
  }
  answer.newton_steps += search_->find();
  read(p);
  return search_->residual() <= ConeSearch::enough;
}

/// Units that slip with mu_kinetic but could stick instead, the slowest first, do.
void ConeSolver::stick_more(const ConeProblem& p, ConeAnswer& answer) {
  std::copy(kinetic_.begin(), kinetic_.end(), tried_.begin());
  for (;;) {
    std::size_t next = p.unit.size();
    double slowest = INFINITY;
    for (std::size_t j = 0; j < p.unit.size(); ++j) {
      const ConeUnit& u = p.unit[j];
      if (tried_[j] == 0 || u.broke_away || unit_hold_[j] != ConeHold::slip) continue;
      const double speed = length(rate_.data() + u.row, u.directions) / search_->rate_scale(u.row);
      if (speed < slowest) {
        slowest = speed;
        next = j;
      }
    }
    if (next == p.unit.size()) return;
    tried_[next] = 0;
    std::copy(search_->f.begin(), search_->f.end(), kept_.begin());
    search_->mu[next] = p.unit[next].mu_static;
    answer.newton_steps += search_->find(ConeSearch::Effort::little);
    bool better = search_->residual() <= ConeSearch::enough;
    if (better) {
      read(p);
      for (std::size_t j = 0; j < p.unit.size() && better; ++j) {
        const bool at_static = kinetic_[j] == 0 || j == next;
        better = unit_hold_[j] != ConeHold::slip || p.unit[j].slides || !at_static ||
                 !(p.unit[j].mu_kinetic < p.unit[j].mu_static);
      }
    }
    if (better) {
      kinetic_[next] = 0;
      continue;
    }
    search_->mu[next] = p.unit[next].mu_kinetic;
    std::copy(kept_.begin(), kept_.end(), search_->f.begin());
    read(p);
  }
}

/// Of forces that are not unique those that are furthest inside their limits.
void ConeSolver::spread(const ConeProblem& p, ConeAnswer& answer) {
  if (!split_->solve(p, contact_hold_.data(), unit_hold_.data(), direction_.data(), most_preload(p), force_.data()))
    return;
  answer.split = split_->split();
  if (!answer.split || !(split_->margin() >= 0) || !std::isfinite(split_->margin())) return;
  std::copy(search_->f.begin(), search_->f.end(), kept_.begin());
  search_->take(split_->force().data());
  if (search_->residual() <= ConeSearch::enough)
    search_->unscale(force_.data(), rate_.data(), size_.data());
  else
    std::copy(kept_.begin(), kept_.end(), search_->f.begin());
}

ConeAnswer ConeSolver::solve(const ConeProblem& p, const double* guess) {
  reserve(static_cast<int>(p.contact.size()), static_cast<int>(p.unit.size()), p.rows());
  std::fill(kinetic_.begin(), kinetic_.end(), 0);
  ConeAnswer answer;
  search_->load(p, guess);
  answer.found = p.spread && all_stick(p);
  if (answer.found) {
    answer.split = split_->split();
    answer.residual = search_->residual();
    read(p);
  } else {
    search_->load(p, guess);
    answer.found = most_sticking(p, answer);
    if (!answer.found) answer.found = least_sticking(p, guess, answer);
    if (answer.found) stick_more(p, answer);
    answer.residual = search_->residual();
    if (answer.found && p.spread) spread(p, answer);
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

// src/contact/share.cpp
#include "contact/share.hpp"

#include <algorithm>
#include <cmath>

#include "contact/enumeration.hpp"
#include "contact/tolerances.hpp"

namespace hstar::contact {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Exchanges from a guess of the path, which another follows if it is none.
constexpr int exchanges_on_path = 4;
/// Pivoting and the certificate of its statuses cost as much as four exchanges with two contacts in the plane, and less
/// than two with more (bench_contacts), the interior-point method less than exchanges with more than six in space
/// (bench_cones): beyond, one system tells whether everything holds. Elsewhere exchanges go on while every second one
/// leaves fewer laws broken.
constexpr int exchanges_before_pivots = 4, contacts_before_pivots = 2, contacts_before_interior = 6, patience = 2;

/// Over the rows of a unit; nothing of x is negative.
double largest(const std::vector<double>& x, const Unit& unit) {
  return *std::max_element(x.begin() + unit.row, x.begin() + unit.row + unit.directions);
}

/// Of the units that were to rest in the statuses before one slips.
bool one_slips(const Problem& p, const Status& before, const Status& now) {
  for (std::size_t j = 0; j < p.unit.size(); ++j)
    if (!p.unit[j].slides && now.unit[j].hold == Hold::slip && before.unit[j].hold != Hold::slip) return true;
  return false;
}

/// The most exchanges before forces are found at a compliance.
int exchanges_first(const Problem& p, bool planar, bool independent) {
  if (planar && independent) return most_exchanges;
  const std::size_t few = planar ? contacts_before_pivots : contacts_before_interior;
  if (p.contact.size() > few) return 1;
  return planar ? exchanges_before_pivots : most_exchanges;
}

}  // namespace

void Solver::reserve(int rows) {
  exchange_.reserve(rows);
  guess_.reserve(rows);
  path_.reserve(rows);
  const std::size_t n = at(rows);
  if (force_.size() >= n) return;
  for (auto* v : {&force_, &rate_, &size_, &force_size_}) v->resize(n);
  reading_.reserve(n);
  kinetic_.reserve(n);
  drags_.reserve(n);
  gives_way_.reserve(n);
  last_.contact.reserve(n);
  last_.unit.reserve(n);
}

void Solver::begin(const Problem& p) {
  reserve(p.rows());
  independent_ = exchange_.level().begin(p);
  if (!Planar::states(p)) path_.reserve_space(p);
  systems_ = exchange_.systems();
  newton_steps_ = 0;
  guess_.hold_all(p);
  kinetic_.resize(p.unit.size());
  gives_way_.resize(p.unit.size());
  for (std::size_t j = 0; j < p.unit.size(); ++j) kinetic_[j] = p.unit[j].kinetic;
  drags_.assign(p.contact.size(), 0);
  for (const Unit& unit : p.unit)
    if (unit.slides && unit.normal == Unit::Normal::contact && length(unit.further.data(), unit.directions) > 0)
      drags_[at(unit.contact)] = 1;
}

bool Solver::walk_from(const Problem& p, int rounds) {
  guess_.status.contact = reading_.status().contact;
  guess_.status.unit = reading_.status().unit;
  exchange_.level().guess(p, path_.force(), path_.strain());
  return exchange_.walk(p, guess_, rounds);
}

bool Solver::share(const Problem& p, const Status* near) {
  exact_ = true;
  const bool planar = Planar::states(p);
  // (What has been let go leaves most statuses as they were.)
  const bool again = std::any_of(kinetic_.begin(), kinetic_.end(), [](char released) { return released != 0; });
  if (exchange_.walk(p, guess_, again ? most_exchanges : exchanges_first(p, planar, independent_),
                     independent_ || !planar ? patience : most_exchanges))
    return true;
  if (near != nullptr) {
    guess_.status.contact = near->contact;
    guess_.status.unit = near->unit;
    if (exchange_.walk(p, guess_, exchanges_on_path)) return true;
  }
  // (Sweeps find the same at any small compliance.)
  const bool sweeps = !planar && !ConeLaws::states(p, guess_.mu.data());
  return leap(p, first_leap, sweeps ? first_leap : last_leap) || follow_path(p) || leap_to_end(p);
}

void Solver::begin_path(const Problem& p) {
  path_.begin(p, guess_.mu.data());
  reading_.begin(p);
}

bool Solver::leap(const Problem& p, double first, double last) {
  begin_path(p);
  // (Pivoting tells who is at its limit, not how far; else what slips is told by its rate at two of them.)
  const bool pivots = Planar::states(p);
  const double next = pivots ? last / first : next_compliance;
  bool found = false, known = false, tells = pivots || first == last;
  for (double eps = first; !found && eps > 0.5 * last; eps *= next) {
    known = (known && !pivots && path_.descend(eps)) || path_.jump(eps, true);
    if (!known) continue;
    reading_.read(p, path_, guess_.mu, eps);
    found = tells && walk_from(p, exchanges_on_path);
    tells = true;
  }
  newton_steps_ += path_.newton_steps();
  return found;
}

bool Solver::follow_path(const Problem& p) {
  begin_path(p);
  bool found = false, any = false;
  for (double eps = first_compliance; !found && eps > 0.5 * last_compliance; eps *= next_compliance) {
    // Where it turns back it may be met again there, or farther on.
    bool on_path = path_.follow(eps);
    for (double farther = eps; !on_path && farther > 0.5 * last_compliance; farther *= next_compliance)
      if ((on_path = path_.jump(farther))) eps = farther;
    if (!on_path) {
      // Its last statuses are a guess like others.
      found = any && walk_from(p, most_exchanges);
      break;
    }
    if (eps > 2 * told) continue;
    last_ = reading_.status();
    reading_.read(p, path_, guess_.mu, eps);
    // (While they still change they are not those of the limit.)
    if (eps > told * told && !(any && same(last_, reading_.status()))) {
      any = true;
      continue;
    }
    found = walk_from(p, exchanges_on_path);
  }
  newton_steps_ += path_.newton_steps();
  return found || end_of_path(p);
}

/// The end of a path that turns back on its way.
bool Solver::leap_to_end(const Problem& p) {
  begin_path(p);
  bool found = true;
  for (double eps = last_compliance / next_compliance; found && eps > 0.5 * last_compliance; eps *= next_compliance)
    if ((found = path_.jump(eps, true))) reading_.read(p, path_, guess_.mu, eps);
  newton_steps_ += path_.newton_steps();
  return found && end_of_path(p);
}

/// The last forces of the path obey the laws but for a compliance near to round-off: an answer where statuses whose
/// shares are not told by linear algebra creep.
bool Solver::end_of_path(const Problem& p) {
  if (!path_.reached(last_compliance)) return false;
  return take_path(p) ||
         (reading_.press_least(p, path_, guess_.mu) && (walk_from(p, exchanges_on_path) || take_path(p)));
}

bool Solver::take_path(const Problem& p) {
  guess_.status.contact = reading_.status().contact;
  guess_.status.unit = reading_.status().unit;
  std::copy(path_.force(), path_.force() + p.rows(), force_.begin());
  for (std::size_t i = 0; i < p.contact.size(); ++i)
    if (guess_.status.contact[i] == Press::open) force_[at(p.contact[i].row)] = 0;
  for (std::size_t j = 0; j < p.unit.size(); ++j)
    for (int d = 0; d < p.unit[j].directions && guess_.status.unit[j].hold == Hold::none; ++d)
      force_[at(p.unit[j].row + d)] = 0;
  exchange_.level().take(p, force_.data());
  keep(p);
  exact_ = !(exchange_.level().tells(p) && residual(p) <= path_end);
  return !exact_;
}

bool Solver::release(const Problem& p) {
  // What slid until now, or has just reached its limit, is let go before what others then may hold.
  const auto let_go = [&](bool all) {
    bool more = false;
    for (std::size_t j = 0; j < p.unit.size(); ++j) {
      const Unit& unit = p.unit[j];
      if (unit.slides || kinetic_[j] != 0 || guess_.status.unit[j].hold != Hold::slip ||
          !(unit.mu_kinetic < unit.mu_static))
        continue;
      if (!all && !unit.exceeded && !unit.arrives) continue;
      const double rate = length(exchange_.level().rate() + unit.row, unit.directions);
      double size = 0;
      for (int d = 0; d < unit.directions; ++d) size = std::max(size, exchange_.level().size(unit.row + d));
      if (!unit.exceeded && !(rate > clear * size)) continue;
      kinetic_[j] = 1;
      guess_.mu[j] = unit.mu_kinetic;
      more = true;
    }
    return more;
  };
  return let_go(false) || let_go(true);
}

void Solver::keep(const Problem& p) {
  for (int i = 0; i < p.rows(); ++i) {
    force_[at(i)] = exchange_.level().force()[i];
    rate_[at(i)] = exchange_.level().rate()[i];
    size_[at(i)] = exchange_.level().size(i);
    force_size_[at(i)] = exchange_.level().force_size(i);
  }
}

bool Solver::label(const Problem& p) {
  bool rests = false, gives_way = false;
  // Where one has reached its limit and slips, so do in space those that slip with it, in one motion.
  for (std::size_t j = 0; j < p.unit.size(); ++j)
    gives_way |= p.unit[j].exceeded && p.unit[j].directions > 1 && guess_.status.unit[j].hold == Hold::slip;
  // Neither force nor rate: closed, unless known to leave; at the limit without rate: held, unless known to go.
  for (std::size_t i = 0; i < p.contact.size(); ++i) {
    const int row = p.contact[i].row;
    // (What has just lost its load has a rate of the round-off of the forces that were there.)
    const double size = std::max(size_[at(row)], p.force_scale * p.g(row, row));
    if (guess_.status.contact[i] != Press::open || p.contact[i].leaving || drags_[i] != 0 ||
        std::abs(rate_[at(row)]) > round_off * size)
      continue;
    guess_.status.contact[i] = Press::loaded;
    rests = true;
  }
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    UnitStatus& now = guess_.status.unit[j];
    // (One of a contact that touches has no force, and rests or slides like others.)
    if (unit.normal == Unit::Normal::contact && guess_.status.contact[at(unit.contact)] == Press::open) continue;
    if (unit.slides) {
      now = {Hold::slip, unit.direction};
      continue;
    }
    const double rate = length(rate_.data() + unit.row, unit.directions);
    const bool moves = rate > clear * largest(size_, unit);
    if (now.hold == Hold::slip && !moves && !unit.exceeded && !gives_way) {
      now.hold = Hold::held;
      rests = true;
    }
    if (now.hold != Hold::none) continue;
    now.hold = moves ? Hold::slip : Hold::held;
    for (int d = 0; d < unit.directions; ++d) now.direction[at(d)] = moves ? rate_[at(unit.row + d)] / rate : 0;
  }
  return rests;
}

/// What rests at its limit together with others shares with them as what is held or creeps.
void Solver::share_at_rest(const Problem& p) {
  last_ = guess_.status;
  const auto found = [&](int exchanges) {
    if (!exchange_.walk(p, guess_, exchanges) || one_slips(p, last_, guess_.status)) return false;
    keep(p);
    label(p);
    return true;
  };
  if (found(most_exchanges)) {
    exact_ = true;
    return;
  }
  // Several are at their limit that by symmetry reach it together: of those that do not hold there one that creeps
  // holds the others.
  for (std::size_t j = 0; j < p.unit.size(); ++j)
    gives_way_[j] = exact_ && guess_.status.unit[j].hold != Hold::held && last_.unit[j].hold == Hold::held;
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    guess_.status = last_;
    if (gives_way_[j] == 0 || !unit_is_tied(p, static_cast<int>(j))) continue;
    const Unit& unit = p.unit[j];
    UnitStatus& now = guess_.status.unit[j];
    now.hold = Hold::creeping;
    const double force = length(force_.data() + unit.row, unit.directions);
    for (int d = 0; d < unit.directions && force > 0; ++d) now.direction[at(d)] = -force_[at(unit.row + d)] / force;
    if (found(exchanges_on_path)) return;
  }
  guess_.status = last_;
}

double Solver::residual(const Problem& p) const {
  double worst = 0;
  const auto add = [&](double excess, double size) {
    if (excess > 0) worst = std::max(worst, size > 0 ? excess / size : 1);
  };
  for (std::size_t i = 0; i < p.contact.size(); ++i) {
    const auto row = at(p.contact[i].row);
    add(-force_[row], force_size_[row]);
    if (!p.contact[i].leaving) add(-rate_[row], size_[row]);
    if (guess_.status.contact[i] != Press::open) add(std::abs(rate_[row]), size_[row]);
  }
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    const Hold hold = guess_.status.unit[j].hold;
    if (hold == Hold::none || unit.slides) continue;
    const double force = length(force_.data() + unit.row, unit.directions),
                 limit = guess_.mu[j] * p.normal(unit, force_.data());
    add(force - limit, std::max(limit, force_size_[at(unit.row)]));
    for (int d = 0; d < unit.directions && hold != Hold::slip; ++d)
      add(std::abs(rate_[at(unit.row + d)]), size_[at(unit.row + d)]);
  }
  return worst;
}

Answer Solver::solve(const Problem& p, const Status* near) {
  Answer answer;
  begin(p);
  const auto beside_fast = [&] {
    if (!beside_.state(p)) return false;
    guess_.hold_all(beside_.problem());
    // (Its forces turn what is fast a little.)
    return share(beside_.problem(), nullptr) && exchange_.walk(p, guess_, most_exchanges);
  };
  do answer.found = share(p, near) || beside_fast();
  while (answer.found && release(p));
  if (!answer.found) answer.found = Planar::states(p) && enumerate(p, exchange_, guess_);
  answer.systems = exchange_.systems() - systems_;
  answer.newton_steps = newton_steps_;
  if (!answer.found) {
    answer.exact = exact_;
    answer.residual = 1;
    return answer;
  }
  keep(p);
  answer.redundant = exchange_.level().redundant();
  // (Statuses that a problem like this one ended with have been asked for shares, and had none.)
  if (label(p) && (near == nullptr || !same(*near, guess_.status))) share_at_rest(p);
  for (std::size_t j = 0; j < p.unit.size(); ++j) guess_.status.unit[j].kinetic = kinetic_[j] != 0;
  answer.exact = exact_;
  answer.residual = residual(p);
  for (std::size_t i = 0; i < p.contact.size(); ++i) answer.ties += contact_is_tied(p, static_cast<int>(i));
  for (std::size_t j = 0; j < p.unit.size(); ++j) answer.ties += unit_is_tied(p, static_cast<int>(j));
  return answer;
}

bool Solver::contact_is_tied(const Problem& p, int i) const {
  const auto row = at(p.contact[at(i)].row);
  const Press press = guess_.status.contact[at(i)];
  if (press == Press::touching) return false;
  return press == Press::open ? std::abs(rate_[row]) <= clear * size_[row] : force_[row] <= clear * force_size_[row];
}

bool Solver::unit_is_tied(const Problem& p, int j) const {
  const Unit& unit = p.unit[at(j)];
  const Hold hold = guess_.status.unit[at(j)].hold;
  if (unit.slides || hold == Hold::none || hold == Hold::creeping || !acts(unit, guess_.status)) return false;
  if (hold == Hold::slip) return length(rate_.data() + unit.row, unit.directions) <= clear * largest(size_, unit);
  const double limit = unit.mu_static * p.normal(unit, force_.data());
  return limit - length(force_.data() + unit.row, unit.directions) <=
         clear * std::max(limit, force_size_[at(unit.row)]);
}

}  // namespace hstar::contact

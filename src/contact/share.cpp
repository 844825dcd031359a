// src/contact/share.cpp
#include "contact/share.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/tolerances.hpp"

namespace hstar::contact {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Exchanges of statuses from a guess: an active-set method that has not ended after these goes in circles.
constexpr int most_exchanges = 12, exchanges_on_path = 4;
/// Pivoting costs as much as some of them.
constexpr int exchanges_before_pivots = 4;

/// Over the rows of a unit; nothing of x is negative.
double largest(const std::vector<double>& x, const Unit& unit) {
  return *std::max_element(x.begin() + unit.row, x.begin() + unit.row + unit.directions);
}

bool same(const Status& a, const Status& b) {
  return a.contact == b.contact &&
         std::equal(a.unit.begin(), a.unit.end(), b.unit.begin(), b.unit.end(),
                    [](const UnitStatus& x, const UnitStatus& y) { return x.hold == y.hold; });
}

}  // namespace

void Solver::reserve(int rows) {
  level_.reserve(rows);
  path_.reserve(rows);
  const std::size_t n = at(rows);
  if (force_.size() >= n) return;
  for (auto* v : {&force_, &rate_, &size_, &force_size_}) v->resize(n);
  mu_.reserve(n);
  path_rate_.reserve(n);
  kinetic_.reserve(n);
  drags_.reserve(n);
  for (Status* s : {&status_, &next_, &before_, &read_, &last_}) {
    s->contact.reserve(n);
    s->unit.reserve(n);
  }
  contact_asked_.reserve(n);
  unit_asked_.reserve(n);
}

bool Solver::acts(const Unit& unit, const Status& status) {
  return unit.normal != Unit::Normal::contact || status.contact[at(unit.contact)] == Press::loaded;
}

void Solver::begin(const Problem& p) {
  reserve(p.rows());
  systems_ = newton_steps_ = 0;
  status_.contact.assign(p.contact.size(), Press::loaded);
  status_.unit.assign(p.unit.size(), {});
  mu_.resize(p.unit.size());
  kinetic_.assign(p.unit.size(), 0);
  path_rate_.assign(p.unit.size(), 0.0);
  drags_.assign(p.contact.size(), 0);
  contact_asked_.assign(p.contact.size(), Asked::anything);
  unit_asked_.assign(p.unit.size(), Asked::anything);
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    mu_[j] = unit.slides ? unit.mu_kinetic : unit.mu_static;
    status_.unit[j] = {unit.slides ? Hold::slip : Hold::held, unit.direction};
    if (unit.slides && unit.normal == Unit::Normal::contact && length(unit.further.data(), unit.directions) > 0)
      drags_[at(unit.contact)] = 1;
  }
}

bool Solver::judge_contact(const Problem& p, int i) {
  const Contact& one = p.contact[at(i)];
  Press& next = next_.contact[at(i)];
  const Asked asked = contact_asked_[at(i)];
  const double f = level_.force()[one.row], a = level_.rate()[one.row], size = level_.size(one.row),
               forces = std::max(level_.force_size(one.row), one.leaving || one.pressing ? p.force_scale : 0.0);
  if (next == Press::loaded) {
    if (a > clear * size && level_.depends(one.row)) {
      // Others move the bodies apart: no force holds them.
      next = Press::open;
      refused_ |= asked == Asked::closed;
      return true;
    }
    impossible_ |= std::abs(a) > clear * size;
    if (one.leaving ? f > clear * forces : f >= -(one.pressing ? clear : round_off) * forces) return false;
    next = asked == Asked::closed ? Press::touching : Press::open;
    return true;
  }
  const double held = one.leaving ? 4 * forces * p.g(one.row, one.row) : 0;  // what is known to leave may have no rate
  const double least = one.leaving ? clear * std::max(size, held) : round_off * size;
  const auto press = [&] {
    refused_ |= asked == Asked::open;
    next = Press::loaded;
    return true;
  };
  if (a < -least) return press();
  const bool rests = std::abs(a) <= clear * size && level_.depends(one.row);
  next = rests ? Press::touching : Press::open;
  if (asked == Asked::closed && !rests) refused_ = true;
  if (asked == Asked::open && a <= least) weak_ = true;
  // (What leaves or is pressed again is told by a force that was zero within the forces around it, and so is how far it
  // sinks.)
  const double clearly = clear * std::max(level_.sink_size(), p.compliance[at(one.row)] * p.force_scale);
  const double sinks = one.leaving ? clearly : one.pressing ? -clearly : round_off * level_.sink_size();
  if (rests && level_.sink(one.row) < -sinks && asked != Asked::open) return press();
  return false;
}

bool Solver::judge_unit(const Problem& p, int j) {
  const Unit& unit = p.unit[at(j)];
  UnitStatus& next = next_.unit[at(j)];
  const int k = unit.directions;
  const Asked asked = unit_asked_[at(j)];
  if (!acts(unit, next_)) {
    next.hold = Hold::none;
    return false;
  }
  if (next.hold == Hold::none) {  // its contact has been closed just now
    next = {unit.slides ? Hold::slip : Hold::held, unit.direction};
    if (asked == Asked::slip && !unit.slides) next.hold = Hold::slip;
    return true;
  }
  if (unit.slides) return false;
  const double *f = level_.force() + unit.row, *a = level_.rate() + unit.row;
  const double force = length(f, k), rate = length(a, k), limit = mu_[at(j)] * p.normal(unit, level_.force());
  double size = 0, forces = 0;
  bool depends = true;
  for (int d = 0; d < k; ++d) {
    size = std::max(size, level_.size(unit.row + d));
    forces = std::max(forces, level_.force_size(unit.row + d));
    depends &= level_.depends(unit.row + d);
  }
  const bool moves = rate > clear * size;
  const auto slip = [&](const double* along, double sign, double whole) {
    bool shared = false;
    for (int d = 0; d < k && !moves && level_.redundant(); ++d) shared |= level_.shares(unit.row + d);
    refused_ |= asked == Asked::stick && !shared;
    next.hold = shared ? Hold::creeping : Hold::slip;
    for (int d = 0; d < k; ++d) next.direction[at(d)] = whole > 0 ? sign * along[d] / whole : unit.heading[at(d)];
    return true;
  };
  if (next.hold == Hold::held) {
    if (moves) return slip(a, 1, rate);  // its rows are held by others that do not let them rest
    const bool inside = unit.exceeded ? force < limit - clear * std::max(limit, forces)
                                      : force <= limit + round_off * std::max(limit, forces);
    if (inside) return false;
    return slip(f, -1, force > round_off * forces ? force : 0);
  }
  // At its limit.
  const Hold was = next.hold;
  double along = 0, sinks = 0;
  for (int d = 0; d < k; ++d) {
    along += a[d] * next.direction[at(d)];
    sinks += level_.sink(unit.row + d) * next.direction[at(d)];
  }
  const auto hold = [&] {
    refused_ |= asked == Asked::slip;
    next.hold = Hold::held;
    return true;
  };
  if (!moves && depends) {
    if (asked == Asked::slip) weak_ = true;
    if (sinks < -(unit.exceeded ? clear : round_off) * level_.sink_size() && asked != Asked::slip) return hold();
    next.hold = asked == Asked::slip ? Hold::slip : Hold::creeping;
    return k > 1 && was != next.hold;
  }
  if (asked == Asked::slip && along <= round_off * size) weak_ = true;
  if (along < -(unit.exceeded ? clear : round_off) * size) return hold();
  if (asked == Asked::stick) refused_ = true;
  next.hold = Hold::slip;
  return k > 1 && was != next.hold;
}

int Solver::judge(const Problem& p) {
  int broken = 0;
  next_.contact = status_.contact;
  next_.unit = status_.unit;
  impossible_ = refused_ = weak_ = false;
  for (std::size_t i = 0; i < p.contact.size(); ++i) broken += judge_contact(p, static_cast<int>(i));
  for (std::size_t j = 0; j < p.unit.size(); ++j) broken += judge_unit(p, static_cast<int>(j));
  return broken;
}

bool Solver::walk(const Problem& p, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t j = 0; j < p.unit.size(); ++j)
      if (!acts(p.unit[j], status_)) status_.unit[j].hold = Hold::none;
    ++systems_;
    if (!level_.solve(p, status_, mu_.data())) return false;
    const int broken = judge(p);
    if (refused_) return false;
    std::swap(status_, next_);
    if (broken == 0) return !impossible_;
    // To and fro between two statuses; `next_` is the one just left.
    if (round > 0 && same(status_, before_)) return false;
    std::swap(before_, next_);
  }
  return false;
}

void Solver::read_path(const Problem& p, double eps) {
  const double *f = path_.force(), *a = path_.rate();
  double forces = 0;
  for (int i = 0; i < p.rows(); ++i) forces = std::max(forces, std::abs(f[i]));
  read_.contact.resize(p.contact.size());
  read_.unit.resize(p.unit.size());
  for (std::size_t i = 0; i < p.contact.size(); ++i)
    read_.contact[i] = f[p.contact[i].row] > clear * forces ? Press::loaded : Press::open;
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    UnitStatus& now = read_.unit[j];
    if (!acts(unit, read_)) {
      now.hold = Hold::none;
      continue;
    }
    now = {unit.slides ? Hold::slip : Hold::held, unit.direction};
    if (unit.slides) continue;
    const double force = length(f + unit.row, unit.directions), rate = length(a + unit.row, unit.directions);
    if (force < mu_[j] * p.normal(unit, f) - std::sqrt(solved) * force) continue;
    double size = 0;
    for (int d = 0; d < unit.directions; ++d) {
      double terms = std::max(p.scale[at(unit.row + d)], std::abs(p.c[at(unit.row + d)]));
      for (int i = 0; i < p.rows(); ++i) terms += std::abs(p.g(unit.row + d, i) * f[i]);
      size = std::max(size, terms);
    }
    // What creeps does so with eps: ten times slower than at the eps before.
    const double before = path_rate_[j];
    const bool moves = before > 0 ? rate > before / 3 : rate > std::sqrt(eps) * size;
    path_rate_[j] = rate;
    now.hold = moves ? Hold::slip : Hold::creeping;
    for (int d = 0; d < unit.directions; ++d)
      now.direction[at(d)] = moves       ? a[unit.row + d] / rate
                             : force > 0 ? -f[unit.row + d] / force
                                         : unit.heading[at(d)];
  }
}

bool Solver::walk_from(const Problem& p, int rounds) {
  status_.contact = read_.contact;
  status_.unit = read_.unit;
  level_.guess(p, path_.force(), path_.strain());
  return walk(p, rounds);
}

bool Solver::share(const Problem& p) {
  exact_ = true;
  const bool planar = Planar::states(p);
  if (walk(p, planar ? exchanges_before_pivots : most_exchanges)) return true;
  const auto begin_path = [&] {
    path_.begin(p, mu_.data());
    std::fill(path_rate_.begin(), path_rate_.end(), 0.0);
  };
  begin_path();
  if (planar && path_.jump(told * told)) {
    read_path(p, told * told);
    newton_steps_ += path_.newton_steps();
    if (walk_from(p, exchanges_on_path)) return true;
    begin_path();
  }
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
    std::swap(last_, read_);
    read_path(p, eps);
    // (While they still change they are not those of the limit.)
    if (eps > told * told && !(any && same(last_, read_))) {
      any = true;
      continue;
    }
    found = walk_from(p, exchanges_on_path);
  }
  newton_steps_ += path_.newton_steps();
  return found || end_of_path(p);
}

/// The last forces of the path obey the laws but for a compliance near to round-off: an answer where statuses whose
/// shares are not told by linear algebra creep.
bool Solver::end_of_path(const Problem& p) {
  if (!path_.reached(last_compliance)) return false;
  status_.contact = read_.contact;
  status_.unit = read_.unit;
  std::copy(path_.force(), path_.force() + p.rows(), force_.begin());
  for (std::size_t i = 0; i < p.contact.size(); ++i)
    if (status_.contact[i] == Press::open) force_[at(p.contact[i].row)] = 0;
  for (std::size_t j = 0; j < p.unit.size(); ++j)
    for (int d = 0; d < p.unit[j].directions && status_.unit[j].hold == Hold::none; ++d)
      force_[at(p.unit[j].row + d)] = 0;
  level_.take(p, force_.data());
  keep(p);
  exact_ = false;
  return level_.tells(p) && residual(p) <= path_end;
}

bool Solver::release(const Problem& p) {
  // What slid until now, or has just reached its limit, is let go before what others then may hold.
  const auto let_go = [&](bool all) {
    bool more = false;
    for (std::size_t j = 0; j < p.unit.size(); ++j) {
      const Unit& unit = p.unit[j];
      if (unit.slides || kinetic_[j] != 0 || status_.unit[j].hold != Hold::slip || !(unit.mu_kinetic < unit.mu_static))
        continue;
      if (!all && !unit.exceeded && !unit.arrives) continue;
      const double rate = length(level_.rate() + unit.row, unit.directions);
      double size = 0;
      for (int d = 0; d < unit.directions; ++d) size = std::max(size, level_.size(unit.row + d));
      if (!unit.exceeded && !(rate > clear * size)) continue;
      kinetic_[j] = 1;
      mu_[j] = unit.mu_kinetic;
      more = true;
    }
    return more;
  };
  return let_go(false) || let_go(true);
}

void Solver::keep(const Problem& p) {
  for (int i = 0; i < p.rows(); ++i) {
    force_[at(i)] = level_.force()[i];
    rate_[at(i)] = level_.rate()[i];
    size_[at(i)] = level_.size(i);
    force_size_[at(i)] = level_.force_size(i);
  }
}

bool Solver::label(const Problem& p) {
  bool rests = false, gives_way = false;
  // Where one has reached its limit and slips, so do in space those that slip with it, in one motion.
  for (std::size_t j = 0; j < p.unit.size(); ++j)
    gives_way |= p.unit[j].exceeded && p.unit[j].directions > 1 && status_.unit[j].hold == Hold::slip;
  // Neither force nor rate: closed, unless known to leave; at the limit without rate: held, unless known to go.
  for (std::size_t i = 0; i < p.contact.size(); ++i) {
    const int row = p.contact[i].row;
    // (What has just lost its load has a rate of the round-off of the forces that were there.)
    const double size = std::max(size_[at(row)], p.force_scale * p.g(row, row));
    if (status_.contact[i] == Press::open && !p.contact[i].leaving && drags_[i] == 0 &&
        std::abs(rate_[at(row)]) <= round_off * size)
      status_.contact[i] = Press::loaded;
  }
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    UnitStatus& now = status_.unit[j];
    // (One of a contact that touches has no force, and rests or slides like others.)
    if (unit.normal == Unit::Normal::contact && status_.contact[at(unit.contact)] == Press::open) continue;
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
  last_ = status_;
  const auto found = [&] {
    if (!walk(p, most_exchanges) || level_moves(p)) return false;
    keep(p);
    label(p);
    return true;
  };
  if (found()) return;
  // Several are at their limit that by symmetry reach it together: one that creeps holds the others there.
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    status_ = last_;
    if (!unit_is_tied(p, static_cast<int>(j))) continue;
    const Unit& unit = p.unit[j];
    UnitStatus& now = status_.unit[j];
    now.hold = Hold::creeping;
    const double force = length(force_.data() + unit.row, unit.directions);
    for (int d = 0; d < unit.directions && force > 0; ++d) now.direction[at(d)] = -force_[at(unit.row + d)] / force;
    if (found()) return;
  }
  status_ = last_;
}

/// Of the units that were to rest in the statuses before one slips.
bool Solver::level_moves(const Problem& p) const {
  for (std::size_t j = 0; j < p.unit.size(); ++j)
    if (!p.unit[j].slides && status_.unit[j].hold == Hold::slip && last_.unit[j].hold != Hold::slip) return true;
  return false;
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
    if (status_.contact[i] != Press::open) add(std::abs(rate_[row]), size_[row]);
  }
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& unit = p.unit[j];
    const Hold hold = status_.unit[j].hold;
    if (hold == Hold::none || unit.slides) continue;
    const double force = length(force_.data() + unit.row, unit.directions),
                 limit = mu_[j] * p.normal(unit, force_.data());
    add(force - limit, std::max(limit, force_size_[at(unit.row)]));
    for (int d = 0; d < unit.directions && hold != Hold::slip; ++d)
      add(std::abs(rate_[at(unit.row + d)]), size_[at(unit.row + d)]);
  }
  return worst;
}

/// Where neither exchanges nor the path end, in the plane: all statuses one by one. Of those that satisfy the laws the
/// one that sticks most, and of these the one that is closed most, but those on a boundary of the laws last.
bool Solver::enumerated(const Problem& p) {
  if (!Planar::states(p) || combinations(p) > most_enumerated) return false;
  Combination best;
  int least = std::numeric_limits<int>::max();
  each_combination(p, [&](int rank) {
    if (weak_) rank += std::numeric_limits<int>::max() / 2;
    if (rank >= least) return;
    least = rank;
    best = {status_, contact_asked_, unit_asked_, mu_};
  });
  if (least == std::numeric_limits<int>::max()) return false;
  begin(p);
  status_ = best.status;
  contact_asked_ = best.contact;
  unit_asked_ = best.unit;
  mu_ = best.mu;
  return walk(p, most_exchanges);
}

Answer Solver::solve(const Problem& p) {
  Answer answer;
  begin(p);
  do answer.found = share(p);
  while (answer.found && release(p));
  if (!answer.found) answer.found = enumerated(p);
  answer.exact = exact_;
  answer.systems = systems_;
  answer.newton_steps = newton_steps_;
  if (!answer.found) {
    answer.residual = 1;
    return answer;
  }
  keep(p);
  answer.redundant = level_.redundant();
  if (label(p)) share_at_rest(p);
  answer.residual = residual(p);
  for (std::size_t i = 0; i < p.contact.size(); ++i) answer.ties += contact_is_tied(p, static_cast<int>(i));
  for (std::size_t j = 0; j < p.unit.size(); ++j) answer.ties += unit_is_tied(p, static_cast<int>(j));
  return answer;
}

bool Solver::contact_is_tied(const Problem& p, int i) const {
  const auto row = at(p.contact[at(i)].row);
  const Press press = status_.contact[at(i)];
  if (press == Press::touching) return false;
  return press == Press::open ? std::abs(rate_[row]) <= clear * size_[row] : force_[row] <= clear * force_size_[row];
}

bool Solver::unit_is_tied(const Problem& p, int j) const {
  const Unit& unit = p.unit[at(j)];
  const Hold hold = status_.unit[at(j)].hold;
  if (unit.slides || hold == Hold::none || hold == Hold::creeping || !acts(unit, status_)) return false;
  if (hold == Hold::slip) return length(rate_.data() + unit.row, unit.directions) <= clear * largest(size_, unit);
  const double limit = unit.mu_static * p.normal(unit, force_.data());
  return limit - length(force_.data() + unit.row, unit.directions) <=
         clear * std::max(limit, force_size_[at(unit.row)]);
}

double Solver::combinations(const Problem& p) {
  // Units of an open contact have nothing to choose.
  const auto ways = [](const Unit& unit) { return unit.slides ? 1.0 : 3.0; };
  double all = 1;
  for (int i = 0; i < static_cast<int>(p.contact.size()); ++i) {
    double closed = 1;
    for (const Unit& unit : p.unit)
      if (unit.normal == Unit::Normal::contact && unit.contact == i) closed *= ways(unit);
    all *= 1 + closed;
  }
  for (const Unit& unit : p.unit) all *= unit.normal == Unit::Normal::contact ? 1 : ways(unit);
  return all;
}

void Solver::each_combination(const Problem& p, const std::function<void(int)>& visit) {
  // The digits of a combination: contacts closed or open, units stuck, sliding forwards or backwards.
  const std::size_t contacts = p.contact.size();
  std::vector<int> digit(contacts + p.unit.size(), 0);
  const auto options = [&](std::size_t i) { return i < contacts ? 2 : p.unit[i - contacts].slides ? 1 : 3; };
  for (bool more = true; more;) {
    begin(p);
    int rank = 0;
    bool real = true;
    for (std::size_t i = 0; i < contacts; ++i) {
      contact_asked_[i] = digit[i] == 0 ? Asked::closed : Asked::open;
      status_.contact[i] = digit[i] == 0 ? Press::loaded : Press::open;
      rank += digit[i];
    }
    for (std::size_t j = 0; j < p.unit.size(); ++j) {
      const Unit& unit = p.unit[j];
      const int d = digit[contacts + j];
      const bool acting = acts(unit, status_);
      real &= acting || d == 0;
      if (unit.slides || !acting) continue;
      unit_asked_[j] = d == 0 ? Asked::stick : Asked::slip;
      rank += d == 0 ? 0 : static_cast<int>(contacts) + 1;
      if (d == 0) continue;
      status_.unit[j] = {Hold::slip, {d == 1 ? 1.0 : -1.0, 0, 0}};
      mu_[j] = unit.mu_kinetic;
    }
    if (real && walk(p, most_exchanges)) visit(rank);
    more = false;
    for (std::size_t i = 0; i < digit.size() && !more; ++i) {
      more = ++digit[i] < options(i);
      if (!more) digit[i] = 0;
    }
  }
}

std::vector<Status> Solver::list(const Problem& p, std::size_t limit) {
  std::vector<Status> all;
  if (combinations(p) > most_listed) return all;
  std::vector<std::pair<int, Status>> found;
  each_combination(p, [&](int rank) {
    if (weak_) return;
    // In words only open, stick, slip.
    Status answer = status_;
    for (std::size_t i = 0; i < p.contact.size(); ++i)
      if (contact_asked_[i] == Asked::closed) answer.contact[i] = Press::loaded;
    for (std::size_t j = 0; j < p.unit.size(); ++j)
      if (unit_asked_[j] == Asked::stick) answer.unit[j].hold = Hold::held;
    found.emplace_back(rank, std::move(answer));
  });
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [rank, status] : found)
    if (all.size() < limit) all.push_back(std::move(status));
  return all;
}

std::size_t Solver::count(const Problem& p) {
  std::size_t strict = 0;
  if (combinations(p) <= most_listed) each_combination(p, [&](int) { strict += !weak_; });
  return strict;
}

}  // namespace hstar::contact

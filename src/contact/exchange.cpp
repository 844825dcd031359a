// src/contact/exchange.cpp
#include "contact/exchange.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

#include "contact/tolerances.hpp"

namespace hstar::contact {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

bool acts(const Unit& unit, const Status& status) {
  return unit.normal != Unit::Normal::contact || status.contact[at(unit.contact)] == Press::loaded;
}

bool same(const Status& a, const Status& b) {
  return a.contact == b.contact &&
         std::equal(a.unit.begin(), a.unit.end(), b.unit.begin(), b.unit.end(),
                    [](const UnitStatus& x, const UnitStatus& y) { return x.hold == y.hold; });
}

void Guess::reserve(int rows) {
  const std::size_t n = at(rows);
  status.contact.reserve(n);
  status.unit.reserve(n);
  mu.reserve(n);
  contact.reserve(n);
  unit.reserve(n);
}

void Guess::hold_all(const Problem& p) {
  status.contact.assign(p.contact.size(), Press::loaded);
  status.unit.assign(p.unit.size(), {});
  mu.resize(p.unit.size());
  contact.assign(p.contact.size(), Asked::anything);
  unit.assign(p.unit.size(), Asked::anything);
  for (std::size_t j = 0; j < p.unit.size(); ++j) {
    const Unit& one = p.unit[j];
    mu[j] = one.mu();
    status.unit[j] = {one.slides ? Hold::slip : Hold::held, one.direction};
  }
}

void Exchange::reserve(int rows) {
  level_.reserve(rows);
  for (Status* s : {&next_, &before_}) {
    s->contact.reserve(at(rows));
    s->unit.reserve(at(rows));
  }
}

bool Exchange::judge_contact(const Problem& p, int i, Asked asked) {
  const Contact& one = p.contact[at(i)];
  Press& next = next_.contact[at(i)];
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
    if (one.leaving ? f > std::max(clear * forces, one.nothing) : f >= -(one.pressing ? clear : round_off) * forces)
      return false;
    next = asked == Asked::closed ? Press::touching : Press::open;
    return true;
  }
  const double held = one.leaving ? lean * std::max(forces, one.nothing / clear) * p.g(one.row, one.row)
                                  : 0;  // what is known to leave may have no rate
  const double least = one.leaving ? clear * std::max(size, held) : round_off * size;
  const auto press = [&] {
    refused_ |= asked == Asked::open;
    next = Press::loaded;
    return true;
  };
  // (Of a row that depends on the held ones they leave a part that its own force cannot change.)
  const bool rests = std::abs(a) <= clear * size && level_.depends(one.row);
  if (a < -least && !rests) return press();
  next = rests ? Press::touching : Press::open;
  if (asked == Asked::closed && !rests) refused_ = true;
  if (asked == Asked::open && a <= least) weak_ = true;
  if (!rests || asked == Asked::open) return false;
  // (What leaves or is pressed again is told by a force that was zero within the forces around it, and so is how far it
  // sinks. Where nothing need press, what sinks is round-off of the problem's forces.)
  const double sunk = std::max(level_.sink_size(), p.compliance[at(one.row)] * p.force_scale),
               sinks = (one.leaving    ? clear
                        : one.pressing ? -clear
                                       : round_off) *
                       sunk;
  return level_.sink(one.row) < -sinks && press();
}

bool Exchange::judge_unit(const Problem& p, int j, double mu, Asked asked) {
  const Unit& unit = p.unit[at(j)];
  UnitStatus& next = next_.unit[at(j)];
  const int k = unit.directions;
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
  const double force = length(f, k), rate = length(a, k), limit = mu * p.normal(unit, level_.force());
  double size = 0, forces = 0, answer = 0;
  for (int d = 0; d < k; ++d) {
    size = std::max(size, level_.size(unit.row + d));
    answer = std::max(answer, p.g(unit.row + d, unit.row + d));
    forces = std::max(forces, level_.force_size(unit.row + d));
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
    const double whole = std::max(limit, forces), at_limit = std::max(clear * whole, unit.nothing);
    const bool inside =
        unit.exceeded ? force < limit - at_limit : force <= limit + (unit.returned ? at_limit : round_off * whole);
    if (inside) return false;
    return slip(f, -1, force > round_off * forces ? force : 0);
  }
  // At its limit.
  const Hold was = next.hold;
  double along = 0, sinks = 0;
  for (int d = 0; d < k; ++d) along += a[d] * next.direction[at(d)];
  const auto hold = [&] {
    refused_ |= asked == Asked::slip;
    next.hold = Hold::held;
    return true;
  };
  bool rests = !moves;
  for (int d = 0; d < k && rests; ++d) rests = level_.depends(unit.row + d);
  if (rests) {
    for (int d = 0; d < k; ++d) sinks += level_.sink(unit.row + d) * next.direction[at(d)];
    if (asked == Asked::slip) weak_ = true;
    const double at_limit = std::max(clear * level_.sink_size(), lean * p.compliance[at(unit.row)] * unit.nothing);
    const double beyond = unit.exceeded ? -at_limit : unit.returned ? at_limit : -round_off * level_.sink_size();
    if (sinks < beyond && asked != Asked::slip) return hold();
    next.hold = asked == Asked::slip ? Hold::slip : Hold::creeping;
    return k > 1 && was != next.hold;
  }
  if (asked == Asked::slip && along <= round_off * size) weak_ = true;
  if (along < -(unit.exceeded ? std::max(clear * size, lean * answer * unit.nothing) : round_off * size)) return hold();
  if (asked == Asked::stick) refused_ = true;
  next.hold = Hold::slip;
  return k > 1 && was != next.hold;
}

int Exchange::judge(const Problem& p, const Guess& guess) {
  int broken = 0;
  next_.contact = guess.status.contact;
  next_.unit = guess.status.unit;
  impossible_ = refused_ = weak_ = false;
  for (std::size_t i = 0; i < p.contact.size(); ++i) broken += judge_contact(p, static_cast<int>(i), guess.contact[i]);
  for (std::size_t j = 0; j < p.unit.size(); ++j)
    broken += judge_unit(p, static_cast<int>(j), guess.mu[j], guess.unit[j]);
  return broken;
}

bool Exchange::walk(const Problem& p, Guess& guess, int rounds, int patience) {
  Status& status = guess.status;
  int fewest = INT_MAX, since = 0;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t j = 0; j < p.unit.size(); ++j)
      if (!acts(p.unit[j], status)) status.unit[j].hold = Hold::none;
    ++systems_;
    if (!level_.solve(p, status, guess.mu.data())) return false;
    const int broken = judge(p, guess);
    if (refused_) return false;
    since = broken < fewest ? 0 : since + 1;
    fewest = std::min(fewest, broken);
    std::swap(status, next_);
    if (broken == 0) return !impossible_;
    // To and fro between two statuses; `next_` is the one just left.
    if ((round > 0 && same(status, before_)) || since == patience) return false;
    std::swap(before_, next_);
  }
  return false;
}

}  // namespace hstar::contact

// src/simulate/islands/island_motion.cpp
#include "simulate/islands/island_motion.hpp"

#include <algorithm>
#include <cmath>

namespace hstar::islands {
namespace {

double sign_of(Going going) { return going == Going::freely ? 0.0 : static_cast<double>(static_cast<int>(going)); }

}  // namespace

IslandMotion::IslandMotion(const Freedoms& freedoms, double t_start, double t_end)
    : freedoms_(freedoms),
      arcs_(freedoms, t_start, t_end),
      calendar_(2 * freedoms.count()),
      going_(freedoms.count(), Going::rests),
      due_(freedoms.count()),
      t_end_(t_end),
      seen_(freedoms.count(), 0),
      s_(freedoms.count()),
      v_(freedoms.count()) {}

double IslandMotion::friction_of(int i) const { return -sign_of(going_[i]) * freedoms_.friction(i).kinetic; }

bool IslandMotion::begin(double t, std::span<const double> y, std::span<const Going> going) {
  const int n = static_cast<int>(freedoms_.count());
  for (int i = 0; i < n; ++i) s_[i] = freedoms_.position(i, y);
  arcs_.begin(s_);
  calendar_.clear();
  std::copy(going.begin(), going.end(), going_.begin());
  count_going_ = 0;
  around_.clear();
  for (int i = 0; i < n; ++i) {
    if (going_[i] == Going::rests) continue;
    ++count_going_;
    arcs_.go(i, s_[i], freedoms_.velocity(i, y), friction_of(i));
    around_.push_back(i);
  }
  if (!(t < t_end_)) return true;
  const std::vector<int> moving = around_;
  ++round_;
  if (!join_around(moving, t)) return false;
  for (int i = 0; i < n; ++i) look(i, t);
  return true;
}

bool IslandMotion::join_around(std::span<const int> seeds, double t) {
  // (Those at rest and those in islands stay as they are.)
  for (const int seed : seeds) {
    if (going_[seed] == Going::rests || arcs_.island(seed) >= 0) continue;
    island_.assign(1, seed);
    seen_[seed] = round_;
    for (std::size_t n = 0; n < island_.size(); ++n)
      for (const Coupling& c : freedoms_.couplings(island_[n])) {
        if (going_[c.with] == Going::rests || seen_[c.with] == round_) continue;
        seen_[c.with] = round_;
        island_.push_back(c.with);
      }
    const int number = arcs_.join(island_, t);
    if (number < 0) return false;
    calendar_.set(freedoms_.count() + static_cast<std::size_t>(number),
                  arcs_.end(number) < t_end_ ? arcs_.end(number) : Calendar::never);
  }
  return true;
}

bool IslandMotion::follow() {
  const std::size_t entry = calendar_.first();
  const int number = static_cast<int>(entry - freedoms_.count());
  const double t = calendar_.time(entry);
  if (!arcs_.follow(number, t)) return false;
  calendar_.set(entry, arcs_.end(number) < t_end_ ? arcs_.end(number) : Calendar::never);
  ++round_;
  look_around(arcs_.members(number), t);
  return true;
}

bool IslandMotion::change(int i, double t, Going after) {
  // All islands that this may change are taken apart and formed again.
  double v = 0;
  const double s = arcs_.state(i, t, v);
  members_.clear();
  if (arcs_.island(i) >= 0) {
    calendar_.set(freedoms_.count() + static_cast<std::size_t>(arcs_.island(i)), Calendar::never);
    arcs_.dissolve(arcs_.island(i), t, members_);
  } else {
    members_.push_back(i);
    for (const Coupling& c : freedoms_.couplings(i))
      if (const int number = arcs_.island(c.with); number >= 0) {
        calendar_.set(freedoms_.count() + static_cast<std::size_t>(number), Calendar::never);
        arcs_.dissolve(number, t, members_);
      }
  }
  count_going_ += (after != Going::rests) - (going_[i] != Going::rests);
  going_[i] = after;
  if (after == Going::rests)
    arcs_.stop(i, s);
  else
    arcs_.go(i, s, 0, friction_of(i));
  ++round_;
  if (!join_around(members_, t)) return false;
  ++round_;
  look_around(members_, t);
  return true;
}

void IslandMotion::look_around(std::span<const int> members, double t) {
  for (const int i : members) {
    if (seen_[i] != round_) look(i, t);
    seen_[i] = round_;
    for (const Coupling& c : freedoms_.couplings(i)) {
      if (going_[c.with] != Going::rests || seen_[c.with] == round_) continue;
      seen_[c.with] = round_;
      look(c.with, t);
    }
  }
}

void IslandMotion::look(int i, double t) {
  due_[i] = {.freedom = i, .t = Calendar::never};
  if (freedoms_.friction(i).unit >= 0) {
    if (going_[i] == Going::rests)
      watch_rest(i, t);
    else
      watch_slide(i, t);
  }
  calendar_.set(static_cast<std::size_t>(i), due_[i].t < t_end_ ? due_[i].t : Calendar::never);
}

void IslandMotion::watch(int i, double t, double way, const Powers& p, Due& first) const {
  // It leaves zero, if it begins there, by the first power that is more than round-off.
  std::size_t from = 0;
  while (from < p.count && std::abs(p.of[from]) <= p.noise) ++from;
  if (from == p.count) return;
  Due due{.freedom = i, .t = t, .toward = first.toward};
  if (p.of[from] < 0) {
    due.clear = false;
  } else {
    const auto found = first_crossing(std::span(p.of).subspan(from, p.count - from), p.noise);
    if (!found) return;
    due.t = t + way * found->x;
    due.give = way * p.noise / std::abs(found->slope * std::pow(found->x, static_cast<double>(from)));
  }
  if (due.t < first.t) first = due;
}

void IslandMotion::watch_slide(int i, double t) {
  const double sign = sign_of(going_[i]);
  if (arcs_.is_alone(i)) {
    due_[i].t = arcs_.stop_of(i, sign, due_[i].give, due_[i].clear);
    return;
  }
  const int number = arcs_.island(i);
  Powers p;
  arcs_.velocity_powers(i, p);
  for (std::size_t k = 0; k < p.count; ++k) p.of[k] *= sign;
  watch(i, t, arcs_.end(number) - t, p, due_[i]);
}

void IslandMotion::watch_rest(int i, double t) {
  const double until = arcs_.neighbours_end(i);
  if (!(until > t)) return;
  Powers load;
  arcs_.load_powers(i, t, until, load);
  const double holds = freedoms_.friction(i).holds;
  load.noise = std::max(load.noise, round_off * holds);
  double largest = 0;
  for (std::size_t k = 0; k < load.count; ++k) largest += std::abs(load.of[k]);
  if (largest < holds - load.noise) return;
  Due first{.freedom = i, .t = Calendar::never};
  for (const Going toward : {Going::forward, Going::backward}) {
    Powers reserve;
    reserve.count = load.count;
    reserve.noise = load.noise;
    for (std::size_t k = 0; k < load.count; ++k) reserve.of[k] = -sign_of(toward) * load.of[k];
    reserve.of[0] += holds;
    Due due{.freedom = i, .t = Calendar::never, .toward = toward};
    watch(i, t, until - t, reserve, due);
    if (due.t < first.t) first = due;
  }
  due_[i] = first;
}

void IslandMotion::take_due(double tie, std::vector<Due>& due) {
  due.clear();
  std::vector<std::pair<std::size_t, double>> arcs;
  double latest = calendar_.next();
  while (calendar_.next() <= latest) {
    const std::size_t entry = calendar_.first();
    if (entry < freedoms_.count()) {
      due.push_back(due_[entry]);
      latest = std::max(latest, due.front().t + tie + due.front().give + due.back().give);
    } else {
      arcs.emplace_back(entry, calendar_.time(entry));
    }
    calendar_.set(entry, Calendar::never);
  }
  for (const auto& [entry, end] : arcs) calendar_.set(entry, end);
}

bool IslandMotion::after_stop(int i, double t, Going& after) const {
  double size = 0;
  const double load = arcs_.load(i, t, size), holds = freedoms_.friction(i).holds;
  const double unclear = round_off * (size + holds);
  // (Between the two it may stay or go on: a choice that is told.)
  if (std::abs(load) >= freedoms_.friction(i).kinetic - unclear && std::abs(load) <= holds + unclear) return false;
  after = std::abs(load) < holds ? Going::rests : load > 0 ? Going::forward : Going::backward;
  return after != going_[i];
}

void IslandMotion::write(double t, std::span<double> y) {
  for (int i = 0; i < static_cast<int>(freedoms_.count()); ++i) {
    s_[i] = arcs_.state(i, t, v_[i]);
  }
  freedoms_.write(s_, v_, y);
}

}  // namespace hstar::islands

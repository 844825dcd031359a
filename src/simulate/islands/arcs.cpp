// src/simulate/islands/arcs.cpp
#include "simulate/islands/arcs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hstar::islands {
namespace {

/// The sum, and its slope.
double sum_up(const double* c, std::size_t count, double x, double& slope) {
  double sum = 0;
  slope = 0;
  for (std::size_t k = count; k-- > 0;) {
    slope = slope * x + sum;
    sum = sum * x + c[k];
  }
  return sum;
}

}  // namespace

Arcs::Arcs(const Freedoms& freedoms, double t_start, double t_end)
    : freedoms_(freedoms),
      t_end_(t_end),
      longest_(t_end - t_start),
      island_(freedoms.count(), -1),
      local_(freedoms.count(), 0),
      base_(freedoms.count(), 0.0),
      speed_(freedoms.count(), 0.0),
      friction_(freedoms.count(), 0.0),
      size_(freedoms.count(), 0.0) {}

void Arcs::begin(std::span<const double> s) {
  for (std::size_t number = 0; number < islands_.size(); ++number)
    if (!islands_[number].members.empty()) {
      islands_[number].members.clear();
      unused_.push_back(static_cast<int>(number));
    }
  std::copy(s.begin(), s.end(), base_.begin());
  std::fill(speed_.begin(), speed_.end(), 0.0);
  std::fill(island_.begin(), island_.end(), -1);
}

void Arcs::go(int i, double s, double v, double friction) {
  base_[i] = s;
  speed_[i] = v;
  friction_[i] = friction;
}

void Arcs::rest_at(const Island& island, double t) {
  if (island.lone && t == island.t0 + island.h) {
    // (The sum is rounded, in many arcs always to the same side.)
    const LoneSeries& series = *island.lone;
    const double h = island.h, late = (t - island.t0) - h, v = series.velocity(island.from) / h;
    base_[island.members.front()] = series.position(island.from) + v * late;
    speed_[island.members.front()] = v + series.acceleration(island.from) / (h * h) * late;
    return;
  }
  for (const int i : island.members) base_[i] = state(i, t, speed_[i]);
}

void Arcs::dissolve(int number, double t, std::vector<int>& members) {
  Island& island = islands_[number];
  rest_at(island, t);
  members.insert(members.end(), island.members.begin(), island.members.end());
  for (const int i : island.members) island_[i] = -1;
  island.members.clear();
  unused_.push_back(number);
}

int Arcs::join(std::span<const int> members, double t) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<int>(islands_.size()));
    islands_.emplace_back();
  }
  const int number = unused_.back();
  unused_.pop_back();
  Island& island = islands_[number];
  island.members.assign(members.begin(), members.end());
  int place = 0;
  for (const int i : members) {
    island_[i] = number;
    local_[i] = place++;
  }
  island.terms.resize(members.size() * most_powers);
  island.t0 = t;
  return expand(island, number) ? number : -1;
}

bool Arcs::follow(int number, double t) {
  Island& island = islands_[number];
  rest_at(island, t);
  island.t0 = t;
  return expand(island, number);
}

double Arcs::reach(const Island& island, int number) const {
  double stiff = 0, damp = 0;
  for (const int i : island.members) {
    double row_stiff = 0, row_damp = 0;
    for (const Coupling& c : freedoms_.couplings(i))
      if (island_[c.with] == number) {
        row_stiff += std::abs(c.stiff);
        row_damp += std::abs(c.damp);
      }
    stiff = std::max(stiff, row_stiff);
    damp = std::max(damp, row_damp);
  }
  return rate_of(stiff, damp);
}

const LoneSeries& Arcs::series_of(int i) {
  if (lone_.empty()) lone_.assign(freedoms_.count(), nullptr);
  if (lone_[i]) return *lone_[i];
  double stiff = 0, damp = 0;
  for (const Coupling& c : freedoms_.couplings(i))
    if (c.with == i) {
      stiff = c.stiff;
      damp = c.damp;
    }
  lone_[i] = &series_.try_emplace(std::pair(stiff, damp), stiff, damp, longest_).first->second;
  return *lone_[i];
}

bool Arcs::expand_lone(Island& island) {
  const int i = island.members.front();
  const LoneSeries& series = series_of(i);
  const double h = series.h();
  double size = 0, jerk = freedoms_.by_time(i);
  const double a = load(i, island.t0, size) + friction_[i];
  size_[i] = size + std::abs(friction_[i]);
  double jerk_size = std::abs(jerk);
  for (const Coupling& c : freedoms_.couplings(i))
    if (c.with == i) {
      jerk += c.stiff * speed_[i] + c.damp * a;
      jerk_size += std::abs(c.stiff * speed_[i]) + std::abs(c.damp) * size_[i];
    }
  const double by_w = 0.5 * h * h, by_j = h * h * h / 6, sum = round_off_of(i);
  island.lone = &series;
  island.from = {base_[i], h * speed_[i], by_w * a, by_j * jerk, by_w * sum * size_[i], by_j * sum * jerk_size};
  island.filled = false;
  island.seen_t = island.t0;
  island.seen_s = base_[i];
  island.seen_v = speed_[i];
  island.h = h;
  island.count = series.count();
  const double end = island.t0 + h;
  if (!(end > island.t0)) return fail(island, StepResult::too_small);
  island.t1 = std::min(end, t_end_);
  return std::isfinite(island.from.u + island.from.w + island.from.j) || fail(island, StepResult::not_finite);
}

bool Arcs::expand(Island& island, int number) {
  ++steps_;
  island.lone = nullptr;
  island.filled = true;
  if (island.members.size() == 1) return expand_lone(island);
  const double rate = reach(island, number), way = t_end_ - island.t0;
  const double h = rate * way > theta ? (island.t0 + theta / rate) - island.t0 : way;
  if (!(h > 0)) return fail(island, StepResult::too_small);
  island.h = h;
  island.t1 = rate * way > theta ? island.t0 + h : t_end_;
  const std::size_t count = island.count = powers_of(h * rate);
  for (const int i : island.members) {
    double* c = island.terms.data() + static_cast<std::size_t>(local_[i]) * most_powers;
    c[0] = base_[i];
    c[1] = h * speed_[i];
  }
  const double square = h * h;
  double all = 0;  // not finite where one of the terms is not
  for (std::size_t k = 0; k + 2 < count; ++k) {
    const double by = static_cast<double>(k + 1);
    for (const int i : island.members) {
      double sum = 0;
      if (k == 0) {
        double size = 0;
        sum = load(i, island.t0, size) + friction_[i];
        size_[i] = size + std::abs(friction_[i]);
      } else {
        for (const Coupling& c : freedoms_.couplings(i)) {
          if (island_[c.with] != number) continue;
          const double* other = island.terms.data() + static_cast<std::size_t>(local_[c.with]) * most_powers;
          sum += c.stiff * other[k] + c.damp * by / h * other[k + 1];
        }
        if (k == 1) sum += freedoms_.by_time(i) * h;
      }
      const double term = sum * square / (by * (by + 1));
      all += std::abs(term);
      island.terms[static_cast<std::size_t>(local_[i]) * most_powers + k + 2] = term;
    }
  }
  return std::isfinite(all) || fail(island, StepResult::not_finite);
}

bool Arcs::fail(Island& island, StepResult why) {
  // (The state where it fails can be read.)
  failure_ = why;
  island.lone = nullptr;
  island.filled = true;
  island.h = 1;
  island.count = 2;
  for (const int i : island.members) {
    double* c = island.terms.data() + static_cast<std::size_t>(local_[i]) * most_powers;
    c[0] = base_[i];
    c[1] = speed_[i];
  }
  return false;
}

const double* Arcs::terms(int i) const {
  const Island& island = islands_[island_[i]];
  if (!island.filled) {
    island.lone->terms(island.from, island.terms.data());
    island.filled = true;
  }
  return island.terms.data() + static_cast<std::size_t>(local_[i]) * most_powers;
}

double Arcs::state(int i, double t, double& v) const {
  if (island_[i] < 0) {
    v = 0;
    return base_[i];
  }
  const Island& island = islands_[island_[i]];
  if (island.lone && island.seen_t == t) {
    v = island.seen_v;
    return island.seen_s;
  }
  double slope = 0;
  const double s = sum_up(terms(i), island.count, (t - island.t0) / island.h, slope);
  v = slope / island.h;
  island.seen_t = t;
  island.seen_s = s;
  island.seen_v = v;
  return s;
}

double Arcs::round_off_of(int i) const {
  // (A term a coupling's end, the constant, that by time, friction; each is a product of two.)
  return static_cast<double>(2 * freedoms_.couplings(i).size() + 5) * std::numeric_limits<double>::epsilon();
}

double Arcs::load(int i, double t, double& size) const {
  double sum = freedoms_.constant(i) + freedoms_.by_time(i) * t;
  size = std::abs(freedoms_.constant(i)) + std::abs(freedoms_.by_time(i) * t);
  for (const Coupling& c : freedoms_.couplings(i)) {
    // (At the beginning of its arc the state is known itself.)
    const int number = island_[c.with];
    const bool here = number < 0 || islands_[number].t0 == t;
    double v = speed_[c.with];
    const double s = here ? base_[c.with] : state(c.with, t, v), by_s = c.stiff * s, by_v = number < 0 ? 0 : c.damp * v;
    sum += by_s + by_v;
    size += std::abs(by_s) + std::abs(by_v);
  }
  return sum;
}

double Arcs::stop_of(int i, double sign, double& error, bool& clear) const {
  const Island& island = islands_[island_[i]];
  const auto stop = island.lone->stop(island.from, sign);
  if (!stop) return std::numeric_limits<double>::infinity();
  error = stop->error * island.h;
  clear = stop->clear;
  if (!clear) return island.t0;
  island.seen_t = island.t0 + stop->x * island.h;
  island.seen_s = stop->s;
  island.seen_v = 0;
  return island.seen_t;
}

void Arcs::velocity_powers(int i, Powers& p) const {
  const Island& island = islands_[island_[i]];
  const double* c = terms(i);
  p.count = island.count - 1;
  for (std::size_t k = 0; k < p.count; ++k) p.of[k] = static_cast<double>(k + 1) * c[k + 1] / island.h;
  p.noise = round_off * size_[i] * island.h;
}

double Arcs::neighbours_end(int i) const {
  double end = t_end_;
  for (const Coupling& c : freedoms_.couplings(i))
    if (island_[c.with] >= 0) end = std::min(end, islands_[island_[c.with]].t1);
  return end;
}

void Arcs::load_powers(int i, double t, double t_until, Powers& p) const {
  const double way = t_until - t;
  double size = 0;
  p.of[0] = load(i, t, size);
  p.of[1] = freedoms_.by_time(i) * way;
  p.count = 2;
  p.noise = round_off_of(i) * size;
  std::array<double, most_powers> c;
  for (const Coupling& coupling : freedoms_.couplings(i)) {
    if (island_[coupling.with] < 0) continue;
    p.noise = round_off * size;
    const Island& island = islands_[island_[coupling.with]];
    const double x0 = (t - island.t0) / island.h, part = way / island.h;
    std::copy_n(terms(coupling.with), island.count, c.begin());
    if (x0 != 0)
      for (std::size_t r = 0; r + 1 < island.count; ++r)
        for (std::size_t k = island.count - 1; k-- > r;) c[k] += x0 * c[k + 1];
    for (; p.count < island.count - 1; ++p.count) p.of[p.count] = 0;
    double power = 1;
    for (std::size_t k = 0; k + 1 < island.count; ++k) {
      if (k > 0)
        p.of[k] += power * (coupling.stiff * c[k] + coupling.damp * static_cast<double>(k + 1) * c[k + 1] / island.h);
      power *= part;
    }
  }
}

}  // namespace hstar::islands

// src/transition/broad_phase.cpp
#include "transition/broad_phase.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "transition/tolerances.hpp"

namespace hstar {
namespace {
/// So many contacts of a body are watched, more or less: fewer make more events, more make longer steps.
constexpr std::size_t neighbours = 8;
/// A body gets at least this much room, times how far the shapes around it reach: where more parts of surfaces than
/// neighbours meet in one corner, rooms would shrink without end as it comes near.
constexpr double least_room = 0.05;
/// Before a body has moved through this part of its room another look around would tell hardly more.
constexpr double worth_a_look = 0.5;
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

BroadPhase::BroadPhase(const System& system) : system_(system) {
  const std::size_t n = system.bodies.size();
  std::size_t count = 0;
  reach_.assign(n, 0.0);
  least_.assign(n, 0.0);
  for (const auto& contact : system.contacts) {
    const bool far = can_be_far(*contact);
    may_be_far_.push_back(far);
    count += far;
    if (!far) continue;
    for (int side = 0; side < 2; ++side) {
      double& reach = reach_[at(side == 0 ? contact->first : contact->second)];
      reach = std::max(reach, contact->reach(side));
    }
    for (const int b : {contact->first, contact->second})
      for (int side = 0; side < 2; ++side)
        if (const double reach = contact->reach(side); std::isfinite(reach))
          least_[at(b)] = std::max(least_[at(b)], least_room * reach);
  }
  active_ = count > neighbours * n;
  if (!active_) return;
  near_.assign(system.contacts.size(), 1);
  room_.assign(n, 0.0);
  gap_.resize(system.contacts.size());
  place_.resize(n);
  smallest_.resize(n);
  for (auto& s : smallest_) s.reserve(neighbours + 1);
}

bool BroadPhase::can_be_far(const Contact& contact) const {
  // The gap must change no faster than both bodies' points move: not so for formulas, and for surfaces that go
  // with a body and reach far from it.
  for (int side = 0; side < 2; ++side) {
    const Body& b = system_.bodies[at(side == 0 ? contact.first : contact.second)];
    if (b.fixed) continue;
    if (b.prescribed || !std::isfinite(contact.reach(side))) return false;
  }
  return true;
}

void BroadPhase::find_walls(const Kinematics& k) {
  const std::size_t axes = k.columns == 3 ? 2 : 3;
  for (std::size_t c = 0; c < near_.size() && walls_.size() < axes; ++c) {
    const Contact& contact = *system_.contacts[c];
    const std::array<int, 2> bodies = contact.bodies();
    const std::size_t fixed = system_.bodies[at(bodies[0])].fixed ? 0 : 1;
    if (!may_be_far_[c] || !system_.bodies[at(bodies[fixed])].fixed) continue;
    if (fixed != 0 || !contact.is_flat()) {
      walls_ = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      return;
    }
    Row normal, tangents[2];
    contact.all_rows_at(k, normal, tangents);
    Vec3 n{0, 0, 0};
    for (std::size_t i = 0; i < axes; ++i) n[i] = normal.J[1 - fixed][i];
    for (const Vec3& wall : walls_) n = n - dot(n, wall) * wall;
    if (const double left = norm(n); left > tolerances::one_normal) walls_.push_back((1 / left) * n);
  }
}

void BroadPhase::find_wind(const Kinematics& k) {
  wind_ = {0, 0, 0};
  looked_at_ = k.t;
  if (!std::exchange(knows_walls_, true)) find_walls(k);
  const int axes = k.columns == 3 ? 2 : 3;
  if (walls_.size() >= at(axes)) return;
  const auto velocity = [&](std::size_t b, int axis) { return k.velocity(b, axis); };
  Vec3 mean{0, 0, 0};
  double count = 0;
  for (std::size_t b = 0; b < room_.size(); ++b) {
    if (room_[b] <= 0) continue;
    ++count;
    for (int i = 0; i < axes; ++i) mean[at(i)] += velocity(b, i);
  }
  if (count == 0) return;
  for (double& x : mean) x /= count;
  for (const Vec3& wall : walls_) mean = mean - dot(mean, wall) * wall;
  // Bodies that move apart leave rooms at rest later.
  double together = 0, alone = 0;  // the shortest stay, inverse and squared
  for (std::size_t b = 0; b < room_.size(); ++b) {
    if (room_[b] <= 0) continue;
    double off = 0, speed = 0;
    for (int i = 0; i < axes; ++i) {
      const double v = velocity(b, i), d = v - mean[at(i)];
      off += d * d;
      speed += v * v;
    }
    together = std::max(together, off / (room_[b] * room_[b]));
    alone = std::max(alone, speed / (room_[b] * room_[b]));
  }
  if (together < alone) wind_ = mean;
}

bool BroadPhase::still_tells(const Kinematics& k, const Mode& mode) const {
  if (!knows_walls_) return false;  // nobody has looked yet
  for (std::size_t c = 0; c < near_.size(); ++c)
    if (mode.closed[c] && !near_[c]) return false;
  constexpr double left = 0.5 * (1 - worth_a_look * worth_a_look);
  for (std::size_t b = 0; b < room_.size(); ++b) {
    if (system_.bodies[b].fixed || smallest_[b].empty()) continue;
    if (!(room_[b] > 0 && room(static_cast<int>(b), k) >= left * room_[b] * room_[b])) return false;
  }
  return true;
}

void BroadPhase::look(const Kinematics& k, const Mode& mode) {
  if (!active_ || still_tells(k, mode)) return;
  for (auto& s : smallest_) s.clear();
  for (std::size_t c = 0; c < system_.contacts.size(); ++c) {
    if (!may_be_far_[c]) continue;
    const Contact& contact = *system_.contacts[c];
    gap_[c] = mode.closed[c] ? 0.0 : contact.apart(k);
    for (const int b : {contact.first, contact.second}) {
      auto& s = smallest_[at(b)];
      s.insert(std::upper_bound(s.begin(), s.end(), gap_[c]), gap_[c]);
      if (s.size() > neighbours) s.pop_back();
    }
  }
  for (std::size_t b = 0; b < room_.size(); ++b) {
    const auto& s = smallest_[b];
    const bool moves = !system_.bodies[b].fixed;
    room_[b] = moves && !s.empty() ? std::max(0.5 * s.back(), least_[b]) : 0.0;
    place_[b] = place_of(static_cast<int>(b), k);
  }
  find_wind(k);
  for (std::size_t c = 0; c < near_.size(); ++c) {
    if (!may_be_far_[c]) continue;
    const Contact& contact = *system_.contacts[c];
    double rooms = 0;
    bool watched = false;
    for (const int b : {contact.first, contact.second}) {
      rooms += room_[at(b)];
      watched |= !system_.bodies[at(b)].fixed && room_[at(b)] <= 0;
    }
    near_[c] = watched || gap_[c] <= rooms;
  }
}

BroadPhase::Place BroadPhase::place_of(int body, const Kinematics& k) {
  if (k.columns == 3) {
    const BodyMotion& b = k.of(body);
    return {{b.r[0], b.r[1], 0}, {b.angle, 0, 0, 0}};
  }
  return {k.spatial_of(body).r, k.spatial_of(body).p};
}

double BroadPhase::room(int body, const Kinematics& k) const {
  // A point within reach moves at most |dr| + reach |dangle| <= sqrt(2 (|dr|^2 + reach^2 dangle^2)). In space a turn by
  // phi moves it by 2 reach sin(phi/2) at most, and |dp| = 2 sin(phi/4) >= sin(phi/2).
  const Place now = place_of(body, k), &then = place_[at(body)];
  const double reach = (k.columns == 3 ? 1 : 2) * reach_[at(body)];
  double sum = 0.5 * room_[at(body)] * room_[at(body)];
  for (std::size_t i = 0; i < 3; ++i) {
    const double moved = now.r[i] - then.r[i] - wind_[i] * (k.t - looked_at_);
    sum -= moved * moved;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const double turned = reach * (now.turn[i] - then.turn[i]);
    sum -= turned * turned;
  }
  return sum;
}

}  // namespace hstar

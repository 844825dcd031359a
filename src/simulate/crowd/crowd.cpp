// src/simulate/crowd/crowd.cpp
#include "simulate/crowd/crowd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hstar/simulate/ledger.hpp"
#include "transition/tolerances.hpp"

namespace hstar::crowd {
namespace {

std::vector<Disc> starting_at(double t, std::vector<Disc> discs) {
  for (Disc& disc : discs) disc.t0 = t;
  return discs;
}

}  // namespace

Crowd::Crowd(const CrowdModel& model, double t, std::size_t most_at_instant)
    : model_(model),
      discs_(starting_at(t, model.discs)),
      rows_(model.discs.size()),
      most_at_instant_(most_at_instant),
      outlook_(model, discs_, t) {}

const std::optional<Halt>& Crowd::look_at_start() {
  for (std::size_t i = 0; i < discs_.size() && !halt_; ++i) {
    const int disc = static_cast<int>(i);
    outlook_.look_around(disc, discs_[i].t0, near_[1]);
    touching_.clear();
    if (find_touching(disc, discs_[i].t0, near_[1])) touching_.clear();
  }
  return halt_;
}

bool Crowd::strike(const Due& due, Struck& done) {
  if (!alone(due)) return halt_ ? false : stop({Halt::Why::cluster, due.second, due.first, contact_of(due), {}});
  Disc& second = discs_[due.second];
  Disc* first = due.first >= 0 ? &discs_[due.first] : nullptr;
  const double flown = due.t - (first ? std::max(first->t0, second.t0) : second.t0);
  advance(second, model_.gravity, due.t);
  Vec2 normal{};
  if (first) {
    advance(*first, model_.gravity, due.t);
    normal = {second.position[0] - first->position[0], second.position[1] - first->position[1]};
    const double distance = std::hypot(normal[0], normal[1]);
    for (double& x : normal) x /= distance;
  } else {
    normal = due.wall->normal;
  }
  const char* why = striker_.strike(first, second, normal, model_.laws[due.law], done);
  // (Flights so low that positions do not show them go by their speeds.)
  done.time_error = std::min(time_error(due, done), flown);
  if (why) return stop({Halt::Why::no_answer, due.second, due.first, contact_of(due), why});
  for (Disc* disc : {first, &second})
    if (disc) ++disc->struck;
  outlook_.forecast(due.second, due.first, due.t, near_[1]);
  if (first) outlook_.forecast(due.first, due.second, due.t, near_[0]);
  if (stays(due, done)) return stop({Halt::Why::rests, due.second, due.first, contact_of(due), {}});
  return counts(due.second, due.first, due.t) && (due.first < 0 || counts(due.first, due.second, due.t));
}

double Crowd::time_error(const Due& due, const Struck& done) const {
  // What a gap is off by, a sum of few products, over the speed with which it closes.
  const Near second{due.second, motion(due.second, due.t)};
  const double size = due.wall ? outlook_.nearness(due.second, *due.wall, due.t).size
                               : outlook_.approach(due.first, motion(due.first, due.t), second).size;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  return eps * std::abs(due.t) + (done.before[0] < 0 ? tolerances::guard_round_off * size / -done.before[0] : 0);
}

bool Crowd::stays(const Due& due, const Struck& done) const {
  // Two discs that do not part are two that fly side by side; a wall they are pressed against keeps them.
  if (due.first >= 0) return false;
  const Disc& disc = discs_[due.second];
  const double none = tolerances::zero_velocity * (sum_of_sizes(disc.velocity) + std::abs(done.before[0]));
  return done.after[0] <= none && dot(model_.gravity, due.wall->normal) < 0;
}

bool Crowd::counts(int disc, int other, double t) {
  Row& row = rows_[disc];
  row.count = row.count > 0 && t - row.last <= one_instant * std::abs(t) ? row.count + 1 : 1;
  row.last = t;
  return row.count <= most_at_instant_ || stop({Halt::Why::accumulates, disc, other, -1, {}});
}

bool Crowd::alone(const Due& due) {
  touching_.clear();
  for (const int side : {1, 0}) {
    const int disc = side == 1 ? due.second : due.first;
    if (disc < 0) continue;
    outlook_.look_around(disc, due.t, near_[side]);
    if (!find_touching(disc, due.t, near_[side])) return false;
  }
  // (The pair itself is seen from both sides, if it is seen: it may be just out of reach.)
  return std::all_of(touching_.begin(), touching_.end(), [&](const Due& contact) {
    return contact.wall == due.wall && (due.wall || (contact.first == due.first && contact.second == due.second));
  });
}

bool Crowd::find_touching(int disc, double t, const std::vector<Near>& near) {
  const Motion now = motion(disc, t);
  for (const Near& other : near) {
    const Approach a = outlook_.approach(disc, now, other);
    const double touching = a.reach + tolerances::zero_gap * a.size;
    const double square = dot(a.d, a.d);
    if (square > touching * touching) continue;
    const Meeting meeting = model_.meetings->between(disc, other.disc);
    if (meeting.law < 0) continue;
    if (std::sqrt(square) - a.reach < -tolerances::penetration * a.size)
      return stop({Halt::Why::overlap, disc, other.disc, -1, {}});
    touching_.push_back({.t = t, .first = meeting.first, .second = meeting.second, .law = meeting.law});
  }
  for (const Wall& wall : model_.walls[disc]) {
    const Nearness to = outlook_.nearness(disc, wall, t);
    if (to.gap > tolerances::zero_gap * to.size) continue;
    if (to.gap < -tolerances::penetration * to.size) return stop({Halt::Why::overlap, disc, -1, wall.contact, {}});
    touching_.push_back({.t = t, .second = disc, .wall = &wall, .law = wall.law});
  }
  return true;
}

std::optional<Cluster> Crowd::cluster(const Due& due) {
  halt_.reset();
  Cluster all{.t = due.t, .discs = {}, .contacts = {due}};
  const auto take = [&](int disc) {
    if (disc >= 0 && std::find(all.discs.begin(), all.discs.end(), disc) == all.discs.end()) all.discs.push_back(disc);
  };
  take(due.first);
  take(due.second);
  for (std::size_t i = 0; i < all.discs.size(); ++i) {  // (which grows)
    const int disc = all.discs[i];
    advance(discs_[disc], model_.gravity, due.t);
    outlook_.look_around(disc, due.t, near_[1]);
    touching_.clear();
    if (!find_touching(disc, due.t, near_[1])) return std::nullopt;
    for (const Due& contact : touching_) {
      const bool known = std::any_of(all.contacts.begin(), all.contacts.end(), [&](const Due& c) {
        return c.first == contact.first && c.second == contact.second && c.wall == contact.wall;
      });
      if (!known) all.contacts.push_back(contact);
      take(contact.first);
      take(contact.second);
    }
  }
  return all;
}

bool Crowd::go_on(const Cluster& cluster, std::span<const Flung> after) {
  for (std::size_t i = 0; i < cluster.discs.size(); ++i) {
    Disc& disc = discs_[cluster.discs[i]];
    disc.velocity = after[i].velocity;
    disc.spin = after[i].spin;
    ++disc.struck;
  }
  for (const int disc : cluster.discs) {
    outlook_.look_around(disc, cluster.t, near_[1]);
    outlook_.forecast(disc, -1, cluster.t, near_[1]);
  }
  return std::all_of(cluster.discs.begin(), cluster.discs.end(), [&](int disc) { return counts(disc, -1, cluster.t); });
}

}  // namespace hstar::crowd

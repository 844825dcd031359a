// src/simulate/crowd/crowd.cpp
#include "simulate/crowd/crowd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "transition/tolerances.hpp"

namespace hstar::crowd {
namespace {

/// Wider than the largest disc by this part: what touches is then in neighbouring cells whatever round-off says.
constexpr double margin = 1.001;
/// Of a time: impacts closer than so many round-offs are one instant (as in Ledger).
constexpr double instant = 16 * std::numeric_limits<double>::epsilon();

double dot(const Vec2& a, const Vec2& b) { return a[0] * b[0] + a[1] * b[1]; }
double sum_of_sizes(const Vec2& a) { return std::abs(a[0]) + std::abs(a[1]); }

Cells cells_of(const std::vector<Disc>& discs) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Vec2 low{far, far}, high{-far, -far};
  double largest = 0;
  for (const Disc& d : discs) {
    largest = std::max(largest, 2 * d.radius);
    for (std::size_t i = 0; i < 2; ++i) {
      low[i] = std::min(low[i], d.position[i]);
      high[i] = std::max(high[i], d.position[i]);
    }
  }
  const double area = discs.empty() ? 0 : (high[0] - low[0]) * (high[1] - low[1]) / static_cast<double>(discs.size());
  Cells cells(discs.size(), std::max(margin * largest, std::sqrt(area)), low, high);
  for (std::size_t i = 0; i < discs.size(); ++i) cells.put(static_cast<int>(i), discs[i].position);
  return cells;
}

}  // namespace

Crowd::Crowd(const CrowdModel& model, double t, std::size_t most_at_instant)
    : model_(model),
      discs_(model.discs),
      rows_(model.discs.size()),
      most_at_instant_(most_at_instant),
      cells_(cells_of(model.discs)),
      calendar_(discs_) {
  for (Disc& d : discs_) d.t0 = t;
  for (std::size_t i = 0; i < discs_.size(); ++i) {
    const int disc = static_cast<int>(i);
    forecast_way(disc, t);
    const Motion now = motion(disc, t);
    cells_.around(disc, [&](int other) {
      if (disc < other) forecast_meeting(disc, now, {other, motion(other, t)}, t);
    });
  }
}

std::optional<Halt> Crowd::look_at_start() {
  for (std::size_t i = 0; i < discs_.size(); ++i) {
    const int disc = static_cast<int>(i);
    const double t = discs_[i].t0;
    bool clear = true;
    const Motion now = motion(disc, t);
    cells_.around(disc, [&](int other) {
      const Approach a = approach(disc, now, {other, motion(other, t)});
      if (clear && std::hypot(a.d[0], a.d[1]) - a.reach < -tolerances::penetration * a.size &&
          model_.meetings->between(disc, other).law >= 0)
        clear = stop({Halt::Why::overlap, disc, other, -1, {}});
    });
    for (const Wall& wall : model_.walls[i])
      if (const Nearness near = nearness(disc, wall, t); clear && near.gap < -tolerances::penetration * near.size)
        clear = stop({Halt::Why::overlap, disc, -1, wall.contact, {}});
    if (!clear) break;
  }
  return halt_;
}

std::optional<Due> Crowd::next(double t_end) {
  while (const Forecast* first = calendar_.next()) {
    if (!(first->t < t_end)) return std::nullopt;
    const Forecast f = *first;
    calendar_.drop();
    if (f.what == Forecast::What::cell) {
      pass(f);
      continue;
    }
    Due due{.t = f.t, .second = f.disc};
    if (f.what == Forecast::What::wall) {
      due.wall = &model_.walls[f.disc][f.other];
      due.law = due.wall->law;
    } else {
      const Meeting meeting = model_.meetings->between(f.disc, f.other);
      due.first = meeting.first;
      due.second = meeting.second;
      due.law = meeting.law;
    }
    return due;
  }
  return std::nullopt;
}

void Crowd::pass(const Forecast& f) {
  ++transfers_;
  const int axis = f.other / 2;
  const bool up = f.other % 2 != 0;
  cells_.step(f.disc, axis, up);
  const Motion now = motion(f.disc, f.t);
  cells_.ahead(f.disc, axis, up, [&](int other) { forecast_meeting(f.disc, now, {other, motion(other, f.t)}, f.t); });
  forecast_way(f.disc, f.t);
}

bool Crowd::strike(const Due& due, Struck& done) {
  if (!alone(due)) return false;
  Disc& second = discs_[due.second];
  Disc* first = due.first >= 0 ? &discs_[due.first] : nullptr;
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
  done.time_error = time_error(due, done);
  if (why) return stop({Halt::Why::no_answer, due.second, due.first, due.wall ? due.wall->contact : -1, why});
  for (Disc* disc : {first, &second})
    if (disc) ++disc->struck;
  forecast_all(due.second, due.first, due.t, near_[1]);
  if (first) forecast_all(due.first, due.second, due.t, near_[0]);
  if (stays(due, done)) return stop({Halt::Why::rests, due.second, due.first, due.wall ? due.wall->contact : -1, {}});
  return counts(due.second, due.first, due.t) && (due.first < 0 || counts(due.first, due.second, due.t));
}

double Crowd::time_error(const Due& due, const Struck& done) const {
  // What a gap is off by, a sum of few products, over the speed with which it closes.
  const Near second{due.second, motion(due.second, due.t)};
  const double size = due.wall ? nearness(due.second, *due.wall, due.t).size
                               : approach(due.first, motion(due.first, due.t), second).size;
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
  row.count = row.count > 0 && t - row.last <= instant * std::abs(t) ? row.count + 1 : 1;
  row.last = t;
  return row.count <= most_at_instant_ || stop({Halt::Why::accumulates, disc, other, -1, {}});
}

bool Crowd::alone(const Due& due) {
  look_around(due.second, due.t, near_[1]);
  if (!apart(due.second, due.first, due.t, near_[1]) || !walls_apart(due.second, due.wall, due.t)) return false;
  if (due.first < 0) return true;
  look_around(due.first, due.t, near_[0]);
  return apart(due.first, due.second, due.t, near_[0]) && walls_apart(due.first, nullptr, due.t);
}

bool Crowd::apart(int disc, int partner, double t, const std::vector<Near>& near) {
  const Motion now = motion(disc, t);
  for (const Near& other : near) {
    const Approach a = approach(disc, now, other);
    const double touching = a.reach + tolerances::zero_gap * a.size;
    const double square = dot(a.d, a.d);
    if (square > touching * touching || model_.meetings->between(disc, other.disc).law < 0) continue;
    const bool through = std::sqrt(square) - a.reach < -tolerances::penetration * a.size;
    if (through || other.disc != partner)
      return stop({through ? Halt::Why::overlap : Halt::Why::cluster, disc, other.disc, -1, {}});
  }
  return true;
}

void Crowd::look_around(int disc, double t, std::vector<Near>& near) const {
  near.clear();
  cells_.around(disc, [&](int other) { near.push_back({other, motion(other, t)}); });
}

bool Crowd::walls_apart(int disc, const Wall* partner, double t) {
  for (const Wall& wall : model_.walls[disc]) {
    const Nearness near = nearness(disc, wall, t);
    if (near.gap > tolerances::zero_gap * near.size) continue;
    const bool through = near.gap < -tolerances::penetration * near.size;
    if (through || &wall != partner)
      return stop({through ? Halt::Why::overlap : Halt::Why::cluster, disc, -1, wall.contact, {}});
  }
  return true;
}

Crowd::Nearness Crowd::nearness(int disc, const Wall& wall, double t) const {
  const Motion now = motion(disc, t);
  const double radius = discs_[disc].radius;
  return {.gap = dot({now.position[0] - wall.point[0], now.position[1] - wall.point[1]}, wall.normal) - radius,
          .rate = dot(now.velocity, wall.normal),
          .size = sum_of_sizes(wall.point) + sum_of_sizes(now.position) + radius,
          .speed = sum_of_sizes(now.velocity)};
}

Approach Crowd::approach(int a, const Motion& ma, const Near& b) const {
  const Motion& mb = b.now;
  Approach out{};
  for (std::size_t i = 0; i < 2; ++i) {
    out.d[i] = mb.position[i] - ma.position[i];
    out.w[i] = mb.velocity[i] - ma.velocity[i];
  }
  out.reach = discs_[a].radius + discs_[b.disc].radius;
  out.size = sum_of_sizes(ma.position) + sum_of_sizes(mb.position) + out.reach;
  out.speed = sum_of_sizes(ma.velocity) + sum_of_sizes(mb.velocity);
  return out;
}

void Crowd::forecast_all(int disc, int partner, double t, std::vector<Near>& near) {
  forecast_way(disc, t);
  const Motion now = motion(disc, t);
  for (Near& other : near) {
    if (other.disc == partner) other.now = motion(partner, t);
    forecast_meeting(disc, now, other, t);
  }
}

void Crowd::forecast_way(int disc, double t) {
  const Motion now = motion(disc, t);
  Forecast f{.t = std::numeric_limits<double>::infinity(),
             .disc = disc,
             .struck = discs_[disc].struck,
             .what = Forecast::What::cell};
  for (int axis = 0; axis < 2; ++axis)
    for (const bool up : {false, true}) {
      const double sign = up ? -1 : 1, way = sign * (now.position[axis] - cells_.edge(disc, axis, up));
      const double due = t + first_fall(way, sign * now.velocity[axis], sign * model_.gravity[axis]);
      if (due < f.t) {
        f.t = due;
        f.other = 2 * axis + (up ? 1 : 0);
      }
    }
  if (std::isfinite(f.t)) calendar_.add(f);
  forecast_walls(disc, t, f.t);
}

void Crowd::forecast_walls(int disc, double t, double t_until) {
  const std::vector<Wall>& walls = model_.walls[disc];
  for (std::size_t i = 0; i < walls.size(); ++i) {
    const Nearness near = nearness(disc, walls[i], t);
    const double pull = dot(model_.gravity, walls[i].normal);
    // (It runs along the wall that it touches.)
    if (near.gap <= tolerances::zero_gap * near.size && !(pull < 0) &&
        std::abs(near.rate) <= tolerances::zero_velocity * near.speed)
      continue;
    const double due = t + first_fall(near.gap, near.rate, pull);
    if (due <= t_until && std::isfinite(due))
      calendar_.add({.t = due,
                     .disc = disc,
                     .other = static_cast<int>(i),
                     .struck = discs_[disc].struck,
                     .what = Forecast::What::wall});
  }
}

void Crowd::forecast_meeting(int a, const Motion& now, const Near& near, double t) {
  const double due = t + first_touch(approach(a, now, near));
  int b = near.disc;
  if (!std::isfinite(due) || model_.meetings->between(a, b).law < 0) return;
  if (a > b) std::swap(a, b);
  calendar_.add({.t = due,
                 .disc = a,
                 .other = b,
                 .struck = discs_[a].struck,
                 .other_struck = discs_[b].struck,
                 .what = Forecast::What::meets});
}

}  // namespace hstar::crowd

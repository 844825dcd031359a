// src/simulate/crowd/outlook.cpp
#include "simulate/crowd/outlook.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hstar/stop.hpp"
#include "transition/tolerances.hpp"

namespace hstar::crowd {
namespace {

/// Wider than the largest disc by this part: what touches is then in neighbouring cells whatever round-off says.
constexpr double margin = 1.001;

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
  const double width = std::max(margin * largest, std::sqrt(area));
  Cells cells(discs.size(), width > 0 ? width : 1, low, high);
  for (std::size_t i = 0; i < discs.size(); ++i) cells.put(static_cast<int>(i), discs[i].position);
  return cells;
}

}  // namespace

Outlook::Outlook(const CrowdModel& model, const std::vector<Disc>& discs, double t)
    : model_(model), discs_(discs), cells_(cells_of(discs)), calendar_(discs) {
  for (std::size_t i = 0; i < discs_.size(); ++i) {
    const int disc = static_cast<int>(i);
    forecast_way(disc, t);
    const Motion now = motion(disc, t);
    cells_.around(disc, [&](int other) {
      if (disc < other) forecast_meeting(disc, now, {other, motion(other, t)}, t);
    });
  }
}

std::optional<Due> Outlook::next(double t_end) {
  while (const Forecast* first = calendar_.next()) {
    if (!(first->t < t_end)) return std::nullopt;
    const Forecast f = *first;
    calendar_.drop();
    if (f.what == Forecast::What::cell) {
      if (stop_requested_meanwhile()) return std::nullopt;
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

void Outlook::pass(const Forecast& f) {
  const int axis = f.other / 2;
  const bool up = f.other % 2 != 0;
  cells_.step(f.disc, axis, up);
  const Motion now = motion(f.disc, f.t);
  cells_.ahead(f.disc, axis, up, [&](int other) { forecast_meeting(f.disc, now, {other, motion(other, f.t)}, f.t); });
  forecast_way(f.disc, f.t);
}

void Outlook::look_around(int disc, double t, std::vector<Near>& near) const {
  near.clear();
  cells_.around(disc, [&](int other) { near.push_back({other, motion(other, t)}); });
}

Approach Outlook::approach(int a, const Motion& ma, const Near& b) const {
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

Nearness Outlook::nearness(int disc, const Wall& wall, double t) const {
  const Motion now = motion(disc, t);
  const double radius = discs_[disc].radius;
  return {.gap = dot({now.position[0] - wall.point[0], now.position[1] - wall.point[1]}, wall.normal) - radius,
          .rate = dot(now.velocity, wall.normal),
          .size = sum_of_sizes(wall.point) + sum_of_sizes(now.position) + radius,
          .speed = sum_of_sizes(now.velocity)};
}

void Outlook::forecast(int disc, int partner, double t, std::vector<Near>& near) {
  forecast_way(disc, t);
  const Motion now = motion(disc, t);
  for (Near& other : near) {
    if (other.disc == partner) other.now = motion(partner, t);
    forecast_meeting(disc, now, other, t);
  }
}

void Outlook::forecast_way(int disc, double t) {
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

void Outlook::forecast_walls(int disc, double t, double t_until) {
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

void Outlook::forecast_meeting(int a, const Motion& now, const Near& near, double t) {
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

// src/transition/contact_ranges.cpp
#include "transition/contact_ranges.hpp"

#include <algorithm>
#include <cmath>

#include "mechanism/plane_between.hpp"
#include "mechanism/spatial/contact.hpp"
#include "transition/tolerances.hpp"
#include "transition/touching.hpp"

namespace hstar {
namespace {
using tolerances::same_place;

/// The point of contact, in global axes.
Vec3 place_of(const System& s, const Kinematics& k, std::size_t contact) {
  const Contact& c = *s.contacts[contact];
  if (s.is_spatial()) return static_cast<const SpatialContact&>(c).place(k).point;
  // (Its arms along the normal and the tangent are those of the second body's material there.)
  Row normal, tangent;
  c.rows_at(k, normal, tangent);
  const auto &n = normal.J[1], &t = tangent.J[1];
  const Vec2 r = k.of(c.second).r;
  return {r[0] - t[2] * n[0] + n[2] * t[0], r[1] - t[2] * n[1] + n[2] * t[1], 0};
}

/// Other contacts with a range of the same circle with the same boundary. (Parts of a written contact are listed one
/// after the other.)
std::vector<std::size_t> of_same_circle(const System& s, std::size_t contact) {
  const Contact& c = *s.contacts[contact];
  const auto same = [](int a, int b) { return a >= 0 && a == b; };
  std::vector<std::size_t> all;
  if (c.circle[0] < 0 && c.circle[1] < 0) return all;
  const auto look = [&](std::size_t o) {
    const Contact& other = *s.contacts[o];
    if (c.group < 0 || other.group != c.group) return false;
    if (other.has_range() && (same(other.circle[0], c.circle[0]) || same(other.circle[1], c.circle[1])))
      all.push_back(o);
    return true;
  };
  for (std::size_t o = contact; o-- > 0 && look(o);) {
  }
  for (std::size_t o = contact + 1; o < s.contacts.size() && look(o); ++o) {
  }
  return all;
}
}  // namespace

ContactRanges::ContactRanges(const ModeEquations& equations)
    : system_(equations.system()),
      equations_(equations),
      inside_(system_.contacts.size(), 1),
      left_(system_.contacts.size()),
      front_(system_.contacts.size()) {
  closed_.reserve(system_.contacts.size());
  for (const auto& contact : system_.contacts) ranged_.push_back(contact->has_range());
  for (std::size_t c = 0; c < system_.contacts.size(); ++c) same_circle_.push_back(of_same_circle(system_, c));
}

void ContactRanges::begin() { std::fill(left_.begin(), left_.end(), 0); }

bool ContactRanges::neighbour_holds(std::size_t contact, const std::vector<char>& closed) const {
  const System& s = system_;
  const Kinematics& k = equations_.motion.kinematics();
  const Contact& c = *s.contacts[contact];
  for (std::size_t o = 0; o < s.contacts.size(); ++o)
    if (closed[o] && s.contacts[o]->group == c.group &&
        norm(place_of(s, k, o) - place_of(s, k, contact)) <= same_place * c.gap_scale(k))
      return true;
  return false;
}

bool ContactRanges::in_range(std::size_t contact) const {
  const Contact& c = *system_.contacts[contact];
  return !c.has_range() ||
         c.range(equations_.motion.kinematics()) >= -tolerances::at_end * c.gap_scale(equations_.motion.kinematics());
}

bool ContactRanges::touches_elsewhere(std::size_t contact, const std::vector<char>& closed) const {
  const Kinematics& k = equations_.motion.kinematics();
  return std::any_of(same_circle_[contact].begin(), same_circle_[contact].end(), [&](std::size_t o) {
    const Contact& other = *system_.contacts[o];
    return closed[o] && other.range(k) > tolerances::at_end * other.gap_scale(k);
  });
}

bool ContactRanges::can_strike(std::size_t contact, const std::vector<char>& closed_before) const {
  // A surface that slides along its neighbour meets the end of this stretch there, but does not run into it.
  if (!in_range(contact) || touches_elsewhere(contact, closed_before)) return false;
  const Contact& c = *system_.contacts[contact];
  const Kinematics& k = equations_.motion.kinematics();
  if (!has_plane_between(system_, k, contact)) return false;
  if (!c.has_range() || c.range(k) > tolerances::at_end * c.gap_scale(k)) return true;
  return !neighbour_holds(contact, closed_before);
}

double ContactRanges::speed_at(std::size_t contact) const {
  const Kinematics& k = equations_.motion.kinematics();
  const Row row = equations_.motion.normal_row(static_cast<int>(contact));
  double speed = std::abs(row.nu);
  const int turning = k.columns == 3 ? 2 : 3;  // the first column of J that is a rotation
  for (std::size_t b = 0; b < 2; ++b) {
    const auto body = static_cast<std::size_t>(row.body[b]);
    double square = 0;
    for (int column = 0; column < turning; ++column) square += k.velocity(body, column) * k.velocity(body, column);
    speed += std::sqrt(square);
    for (int column = turning; column < k.columns; ++column)
      speed += std::abs(row.J[b][column] * k.velocity(body, column));
  }
  return speed;
}

bool ContactRanges::lies_on(std::size_t contact) const {
  const Contact& c = *system_.contacts[contact];
  const Kinematics& k = equations_.motion.kinematics();
  return std::abs(c.gap(k)) <= same_place * c.gap_scale(k) &&
         std::abs(equations_.motion.gap_velocity(static_cast<int>(contact))) <= same_place * speed_at(contact);
}

void ContactRanges::pass_on(std::size_t contact, int direction, std::vector<char>& closed) const {
  // A contact has come to the end of its stretch of the boundary, or into it. Where it was closed the
  // surfaces go on touching at the neighbouring stretch: position and velocity are the same for both.
  const System& s = system_;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (s.contacts[c]->group != s.contacts[contact]->group || closed[c] || left_[c]) continue;
    if (c == contact ? direction < 0 : !in_range(c)) continue;
    // At the very end of a stretch: only what comes in now, takes over, or was inside.
    const bool at_end = ranged_[c] && !(s.contacts[c]->range(equations_.motion.kinematics()) >
                                        tolerances::at_end * s.contacts[c]->gap_scale(equations_.motion.kinematics()));
    if (c != contact && at_end && direction > 0 && !inside_[c]) continue;
    if (lies_on(c) && has_plane_between(s, equations_.motion.kinematics(), c)) closed[c] = 1;
  }
}

void ContactRanges::watch(std::span<const events::Root> fired, const Mode& mode, const Touching& touching,
                          MechanismGuards& guards) {
  // An open contact with a range: in front of its edge its gap is watched, and behind it too (the surface may come
  // back in front). On the line of the edge but beyond its end the sign of the gap means nothing: the range is watched.
  const System& s = system_;
  const Kinematics& k = equations_.motion.kinematics();
  bool any = false;
  closed_.clear();
  for (std::size_t c = 0; c < s.contacts.size(); ++c)
    if (mode.closed[c]) closed_.push_back(c);
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const int contact = static_cast<int>(c);
    const bool elsewhere = !mode.closed[c] && touches_elsewhere(c, mode.closed);
    if (!ranged_[c]) {
      if (elsewhere) guards.watch_gap(contact, false, events::Sign::positive);
      continue;
    }
    const double range = s.contacts[c]->range(k), length = s.contacts[c]->gap_scale(k),
                 end = tolerances::at_end * length;
    const bool at_end = std::abs(range) <= end;
    if (mode.closed[c]) {
      inside_[c] = front_[c] = 1;
      guards.watch_gap(contact, false, events::Sign::positive);
      // What slides along the end of its stretch has left it when it is behind it by more than round-off.
      guards.watch_range(contact, true, events::Sign::positive, at_end ? 2 * end : 0);
      continue;
    }
    const double gap = s.contacts[c]->open_gap(k), tolerance = same_place * length;
    int crossed = 0;
    for (const events::Root& root : fired)
      if (const WatchRef ref = guards.ref(root.guard); ref.what == Watch::range && ref.index == contact)
        crossed = root.direction;
    const bool inside = crossed != 0 ? crossed > 0 : at_end ? inside_[c] != 0 : range > 0;
    inside_[c] = inside;
    const bool neighbour = std::any_of(closed_.begin(), closed_.end(),
                                       [&](std::size_t o) { return s.contacts[o]->group == s.contacts[c]->group; });
    const bool on_line = std::abs(gap) <= tolerance;
    // Sliding along the neighbour, a surface stays at the end of this stretch: nothing of it means anything.
    const bool along = at_end && crossed == 0 && neighbour_holds(c, mode.closed);
    // What was in front and has not left its stretch is in front, whatever a jump to a limit has made of its gap (in
    // space, where put_on_rows puts it back); so is what touched at this instant. What has come over the edge of a side
    // while another side carries it is behind this one.
    const bool stays = (s.is_spatial() || touching[c].touches) && front_[c] && crossed == 0;
    // In the plane of a side of the other body, beside it: neither its gap nor where it is means anything until it
    // leaves that plane.
    const bool flush = on_line && !has_plane_between(s, k, c);
    front_[c] = inside && !flush && (on_line || gap > 0 || (stays && has_plane_between(s, k, c)));
    guards.watch_gap(contact, !flush && !elsewhere && ((inside && !along) || !on_line),
                     on_line || gap > 0 || front_[c] ? events::Sign::positive : events::Sign::negative);
    if (flush)
      guards.watch_flush(contact, 2 * tolerance);
    else
      guards.watch_range(contact, !along && !inside && (on_line || (neighbour && gap < 0)),
                         inside ? events::Sign::positive : events::Sign::negative);
    any = true;
  }
  if (any) guards.update_tolerances(equations_, mode, false);  // (of those that are watched only now)
}

}  // namespace hstar

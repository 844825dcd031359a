// src/transition/contact_ranges.cpp: which contacts touch at an instant, and in which stretch of a boundary: stretches
// that are neighbours hand a touching surface on to each other at their ends.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanism/joint_stops.hpp"
#include "mechanism/plane_between.hpp"
#include "mechanism/spatial/contact.hpp"
#include "transition/mechanism_process.hpp"
#include "transition/tolerances.hpp"

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
}  // namespace

bool MechanismProcess::neighbour_holds(std::size_t contact, const std::vector<char>& closed) const {
  const System& s = *system_;
  const Kinematics& k = equations_.kinematics();
  const Contact& c = *s.contacts[contact];
  for (std::size_t o = 0; o < s.contacts.size(); ++o)
    if (closed[o] && s.contacts[o]->group == c.group &&
        norm(place_of(s, k, o) - place_of(s, k, contact)) <= same_place * c.length_scale(k))
      return true;
  return false;
}

bool MechanismProcess::in_range(std::size_t contact) const {
  const Contact& c = *system_->contacts[contact];
  return !c.has_range() ||
         c.range(equations_.kinematics()) >= -tolerances::at_end * c.length_scale(equations_.kinematics());
}

bool MechanismProcess::can_strike(std::size_t contact) const {
  // A surface that slides along its neighbour meets the end of this stretch there, but does not run into it.
  if (!in_range(contact)) return false;
  const Contact& c = *system_->contacts[contact];
  const Kinematics& k = equations_.kinematics();
  if (!has_plane_between(*system_, k, contact)) return false;
  if (!c.has_range() || c.range(k) > tolerances::at_end * c.length_scale(k)) return true;
  return !neighbour_holds(contact, before_.closed);
}

double MechanismProcess::speed_at(std::size_t contact) const {
  const Kinematics& k = equations_.kinematics();
  Row row;
  equations_.normal_row(static_cast<int>(contact), row);
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

bool MechanismProcess::lies_on(std::size_t contact) const {
  const Contact& c = *system_->contacts[contact];
  const Kinematics& k = equations_.kinematics();
  return std::abs(c.gap(k)) <= same_place * c.length_scale(k) &&
         std::abs(equations_.gap_velocity(static_cast<int>(contact))) <= same_place * speed_at(contact);
}

void MechanismProcess::pass_on(std::size_t contact, int direction) {
  // A contact has come to the end of its stretch of the boundary, or into it. Where it was closed the
  // surfaces go on touching at the neighbouring stretch: position and velocity are the same for both.
  const System& s = *system_;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (s.contacts[c]->group != s.contacts[contact]->group || mode_.closed[c] || left_[c]) continue;
    if (c == contact ? direction < 0 : !in_range(c)) continue;
    // At the very end of a stretch: only what comes in now, takes over, or was inside.
    const bool at_end = ranged_[c] && !(s.contacts[c]->range(equations_.kinematics()) >
                                        tolerances::at_end * s.contacts[c]->length_scale(equations_.kinematics()));
    if (c != contact && at_end && direction > 0 && !inside_[c]) continue;
    if (lies_on(c) && has_plane_between(s, equations_.kinematics(), c)) mode_.closed[c] = 1;
  }
}

void MechanismProcess::watch_ranges(std::span<const events::Root> fired) {
  // An open contact with a range: in front of its edge its gap is watched, and behind it too (the surface may come
  // back in front). On the line of the edge but beyond its end the sign of the gap means nothing: the range is watched.
  const System& s = *system_;
  const Kinematics& k = equations_.kinematics();
  bool any = false;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    if (!ranged_[c]) continue;
    const int contact = static_cast<int>(c);
    const double range = s.contacts[c]->range(k), length = s.contacts[c]->length_scale(k),
                 end = tolerances::at_end * length;
    const bool at_end = std::abs(range) <= end;
    if (mode_.closed[c]) {
      inside_[c] = front_[c] = 1;
      guards_.watch_gap(contact, false, events::Sign::positive);
      // What slides along the end of its stretch has left it when it is behind it by more than round-off.
      guards_.watch_range(contact, true, events::Sign::positive, at_end ? 2 * end : 0);
      continue;
    }
    const double gap = s.contacts[c]->open_gap(k), tolerance = same_place * length;
    int crossed = 0;
    for (const events::Root& root : fired)
      if (const WatchRef ref = guards_.ref(root.guard); ref.what == Watch::range && ref.index == contact)
        crossed = root.direction;
    const bool inside = crossed != 0 ? crossed > 0 : at_end ? inside_[c] != 0 : range > 0;
    inside_[c] = inside;
    bool neighbour = false;
    for (std::size_t o = 0; o < s.contacts.size() && !neighbour; ++o)
      neighbour = mode_.closed[o] && s.contacts[o]->group == s.contacts[c]->group;
    const bool on_line = std::abs(gap) <= tolerance;
    // Sliding along the neighbour, a surface stays at the end of this stretch: nothing of it means anything.
    const bool along = at_end && crossed == 0 && neighbour_holds(c, mode_.closed);
    // What was in front and has not left its stretch is in front, whatever a jump to a limit has made of its gap (in
    // space, where put_on_rows puts it back); so is what touched at this instant.
    front_[c] = inside && (on_line || gap > 0 || ((s.is_spatial() || touching_[c]) && front_[c] && crossed == 0));
    // In the plane of a side of the other body, beside it: neither its gap nor where it is means anything until it
    // leaves that plane.
    const bool flush = on_line && !has_plane_between(s, k, c);
    guards_.watch_gap(contact, !flush && ((inside && !along) || !on_line),
                      on_line || gap > 0 || front_[c] ? events::Sign::positive : events::Sign::negative);
    if (flush)
      guards_.watch_flush(contact, 2 * tolerance);
    else
      guards_.watch_range(contact, !along && !inside && (on_line || (neighbour && gap < 0)),
                          inside ? events::Sign::positive : events::Sign::negative);
    any = true;
  }
  if (any) guards_.update_tolerances(equations_, mode_, false);  // (of those that are watched only now)
}

double MechanismProcess::find_gap_velocity(std::size_t contact) {
  Row row;
  equations_.normal_row(static_cast<int>(contact), row);
  const double v = equations_.gap_velocity(static_cast<int>(contact));
  const bool still = std::abs(v) <= std::max(instant_.zero_speed(row), chatter_.still(contact));
  gap_velocity_[contact] = still || mode_.closed[contact] ? 0 : v;
  return still ? 0 : std::abs(v) / instant_.speed_size(row);
}

bool MechanismProcess::may_touch(std::size_t contact, double t, double gap, double length) const {
  // No gap changes faster than the bodies move.
  const Kinematics& k = equations_.kinematics();
  const int turning = k.columns == 3 ? 2 : 3;
  double speed = 0;
  for (const int body : {system_->contacts[contact]->first, system_->contacts[contact]->second})
    for (int column = 0; column < k.columns; ++column)
      speed += (column < turning ? 1 : length) * std::abs(k.velocity(static_cast<std::size_t>(body), column));
  return gap <= std::max(same_place * length, tolerances::zero_gap * (length + speed * std::abs(t)));
}

void MechanismProcess::find_touching(double t, const double* y) {
  const System& s = *system_;
  equations_.evaluate_kinematics(t, y);
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const double length = s.contacts[c]->length_scale(equations_.kinematics());
    const double gap = s.contacts[c]->open_gap(equations_.kinematics());
    touching_[c] = impacting_[c] = 0;
    gap_velocity_[c] = 0;
    if (!mode_.closed[c] && !touched_[c] && !(chatter_.follows() ? chatter_.touches(c) : may_touch(c, t, gap, length)))
      continue;
    const double part = find_gap_velocity(c);
    const bool in_front = gap >= -tolerances::zero_gap * length || (s.is_spatial() && front_[c]);
    // What will touch before the resolution of time has passed touches now. So does what has neither gap nor gap
    // velocity beyond the integrator's error: bodies that have parted without force and fly side by side.
    double touches = tolerances::zero_gap * (length + std::max(0.0, -gap_velocity_[c]) * std::abs(t));
    const bool parted = bounces_[c].count == 0 && std::isfinite(bounces_[c].opened);
    const double error = std::min(rtol_, same_place);
    if (parted && part <= error) touches = std::max(touches, error * length);
    touching_[c] =
        mode_.closed[c] ||
        (chatter_.follows() ? chatter_.touches(c) : gap <= touches && (!ranged_[c] || (in_front && can_strike(c))));
    impacting_[c] = touching_[c] && gap_velocity_[c] < 0;
  }
}

void MechanismProcess::close_touching(double t, const double* y) {
  const System& s = *system_;
  equations_.evaluate_kinematics(t, y);
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const double gap = s.contacts[c]->open_gap(equations_.kinematics()),
                 length = s.contacts[c]->length_scale(equations_.kinematics());
    // Round-off of coordinates that happen to cancel at this place is that of the whole model.
    const double touches = std::max(tolerances::start_gap * length, tolerances::zero_gap * s.length), least = -touches;
    // Not here, behind the edge, or beside the body.
    if (ranged_[c] && (!in_range(c) || gap < least || !has_plane_between(s, equations_.kinematics(), c))) continue;
    if (gap < least) throw InputError(s.contacts[c]->where, start_refusal(*s.contacts[c], gap));
    if (std::abs(gap) <= touches &&
        std::abs(equations_.gap_velocity(static_cast<int>(c))) <= tolerances::start_speed * speed_at(c))
      mode_.closed[c] = 1;
  }
}

}  // namespace hstar
